//===- Recovery.cpp - Recovery from syntax errors -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Panic mode: after an error, the parser skips the rest of the statement and
// continues with the next one, to report all errors of a description at once.
// Statements end with their line. After an unclosed parenthesis, which would
// extend the line to the end of the text, a line that looks like the start of a
// statement ends it.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

using namespace mlir;
using namespace uma::accel::language;

/// Returns whether `rest`, the text after a name, continues a definition: `=
/// [optional] name(`.
static bool isDefinition(StringRef rest) {
  auto takeName = [&] {
    rest = rest.ltrim(" \t");
    size_t size = rest.size();
    rest = rest.drop_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    return rest.size() < size;
  };
  if (!rest.consume_front("=") || !takeName())
    return false;
  (void)takeName();
  return rest.starts_with("(");
}

bool TokenParser::isFirstOnLine(const Token &first) const {
  StringRef text = source.getText();
  StringRef before(text.begin(), first.spelling.begin() - text.begin());
  before = before.rtrim(" \t\r");
  return before.empty() || before.ends_with("\n");
}

/// Returns whether the token is the first of its line and starts a statement.
/// Looks at the next characters, since tensors and attributes may be named like
/// a statement.
bool TokenParser::isStartOfStatement() const {
  if (!token.is(Token::Identifier) || !isFirstOnLine(token))
    return false;
  StringRef text = source.getText();
  StringRef rest(token.spelling.end(), text.end() - token.spelling.end());
  rest = rest.take_until([](char c) { return c == '\n'; }).ltrim(" \t");
  if (PatternParser::getPatternStatements().contains(token.spelling) ||
      llvm::is_contained(getItemKeywords(), token.spelling))
    return rest.empty() ? token.spelling == "lower"
                        : !StringRef("=,)]|+-*/%:").contains(rest.front());
  return isDefinition(rest);
}

void TokenParser::skipStatement(const char *start, unsigned outerBraces) {
  lexer.setQuiet(true);
  while (!token.is(Token::EndOfFile)) {
    bool isOutside = braces <= outerBraces;
    if (isOutside && token.is("}"))
      break;
    if (isOutside && token.is(Token::Newline)) {
      lexer.setQuiet(false);
      skipNewlines();
      break;
    }
    if (isOutside && token.spelling.begin() != start && isStartOfStatement())
      break;
    advance();
  }
  lexer.setQuiet(false);
  lexer.closeAll();
}

void TokenParser::holdDiagnostics(function_ref<void()> parse) {
  {
    ScopedDiagnosticHandler handler(
        source.getContext(), [&](Diagnostic &diagnostic) {
          bool isFinal = !std::exchange(isNextWrong, false);
          held.push_back({std::move(diagnostic), isFinal});
          return success();
        });
    parse();
  }
  for (Held &entry : held)
    source.getContext()->getDiagEngine().emit(std::move(entry.diagnostic));
  held.clear();
}

bool TokenParser::parseOrSkip(function_ref<LogicalResult()> parse) {
  size_t numHeld = held.size();
  const char *start = token.spelling.begin();
  unsigned outerBraces = braces;
  bool wasWrong = std::exchange(isWrong, false);
  isSkipped = failed(parse());
  if (isSkipped || isWrong)
    recordError();
  if (isSkipped) {
    depth = 0;
    skipStatement(start, outerBraces);
    excuse(StringRef(start, token.spelling.begin() - start));
    held.erase(std::remove_if(held.begin() + static_cast<ptrdiff_t>(numHeld),
                              held.end(),
                              [](const Held &entry) { return !entry.isFinal; }),
               held.end());
  }
  for (Held &entry : llvm::drop_begin(held, numHeld))
    entry.isFinal = true;
  bool isRight = !isSkipped && !isWrong;
  isWrong = wasWrong;
  return isRight;
}

void TokenParser::skipLine() {
  lexer.setQuiet(true);
  lexer.closeAll();
  while (!token.is(Token::EndOfFile) && !token.is("}") &&
         !(token.is(Token::Newline) && token.spelling != ";")) {
    advance();
    lexer.closeAll();
  }
  lexer.setQuiet(false);
}

bool TokenParser::skipToBody() {
  const char *start = token.spelling.begin();
  depth = 0;
  while (!token.is("{")) {
    if (token.is(Token::EndOfFile) || token.is("}") ||
        (token.spelling.begin() != start && isStartOfStatement()))
      return false;
    advance();
  }
  lexer.closeAll();
  return true;
}

InFlightDiagnostic TokenParser::error(llvm::SMLoc loc) {
  isWrong = true;
  isNextWrong = true;
  return source.emitError(loc);
}

void TokenParser::excuse(Name name) {
  if (!isReservedWord(name.text))
    names.insert({name.text, {nullptr, name.loc}});
}

void TokenParser::excuse(StringRef text) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (StringRef rest = text; !rest.empty();) {
    StringRef word = rest.take_while(isPart);
    if (!word.empty() && !llvm::isDigit(word.front()) &&
        !targetAttributes.contains(word))
      excuse(Name{word, llvm::SMLoc::getFromPointer(word.data())});
    rest = rest.drop_front(std::max<size_t>(word.size(), 1));
  }
}

//===- Recovery.cpp - Recovery from syntax errors -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Panic mode: after an error the parser skips the rest of the statement and
// continues with the next one, so that all errors of a description are reported
// at once. Statements end with their line. An unclosed parenthesis would turn
// the rest of the text into one line; there, a line that looks like the start
// of a statement ends it.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma::accel::language;

/// Whether `rest`, after a name, makes a definition: `= [optional] name(`.
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

/// Whether the token is the first of its line and starts a statement. Tensors
/// and attributes may be named like a statement.
bool Parser::isStartOfStatement() const {
  if (!token.is(Token::Identifier))
    return false;
  StringRef text = source.getText();
  StringRef before(text.begin(), token.spelling.begin() - text.begin());
  before = before.rtrim(" \t\r");
  if (!before.empty() && !before.ends_with("\n"))
    return false;
  StringRef rest(token.spelling.end(), text.end() - token.spelling.end());
  rest = rest.take_until([](char c) { return c == '\n'; }).ltrim(" \t");
  static const StringRef statements[] = {"require",   "call",  "return", "cost",
                                         "configure", "place", "lower"};
  if (llvm::is_contained(statements, token.spelling) ||
      llvm::is_contained(getItemKeywords(), token.spelling) ||
      llvm::is_contained(getDeviceKeywords(), token.spelling))
    return rest.empty() ? token.spelling == "lower"
                        : !StringRef("=,)]|+-*/%:").contains(rest.front());
  return isDefinition(rest);
}

void Parser::skipStatement(const char *start, unsigned outerBraces) {
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

std::optional<Broken> Parser::parseOrSkip(function_ref<LogicalResult()> parse) {
  const char *start = token.spelling.begin();
  unsigned outerBraces = braces;
  if (succeeded(parse()))
    return std::nullopt;
  depth = 0;
  skipStatement(start, outerBraces);
  return Broken{StringRef(start, token.spelling.begin() - start)};
}

bool Parser::skipToBody() {
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

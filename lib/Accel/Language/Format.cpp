//===- Format.cpp - Formatter of descriptions -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The formatter works on tokens and the text between them, so that it keeps
// comments and new statements need no changes here. It keeps line breaks, too.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "uma/Accel/Language/Language.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma::accel;
using namespace uma::accel::language;

namespace {
class Formatter {
public:
  explicit Formatter(const Source &source) : text(source.getText()) {
    Lexer lexer(source);
    for (Token token = lexer.lex();; token = lexer.lex()) {
      isComplete = !token.is(Token::Error);
      if (!isComplete || token.is(Token::EndOfFile))
        break;
      // Drop line breaks, which the text between tokens contains, and
      // semicolons at the start of a line, which end no statement.
      bool isSemicolon = token.spelling == ";";
      if (!token.is(Token::Newline) ||
          (isSemicolon && !tokens.empty() && !isFirstOnLine(token)))
        tokens.push_back(token);
    }
  }

  FailureOr<std::string> format();

private:
  /// Kind of an open bracket. A Struct is a brace within parentheses.
  enum class Bracket { Round, Square, Struct, Line, Block };

  void printBetween(StringRef between, size_t index);
  void printComment(StringRef comment, bool isTrailing, bool hasBlankLine);
  void startLine(bool hasBlankLine, bool isContinued);
  bool needsSpace(size_t index) const;
  bool isBinary(size_t index) const;
  bool isOneLine(size_t index) const;
  bool isFirstOnLine(const Token &token) const {
    return text.take_front(token.spelling.begin() - text.begin())
        .rtrim(" \t\r")
        .ends_with("\n");
  }
  bool isInParentheses() const {
    return !brackets.empty() &&
           (brackets.back() == Bracket::Round ||
            brackets.back() == Bracket::Square || isInStruct());
  }
  bool isInStruct() const {
    return !brackets.empty() && brackets.back() == Bracket::Struct;
  }

  StringRef text;
  SmallVector<Token, 0> tokens;
  bool isComplete = false;
  SmallVector<Bracket> brackets;
  std::string out;
};
} // namespace

/// Returns whether the braces that open at `index` close on the same line.
bool Formatter::isOneLine(size_t index) const {
  unsigned depth = 0;
  for (size_t i = index; i < tokens.size(); ++i) {
    depth += tokens[i].is("{");
    depth -= tokens[i].is("}");
    if (depth == 0) {
      const char *begin = tokens[index].spelling.begin();
      StringRef between(begin, tokens[i].spelling.end() - begin);
      return !between.contains('\n');
    }
  }
  return false;
}

/// Returns whether the token at `index` is a binary operator.
bool Formatter::isBinary(size_t index) const {
  if (index == 0)
    return false;
  const Token &before = tokens[index - 1];
  return !before.is(Token::Punctuation) || before.is(")") || before.is("]");
}

bool Formatter::needsSpace(size_t index) const {
  const Token &before = tokens[index - 1], &token = tokens[index];
  if (before.is("(") || before.is("[") || token.is(")") || token.is("]") ||
      token.is(",") || token.is(":") || token.spelling == ";")
    return false;
  if (before.is("&") || before.is(".") || token.is(".") || before.is("..."))
    return false;
  if (token.is("[") && before.spelling == "as")
    return true;
  if (isInStruct() && (before.is("{") || token.is("}")))
    return false;
  if (token.is("{") && isInParentheses())
    return false;
  if (token.is("}"))
    return !before.is("{");
  if (token.is("{") || before.is("{"))
    return true;
  if (before.is(",") || before.is(":") || before.spelling == ";")
    return true;
  // No spaces around `=` of an attribute and `|` of types within parentheses.
  for (const Token *punctuation : {&before, &token})
    if (punctuation->is("=") || punctuation->is("|"))
      return !isInParentheses() || isInStruct();
  if (before.spelling == "require")
    return true;
  if (token.is("(") || token.is("["))
    return before.is(Token::Punctuation) && !before.is(")") &&
           !before.is("]") && (isBinary(index - 1));
  if (before.is("!") || (before.is("-") && !isBinary(index - 1)))
    return false;
  return true;
}

void Formatter::startLine(bool hasBlankLine, bool isContinued) {
  if (out.empty())
    return;
  out += hasBlankLine ? "\n\n" : "\n";
  size_t depth = llvm::count(brackets, Bracket::Block) + (isContinued ? 2 : 0);
  out.append(2 * depth, ' ');
}

void Formatter::printComment(StringRef comment, bool isTrailing,
                             bool hasBlankLine) {
  if (isTrailing)
    out += "  ";
  else
    startLine(hasBlankLine && !StringRef(out).ends_with("{"),
              isInParentheses());
  out += comment.rtrim();
}

/// Prints the comments, line breaks and spaces before the token at `index`.
void Formatter::printBetween(StringRef between, size_t index) {
  bool isEnd = index == tokens.size();
  unsigned newlines = 0;
  bool afterComment = false;
  while (!between.empty()) {
    if (between.consume_front("\n")) {
      ++newlines;
    } else if (between.front() == '#') {
      StringRef comment = between.take_until([](char c) { return c == '\n'; });
      printComment(comment, /*isTrailing=*/newlines == 0 && !out.empty(),
                   /*hasBlankLine=*/newlines > 1);
      between = between.drop_front(comment.size());
      newlines = 0;
      afterComment = true;
    } else {
      between = between.drop_front();
    }
  }
  if (isEnd || (index == 0 && !afterComment))
    return;
  const Token &token = tokens[index];
  // Keep an opening brace on the line of its statement.
  if (token.is("{") && !afterComment)
    newlines = 0;
  bool opensBlock = index > 0 && tokens[index - 1].is("{") &&
                    !brackets.empty() && brackets.back() == Bracket::Block;
  bool closesBlock =
      token.is("}") && !brackets.empty() && brackets.back() == Bracket::Block;
  if (closesBlock)
    brackets.pop_back();
  // Split statements on one line if their block has several lines.
  bool endsStatement = index > 0 && tokens[index - 1].spelling == ";" &&
                       (brackets.empty() || brackets.back() == Bracket::Block);
  if (newlines == 0 && !afterComment && !opensBlock && !closesBlock &&
      !endsStatement) {
    if (needsSpace(index))
      out += ' ';
    return;
  }
  bool isContinued =
      isInParentheses() ||
      (index > 0 && !opensBlock && tokens[index - 1].is(Token::Punctuation) &&
       isBinary(index - 1) && !tokens[index - 1].is(")") &&
       !tokens[index - 1].is("]") && !tokens[index - 1].is("}"));
  startLine(newlines > 1 && !opensBlock && !closesBlock && !isContinued,
            isContinued && !closesBlock);
}

FailureOr<std::string> Formatter::format() {
  if (!isComplete)
    return failure();
  const char *end = text.begin();
  for (size_t index = 0; index <= tokens.size(); ++index) {
    const char *begin =
        index < tokens.size() ? tokens[index].spelling.begin() : text.end();
    printBetween(StringRef(end, begin - end), index);
    if (index == tokens.size())
      break;
    const Token &token = tokens[index];
    end = token.spelling.end();
    if (token.is("(") || token.is("["))
      brackets.push_back(token.is("(") ? Bracket::Round : Bracket::Square);
    else if (token.is("{"))
      brackets.push_back(isInParentheses()  ? Bracket::Struct
                         : isOneLine(index) ? Bracket::Line
                                            : Bracket::Block);
    else if (!brackets.empty() &&
             (isInStruct() ? token.is("}")
              : isInParentheses()
                  ? token.is(")") || token.is("]")
                  : brackets.back() == Bracket::Line && token.is("}")))
      brackets.pop_back();
    // Drop redundant semicolons at the ends of lines.
    bool isSeparator = token.spelling == ";";
    if (!isSeparator ||
        (!brackets.empty() && brackets.back() == Bracket::Line &&
         index + 1 < tokens.size() && !tokens[index + 1].is("}")))
      out += token.spelling;
  }
  return out + "\n";
}

FailureOr<std::string> uma::accel::formatDescription(llvm::SourceMgr &sourceMgr,
                                                     MLIRContext *context) {
  // Only format valid descriptions.
  if (!parseDescription(sourceMgr, context))
    return failure();
  return Formatter(Source(sourceMgr, context)).format();
}

//===- Lexer.cpp - Lexer of the description language ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "CScanner.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace mlir;
using namespace uma::accel::language;

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

StringRef Source::getText() const {
  return sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID())->getBuffer();
}

StringRef Source::getFile() const {
  return sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID())
      ->getBufferIdentifier();
}

Location Source::getLocation(llvm::SMLoc loc) const {
  // SourceMgr::getLineAndColumn scans for the start of the line, which takes
  // quadratic time for a line with many tokens.
  const auto &buffer = sourceMgr.getBufferInfo(sourceMgr.getMainFileID());
  unsigned line = buffer.getLineNumber(loc.getPointer());
  const char *start = buffer.getPointerForLineNumber(line);
  auto column = static_cast<unsigned>(loc.getPointer() - start + 1);
  return FileLineColLoc::get(context, getFile(), line, column);
}

//===----------------------------------------------------------------------===//
// Token
//===----------------------------------------------------------------------===//

std::string Token::describe() const {
  switch (kind) {
  case EndOfFile:
    return "the end of the file";
  case Newline:
    return spelling == ";" ? "';'" : "the end of the line";
  case String:
    return "the string " + spelling.str();
  case Code:
    return "C";
  default:
    return "'" + spelling.str() + "'";
  }
}

std::string Token::getString() const {
  std::string value;
  StringRef body = spelling.drop_front().drop_back();
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\\')
      ++i;
    value.push_back(body[i]);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Lexer
//===----------------------------------------------------------------------===//

Token Lexer::make(Token::Kind kind, const char *start) {
  return {kind, StringRef(start, position - start)};
}

Token Lexer::fail(const char *at, const Twine &message) {
  if (!isQuiet)
    source.emitError(llvm::SMLoc::getFromPointer(at)) << message;
  // Stop at braces, so that blocks stay balanced.
  StringRef rest(at, text.end() - at);
  position = at + std::min(rest.find_first_of("{}\n"), rest.size());
  return {Token::Error, StringRef(at, 0)};
}

static bool isIdentifierStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isIdentifierPart(char c) { return llvm::isAlnum(c) || c == '_'; }

Token Lexer::lex() {
  // Treat carriage returns as blanks to support Windows line endings.
  while (position != text.end()) {
    if (*position == ' ' || *position == '\t' || *position == '\r' ||
        (*position == '\n' && nesting > 0))
      ++position;
    else if (*position == '#')
      while (position != text.end() && *position != '\n')
        ++position;
    else
      break;
  }
  const char *start = position;
  if (position == text.end())
    return make(Token::EndOfFile, start);
  char c = *position;
  if (c == '\n' || c == ';') {
    ++position;
    return make(Token::Newline, start);
  }
  if (isIdentifierStart(c)) {
    while (position != text.end() && isIdentifierPart(*position))
      ++position;
    return make(Token::Identifier, start);
  }
  if (llvm::isDigit(c))
    return lexNumber(start);
  if (c == '"')
    return lexString(start);
  if (c == '{' && isAtCode())
    return lexCode(start);
  return lexPunctuation(start);
}

/// Returns whether the previous token is the keyword of a statement with C.
bool Lexer::isAtCode() const {
  StringRef before = StringRef(text.begin(), position - text.begin()).rtrim();
  static constexpr StringRef keywords[] = {"code", "configure", "start",
                                           "finish"};
  auto consume = [&](StringRef word) { return before.consume_back(word); };
  if (nesting > 0 || !llvm::any_of(keywords, consume))
    return false;
  before = before.rtrim(" \t\r");
  return before.empty() || StringRef("\n;{}").contains(before.back());
}

Token Lexer::lexCode(const char *start) {
  StringRef code(start + 1, text.end() - start - 1);
  size_t size = findEndOfC(code);
  code = code.take_front(size);
  StringRef problem = size == StringRef::npos ? "has no end: a '}' is missing"
                      : code.contains('\0')   ? "holds a NUL byte"
                      : !llvm::json::isUTF8(code) ? "is not UTF-8"
                                                  : "";
  Token token = {Token::Code, StringRef(start, size + 2)};
  if (!problem.empty())
    token = fail(start, "the C that starts here " + problem);
  position = std::min(code.end() + 1, text.end());
  return token;
}

Token Lexer::lexNumber(const char *start) {
  auto skipDigits = [&] {
    while (position != text.end() && llvm::isDigit(*position))
      ++position;
  };
  auto at = [&](ptrdiff_t offset) {
    return text.end() - position > offset ? position[offset] : '\0';
  };
  Token::Kind kind = Token::Integer;
  skipDigits();
  if (at(0) == '.' && llvm::isDigit(at(1))) {
    kind = Token::Float;
    ++position;
    skipDigits();
  }
  if (at(0) == 'e' || at(0) == 'E') {
    bool isSigned = at(1) == '-' || at(1) == '+';
    if (llvm::isDigit(at(isSigned ? 2 : 1))) {
      kind = Token::Float;
      position += isSigned ? 2 : 1;
      skipDigits();
    }
  }
  if (isIdentifierPart(at(0)) || at(0) == '.')
    return fail(position, "unexpected '" + Twine(at(0)) +
                              "' in a number; numbers are decimal: 16, 0.5, "
                              "1e-5");
  return make(kind, start);
}

Token Lexer::lexString(const char *start) {
  ++position;
  while (position != text.end() && *position != '"' && *position != '\n') {
    if (*position == '\\') {
      bool isKnown = text.end() - position > 1 &&
                     (position[1] == '"' || position[1] == '\\');
      if (!isKnown)
        return fail(position, "unknown escape in a string; write \\\\ for a "
                              "backslash and \\\" for a quote");
      ++position;
    }
    if (*position == '\0')
      return fail(position, "a string cannot hold a NUL byte");
    ++position;
  }
  if (position == text.end() || *position != '"')
    return fail(start, "unterminated string; a string ends with '\"' on the "
                       "line where it starts");
  ++position;
  if (!llvm::json::isUTF8(StringRef(start, position - start)))
    return fail(start, "the string is not UTF-8");
  return make(Token::String, start);
}

Token Lexer::lexPunctuation(const char *start) {
  StringRef rest(position, text.end() - position);
  if (rest.starts_with("...")) {
    position += 3;
    return make(Token::Punctuation, start);
  }
  for (StringRef two : {"&&", "||", "==", "!=", "<=", ">=", "->"})
    if (rest.starts_with(two)) {
      position += 2;
      return make(Token::Punctuation, start);
    }
  char c = *position;
  // Accept `&` before a struct argument: `f(&cfg{`.
  StringRef before = StringRef(text.begin(), start - text.begin()).rtrim();
  bool isPointer = c == '&' && (before.ends_with("(") || before.ends_with(","));
  if (!isPointer && !StringRef("(){}[]<>=!+-*/%,:|.").contains(c)) {
    if (c == '&')
      return fail(start, "unexpected '&'; did you mean '&&'?");
    if (c == '\'')
      return fail(start, "unexpected '''; strings stand in double quotes");
    if (llvm::isPrint(c))
      return fail(start, "unexpected character '" + Twine(c) + "'");
    return fail(start, "unexpected byte 0x" +
                           llvm::utohexstr(static_cast<unsigned char>(c),
                                           /*LowerCase=*/true, /*Width=*/2) +
                           " outside of a string or comment");
  }
  ++position;
  if (c == '(' || c == '[')
    ++nesting;
  else if ((c == ')' || c == ']') && nesting > 0)
    --nesting;
  return make(Token::Punctuation, start);
}

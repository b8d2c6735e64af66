//===- Tokens.cpp - Parsing of tokens -------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

void TokenParser::advance() {
  if (token.kind != Token::Error || token.spelling.empty())
    previousEnd = token.getEndLoc();
  if (token.is("{"))
    ++braces;
  else if (token.is("}") && braces > 0)
    --braces;
  token = lexer.lex();
}

void TokenParser::skipNewlines() {
  while (token.is(Token::Newline))
    advance();
}

LogicalResult TokenParser::fail(llvm::SMLoc loc, const Twine &message) {
  // Do not report the end of the text if an earlier error caused it.
  bool isEndAfterError = hasSyntaxErrors && token.is(Token::EndOfFile);
  if (!token.is(Token::Error) && !isEndAfterError)
    source.emitError(loc) << message;
  hasSyntaxErrors = true;
  return failure();
}

LogicalResult TokenParser::unexpected(const Twine &expected) {
  return fail(token.getLoc(),
              "expected " + expected + ", found " + token.describe());
}

bool TokenParser::consumeIf(StringRef punctuation) {
  if (!token.is(punctuation))
    return false;
  advance();
  return true;
}

LogicalResult TokenParser::expect(StringRef punctuation, const Twine &where) {
  if (consumeIf(punctuation))
    return success();
  return unexpected("'" + punctuation + "' " + where);
}

LogicalResult TokenParser::expectEndOfStatement(const Twine &after) {
  bool isMissingBrace = hasSyntaxErrors && isStartOfStatement();
  if (token.is("}") || token.is(Token::EndOfFile) || isMissingBrace)
    return success();
  if (!token.is(Token::Newline))
    return unexpected("the end of the line after " + after);
  skipNewlines();
  return success();
}

LogicalResult TokenParser::parseName(Name &name, const Twine &what) {
  if (!token.is(Token::Identifier))
    return unexpected(what);
  name = {token.spelling, token.getLoc()};
  advance();
  return success();
}

LogicalResult TokenParser::parseText(Text &text, const Twine &what) {
  if (!token.is(Token::String))
    return unexpected(what + " in double quotes");
  text = {token.getString(), token.getLoc()};
  advance();
  return success();
}

LogicalResult TokenParser::parseInteger(int64_t &value, bool isNegative) {
  std::string digits = (isNegative ? "-" : "") + token.spelling.str();
  if (StringRef(digits).getAsInteger(10, value))
    return fail(token.getLoc(),
                Twine("integer ") + digits + " does not fit in 64 bits");
  advance();
  return success();
}

LogicalResult TokenParser::parseFloat(double &value, bool isNegative) {
  if (token.spelling.getAsDouble(value) || !std::isfinite(value))
    return fail(token.getLoc(),
                Twine("number ") + token.spelling + " does not fit in 64 bits");
  value = isNegative ? -value : value;
  advance();
  return success();
}

LogicalResult TokenParser::parseBool(bool &value, const Twine &what) {
  if (!isWord("true") && !isWord("false"))
    return unexpected("true or false " + what);
  value = token.spelling == "true";
  advance();
  return success();
}

/// Parses elements separated by commas, up to and including `close`.
LogicalResult
TokenParser::parseList(StringRef close, const Twine &what,
                       function_ref<LogicalResult()> parseElement) {
  if (consumeIf(close))
    return success();
  do {
    if (failed(parseElement()))
      return failure();
  } while (consumeIf(","));
  if (consumeIf(close))
    return success();
  return unexpected("',' or '" + close + "' in " + what);
}

LogicalResult
TokenParser::parseBlock(const Twine &before, const Twine &what,
                        function_ref<LogicalResult()> parseStatement) {
  skipNewlines();
  if (failed(expect("{", before)))
    return failure();
  skipNewlines();
  while (!token.is("}")) {
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of " + what);
    (void)parseOrSkip(parseStatement);
  }
  advance();
  return expectEndOfStatement(what);
}

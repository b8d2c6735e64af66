//===- Parser.cpp - Syntax of the description language --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A recursive-descent parser; the grammar is in docs/description-language.md.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::accel::language;

ArrayRef<StringRef> uma::accel::language::getTypeNames() {
  static const StringRef names[] = {"f16", "bf16", "f32", "f64", "i1",
                                    "i8",  "u8",   "i16", "i32", "i64"};
  return names;
}

bool uma::accel::language::isReservedWord(StringRef word) {
  static const StringRef words[] = {"same",   "any", "true", "false",
                                    "min",    "max", "call", "require",
                                    "return", "cost"};
  return llvm::is_contained(words, word) ||
         llvm::is_contained(getTypeNames(), word);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Parser::advance() {
  if (token.kind != Token::Error || token.spelling.empty())
    previousEnd = token.getEndLoc();
  if (token.is("{"))
    ++braces;
  else if (token.is("}") && braces > 0)
    --braces;
  token = lexer.lex();
}

void Parser::skipNewlines() {
  while (token.is(Token::Newline))
    advance();
}

LogicalResult Parser::fail(llvm::SMLoc loc, const Twine &message) {
  // An early end of the text after an error is no second error.
  bool isEndAfterError = hasErrors && token.is(Token::EndOfFile);
  if (!token.is(Token::Error) && !isEndAfterError)
    source.emitError(loc) << message;
  hasErrors = true;
  return failure();
}

LogicalResult Parser::unexpected(const Twine &expected) {
  return fail(token.getLoc(),
              "expected " + expected + ", found " + token.describe());
}

bool Parser::consumeIf(StringRef punctuation) {
  if (!token.is(punctuation))
    return false;
  advance();
  return true;
}

LogicalResult Parser::expect(StringRef punctuation, const Twine &where) {
  if (consumeIf(punctuation))
    return success();
  return unexpected("'" + punctuation + "' " + where);
}

LogicalResult Parser::expectEndOfStatement(const Twine &after) {
  bool isMissingBrace = hasErrors && isStartOfStatement();
  if (token.is("}") || token.is(Token::EndOfFile) || isMissingBrace)
    return success();
  if (!token.is(Token::Newline))
    return unexpected("the end of the line after " + after);
  skipNewlines();
  return success();
}

LogicalResult Parser::parseName(Name &name, const Twine &what) {
  if (!token.is(Token::Identifier))
    return unexpected(what);
  name = {token.spelling, token.getLoc()};
  advance();
  return success();
}

LogicalResult Parser::parseText(Text &text, const Twine &what) {
  if (!token.is(Token::String))
    return unexpected(what + " in double quotes");
  text = {token.getString(), token.getLoc()};
  advance();
  return success();
}

LogicalResult Parser::parseInteger(int64_t &value, bool isNegative) {
  std::string digits = (isNegative ? "-" : "") + token.spelling.str();
  if (StringRef(digits).getAsInteger(10, value)) {
    return fail(token.getLoc(),
                Twine("integer ") + digits + " does not fit in 64 bits");
  }
  advance();
  return success();
}

LogicalResult Parser::parseFloat(double &value, bool isNegative) {
  if (token.spelling.getAsDouble(value) || !std::isfinite(value)) {
    return fail(token.getLoc(),
                Twine("number ") + token.spelling + " does not fit in 64 bits");
  }
  value = isNegative ? -value : value;
  advance();
  return success();
}

/// Parses elements, separated by commas, up to and including `close`.
LogicalResult Parser::parseList(StringRef close, const Twine &what,
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

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseFile() {
  advance();
  skipNewlines();
  if (!token.is(Token::Identifier) || token.spelling != "accelerator")
    return unexpected("'accelerator NAME {' at the start of the description");
  advance();
  if (failed(parseName(accelerator.name, "the accelerator's name")))
    return failure();
  skipNewlines();
  if (failed(expect("{", "after the accelerator's name")))
    return failure();
  skipNewlines();
  while (!token.is("}")) {
    if (std::optional<Broken> broken = parseOrSkip([&] { return parseItem(); }))
      accelerator.items.push_back(*broken);
    if (isNewer)
      return failure();
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of accelerator '" +
                        accelerator.name.text + "'");
    skipNewlines();
  }
  advance();
  skipNewlines();
  if (token.is(Token::EndOfFile))
    return failure(hasErrors);
  return fail(
      token.getLoc(),
      Twine("unexpected ") + token.describe() +
          " after the accelerator's '}'; a file describes one accelerator");
}

ArrayRef<StringRef> uma::accel::language::getItemKeywords() {
  static const StringRef keywords[] = {"include", "model",    "link",  "pass",
                                       "pattern", "transfer", "region"};
  return keywords;
}

LogicalResult Parser::parseItem() {
  if (token.is(Token::EndOfFile))
    return unexpected("'}' at the end of accelerator '" +
                      accelerator.name.text + "'");
  Name keyword;
  if (failed(parseName(keyword, "include, model, link, pass or pattern")))
    return failure();
  if (keyword.text == "include") {
    Include include;
    if (failed(parseText(include.header, "the header's name")))
      return failure();
    accelerator.items.push_back(std::move(include));
    return expectEndOfStatement("the header");
  }
  if (keyword.text == "model") {
    Model model;
    if (failed(parseText(model.file, "the name of the C source file")))
      return failure();
    accelerator.items.push_back(std::move(model));
    return expectEndOfStatement("the file");
  }
  if (keyword.text == "link") {
    Link link;
    if (failed(parseText(link.library, "the library's name")))
      return failure();
    accelerator.items.push_back(std::move(link));
    return expectEndOfStatement("the library");
  }
  if (keyword.text == "pass") {
    Pipeline pipeline;
    if (failed(parseName(pipeline.phase, "the phase, e.g. TIR_PHASE_1,")) ||
        failed(parseText(pipeline.passes, "the passes")))
      return failure();
    accelerator.items.push_back(std::move(pipeline));
    return expectEndOfStatement("the passes");
  }
  if (keyword.text == "pattern")
    return parsePattern();
  if (keyword.text == "transfer")
    return parseTransfer(keyword.loc);
  if (keyword.text == "region")
    return parseRegion(keyword.loc);
  if (llvm::is_contained(getDeviceKeywords(), keyword.text))
    return parseDeviceItem(keyword);
  SmallVector<StringRef> known(getItemKeywords());
  llvm::append_range(known, getDeviceKeywords());
  std::string hint = didYouMean(keyword.text, known);
  return fail(keyword.loc, Twine("unknown statement '") + keyword.text + "'" +
                               (hint.empty() ? "; an accelerator holds " +
                                                   llvm::join(known, ", ")
                                             : hint));
}

LogicalResult uma::accel::language::parse(const Source &source,
                                          Accelerator &accelerator) {
  return Parser(source, accelerator).parseFile();
}

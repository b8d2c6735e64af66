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
  static const StringRef words[] = {"same", "any",  "true",    "false", "min",
                                    "max",  "call", "require", "cost"};
  return llvm::is_contained(words, word) ||
         llvm::is_contained(getTypeNames(), word);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Parser::advance() {
  if (token.kind != Token::Error || token.spelling.empty())
    previousEnd = token.getEndLoc();
  token = lexer.lex();
}

void Parser::skipNewlines() {
  while (token.is(Token::Newline))
    advance();
}

LogicalResult Parser::fail(llvm::SMLoc loc, const Twine &message) {
  if (!token.is(Token::Error))
    source.emitError(loc) << message;
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
  if (token.is("}") || token.is(Token::EndOfFile))
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

/// Parses elements, separated by commas, up to and with `close`.
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
    if (failed(parseItem()))
      return failure();
    skipNewlines();
  }
  advance();
  skipNewlines();
  if (token.is(Token::EndOfFile))
    return success();
  return fail(
      token.getLoc(),
      Twine("unexpected ") + token.describe() +
          " after the accelerator's '}'; a file describes one accelerator");
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
  SmallVector<StringRef> known = {"include", "model",    "link",  "pass",
                                  "pattern", "transfer", "region"};
  llvm::append_range(known, getDeviceKeywords());
  std::string hint = didYouMean(keyword.text, known);
  return fail(keyword.loc, Twine("unknown statement '") + keyword.text + "'" +
                               (hint.empty() ? "; an accelerator holds " +
                                                   llvm::join(known, ", ")
                                             : hint));
}

LogicalResult Parser::parsePattern() {
  Pattern pattern;
  if (failed(parseName(pattern.name, "the pattern's name")) ||
      failed(parseInputs(pattern)) ||
      failed(parseBody(pattern, "pattern '" + pattern.name.text + "'")))
    return failure();
  accelerator.items.push_back(std::move(pattern));
  return expectEndOfStatement("the pattern");
}

LogicalResult Parser::parseInputs(Pattern &pattern) {
  if (failed(expect("(", "after the pattern's name")))
    return failure();
  auto parseElement = [&] { return parseInput(pattern.inputs.emplace_back()); };
  return parseList(")", "the inputs of the pattern", parseElement);
}

LogicalResult Parser::parseBody(Pattern &pattern, const Twine &what) {
  skipNewlines();
  if (failed(expect("{", "before the pattern's body")))
    return failure();
  skipNewlines();
  while (!token.is("}")) {
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of " + what);
    if (failed(parseStatement(pattern)))
      return failure();
  }
  advance();
  return success();
}

/// name [: type [shape] | : shape]
LogicalResult Parser::parseInput(Input &input) {
  if (failed(parseName(input.name, "the name of an input")))
    return failure();
  if (!consumeIf(":"))
    return success();
  if (token.is(Token::Identifier)) {
    input.type = Name{token.spelling, token.getLoc()};
    advance();
  }
  if (!token.is("["))
    return input.type ? success()
                      : unexpected("an element type or a shape, e.g. f32[1, n],"
                                   " after ':'");
  advance();
  input.shape.emplace();
  return parseList("]", "the shape", [&]() -> LogicalResult {
    Size &size = input.shape->emplace_back();
    size.loc = token.getLoc();
    if (token.is(Token::Integer))
      return parseInteger(size.integer);
    if (!token.is(Token::Identifier) || isReservedWord(token.spelling))
      return unexpected("a size: an integer or a name");
    size.name = token.spelling;
    advance();
    return success();
  });
}

LogicalResult Parser::parseStatement(Pattern &pattern) {
  Name first;
  if (failed(parseName(first, "an operator, require or call")))
    return failure();
  if (first.text == "require")
    return parseRequire(first.loc, pattern);
  if (first.text == "call")
    return parseCall(pattern);
  if (first.text == "cost")
    return parseCost(first.loc, pattern);
  if (consumeIf("="))
    return parseOperator(first, pattern);
  if (first.text == "configure") {
    Configure configure;
    if (failed(parseCall(configure.call)))
      return failure();
    pattern.statements.push_back(std::move(configure));
    return expectEndOfStatement("the call");
  }
  if (first.text == "lower") {
    pattern.statements.push_back(Lower{first.loc});
    return expectEndOfStatement("'lower'");
  }
  if (first.text == "place")
    return parsePlace(first.loc, pattern);
  std::string hint = didYouMean(
      first.text, {"require", "call", "configure", "lower", "place"});
  if (hint.empty())
    return unexpected("'=' after '" + first.text + "'");
  return fail(first.loc,
              Twine("unknown statement '") + first.text + "'" + hint);
}

LogicalResult Parser::parseOperator(Name result, Pattern &pattern) {
  Operator op;
  op.result = result;
  if (failed(parseName(op.kind, "an operator, e.g. conv2d,")) ||
      failed(expect("(", "after the operator")))
    return failure();
  auto parseArgument = [&]() -> LogicalResult {
    Name name;
    if (failed(parseName(name, "a tensor or an attribute")))
      return failure();
    if (consumeIf("=")) {
      op.attributes.push_back({name, {}});
      return parseAttrValue(op.attributes.back().value);
    }
    if (!op.attributes.empty()) {
      return fail(name.loc, Twine("tensors come before attributes; move '") +
                                name.text + "' in front, or give it a value");
    }
    op.operands.push_back(name);
    return success();
  };
  if (failed(parseList(")", "the arguments of '" + op.kind.text + "'",
                       parseArgument)))
    return failure();
  pattern.statements.push_back(std::move(op));
  return expectEndOfStatement("the operator");
}

LogicalResult Parser::parseRequire(llvm::SMLoc loc, Pattern &pattern) {
  Require require;
  require.loc = loc;
  const char *start = token.getLoc().getPointer();
  require.condition = parseExpr();
  if (!require.condition)
    return failure();
  // One line, whatever the way it was written.
  StringRef written(start, previousEnd.getPointer() - start);
  SmallVector<StringRef> words;
  llvm::SplitString(written, words);
  require.source = llvm::join(words, " ");
  if (failed(expect(",", "and the reason after the condition")))
    return failure();
  skipNewlines();
  if (failed(parseText(require.reason, "the reason")))
    return failure();
  pattern.statements.push_back(std::move(require));
  return expectEndOfStatement("the reason");
}

LogicalResult Parser::parseCall(Pattern &pattern) {
  Call call;
  if (failed(parseCall(call)))
    return failure();
  pattern.statements.push_back(std::move(call));
  return expectEndOfStatement("the call");
}

LogicalResult Parser::parseCall(Call &call) {
  if (failed(parseName(call.callee, "the name of a C function")) ||
      failed(expect("(", "after the function's name")))
    return failure();
  auto parseArgument = [&] {
    call.arguments.push_back(parseExpr());
    return success(call.arguments.back());
  };
  return parseList(")", "the arguments of '" + call.callee.text + "'",
                   parseArgument);
}

LogicalResult uma::accel::language::parse(const Source &source,
                                          Accelerator &accelerator) {
  return Parser(source, accelerator).parseFile();
}

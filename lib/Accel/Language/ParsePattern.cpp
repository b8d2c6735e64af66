//===- ParsePattern.cpp - Syntax of a pattern ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel::language;

LogicalResult Parser::parsePattern() {
  Pattern pattern;
  if (failed(parseName(pattern.name, "the pattern's name")) ||
      failed(expect("(", "after the pattern's name")))
    return failure();
  auto parseElement = [&] { return parseInput(pattern.inputs.emplace_back()); };
  if (failed(parseList(")", "the inputs of the pattern", parseElement)))
    return failure();
  skipNewlines();
  if (failed(expect("{", "before the pattern's body")))
    return failure();
  skipNewlines();
  while (!token.is("}")) {
    if (token.is(Token::EndOfFile))
      return unexpected("'}' at the end of pattern '" + pattern.name.text +
                        "'");
    if (failed(parseStatement(pattern)))
      return failure();
  }
  advance();
  accelerator.items.push_back(std::move(pattern));
  return expectEndOfStatement("the pattern");
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
  if (consumeIf("="))
    return parseOperator(first, pattern);
  std::string hint = didYouMean(first.text, {"require", "call"});
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
  if (failed(parseName(call.callee, "the name of a C function")) ||
      failed(expect("(", "after the function's name")))
    return failure();
  auto parseArgument = [&] {
    call.arguments.push_back(parseExpr());
    return success(call.arguments.back());
  };
  if (failed(parseList(")", "the arguments of '" + call.callee.text + "'",
                       parseArgument)))
    return failure();
  pattern.statements.push_back(std::move(call));
  return expectEndOfStatement("the call");
}

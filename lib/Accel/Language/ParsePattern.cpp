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
      failed(parseInputs(pattern)) ||
      failed(parseBody(pattern, "pattern '" + pattern.name.text + "'")))
    return failure();
  accelerator.items.push_back(std::move(pattern));
  return expectEndOfStatement("the pattern");
}

LogicalResult Parser::parseInputs(Pattern &pattern) {
  const char *start = token.getLoc().getPointer();
  auto parseElement = [&]() -> LogicalResult {
    Input input;
    if (failed(parseInput(input)))
      return failure();
    pattern.inputs.push_back(std::move(input));
    return success();
  };
  if (succeeded(expect("(", "after the pattern's name")) &&
      succeeded(parseList(")", "the inputs of the pattern", parseElement)))
    return success();
  // The body has errors of its own.
  if (!skipToBody())
    return failure();
  pattern.statements.push_back(
      Broken{StringRef(start, token.getLoc().getPointer() - start)});
  return success();
}

LogicalResult Parser::parseBody(Pattern &pattern, const Twine &what) {
  skipNewlines();
  if (failed(expect("{", "before the pattern's body")))
    return failure();
  skipNewlines();
  while (!token.is("}")) {
    // A pattern within a pattern: the previous one was not closed.
    bool isEnd = token.is(Token::EndOfFile);
    if (token.is(Token::Identifier) &&
        (token.spelling == "pattern" || token.spelling == "strategy"))
      isEnd |= isStartOfStatement();
    if (isEnd) {
      (void)unexpected("'}' at the end of " + what);
      // An incomplete pattern is not checked as a whole.
      pattern.statements.push_back(Broken{});
      braces = std::min(braces, 1u);
      return success();
    }
    if (std::optional<Broken> broken =
            parseOrSkip([&] { return parseStatement(pattern); }))
      pattern.statements.push_back(*broken);
  }
  advance();
  return success();
}

/// Parses `name [: [const] [type {| type}] [shape]]`.
LogicalResult Parser::parseInput(Input &input) {
  if (failed(parseName(input.name, "the name of an input")))
    return failure();
  if (!consumeIf(":"))
    return success();
  if (token.is(Token::Identifier) && token.spelling == "const") {
    input.isConstant = true;
    advance();
  }
  if (token.is(Token::Identifier)) {
    do {
      if (failed(parseName(input.types.emplace_back(),
                           "an element type after '|'")))
        return failure();
    } while (consumeIf("|"));
  }
  if (!token.is("["))
    return input.isConstant || !input.types.empty()
               ? success()
               : unexpected("an element type or a shape, e.g. f32[1, n],"
                            " after ':'");
  advance();
  input.shape.emplace();
  return parseList("]", "the shape",
                   [&] { return parseSize(input.shape->emplace_back()); });
}

LogicalResult Parser::parseSize(Size &size) {
  size.loc = token.getLoc();
  if (token.is(Token::Integer))
    return parseInteger(size.integer);
  if (!token.is(Token::Identifier) ||
      (token.spelling != "any" && isReservedWord(token.spelling)))
    return unexpected("a size: an integer, a name or any");
  size.name = token.spelling;
  advance();
  return success();
}

LogicalResult Parser::parseStatement(Pattern &pattern) {
  Name first;
  if (failed(parseName(first, "an operator, require, call or return")))
    return failure();
  if (first.text == "require")
    return parseRequire(first.loc, pattern);
  if (first.text == "call")
    return parseCall(pattern);
  if (first.text == "return")
    return parseReturn(first.loc, pattern);
  if (first.text == "cost")
    return parseCost(first.loc, pattern);
  if (consumeIf("="))
    return parseDefinition(first, pattern);
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
  std::string hint =
      didYouMean(first.text, {"require", "call", "return", "configure", "lower",
                              "place", "cost"});
  if (hint.empty())
    return unexpected("'=' after '" + first.text + "'");
  return fail(first.loc,
              Twine("unknown statement '") + first.text + "'" + hint);
}

/// Parses `[optional] operator {| operator}`.
LogicalResult Parser::parseDefinition(Name result, Pattern &pattern) {
  Definition definition;
  definition.result = result;
  // An operator of this name would have a parenthesis next.
  Name word{token.spelling, token.getLoc()};
  if (token.is(Token::Identifier) && token.spelling == "optional") {
    advance();
    definition.isOptional = true;
    if (token.is("("))
      return fail(word.loc, "unknown operator 'optional'; write the operator "
                            "that may be absent after it: optional relu(x)");
  }
  do {
    skipNewlines();
    if (failed(parseOperator(definition.alternatives.emplace_back())))
      return failure();
  } while (consumeIf("|"));
  pattern.statements.push_back(std::move(definition));
  return expectEndOfStatement("the operator");
}

/// Parses `kind(operands, attributes)`.
LogicalResult Parser::parseOperator(Operator &op) {
  StringRef what = "an operator, e.g. conv2d";
  if (isReservedWord(token.spelling))
    return unexpected(what);
  if (failed(parseName(op.kind, what)) ||
      failed(expect("(", "after the operator")))
    return failure();
  return parseList(")", "the arguments of '" + op.kind.text + "'",
                   [&] { return parseOperand(op); });
}

/// Parses a tensor, a number or `name = value`.
LogicalResult Parser::parseOperand(Operator &op) {
  Operand operand;
  operand.name = {token.spelling, token.getLoc()};
  bool isNegative = consumeIf("-");
  if (token.is(Token::Integer) || token.is(Token::Float)) {
    if (failed(parseFloat(operand.number.emplace(), isNegative)))
      return failure();
  } else if (isNegative) {
    return unexpected("a number after '-'");
  } else if (failed(parseName(operand.name,
                              "a tensor, a number or an attribute"))) {
    return failure();
  } else if (consumeIf("=")) {
    op.attributes.push_back({operand.name, {}});
    return parseAttrValue(op.attributes.back().value);
  }
  if (!op.attributes.empty()) {
    return fail(operand.name.loc,
                Twine("tensors come before attributes; move '") +
                    operand.name.text + "' in front" +
                    (operand.number ? "" : ", or give it a value"));
  }
  op.operands.push_back(operand);
  return success();
}

LogicalResult Parser::parseRequire(llvm::SMLoc loc, Pattern &pattern) {
  Require require;
  require.loc = loc;
  const char *start = token.getLoc().getPointer();
  require.condition = parseExpr();
  if (!require.condition)
    return failure();
  // A single line, however it was written.
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
    call.locs.push_back(token.getLoc());
    call.arguments.push_back(parseExpr());
    return success(call.arguments.back());
  };
  return parseList(")", "the arguments of '" + call.callee.text + "'",
                   parseArgument);
}

LogicalResult Parser::parseReturn(llvm::SMLoc loc, Pattern &pattern) {
  Return returned;
  returned.loc = loc;
  do {
    if (!returned.tensors.empty())
      skipNewlines();
    if (failed(parseName(returned.tensors.emplace_back(),
                         "the name of a result in 'return'")))
      return failure();
  } while (consumeIf(","));
  pattern.statements.push_back(std::move(returned));
  return expectEndOfStatement("the results");
}

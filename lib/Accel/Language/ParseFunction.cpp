//===- ParseFunction.cpp - Functions of expressions -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Accel/IR/NumberFunctionOpInterface.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

Value ExprParser::buildArray(const Name &function, Value tensor, Expr &count) {
  std::string written =
      (function.text + "(" + getTensorName(tensor) + ")").str();
  if (!call) {
    error(function.loc) << "an array of numbers is an argument of a call; "
                        << written << " is one number";
    return nullptr;
  }
  Value number = getValue(count);
  if (!number)
    return nullptr;
  if (!number.getType().isIndex()) {
    error(count.loc) << "the number of elements of " << written
                     << " is a whole number, found a "
                     << (number.getType().isF64()        ? "float"
                         : number.getType().isInteger(1) ? "condition"
                                                         : "tensor");
    return nullptr;
  }
  return ArrayOp::create(builder, at(function.loc),
                         AccelTensorType::get(source.getContext()),
                         function.text, tensor, number);
}

LogicalResult ExprParser::parseFunction(Name function, Expr &expr) {
  bool isExtremum = function.text == "min" || function.text == "max";
  auto *info = lookupNumberFunction(source.getContext(), function.text);
  if (!isExtremum && !info) {
    SmallVector<StringRef> known = getNumberFunctions(source.getContext());
    known.append({"max", "min"});
    std::string hint = didYouMean(function.text, known);
    return fail(function.loc,
                Twine("unknown function '") + function.text + "'" +
                    (hint.empty()
                         ? "; expressions have " + llvm::join(known, ", ")
                         : hint));
  }
  advance();
  SmallVector<Expr, 2> arguments;
  auto parseArgument = [&] {
    LogicalResult result = parseExpr(arguments.emplace_back());
    // Look up operands in order.
    if (succeeded(result) && isExtremum && !arguments.back().text)
      (void)getValue(arguments.back());
    return result;
  };
  if (failed(parseList(")", "the arguments of '" + function.text + "'",
                       parseArgument)))
    return failure();
  size_t numSizes = isExtremum ? 0 : info->getNumSizes();
  size_t expected = isExtremum ? 2 : info->getNumTensors() + numSizes;
  bool isPick = call && function.text == "which" && arguments.size() > 1;
  bool isArray = !isExtremum && arguments.size() == 2 &&
                 info->getArrayElementType(source.getContext());
  if (isPick || isArray)
    expected = arguments.size();
  if (arguments.size() != expected) {
    std::string count = expected == 0 ? "no arguments"
                        : isExtremum  ? "2 numbers"
                        : numSizes    ? "a tensor and a size"
                                      : std::to_string(expected) + " tensor";
    return fail(function.loc, "'" + function.text + "' takes " + count +
                                  ", found " + Twine(arguments.size()));
  }
  if (isExtremum) {
    expr.depth = std::max(arguments[0].depth, arguments[1].depth) + 1;
    if (expr.depth > kMaxDepth)
      return fail(function.loc, "the expression is nested too deeply");
    expr.value = buildBinary(function, arguments[0], arguments[1]);
    return success();
  }
  SmallVector<Value, 2> tensors;
  size_t numTensors = info->getNumTensors();
  for (Expr &argument :
       MutableArrayRef<Expr>(arguments).take_front(numTensors)) {
    if (argument.name.text.empty())
      error(argument.loc) << "'" << function.text
                          << "' takes a tensor by its name";
    else
      tensors.push_back(lookupTensor(argument.name));
  }
  for (Expr &argument :
       MutableArrayRef<Expr>(arguments).slice(numTensors, numSizes)) {
    if (argument.name.text.empty())
      error(argument.loc) << "'" << function.text
                          << "' takes a size by its name";
    else
      tensors.push_back(lookup(argument.name, "a size", /*isTensor=*/false,
                               /*isDim=*/true));
  }
  if (tensors.size() < numTensors + numSizes ||
      llvm::is_contained(tensors, Value()))
    return success();
  if (isArray) {
    expr.value = buildArray(function, tensors.front(), arguments.back());
    return success();
  }
  Value value = info->createCall(builder, at(function.loc), tensors);
  if (isPick)
    expr.element = addPick(function.loc, value,
                           MutableArrayRef<Expr>(arguments).drop_front());
  else
    expr.value = value;
  return success();
}

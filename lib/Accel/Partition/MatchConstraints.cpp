//===- MatchConstraints.cpp - What operators and tensors must be ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "MatchAttempt.h"

#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static std::string getTypeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

LogicalResult MatchAttempt::checkElementTypes() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input.getResult());
    std::optional<Type> wanted = input.getElementType();
    if (!value || !wanted)
      continue;
    Type actual = getElementTypeOrSelf(value.getType());
    if (actual != *wanted &&
        failed(fail(firstUser.lookup(input.getResult()),
                    input.getName() + " is " + getTypeText(actual) +
                        ", the pattern wants " + getTypeText(*wanted))))
      return failure();
  }
  return success();
}

LogicalResult MatchAttempt::checkAttributes() {
  for (OpOp opOp : operators) {
    Operation *op = bound.lookup(opOp);
    if (!op)
      continue;
    // A fresh operation tells the defaults that ODS gives.
    OperationState state(op->getLoc(), op->getName());
    Operation *fresh = Operation::create(state);
    llvm::scope_exit destroyFresh([&] { fresh->destroy(); });
    DictionaryAttr written = opOp.getMatchedAttributesAttr();
    // Which padding is "same" depends on strides and dilations: padding is
    // compared last, so that the reason speaks of what really differs.
    SmallVector<StringAttr> names(op->getName().getAttributeNames());
    llvm::sort(names, [](StringAttr lhs, StringAttr rhs) {
      return std::pair(lhs == "padding", lhs.getValue()) <
             std::pair(rhs == "padding", rhs.getValue());
    });
    for (StringAttr name : names) {
      Attribute byDefault = fresh->getInherentAttr(name).value_or(Attribute());
      Attribute actual = op->getInherentAttr(name).value_or(Attribute());
      if (!actual)
        actual = byDefault;
      Attribute wanted = written ? written.get(name) : Attribute();
      LogicalResult result = wanted
                                 ? checkWritten(op, name, actual, wanted)
                                 : checkUnwritten(op, name, actual, byDefault);
      if (failed(result))
        return failure();
    }
  }
  return success();
}

LogicalResult MatchAttempt::checkUnwritten(Operation *op, StringRef name,
                                           Attribute actual,
                                           Attribute byDefault) {
  if (actual == byDefault)
    return success();
  if (byDefault)
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants its default " +
                        getAttributeText(byDefault));
  return fail(op, name + " is " + getAttributeText(actual) +
                      ", which the pattern does not mention; " + name +
                      "=any would take it");
}

LogicalResult MatchAttempt::checkWritten(Operation *op, StringRef name,
                                         Attribute actual, Attribute wanted) {
  if (auto keyword = dyn_cast<StringAttr>(wanted)) {
    if (keyword.getValue() == kAnyValue)
      return success();
    auto window = dyn_cast<graph::WindowOpInterface>(op);
    if (window && name == "padding" && keyword.getValue() == kSameValue) {
      if (window.isSamePadding())
        return success();
      return fail(op, "padding is " + getAttributeText(actual) +
                          ", the pattern wants same, which is " +
                          getListText(window.getWindow().getSamePadding()) +
                          " here");
    }
  }

  auto mismatch = [&] {
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants " + getAttributeText(wanted));
  };
  std::string place = (name + " of " + getOperatorKind(op)).str();
  auto matchElement = [&](Attribute element, Attribute value) {
    auto dim = dyn_cast<FlatSymbolRefAttr>(value);
    if (!dim)
      return haveEqualValue(element, value) ? success() : mismatch();
    auto integer = dyn_cast_or_null<IntegerAttr>(element);
    DimOp dimOp = pattern.getDim(dim.getValue());
    if (!integer || !dimOp)
      return mismatch();
    return bindDim(dimOp, integer.getInt(), op, place);
  };

  auto list = dyn_cast<ArrayAttr>(wanted);
  if (!list)
    return matchElement(actual, wanted);
  if (llvm::none_of(list, llvm::IsaPred<FlatSymbolRefAttr>))
    return haveEqualValue(actual, wanted) ? success() : mismatch();
  std::optional<SmallVector<int64_t>> integers = getIntegers(actual);
  if (!integers || integers->size() != list.size())
    return mismatch();
  Builder builder(op->getContext());
  for (auto [integer, value] : llvm::zip_equal(*integers, list))
    if (failed(matchElement(builder.getI64IntegerAttr(integer), value)))
      return failure();
  return success();
}

LogicalResult MatchAttempt::bindDim(DimOp dim, int64_t size, Operation *where,
                                    StringRef place) {
  Builder builder(dim.getContext());
  auto [it, inserted] =
      match.numbers.try_emplace(dim.getResult(), builder.getIndexAttr(size));
  if (inserted) {
    places[dim.getResult()] = place.str();
    return success();
  }
  int64_t known = cast<IntegerAttr>(it->second).getInt();
  if (known == size)
    return success();
  StringRef knownPlace = places[dim.getResult()];
  if (knownPlace == place)
    return fail(where, dim.getName() + " is both " + Twine(known) + " and " +
                           Twine(size) + " in " + place);
  return fail(where, dim.getName() + " is " + Twine(known) + " in " +
                         knownPlace + " but " + Twine(size) + " in " + place);
}

LogicalResult MatchAttempt::checkInputs() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input.getResult());
    // What uses it is missing, which has been said.
    if (!value)
      continue;
    if (failed(checkInput(input, value)))
      return failure();
    if (!llvm::is_contained(match.inputs, value))
      match.inputs.push_back(value);
  }
  return success();
}

LogicalResult MatchAttempt::checkInput(InputOp input, Value value) {
  Operation *user = firstUser.lookup(input.getResult());
  StringRef name = input.getName();
  if (Operation *producer = value.getDefiningOp();
      producer && llvm::is_contained(match.ops, producer))
    return fail(user, name + " is the result of " + describeLayer(producer) +
                          ", which the pattern computes inside");
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return fail(user, name + " is not a ranked tensor");
  if (input.getAnyShape())
    return success();
  ArrayRef<int64_t> sizes = input.getStaticDims();
  if (type.getRank() != static_cast<int64_t>(sizes.size()))
    return fail(user, name + " has the shape " + getListText(type.getShape()) +
                          ", the pattern wants " + Twine(sizes.size()) +
                          (sizes.size() == 1 ? " dimension" : " dimensions"));
  auto dims = input.getDims().begin();
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    LogicalResult result = success();
    if (ShapedType::isDynamic(sizes[index]))
      result = bindDim((*dims++).getDefiningOp<DimOp>(), size, user, name);
    else if (size != sizes[index])
      result = fail(user, name + " has size " + Twine(size) + " in dimension " +
                              Twine(index) + ", the pattern wants " +
                              Twine(sizes[index]));
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult MatchAttempt::checkNumbers() {
  Evaluator evaluator(match.numbers);
  evaluator.evaluate(pattern);
  auto canCompute = [&](Value value) {
    return llvm::all_of(getDimsOf(value), [&](DimOp dim) {
      return match.numbers.contains(dim.getResult());
    });
  };
  for (RequireOp require : pattern.getBody().getOps<RequireOp>()) {
    // A dim without a value is in what is missing, which has been said.
    if (!match.numbers.lookup(require.getCondition()) &&
        !canCompute(require.getCondition()))
      continue;
    if (failed(checkRequire(require, evaluator)))
      return failure();
  }
  auto checkArguments = [&](StringRef callee,
                            ValueRange arguments) -> LogicalResult {
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      if (isa<AccelTensorType>(argument.getType()) ||
          match.numbers.contains(argument) || !canCompute(argument))
        continue;
      if (failed(fail(root, "argument " + Twine(index + 1) + " of " + callee +
                                " " + evaluator.getProblem(argument) +
                                describeNumbers(argument))))
        return failure();
    }
    return success();
  };
  for (ConfigureOp call : pattern.getBody().getOps<ConfigureOp>())
    if (failed(checkArguments(call.getCallee(), call.getArguments())))
      return failure();
  for (CallOp call : pattern.getBody().getOps<CallOp>())
    if (failed(checkArguments(call.getCallee(), call.getArguments())))
      return failure();
  for (CostOp cost : pattern.getBody().getOps<CostOp>())
    for (Value value : cost->getOperands()) {
      auto number = dyn_cast_or_null<IntegerAttr>(match.numbers.lookup(value));
      if (!canCompute(value) || (number && !number.getValue().isNegative()))
        continue;
      std::string what = value == cost.getCycles() ? "cycles" : "bytes";
      std::string problem = number ? "is " + std::to_string(number.getInt())
                                   : evaluator.getProblem(value).str();
      if (failed(fail(root, what + " of the cost " + problem +
                                describeNumbers(value))))
        return failure();
    }
  return checkPlaces();
}

LogicalResult MatchAttempt::checkRequire(RequireOp require,
                                         const Evaluator &evaluator) {
  auto holds =
      dyn_cast_or_null<BoolAttr>(match.numbers.lookup(require.getCondition()));
  if (holds && holds.getValue())
    return success();
  std::string details = require.getSource().value_or("").str();
  if (!holds)
    details += (details.empty() ? "the condition " : " ") +
               evaluator.getProblem(require.getCondition()).str();
  details += describeNumbers(require.getCondition());
  StringRef text = StringRef(details).trim();
  if (text.empty())
    return fail(root, require.getReason());
  return fail(root, require.getReason() + " (" + text + ")");
}

std::string MatchAttempt::describeNumbers(Value value) const {
  std::string text;
  for (DimOp dim : getDimsOf(value)) {
    auto number =
        dyn_cast_or_null<IntegerAttr>(match.numbers.lookup(dim.getResult()));
    if (!number)
      continue;
    text += text.empty() ? " with " : ", ";
    text += (dim.getName() + " = " + Twine(number.getInt())).str();
  }
  return text;
}

//===- MatchNumbers.cpp - Dims, conditions and arguments of a match -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "MatchAttempt.h"

#include "uma/Accel/IR/TensorSize.h"
#include "uma/Accel/Partition/Report.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

LogicalResult MatchAttempt::bindDim(DimOp dim, TypedAttr number,
                                    Operation *where, StringRef place) {
  auto [it, inserted] = match.numbers.try_emplace(dim.getResult(), number);
  if (inserted) {
    places[dim.getResult()] = place.str();
    return success();
  }
  if (it->second == number)
    return success();
  std::string known = getNumberText(it->second);
  std::string other = getNumberText(number);
  StringRef knownPlace = places[dim.getResult()];
  if (knownPlace == place)
    return fail(where, dim.getName() + " is both " + known + " and " + other +
                           " in " + place);
  return fail(where, dim.getName() + " is " + known + " in " + knownPlace +
                         " but " + other + " in " + place);
}

/// Sets dims to 0 that only absent inputs and operators would bind.
void MatchAttempt::zeroAbsentDims() {
  llvm::DenseSet<Value> binding;
  for (auto type : pattern.getBody().getOps<TensorTypeOpInterface>())
    if (needed.contains(type.getTensor()))
      binding.insert_range(type.getDims());
  for (OpOp opOp : pattern.getBody().getOps<OpOp>())
    if (DictionaryAttr attributes = opOp.getMatchedAttributesAttr();
        attributes && needed.contains(opOp.getResult()))
      attributes.walk([&](FlatSymbolRefAttr name) {
        if (DimOp dim = pattern.getDim(name.getValue()))
          binding.insert(dim.getResult());
      });
  Builder builder(pattern.getContext());
  for (DimOp dim : pattern.getBody().getOps<DimOp>())
    if (!binding.contains(dim.getResult()))
      match.numbers.try_emplace(dim.getResult(),
                                builder.getZeroAttr(dim.getType()));
}

namespace {
/// The match as functions of expressions read it.
class MatchReader : public MatchView {
public:
  MatchReader(const Match &match, const llvm::DenseSet<Value> &needed)
      : match(match), needed(needed) {}

  bool isPresent(Value tensor) const override {
    return needed.contains(tensor);
  }
  RankedTensorType getType(Value tensor) const override {
    return match.getDeviceType(tensor);
  }
  unsigned getAlternative(Operation *choice) const override {
    return match.choices.lookup(choice);
  }
  int64_t getMACs() const override {
    int64_t macs = 0;
    for (Operation *op : match.ops)
      macs += uma::accel::getMACs(op);
    return macs;
  }

private:
  const Match &match;
  const llvm::DenseSet<Value> &needed;
};
} // namespace

/// Computes the functions of the match, except those of missing tensors.
void MatchAttempt::measure() {
  MatchReader reader(match, needed);
  for (auto function : pattern.getBody().getOps<NumberFunctionOpInterface>()) {
    bool isMissing = llvm::any_of(function->getOperands(), [&](Value tensor) {
      return needed.contains(tensor) && !match.tensors.contains(tensor);
    });
    if (!isMissing)
      match.numbers[function->getResult(0)] = function.evaluateNumber(reader);
  }
}

/// Returns the leaves of the computation of `value`: dims, measures and target
/// attributes, in the order of the pattern.
static SmallVector<Operation *> getSources(Value value) {
  SmallVector<Operation *> sources;
  for (Operation *op : getComputation(value))
    if (!getSourceName(op).empty())
      sources.push_back(op);
  return sources;
}

LogicalResult MatchAttempt::checkNumbers() {
  zeroAbsentDims();
  measure();
  Evaluator evaluator(match.numbers);
  evaluator.evaluate(pattern);
  auto canCompute = [&](Value value) {
    return llvm::all_of(getSources(value), [&](Operation *source) {
      return match.numbers.contains(source->getResult(0));
    });
  };
  for (RequireOp require : pattern.getBody().getOps<RequireOp>()) {
    // A dim without a value belongs to something missing, already reported.
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
  for (ScratchOp scratch : pattern.getBody().getOps<ScratchOp>()) {
    if (!canCompute(scratch.getSize()) || match.getDeviceType(scratch))
      continue;
    auto size =
        dyn_cast_or_null<IntegerAttr>(match.numbers.lookup(scratch.getSize()));
    std::string problem = size ? "is " + std::to_string(size.getInt())
                               : evaluator.getProblem(scratch.getSize()).str();
    if (failed(fail(root, "the number of elements of scratch '" +
                              scratch.getName() + "' " + problem +
                              describeNumbers(scratch.getSize()))))
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
  std::string hint = why && failures == 0 ? getSplitHint(require.getCondition())
                                          : std::string();
  if (text.empty())
    return fail(root, require.getReason() + hint);
  return fail(root, require.getReason() + " (" + text + ")" + hint);
}

std::string MatchAttempt::describeNumbers(Value value) const {
  std::string text;
  llvm::StringSet<> told;
  for (Operation *source : getSources(value)) {
    TypedAttr number = match.numbers.lookup(source->getResult(0));
    if (!number)
      continue;
    std::string name = getSourceName(source);
    if (!told.insert(name).second)
      continue;
    text +=
        (text.empty() ? " with " : ", ") + name + " = " + getNumberText(number);
  }
  return text;
}

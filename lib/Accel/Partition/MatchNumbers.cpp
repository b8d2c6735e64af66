//===- MatchNumbers.cpp - Dims, conditions and arguments of a match -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CompositeBuilder.h"
#include "Constants.h"
#include "MatchAttempt.h"

#include "uma/Accel/IR/TensorSize.h"
#include "uma/Accel/Mapping/MappingSearch.h"
#include "uma/Accel/Partition/Memories.h"
#include "uma/Accel/Partition/Report.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

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

/// Sets dims to 0 if only absent inputs and operators would bind them.
void MatchAttempt::zeroAbsentDims() {
  llvm::DenseSet<Value> binding;
  for (auto type : pattern.getBody().getOps<TensorTypeOpInterface>())
    if (needed.contains(type.getTensor()))
      binding.insert_range(type.getDims());
  for (OperatorOp opOp : pattern.getBody().getOps<OperatorOp>())
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
/// View of the match for functions of expressions.
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
  Type getElementType(Value tensor) const override {
    RankedTensorType type = match.getGraphType(tensor);
    return type ? type.getElementType() : Type();
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

/// Computes the functions in expressions, except for functions of missing
/// tensors.
LogicalResult MatchAttempt::measure() {
  MatchReader reader(match, needed);
  for (auto function : pattern.getBody().getOps<NumberFunctionOpInterface>()) {
    bool isMissing = llvm::any_of(function->getOperands(), [&](Value tensor) {
      return needed.contains(tensor) && !match.tensors.contains(tensor);
    });
    if (isMissing)
      continue;
    if (TypedAttr number = function.evaluateNumber(reader))
      match.numbers[function->getResult(0)] = number;
    else if (failed(QuantizationCheck(*this).failWithoutNumber(function)))
      return failure();
  }
  return success();
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
  if (failed(measure()))
    return failure();
  Evaluator evaluator(match.numbers);
  evaluator.evaluate(pattern);
  auto canCompute = [&](Value value) {
    return llvm::all_of(getSources(value), [&](Operation *source) {
      return match.numbers.contains(source->getResult(0));
    });
  };
  for (RequireOp require : pattern.getBody().getOps<RequireOp>()) {
    // Skip conditions on dims without a value: the missing operator or input
    // was reported.
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
  if (failed(QuantizationCheck(*this).checkArrays()))
    return failure();
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

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

LogicalResult MatchAttempt::checkPlaces() {
  auto places = pattern.getBody().getOps<PlaceOp>();
  // A match that failed before may lack tensors. The body of a composite fitted
  // before it was built.
  if (pattern.isTiled() && (isInside || failures > 0))
    return success();
  if (pattern.isTiled()) {
    std::string problem;
    return succeeded(checkSmallestTiles(match, problem)) ? success()
                                                         : fail(root, problem);
  }
  if (places.empty())
    return success();
  auto accelerator = pattern->getParentOfType<AcceleratorOp>();
  for (auto memory : accelerator.getOps<MemoryOp>()) {
    // Count a tensor once if it matches two inputs.
    llvm::SetVector<std::pair<Value, RankedTensorType>> tensors;
    std::string names;
    for (PlaceOp place : places) {
      if (place.getMemory() != memory.getName())
        continue;
      for (Value tensor : place.getTensors()) {
        RankedTensorType type = match.getDeviceType(tensor);
        Value value = match.tensors.lookup(tensor);
        if (!type || !tensors.insert({value ? value : tensor, type}))
          continue;
        std::string name = getTensorName(tensor);
        names += ((names.empty() ? "" : ", ") + name + " " +
                  Twine(getNumBytes(type)))
                     .str();
      }
    }
    MemorySize size = getMemorySize(memory);
    if (tensors.empty() || (!size.bytes && size.problem.empty()))
      continue;
    if (!size.problem.empty()) {
      if (failed(fail(root, "the size of memory '" + memory.getName() + "' " +
                                size.problem)))
        return failure();
      continue;
    }
    int64_t needed = 0;
    for (auto [tensor, type] : tensors) {
      int64_t alignment = memory.getAlignment().value_or(1);
      int64_t bytes = getNumBytes(type);
      bool overflows =
          bytes > std::numeric_limits<int64_t>::max() - alignment ||
          llvm::AddOverflow<int64_t>(llvm::alignTo(needed, alignment), bytes,
                                     needed);
      if (overflows) {
        needed = std::numeric_limits<int64_t>::max();
        break;
      }
    }
    if (needed <= *size.bytes)
      continue;
    if (failed(fail(root, "needs " + Twine(needed) + " bytes of memory '" +
                              memory.getName() + "' (" + names +
                              "), which has " + Twine(*size.bytes))))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Split matches
//===----------------------------------------------------------------------===//
//
// Each piece is matched like its composite will be during lowering, so that
// conditions and costs apply to the device's tensors.
//
//===----------------------------------------------------------------------===//

/// Maximum number of pieces of one match.
static constexpr int64_t kMaxPieces = 1024;

/// Finds the dims that exceed their split limit.
void MatchAttempt::findSplits() {
  if (isInside || failures > 0)
    return;
  for (SplitOp split : pattern.getBody().getOps<SplitOp>()) {
    auto size =
        dyn_cast_or_null<IntegerAttr>(match.numbers.lookup(split.getDim()));
    auto limit = static_cast<int64_t>(split.getLimit());
    if (size && size.getInt() > limit)
      match.splits.push_back({split.getDim().getDefiningOp<DimOp>(),
                              size.getInt(), limit,
                              llvm::DenseMap<Value, int64_t>()});
  }
}

LogicalResult MatchAttempt::findSliceAxes(Match::Split &split,
                                          Mismatch &problem) {
  std::string start =
      ("cannot be split along '" + split.dim.getName() + "'").str();
  auto fail = [&](Operation *where, const Twine &reason) {
    problem.where = where;
    problem.reason = reason.str();
    return failure();
  };
  for (InputOp input : pattern.getBody().getOps<InputOp>())
    for (auto [index, size] : llvm::enumerate(input.getSizes()))
      if (size.dim == split.dim.getResult() &&
          !split.axes.try_emplace(input, index).second)
        return fail(root, start + ": '" + input.getName() + "' has it twice");
  for (Operation *op : match.ops) {
    SmallVector<std::optional<int64_t>> operandAxes;
    bool isSliced = false;
    for (OpOperand &operand : op->getOpOperands()) {
      Value tensor = match.getChosenTensor(match.operands.lookup(&operand));
      auto axis = split.axes.find(
          tensor.getDefiningOp<InputOp>() ? tensor : operand.get());
      bool isFound = axis != split.axes.end();
      operandAxes.push_back(isFound ? std::optional(axis->second)
                                    : std::nullopt);
      isSliced |= isFound;
    }
    if (!isSliced)
      continue;
    std::optional<int64_t> axis = graph::getSlicedAxis(op, operandAxes);
    if (!axis)
      return fail(op, start + ": " + describeLayer(op) +
                          " needs all of it at once, or operands that the "
                          "pattern does not give this size");
    split.axes[op->getResult(0)] = *axis;
  }
  for (Value result : match.results)
    if (!split.axes.contains(result))
      return fail(result.getDefiningOp(),
                  start + ", which its result does not have");
  return success();
}

std::string MatchAttempt::getSplitHint(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || isInside || !match.splits.empty())
    return "";
  using Predicate = arith::CmpIPredicate;
  Value size = compare.getLhs(), limit = compare.getRhs();
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::sge || predicate == Predicate::sgt)
    std::swap(size, limit);
  else if (predicate != Predicate::sle && predicate != Predicate::slt)
    return "";
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
  auto dim = size.getDefiningOp<DimOp>();
  auto is = dyn_cast_or_null<IntegerAttr>(match.numbers.lookup(size));
  auto most = dyn_cast_or_null<IntegerAttr>(match.numbers.lookup(limit));
  if (!dim || !is || !most || most.getInt() - isStrict < 1)
    return "";
  Match::Split split{dim, is.getInt(), most.getInt() - isStrict,
                     llvm::DenseMap<Value, int64_t>()};
  Mismatch problem;
  if (failed(findSliceAxes(split, problem)) ||
      llvm::divideCeil(split.size, split.limit) > kMaxPieces)
    return "";
  return ("; split " + dim.getName() + " by " + Twine(split.limit) +
          " would take it")
      .str();
}

LogicalResult MatchAttempt::checkPieces() {
  int64_t count = 1;
  for (Match::Split &split : match.splits) {
    if (Mismatch problem; failed(findSliceAxes(split, problem)))
      return fail(problem.where, problem.reason);
    int64_t slices = llvm::divideCeil(split.size, split.limit);
    if (slices > kMaxPieces / count)
      return fail(root, "would be more than " + Twine(kMaxPieces) + " calls");
    count *= slices;
  }
  CompositeBuilder builder(match);
  // Match each combination of sizes only once.
  SmallVector<SmallVector<int64_t>> known;
  for (ArrayRef<CompositeBuilder::Slice> piece : builder.getPieces()) {
    SmallVector<int64_t> sizes = llvm::map_to_vector(
        piece, [](const CompositeBuilder::Slice &slice) { return slice.size; });
    auto *same = llvm::find(known, sizes);
    if (same != known.end()) {
      ++match.pieces[same - known.begin()].second;
      continue;
    }
    graph::CompositeOp trial = builder.buildTrial(piece);
    llvm::scope_exit destroy([&] { trial->destroy(); });
    std::string reason;
    FailureOr<Match> matched = matchTrial(pattern, trial, reason);
    if (failed(matched)) {
      std::string text;
      for (auto [split, size] : llvm::zip_equal(match.splits, sizes))
        text += (text.empty() ? "" : ", ") + split.dim.getName().str() + " = " +
                std::to_string(size);
      return fail(root, reason + " in the piece of " + text);
    }
    known.push_back(sizes);
    match.pieces.emplace_back(std::move(matched->numbers), 1);
  }
  match.numbers = match.pieces.front().first;
  return success();
}

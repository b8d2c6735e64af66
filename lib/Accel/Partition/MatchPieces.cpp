//===- MatchPieces.cpp - Matches of several pieces ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A piece is matched as its composite will be when it is lowered: conditions
// and costs hold for what the device gets.
//
//===----------------------------------------------------------------------===//

#include "CompositeBuilder.h"
#include "MatchAttempt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Bound on the calls that one match becomes.
static constexpr int64_t kMaxPieces = 1024;

/// Finds the dims that are more than the device takes at once.
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
  // Pieces of equal sizes are equal.
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

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

#include "Borders.h"
#include "MatchAttempt.h"

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
      match.splits.push_back(
          {split.getDim().getDefiningOp<DimOp>(), size.getInt(), limit});
  }
}

LogicalResult MatchAttempt::checkPieces() {
  int64_t count = 1;
  for (const Match::Split &split : match.splits) {
    SliceAxes axes;
    Operation *where = nullptr;
    std::string reason;
    if (failed(findSliceAxes(match, split.dim, axes, where, reason)))
      return fail(where, reason);
    int64_t slices = llvm::divideCeil(split.size, split.limit);
    if (slices > kMaxPieces / count)
      return fail(root, "would be more than " + Twine(kMaxPieces) + " calls");
    count *= slices;
  }
  BorderBuilder borders(match);
  llvm::DenseMap<Value, TypedAttr> numbers;
  // Pieces of equal sizes are equal.
  SmallVector<SmallVector<int64_t>> known;
  for (ArrayRef<BorderBuilder::Slice> piece : borders.getPieces()) {
    SmallVector<int64_t> sizes = llvm::map_to_vector(
        piece, [](const BorderBuilder::Slice &slice) { return slice.size; });
    auto *same = llvm::find(known, sizes);
    if (same != known.end()) {
      ++match.pieces[same - known.begin()].second;
      continue;
    }
    graph::CompositeOp trial = borders.buildTrial(piece);
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

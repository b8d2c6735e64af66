//===- PanelSchedule.cpp - When and how to use panels ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A panel costs the copy of the data; a slice of the sums, loading and storing
// them. Both are least where slices are long and many channels go through a
// panel, but their weights should stay in the second cache. Without a panel the
// data stays there, and the weights of a tile's channels in the nearest one.
//
//===----------------------------------------------------------------------===//

#include "PanelKernel.h"

#include <limits>

using namespace mlir;
using namespace uma;

namespace {
/// What slices and packs are chosen by.
struct PanelCosts {
  /// Elements that the panel may have, on the stack, and the weights of a
  /// slice of the packs.
  int64_t mostElements, mostWeights;
  /// Cycles of a copied element, of the beginning and end of a tile, and of a
  /// multiply-add whose weights are more.
  double copy, tile, far;
};
} // namespace

static PanelCosts getCosts(const PanelSchedule &schedule) {
  // Three eighths of a second cache of 1 MB; where one of 512 kB is usual, a
  // half. The nearest one has a panel that is not broadcast, beside weights.
  if (schedule.isBroadcast)
    return {14 << 10, 80 << 10, 1.2, 40, 0.02};
  if (schedule.copies)
    return {4 << 10, 72 << 10, 0.3, 200, 0.02};
  // Five eighths of the nearest cache.
  return {std::numeric_limits<int64_t>::max(), 5 << 10, 0, 40, 0.001};
}

/// Chooses slices and packs, whose weights the second cache should hold: false
/// where there are none.
static bool choosePanelSlices(const Contraction &c, PanelSchedule &schedule) {
  PanelCosts costs = getCosts(schedule);
  const RegisterTile &tile = schedule.tile;
  double best = std::numeric_limits<double>::infinity();
  int64_t depth = getProduct(c.reduce), rest = depth;
  int64_t copies = schedule.isBroadcast ? tile.lanes : 1;
  for (auto [loop, extent] : llvm::enumerate(c.reduce)) {
    rest /= extent;
    for (int64_t parts = 1; parts <= extent; ++parts) {
      int64_t steps = rest * (extent / parts);
      if (extent % parts != 0 ||
          steps * tile.rows * copies > costs.mostElements ||
          (steps != depth && !c.keepsSums()))
        continue;
      // See buildInOrder. Sums of a matrix are far from row to row.
      if (!schedule.copies && depth / steps > (c.channelBlock == 0 ? 1 : 2))
        continue;
      // What is not copied for a group of packs is read by all of them.
      int64_t first = schedule.copies ? 1 : c.getNumPacks();
      for (int64_t packs = first; packs <= c.getNumPacks(); ++packs) {
        int64_t channels = schedule.copies
                               ? std::min(packs * c.packWidth, c.channels)
                               : tile.getChannels();
        bool isFar = channels * steps > costs.mostWeights;
        if (c.getNumPacks() % packs != 0 || (packs != first && isFar))
          continue;
        double cost =
            costs.copy / double(channels) +
            costs.tile / double(tile.rows * tile.getChannels() * steps) +
            (isFar ? costs.far : 0.0);
        if (cost >= best)
          continue;
        best = cost;
        schedule.packs = packs;
        schedule.splitLoop = loop;
        schedule.parts = parts;
      }
    }
  }
  return best < std::numeric_limits<double>::infinity();
}

bool uma::isContiguous(ArrayRef<AffineExpr> indices, unsigned dim) {
  MLIRContext *context = indices.back().getContext();
  AffineExpr expr = getAffineDimExpr(dim, context), last = indices.back();
  AffineExpr difference = last.replace(expr, expr + 1) - last;
  return simplifyAffineExpr(difference, dim + 1, 0) ==
             getAffineConstantExpr(1, context) &&
         llvm::none_of(indices.drop_back(), [&](AffineExpr index) {
           return index.isFunctionOfDim(dim);
         });
}

/// Whether tiles may read the data where it is: rows of a matrix, and pixels of
/// blocks of channels.
static bool isInOrder(const Contraction &c) {
  // A loop over steps that follow each other and one around it, see
  // getElements.
  auto loops =
      llvm::count_if(c.reduce, [](int64_t steps) { return steps != 1; });
  if (c.reduce.back() == 1 || loops > 2 ||
      (loops == 2 && isSplitIntoLines(c.reduce.back())))
    return false;
  IndexExprs dims;
  unsigned row = c.outer.size(), step = row + c.reduce.size();
  for (unsigned i = 0; i <= step; ++i)
    dims.push_back(getAffineDimExpr(i, c.data.getContext()));
  return isContiguous(c.getDataIndices(ArrayRef(dims).take_front(row),
                                       dims[row],
                                       ArrayRef(dims).drop_front(row + 1)),
                      step);
}

bool Contraction::hasFewRows() const {
  // Weights that fewer rows use come from memory at every use, and so does the
  // data that a stride leaves gaps in.
  constexpr int64_t fewRows = 400, leastChannels = 64, leastDepth = 64;
  ContractionShape shape = getContractionShape(getWorkload());
  bool hasGaps = shape.taps == 1 && llvm::any_of(strides, [](int64_t stride) {
                   return stride != 1;
                 });
  return channels >= leastChannels && shape.depth >= leastDepth &&
         (hasGaps || shape.outer * shape.rows < fewRows);
}

/// Whether panels are worth the copy.
static bool isWorthCopy(const Contraction &c, const SIMDTarget &target) {
  constexpr int64_t leastChannels = 32;
  // Products with padding are computed for a panel.
  constexpr double mostPadding = 0.15;
  if (c.taps && c.getPaddingShare(*c.taps) > mostPadding)
    return false;
  if (target.isUnfused)
    return c.channels >= leastChannels;
  // Cores with wider vectors have a larger second cache, and larger tiles.
  // Where outer loops have weights of their own, nothing asks for the next ones
  // of a panel.
  return target.lanes == 8 && !c.getWeightPrefix && c.hasFewRows();
}

std::optional<PanelSchedule>
uma::choosePanelSchedule(const Contraction &c, const SIMDTarget &target) {
  // What the registers hold. Loops of fewer sums wait for them.
  PanelSchedule schedule{{6, 2, target.lanes}, target.isUnfused};
  Type type = LayerBuilder::getComputeType(getElement(c.data));
  int64_t channels = schedule.tile.getChannels();
  // Loops that are the caller's do not go around all channels.
  bool hasLoops = !c.pack && c.turn.empty() && !c.range;
  if (!isWorthCopy(c, target) || !hasLoops || !type.isF32() ||
      c.getWeightIndices || c.getPanelWidth() % channels != 0 ||
      c.channelBlock % channels != 0)
    return std::nullopt;
  // A tile that was measured, other than the one that was measured first.
  Contraction untuned = c;
  untuned.tuned.reset();
  if (c.tuned && c.tuned->lanes == target.lanes &&
      !(c.tuned->tile == untuned.chooseTile(target)))
    return std::nullopt;
  int64_t rows = c.rows;
  // The first outer dimension may have weights of its own.
  size_t first = c.getWeightPrefix ? 1 : 0;
  if (c.outer.size() > first && c.outer.back() != 1 &&
      rows % schedule.tile.rows != 0) {
    schedule.joinsRows = true;
    rows *= c.outer.back();
  }
  schedule.copies = schedule.isBroadcast || !isInOrder(c) ||
                    (schedule.joinsRows && !c.joinedData);
  if (rows < schedule.tile.rows || !choosePanelSlices(c, schedule))
    return std::nullopt;
  return schedule;
}

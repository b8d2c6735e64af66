//===- PanelSchedule.cpp - When and how to use panels ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A panel costs the copy of the data; a slice of the sums, loading and storing
// them. Both are least where slices are long and many channels go through a
// panel, but their weights should stay in the second cache.
//
//===----------------------------------------------------------------------===//

#include "PanelKernel.h"

#include <limits>

using namespace mlir;
using namespace uma;

/// Chooses slices and packs, whose weights the second cache should hold: false
/// where there are none.
static bool choosePanelSlices(const Contraction &c, PanelSchedule &schedule) {
  // What the panel may hold, on the stack, and the weights of a slice: a third
  // of the second cache.
  constexpr int64_t mostElements = 14 * 1024, mostWeights = 80 * 1024;
  // Cycles of a copied element and of the beginning and end of a tile; a
  // multiply-add takes half of one.
  constexpr double copyCost = 1.2, tileCost = 40;
  const RegisterTile &tile = schedule.tile;
  double best = std::numeric_limits<double>::infinity();
  int64_t depth = getProduct(c.reduce), rest = depth;
  for (auto [loop, extent] : llvm::enumerate(c.reduce)) {
    rest /= extent;
    for (int64_t parts = 1; parts <= extent; ++parts) {
      int64_t steps = rest * (extent / parts);
      if (extent % parts != 0 ||
          steps * tile.rows * tile.lanes > mostElements ||
          (steps != depth && !c.keepsSums()))
        continue;
      for (int64_t packs = 1; packs <= c.getNumPacks(); ++packs) {
        int64_t channels = std::min(packs * c.packWidth, c.channels);
        if (c.getNumPacks() % packs != 0 ||
            (packs != 1 && channels * steps > mostWeights))
          continue;
        double cost = copyCost / double(channels) +
                      tileCost / double(tile.rows * tile.getChannels() * steps);
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

std::optional<PanelSchedule> uma::choosePanelSchedule(const Contraction &c) {
  // What makes a panel worth the copy.
  constexpr int64_t leastChannels = 32;
  // What the registers hold. Loops of fewer sums wait for them.
  PanelSchedule schedule{{6, 2, 4}};
  Type type = LayerBuilder::getComputeType(getElement(c.data));
  int64_t channels = schedule.tile.getChannels();
  // Loops that are the caller's do not go around all channels.
  bool hasLoops = !c.pack && c.turn.empty() && !c.range;
  if (!hasLoops || !type.isF32() || c.getWeightIndices ||
      c.channels < leastChannels || c.getPanelWidth() % channels != 0 ||
      c.channelBlock % channels != 0)
    return std::nullopt;
  // A tile that was measured, other than the one that was measured first.
  SIMDTarget target = getUnfusedTarget();
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
  if (rows < schedule.tile.rows || !choosePanelSlices(c, schedule))
    return std::nullopt;
  return schedule;
}

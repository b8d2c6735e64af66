//===- WeightPrefetch.cpp - The weights that are needed next --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All rows go through the weights of some channels before the next ones, and
// then through those of the next product, where there are several: the
// processor would wait for memory at the first tile of each. Each tile asks for
// a share of the next ones instead, some in each part of its steps, since the
// processor waits for few lines at a time.
//
//===----------------------------------------------------------------------===//

#include "CPURows.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

bool KernelBuilder::needsWeightPrefetch(int64_t tiles) const {
  // Where rows go through the weights often, that takes longer than reading
  // them; and smaller ones stay in the second cache.
  constexpr int64_t mostTiles = 64, leastWeights = 128 * 1024;
  int64_t weights = getNumWeightSets() * getProduct(c.reduce) * c.channels;
  return (weightsVar || !c.getWeightPrefix) && tiles <= mostTiles &&
         weights >= leastWeights;
}

void KernelBuilder::setWeightPrefetch(Value panel, int64_t numPanels,
                                      Value firstStep, int64_t share,
                                      int64_t parts) {
  int64_t lines = int64_t(llvm::divideCeil(share, parts));
  int64_t panels = getNumPanels(), depth = getProduct(c.reduce);
  // All weights follow each other.
  Value packed = reshapeBuffer(
      b, c.weights, {panels, depth + c.getPanelGap(), c.getPanelWidth()});
  prefetchWeights = [=](Value part) {
    buildLoop(b, lines, tir::ForKind::Serial, [&](Value var) {
      if (parts != 1)
        var = sum(scaled(part, lines), var);
      if (parts * lines > share)
        var = atMost(var, share - 1);
      for (int64_t i = 0; i < numPanels; ++i) {
        Access weights{packed, {b.dim(0) + i, b.dim(1), b.expr(0)}};
        b.block(c.label + "_prefetch", {{panels - numPanels + 1}, {depth}},
                {panel, sum(firstStep, var)}, {weights}, {},
                [&](ValueRange vars) { b.prefetchAt(weights, vars); });
      }
    });
  };
}

void KernelBuilder::planNextWeights() {
  prefetchWeights = nullptr;
  RowTiles rows = RowTiles::of(c.rows, tile.rows);
  int64_t perRow = rows.count + rows.restCount;
  int64_t tiles = getProduct(c.outer) / getNumWeightSets() * perRow;
  int64_t depth = getProduct(c.reduce), inner = c.reduce.back();
  int64_t parts = depth / (isSplitIntoLines(inner) ? lineElements : inner);
  int64_t width = c.getPanelWidth(), numPanels = tile.getChannels() / width;
  int64_t panels = getNumPanels();
  // Loops that are the caller's do not go around all channels.
  bool hasLoops = !c.pack && c.turn.empty() && !c.range;
  bool hasLines = !c.getWeightIndices && width == lineElements &&
                  tile.getChannels() % width == 0;
  // The only tile of all rows would ask for what it cannot use itself, and a
  // core without vectors waits for each line anyway.
  if (!hasLoops || !hasLines || slices != 1 || tile.lanes == 1 || tiles == 1 ||
      panels == numPanels || !needsWeightPrefetch(tiles))
    return;
  Value number = b.index(0);
  size_t first = weightsVar ? 1 : 0;
  for (auto [extent, var] :
       llvm::drop_begin(llvm::zip(c.outer, rowBindings), first))
    number = sum(scaled(number, extent), var);
  number = sum(scaled(number, perRow), tileIndex);
  int64_t share = int64_t(llvm::divideCeil(depth, tiles));
  Value panel = channelBindings[Panel];
  if (weightsVar)
    panel = sum(scaled(weightsVar, panels / getNumWeightSets()), panel);
  panel = atMost(sum(panel, b.index(numPanels)), panels - numPanels);
  setWeightPrefetch(panel, numPanels,
                    atMost(scaled(number, share), depth - share), share, parts);
}

//===- KernelPrefetch.cpp - Prefetching in contractions -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All rows use the weights of some channels before the next ones, and then
// those of the next set, so the processor would wait for memory at the first
// tile of each. Therefore each tile prefetches a share of the next weights,
// distributed over its steps, since the processor can have only few misses in
// flight.
//
// Threads that share channels read data that other threads wrote. The lines are
// in the cache of another core, far away and in as many pages as there are
// blocks of channels, so the processor would wait for each of them.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

void KernelBuilder::setWeightPrefetch(Value panel, int64_t numPanels,
                                      Value firstStep, int64_t share,
                                      int64_t parts) {
  int64_t lines = int64_t(llvm::divideCeil(share, parts));
  int64_t panels = getNumPanels(), depth = getProduct(c.reduce);
  // All sets of weights are contiguous.
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
  bool isFull = tile.rows == RowTiles::of(c.rows, mostRows).size;
  if (prefetch == Prefetch::None || (prefetch == Prefetch::Full && !isFull))
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

bool KernelBuilder::prefetchesData() const {
  int64_t inner = c.reduce.back();
  // The processor itself prefetches a single row.
  return threadsSharePacks && mostRows != 1 && slices == 1 &&
         c.getShape().taps == 1 &&
         (isSplitIntoLines(inner) || inner <= lineElements);
}

void KernelBuilder::buildDataPrefetch(ArrayRef<Value> reduceVars,
                                      int64_t chunk) {
  // A line arrives while the tile uses two others of each row.
  constexpr int64_t distance = 2;
  SmallVector<Value> vars(reduceVars);
  // The next chunks are in this loop or, if it has one chunk, around it.
  SmallVector<int64_t> steps(c.reduce);
  steps.back() /= chunk;
  auto extent = llvm::find_if(llvm::reverse(steps),
                              [](int64_t extent) { return extent != 1; });
  if (extent == steps.rend())
    return;
  auto loop = std::distance(extent, steps.rend()) - 1;
  vars[loop] = atMost(sum(vars[loop], b.index(distance)), *extent - 1);
  vars.back() = scaled(vars.back(), chunk);
  Access data{c.data,
              c.getDataIndices(getOuter(), b.dim(getRowDim()),
                               getDims(getFirstReduceDim(), c.reduce.size()))};
  buildBlocks(c.label + "_prefetch", vars, {data}, {},
              [&](ValueRange vars) { b.prefetchAt(data, vars); });
}

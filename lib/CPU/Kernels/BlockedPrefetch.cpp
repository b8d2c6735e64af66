//===- BlockedPrefetch.cpp - Prefetching in blocked contractions ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Tiles read the weights of a slice and the data only once, so the processor
// would wait for memory at the first tile of each slice and at each new tile.
// Therefore each tile prefetches a share of the weights and data that come
// next.
//
//===----------------------------------------------------------------------===//

#include "BlockedKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

int64_t BlockedKernelBuilder::getNumRowTiles() const {
  return int64_t(llvm::divideCeil(getRowLoops().back(), mostRows));
}

void BlockedKernelBuilder::planWeightPrefetch(int64_t nextPack,
                                              int64_t nextStep) {
  prefetchWeights = nullptr;
  if ((nextPack == 0 && nextStep == 0) || prefetch == Prefetch::None)
    return;
  int64_t width = c.getPanelWidth(), depth = getProduct(c.reduce);
  int64_t panels = c.getNumPacks() * (c.packWidth / width);
  // Each tile prefetches some steps, for all columns or all of its panels.
  int64_t columns = std::max<int64_t>(width / tile.getChannels(), 1);
  int64_t share = int64_t(llvm::divideCeil(steps, getNumRowTiles() * columns));
  Value sliceStart = scaled(slice, steps);
  Value nextStart = sum(sliceStart, b.index(nextStep));
  Value part = arith::DivUIOp::create(b.builder, b.loc, channelBindings[Column],
                                      b.index(tile.getChannels()));
  Value tileStart = scaled(tileIndex, share * columns);
  Value partStart = sum(tileStart, scaled(part, share));
  Value first = atMost(sum(nextStart, partStart), depth - share);
  Value nextPanels = b.index(nextPack * (c.packWidth / width));
  Value panel =
      atMost(sum(channelBindings[Panel], nextPanels), panels - getTilePanels());
  setWeightPrefetch(panel, getTilePanels(), first, share, getNumParts());
}

void BlockedKernelBuilder::planNextPanelPrefetch() {
  prefetchWeights = nullptr;
  int64_t depth = getProduct(c.reduce);
  int64_t panels = c.getNumPacks() * (c.packWidth / c.getPanelWidth());
  if (prefetch == Prefetch::None || panels == 1)
    return;
  int64_t share = int64_t(llvm::divideCeil(steps, getNumRowTiles()));
  int64_t own = getTilePanels();
  Value panel = atMost(sum(channelBindings[Panel], b.index(own)), panels - own);
  Value start = scaled(slice, steps);
  start = sum(start, scaled(tileIndex, share));
  setWeightPrefetch(panel, own, atMost(start, depth - share), share,
                    getNumParts());
}

void BlockedKernelBuilder::buildDataPrefetch() {
  // A window larger than one pixel has read most of its data before.
  if (c.getShape().taps != 1)
    return;
  SmallVector<int64_t> extents = getRowLoops();
  Value rows = b.index(tile.rows);
  Value last = b.index(std::max<int64_t>(extents.back() - tile.rows, 0));
  SmallVector<Value> known(rowBindings);
  Value next =
      arith::AddIOp::create(b.builder, b.loc, rowBindings.back(), rows);
  rowBindings.back() = arith::MinSIOp::create(b.builder, b.loc, next, last);
  Access data = getDataAccess();
  buildDataLoops(c.label + "_prefetch", std::min(lineElements, inner.back()),
                 data, {}, [&](ValueRange vars) { b.prefetchAt(data, vars); });
  rowBindings = known;
}

void BlockedKernelBuilder::buildOperandPrefetch() {
  for (const ResultOperand &operand : c.operands) {
    // Skip operands that do not vary by row; they are in the cache.
    Access access{operand.buffer, getIndices(operand, 0, b.expr(0))};
    if (llvm::none_of(access.first, [&](AffineExpr index) {
          return index.isFunctionOfDim(getRowDim());
        }))
      continue;
    buildBlocks(c.label + "_prefetch", {}, {access}, {},
                [&](ValueRange vars) { b.prefetchAt(access, vars); });
  }
}

//===- KernelProducer.cpp - Contractions that compute their data ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The data of a tile, all steps of its pixels, is computed into a local buffer,
// which stays in the nearest cache while all channels read it. So the loop over
// channels is inside of the one over tiles, and threads share the tiles.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "LayerLowering.h"
#include "Rows.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

void KernelBuilder::buildProducer() {
  const Contraction::Producer &producer = *c.producer;
  int64_t blocks = c.reduce.front(), block = c.reduce.back();
  // Blocks may be narrower than the vectors of the sums; there are no vectors
  // of two.
  int64_t lanes = tile.lanes;
  while (block % lanes != 0 || lanes == 2)
    lanes /= 2;
  tileData = b.local("data", type, {blocks, tile.rows, block});
  // Iteration variables: the outer loops, the row, the pixel of the tile, the
  // block of channels, the first channel of a vector in it.
  auto numOuter = unsigned(c.outer.size());
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t extent : c.outer)
    dims.push_back({extent});
  for (int64_t extent : {c.rows, tile.rows, blocks, block})
    dims.push_back({extent});
  IndexExprs outer = getDims(0, numOuter);
  AffineExpr row = b.dim(numOuter), pixel = b.dim(numOuter + 1);
  AffineExpr index = b.dim(numOuter + 2), first = b.dim(numOuter + 3);
  auto getPoint = [&](AffineExpr lane) {
    return ResultPoint{outer, row, {index, first + lane}};
  };
  SmallVector<Access> reads;
  for (const ResultOperand &operand : producer.operands)
    reads.push_back(getVectorRegion(operand, getPoint(b.expr(0)), lanes));
  Access writes{tileData, {index, pixel, first}, {1, 1, lanes}};
  auto buildVector = [&](ValueRange vars) {
    buildLanes(b, vars, lanes, [&](ValueRange vars) {
      AffineExpr lane = b.dim(unsigned(vars.size()) - 1);
      SmallVector<Value> elements;
      for (const ResultOperand &operand : producer.operands)
        elements.push_back(b.loadAt(
            type, {operand.buffer, operand.getIndices(getPoint(lane))}, vars));
      b.storeAt(producer.finish(b, elements),
                {tileData, {index, pixel, first + lane}}, vars);
    });
  };
  buildLoop(b, blocks, tir::ForKind::Serial, [&](Value index) {
    buildLoop(b, tile.rows, tir::ForKind::Serial, [&](Value pixel) {
      VectorLoop(block, lanes).build(b, [&](Value first) {
        SmallVector<Value> bindings = getRowBindings(pixel);
        bindings.append({pixel, index, first});
        b.block(c.label + "_data", dims, bindings, reads, {writes},
                buildVector);
      });
    });
  });
}

void KernelBuilder::buildWithProducer() {
  SmallVector<int64_t> rows(c.outer);
  rows.push_back(RowTiles::of(c.rows, tile.rows).getCount());
  size_t parallel = 1 + chooseParallel(rows);
  auto getKind = [&](size_t loop) {
    return c.isParallel && loop == parallel ? tir::ForKind::Parallel
                                            : tir::ForKind::Serial;
  };
  buildTiles(getKind, [&] {
    buildProducer();
    buildPacks(c.getNumPacks(), Value(), tir::ForKind::Serial,
               [&] { buildTile(); });
  });
}

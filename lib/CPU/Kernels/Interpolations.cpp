//===- Interpolations.cpp - Vectorised interpolation ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Interpolates row-major tensors. Along any dimension but the last, rows are
// weighted as vectors. Along the last one, each element of the table serves
// several rows.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "Rows.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/TIR/Builder/IndexMath.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

namespace {
/// Interpolation along an axis. The data is [outer, size, inner], the result
/// has another size.
struct Interpolation {
  LayerBuilder &b;
  AxisShape shape;
  int64_t positions, taps;
  Value data, indices, weights, result;

  void buildColumns(const ISA &target);
  void buildRows();

private:
  struct Tap {
    Value index, weight;
  };
  SmallVector<Tap> getTaps(Value position) {
    IndexMath math(b);
    SmallVector<Tap> list;
    for (int64_t tap = 0; tap < taps; ++tap) {
      Value place[] = {position, b.index(tap)};
      Value index = math.cast(b.load(indices, place));
      list.push_back(
          {math.clamp(index, 0, shape.size - 1), b.load(weights, place)});
    }
    return list;
  }
  Value sum(ArrayRef<Tap> list, Value outer, Value column) {
    Value total;
    for (const Tap &tap : list) {
      Value x = b.load(data, {outer, tap.index, column});
      Value product = b.mul(x, tap.weight);
      total = total ? b.add(product, total) : product;
    }
    return total;
  }
};
} // namespace

void Interpolation::buildColumns(const ISA &target) {
  VectorLoop vectors(shape.inner, target);
  b.loops(
      {shape.outer, positions},
      [&](ValueRange loopVars) {
        Access writes = {
            result, {b.dim(0), b.dim(1), b.expr(0)}, {1, 1, shape.inner}};
        b.block("interpolate", {{shape.outer}, {positions}}, loopVars,
                {b.anywhere(data), b.anywhere(indices), b.anywhere(weights)},
                {writes}, [&](ValueRange vars) {
                  SmallVector<Tap> list = getTaps(vars[1]);
                  vectors.build(b, [&](Value first) {
                    buildLanes(b, first, vectors.lanes, [&](ValueRange lanes) {
                      Value column = b.apply(b.dim(0) + b.dim(1), lanes);
                      b.store(sum(list, vars[0], column), result,
                              {vars[0], vars[1], column});
                    });
                  });
                });
      },
      chooseParallel({shape.outer, positions}));
}

void Interpolation::buildRows() {
  // An element of the table costs as much as the products of a row.
  constexpr int64_t mostRows = 4;
  int64_t rows = getLargestDivisor(shape.outer, mostRows);
  Value zero = b.index(0);
  b.loops(
      {shape.outer / rows, positions},
      [&](ValueRange loopVars) {
        Access writes = {
            result, {b.dim(0) * rows, b.dim(1), b.expr(0)}, {rows, 1, 1}};
        b.block("interpolate", {{shape.outer / rows}, {positions}}, loopVars,
                {b.anywhere(data), b.anywhere(indices), b.anywhere(weights)},
                {writes}, [&](ValueRange vars) {
                  SmallVector<Tap> list = getTaps(vars[1]);
                  for (int64_t i = 0; i < rows; ++i) {
                    Value row = b.apply(b.dim(0) * rows + i, vars[0]);
                    b.store(sum(list, row, zero), result, {row, vars[1], zero});
                  }
                });
      },
      chooseParallel({shape.outer / rows, positions}));
}

static bool vectorizeInterpolate(LayerBuilder &b, graph::InterpolateOp op,
                                 ValueRange inputs, ValueRange outputs) {
  // Antialiasing has many taps, for which loops are better.
  constexpr int64_t mostTaps = 8;
  int64_t taps = getShape(inputs[1])[1];
  if (!areFloats({inputs[0], inputs[2]}) || !areFloats(outputs) || taps == 0 ||
      taps > mostTaps)
    return false;
  int64_t axis = static_cast<int64_t>(op.getAxis());
  AxisShape shape(getShape(inputs[0]), axis);
  AxisShape wanted(getShape(outputs[0]), axis);
  Interpolation kernel{
      b,
      shape,
      wanted.size,
      taps,
      reshapeBuffer(b, inputs[0], {shape.outer, shape.size, shape.inner}),
      inputs[1],
      inputs[2],
      reshapeBuffer(b, outputs[0], {shape.outer, wanted.size, shape.inner})};
  if (shape.isRow())
    kernel.buildRows();
  else if (shape.isLong())
    buildVersions(b, [&](const ISA &target) { kernel.buildColumns(target); });
  else
    return false;
  return true;
}

void uma::populateVectorInterpolationStrategies(StrategyRegistry &registry) {
  addStrategy<graph::InterpolateOp>(registry, vectorizeInterpolate);
}

//===- Transposes.cpp - Transposes with merged dimensions -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Merges dimensions that stay adjacent: inner loops get longer and, if the last
// dimension stays last, copy rows. C compilers vectorise the rest; tiles of
// 16x16 were slower on attention heads.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "uma/Graph/IR/GraphOps.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Merges dimensions of the data that stay adjacent, and drops those of size 1.
/// Returns the new shape of the data and the axes of the result.
static std::pair<SmallVector<int64_t>, SmallVector<int64_t>>
mergeDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  // First dimension of the group of each dimension of the data.
  SmallVector<int64_t> groupOf(shape.size(), -1), sizes(shape.size(), 1);
  SmallVector<int64_t> order;
  int64_t last = -1;
  for (int64_t axis : axes) {
    if (shape[axis] == 1)
      continue;
    // Whether only dimensions of size 1 lie between the two.
    bool isNext = last >= 0 && last < axis &&
                  llvm::all_of(
                      shape.slice(last + 1, axis - last - 1),
                      [](int64_t extent) { return extent == 1; });
    if (!isNext)
      order.push_back(axis);
    groupOf[axis] = order.back();
    sizes[order.back()] *= shape[axis];
    last = axis;
  }
  SmallVector<int64_t> sorted(order), merged, mergedAxes;
  llvm::sort(sorted);
  for (int64_t group : sorted)
    merged.push_back(sizes[group]);
  for (int64_t group : order)
    mergedAxes.push_back(llvm::find(sorted, group) - sorted.begin());
  return {merged, mergedAxes};
}

static bool vectorizeTranspose(LayerBuilder &b, graph::TransposeOp op,
                               ValueRange inputs, ValueRange outputs) {
  auto [shape, axes] = mergeDims(getShape(inputs[0]), op.getAxes());
  int64_t rank = shape.size();
  if (rank == 0)
    return false;
  SmallVector<int64_t> resultShape;
  for (int64_t axis : axes)
    resultShape.push_back(shape[axis]);
  Value data = reshapeBuffer(b, inputs[0], shape);
  Value result = reshapeBuffer(b, outputs[0], resultShape);
  // Iteration variables are those of the result.
  Access source{data, SmallVector<AffineExpr>(rank)};
  for (auto [i, axis] : llvm::enumerate(axes))
    source.first[axis] = b.dim(i);
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t extent : resultShape)
    dims.push_back({extent});
  auto copy = [&](ValueRange bindings) {
    b.block("transpose", dims, bindings, {source}, {b.whole(result)},
            [&](ValueRange vars) {
              b.store(b.load(data, b.applyAll(source, vars)), result, vars);
            });
  };
  b.loops(resultShape, copy);
  return true;
}

void uma::populateTransposeStrategies(StrategyRegistry &registry) {
  addVectorized<graph::TransposeOp>(registry, vectorizeTranspose);
}

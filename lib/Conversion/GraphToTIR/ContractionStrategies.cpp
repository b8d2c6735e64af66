//===- ContractionStrategies.cpp - conv2d and dense as loops -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Plain loops around a scalar accumulator: correct for every layout, stride,
// group and padding.
//
//===----------------------------------------------------------------------===//

#include "WindowLoops.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

static LogicalResult lowerConv2d(LayerBuilder &b, graph::Conv2dOp op,
                                 ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], weight = inputs[1], result = outputs[0];
  graph::Conv2DDims dims = op.getDims();
  const graph::Window2D &window = dims.window;
  auto layout = *graph::DataLayout2D::parse(op.getDataLayout());
  auto kernel = *graph::KernelLayout2D::parse(op.getKernelLayout());
  Type accType = LayerBuilder::getComputeType(getElement(result));

  // Iteration variables: the result's four dimensions in its layout, then the
  // input channel of the group, kernel row and kernel column.
  AffineExpr n = b.dim(layout.n), o = b.dim(layout.c);
  AffineExpr i = b.dim(4), kh = b.dim(5), kw = b.dim(6);
  int64_t channelsPerGroup = dims.inChannels / dims.groups;
  AffineExpr channel = i;
  if (dims.groups > 1)
    channel = o.floorDiv(dims.outChannels / dims.groups) * channelsPerGroup + i;
  AffineExpr h = getDataPosition(window, 0, b.dim(layout.h), kh);
  AffineExpr w = getDataPosition(window, 1, b.dim(layout.w), kw);

  Access dataAccess{data, SmallVector<AffineExpr>(4)};
  dataAccess.first[layout.n] = n;
  dataAccess.first[layout.c] = channel;
  dataAccess.first[layout.h] = h;
  dataAccess.first[layout.w] = w;
  Access weightAccess{weight, SmallVector<AffineExpr>(4)};
  weightAccess.first[kernel.o] = o;
  weightAccess.first[kernel.i] = i;
  weightAccess.first[kernel.h] = kh;
  weightAccess.first[kernel.w] = kw;

  auto loadAt = [&](const Access &access, ValueRange vars) {
    SmallVector<Value> indices;
    for (AffineExpr expr : access.first)
      indices.push_back(b.apply(expr, vars));
    return b.loadAs(accType, access.buffer, indices);
  };
  Value zero = b.constant(accType, 0.0);
  b.loops(getShape(result), [&](ValueRange outer) {
    Value acc = b.reduce(
        "conv2d", outer, getShape(result),
        {channelsPerGroup, window.kernel[0], window.kernel[1]}, accType, zero,
        {dataAccess, weightAccess}, [&](ValueRange vars, Value acc) {
          SmallVector<Value> inside;
          appendInsideConditions(b, window, 0, h, vars, inside);
          appendInsideConditions(b, window, 1, w, vars, inside);
          return b.guarded(inside, acc, [&] {
            Value x = loadAt(dataAccess, vars);
            Value w = loadAt(weightAccess, vars);
            return b.add(acc, b.mul(x, w));
          });
        });
    b.storeScalar("conv2d_result", outer, acc, result);
  });
  return success();
}

static LogicalResult lowerDense(LayerBuilder &b, graph::DenseOp op,
                                ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], weight = inputs[1], result = outputs[0];
  Type accType = LayerBuilder::getComputeType(getElement(result));
  unsigned rank = getShape(result).size();

  // Iteration variables: those of the result, whose last is the unit, then the
  // input feature.
  Access dataAccess{data, {}};
  for (unsigned d = 0; d + 1 < rank; ++d)
    dataAccess.first.push_back(b.dim(d));
  dataAccess.first.push_back(b.dim(rank));
  Access weightAccess{weight, {b.dim(rank - 1), b.dim(rank)}};

  Value zero = b.constant(accType, 0.0);
  b.loops(getShape(result), [&](ValueRange outer) {
    Value acc = b.reduce(
        "dense", outer, getShape(result), {getShape(weight)[1]}, accType, zero,
        {dataAccess, weightAccess}, [&](ValueRange vars, Value acc) {
          SmallVector<Value> at(vars.take_front(rank - 1));
          at.push_back(vars[rank]);
          Value x = b.loadAs(accType, data, at);
          Value w = b.loadAs(accType, weight, {vars[rank - 1], vars[rank]});
          return b.add(acc, b.mul(x, w));
        });
    b.storeScalar("dense_result", outer, acc, result);
  });
  return success();
}

void uma::populateContractionStrategies(StrategyRegistry &registry) {
  registry.add<graph::Conv2dOp>(lowerConv2d);
  registry.add<graph::DenseOp>(lowerDense);
}

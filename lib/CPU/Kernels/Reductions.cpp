//===- Reductions.cpp - Vectorised reductions -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectorises reductions over adjacent dimensions. Others keep their plain
// loops.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;

template <typename OpT>
static bool lowerReduction(LayerBuilder &b, OpT op, Combiner combiner,
                           ValueRange inputs, ValueRange outputs) {
  ArrayRef<int64_t> extents = getShape(inputs[0]);
  auto shape = AxisShape::get(
      extents, graph::getReducedDims(op.getAxis(), extents.size()));
  if (!shape || !shape->isLong() || shape->size == 1)
    return false;
  Value data =
      reshapeBuffer(b, inputs[0], {shape->outer, shape->size, shape->inner});
  Value result = reshapeBuffer(b, outputs[0], {shape->outer, 1, shape->inner});
  Value zero = b.index(0);
  auto finish = [&](Value value) -> Value {
    if (!std::is_same_v<OpT, graph::MeanOp>)
      return value;
    return arith::DivFOp::create(b.builder, b.loc, value,
                                 b.constant(value.getType(), shape->size));
  };
  StringRef label = op->getName().getStringRef().rsplit('.').second;
  AxisKernel{label, *shape, {data, result}}.build(
      b,
      [&](const RowKernel &row, Value outer) {
        Value total = row.reduce(combiner, label, [&](Value i) {
          return b.load(data, {outer, i, zero});
        });
        b.store(finish(total), result, {outer, zero, zero});
      },
      [&](Value outer, Value column) {
        Value total =
            reduceColumn(b, shape->size, combiner, label, [&](Value i) {
              return b.load(data, {outer, i, column});
            });
        b.store(finish(total), result, {outer, zero, column});
      });
  return true;
}

template <typename OpT>
static void add(StrategyRegistry &registry, Combiner combiner) {
  addVectorized<OpT>(registry,
                     [combiner](LayerBuilder &b, OpT op, ValueRange inputs,
                                ValueRange outputs) {
                       return lowerReduction(b, op, combiner, inputs, outputs);
                     });
}

void uma::populateVectorReductionStrategies(StrategyRegistry &registry) {
  add<graph::SumOp>(registry, Combiner::Sum);
  add<graph::MeanOp>(registry, Combiner::Sum);
  add<graph::ProdOp>(registry, Combiner::Product);
  add<graph::MaxOp>(registry, Combiner::Maximum);
  add<graph::MinOp>(registry, Combiner::Minimum);
}

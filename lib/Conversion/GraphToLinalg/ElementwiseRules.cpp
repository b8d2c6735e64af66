//===- ElementwiseRules.cpp - Elementwise operators as linalg.generic -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Elements are computed by the same functions as in GraphToTIR.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "uma/TIR/Builder/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Operand = LinalgBuilder::Operand;

static Value convertCast(LinalgBuilder &b, graph::CastOp op) {
  return b.convert(op.getData(), op.getDtype());
}

static Value convertBroadcast(LinalgBuilder &b, graph::BroadcastToOp op) {
  auto type = op.getType();
  return b.map(type.getShape(), type.getElementType(),
               {b.broadcast(op.getData(), type.getRank())},
               [](LayerBuilder &, ValueRange x) { return x[0]; });
}

/// Returns `vector` broadcast along one axis of loops over `shape`.
static Operand along(LinalgBuilder &b, Value vector, ArrayRef<int64_t> shape,
                     int64_t axis) {
  return b.at(vector, {getAxis(axis, shape.size())});
}

static Value convertBiasAdd(LinalgBuilder &b, graph::BiasAddOp op) {
  auto type = op.getType();
  Operand data = b.at(op.getData(), {});
  Operand bias = along(b, op.getBias(), type.getShape(), op.getAxis());
  return b.map(type.getShape(), type.getElementType(), {data, bias},
               [](LayerBuilder &e, ValueRange x) { return e.add(x[0], x[1]); });
}

static Value convertBatchNorm(LinalgBuilder &b, graph::BatchNormOp op) {
  auto type = op.getType();
  SmallVector<Operand> operands = {b.at(op.getData(), {})};
  for (Value vector :
       {op.getMean(), op.getVariance(), op.getGamma(), op.getBeta()})
    operands.push_back(along(b, vector, type.getShape(), op.getAxis()));
  double epsilon = op.getEpsilon().convertToDouble();
  return b.map(
      type.getShape(), type.getElementType(), operands,
      [&](LayerBuilder &e, ValueRange x) -> Value {
        Value centered = arith::SubFOp::create(e.builder, e.loc, x[0], x[1]);
        Value variance = e.add(x[2], e.constant(x[2].getType(), epsilon));
        Value deviation = math::SqrtOp::create(e.builder, e.loc, variance);
        Value normal =
            arith::DivFOp::create(e.builder, e.loc, centered, deviation);
        return e.add(e.mul(normal, x[3]), x[4]);
      });
}

static Value convertConstant(LinalgBuilder &b, graph::ConstantOp op) {
  auto value = dyn_cast<TypedAttr>(op.getValue());
  if (!value)
    return b.fail("arith.constant takes no such value");
  return arith::ConstantOp::create(b.builder, b.loc, value);
}

void uma::populateLinalgElementwiseRules(LinalgRules &rules) {
  for (const auto &entry : getElementFunctions()) {
    auto rule = [fn = entry.second](LinalgBuilder &b, Operation *op) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      SmallVector<Operand> operands;
      for (Value operand : op->getOperands())
        operands.push_back(b.broadcast(operand, type.getRank()));
      // i1 is compared as unsigned: true is larger than false.
      bool isUnsigned =
          getElementTypeOrSelf(op->getOperands().back()).isInteger(1);
      return b.map(type.getShape(), type.getElementType(), operands,
                   [&](LayerBuilder &e, ValueRange elements) {
                     return fn(e, op, elements, isUnsigned);
                   });
    };
    rules.add(entry.first(), rule);
  }
  rules.add<graph::CastOp>(convertCast);
  rules.add<graph::BroadcastToOp>(convertBroadcast);
  rules.add<graph::BiasAddOp>(convertBiasAdd);
  rules.add<graph::BatchNormOp>(convertBatchNorm);
  rules.add<graph::ConstantOp>(convertConstant);
}

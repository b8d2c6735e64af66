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

/// Converts a product in fixed point. No operation upstream rounds twice as it
/// does.
static Value convertFixedPointMultiply(LinalgBuilder &b,
                                       graph::FixedPointMultiplyOp op) {
  RankedTensorType type = op.getType();
  SmallVector<Operand> operands;
  for (Value operand : op->getOperands())
    operands.push_back(b.broadcast(operand, type.getRank()));
  return b.map(
      type.getShape(), type.getElementType(), operands,
      [](LayerBuilder &e, ValueRange x) -> Value {
        Type i32 = e.builder.getI32Type(), i64 = e.builder.getI64Type();
        auto make = [&](auto tag, Value lhs, Value rhs) -> Value {
          return decltype(tag)::create(e.builder, e.loc, lhs, rhs);
        };
        Value data = e.convert(x[0], i64), factor = e.convert(x[1], i64);
        Value shift = e.convert(x[2], i64), one = e.constant(i64, 1);
        Value product = e.mul(data, factor);
        product = e.add(product, e.constant(i64, double(int64_t(1) << 30)));
        Value bits = e.constant(i64, 31);
        product = make(arith::ShRSIOp(), product, bits);
        // (product + half - (product < 0)) >> shift, where there is a shift.
        Value half = make(arith::ShLIOp(), one, shift);
        half = make(arith::ShRSIOp(), half, one);
        Value sign = e.constant(i64, 63);
        sign = make(arith::ShRSIOp(), product, sign);
        Value lowest = make(arith::MinSIOp(), shift, one);
        sign = e.mul(sign, lowest);
        product = e.add(e.add(product, half), sign);
        return e.convert(make(arith::ShRSIOp(), product, shift), i32);
      });
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
  rules.add<graph::FixedPointMultiplyOp>(convertFixedPointMultiply);
  rules.add<graph::ConstantOp>(convertConstant);
}

//===- PoolStrategies.cpp - Pools as loops -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowLoops.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// The smallest value of a type: what padding counts as in a maximum.
static Value getLowest(LayerBuilder &b, Type type, bool isUnsigned) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(
        b.builder, b.loc,
        b.builder.getFloatAttr(type,
                               APFloat::getInf(floatType.getFloatSemantics(),
                                               /*Negative=*/true)));
  unsigned width = type.getIntOrFloatBitWidth();
  return arith::ConstantOp::create(
      b.builder, b.loc,
      b.builder.getIntegerAttr(type, isUnsigned
                                         ? APInt::getZero(width)
                                         : APInt::getSignedMinValue(width)));
}

namespace {
/// What the two pools share: iteration variables are the result's four
/// dimensions in its layout, then window row and column.
struct PoolLoops {
  PoolLoops(LayerBuilder &b, graph::WindowOpInterface op, StringRef layoutName,
            Value data)
      : b(b), window(op.getWindow()),
        layout(*graph::DataLayout2D::parse(layoutName)), data{data, {}} {
    h = getDataPosition(window, 0, b.dim(layout.h), b.dim(4));
    w = getDataPosition(window, 1, b.dim(layout.w), b.dim(5));
    for (unsigned d = 0; d < 4; ++d)
      this->data.first.push_back(b.dim(d));
    this->data.first[layout.h] = h;
    this->data.first[layout.w] = w;
  }

  SmallVector<Value> getInside(ValueRange vars) {
    SmallVector<Value> conditions;
    appendInsideConditions(b, window, 0, h, vars, conditions);
    appendInsideConditions(b, window, 1, w, vars, conditions);
    return conditions;
  }

  Value loadData(ValueRange vars, Type type) {
    SmallVector<Value> indices;
    for (AffineExpr expr : data.first)
      indices.push_back(b.apply(expr, vars));
    return b.loadAs(type, data.buffer, indices);
  }

  LayerBuilder &b;
  graph::Window2D window;
  graph::DataLayout2D layout;
  Access data;
  AffineExpr h, w;
};
} // namespace

static LogicalResult lowerMaxPool2d(LayerBuilder &b, graph::MaxPool2dOp op,
                                    ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  Type type = LayerBuilder::getComputeType(getElement(result));
  PoolLoops pool(b, op, op.getDataLayout(), inputs[0]);
  Value lowest = getLowest(b, type, b.isUnsigned(inputs[0]));
  b.loops(getShape(result), [&](ValueRange outer) {
    Value maximum =
        b.reduce("max_pool2d", outer, getShape(result), pool.window.kernel,
                 type, lowest, {pool.data}, [&](ValueRange vars, Value acc) {
                   return b.guarded(pool.getInside(vars), acc, [&]() -> Value {
                     Value element = pool.loadData(vars, type);
                     return arith::SelectOp::create(
                         b.builder, b.loc,
                         b.lessThan(acc, element, b.isUnsigned(inputs[0])),
                         element, acc);
                   });
                 });
    b.storeScalar("max_pool2d_result", outer, maximum, result);
  });
  return success();
}

/// The number of elements of a window inside the data along `dim`, counting the
/// padding where `countPad`: rows that ceil_mode adds behind it never count.
static Value countInside(LayerBuilder &b, const PoolLoops &pool, int dim,
                         Value output, bool countPad) {
  const graph::Window2D &window = pool.window;
  Value zero = b.index(0), one = b.index(1), count = zero;
  int64_t begin = countPad ? -window.padBegin[dim] : 0;
  int64_t end = window.input[dim] + (countPad ? window.padEnd[dim] : 0);
  // Windows are small, so the sum over their elements is unrolled here; it
  // folds to a constant where no window sticks out.
  for (int64_t k = 0; k < window.kernel[dim]; ++k) {
    Value position =
        b.apply(b.dim(0) * window.strides[dim] + k * window.dilations[dim] -
                    window.padBegin[dim],
                output);
    Value isBehindBegin = arith::CmpIOp::create(
        b.builder, b.loc, arith::CmpIPredicate::sge, position, b.index(begin));
    Value isBeforeEnd = arith::CmpIOp::create(
        b.builder, b.loc, arith::CmpIPredicate::slt, position, b.index(end));
    Value counts =
        arith::AndIOp::create(b.builder, b.loc, isBehindBegin, isBeforeEnd);
    Value term = arith::SelectOp::create(b.builder, b.loc, counts, one, zero);
    count = arith::AddIOp::create(b.builder, b.loc, count, term);
  }
  return count;
}

static LogicalResult lowerAvgPool2d(LayerBuilder &b, graph::AvgPool2dOp op,
                                    ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  Type type = LayerBuilder::getComputeType(getElement(result));
  if (!isa<FloatType>(type))
    return op.emitOpError("averages float data only on the CPU, found ")
           << type;
  PoolLoops pool(b, op, op.getDataLayout(), inputs[0]);
  Value zero = b.constant(type, 0.0);

  // Where every window lies inside what counts, the divisor is a constant.
  const graph::Window2D &window = pool.window;
  bool isWhole = true;
  for (int dim : {0, 1}) {
    int64_t last = (window.getOutput(dim) - 1) * window.strides[dim] +
                   window.getExtent(dim) - window.padBegin[dim];
    int64_t pad = op.getCountIncludePad() ? window.padEnd[dim] : 0;
    isWhole &= (op.getCountIncludePad() || window.padBegin[dim] == 0) &&
               last <= window.input[dim] + pad;
  }
  b.loops(getShape(result), [&](ValueRange outer) {
    Value sum =
        b.reduce("avg_pool2d", outer, getShape(result), window.kernel, type,
                 zero, {pool.data}, [&](ValueRange vars, Value acc) {
                   return b.guarded(pool.getInside(vars), acc, [&] {
                     return b.add(acc, pool.loadData(vars, type));
                   });
                 });
    b.storeScalar(
        "avg_pool2d_result", outer, sum, result,
        [&](Value value, ValueRange vars) -> Value {
          Value divisor;
          if (isWhole) {
            divisor =
                b.constant(type, double(window.kernel[0] * window.kernel[1]));
          } else {
            bool countPad = op.getCountIncludePad();
            Value rows = countInside(b, pool, 0, vars[pool.layout.h], countPad);
            Value columns =
                countInside(b, pool, 1, vars[pool.layout.w], countPad);
            Value count =
                arith::MulIOp::create(b.builder, b.loc, rows, columns);
            Value narrow = arith::IndexCastOp::create(
                b.builder, b.loc, b.builder.getI64Type(), count);
            divisor = b.convert(narrow, type);
          }
          return arith::DivFOp::create(b.builder, b.loc, value, divisor);
        });
  });
  return success();
}

static LogicalResult lowerGlobalAvgPool2d(LayerBuilder &b,
                                          graph::GlobalAvgPool2dOp op,
                                          ValueRange inputs,
                                          ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  Type type = LayerBuilder::getComputeType(getElement(result));
  if (!isa<FloatType>(type))
    return op.emitOpError("averages float data only on the CPU, found ")
           << type;
  auto layout = *graph::DataLayout2D::parse(op.getDataLayout());
  int64_t height = getShape(data)[layout.h], width = getShape(data)[layout.w];
  Access dataAccess = b.whole(data);
  dataAccess.first[layout.h] = b.dim(4);
  dataAccess.first[layout.w] = b.dim(5);
  Value zero = b.constant(type, 0.0);
  Value count = b.constant(type, double(height * width));
  b.loops(getShape(result), [&](ValueRange outer) {
    Value sum =
        b.reduce("global_avg_pool2d", outer, getShape(result), {height, width},
                 type, zero, {dataAccess}, [&](ValueRange vars, Value acc) {
                   SmallVector<Value> at(vars.take_front(4));
                   at[layout.h] = vars[4];
                   at[layout.w] = vars[5];
                   return b.add(acc, b.convert(b.load(data, at), type));
                 });
    b.storeScalar("global_avg_pool2d_result", outer, sum, result,
                  [&](Value value, ValueRange) -> Value {
                    return arith::DivFOp::create(b.builder, b.loc, value,
                                                 count);
                  });
  });
  return success();
}

void uma::populatePoolStrategies(StrategyRegistry &registry) {
  registry.add<graph::MaxPool2dOp>(lowerMaxPool2d);
  registry.add<graph::AvgPool2dOp>(lowerAvgPool2d);
  registry.add<graph::GlobalAvgPool2dOp>(lowerGlobalAvgPool2d);
}

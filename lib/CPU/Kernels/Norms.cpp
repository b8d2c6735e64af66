//===- Norms.cpp - Vectorised softmax and norms ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;

static Value constant(LayerBuilder &b, double value) {
  return b.constant(b.builder.getF32Type(), value);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// Softmax along an axis, or its logarithm if `isLog`.
struct Softmax {
  LayerBuilder &b;
  Value data, result;
  bool isLog;

  using ReduceFn =
      function_ref<Value(Combiner, StringRef, RowKernel::ElementFn element)>;
  using MapFn = function_ref<void(function_ref<void(Value position)>)>;
  /// Emits the softmax of one row; `at` returns the indices of a position.
  void build(ReduceFn reduce, MapFn map,
             function_ref<SmallVector<Value>(Value)> at) {
    Value largest = reduce(Combiner::LargestNumber, "largest",
                           [&](Value i) { return b.load(data, at(i)); });
    auto load = [&](Value i) { return b.sub(b.load(data, at(i)), largest); };
    // Store the exponentials in the result until their sum is known.
    Value sum = reduce(Combiner::Sum, "sum", [&](Value i) -> Value {
      Value power = math::ExpOp::create(b.builder, b.loc, load(i));
      if (!isLog)
        b.store(power, result, at(i));
      return power;
    });
    if (isLog) {
      Value log = math::LogOp::create(b.builder, b.loc, sum);
      map([&](Value i) { b.store(b.sub(load(i), log), result, at(i)); });
      return;
    }
    Value scale = b.div(constant(b, 1), sum);
    map([&](Value i) {
      SmallVector<Value> place = at(i);
      b.store(b.mul(b.load(result, place), scale), result, place);
    });
  }
};
} // namespace

static bool lowerSoftmax(LayerBuilder &b, StringRef label, int64_t axis,
                         bool isLog, ValueRange inputs, ValueRange outputs) {
  AxisShape shape(getShape(outputs[0]), axis);
  if (!shape.isLong())
    return false;
  SmallVector<int64_t> extents = {shape.outer, shape.size, shape.inner};
  Value data = reshapeBuffer(b, inputs[0], extents);
  Value result = reshapeBuffer(b, outputs[0], extents);
  Softmax softmax{b, data, result, isLog};
  AxisKernel{label, shape, {data, result}}.build(
      b,
      [&](const RowKernel &row, Value outer) {
        Value zero = b.index(0);
        softmax.build(
            [&](Combiner combiner, StringRef label, auto element) {
              return row.reduce(combiner, label, element);
            },
            [&](auto body) { row.map(body); },
            [&](Value i) { return SmallVector<Value>{outer, i, zero}; });
      },
      [&](Value outer, Value column) {
        softmax.build(
            [&](Combiner combiner, StringRef label, auto element) {
              return reduceColumn(b, shape.size, combiner, label, element);
            },
            [&](auto body) {
              buildLoop(b, shape.size, tir::ForKind::Serial, body);
            },
            [&](Value i) { return SmallVector<Value>{outer, i, column}; });
      });
  return true;
}

//===----------------------------------------------------------------------===//
// Normalisation by mean and variance
//===----------------------------------------------------------------------===//

namespace {
/// Normalisation of rows. Gamma and beta have an element per element of a row
/// or, if `partsPerRow` is not 0, an element per part (channel) of a row.
struct Norm {
  StringRef label;
  AxisShape shape;
  /// Whether the mean is subtracted first.
  bool isCentered;
  double epsilon;
  /// Parts of a row that share gamma and beta; 0 if each element has its own.
  int64_t partsPerRow = 0;
  int64_t numGroups = 1;
};
} // namespace

static bool lowerNorm(LayerBuilder &b, const Norm &norm, ValueRange inputs,
                      ValueRange outputs) {
  const AxisShape &shape = norm.shape;
  if (!shape.isLong())
    return false;
  SmallVector<int64_t> extents = {shape.outer, shape.size, 1};
  Value data = reshapeBuffer(b, inputs[0], extents);
  Value result = reshapeBuffer(b, outputs[0], extents);
  SmallVector<Value> parameters;
  for (Value parameter : inputs.drop_front())
    parameters.push_back(reshapeBuffer(
        b, parameter,
        {cast<MemRefType>(parameter.getType()).getNumElements()}));
  Value zero = b.index(0);
  AxisKernel kernel{norm.label, shape, {data, result}, parameters};
  auto buildRow = [&](const RowKernel &row, Value outer) {
    Value count = constant(b, shape.size);
    Value mean;
    auto load = [&](Value i) {
      Value x = b.load(data, {outer, i, zero});
      return mean ? b.sub(x, mean) : x;
    };
    if (norm.isCentered)
      mean = b.div(row.reduce(Combiner::Sum, "mean", load), count);
    // Use centred elements: the mean square minus the squared mean would
    // cancel.
    Value squares = row.reduce(Combiner::Sum, "variance", [&](Value i) {
      Value x = load(i);
      return b.mul(x, x);
    });
    Value variance = b.div(squares, count);
    Value root = math::SqrtOp::create(
        b.builder, b.loc, b.add(variance, constant(b, norm.epsilon)));
    Value scale = b.div(constant(b, 1), root);
    auto finish = [&](Value i, Value gamma, Value beta) {
      Value x = b.mul(load(i), scale);
      x = b.mul(x, gamma);
      b.store(beta ? b.add(x, beta) : x, result, {outer, i, zero});
    };
    if (norm.partsPerRow == 0) {
      row.map([&](Value i) {
        Value gamma = b.load(parameters[0], i);
        finish(i, gamma,
               parameters.size() > 1 ? b.load(parameters[1], i) : Value());
      });
      return;
    }
    // Consecutive rows are consecutive groups.
    int64_t size = shape.size / norm.partsPerRow;
    AffineExpr channel =
        (b.dim(0) % norm.numGroups) * norm.partsPerRow + b.dim(1);
    buildLoop(b, norm.partsPerRow, tir::ForKind::Serial, [&](Value part) {
      Value place = b.apply(channel, {outer, part});
      Value gamma = b.load(parameters[0], place);
      Value beta = b.load(parameters[1], place);
      RowKernel(b, size, row.getTarget()).map([&](Value i) {
        finish(b.apply(b.dim(0) * size + b.dim(1), {part, i}), gamma, beta);
      });
    });
  };
  kernel.build(b, buildRow, nullptr);
  return true;
}

template <typename OpT>
static bool lowerSuffixNorm(LayerBuilder &b, OpT op, bool isCentered,
                            ValueRange inputs, ValueRange outputs) {
  ArrayRef<int64_t> extents = getShape(outputs[0]);
  int64_t axis = op.getAxis();
  if (axis < 0)
    axis += extents.size();
  AxisShape shape;
  for (auto [dim, extent] : llvm::enumerate(extents))
    (int64_t(dim) < axis ? shape.outer : shape.size) *= extent;
  StringRef label = op->getName().getStringRef().rsplit('.').second;
  return lowerNorm(
      b, {label, shape, isCentered, op.getEpsilon().convertToDouble()}, inputs,
      outputs);
}

static bool vectorizeGroupNorm(LayerBuilder &b, graph::GroupNormOp op,
                               ValueRange inputs, ValueRange outputs) {
  ArrayRef<int64_t> extents = getShape(outputs[0]);
  int64_t numGroups = op.getNumGroups(), perGroup = extents[1] / numGroups;
  AxisShape shape;
  shape.outer = extents[0] * numGroups;
  shape.size = perGroup;
  for (int64_t extent : extents.drop_front(2))
    shape.size *= extent;
  return lowerNorm(b,
                   {"group_norm", shape, /*isCentered=*/true,
                    op.getEpsilon().convertToDouble(), perGroup, numGroups},
                   inputs, outputs);
}

void uma::populateVectorNormStrategies(StrategyRegistry &registry) {
  using namespace graph;
  addVectorized<SoftmaxOp>(registry, [](LayerBuilder &b, SoftmaxOp op,
                                        ValueRange inputs, ValueRange outputs) {
    return lowerSoftmax(b, "softmax", op.getAxis(), /*isLog=*/false, inputs,
                        outputs);
  });
  addVectorized<LogSoftmaxOp>(registry, [](LayerBuilder &b, LogSoftmaxOp op,
                                           ValueRange inputs,
                                           ValueRange outputs) {
    return lowerSoftmax(b, "log_softmax", op.getAxis(), /*isLog=*/true, inputs,
                        outputs);
  });
  addVectorized<LayerNormOp>(registry, [](LayerBuilder &b, LayerNormOp op,
                                          ValueRange inputs,
                                          ValueRange outputs) {
    return lowerSuffixNorm(b, op, /*isCentered=*/true, inputs, outputs);
  });
  addVectorized<RMSNormOp>(registry, [](LayerBuilder &b, RMSNormOp op,
                                        ValueRange inputs, ValueRange outputs) {
    return lowerSuffixNorm(b, op, /*isCentered=*/false, inputs, outputs);
  });
  addVectorized<GroupNormOp>(registry, vectorizeGroupNorm);
}

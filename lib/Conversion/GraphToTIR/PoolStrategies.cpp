//===- PoolStrategies.cpp - Pools as loops --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WindowLoops.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Builds the smallest value of a type, which is the padding of a maximum.
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
                                         ? APInt::getMinValue(width)
                                         : APInt::getSignedMinValue(width)));
}

/// Builds the larger of two values.
static Value getMaximum(LayerBuilder &b, Value lhs, Value rhs,
                        bool isUnsigned) {
  return arith::SelectOp::create(b.builder, b.loc,
                                 b.lessThan(lhs, rhs, isUnsigned), rhs, lhs);
}

static std::string getLabel(Operation *op) {
  return op->getName().stripDialect().rsplit('.').second.str();
}

/// Returns the spatial dimensions of data [N, C, spatial...].
static SmallVector<int64_t> getSpatialDims(Value data) {
  return llvm::to_vector(llvm::seq<int64_t>(2, getShape(data).size()));
}

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

/// Builds the maximum of the window at `outer`, and returns it as a scalar
/// buffer.
static Value reduceMaximum(LayerBuilder &b, StringRef label,
                           const WindowData &data, ValueRange outer,
                           ArrayRef<int64_t> shape, Value lowest,
                           bool isUnsigned) {
  return b.reduce(label, outer, shape, data.window.kernel, lowest.getType(),
                  lowest, {data.access}, [&](ValueRange vars, Value acc) {
                    return b.guarded(data.getInside(vars), acc, [&] {
                      Value element = data.load(vars, lowest.getType());
                      return getMaximum(b, acc, element, isUnsigned);
                    });
                  });
}

template <typename PoolOp>
static LogicalResult lowerMaxPool(LayerBuilder &b, PoolOp op, ValueRange inputs,
                                  ValueRange outputs) {
  Value result = outputs[0];
  graph::Window window = op.getWindow();
  auto layout = *graph::WindowLayout::parse(op.getDataLayout());
  ArrayRef<int64_t> shape = getShape(result);
  WindowData data(b, window, layout.spatial, inputs[0], shape.size());
  std::string label = getLabel(op);
  bool isUnsignedData = b.isUnsigned(inputs[0]);
  Value lowest = getLowest(b, LayerBuilder::getComputeType(getElement(result)),
                           isUnsignedData);
  b.loops(shape, [&](ValueRange outer) {
    Value maximum =
        reduceMaximum(b, label, data, outer, shape, lowest, isUnsignedData);
    b.storeScalar(label + "_result", outer, maximum, result);
  });
  return success();
}

/// Builds two passes over the window: the maximum, then the first element equal
/// to it.
static LogicalResult lowerMaxPoolIndices(LayerBuilder &b,
                                         graph::MaxPoolIndicesOp op,
                                         ValueRange inputs,
                                         ValueRange outputs) {
  Value result = outputs[0];
  graph::Window window = op.getWindow();
  ArrayRef<int64_t> shape = getShape(result);
  ArrayRef<int64_t> dataShape = getShape(inputs[0]);
  SmallVector<int64_t> spatial = getSpatialDims(inputs[0]);
  WindowData data(b, window, spatial, inputs[0], shape.size());
  bool isUnsignedData = b.isUnsigned(inputs[0]);
  Type type = LayerBuilder::getComputeType(getElement(inputs[0]));
  Type indexType = getElement(result);
  Value lowest = getLowest(b, type, isUnsignedData);
  Value none = b.constant(indexType, -1);
  Value first = b.constant(indexType, 0);

  AffineExpr position = data.access.first[0] * dataShape[1] + b.dim(1);
  SmallVector<int64_t> order = spatial;
  if (op.getColumnMajor())
    std::reverse(order.begin(), order.end());
  for (int64_t dim : order)
    position = position * dataShape[dim] + data.access.first[dim];

  b.loops(shape, [&](ValueRange outer) {
    Value maximum = reduceMaximum(b, "max_pool_indices_maximum", data, outer,
                                  shape, lowest, isUnsignedData);
    Value found = b.reduce(
        "max_pool_indices", outer, shape, window.kernel, indexType, none,
        {data.access, Access{maximum, {}}}, [&](ValueRange vars, Value acc) {
          SmallVector<Value> conditions = {b.lessThan(acc, first)};
          llvm::append_range(conditions, data.getInside(vars));
          return b.guarded(conditions, acc, [&] {
            Value element = data.load(vars, type);
            Value best = b.load(maximum, {});
            Value isBest = isa<FloatType>(type)
                               ? arith::CmpFOp::create(
                                     b.builder, b.loc,
                                     arith::CmpFPredicate::OEQ, element, best)
                                     .getResult()
                               : arith::CmpIOp::create(b.builder, b.loc,
                                                       arith::CmpIPredicate::eq,
                                                       element, best)
                                     .getResult();
            Value index = arith::IndexCastOp::create(
                b.builder, b.loc, indexType, b.apply(position, vars));
            return arith::SelectOp::create(b.builder, b.loc, isBest, index, acc)
                .getResult();
          });
        });
    // In a window with only NaN, no element equals the maximum.
    b.storeScalar("max_pool_indices_result", outer, found, result,
                  [&](Value value, ValueRange) {
                    return getMaximum(b, value, first, /*isUnsigned=*/false);
                  });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Average
//===----------------------------------------------------------------------===//

/// Builds the number of elements of a window inside the data along `dim`. If
/// `countPad`, padding counts as well, but not what ceil_mode adds beyond it.
static Value countInside(LayerBuilder &b, const graph::Window &window,
                         int64_t dim, Value output, bool countPad) {
  Value count = b.index(0);
  int64_t begin = countPad ? -window.padBegin[dim] : 0;
  int64_t end = window.input[dim] + (countPad ? window.padEnd[dim] : 0);
  // Windows are small, so the sum over their elements is unrolled. It folds to
  // a constant if no window exceeds the data.
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
    Value one = arith::SelectOp::create(b.builder, b.loc, counts, b.index(1),
                                        b.index(0));
    count = arith::AddIOp::create(b.builder, b.loc, count, one);
  }
  return count;
}

/// Returns the number of elements that count in every window, or std::nullopt
/// if it differs between windows.
static std::optional<int64_t> getWholeCount(const graph::Window &window,
                                            bool countPad) {
  int64_t count = 1;
  for (int64_t dim = 0; dim < window.getRank(); ++dim) {
    int64_t last = (window.getOutput(dim) - 1) * window.strides[dim] +
                   window.getExtent(dim) - window.padBegin[dim];
    int64_t pad = countPad ? window.padEnd[dim] : 0;
    if ((!countPad && window.padBegin[dim] != 0) ||
        last > window.input[dim] + pad)
      return std::nullopt;
    count *= window.kernel[dim];
  }
  return count;
}

template <typename PoolOp>
static LogicalResult lowerAvgPool(LayerBuilder &b, PoolOp op, ValueRange inputs,
                                  ValueRange outputs) {
  Value result = outputs[0];
  Type type = LayerBuilder::getComputeType(getElement(result));
  graph::Window window = op.getWindow();
  auto layout = *graph::WindowLayout::parse(op.getDataLayout());
  ArrayRef<int64_t> shape = getShape(result);
  WindowData data(b, window, layout.spatial, inputs[0], shape.size());
  std::string label = getLabel(op);
  bool countPad = op.getCountIncludePad();
  std::optional<int64_t> whole = getWholeCount(window, countPad);
  Value zero = b.constant(type, 0.0);
  b.loops(shape, [&](ValueRange outer) {
    Value sum = b.reduce(label, outer, shape, window.kernel, type, zero,
                         {data.access}, [&](ValueRange vars, Value acc) {
                           return b.guarded(data.getInside(vars), acc, [&] {
                             return b.add(acc, data.load(vars, type));
                           });
                         });
    b.storeScalar(
        label + "_result", outer, sum, result,
        [&](Value value, ValueRange vars) -> Value {
          Value divisor;
          if (whole) {
            divisor = b.constant(type, double(*whole));
          } else {
            Value count;
            for (auto [index, dim] : llvm::enumerate(layout.spatial)) {
              Value inside = countInside(b, window, index, vars[dim], countPad);
              count =
                  count ? arith::MulIOp::create(b.builder, b.loc, count, inside)
                              .getResult()
                        : inside;
            }
            Value narrow = arith::IndexCastOp::create(
                b.builder, b.loc, b.builder.getI64Type(), count);
            divisor = b.convert(narrow, type);
          }
          return arith::DivFOp::create(b.builder, b.loc, value, divisor);
        });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// LpPoolOp
//===----------------------------------------------------------------------===//

static LogicalResult lowerLpPool(LayerBuilder &b, graph::LpPoolOp op,
                                 ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  Type type = LayerBuilder::getComputeType(getElement(result));
  graph::Window window = op.getWindow();
  ArrayRef<int64_t> shape = getShape(result);
  WindowData data(b, window, getSpatialDims(inputs[0]), inputs[0],
                  shape.size());
  int64_t p = op.getP();
  Value zero = b.constant(type, 0.0);
  auto power = [&](Value base, double exponent) -> Value {
    return math::PowFOp::create(b.builder, b.loc, base,
                                b.constant(type, exponent));
  };
  b.loops(shape, [&](ValueRange outer) {
    Value sum =
        b.reduce("lp_pool", outer, shape, window.kernel, type, zero,
                 {data.access}, [&](ValueRange vars, Value acc) {
                   return b.guarded(data.getInside(vars), acc, [&] {
                     Value x = data.load(vars, type);
                     if (p == 2)
                       return b.add(acc, b.mul(x, x));
                     x = math::AbsFOp::create(b.builder, b.loc, x);
                     return b.add(acc, p == 1 ? x : power(x, double(p)));
                   });
                 });
    b.storeScalar("lp_pool_result", outer, sum, result,
                  [&](Value value, ValueRange) -> Value {
                    if (p == 2)
                      return math::SqrtOp::create(b.builder, b.loc, value);
                    return p == 1 ? value : power(value, 1.0 / double(p));
                  });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Global pools
//===----------------------------------------------------------------------===//

/// Reduces all spatial elements to one. `update` and `finish` are those of
/// LayerBuilder::reduce and storeScalar, but take elements.
template <typename PoolOp>
static LogicalResult
lowerGlobalPool(LayerBuilder &b, PoolOp op, ValueRange inputs,
                ValueRange outputs, Value start,
                function_ref<Value(Value acc, Value element)> update,
                function_ref<Value(Value)> finish) {
  Value data = inputs[0], result = outputs[0];
  auto layout = *graph::WindowLayout::parse(op.getDataLayout());
  ArrayRef<int64_t> shape = getShape(result);
  SmallVector<int64_t> extents;
  Access access = b.whole(data);
  for (auto [index, dim] : llvm::enumerate(layout.spatial)) {
    access.first[dim] = b.dim(shape.size() + index);
    extents.push_back(getShape(data)[dim]);
  }
  std::string label = getLabel(op);
  b.loops(shape, [&](ValueRange outer) {
    Value acc =
        b.reduce(label, outer, shape, extents, start.getType(), start, {access},
                 [&](ValueRange vars, Value acc) {
                   return update(acc, loadAt(b, access, vars, start.getType()));
                 });
    b.storeScalar(label + "_result", outer, acc, result,
                  [&](Value value, ValueRange) { return finish(value); });
  });
  return success();
}

static LogicalResult lowerGlobalAvgPool2d(LayerBuilder &b,
                                          graph::GlobalAvgPool2dOp op,
                                          ValueRange inputs,
                                          ValueRange outputs) {
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  auto layout = *graph::WindowLayout::parse(op.getDataLayout());
  double count = 1;
  for (int64_t dim : layout.spatial)
    count *= double(getShape(inputs[0])[dim]);
  Value divisor = b.constant(type, count);
  return lowerGlobalPool(
      b, op, inputs, outputs, b.constant(type, 0.0),
      [&](Value acc, Value element) { return b.add(acc, element); },
      [&](Value sum) -> Value {
        return arith::DivFOp::create(b.builder, b.loc, sum, divisor);
      });
}

static LogicalResult lowerGlobalMaxPool2d(LayerBuilder &b,
                                          graph::GlobalMaxPool2dOp op,
                                          ValueRange inputs,
                                          ValueRange outputs) {
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  bool isUnsignedData = b.isUnsigned(inputs[0]);
  return lowerGlobalPool(
      b, op, inputs, outputs, getLowest(b, type, isUnsignedData),
      [&](Value acc, Value element) {
        return getMaximum(b, acc, element, isUnsignedData);
      },
      [](Value maximum) { return maximum; });
}

void uma::populatePoolStrategies(StrategyRegistry &registry) {
  registry.add<graph::MaxPool2dOp>(lowerMaxPool<graph::MaxPool2dOp>);
  registry.add<graph::MaxPool3dOp>(lowerMaxPool<graph::MaxPool3dOp>);
  registry.add<graph::MaxPoolIndicesOp>(lowerMaxPoolIndices);
  registry.add<graph::AvgPool2dOp>(lowerAvgPool<graph::AvgPool2dOp>);
  registry.add<graph::AvgPool3dOp>(lowerAvgPool<graph::AvgPool3dOp>);
  registry.add<graph::LpPoolOp>(lowerLpPool);
  registry.add<graph::GlobalAvgPool2dOp>(lowerGlobalAvgPool2d);
  registry.add<graph::GlobalMaxPool2dOp>(lowerGlobalMaxPool2d);
}

//===- PoolRules.cpp - Pools as linalg ------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Operand = LinalgBuilder::Operand;

/// Builds max(lhs, rhs); NaN propagates.
static Value maximum(LayerBuilder &e, Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::MaximumFOp::create(e.builder, e.loc, lhs, rhs);
  if (lhs.getType().isInteger(1))
    return arith::MaxUIOp::create(e.builder, e.loc, lhs, rhs);
  return arith::MaxSIOp::create(e.builder, e.loc, lhs, rhs);
}

/// Pads `data` with `start` to the extent that windows reach.
static Value padWindows(LinalgBuilder &b, Value data,
                        ArrayRef<int64_t> spatialDims,
                        const graph::Window &window, Value start) {
  SmallVector<int64_t> before(LinalgBuilder::getShape(data).size(), 0);
  SmallVector<int64_t> after = before;
  for (auto [i, dim] : llvm::enumerate(spatialDims)) {
    before[dim] = window.padBegin[i];
    // With ceil_mode, the last window may reach beyond the padding.
    int64_t reached = (window.getOutput(i) - 1) * window.strides[i] +
                      window.getExtent(i) - window.padBegin[i];
    after[dim] = std::max(window.padEnd[i], reached - window.input[i]);
  }
  return b.pad(data, before, after, start);
}

/// Reduces each window by `combine`, starting with `start`. The template
/// arguments are linalg's operations for the layouts NCHW, NHWC and NDHWC.
template <typename NchwOp, typename NhwcOp, typename NdhwcOp>
static Value poolWindows(LinalgBuilder &b, Value data, RankedTensorType type,
                         StringRef layoutName, const graph::Window &window,
                         Value start, LinalgBuilder::ScalarFn combine) {
  auto layout = *graph::WindowLayout::parse(layoutName);
  data = padWindows(b, data, layout.spatial, window, start);
  Value init = b.filled(type.getShape(), start);
  Value shape = b.empty(window.kernel, start.getType());
  auto createNamed = [&](auto op) -> Value {
    auto strides = b.builder.getI64TensorAttr(window.strides);
    auto dilations = b.builder.getI64TensorAttr(window.dilations);
    return decltype(op)::create(b.builder, b.loc, TypeRange{init.getType()},
                                ValueRange{data, shape}, ValueRange{init},
                                strides, dilations)
        ->getResult(0);
  };
  if (layoutName == "NCHW")
    return createNamed(NchwOp());
  if (layoutName == "NHWC")
    return createNamed(NhwcOp());
  if (layoutName == "NDHWC")
    return createNamed(NdhwcOp());
  // Loops: the dimensions of the result, then the position in the window.
  int64_t rank = type.getRank();
  Operand taps = b.at(data, {});
  Operand kernel{shape, {}};
  SmallVector<bool> reduces(rank, false);
  for (auto [i, dim] : llvm::enumerate(layout.spatial)) {
    AffineExpr tap = b.dim(rank + i);
    taps.at[dim] = b.dim(dim) * window.strides[i] + tap * window.dilations[i];
    kernel.at.push_back(tap);
    reduces.push_back(true);
  }
  return b.reduce(init, reduces, {taps, kernel}, combine);
}

template <typename PoolOp>
static Value convertMaxPool(LinalgBuilder &b, PoolOp op) {
  Type element = op.getType().getElementType();
  Type type = LayerBuilder::getComputeType(element);
  Value data = b.convert(op.getData(), type);
  Value start = b.limit(type, /*isLowest=*/true);
  Value result = poolWindows<linalg::PoolingNchwMaxOp, linalg::PoolingNhwcMaxOp,
                             linalg::PoolingNdhwcMaxOp>(
      b, data, op.getType(), op.getDataLayout(), op.getWindow(), start,
      [](LayerBuilder &e, ValueRange x) { return maximum(e, x[2], x[0]); });
  return b.convert(result, element);
}

/// Returns the number of elements that count in each window along `dim`.
static Value getCounts(LinalgBuilder &b, const graph::Window &window,
                       int64_t dim, bool includesPadding, Type type) {
  int64_t first = includesPadding ? -window.padBegin[dim] : 0;
  int64_t end = window.input[dim] + (includesPadding ? window.padEnd[dim] : 0);
  SmallVector<Attribute> counts;
  for (int64_t i = 0; i < window.getOutput(dim); ++i) {
    int64_t count = 0;
    for (int64_t k = 0; k < window.kernel[dim]; ++k) {
      int64_t at = i * window.strides[dim] - window.padBegin[dim] +
                   k * window.dilations[dim];
      count += at >= first && at < end;
    }
    counts.push_back(b.builder.getFloatAttr(type, double(count)));
  }
  auto tensorType = RankedTensorType::get({int64_t(counts.size())}, type);
  return arith::ConstantOp::create(b.builder, b.loc,
                                   DenseElementsAttr::get(tensorType, counts));
}

template <typename PoolOp>
static Value convertAvgPool(LinalgBuilder &b, PoolOp op) {
  Type element = op.getType().getElementType();
  Type type = LayerBuilder::getComputeType(element);
  graph::Window window = op.getWindow();
  auto layout = *graph::WindowLayout::parse(op.getDataLayout());
  Value data = b.convert(op.getData(), type);
  Value sum = poolWindows<linalg::PoolingNchwSumOp, linalg::PoolingNhwcSumOp,
                          linalg::PoolingNdhwcSumOp>(
      b, data, op.getType(), op.getDataLayout(), window, b.scalar(type, 0),
      [](LayerBuilder &e, ValueRange x) { return e.add(x[2], x[0]); });
  SmallVector<Operand> operands = {b.at(sum, {})};
  for (auto [i, dim] : llvm::enumerate(layout.spatial)) {
    Value counts = getCounts(b, window, i, op.getCountIncludePad(), type);
    operands.push_back(b.at(counts, {dim}));
  }
  return b.map(op.getType().getShape(), element, operands,
               [](LayerBuilder &e, ValueRange x) -> Value {
                 Value count = x[1];
                 for (Value more : x.drop_front(2))
                   count = e.mul(count, more);
                 return arith::DivFOp::create(e.builder, e.loc, x[0], count);
               });
}

/// Reduces the spatial dimensions, which are kept with size 1.
static Value reduceSpatial(LinalgBuilder &b, Value data, StringRef layoutName,
                           Value start, LinalgBuilder::ScalarFn combine) {
  auto layout = *graph::WindowLayout::parse(layoutName);
  SmallVector<int64_t> shape(LinalgBuilder::getShape(data));
  SmallVector<bool> reduces(shape.size(), false);
  for (int64_t dim : layout.spatial)
    reduces[dim] = true;
  Value result = b.reduceDims(data, reduces, start, combine);
  for (int64_t dim : layout.spatial)
    shape[dim] = 1;
  return b.reshape(result, shape);
}

static Value convertGlobalAvgPool(LinalgBuilder &b,
                                  graph::GlobalAvgPool2dOp op) {
  Type element = op.getType().getElementType();
  Type type = LayerBuilder::getComputeType(element);
  Value sum = reduceSpatial(b, op.getData(), op.getDataLayout(),
                            b.scalar(type, 0), addElements);
  int64_t count =
      op.getData().getType().getNumElements() / op.getType().getNumElements();
  return b.map(op.getType().getShape(), element, {b.at(sum, {})},
               [&](LayerBuilder &e, ValueRange x) -> Value {
                 Value n = e.constant(type, double(count));
                 return arith::DivFOp::create(e.builder, e.loc, x[0], n);
               });
}

static Value convertGlobalMaxPool(LinalgBuilder &b,
                                  graph::GlobalMaxPool2dOp op) {
  Type element = op.getType().getElementType();
  Type type = LayerBuilder::getComputeType(element);
  Value result = reduceSpatial(
      b, op.getData(), op.getDataLayout(), b.limit(type, /*isLowest=*/true),
      [](LayerBuilder &e, ValueRange x) { return maximum(e, x[1], x[0]); });
  return b.convert(result, element);
}

void uma::populateLinalgPoolRules(LinalgRules &rules) {
  rules.add<graph::MaxPool2dOp>(convertMaxPool<graph::MaxPool2dOp>);
  rules.add<graph::MaxPool3dOp>(convertMaxPool<graph::MaxPool3dOp>);
  rules.add<graph::AvgPool2dOp>(convertAvgPool<graph::AvgPool2dOp>);
  rules.add<graph::AvgPool3dOp>(convertAvgPool<graph::AvgPool3dOp>);
  rules.add<graph::GlobalAvgPool2dOp>(convertGlobalAvgPool);
  rules.add<graph::GlobalMaxPool2dOp>(convertGlobalMaxPool);
}

//===- FixedPointOperators.cpp - Resizes, products, differences -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators on i32 that follow the kernels of resize_bilinear.h,
// batch_matmul.h, prelu.h and squared_difference.cc.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

/// Returns the scale of an operand as the file has it, in f32.
static float getScale(Node &node, unsigned index) {
  return float(getQuantization(node.getStored(index)).scales.front());
}

/// Returns the scale of the result.
static float getScale(RankedTensorType type) {
  return float(Quantization::of(type.getElementType()).scales.front());
}

/// Multiplies steps by a factor and stores them as the result.
static Value finish(Node &node, Value steps, double factor,
                    RankedTensorType type) {
  Quantization to = Quantization::of(type.getElementType());
  return storeSteps(
      node, createFixedPointMultiply(node, steps, FixedPointFactor::of(factor)),
      type.getElementType(), {to.min, to.max});
}

//===----------------------------------------------------------------------===//
// RESIZE_BILINEAR
//===----------------------------------------------------------------------===//

/// Positions have 10 bits behind the point.
static constexpr int64_t kResizeOne = 1 << 10;

/// Interpolates along an axis: the sum of two elements, each multiplied by a
/// weight of 10 bits, in the type of the data.
static Value interpolateIntegers(Node &node, Value data, int64_t axis,
                                 int64_t to, bool alignsCorners,
                                 bool hasHalfPixels) {
  int64_t rank = getShape(data).size(), from = getShape(data)[axis];
  int64_t scale = (kResizeOne * from + to / 2) / to;
  if (alignsCorners && to > 1)
    scale = (kResizeOne * (from - 1) + (to - 1) / 2) / (to - 1);
  SmallVector<int64_t> shape(rank, 1), lower, upper;
  shape[axis] = to;
  auto type = RankedTensorType::get(shape, getElementType(data));
  if (failed(node.checkComputedSize(type)))
    return {};
  HostTensor fraction(type), rest(type);
  for (int64_t i = 0; i < to; ++i) {
    int64_t position = i * scale;
    if (hasHalfPixels)
      position += scale / 2 - kResizeOne / 2;
    // The kernel would read behind the data where rounded steps add up.
    int64_t first = std::clamp<int64_t>(position / kResizeOne, 0, from - 1);
    lower.push_back(first);
    upper.push_back(std::clamp<int64_t>(
        (position + kResizeOne - 1) / kResizeOne, 0, from - 1));
    fraction.setInt(i, position - kResizeOne * first);
    rest.setInt(i, kResizeOne - fraction.getInt(i));
  }
  Value low = node.create<graph::MultiplyOp>(
      {node.createTake(data, lower, axis), node.createConstant(rest)});
  Value high = node.create<graph::MultiplyOp>(
      {node.createTake(data, upper, axis), node.createConstant(fraction)});
  return node.create<graph::AddOp>({low, high});
}

Value tflite::createFixedPointResize(Node &node, ArrayRef<int64_t> sizes,
                                     bool alignsCorners, bool hasHalfPixels) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type || type.getElementType() != getElementType(node.getStored(0)) ||
      getStorageElementType(type.getElementType()).isUnsignedInteger())
    return {};
  Value data = getIntegers(node, 0);
  // Products of 16 bits and two weights exceed 32 bits.
  if (isWide(type.getElementType()))
    data = node.createCast(data, node.getBuilder().getI64Type());
  for (int64_t i : {0, 1}) {
    if (!data)
      return {};
    data = interpolateIntegers(node, data, 1 + i, sizes[i], alignsCorners,
                               hasHalfPixels);
  }
  if (!data)
    return {};
  // Divides by 2^20; halves are rounded away from zero.
  Type integers = getElementType(data);
  auto scalar = [&](int64_t value) {
    return node.createScalar(integers, double(value));
  };
  Value isPositive = node.create<graph::GreaterOp>({data, scalar(0)});
  Value half = node.create<graph::WhereOp>(
      {isPositive, scalar(kResizeOne * kResizeOne / 2),
       scalar(-kResizeOne * kResizeOne / 2)});
  data = node.create<graph::AddOp>({data, half});
  data = node.create<graph::DivideOp>({data, scalar(kResizeOne * kResizeOne)});
  data = node.createCast(data, getStorageElementType(type.getElementType()));
  return data ? castStorage(node, data, type.getElementType()) : Value();
}

//===----------------------------------------------------------------------===//
// BATCH_MATMUL, PRELU, QUANTIZE, SQUARED_DIFFERENCE
//===----------------------------------------------------------------------===//

Value tflite::createFixedPointMatmul(Node &node, bool transposeX,
                                     bool transposeY) {
  RankedTensorType type = getFixedPointType(node, 2, /*takesWide=*/true);
  if (!type)
    return {};
  bool wide = isWide(type.getElementType());
  graph::BatchMatmulOp::Properties properties;
  properties.transpose_a = node.getBuilder().getBoolAttr(transposeX);
  properties.transpose_b = node.getBuilder().getBoolAttr(transposeY);
  properties.out_dtype = TypeAttr::get(wide ? node.getBuilder().getI64Type()
                                            : node.getBuilder().getI32Type());
  Value sums = node.create<graph::BatchMatmulOp>(
      {getSteps(node, 0), getSteps(node, 1)}, properties);
  // The product of the scales is rounded to f32, the quotient is not.
  double factor =
      double(getScale(node, 0) * getScale(node, 1)) / getScale(type);
  if (!wide)
    return finish(node, sums, factor, type);
  Quantization to = Quantization::of(type.getElementType());
  return storeSteps(
      node, createWideMultiply(node, sums, FixedPointFactor::of(factor)),
      type.getElementType(), {to.min, to.max});
}

Value tflite::createFixedPointPRelu(Node &node) {
  RankedTensorType type = getFixedPointType(node, 2);
  if (!type)
    return {};
  Value steps = getSteps(node, 0);
  Value product = node.create<graph::MultiplyOp>({steps, getSteps(node, 1)});
  if (!product)
    return {};
  float identity = getScale(node, 0) / getScale(type);
  float slope = getScale(node, 0) * getScale(node, 1) / getScale(type);
  Value positive =
      createFixedPointMultiply(node, steps, FixedPointFactor::of(identity));
  Value negative =
      createFixedPointMultiply(node, product, FixedPointFactor::of(slope));
  Value isNegative = node.create<graph::LessOp>(
      {steps, node.createScalar(getElementType(steps), 0)});
  Quantization to = Quantization::of(type.getElementType());
  return storeSteps(
      node, node.create<graph::WhereOp>({isNegative, negative, positive}),
      type.getElementType(), {to.min, to.max});
}

Value tflite::createFixedPointSquaredDifference(Node &node) {
  RankedTensorType type = getFixedPointType(node, 2);
  if (!type)
    return {};
  constexpr int kShift = 7;
  double widest = 2.0 * std::max(getScale(node, 0), getScale(node, 1));
  auto rescale = [&](unsigned index) {
    Value steps = getSteps(node, index);
    Value shifted = steps ? node.create<graph::MultiplyOp>(
                                {steps, node.createScalar(getElementType(steps),
                                                          1 << kShift)})
                          : Value();
    return createFixedPointMultiply(
        node, shifted, FixedPointFactor::of(getScale(node, index) / widest));
  };
  Value lhs = rescale(0), rhs = rescale(1);
  Value difference = node.create<graph::SubtractOp>({lhs, rhs});
  Value square = node.create<graph::MultiplyOp>({difference, difference});
  return finish(
      node, square,
      widest * widest / (std::ldexp(1.0, 2 * kShift) * getScale(type)), type);
}

Value tflite::createFixedPointRequantize(Node &node) {
  Type from = node.findQuantizedElement(0), to = node.findQuantizedResult();
  if (!from || !to || Quantization::of(from).axis || Quantization::of(to).axis)
    return {};
  Type stored = getStorageElementType(to);
  bool isWord = stored.isSignlessInteger(32);
  if (!isWord && !node.roundsInFixedPoint())
    return {};
  Value data = castStorage(node, node.getStored(0), from);
  Value result = graph::RequantizeOp::create(
      node.getBuilder(), node.getLocation(),
      RankedTensorType::get(getShape(data), to), data, DenseI64ArrayAttr(),
      graph::kTFLiteRounding);
  return isWord ? castStorage(node, result, stored) : result;
}

//===- FixedPointFunctions.cpp - Functions in integers --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Products, means and softmax are operators on i32.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"

#include "FixedPointMath.h"
#include "WindowRules.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::ActivationFunctionType;

Quantization tflite::getQuantization(Value value) {
  return Quantization::of(getElementType(value));
}

Value tflite::getIntegers(Node &node, unsigned index) {
  Value stored = node.getStored(index);
  stored =
      castStorage(node, stored, getStorageElementType(getElementType(stored)));
  return node.createCast(stored, node.getBuilder().getI32Type());
}

Value tflite::getSteps(Node &node, unsigned index) {
  Value integers = getIntegers(node, index);
  int64_t zero = getQuantization(node.getStored(index)).zeroPoints.front();
  if (!integers || zero == 0)
    return integers;
  return node.create<graph::SubtractOp>(
      {integers, node.createScalar(getElementType(integers), double(zero))});
}

/// Adds `zeroPoint` to numbers of i32 and stores the sums, within bounds. The
/// numbers are limited first, since the sums might not fit.
static Value store(Node &node, Value numbers, int64_t zeroPoint,
                   Type elementType, std::pair<int64_t, int64_t> bounds) {
  if (!numbers)
    return {};
  numbers = node.createClip(numbers, double(bounds.first - zeroPoint),
                            double(bounds.second - zeroPoint));
  if (zeroPoint != 0)
    numbers = node.create<graph::AddOp>(
        {numbers,
         node.createScalar(getElementType(numbers), double(zeroPoint))});
  numbers = node.createCast(numbers, getStorageElementType(elementType));
  return numbers ? castStorage(node, numbers, elementType) : Value();
}

Value tflite::storeSteps(Node &node, Value steps, Type elementType,
                         std::pair<int64_t, int64_t> bounds) {
  return store(node, steps, Quantization::of(elementType).zeroPoints.front(),
               elementType, bounds);
}

Value tflite::createFixedPointMultiply(Node &node, Value data,
                                       const FixedPointFactor &factor) {
  if (!data)
    return {};
  Type i32 = getElementType(data);
  if (int64_t left = factor.getLeftShift()) {
    // The left shift saturates: an overflow is a bound in any case.
    data = node.createClip(data,
                           double(std::numeric_limits<int32_t>::min() >> left),
                           double(std::numeric_limits<int32_t>::max() >> left));
    data = node.create<graph::LeftShiftOp>(
        {data, node.createScalar(i32, double(left))});
  }
  return node.create<graph::FixedPointMultiplyOp>(
      {data, node.createScalar(i32, double(factor.multiplier)),
       node.createScalar(i32, double(factor.getRightShift()))});
}

Value tflite::createWideMultiply(Node &node, Value data,
                                 ArrayRef<FixedPointFactor> factors) {
  if (!data)
    return {};
  // The kernel takes left shifts of up to 7 bits.
  if (llvm::any_of(factors, [](const FixedPointFactor &factor) {
        return factor.shift > 7;
      }))
    return {};
  Type i64 = node.getBuilder().getI64Type();
  SmallVector<int64_t> shape;
  if (factors.size() > 1)
    shape.push_back(factors.size());
  HostTensor multipliers(RankedTensorType::get(shape, i64));
  HostTensor halves = multipliers, shifts = multipliers;
  for (auto [i, factor] : llvm::enumerate(factors)) {
    int64_t reduced = (factor.multiplier + (1 << 15)) >> 16;
    int64_t shift = 15 - factor.shift;
    multipliers.setInt(
        i, std::min<int64_t>(reduced, std::numeric_limits<int16_t>::max()));
    halves.setInt(i, int64_t(1) << (shift - 1));
    shifts.setInt(i, shift);
  }
  Value products =
      node.create<graph::MultiplyOp>({data, node.createConstant(multipliers)});
  products = node.create<graph::AddOp>({products, node.createConstant(halves)});
  return node.createCast(
      node.create<graph::RightShiftOp>({products, node.createConstant(shifts)}),
      node.getBuilder().getI32Type());
}

Value tflite::lookUp(Node &node, Value integers, int64_t first,
                     const HostTensor &table) {
  if (!integers)
    return {};
  if (first != 0)
    integers = node.create<graph::SubtractOp>(
        {integers, node.createScalar(getElementType(integers), double(first))});
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(0);
  // Steps of recurrent layers look up the same tables.
  constexpr int64_t kInlineBytes = 1024;
  return node.create<graph::TakeOp>(
      {node.createConstant(table, kInlineBytes), integers}, properties);
}

//===----------------------------------------------------------------------===//
// Products and means
//===----------------------------------------------------------------------===//

Value tflite::createFixedPointProduct(Node &node,
                                      ActivationFunctionType activation) {
  RankedTensorType type = getFixedPointType(node, 2, /*takesWide=*/true);
  if (!type)
    return {};
  Type elements = type.getElementType();
  auto bounds = getBounds(Quantization::of(elements), activation);
  if (!bounds)
    return {};
  auto getScale = [](Type type) {
    return float(Quantization::of(type).scales.front());
  };
  // The kernels round to f32.
  float factor = getScale(getElementType(node.getStored(0))) *
                 getScale(getElementType(node.getStored(1))) /
                 getScale(elements);
  Value product =
      node.create<graph::MultiplyOp>({getSteps(node, 0), getSteps(node, 1)});
  Value steps =
      createFixedPointMultiply(node, product, FixedPointFactor::of(factor));
  return storeSteps(node, steps, elements, *bounds);
}

static bool hasPadding(const graph::Window &window) {
  return llvm::any_of(getPads(window), [](int64_t pad) { return pad != 0; });
}

/// Returns the number of elements in each window that are data, NHWC.
static HostTensor countElements(Node &node, const graph::Window &window) {
  int64_t rows = window.getOutput(0), columns = window.getOutput(1);
  HostTensor counts(RankedTensorType::get({1, rows, columns, 1},
                                          node.getBuilder().getI32Type()));
  auto count = [&](size_t dim, int64_t result) {
    int64_t first = result * window.strides[dim] - window.padBegin[dim];
    int64_t last = std::min(first + window.kernel[dim], window.input[dim]);
    return last - std::max<int64_t>(first, 0);
  };
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      counts.setInt(row * columns + column, count(0, row) * count(1, column));
  return counts;
}

/// Returns the sums of the stored integers in windows, as i32.
static Value sumWindows(Node &node, const graph::Window &window) {
  OpBuilder &builder = node.getBuilder();
  if (window.kernel == window.input && !hasPadding(window))
    return node.createReduction<graph::SumOp>(getIntegers(node, 0), {1, 2},
                                              true);
  Value data = node.getStored(0);
  data = castStorage(node, data, getStorageElementType(getElementType(data)));
  int64_t channels = getShape(data).back();
  HostTensor ones(RankedTensorType::get(
      {window.kernel[0], window.kernel[1], 1, channels}, builder.getI8Type()));
  for (int64_t i = 0, e = ones.getNumElements(); i < e; ++i)
    ones.setInt(i, 1);
  graph::Conv2dOp::Properties properties;
  properties.strides = builder.getDenseI64ArrayAttr(window.strides);
  properties.padding = builder.getDenseI64ArrayAttr(getPads(window));
  properties.groups = builder.getI64IntegerAttr(channels);
  properties.data_layout = builder.getStringAttr("NHWC");
  properties.kernel_layout = builder.getStringAttr("HWIO");
  properties.out_dtype = TypeAttr::get(builder.getI32Type());
  return node.create<graph::Conv2dOp>({data, node.createConstant(ones)},
                                      properties);
}

Value tflite::createFixedPointPool(Node &node, const graph::Window &window,
                                   ActivationFunctionType activation) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type || getElementType(node.getStored(0)) != type.getElementType())
    return {};
  auto bounds = getBounds(Quantization::of(type.getElementType()), activation);
  if (!bounds)
    return {};
  Value sums = sumWindows(node, window);
  if (!sums)
    return {};
  Type i32 = getElementType(sums);
  Value count, half;
  if (hasPadding(window)) {
    HostTensor counts = countElements(node, window), halves = counts;
    for (int64_t i = 0, e = counts.getNumElements(); i < e; ++i)
      halves.setInt(i, counts.getInt(i) / 2);
    count = node.createConstant(counts);
    half = node.createConstant(halves);
  } else {
    int64_t elements = window.kernel[0] * window.kernel[1];
    count = node.createScalar(i32, double(elements));
    half = node.createScalar(i32, double(elements / 2));
  }
  Value magnitude = node.create<graph::AbsOp>({sums});
  Value mean = node.create<graph::DivideOp>(
      {node.create<graph::AddOp>({magnitude, half}), count});
  mean = node.create<graph::MultiplyOp>(
      {mean, node.create<graph::SignOp>({sums})});
  return store(node, mean, /*zeroPoint=*/0, type.getElementType(), *bounds);
}

Value tflite::createFixedPointReduction(Node &node, ArrayRef<int64_t> axes,
                                        bool keepdims, bool isMean) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type)
    return {};
  Value data = node.getStored(0);
  Quantization from = getQuantization(data);
  Quantization to = Quantization::of(type.getElementType());
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= getShape(data)[axis];
  // Sums of more elements may exceed i32.
  int64_t limit = isWide(type.getElementType()) ? 15 : 23;
  if (count < 1 || count > (int64_t(1) << limit))
    return {};
  FixedPointFactor factor =
      FixedPointFactor::of(from.scales.front() / to.scales.front());
  if (isMean) {
    // The kernel divides the multiplier, with as many bits as fit.
    int64_t bits = std::min<int64_t>(llvm::Log2_64(count), 31 + factor.shift);
    factor.multiplier = (factor.multiplier << bits) / count;
    factor.shift -= bits;
  }
  Value sums =
      node.createReduction<graph::SumOp>(getSteps(node, 0), axes, keepdims);
  Value steps = createFixedPointMultiply(node, sums, factor);
  return storeSteps(node, steps, type.getElementType(), {to.min, to.max});
}

Value tflite::createFixedPointProd(Node &node, ArrayRef<int64_t> axes,
                                   bool keepdims) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type || getStorageElementType(type.getElementType()).isUnsignedInteger())
    return {};
  Value data = getSteps(node, 0);
  Type i64 = node.getBuilder().getI64Type();
  Quantization to = Quantization::of(type.getElementType());
  SmallVector<int64_t> shape(getShape(data)), order, result;
  int64_t count = 1, rows = 1;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    bool isReduced = llvm::is_contained(axes, int64_t(axis));
    (isReduced ? count : rows) *= size;
    if (!isReduced)
      order.push_back(axis);
    if (!isReduced || keepdims)
      result.push_back(isReduced ? 1 : size);
  }
  // Each factor has operators of its own.
  constexpr int64_t kMaxFactors = 64;
  if (count < 1 || count > kMaxFactors)
    return {};
  llvm::append_range(order, axes);
  data = node.createReshape(node.createTranspose(data, order), {rows, count});
  data = data ? node.createCast(data, i64) : Value();
  if (!data)
    return {};
  // The kernel scales each product by a root of the whole factor.
  FixedPointFactor factor =
      FixedPointFactor::of(getQuantization(node.getStored(0)).scales.front() /
                           std::pow(to.scales.front(), 1.0 / double(count)));
  Value product;
  for (int64_t i = 0; i < count; ++i) {
    Value next = node.createSlice(data, {0, i}, {rows, 1}, {1, 1});
    if (product)
      next = node.createCast(
          createWideMultiply(
              node, node.create<graph::MultiplyOp>({product, next}), factor),
          i64);
    if (!next)
      return {};
    product = next;
  }
  Value steps = createWideMultiply(node, product, factor);
  return steps ? storeSteps(node, node.createReshape(steps, result),
                            type.getElementType(), {to.min, to.max})
               : Value();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

Value tflite::countLeadingZeros(Node &node, Value numbers) {
  if (!numbers)
    return {};
  Type i32 = getElementType(numbers);
  // The leading zeros: powers of two above, and the bit of the sign.
  constexpr int64_t kPowers = 31;
  HostTensor powers(RankedTensorType::get({kPowers}, i32));
  for (int64_t i = 0; i < kPowers; ++i)
    powers.setInt(i, int64_t(1) << i);
  Value above = node.createCast(
      node.create<graph::LessOp>({numbers, node.createConstant(powers)}), i32);
  return node.create<graph::AddOp>(
      {node.createReduction<graph::SumOp>(above, {-1}, true),
       node.createScalar(i32, 1)});
}

/// Returns `2^31 / sums`, rounded as the kernel does, for sums with 12 integer
/// bits of at least 1, divided by a power of two so that it has 31 bits.
/// Returns the power's exponent in `bits`.
static Value createReciprocal(Node &node, Value sums, Value &bits) {
  if (!sums)
    return {};
  Type i32 = getElementType(sums);
  auto scalar = [&](double number) { return node.createScalar(i32, number); };
  auto multiply = [&](Value data, Value multiplier) {
    return node.create<graph::FixedPointMultiplyOp>(
        {data, multiplier, scalar(0)});
  };
  Value zeros = countLeadingZeros(node, sums);
  bits = node.create<graph::SubtractOp>({scalar(12), zeros});
  // A number in [0, 1): the sum without its leading bit.
  Value rest = node.create<graph::BitwiseAndOp>(
      {node.create<graph::LeftShiftOp>({sums, zeros}),
       scalar(double(std::numeric_limits<int32_t>::max()))});
  // Newton's method for 1 / (1 + rest), from 48/17 - 32/17 of a half of it.
  Value half = node.create<graph::AddOp>(
      {node.create<graph::RightShiftOp>({rest, scalar(1)}),
       scalar(double(int64_t(1) << 30))});
  Value x = node.create<graph::AddOp>(
      {multiply(scalar(-1010580540), half), scalar(1515870810)});
  for (int step = 0; step < 3; ++step) {
    Value error = node.create<graph::SubtractOp>(
        {scalar(double(int64_t(1) << 29)), multiply(half, x)});
    x = node.create<graph::AddOp>(
        {x, node.create<graph::MultiplyOp>({multiply(error, x), scalar(4)})});
  }
  // Doubled, and 1 is the largest integer.
  Value isOne = node.create<graph::GreaterOp>(
      {x, scalar(double((int64_t(1) << 30) - 1))});
  Value largest = scalar(double(std::numeric_limits<int32_t>::max()));
  return node.create<graph::WhereOp>(
      {isOne, largest, node.create<graph::MultiplyOp>({x, scalar(2)})});
}

Value tflite::createFixedPointSoftmax(Node &node, float beta) {
  if (Value result = createWideSoftmax(node, beta))
    return result;
  RankedTensorType type = getFixedPointType(node, 1);
  if (!type)
    return {};
  Quantization from = getQuantization(node.getStored(0));
  Quantization to = Quantization::of(type.getElementType());
  constexpr int64_t kIntegerBits = 5;
  double real = std::min(double(beta) * from.scales.front() *
                             std::ldexp(1.0, 31 - kIntegerBits),
                         std::ldexp(1.0, 31) - 1);
  // The kernels write 256ths from the least integer on. The sums of more
  // elements exceed 12 integer bits.
  if (to.scales.front() != 1.0 / 256 || to.zeroPoints.front() != to.min ||
      from.min != to.min || !(real > 1) || type.getShape().empty() ||
      type.getShape().back() >= 1 << 12)
    return {};
  FixedPointFactor factor = FixedPointFactor::of(real);
  int64_t radius = getInputRadius(kIntegerBits, factor.shift);
  Type i32 = node.getBuilder().getI32Type();
  // For the distances of elements to the largest one.
  constexpr int64_t kDistances = 256, kSumBits = 12;
  HostTensor exponentials(RankedTensorType::get({kDistances}, i32));
  HostTensor terms = exponentials;
  for (int64_t distance = 0; distance < kDistances; ++distance) {
    int64_t number = 0;
    if (distance <= radius)
      number = expOfNegative(
          multiplyHigh(-distance * (int64_t(1) << factor.getLeftShift()),
                       factor.multiplier),
          kIntegerBits);
    exponentials.setInt(distance, number);
    terms.setInt(distance, divideByPowerOfTwo(number, kSumBits));
  }
  Value integers = getIntegers(node, 0);
  if (!integers)
    return {};
  Value distances = node.create<graph::SubtractOp>(
      {node.createReduction<graph::MaxOp>(integers, {-1}, true), integers});
  Value sums = node.createReduction<graph::SumOp>(
      lookUp(node, distances, 0, terms), {-1}, true);
  Value bits;
  Value reciprocal = createReciprocal(node, sums, bits);
  // More than 31 bits leave no element above 0.
  Value shift = node.create<graph::MinimumOp>(
      {node.create<graph::AddOp>({bits, node.createScalar(i32, 31 - 8)}),
       node.createScalar(i32, 31)});
  Value result = node.create<graph::FixedPointMultiplyOp>(
      {lookUp(node, distances, 0, exponentials), reciprocal, shift});
  return storeSteps(node, result, type.getElementType(), {to.min, to.max});
}

//===- FixedPointTables.cpp - Functions of one operand in integers --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A function of one operand of 8 bits is a table of 256 integers.
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"

#include "FixedPointMath.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::ActivationFunctionType;

/// Applies a function from steps to stored integers, within the range of the
/// result.
static Value createTable(Node &node, RankedTensorType type,
                         function_ref<int64_t(int64_t steps)> compute) {
  Quantization from = getQuantization(node.getStored(0));
  Quantization to = Quantization::of(type.getElementType());
  HostTensor table(RankedTensorType::get(
      {from.max - from.min + 1}, getStorageElementType(type.getElementType())));
  for (int64_t stored = from.min; stored <= from.max; ++stored)
    table.setInt(
        stored - from.min,
        std::clamp(compute(stored - from.zeroPoints.front()), to.min, to.max));
  Value result = lookUp(node, getIntegers(node, 0), from.min, table);
  return result ? castStorage(node, result, type.getElementType()) : Value();
}

/// Applies a function of numbers with 4 integer bits. The kernels fix the scale
/// of the result, 2^`-bits`, and its zero point.
static Value createSaturatingFunction(Node &node, int64_t bits,
                                      int64_t zeroPoint,
                                      function_ref<int64_t(int64_t)> compute) {
  RankedTensorType type = getFixedPointType(node, 1);
  if (!type ||
      !getStorageElementType(type.getElementType()).isSignlessInteger(8))
    return {};
  Quantization from = getQuantization(node.getStored(0));
  Quantization to = Quantization::of(type.getElementType());
  if (to.scales.front() != std::ldexp(1.0, int(-bits)) ||
      to.zeroPoints.front() != zeroPoint)
    return {};
  constexpr int64_t kIntegerBits = 4;
  FixedPointFactor factor =
      FixedPointFactor::of(std::ldexp(from.scales.front(), 31 - kIntegerBits));
  int64_t radius = getInputRadius(kIntegerBits, factor.shift);
  return createTable(node, type, [&](int64_t steps) {
    if (std::abs(steps) >= radius)
      return steps < 0 ? to.min : to.max;
    return divideByPowerOfTwo(compute(factor.apply(steps)), 31 - bits) +
           zeroPoint;
  });
}

Value tflite::createFixedPointLogistic(Node &node) {
  if (Value result = createWideLogistic(node))
    return result;
  return createSaturatingFunction(node, 8, -128, logistic);
}

Value tflite::createFixedPointTanh(Node &node) {
  if (Value result = createWideTanh(node))
    return result;
  return createSaturatingFunction(node, 7, 0, tanhOf);
}

/// Returns the quotient of the scales of operand and result, times `factor`,
/// which the kernels compute in f32.
static FixedPointFactor getFactor(Node &node, RankedTensorType type,
                                  float factor) {
  float from = float(getQuantization(node.getStored(0)).scales.front());
  float to = float(Quantization::of(type.getElementType()).scales.front());
  return FixedPointFactor::of(from * factor / to);
}

Value tflite::createFixedPointActivation(Node &node,
                                         ActivationFunctionType activation) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type)
    return {};
  Quantization to = Quantization::of(type.getElementType());
  auto bounds = getBounds(to, activation);
  if (!bounds || bounds->first > bounds->second)
    return {};
  FixedPointFactor factor = getFactor(node, type, 1);
  if (isWide(type.getElementType()))
    return storeSteps(node,
                      createFixedPointMultiply(node, getSteps(node, 0), factor),
                      type.getElementType(), *bounds);
  return createTable(node, type, [&](int64_t steps) {
    return std::clamp(factor.apply(steps) + to.zeroPoints.front(),
                      bounds->first, bounds->second);
  });
}

Value tflite::createFixedPointAbs(Node &node) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type)
    return {};
  FixedPointFactor factor = getFactor(node, type, 1);
  Quantization to = Quantization::of(type.getElementType());
  if (isWide(type.getElementType())) {
    Value steps = node.create<graph::AbsOp>({getSteps(node, 0)});
    return storeSteps(node, createFixedPointMultiply(node, steps, factor),
                      type.getElementType(), {to.min, to.max});
  }
  return createTable(node, type, [&](int64_t steps) {
    return factor.apply(std::abs(steps)) + to.zeroPoints.front();
  });
}

Value tflite::createFixedPointLeakyRelu(Node &node, float slope) {
  RankedTensorType type = getFixedPointType(node, 1, /*takesWide=*/true);
  if (!type)
    return {};
  FixedPointFactor positive = getFactor(node, type, 1);
  // The kernel multiplies by the magnitude and negates the product.
  FixedPointFactor negative = getFactor(node, type, std::abs(slope));
  int64_t sign = slope < 0 ? -1 : 1;
  Quantization to = Quantization::of(type.getElementType());
  if (!isWide(type.getElementType()))
    return createTable(node, type, [&](int64_t steps) {
      return (steps < 0 ? sign * negative.apply(steps)
                        : positive.apply(steps)) +
             to.zeroPoints.front();
    });
  Value steps = getSteps(node, 0);
  if (!steps)
    return {};
  auto scalar = [&](int64_t number) {
    return node.createScalar(getElementType(steps), double(number));
  };
  Value below = node.create<graph::MultiplyOp>(
      {createFixedPointMultiply(node, steps, negative), scalar(sign)});
  Value result = node.create<graph::WhereOp>(
      {node.create<graph::LessOp>({steps, scalar(0)}), below,
       createFixedPointMultiply(node, steps, positive)});
  return storeSteps(node, result, type.getElementType(), {to.min, to.max});
}

/// Returns the nearest integer of 16 bits to a number.
static int64_t saturate16(int64_t number) {
  return std::clamp<int64_t>(number, std::numeric_limits<int16_t>::min(),
                             std::numeric_limits<int16_t>::max());
}

/// Returns the multiplier of a factor in 15 bits.
static int64_t getMultiplier16(const FixedPointFactor &factor) {
  return saturate16((factor.multiplier + (1 << 15)) >> 16);
}

/// Returns `a * b / 2^15`, rounded; halves are rounded up.
static int64_t multiplyHigh16(int64_t a, int64_t b) {
  return (a * b + (1 << 14)) >> 15;
}

Value tflite::createFixedPointHardSwish(Node &node) {
  RankedTensorType type = getFixedPointType(node, 1);
  if (!type)
    return {};
  // Steps of the operand have 7 more bits here. A sigmoid of integers in
  // [-2^15, 2^15) stands for [-3, 3).
  constexpr int64_t kMoreBits = 7;
  float scale = float(getQuantization(node.getStored(0)).scales.front()) / 128;
  Quantization to = Quantization::of(type.getElementType());
  FixedPointFactor toResult =
      FixedPointFactor::of(scale / float(to.scales.front()));
  FixedPointFactor toSigmoid = FixedPointFactor::of(scale / (3.0f / 32768.0f));
  if (toResult.shift > 0)
    return {}; // refused by the kernel
  return createTable(node, type, [&](int64_t steps) {
    int64_t fine = steps * (1 << kMoreBits);
    int64_t sigmoid = fine;
    // All but one bit of a left shift come first: those that saturate then are
    // beyond the range in any case.
    if (toSigmoid.shift > 0)
      sigmoid = saturate16(sigmoid * (int64_t(1) << (toSigmoid.shift - 1)));
    sigmoid = multiplyHigh16(sigmoid, getMultiplier16(toSigmoid));
    if (toSigmoid.shift > 0)
      sigmoid = saturate16(sigmoid * 2);
    sigmoid = divideByPowerOfTwo(sigmoid, toSigmoid.getRightShift());
    sigmoid = (sigmoid + (1 << 15)) >> 1;
    int64_t linear = multiplyHigh16(fine, getMultiplier16(toResult));
    // This product is truncated.
    int64_t product = saturate16(sigmoid * linear / (1 << 15));
    return divideByPowerOfTwo(product, toResult.getRightShift()) +
           to.zeroPoints.front();
  });
}

Value tflite::createFixedPointElu(Node &node) {
  RankedTensorType type = getFixedPointType(node, 1);
  if (!type)
    return {};
  // The kernel makes a table in f32, too.
  float from = float(getQuantization(node.getStored(0)).scales.front());
  Quantization to = Quantization::of(type.getElementType());
  float inverse = 1 / float(to.scales.front());
  return createTable(node, type, [&](int64_t steps) {
    float number = from * float(steps);
    number = number < 0 ? std::expm1(number) : number;
    double rounded = std::round(number * inverse);
    return int64_t(std::clamp(rounded, -1e6, 1e6)) + to.zeroPoints.front();
  });
}

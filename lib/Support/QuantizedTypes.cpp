//===- QuantizedTypes.cpp - Elements that stand for real numbers ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;

bool uma::isQuantized(Type elementType) {
  return isa<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
      elementType);
}

Type uma::getStorageElementType(Type elementType) {
  auto type = dyn_cast<quant::QuantizedType>(elementType);
  if (!type)
    return elementType;
  // Graphs call signed integers signless.
  return IntegerType::get(type.getContext(), type.getStorageTypeIntegralWidth(),
                          type.isSigned() ? IntegerType::Signless
                                          : IntegerType::Unsigned);
}

RankedTensorType uma::getStorageType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(),
                               getStorageElementType(type.getElementType()),
                               type.getEncoding());
}

Quantization Quantization::of(Type elementType) {
  auto type = cast<quant::QuantizedType>(elementType);
  Quantization result;
  result.min = type.getStorageTypeMin();
  result.max = type.getStorageTypeMax();
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(elementType)) {
    result.scales = {uniform.getScale()};
    result.zeroPoints = {uniform.getZeroPoint()};
    return result;
  }
  auto perAxis = cast<quant::UniformQuantizedPerAxisType>(elementType);
  result.scales.assign(perAxis.getScales().begin(), perAxis.getScales().end());
  result.zeroPoints.assign(perAxis.getZeroPoints().begin(),
                           perAxis.getZeroPoints().end());
  result.axis = perAxis.getQuantizedDimension();
  return result;
}

bool Quantization::isSymmetric() const {
  return llvm::all_of(zeroPoints, [](int64_t point) { return point == 0; });
}

SmallVector<int64_t> Quantization::getBroadcastShape(int64_t rank) const {
  if (!axis)
    return {};
  SmallVector<int64_t> shape(rank - *axis, 1);
  shape.front() = int64_t(scales.size());
  return shape;
}

int64_t uma::multiplyHigh(int64_t a, int64_t b) {
  return (a * b + (int64_t(1) << 30)) >> 31;
}

int64_t uma::divideByPowerOfTwo(int64_t number, int64_t bits) {
  if (bits == 0)
    return number;
  int64_t half = int64_t(1) << (bits - 1);
  return (number + half - (number < 0 ? 1 : 0)) >> bits;
}

FixedPointFactor FixedPointFactor::get(const Quantization &from, size_t index,
                                       const Quantization &to) {
  // The kernels of layers with one scale round the product of scales to f32.
  double scale = from.axis ? from.scales[index] : double(float(from.scales[0]));
  return of(scale / to.scales.front());
}

FixedPointFactor FixedPointFactor::of(double number) {
  FixedPointFactor result;
  int exponent;
  double mantissa = std::frexp(number, &exponent);
  constexpr int kBits = 31;
  result.multiplier = int64_t(std::round(std::ldexp(mantissa, kBits)));
  result.shift = exponent;
  if (result.multiplier == int64_t(1) << kBits) {
    result.multiplier /= 2;
    ++result.shift;
  }
  // Every result is 0, or all integers overflow.
  if (result.shift < -kBits)
    return {};
  if (result.shift > kBits - 1)
    return {(int64_t(1) << kBits) - 1, kBits - 1};
  return result;
}

int64_t FixedPointFactor::apply(int64_t steps) const {
  constexpr int64_t low = std::numeric_limits<int32_t>::min();
  constexpr int64_t high = std::numeric_limits<int32_t>::max();
  int64_t left = int64_t(1) << getLeftShift();
  int64_t shifted = std::clamp(std::clamp(steps, low, high) * left, low, high);
  return divideByPowerOfTwo(multiplyHigh(shifted, multiplier), getRightShift());
}

Type uma::getBiasType(Type sums) {
  Quantization numbers = Quantization::of(sums);
  std::optional<int64_t> axis;
  if (numbers.axis)
    axis = 0;
  return makeQuantizedType(sums.getContext(), 32, /*isSigned=*/true,
                           numbers.scales, numbers.zeroPoints, axis);
}

quant::QuantizedType uma::makeQuantizedType(MLIRContext *context,
                                            unsigned width, bool isSigned,
                                            ArrayRef<double> scales,
                                            ArrayRef<int64_t> zeroPoints,
                                            std::optional<int64_t> axis) {
  Builder builder(context);
  unsigned flags = isSigned ? quant::QuantizationFlags::Signed : 0;
  Type storage = builder.getIntegerType(width);
  int64_t min =
      quant::QuantizedType::getDefaultMinimumForInteger(isSigned, width);
  int64_t max =
      quant::QuantizedType::getDefaultMaximumForInteger(isSigned, width);
  // Upstream's verifier accepts any zero point.
  auto isScale = [](double scale) {
    return scale >= std::numeric_limits<float>::min() &&
           scale <= std::numeric_limits<float>::max();
  };
  if (!llvm::all_of(scales, isScale) ||
      !llvm::all_of(zeroPoints, [&](int64_t point) {
        return point >= min && point <= max;
      }))
    return {};
  if (!axis)
    return quant::UniformQuantizedType::get(flags, storage,
                                            builder.getF32Type(), scales[0],
                                            zeroPoints[0], min, max);
  return quant::UniformQuantizedPerAxisType::get(
      flags, storage, builder.getF32Type(), scales, zeroPoints, int32_t(*axis),
      min, max);
}

quant::UniformQuantizedPerAxisType
uma::withAxis(quant::UniformQuantizedPerAxisType type, int64_t axis) {
  return quant::UniformQuantizedPerAxisType::get(
      type.getFlags(), type.getStorageType(), type.getExpressedType(),
      type.getScales(), type.getZeroPoints(), int32_t(axis),
      type.getStorageTypeMin(), type.getStorageTypeMax());
}

//===- QuantizedRounding.cpp - Roundings of quantized numbers ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "QuantizedRounding.h"

#include "Constants.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

Value graph::roundQuotient(OpBuilder &builder, Operation *op, Value value,
                           StringRef rounding) {
  Location loc = op->getLoc();
  Type type = value.getType();
  if (rounding == kFloatRounding)
    return RoundOp::create(builder, loc, type, value);
  // Halves away from zero. The difference is exact, while adding 0.5 is not.
  Value magnitude = AbsOp::create(builder, loc, type, value);
  Value whole = FloorOp::create(builder, loc, type, magnitude);
  Value rest = SubtractOp::create(builder, loc, type, magnitude, whole);
  HostTensor half(RankedTensorType::get({}, builder.getF32Type()));
  half.setDouble(0, 0.5);
  Value isUp = GreaterEqualOp::create(
      builder, loc,
      RankedTensorType::get(getTensorType(value).getShape(),
                            builder.getI1Type()),
      rest, createConstant(builder, op, "half", half));
  Value up = CastOp::create(builder, loc, isUp, builder.getF32Type());
  Value rounded = AddOp::create(builder, loc, type, whole, up);
  Value sign = SignOp::create(builder, loc, type, value);
  return MultiplyOp::create(builder, loc, type, rounded, sign);
}

Value graph::scaleFixedPoint(OpBuilder &builder, Operation *op, Value number,
                             const Quantization &from, const Quantization &to) {
  Location loc = op->getLoc();
  SmallVector<FixedPointFactor> factors;
  for (size_t i = 0, e = from.scales.size(); i != e; ++i)
    factors.push_back(FixedPointFactor::get(from, i, to));
  Type i32 = builder.getI32Type();
  RankedTensorType shape = RankedTensorType::get(
      from.getBroadcastShape(getTensorType(number).getRank()), i32);
  auto numbers = [&](StringRef suffix, auto getNumber) {
    HostTensor tensor(shape);
    for (size_t i = 0, e = factors.size(); i != e; ++i)
      tensor.setInt(i, getNumber(factors[i]));
    return createConstant(builder, op, suffix, tensor);
  };
  if (getElements(number) != i32) {
    auto cast = CastOp::create(builder, loc, number, i32);
    // Floats hold sums that fit.
    cast->setAttr(kInRangeAttrName, builder.getUnitAttr());
    number = cast;
  }
  Type type = number.getType();
  if (llvm::any_of(factors, [](const FixedPointFactor &factor) {
        return factor.getLeftShift() != 0;
      })) {
    // The left shift saturates: an overflow is a bound in any case.
    Value low = numbers("lowest", [](const FixedPointFactor &factor) {
      return int64_t(INT32_MIN) >> factor.getLeftShift();
    });
    Value high = numbers("highest", [](const FixedPointFactor &factor) {
      return int64_t(INT32_MAX) >> factor.getLeftShift();
    });
    Value power = numbers("power", [](const FixedPointFactor &factor) {
      return int64_t(1) << factor.getLeftShift();
    });
    number = MaximumOp::create(builder, loc, type, number, low);
    number = MinimumOp::create(builder, loc, type, number, high);
    number = MultiplyOp::create(builder, loc, type, number, power);
  }
  Value multiplier = numbers(
      "multiplier", [](const FixedPointFactor &f) { return f.multiplier; });
  Value shift = numbers(
      "shift", [](const FixedPointFactor &f) { return f.getRightShift(); });
  return FixedPointMultiplyOp::create(builder, loc, number, multiplier, shift);
}

//===----------------------------------------------------------------------===//
// Sums of two products
//===----------------------------------------------------------------------===//

/// Returns `a * b + c`, rounded once or after each operation.
static float multiplyAdd(float a, float b, float c, bool isFused) {
  if (isFused)
    return std::fma(a, b, c);
  volatile float product = a * b;
  return product + c;
}

bool graph::needsExactProducts(QuantizedAddOp op) {
  Quantization lhs = Quantization::of(getElements(op.getLhs()));
  Quantization rhs = Quantization::of(getElements(op.getRhs()));
  Quantization type = Quantization::of(getElements(op.getResult()));
  if (!holdsBytes(op.getLhs()) || !holdsBytes(op.getRhs()))
    return false;
  auto [left, right, constant] = op.getFactors();
  auto round = [&, left = left](int64_t x, float sum, bool isFused) {
    double rounded = std::nearbyint(multiplyAdd(float(x), left, sum, isFused));
    return std::clamp(rounded, double(type.min), double(type.max));
  };
  for (int64_t y = rhs.min; y <= rhs.max; ++y) {
    float exact = multiplyAdd(float(y), right, constant, /*isFused=*/true);
    float other = multiplyAdd(float(y), right, constant, /*isFused=*/false);
    for (int64_t x = lhs.min; x <= lhs.max; ++x) {
      double expected = round(x, exact, /*isFused=*/true);
      if (round(x, exact, /*isFused=*/false) != expected ||
          round(x, other, /*isFused=*/true) != expected ||
          round(x, other, /*isFused=*/false) != expected)
        return true;
    }
  }
  return false;
}

Value graph::createMultiplyAdd(OpBuilder &builder, Operation *op,
                               Value integers, float factor, Value addend,
                               StringRef name, bool isExact) {
  Location loc = op->getLoc();
  Type type = integers.getType();
  auto multiply = [&](float number, StringRef suffix) -> Value {
    HostTensor tensor(RankedTensorType::get({}, builder.getF32Type()));
    tensor.setDouble(0, number);
    return MultiplyOp::create(
        builder, loc, type, integers,
        createConstant(builder, op, (name + suffix).str(), tensor));
  };
  auto add = [&](Value a, Value b) -> Value {
    return AddOp::create(builder, loc, type, a, b);
  };
  auto subtract = [&](Value a, Value b) -> Value {
    return SubtractOp::create(builder, loc, type, a, b);
  };
  if (!isExact)
    return add(multiply(factor, ""), addend);
  // Products of 8 bits and either part of the factor are exact.
  constexpr uint32_t lowBits = 0xff;
  float high =
      llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(factor) & ~lowBits);
  Value product = multiply(high, "_high");
  Value rest = multiply(factor - high, "_low");
  // Knuth's TwoSum: the sum and its rounding error.
  Value sum = add(product, addend);
  Value added = subtract(sum, product);
  Value lost =
      add(subtract(product, subtract(sum, added)), subtract(addend, added));
  return add(sum, add(lost, rest));
}

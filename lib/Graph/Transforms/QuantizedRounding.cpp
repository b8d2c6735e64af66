//===- QuantizedRounding.cpp - Roundings of quantized numbers ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "QuantizedRounding.h"

#include "Constants.h"

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

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
  Type i64 = builder.getI64Type();
  int64_t rank = getTensorType(number).getRank();
  number = CastOp::create(builder, loc, number, i64);
  Type type = number.getType();
  auto numbers = [&](StringRef suffix, auto getNumber) {
    HostTensor tensor(RankedTensorType::get(from.getBroadcastShape(rank), i64));
    for (size_t i = 0, e = factors.size(); i != e; ++i)
      tensor.setInt(i, getNumber(factors[i]));
    return createConstant(builder, op, suffix, tensor);
  };
  auto createInt64 = [&](int64_t value, StringRef suffix) {
    HostTensor tensor(RankedTensorType::get({}, i64));
    tensor.setInt(0, value);
    return createConstant(builder, op, suffix, tensor);
  };
  auto shiftRight = [&](Value value, Value bits) {
    return RightShiftOp::create(builder, loc, type, value, bits);
  };
  Value factor = numbers("factor", [](const FixedPointFactor &factor) {
    return int64_t(factor.getLeftFactor());
  });
  number = MultiplyOp::create(builder, loc, type, number, factor);
  number = AddOp::create(builder, loc, type, number,
                         createInt64(int64_t(1) << 30, "half"));
  number = shiftRight(number, createInt64(31, "bits"));
  auto hasShift = [](const FixedPointFactor &factor) {
    return factor.getRightShift() != 0;
  };
  if (llvm::none_of(factors, hasShift))
    return number;
  // Halves are rounded away from zero: one less for negative numbers.
  Value sign = shiftRight(number, createInt64(63, "sign_bit"));
  if (!llvm::all_of(factors, hasShift))
    sign = BitwiseAndOp::create(
        builder, loc, type, sign,
        numbers("shifted", [&](const FixedPointFactor &factor) {
          return hasShift(factor) ? -1 : 0;
        }));
  Value half = numbers("rounding", [&](const FixedPointFactor &factor) {
    return hasShift(factor) ? int64_t(1) << (factor.getRightShift() - 1) : 0;
  });
  number = AddOp::create(builder, loc, type, number, half);
  number = AddOp::create(builder, loc, type, number, sign);
  return shiftRight(number, numbers("shift", [](const FixedPointFactor &f) {
                      return f.getRightShift();
                    }));
}

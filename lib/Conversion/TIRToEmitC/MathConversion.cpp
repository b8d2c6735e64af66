//===- MathConversion.cpp - Casts and math functions in EmitC -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ScalarConverter.h"

#include "uma/Support/Float8.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using emitc::CmpPredicate;

Value ScalarConverter::toFloat(Value integer, Type to) {
  Type type = convertScalarType(to);
  if (isa<FloatType>(type))
    return cast(integer, type);
  // C has no 8-bit or 16-bit floats: convert through a float type that holds
  // every integer, so that there is a single rounding. (Integers beyond 2^53
  // are rounded to f64 first.)
  bool isNarrow = integer.getType().isIntOrFloat() &&
                  integer.getType().getIntOrFloatBitWidth() <= 16;
  Value wide =
      cast(integer, isNarrow ? builder.getF32Type() : builder.getF64Type());
  return truncateFloat(wide, to);
}

Value ScalarConverter::extendToF32(Value value, Type from) {
  std::string helper =
      isFloat8(from)
          ? prologue.requireFloat8(from, /*toF32=*/true)
          : prologue
                .require(from.isF16() ? CHelper::F16ToF32 : CHelper::BF16ToF32)
                .str();
  return call(helper, builder.getF32Type(), value);
}

Value ScalarConverter::truncateFloat(Value value, Type to) {
  bool isNarrow = value.getType().isF32();
  if (isFloat8(to)) {
    if (!isNarrow)
      value = call(prologue.require(CHelper::F64ToF32Odd), builder.getF32Type(),
                   value);
    return call(prologue.requireFloat8(to, /*toF32=*/false),
                convertScalarType(to), value);
  }
  CHelper helper = isNarrow
                       ? (to.isF16() ? CHelper::F32ToF16 : CHelper::F32ToBF16)
                       : (to.isF16() ? CHelper::F64ToF16 : CHelper::F64ToBF16);
  return call(prologue.require(helper), convertScalarType(to), value);
}

FailureOr<Value> ScalarConverter::convertCast(Operation *op,
                                              ValueRange operands) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  Type type = convertScalarType(to);
  Value operand = operands[0];
  bool fromBool = from.isInteger(1);
  auto unsupported = [&](StringRef advice) -> FailureOr<Value> {
    return op->emitOpError("from ")
           << from << " to " << to << " has no counterpart in C" << advice;
  };
  /// Returns -1 or 0, the values of a signed 1-bit integer.
  auto signOfBool = [&](StringRef ones, StringRef zeros) {
    return select(operand, literal(ones, type), literal(zeros, type));
  };
  return TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](arith::ExtSIOp) {
        return fromBool ? signOfBool("-1", "0") : cast(operand, type);
      })
      .Case([&](arith::ExtUIOp) {
        return cast(fromBool ? operand : toUnsigned(operand), type);
      })
      .Case([&](arith::TruncIOp) -> Value {
        if (!to.isInteger(1))
          return cast(operand, type);
        // A cast to bool tests all bits, a truncation takes the lowest.
        Value one = literal("1", operand.getType());
        Value last = bitwise<emitc::BitwiseAndOp>({operand, one});
        return compare(CmpPredicate::ne, last, literal("0", last.getType()));
      })
      .Case([&](arith::SIToFPOp) -> Value {
        if (fromBool)
          operand = select(operand, literal("-1", builder.getI8Type()),
                           literal("0", builder.getI8Type()));
        return toFloat(operand, to);
      })
      .Case([&](arith::UIToFPOp) {
        return toFloat(fromBool ? operand : toUnsigned(operand), to);
      })
      .Case([&](arith::FPToSIOp) -> FailureOr<Value> {
        if (to.isInteger(1))
          return unsupported("; compare with 0 instead");
        return cast(operand, type);
      })
      .Case([&](arith::FPToUIOp) -> FailureOr<Value> {
        if (to.isInteger(1))
          return unsupported("; compare with 0 instead");
        Type wide =
            IntegerType::get(op->getContext(), to.getIntOrFloatBitWidth(),
                             IntegerType::Unsigned);
        return cast(cast(operand, wide), type);
      })
      .Case([&](arith::IndexCastOp) -> Value {
        return fromBool ? signOfBool("-1", "0") : cast(operand, type);
      })
      .Case([&](arith::IndexCastUIOp) {
        return cast(fromBool ? operand : toUnsigned(operand), type);
      })
      .Case([&](arith::ExtFOp) -> FailureOr<Value> {
        if (from.isF32())
          return cast(operand, type);
        Value wide = extendToF32(operand, from);
        return isa<FloatType>(type) ? cast(wide, type)
                                    : truncateFloat(wide, to);
      })
      .Case([&](arith::TruncFOp) -> FailureOr<Value> {
        if (to.isF32())
          return cast(operand, type);
        // arith folds a truncation of an extended f16 to one of f16.
        if (!from.isF32() && !from.isF64())
          operand = extendToF32(operand, from);
        return truncateFloat(operand, to);
      })
      .Case([&](arith::BitcastOp) -> FailureOr<Value> {
        if (from.isF32() && to.isInteger(32))
          return call(prologue.require(CHelper::F32ToBits), type, operand);
        if (from.isInteger(32) && to.isF32())
          return call(prologue.require(CHelper::BitsToF32), type, operand);
        if (from.isF64() && to.isInteger(64))
          return call(prologue.require(CHelper::F64ToBits), type, operand);
        if (from.isInteger(64) && to.isF64())
          return call(prologue.require(CHelper::BitsToF64), type, operand);
        if (from.getIntOrFloatBitWidth() <= 16)
          return cast(operand, type); // both are patterns of bits in C
        return unsupported("; only values of 8, 16, 32 and 64 bits have");
      })
      .Default([&](Operation *) -> FailureOr<Value> {
        return op->emitOpError("has no counterpart in C; plain TIR computes "
                               "with scalar operations of arith and math");
      });
}

/// Returns the prologue's function for an operation on f32 or vectors of f32,
/// or "" if there is none.
static StringRef getOwnFunction(Operation *op, bool isVector) {
  if (!getElementTypeOrSelf(op->getResult(0).getType()).isF32())
    return "";
  StringRef own = TypeSwitch<Operation *, StringRef>(op)
                      .Case([](math::ErfOp) { return "erf"; })
                      .Case([](math::ExpOp) { return "exp"; })
                      .Case([](math::LogOp) { return "log"; })
                      .Case([](math::Log1pOp) { return "log1p"; })
                      .Case([](math::TanhOp) { return "tanh"; })
                      .Default(StringRef());
  if (!own.empty() || !isVector)
    return own;
  return TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AbsFOp) { return "abs"; })
      .Case([](math::CeilOp) { return "ceil"; })
      .Case([](math::CosOp) { return "cos"; })
      .Case([](math::SinOp) { return "sin"; })
      .Case([](math::FloorOp) { return "floor"; })
      .Case([](math::RoundEvenOp) { return "rint"; })
      .Case([](math::RsqrtOp) { return "rsqrt"; })
      .Case([](math::SqrtOp) { return "sqrt"; })
      .Default(StringRef());
}

FailureOr<Value> ScalarConverter::convertMath(Operation *op,
                                              ValueRange operands) {
  Type type = operands[0].getType();
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (StringRef own = getOwnFunction(op, vector != nullptr); !own.empty()) {
    int64_t lanes = vector ? vector.getNumElements() : 1;
    return call(prologue.requireMath(own, lanes), type, operands);
  }
  // Name of the <math.h> function for double.
  StringRef function =
      TypeSwitch<Operation *, StringRef>(op)
          .Case([](math::AbsFOp) { return "fabs"; })
          .Case([](math::AcosOp) { return "acos"; })
          .Case([](math::AcoshOp) { return "acosh"; })
          .Case([](math::AsinOp) { return "asin"; })
          .Case([](math::AsinhOp) { return "asinh"; })
          .Case([](math::AtanOp) { return "atan"; })
          .Case([](math::AtanhOp) { return "atanh"; })
          .Case([](math::Atan2Op) { return "atan2"; })
          .Case([](math::CbrtOp) { return "cbrt"; })
          .Case([](math::CeilOp) { return "ceil"; })
          .Case([](math::CopySignOp) { return "copysign"; })
          .Case([](math::CosOp) { return "cos"; })
          .Case([](math::CoshOp) { return "cosh"; })
          .Case([](math::ErfOp) { return "erf"; })
          .Case([](math::ErfcOp) { return "erfc"; })
          .Case([](math::ExpOp) { return "exp"; })
          .Case([](math::Exp2Op) { return "exp2"; })
          .Case([](math::ExpM1Op) { return "expm1"; })
          .Case([](math::FloorOp) { return "floor"; })
          .Case([](math::FmaOp) { return "fma"; })
          .Case([](math::LogOp) { return "log"; })
          .Case([](math::Log10Op) { return "log10"; })
          .Case([](math::Log1pOp) { return "log1p"; })
          .Case([](math::Log2Op) { return "log2"; })
          .Case([](math::PowFOp) { return "pow"; })
          .Case([](math::RoundOp) { return "round"; })
          // In the default rounding mode, which is never changed.
          .Case([](math::RoundEvenOp) { return "rint"; })
          .Case([](math::RsqrtOp) { return "sqrt"; })
          .Case([](math::SinOp) { return "sin"; })
          .Case([](math::SinhOp) { return "sinh"; })
          .Case([](math::SqrtOp) { return "sqrt"; })
          .Case([](math::TanOp) { return "tan"; })
          .Case([](math::TanhOp) { return "tanh"; })
          .Case([](math::TruncOp) { return "trunc"; })
          .Default(StringRef());
  if (!function.empty()) {
    prologue.requireMath();
    bool isDouble = type.isF64();
    Value result =
        call((function + (isDouble ? "" : "f")).str(), type, operands);
    if (isa<math::RsqrtOp>(op))
      return binary<emitc::DivOp>(literal(isDouble ? "1.0" : "1.0f", type),
                                  result, type);
    return result;
  }
  return TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](math::AbsIOp) -> FailureOr<Value> {
        // Negate as unsigned, because the smallest integer has no negative.
        Value zero = literal("0", type);
        if (type.isInteger(1))
          return operands[0];
        Value minus = inUnsigned<emitc::SubOp>({zero, operands[0]});
        return select(compare(CmpPredicate::lt, operands[0], zero), minus,
                      operands[0]);
      })
      .Case([&](math::IPowIOp) -> FailureOr<Value> {
        Type wide = builder.getI64Type();
        Value power = call(prologue.require(CHelper::PowI64), wide,
                           {cast(operands[0], wide), cast(operands[1], wide)});
        return cast(power, type);
      })
      .Case([&](math::IsNaNOp) -> FailureOr<Value> {
        return compare(CmpPredicate::ne, operands[0], operands[0]);
      })
      .Default([&](Operation *) -> FailureOr<Value> {
        return op->emitOpError("has no counterpart in <math.h>; expand it "
                               "first (pass 'math-expand-ops')");
      });
}

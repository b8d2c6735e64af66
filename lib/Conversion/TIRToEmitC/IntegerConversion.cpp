//===- IntegerConversion.cpp - Integers in lanes in EmitC -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors of i8 and i16 are vectors of i32 in C whose upper bits have no
// meaning: truncation costs nothing, and stores narrow the lanes.
//
//===----------------------------------------------------------------------===//

#include "ScalarConverter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;

Value ScalarConverter::convertDot(tir::DotOp op, Value lhs, Value rhs,
                                  Value sum) {
  loc = op.getLoc();
  StringRef function = op.getLhsElements().isBF16()        ? "dot_bf16"
                       : op.getLhsElements().isInteger(16) ? "dot_i16"
                                                           : "dot_u8";
  auto type = llvm::dyn_cast<VectorType>(op.getType());
  return call(type ? prologue.requireVector(type, function)
                   : prologue.requireWord(function),
              sum.getType(), {lhs, rhs, sum});
}

Value ScalarConverter::convertUnpack(tir::UnpackOp op, Value word) {
  loc = op.getLoc();
  std::string function =
      op.getElements().isUnsignedInteger() ? "unpack_u8_" : "unpack_i8_";
  function += op.getOdd() ? "odd" : "even";
  return call(prologue.requireWord(function), word.getType(), {word});
}

Value ScalarConverter::convertRoundClamped(tir::RoundClampedOp op,
                                           Value value) {
  loc = op.getLoc();
  // For processors without such an instruction.
  prologue.requireMath();
  Type i32 = op.getType();
  Value low = literal(std::to_string(int32_t(op.getLow())), i32);
  Value high = literal(std::to_string(int32_t(op.getHigh())), i32);
  return call(prologue.requireWord("round_clamped"), i32, {value, low, high});
}

Value ScalarConverter::convertFixedPointMultiply(tir::FixedPointMultiplyOp op,
                                                 ValueRange operands) {
  loc = op.getLoc();
  StringRef function = "fixed_point_multiply";
  auto type = llvm::dyn_cast<VectorType>(op.getType());
  return call(type ? prologue.requireVector(type, function)
                   : prologue.requireWord(function),
              operands.front().getType(), operands);
}

bool uma::isPartOfRounding(Operation *op) {
  return isa<math::RoundEvenOp>(op) &&
         isa<VectorType>(op->getResult(0).getType()) && !op->use_empty() &&
         llvm::all_of(op->getUsers(),
                      llvm::IsaPred<arith::FPToSIOp, arith::FPToUIOp>);
}

bool uma::isUnsignedLoad(Operation *op) {
  auto load = dyn_cast_or_null<vector::LoadOp>(op);
  return load && load.getVectorType().getElementTypeBitWidth() < 32 &&
         load.getVectorType().getElementType().isInteger() &&
         !load->use_empty() &&
         llvm::all_of(load->getUsers(),
                      llvm::IsaPred<arith::ExtUIOp, arith::UIToFPOp>);
}

FailureOr<Value> ScalarConverter::convertLanes(Operation *op, Value operand) {
  auto from = llvm::cast<VectorType>(op->getOperand(0).getType());
  auto to = llvm::cast<VectorType>(op->getResult(0).getType());
  Type type = convertScalarType(to);
  auto apply = [&](const Twine &function, Value value, Type resultType) {
    return call(prologue.requireVector(to, function.str()), resultType, value);
  };
  // Returns the lanes as numbers of i32.
  auto extend = [&](bool isUnsigned) -> Value {
    unsigned width = from.getElementTypeBitWidth();
    // A load extends the sign, or zeros where all users want these.
    Operation *source = op->getOperand(0).getDefiningOp();
    if (width == 32 || isUnsignedLoad(source) ||
        (isa_and_nonnull<vector::LoadOp>(source) && !isUnsigned))
      return operand;
    return apply((isUnsigned ? "zext" : "sext") + Twine(width), operand,
                 operand.getType());
  };
  return TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](arith::ExtSIOp) { return extend(false); })
      .Case([&](arith::ExtUIOp) { return extend(true); })
      .Case([&](arith::TruncIOp) { return operand; })
      .Case([&](arith::ExtFOp) { return operand; })
      .Case([&](arith::TruncFOp) -> FailureOr<Value> {
        // A store rounds.
        if (llvm::all_of(op->getUsers(), llvm::IsaPred<vector::StoreOp>))
          return operand;
        return apply(to.getElementType().isF16() ? "round_f16" : "round_bf16",
                     operand, type);
      })
      .Case(
          [&](arith::SIToFPOp) { return apply("to_f32", extend(false), type); })
      .Case(
          [&](arith::UIToFPOp) { return apply("to_f32", extend(true), type); })
      .Case<arith::FPToSIOp, arith::FPToUIOp>(
          [&](Operation *) -> FailureOr<Value> {
            Operation *rounding = op->getOperand(0).getDefiningOp();
            if (!rounding || !isPartOfRounding(rounding))
              return apply("to_i32", operand, type);
            // For processors without such an instruction.
            (void)prologue.requireMath("rint", to.getNumElements());
            (void)prologue.requireVector(to, "to_i32");
            return apply("round_i32", operand, type);
          })
      .Default([&](Operation *) -> FailureOr<Value> {
        return op->emitOpError("on vectors has no counterpart in C");
      });
}

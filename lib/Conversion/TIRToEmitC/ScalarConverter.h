//===- ScalarConverter.h - arith and math operations in EmitC -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_SCALARCONVERTER_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_SCALARCONVERTER_H

#include "Prologue.h"

#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/IR/Builders.h"

namespace uma {

/// Returns the C type of a scalar value: `ptrdiff_t` for index, `uint16_t` for
/// f16 and bf16, a typedef of the prologue for vectors, other types unchanged.
/// Returns null if C has no such type.
mlir::Type convertScalarType(mlir::Type type);

/// Returns the C type of a vector of f32, i32, or i1 (the masks that
/// comparisons return), or null if C has none.
mlir::Type convertVectorType(mlir::VectorType type);

/// Returns the type of an element in memory: as convertScalarType, but
/// `uint8_t` for i1, since bytes in memory may have any value.
mlir::Type convertElementType(mlir::Type type);

/// Returns whether an operation rounds vectors that are only converted to
/// integers, which takes one instruction together.
bool isPartOfRounding(mlir::Operation *op);

/// Returns whether an operation, which may be null, loads narrow integers that
/// are used as unsigned ones only.
bool isUnsignedLoad(mlir::Operation *op);

/// Converts scalar operations of arith and math to EmitC.
///
/// Arithmetic has MLIR's semantics without undefined behaviour in C: operations
/// that may wrap are computed in unsigned types. Index arithmetic is plain
/// `ptrdiff_t`, because an index that overflows was out of bounds anyway.
class ScalarConverter {
public:
  ScalarConverter(mlir::OpBuilder &builder, Prologue &prologue)
      : builder(builder), prologue(prologue) {}

  /// Converts `op` with the converted `operands`. Emits an error on `op` and
  /// fails if C has no such operation.
  mlir::FailureOr<mlir::Value> convert(mlir::Operation *op,
                                       mlir::ValueRange operands);

  /// Converts a product in fixed point.
  mlir::Value convertFixedPointMultiply(tir::FixedPointMultiplyOp op,
                                        mlir::ValueRange operands);
  /// Converts a dot product of words.
  mlir::Value convertDot(tir::DotOp op, mlir::Value lhs, mlir::Value rhs,
                         mlir::Value sum);

  /// Converts the extension of bytes of a word.
  mlir::Value convertUnpack(tir::UnpackOp op, mlir::Value word);
  /// Converts a rounding to an integer of a range.
  mlir::Value convertRoundClamped(tir::RoundClampedOp op, mlir::Value value);

  void setLoc(mlir::Location loc) { this->loc = loc; }

  // Building blocks, also for conversions beyond scalars.
  mlir::Value literal(llvm::StringRef text, mlir::Type type);
  mlir::Value cast(mlir::Value value, mlir::Type type);
  mlir::Value compare(mlir::emitc::CmpPredicate predicate, mlir::Value left,
                      mlir::Value right);
  mlir::Value select(mlir::Value condition, mlir::Value left,
                     mlir::Value right);
  mlir::Value call(llvm::StringRef callee, mlir::Type type,
                   mlir::ValueRange operands);

private:
  template <typename EmitCOp>
  mlir::Value binary(mlir::Value left, mlir::Value right, mlir::Type type) {
    return EmitCOp::create(builder, loc, type, left, right);
  }
  template <typename EmitCOp>
  mlir::Value wrapping(mlir::Operation *op, mlir::ValueRange operands);
  /// Computes in the unsigned type of the operands' width.
  template <typename EmitCOp>
  mlir::Value inUnsigned(mlir::ValueRange operands) {
    mlir::Type type = operands[0].getType();
    mlir::Value left = toUnsigned(operands[0]);
    mlir::Value right = toUnsigned(operands[1]);
    return cast(binary<EmitCOp>(left, right, left.getType()), type);
  }
  /// Converts operations whose result always fits; C widens narrow types to
  /// int.
  template <typename EmitCOp>
  mlir::Value bitwise(mlir::ValueRange operands) {
    mlir::Type type = operands[0].getType();
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= 32)
      return binary<EmitCOp>(operands[0], operands[1], type);
    mlir::Type wide = builder.getI32Type();
    return cast(binary<EmitCOp>(operands[0], operands[1], wide), type);
  }
  mlir::Value logicalNot(mlir::Value value);
  mlir::Value logicalOr(mlir::Value left, mlir::Value right);
  mlir::Value toUnsigned(mlir::Value value);

  /// Converts an integer, signed or unsigned by its type, to MLIR's float type
  /// `to`.
  mlir::Value toFloat(mlir::Value integer, mlir::Type to);
  /// Extends a value of MLIR's float type `from` of 8 or 16 bits to f32.
  mlir::Value extendToF32(mlir::Value value, mlir::Type from);
  /// Rounds an f32 or f64 to MLIR's float type `to` of 8 or 16 bits, with a
  /// single rounding.
  mlir::Value truncateFloat(mlir::Value value, mlir::Type to);

  mlir::FailureOr<mlir::Value> convertConstant(mlir::arith::ConstantOp op);
  mlir::FailureOr<mlir::Value> convertArith(mlir::Operation *op,
                                            mlir::ValueRange operands);
  /// Converts the lanes of a vector.
  mlir::FailureOr<mlir::Value> convertLanes(mlir::Operation *op,
                                            mlir::Value operand);
  mlir::FailureOr<mlir::Value> convertCast(mlir::Operation *op,
                                           mlir::ValueRange operands);
  mlir::FailureOr<mlir::Value> convertMath(mlir::Operation *op,
                                           mlir::ValueRange operands);
  mlir::Value convertCmpI(mlir::arith::CmpIOp op, mlir::ValueRange operands);
  mlir::Value convertCmpF(mlir::arith::CmpFOp op, mlir::ValueRange operands);

  mlir::OpBuilder &builder;
  Prologue &prologue;
  mlir::Location loc = builder.getUnknownLoc();
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_SCALARCONVERTER_H

//===- QuantizedTypes.h - Elements that stand for real numbers -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A quantized element q of type `!quant.uniform` stands for the real number
// (q - zero_point) * scale. These are the types of upstream's quant dialect;
// the functions here read them.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_QUANTIZEDTYPES_H
#define UMA_SUPPORT_QUANTIZEDTYPES_H

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace uma {

/// Returns whether elements of this type are quantized, with one scale for the
/// tensor or one for each index of an axis.
bool isQuantized(mlir::Type elementType);

/// Returns the type that stores elements of `elementType`: the signed or
/// unsigned integer of a quantized type, any other type unchanged.
mlir::Type getStorageElementType(mlir::Type elementType);

/// Returns the tensor type with the storage type of its elements.
mlir::RankedTensorType getStorageType(mlir::RankedTensorType type);

/// Scales and zero points of a quantized type: one of each for the tensor, or
/// one of each for each index of `axis`.
struct Quantization {
  llvm::SmallVector<double> scales;
  llvm::SmallVector<int64_t> zeroPoints;
  /// The quantized dimension; std::nullopt if there is one scale.
  std::optional<int64_t> axis;
  /// Range of the stored integers.
  int64_t min = 0, max = 0;

  /// Reads a quantized element type.
  static Quantization of(mlir::Type elementType);

  /// Returns whether all zero points are 0.
  bool isSymmetric() const;
  /// Returns the shape in which an element for each scale broadcasts to a
  /// tensor of rank `rank`: empty for one scale, otherwise [n, 1, ...].
  llvm::SmallVector<int64_t> getBroadcastShape(int64_t rank) const;
};

/// Returns the quantized type for f32 with storage of `width` bits. Scales and
/// zero points belong to indices of `axis`; without one, there is one of each.
/// Returns null if a scale is not a positive number of f32 or a zero point does
/// not fit the storage.
mlir::quant::QuantizedType makeQuantizedType(mlir::MLIRContext *context,
                                             unsigned width, bool isSigned,
                                             llvm::ArrayRef<double> scales,
                                             llvm::ArrayRef<int64_t> zeroPoints,
                                             std::optional<int64_t> axis);

/// Returns the type of a bias: i32 with the scales of sums of the type `sums`,
/// one for the tensor or one for each element.
mlir::Type getBiasType(mlir::Type sums);

/// Returns `a * b / 2^31`, rounded; halves are rounded up.
int64_t multiplyHigh(int64_t a, int64_t b);

/// Returns `number / 2^bits`, rounded; halves are rounded away from zero.
int64_t divideByPowerOfTwo(int64_t number, int64_t bits);

/// The quotient of two scales in fixed point, as TensorFlow Lite's kernels
/// multiply by it: `multiplier * 2^(shift - 31)`. The multiplier is 0 or has 31
/// bits.
struct FixedPointFactor {
  int64_t multiplier = 0;
  int64_t shift = 0;

  /// Returns the factor closest to a positive number.
  static FixedPointFactor of(double number);
  /// Returns the factor for the scale `index` of `from` and the only one of
  /// `to`.
  static FixedPointFactor get(const Quantization &from, size_t index,
                              const Quantization &to);
  /// Returns the number of bits by which steps are shifted to the left first.
  int64_t getLeftShift() const { return shift > 0 ? shift : 0; }
  /// Returns the number of bits by which the product is shifted to the right,
  /// after 31 bits.
  int64_t getRightShift() const { return shift < 0 ? -shift : 0; }
  /// Multiplies and rounds a number of steps. The left shift saturates to 32
  /// bits.
  int64_t apply(int64_t steps) const;
};

/// Returns the type with its scales along another axis.
mlir::quant::UniformQuantizedPerAxisType
withAxis(mlir::quant::UniformQuantizedPerAxisType type, int64_t axis);

} // namespace uma

#endif // UMA_SUPPORT_QUANTIZEDTYPES_H

//===- IntegerRounding.h - Rounding of floats in integers -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Cores without floating point call a function for each operation on floats.
// A float that is an affine function of integers is close to its value in fixed
// point, and both round to the same integer unless they are near a half. Only
// numbers near a half are computed in floats, so that results stay the same.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_INTEGERROUNDING_H
#define UMA_LIB_CPU_KERNELS_INTEGERROUNDING_H

#include "uma/TIR/Builder/LayerBuilder.h"

#include "llvm/ADT/DenseMap.h"

#include <cmath>

namespace uma {

/// A number in fixed point, and how far from a half it has to be.
struct FixedPoint {
  /// Bits behind the point.
  int64_t fraction = 0;
  /// Binary logarithm of the width of the interval around a half, in units of
  /// the last bit, in which the float may round otherwise.
  int64_t window = 0;

  /// Chooses the window for a number that is off by at most `error`. Returns
  /// false if too many numbers would be computed in floats.
  bool setError(double error);
  /// Returns the share of numbers that are computed in floats.
  double getShare() const;
  /// Emits the integer that `number`, an f32, rounds to, limited to [low,
  /// high]. `fixed` is its value in fixed point, an i32. The emitted C computes
  /// `number` only where it is needed.
  mlir::Value round(LayerBuilder &b, mlir::Value fixed, mlir::Value number,
                    int32_t low, int32_t high) const;
};

/// The f32 product of a sum and a scale of its channel, in fixed point.
struct FixedProduct {
  /// Largest magnitude of limits.
  static constexpr int64_t mostLimit = 383;

  /// The sums of a channel are in [least, most].
  struct Sums {
    double least = 0, most = 0;
    bool isConstant() const { return least == most; }
    double getMagnitude() const {
      return std::max(std::abs(least), std::abs(most));
    }
  };
  /// Chooses the format for channels with these sums and scales. Returns
  /// std::nullopt if there is none.
  static std::optional<FixedProduct> choose(llvm::ArrayRef<Sums> sums,
                                            llvm::ArrayRef<float> scales);
  /// Emits the product of a sum and its multiplier, of i32.
  mlir::Value multiply(LayerBuilder &b, mlir::Value sum,
                       mlir::Value multiplier) const;

  FixedPoint format;
  /// Bits of the sum that are multiplied separately, since products of 64 bits
  /// take many instructions.
  int64_t split = 0;
  /// Scales in fixed point, with `fraction + split` bits behind the point.
  std::vector<int32_t> multipliers;
  /// Replacements of sums that are constant, by channel. Channels whose weights
  /// are 0 may have very large biases and small scales, which no common
  /// format holds. The rounded product stays the same.
  llvm::SmallDenseMap<size_t, int32_t> constants;
};

/// Emits the integer that `number` rounds to, limited to [low, high], if it is
/// an affine function of integers of at most 8 bits. Returns null otherwise.
mlir::Value roundAffine(LayerBuilder &b, mlir::Value number, int32_t low,
                        int32_t high);

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_INTEGERROUNDING_H

//===- QuantFunctions.h - Numbers of quantized tensors -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Values of the functions `scale`, `zero_point`, `factor`, `multiplier` and
// `shift` in expressions of descriptions.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_QUANTFUNCTIONS_H
#define UMA_ACCEL_IR_QUANTFUNCTIONS_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// The positive number `multiplier * 2^(shift - 31)`.
struct FixedPoint {
  int64_t multiplier; ///< at least 2^30 and less than 2^31
  int64_t shift;
};

/// Returns the closest fixed-point number to a positive factor.
FixedPoint toFixedPoint(double factor);

/// Returns the values of a function for the channels of `tensor`: a single one
/// if the tensor has one scale, or 0 if it is not part of the match.
/// `getElement` returns the element type of a tensor, or null.
llvm::SmallVector<double>
getChannelValues(llvm::StringRef function, mlir::Value tensor,
                 llvm::function_ref<mlir::Type(mlir::Value)> getElement);

/// Returns the quantized type with scale 1 and zero point 0 that stores
/// integers of 8 bits or more, or null for other types.
mlir::Type getUnitQuantizedType(mlir::Type storage);

/// Returns whether the device may round a result of the layer `ops` to the
/// integer next to the exact one: it gets a factor in fixed point, and the
/// layer multiplies in float.
bool mayDifferByOne(PatternOp pattern, llvm::ArrayRef<mlir::Operation *> ops);

/// Verifies that the pattern reads the factor of each `requantize` and the
/// scales of other operators that convert numbers.
mlir::LogicalResult verifyQuantization(PatternOp pattern);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_QUANTFUNCTIONS_H

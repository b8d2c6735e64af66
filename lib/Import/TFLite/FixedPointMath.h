//===- FixedPointMath.h - Functions of fixed-point numbers -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The functions of the library gemmlowp with which TensorFlow Lite's reference
// kernels compute exponentials in integers. A number of 32 bits with n integer
// bits stands for itself divided by 2^(31 - n); without integer bits, 1 is the
// largest integer.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_FIXEDPOINTMATH_H
#define UMA_LIB_IMPORT_TFLITE_FIXEDPOINTMATH_H

#include <cstdint>

namespace uma::tflite {

/// Returns the number of steps that a function distinguishes: larger numbers
/// overflow `integerBits` after a left shift by `leftShift`.
int64_t getInputRadius(int64_t integerBits, int64_t leftShift);

/// Returns the exponential of a number of at most 0 with `integerBits`, at most
/// 5, integer bits. The result has none.
int64_t expOfNegative(int64_t number, int64_t integerBits);

/// Returns the logistic function or the hyperbolic tangent of a number with 4
/// integer bits. The result has none.
int64_t logistic(int64_t number);
int64_t tanhOf(int64_t number);

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_FIXEDPOINTMATH_H

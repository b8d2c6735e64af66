//===- Float8.h - Floats of 8 bits -*- C++ -*------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators store, move and cast floats of 8 bits, but do not compute with
// them. C has them as uint8_t.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_FLOAT8_H
#define UMA_SUPPORT_FLOAT8_H

#include "mlir/IR/BuiltinTypes.h"

namespace uma {

/// Returns whether a type is one of the four formats of 8 bits that have
/// storage in C: f8E4M3FN, f8E4M3FNUZ, f8E5M2 or f8E5M2FNUZ.
bool isFloat8(mlir::Type type);

/// Returns the value of a code of the format `type`, exactly.
double decodeFloat8(uint8_t code, mlir::Type type);

/// Returns the code nearest to a value in the format `type`, ties to even. A
/// value that rounds beyond the largest one becomes infinite, or NaN in formats
/// without infinities. All NaNs of a sign have the same code.
uint8_t encodeFloat8(double value, mlir::Type type);

/// Returns the largest finite value of the format `type`.
double getLargestFloat8(mlir::Type type);

} // namespace uma

#endif // UMA_SUPPORT_FLOAT8_H

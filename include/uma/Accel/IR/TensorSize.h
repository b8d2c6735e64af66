//===- TensorSize.h - Sizes of tensors in descriptions -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_TENSORSIZE_H
#define UMA_ACCEL_IR_TENSORSIZE_H

#include "mlir/IR/Types.h"

#include <cstdint>

namespace uma::accel {

/// Limit at which getNumElements and getNumBytes saturate. It is far above any
/// real size, and sums of several sizes do not overflow.
inline constexpr int64_t kMaxTensorSize = int64_t(1) << 60;

/// Returns the number of elements of a tensor, or 0 for other types and for
/// shapes that are not static.
int64_t getNumElements(mlir::Type type);

/// Returns the size of a tensor in bytes as stored in C: quantised elements are
/// integers, and sub-byte elements take one byte each. Returns 0 if
/// getNumElements does.
int64_t getNumBytes(mlir::Type type);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_TENSORSIZE_H

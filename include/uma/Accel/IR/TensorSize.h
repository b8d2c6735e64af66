//===- TensorSize.h - Sizes of tensors as descriptions see them -*- C++ -*-===//
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

/// Limit of getNumElements and getNumBytes, at which they saturate. Far above
/// any tensor, and sums of some of them do not overflow.
inline constexpr int64_t kMaxTensorSize = int64_t(1) << 60;

/// Returns the number of elements of a tensor; 0 for other types and for a
/// shape that is not static.
int64_t getNumElements(mlir::Type type);

/// Returns the bytes of a tensor: those that C stores, where a quantised
/// element is an integer and no element shares a byte with another. 0 as
/// getNumElements is.
int64_t getNumBytes(mlir::Type type);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_TENSORSIZE_H

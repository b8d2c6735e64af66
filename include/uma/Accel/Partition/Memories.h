//===- Memories.h - The memories of a device -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_MEMORIES_H
#define UMA_ACCEL_PARTITION_MEMORIES_H

#include "uma/Accel/IR/AccelOps.h"

#include <optional>
#include <string>

namespace uma::accel {

/// Size of a memory, computed from target attributes.
struct MemorySize {
  /// Size, or std::nullopt if the memory is unlimited or if there is a
  /// `problem`.
  std::optional<int64_t> bytes;
  /// Reason that the size cannot be computed, such as "divides by zero"; empty
  /// if it can.
  std::string problem;
};

MemorySize getMemorySize(MemoryOp memory);

/// Computes the numbers that a body yields from target attributes. If one
/// cannot be computed, fails and sets `problem`, such as "divides by zero".
mlir::FailureOr<llvm::SmallVector<int64_t>>
computeResults(mlir::Block &body, std::string &problem);

/// Computes the arguments of a call in an `init` or `await`, in order. Emits an
/// error at the description and fails if an argument cannot be computed.
mlir::FailureOr<llvm::SmallVector<mlir::TypedAttr>>
computeArguments(CallOp call);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_MEMORIES_H

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

/// A memory with its size computed from the target's attributes.
struct MemorySize {
  /// Nothing where there is no limit, or where there is a `problem`.
  std::optional<int64_t> bytes;
  /// Why the size cannot be computed: "divides by zero". Empty mostly.
  std::string problem;
};

MemorySize getMemorySize(MemoryOp memory);

/// The numbers that the arguments of the calls in an `init` or `await` have, in
/// the order of the arguments. Fails with an error at the description where one
/// cannot be computed.
mlir::FailureOr<llvm::SmallVector<mlir::TypedAttr>>
computeArguments(CallOp call);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_MEMORIES_H

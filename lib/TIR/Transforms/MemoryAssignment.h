//===- MemoryAssignment.h - Buffers in several memories -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_MEMORYASSIGNMENT_H
#define UMA_LIB_TIR_TRANSFORMS_MEMORYASSIGNMENT_H

#include "MemoryProblem.h"

#include "uma/IR/WorkspaceMemories.h"
#include "uma/Memory/Planner.h"

namespace uma::tir {

/// Memory of a device, for a part of the workspace.
struct MemoryLimit {
  std::string name; ///< an identifier of C
  int64_t bytes;
};

/// Parses `name=bytes` for each memory. Emits an error and fails if a name is
/// no identifier of C or occurs twice, or if the bytes are no number above 0.
mlir::FailureOr<std::vector<MemoryLimit>>
parseMemories(mlir::ArrayRef<std::string> texts,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Plan of a workspace in several memories.
struct MemoryAssignment {
  /// Offsets of buffers in the workspace, which the memories divide.
  memory::Offsets offsets;
  std::vector<WorkspaceMemory> memories;
  int64_t size = 0;
  /// Bytes by which the last memory is too small.
  int64_t missing = 0;
};

/// Divides the buffers of a function among memories, the fastest of which comes
/// first: each takes the buffers with the most accesses per byte that fit, and
/// the last one the rest. If that does not fit, the larger ones come first.
/// Returns an error for an invalid problem, and if buffers have offsets.
llvm::Expected<MemoryAssignment>
assignMemories(FuncOp func, const MemoryProblem &problem,
               llvm::ArrayRef<MemoryLimit> limits,
               const memory::PlanOptions &options);

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_MEMORYASSIGNMENT_H

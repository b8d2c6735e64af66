//===- WorkspaceMemories.h - Memories of a workspace -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The workspace of a network may be divided among several memories of a device.
// Offsets then count through all of them: each memory is a range of the
// workspace, and becomes a parameter of its own in C.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_WORKSPACEMEMORIES_H
#define UMA_IR_WORKSPACEMEMORIES_H

#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace uma {

/// Attribute of a function that has a workspace: its memories, an array of
/// dictionaries with `name`, and `offset` and `bytes` in the workspace.
inline constexpr llvm::StringLiteral kWorkspaceMemoriesAttrName =
    "uma.workspace_memories";

/// Memory that holds a part of the workspace.
struct WorkspaceMemory {
  std::string name; ///< an identifier of C
  int64_t offset = 0;
  int64_t bytes = 0; ///< that the network uses
};

/// Returns the memories of a function in the order of their offsets; none if
/// its workspace is one memory without a name.
std::vector<WorkspaceMemory> getWorkspaceMemories(mlir::Operation *function);

void setWorkspaceMemories(mlir::Operation *function,
                          llvm::ArrayRef<WorkspaceMemory> memories);

/// Returns the position of the memory that holds the byte at `offset`; 0 if
/// there is only one.
size_t getMemoryOf(llvm::ArrayRef<WorkspaceMemory> memories, int64_t offset);

} // namespace uma

#endif // UMA_IR_WORKSPACEMEMORIES_H

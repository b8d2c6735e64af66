//===- MemoryUse.h - Memory plan of a network as data -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What uma-tir-plan-memory decided, in terms of layers: which tensors of the
// arena each call uses, from when to when a tensor is live, and which tensors
// share bytes at the same time. Read from the module, so that it holds for any
// planner.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_REPORT_MEMORYUSE_H
#define UMA_LIB_DRIVER_REPORT_MEMORYUSE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace uma {

/// A buffer of the arena.
struct ArenaTensor {
  std::string name;    ///< layer that computes it
  std::string element; ///< element type: "f32"
  int64_t elements = 0, bytes = 0, offset = 0;
  /// Steps of the first and the last use.
  size_t first = 0, last = 0;

  /// Returns whether only one step uses it.
  bool isScratch() const { return first == last; }
  int64_t getEnd() const { return offset + bytes; }
};

/// A call of the entry function, or a loop around calls.
struct MemoryStep {
  /// First layer; if the step computes none, the tensor that it copies, or the
  /// function.
  std::string name;
  std::string target; ///< accelerator, or "cpu"
  llvm::SmallVector<std::string> layers;
  bool isWait = false;               ///< only waits for a device
  llvm::SmallVector<size_t> tensors; ///< positions in MemoryUse::tensors
  /// Bytes of the buffers that the call uses: constants, data of several steps
  /// including inputs and outputs of the network, and buffers of its own.
  int64_t weightBytes = 0, activationBytes = 0, scratchBytes = 0;
  /// Sum of the sizes of the tensors that are live.
  int64_t liveBytes = 0;
  /// Bytes of the arena that hold live tensors; less than `liveBytes` if
  /// tensors overlap.
  int64_t usedBytes = 0;
  /// Workload of the called function (kWorkloadAttrName); may be null.
  mlir::Attribute workload;
};

/// Two live tensors that share bytes of the arena.
struct ArenaOverlap {
  size_t tensors[2];  ///< positions in MemoryUse::tensors
  size_t first, last; ///< steps
  int64_t offset, bytes;
};

/// An input or output of the network, which the caller provides.
struct NetworkTensor {
  std::string name;
  std::string type; ///< "f32[1, 3, 32, 32]"
  int64_t bytes = 0;
  bool isOutput = false;
};

struct MemoryUse {
  /// Size of the arena, kWorkspaceSizeAttrName.
  int64_t arenaBytes = 0;
  std::vector<ArenaTensor> tensors; ///< in the order of the module
  std::vector<MemoryStep> steps;    ///< in the order of the run
  std::vector<ArenaOverlap> overlaps;
  std::vector<NetworkTensor> arguments;

  /// Returns the largest `liveBytes`: no plan without overlaps is smaller.
  int64_t getBound() const;
  /// Returns the first step with the largest `usedBytes`; 0 if there is none.
  size_t getPeak() const;

  /// Returns the use of the network's arena in a module of plain TIR with a
  /// plan. A module without a network gives an empty one.
  static MemoryUse get(mlir::ModuleOp module);
};

/// Converts to JSON; docs/report.md has the schema.
llvm::json::Object toJSON(const ArenaTensor &tensor);
llvm::json::Object toJSON(const ArenaOverlap &overlap);

} // namespace uma

#endif // UMA_LIB_DRIVER_REPORT_MEMORYUSE_H

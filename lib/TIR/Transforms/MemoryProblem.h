//===- MemoryProblem.h - Live ranges of workspace buffers -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_MEMORYPROBLEM_H
#define UMA_LIB_TIR_TRANSFORMS_MEMORYPROBLEM_H

#include "uma/Memory/Problem.h"
#include "uma/TIR/IR/TIROps.h"

namespace uma::tir {

/// Alignment of workspace buffers in bytes, for cache lines and vector loads.
inline constexpr int64_t kBufferAlignment = 64;

/// Buffers from which on the exact search is left out: it rarely improves the
/// greedy plans of large networks within a reasonable time.
inline constexpr size_t kMaxExactBuffers = 200;

/// Workspace buffers of a public function. The time of an operation of
/// the function's body is its position, counted from 1; time 0 is before the
/// function runs, and the time after the last operation is after it ran.
struct MemoryProblem {
  /// Source of a buffer of the problem: an allocation or an argument of the
  /// function.
  struct Source {
    AllocOp alloc;
    /// Position of the argument if `alloc` is null.
    unsigned argument = 0;
  };

  memory::Problem problem;
  std::vector<Source> sources;
  /// Buffer over whose input the other one of a pair may be written, and the
  /// result: pairs of positions, one per relation of the problem.
  std::vector<std::pair<size_t, size_t>> inPlace;

  /// Returns the operation at a time, or null before and after the function.
  mlir::Operation *getOperation(int64_t time) const;

  /// Operations of the body.
  std::vector<mlir::Operation *> operations;
};

/// Which buffers may overlap while both are live.
enum class OverlapKind {
  None,
  /// Those for which a layer has `uma.in_place`.
  Declared,
  /// As Proven, but not two buffers of a call to a function with a parallel
  /// loop.
  Unshared,
  /// Also those for which the accesses prove it.
  Proven,
};

/// Which values are planned.
struct MemoryProblemOptions {
  /// Place arguments of the function, too.
  bool placesArguments = false;
  OverlapKind overlap = OverlapKind::Proven;
};

/// Collects the workspace buffers of `func` and erases unused ones. Emits an
/// error and fails if a private function has workspace buffers, if sizes do not
/// fit, or if an attribute `uma.in_place` is malformed. The result of a private
/// function is empty.
mlir::LogicalResult collectMemoryProblem(FuncOp func,
                                         const MemoryProblemOptions &options,
                                         MemoryProblem &result);

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_MEMORYPROBLEM_H

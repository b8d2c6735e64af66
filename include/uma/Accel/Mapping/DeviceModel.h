//===- DeviceModel.h - Memories, engines and paths of a device -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_DEVICEMODEL_H
#define UMA_ACCEL_MAPPING_DEVICEMODEL_H

#include "uma/Accel/IR/AccelOps.h"

#include <optional>

namespace uma::accel {

/// The numbers of a description that mappings need.
struct DeviceModel {
  /// Most cycles of one command, so that no sum overflows. The cycles of a
  /// description are limited to it.
  static constexpr int64_t kMaxCycles = int64_t(1) << 32;

  struct Memory {
    MemoryOp op;
    int64_t bytes, alignment;
  };
  struct Engine {
    EngineOp op;
    int64_t macs; ///< multiply-accumulates per cycle; 0 if unknown
  };
  /// Path between main memory and a memory of the device.
  struct Path {
    PathOp op;
    unsigned memory, engine;
    bool isStore; ///< whether it leads to main memory
    int64_t setup, bandwidth;
    bool takesRows, takesStride;

    /// Returns the cycles of a command.
    int64_t getCycles(int64_t rows, int64_t rowBytes) const;
  };
  llvm::SmallVector<Memory> memories;
  llvm::SmallVector<Engine> engines;
  llvm::SmallVector<Path> paths;
  /// Instructions by which engines wait for each other; null if the host waits.
  TokensOp tokens;
  /// Calls that say which layer commands belong to; null if there are none.
  LayersOp layers;

  /// Evaluates the description. Fails if a number has no value or is out of
  /// range, and sets `problem` and, if given, `where`.
  static mlir::FailureOr<DeviceModel> get(AcceleratorOp accelerator,
                                          std::string &problem,
                                          mlir::Operation **where = nullptr);

  std::optional<unsigned> findMemory(llvm::StringRef name) const;
  unsigned findEngine(llvm::StringRef name) const;
  /// Returns the path to a memory, or from it to main memory; null if there is
  /// none.
  const Path *findPath(unsigned memory, bool isStore) const;
};

/// Returns the problem of a tensor that nothing moves to or from its memory.
std::string describeMissingPath(mlir::Value tensor, llvm::StringRef memory,
                                bool isStore);

/// Checks the numbers of a device with engines, and that its patterns with
/// tiles can load and store what they place. Emits errors and fails otherwise.
mlir::LogicalResult checkDevice(AcceleratorOp accelerator);

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_DEVICEMODEL_H

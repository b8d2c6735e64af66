//===- BufferAccesses.h - Buffers that operations access -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_BUFFERACCESSES_H
#define UMA_LIB_TIR_TRANSFORMS_BUFFERACCESSES_H

#include "uma/TIR/IR/TIROps.h"

#include "llvm/ADT/SetVector.h"

namespace uma::tir {

/// Returns the buffer that underlies `value`, looking through views.
mlir::Value getBaseBuffer(mlir::Value value);

/// Buffers that an operation of plain TIR, including nested ones, reads and
/// writes. Different arguments of a function are assumed to be different
/// buffers.
struct BufferAccesses {
  static BufferAccesses get(mlir::Operation *root);

  void add(const BufferAccesses &other);

  llvm::SetVector<mlir::Value> reads, writes;
  /// Operation with unknown effects, or one that must not be moved: views of
  /// buffers, and calls that configure a device.
  mlir::Operation *unknown = nullptr;
};

/// Returns whether a function writes each of its arguments; all if it has
/// unknown effects.
llvm::SmallVector<bool> getWrittenArguments(FuncOp function);

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_BUFFERACCESSES_H

//===- BufferRange.h - Bytes of a buffer that a view has -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_IR_BUFFERRANGE_H
#define UMA_TIR_IR_BUFFERRANGE_H

#include "mlir/IR/Value.h"

namespace uma::tir {

/// Range of bytes of a buffer: the whole buffer, or what a view has of it.
struct BufferRange {
  /// Buffer that no view defines: an allocation, an argument, a constant.
  mlir::Value base;
  /// First byte in `base`, and the number of bytes.
  int64_t offset = 0, size = 0;

  int64_t getEnd() const { return offset + size; }
  /// Returns whether two ranges share bytes, if their bases are the same.
  bool overlaps(const BufferRange &other) const {
    return base == other.base && offset < other.getEnd() &&
           other.offset < getEnd();
  }
};

/// Returns the bytes that `buffer`, a memref of static shape, has of the buffer
/// behind its views. Elements take whole bytes, as in C.
BufferRange getBufferRange(mlir::Value buffer);

} // namespace uma::tir

#endif // UMA_TIR_IR_BUFFERRANGE_H

//===- BufferLayout.h - Where a tensor's elements lie -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Tensors keep their shape; what changes is the buffer that holds one. A layer
// that knows a faster order than the row-major one says so here, and a border
// of zeros around the data lets convolutions read padding like data.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_IR_BUFFERLAYOUT_H
#define UMA_CPU_IR_BUFFERLAYOUT_H

#include "uma/IR/UMADialect.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"

namespace uma {

/// A channel as the block that it is in and the place in that block.
struct ChannelExpr {
  mlir::AffineExpr block, inBlock;
};

/// The order of a tensor's elements in its buffer.
struct BufferLayout {
  /// Channels per block of [N, C / block, spatial..., block], which NCHW16c
  /// and, with all channels in one block, NHWC are; 0 for the order of the
  /// tensor itself.
  int64_t block = 0;
  /// The tensor's dimension of channels and the spatial ones.
  int64_t channelDim = 1;
  llvm::SmallVector<int64_t, 2> spatialDims = {2, 3};
  /// Zeros before and behind the data in each spatial dimension.
  llvm::SmallVector<int64_t, 2> padBegin = {0, 0}, padEnd = {0, 0};

  bool hasHalo() const {
    return llvm::any_of(padBegin, [](int64_t pad) { return pad != 0; }) ||
           llvm::any_of(padEnd, [](int64_t pad) { return pad != 0; });
  }
  void removeHalo() { padBegin = padEnd = {0, 0}; }
  bool isRowMajor() const { return block == 0 && !hasHalo(); }
  bool operator==(const BufferLayout &other) const {
    return block == other.block && channelDim == other.channelDim &&
           spatialDims == other.spatialDims && padBegin == other.padBegin &&
           padEnd == other.padEnd;
  }

  /// Returns the layout that an attribute says; the default one for none.
  static BufferLayout of(LayoutAttr attribute);
  /// Null for the default layout.
  LayoutAttr toAttribute(mlir::MLIRContext *context) const;

  /// Returns the shape of the buffer for a tensor of `shape`.
  llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<int64_t> shape) const;
  /// Returns the type of the buffer for a tensor.
  mlir::MemRefType getType(mlir::RankedTensorType type) const;
  /// Returns true if the buffer of `shape` has its elements in the tensor's
  /// order.
  bool isLikeRowMajor(llvm::ArrayRef<int64_t> shape) const;

  /// Returns the indices of the element at `point`, an expression per dimension
  /// of the tensor. The channel comes as `channel`, if there are blocks.
  llvm::SmallVector<mlir::AffineExpr>
  getIndices(llvm::ArrayRef<mlir::AffineExpr> point, ChannelExpr channel) const;
  /// Returns the same for a channel that is one expression.
  llvm::SmallVector<mlir::AffineExpr>
  getIndices(llvm::ArrayRef<mlir::AffineExpr> point) const;
};

} // namespace uma

#endif // UMA_CPU_IR_BUFFERLAYOUT_H

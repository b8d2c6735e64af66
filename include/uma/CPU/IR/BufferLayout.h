//===- BufferLayout.h - Memory layout of a tensor -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A layout describes the buffer of a tensor; the tensor keeps its shape.
// Channels may be stored in blocks, and a halo of zeros around the data lets
// convolutions read padding like data.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_IR_BUFFERLAYOUT_H
#define UMA_CPU_IR_BUFFERLAYOUT_H

#include "uma/IR/UMADialect.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"

namespace uma {

/// A channel, as the index of its block and the index in the block.
struct ChannelExpr {
  mlir::AffineExpr block, inBlock;
};

/// The layout of a tensor's elements in its buffer.
struct BufferLayout {
  /// Channels per block of [N, C / block, spatial..., block]: 16 for NCHW16c,
  /// all channels for NHWC, 0 for the order of the tensor itself.
  int64_t block = 0;
  /// The tensor's channel dimension and spatial dimensions.
  int64_t channelDim = 1;
  llvm::SmallVector<int64_t, 2> spatialDims = {2, 3};
  /// The halo: zeros before and after the data in each spatial dimension.
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

  /// Returns the layout of an attribute; the default layout for null.
  static BufferLayout of(LayoutAttr attribute);
  /// Returns the attribute of the layout; null for the default layout.
  LayoutAttr toAttribute(mlir::MLIRContext *context) const;

  /// Returns the shape of the buffer for a tensor of `shape`.
  llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<int64_t> shape) const;
  /// Returns the type of the buffer for a tensor.
  mlir::MemRefType getType(mlir::RankedTensorType type) const;
  /// Returns whether the elements of a tensor of `shape` are stored in
  /// row-major order.
  bool isLikeRowMajor(llvm::ArrayRef<int64_t> shape) const;

  /// Returns the buffer indices of the element at `point`, which has an
  /// expression per dimension of the tensor. If channels are in blocks,
  /// `channel` replaces the channel of `point`.
  llvm::SmallVector<mlir::AffineExpr>
  getIndices(llvm::ArrayRef<mlir::AffineExpr> point, ChannelExpr channel) const;
  /// Like the above, with the channel taken from `point`.
  llvm::SmallVector<mlir::AffineExpr>
  getIndices(llvm::ArrayRef<mlir::AffineExpr> point) const;
};

} // namespace uma

#endif // UMA_CPU_IR_BUFFERLAYOUT_H

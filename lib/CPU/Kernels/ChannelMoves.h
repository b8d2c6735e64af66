//===- ChannelMoves.h - Moves of channels in vectors -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the kernels: plans the vectors of a pixel.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_CHANNELMOVES_H
#define UMA_LIB_CPU_KERNELS_CHANNELMOVES_H

#include "uma/CPU/IR/BufferLayout.h"
#include "uma/CPU/Model/ChannelMap.h"

namespace uma {

/// The distances in the buffer of an image in blocks of channels, in elements.
struct ChannelOrder {
  ChannelOrder() = default;
  ChannelOrder(const BufferLayout &layout, mlir::RankedTensorType type);

  /// Returns the offset of a channel of the first pixel of the first image.
  int64_t getOffset(int64_t channel) const {
    return first + channel / block * blockPitch + channel % block;
  }

  /// Channels of a block, which is the distance of pixels.
  int64_t block = 1;
  int64_t blockPitch = 1, rowPitch = 1, imagePitch = 1;
  /// Offset of the first element, behind the halo.
  int64_t first = 0;
};

/// A vector that is loaded from an operand.
struct MovePiece {
  unsigned operand = 0;
  /// Offset of the vector at the first pixel.
  int64_t first = 0;
  /// For each lane of the result the lane of the vector, or -1 if another piece
  /// has it.
  llvm::SmallVector<int64_t> lanes;

  /// Returns whether the result is the vector as it is.
  bool isWhole() const {
    return llvm::all_of(llvm::enumerate(lanes), [](auto entry) {
      return entry.value() == int64_t(entry.index());
    });
  }
};

/// A vector of a pixel of the result, and the vectors it is put together from.
struct VectorMove {
  /// Offset of the vector at the first pixel.
  int64_t target = 0;
  llvm::SmallVector<MovePiece, 2> pieces;
};

/// `count` moves with the same lanes. Each is the distances `steps` after the
/// one before: that of the result, then that of each piece.
struct MoveLoop {
  VectorMove first;
  int64_t count = 1;
  llvm::SmallVector<int64_t, 4> steps;
};

/// Returns the moves of all channels of a pixel, in vectors of `lanes` lanes,
/// which fit the blocks of all tensors. `places` has the source of each channel
/// of `target`.
llvm::SmallVector<VectorMove, 0>
getVectorMoves(llvm::ArrayRef<ChannelPlace> places,
               llvm::ArrayRef<ChannelOrder> sources, const ChannelOrder &target,
               int64_t lanes);

/// Returns few loops that do all of `moves`.
llvm::SmallVector<MoveLoop, 0> getMoveLoops(llvm::ArrayRef<VectorMove> moves);

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_CHANNELMOVES_H

//===- ChannelMap.h - Moves of the channels of images -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A channel shuffle (Zhang et al., "ShuffleNet", 2017) is a reshape, a
// transpose and a reshape. Together, they read for each channel of the result
// one channel of the data, as a slice does, and as a concatenation of channels
// does for its operands.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_CHANNELMAP_H
#define UMA_CPU_MODEL_CHANNELMAP_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace uma {

class CPULayer;

/// Returns the operators from `first` on, in program order, that move the
/// entries of one dimension of an image: a concatenation, a shuffle and a
/// slice, or some of them, but not a concatenation alone. Returns none if there
/// are none, or if results between them have other uses.
llvm::SmallVector<mlir::Operation *, 4> findShuffle(mlir::Operation *first);

/// Channel `channel` of operand `operand`.
struct ChannelPlace {
  unsigned operand;
  int64_t channel;
};

/// The source of each channel of a layer's result. Other dimensions keep their
/// order.
struct ChannelMap {
  /// The dimension of the tensors that holds the channels.
  int64_t dim;
  /// One per channel of the result.
  llvm::SmallVector<ChannelPlace, 0> places;

  /// Returns the map of a concatenation, a shuffle and a slice, or of some of
  /// them in this order; std::nullopt for other operators. `ops` may end with
  /// elementwise operators.
  static std::optional<ChannelMap> of(llvm::ArrayRef<mlir::Operation *> ops);
  /// Appends a map of the result. Returns false if it has none or is one of
  /// another dimension.
  bool append(std::optional<ChannelMap> next);
};

} // namespace uma

#endif // UMA_CPU_MODEL_CHANNELMAP_H

//===- ChannelMap.h - Moves of the channels of images -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A channel shuffle (Zhang et al., "ShuffleNet", 2017) is a reshape, a
// transpose and a reshape. Together, they read for each channel of the result
// one channel of the data, as a concatenation of channels does for its
// operands.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_CHANNELMAP_H
#define UMA_CPU_MODEL_CHANNELMAP_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace uma {

class CPULayer;

/// Returns a reshape, a transpose and a reshape that permute the entries of one
/// dimension of an image, in program order, if `first` is the reshape that
/// begins them. Returns none otherwise, or if results between them have other
/// uses. A concatenation that only the first reshape reads is part of them if
/// `first` is the concatenation.
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

  /// Returns the map of a shuffle or of a concatenation in any dimension;
  /// std::nullopt for other operators. `ops` may end with elementwise
  /// operators.
  static std::optional<ChannelMap> of(llvm::ArrayRef<mlir::Operation *> ops);
};

} // namespace uma

#endif // UMA_CPU_MODEL_CHANNELMAP_H

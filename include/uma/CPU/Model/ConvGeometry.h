//===- ConvGeometry.h - Geometry of a convolution -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution of stride s is s^2 convolutions of stride 1, each of
// which writes every s-th element of every s-th row. Both kinds are therefore a
// list of parts with affine indices.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_CONVGEOMETRY_H
#define UMA_CPU_MODEL_CONVGEOMETRY_H

#include "uma/CPU/IR/BufferLayout.h"

#include "uma/Graph/IR/Window.h"

#include <array>

namespace uma {

/// One spatial dimension of a part. Result `i`, at `i * resultStride +
/// resultOffset`, is the sum over `t` of the data at `i * dataStride + t *
/// dataStep + dataOffset` times the weight at `t * tapStep + firstTap`.
struct ConvAxis {
  int64_t results, resultStride, resultOffset;
  int64_t taps, firstTap, tapStep;
  int64_t dataStride, dataStep, dataOffset;
};

/// A two-dimensional convolution, transposed or not.
struct ConvGeometry {
  int64_t batch, inChannels, outChannels, groups;
  /// Dimension order of data and result.
  graph::WindowLayout names;
  /// Dimension order of the weights; `i` and `o` are channels of a group.
  graph::KernelLayout kernel;
  bool isTransposed = false;
  /// Whether products are dot products of words; see getWordSize.
  bool hasWords = false;
  /// Height and width of the data.
  std::array<int64_t, 2> input;
  llvm::SmallVector<std::array<ConvAxis, 2>, 1> parts;

  /// Returns the geometry of conv2d or conv2d_transpose. Returns std::nullopt
  /// for any other operator, if a transposed convolution has results that no
  /// tap reaches, or if it would have too many parts.
  static std::optional<ConvGeometry> of(mlir::Operation *op);

  int64_t getGroupInputs() const { return inChannels / groups; }
  int64_t getGroupOutputs() const { return outChannels / groups; }
  bool isDepthwise() const {
    return groups != 1 && groups == inChannels && groups == outChannels;
  }
  /// Returns whether vectors of neighbouring pixels in a row are possible.
  bool fitsPlanes() const;
  /// Returns whether vectors of neighbouring pixels are possible and faster
  /// than vectors of channels, because there are too few channels.
  bool isPlanar() const;
  /// Returns whether groups align with blocks of `block` channels: a group is
  /// whole blocks, or a block is whole groups.
  bool fitsBlock(int64_t block) const {
    int64_t outputs = getGroupOutputs();
    return groups == 1 || outputs % block == 0 || block % outputs == 0;
  }
  /// Returns whether a depthwise convolution skips padding instead of reading a
  /// halo, which pays for small images. Its edges then have loops of their own.
  bool skipsPadding() const;
  /// Widens the halo of `layout` to all data that the convolution reads.
  void requireHalo(BufferLayout &layout) const;
};

} // namespace uma

#endif // UMA_CPU_MODEL_CONVGEOMETRY_H

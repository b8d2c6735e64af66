//===- ConvGeometry.h - What a convolution reads and writes -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution of stride s is s^2 convolutions of stride 1, each of
// which writes every s-th element of a row and column. So both kinds are a list
// of parts here, whose indices are affine.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_CONVGEOMETRY_H
#define UMA_CPU_MODEL_CONVGEOMETRY_H

#include "uma/CPU/IR/BufferLayout.h"

#include "uma/Graph/IR/Window.h"

#include <array>

namespace uma {

/// One spatial dimension of a part: result `i`, at `i * resultStride +
/// resultOffset`, is the sum over `t` of the data at `i * dataStride +
/// t * dataStep + dataOffset` times the weight at `t * tapStep + firstTap`.
struct ConvAxis {
  int64_t results, resultStride, resultOffset;
  int64_t taps, firstTap, tapStep;
  int64_t dataStride, dataStep, dataOffset;
};

/// A convolution of two dimensions, transposed or not.
struct ConvGeometry {
  int64_t batch, inChannels, outChannels, groups;
  /// The layouts of data and result.
  graph::WindowLayout names;
  /// The layout of the weights; `i` and `o` are channels of a group.
  graph::KernelLayout kernel;
  bool isTransposed = false;
  /// Height and width of the data.
  std::array<int64_t, 2> input;
  llvm::SmallVector<std::array<ConvAxis, 2>, 1> parts;

  /// Returns the geometry of conv2d or conv2d_transpose; std::nullopt for any
  /// other operator, and where a part of the result is no sum at all.
  static std::optional<ConvGeometry> of(mlir::Operation *op);

  int64_t getGroupInputs() const { return inChannels / groups; }
  int64_t getGroupOutputs() const { return outChannels / groups; }
  bool isDepthwise() const {
    return groups != 1 && groups == inChannels && groups == outChannels;
  }
  /// Returns true if vectors of neighbours in a row are possible.
  bool fitsPlanes() const;
  /// Returns true if there are too few channels for vectors of channels, and
  /// vectors of neighbours in a row do better.
  bool isPlanar() const;
  /// Returns true if the results of a group lie next to each other where
  /// channels are in such blocks.
  bool fitsBlock(int64_t block) const {
    int64_t outputs = getGroupOutputs();
    return groups == 1 || outputs % block == 0 || block % outputs == 0;
  }
  /// Returns whether a depthwise convolution leaves padding out of its loops:
  /// of a small image, a border would be a large part. It needs loops of its
  /// own for each side.
  bool skipsPadding() const;
  /// Widens the border of `layout` to what is read of the data.
  void requireHalo(BufferLayout &layout) const;
};

} // namespace uma

#endif // UMA_CPU_MODEL_CONVGEOMETRY_H

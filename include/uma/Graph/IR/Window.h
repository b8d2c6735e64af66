//===- Window.h - Geometry of sliding windows -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of a window that slides over the spatial dimensions of its data,
// shared by the verifiers, interpreter, pattern matching and lowering of
// convolutions and pools.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_WINDOW_H
#define UMA_GRAPH_IR_WINDOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace uma::graph {

/// One number per spatial dimension.
using SpatialVector = llvm::SmallVector<int64_t, 3>;

/// Positions of the dimensions of a data tensor.
struct WindowLayout {
  int64_t n, c;
  SpatialVector spatial; ///< H and W, or D, H and W
  /// Parses `NCHW`, `NHWC`, `NCDHW` or `NDHWC`; returns std::nullopt for any
  /// other string.
  static std::optional<WindowLayout> parse(llvm::StringRef name);
};

/// Positions of the dimensions of a convolution's weights. I is the number of
/// input channels of one group.
struct KernelLayout {
  int64_t o, i;
  SpatialVector spatial; ///< H and W, or D, H and W
  /// Parses `OIHW`, `OHWI`, `HWIO`, `OIDHW`, `ODHWI` or `DHWIO`; returns
  /// std::nullopt for any other string.
  static std::optional<KernelLayout> parse(llvm::StringRef name);
};

/// Window over spatial dimensions, for example H (index 0) and W (index 1).
/// Sizes are in elements.
struct Window {
  SpatialVector input;     ///< size of the data
  SpatialVector kernel;    ///< size of the window, undilated
  SpatialVector strides;   ///< step from one window to the next
  SpatialVector dilations; ///< distance between neighbouring taps
  SpatialVector padBegin;  ///< padding in front, for example top and left
  SpatialVector padEnd;    ///< padding behind, for example bottom and right
  bool ceilMode = false;   ///< round the output size up (pools)

  /// Returns the number of spatial dimensions.
  int64_t getRank() const { return input.size(); }
  /// Returns the extent of the dilated window along `dim`.
  int64_t getExtent(int64_t dim) const;
  /// Returns the number of windows along `dim`; 0 or less if none fits.
  int64_t getOutput(int64_t dim) const;
  /// Returns the padding of ONNX's auto_pad: all begins, then all ends, for
  /// example {top, left, bottom, right}. `upper` puts the odd element at the
  /// end.
  llvm::SmallVector<int64_t, 6> getSamePadding(bool upper = true) const;
  /// Returns whether the padding equals SAME_UPPER.
  bool isSamePadding() const;
};

/// Sizes of a convolution.
struct ConvDims {
  int64_t batch, inChannels, outChannels, groups;
  Window window;
};

} // namespace uma::graph

#endif // UMA_GRAPH_IR_WINDOW_H

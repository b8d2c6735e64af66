//===- Window.h - The geometry of sliding windows -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Convolutions and pools share the arithmetic of a window that slides over the
// spatial dimensions of its data. It stands here once, for verifiers,
// interpreter, pattern matching and lowering.
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

/// A number per spatial dimension.
using SpatialVector = llvm::SmallVector<int64_t, 3>;

/// Where the dimensions of a data tensor stand.
struct WindowLayout {
  int64_t n, c;
  SpatialVector spatial; ///< H and W, or D, H and W
  /// `NCHW`, `NHWC`, `NCDHW` or `NDHWC`; std::nullopt for any other string.
  static std::optional<WindowLayout> parse(llvm::StringRef name);
};

/// Where the dimensions of a convolution's weights stand; I is the number of
/// input channels of one group.
struct KernelLayout {
  int64_t o, i;
  SpatialVector spatial; ///< H and W, or D, H and W
  /// `OIHW`, `OHWI`, `HWIO`, `OIDHW`, `ODHWI` or `DHWIO`; std::nullopt for any
  /// other string.
  static std::optional<KernelLayout> parse(llvm::StringRef name);
};

/// A window over some spatial dimensions, for example H (index 0) and W
/// (index 1). Sizes in elements.
struct Window {
  SpatialVector input;     ///< size of the data
  SpatialVector kernel;    ///< size of the window, undilated
  SpatialVector strides;   ///< step from one window to the next
  SpatialVector dilations; ///< distance of neighbours in a window
  SpatialVector padBegin;  ///< for example top, left
  SpatialVector padEnd;    ///< for example bottom, right
  bool ceilMode = false;   ///< round the output size up (pools)

  /// Returns the number of spatial dimensions.
  int64_t getRank() const { return input.size(); }
  /// Returns the extent of the dilated window along `dim`.
  int64_t getExtent(int64_t dim) const;
  /// Returns the number of windows along `dim`; 0 or less when none fits.
  int64_t getOutput(int64_t dim) const;
  /// Returns the padding of ONNX's auto_pad: `upper` puts the odd element at
  /// the end. Returns all begins, then all ends: {top, left, bottom, right}.
  llvm::SmallVector<int64_t, 6> getSamePadding(bool upper = true) const;
  /// True when the padding is that of SAME_UPPER.
  bool isSamePadding() const;
};

/// The sizes of a convolution by name.
struct ConvDims {
  int64_t batch, inChannels, outChannels, groups;
  Window window;
};

} // namespace uma::graph

#endif // UMA_GRAPH_IR_WINDOW_H

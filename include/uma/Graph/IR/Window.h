//===- Window.h - The geometry of sliding windows -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Convolutions and pools share the arithmetic of a window that slides over two
// spatial dimensions. It stands here once, for verifiers, interpreter, pattern
// matching and lowering.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_WINDOW_H
#define UMA_GRAPH_IR_WINDOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>

namespace uma::graph {

/// Where the dimensions of a four-dimensional data tensor stand.
struct DataLayout2D {
  int64_t n, c, h, w;
  /// `NCHW` or `NHWC`; nothing for any other string.
  static std::optional<DataLayout2D> parse(llvm::StringRef name);
};

/// Where the dimensions of a convolution's weights stand; I is the number of
/// input channels of one group.
struct KernelLayout2D {
  int64_t o, i, h, w;
  /// `OIHW`, `OHWI` or `HWIO`; nothing for any other string.
  static std::optional<KernelLayout2D> parse(llvm::StringRef name);
};

/// A window over H (index 0) and W (index 1). Sizes in elements.
struct Window2D {
  std::array<int64_t, 2> input;     ///< size of the data
  std::array<int64_t, 2> kernel;    ///< size of the window, undilated
  std::array<int64_t, 2> strides;   ///< step from one window to the next
  std::array<int64_t, 2> dilations; ///< distance of neighbours in a window
  std::array<int64_t, 2> padBegin;  ///< top, left
  std::array<int64_t, 2> padEnd;    ///< bottom, right
  bool ceilMode = false;            ///< round the output size up (pools)

  /// The extent of the dilated window along `dim`.
  int64_t getExtent(int dim) const;
  /// The number of windows along `dim`; 0 or less when none fits.
  int64_t getOutput(int dim) const;
  /// The padding of ONNX's auto_pad: `upper` puts the odd element at the end.
  /// Returns {top, left, bottom, right}.
  std::array<int64_t, 4> getSamePadding(bool upper = true) const;
  /// True when the padding is that of SAME_UPPER.
  bool isSamePadding() const;
};

/// The sizes of a conv2d by name.
struct Conv2DDims {
  int64_t batch, inChannels, outChannels, groups;
  Window2D window;
};

} // namespace uma::graph

#endif // UMA_GRAPH_IR_WINDOW_H

//===- PoolWindow.h - Windows clipped to the data -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_POOLWINDOW_H
#define UMA_LIB_CPU_KERNELS_POOLWINDOW_H

#include "uma/Graph/IR/Window.h"
#include "uma/TIR/Builder/LayerBuilder.h"

namespace uma {

/// The window of one result along one dimension.
struct WindowRange {
  /// First element, possibly in the padding.
  mlir::Value first;
  /// Range [begin, end) of the window's taps that read data; integer attributes
  /// if equal for all windows.
  mlir::OpFoldResult begin, end;
  /// Number of elements that a mean is divided by.
  mlir::Value count;
};

/// Returns the window of a convolution or a pool, which is the whole image for
/// a global pool.
graph::Window getAnyWindow(mlir::Operation *op,
                           const graph::WindowLayout &layout);

/// Emits the range of the window of result `place` along `dim`. If `countPad`,
/// a mean includes padding.
WindowRange getRange(LayerBuilder &b, const graph::Window &window, int64_t dim,
                     mlir::Value place, bool countPad);

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_POOLWINDOW_H

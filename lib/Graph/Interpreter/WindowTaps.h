//===- WindowTaps.h - Elements in a window -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the interpreter: iteration over the elements of the windows of
// convolutions and pools with any number of spatial dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_INTERPRETER_WINDOWTAPS_H
#define UMA_LIB_GRAPH_INTERPRETER_WINDOWTAPS_H

#include "Kernels.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace uma::graph::kernels {

/// Taps of one window along one dimension that read data, not padding: tap
/// `first + i` reads position `position + i * dilation`, for `i < count`. They
/// are computed directly, so the cost does not depend on the size of the
/// window.
struct Taps {
  int64_t first, count, position, dilation;

  Taps(const Window &window, int64_t dim, int64_t o)
      : dilation(window.dilations[dim]) {
    int64_t start = o * window.strides[dim] - window.padBegin[dim];
    first =
        start < 0 ? llvm::divideCeil(uint64_t(-start), uint64_t(dilation)) : 0;
    position = start + first * dilation;
    int64_t readable = position < window.input[dim]
                           ? (window.input[dim] - 1 - position) / dilation + 1
                           : 0;
    count =
        std::max<int64_t>(0, std::min(window.kernel[dim] - first, readable));
  }
};

/// Calls `fn(position, tap)` for every tap of window `output` that reads data.
/// `position` is its index in the data and `tap` its index in the window, with
/// one entry per spatial dimension.
template <typename Fn>
void forEachTap(const Window &window, llvm::ArrayRef<int64_t> output, Fn fn) {
  llvm::SmallVector<Taps, 3> taps;
  SpatialVector counts;
  for (auto [dim, index] : llvm::enumerate(output)) {
    taps.emplace_back(window, dim, index);
    counts.push_back(taps.back().count);
  }
  SpatialVector position(counts.size()), tap(counts.size());
  forEachIndex(counts, [&](llvm::ArrayRef<int64_t> index) {
    for (auto [dim, i] : llvm::enumerate(index)) {
      position[dim] = taps[dim].position + i * taps[dim].dilation;
      tap[dim] = taps[dim].first + i;
    }
    fn(llvm::ArrayRef<int64_t>(position), llvm::ArrayRef<int64_t>(tap));
  });
}

/// Returns the offset of `index`, which indexes the dimensions `dims` of a
/// tensor with strides `strides`.
inline int64_t getOffset(llvm::ArrayRef<int64_t> strides,
                         llvm::ArrayRef<int64_t> dims,
                         llvm::ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [dim, i] : llvm::zip_equal(dims, index))
    offset += strides[dim] * i;
  return offset;
}

/// Returns the sizes of dimensions `dims` of a shape.
inline SpatialVector getSizes(llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<int64_t> dims) {
  SpatialVector sizes;
  for (int64_t dim : dims)
    sizes.push_back(shape[dim]);
  return sizes;
}

/// Returns the spatial dimensions of data [N, C, spatial...].
inline SpatialVector getSpatialDims(llvm::ArrayRef<int64_t> shape) {
  return llvm::to_vector_of<int64_t, 3>(llvm::seq<int64_t>(2, shape.size()));
}

} // namespace uma::graph::kernels

#endif // UMA_LIB_GRAPH_INTERPRETER_WINDOWTAPS_H

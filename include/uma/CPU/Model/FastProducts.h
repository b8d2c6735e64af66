//===- FastProducts.h - Winograd's and Strassen's algorithms -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Fewer products for more weights: where they apply and what they save.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_FASTPRODUCTS_H
#define UMA_CPU_MODEL_FASTPRODUCTS_H

#include "uma/CPU/IR/BufferLayout.h"

#include "uma/Graph/IR/Window.h"

#include "llvm/Support/MathExtras.h"

#include <optional>
#include <utility>

namespace uma {

/// Products of a pair of matrices in quarters, instead of 8.
inline constexpr int64_t kNumQuarterProducts = 7;

/// A product of matrices that Strassen's algorithm may compute: pixels by
/// inputs times inputs by outputs.
struct QuarterProduct {
  /// The pixels: the upper and lower half of each image's rows are the
  /// quarters', with one more in the upper one where their number is odd.
  int64_t images, rows, columns;
  /// Channels, and how many of them lie together; 0 for all.
  int64_t inputs, outputs;
  int64_t inBlock = 0, outBlock = 0;
  /// Whether all pixels of an image follow each other: they are its rows, of
  /// one column.
  bool isFlat = true;

  /// Returns the products of a convolution of 1x1 with data and result in
  /// blocks of channels, none for other convolutions.
  static std::optional<QuarterProduct> of(const graph::ConvDims &dims,
                                          const BufferLayout &data,
                                          const BufferLayout &result);
  /// Makes pixels rows.
  void flatten() {
    rows *= std::exchange(columns, 1);
    isFlat = true;
  }
  int64_t getUpperRows() const { return int64_t(llvm::divideCeil(rows, 2)); }
  /// Rows of a product of quarters.
  int64_t getNumPixels() const { return images * getUpperRows() * columns; }
  /// Channels of data and result that lie together in half of them.
  int64_t getInBlock() const { return inBlock == 0 ? inputs / 2 : inBlock; }
  int64_t getOutBlock() const { return outBlock == 0 ? outputs / 2 : outBlock; }
  /// Returns whether rows and channels have halves, which lie apart.
  bool canSplit() const;
  /// Returns the cost by the algorithm, and directly, in products of one core
  /// at its peak.
  double getCost(const Processor &processor) const;
  double getDirectCost() const;
  /// Returns the number of products that the algorithm saves, 0 if it does not
  /// apply or does not pay.
  int64_t getSaved(const Processor &processor) const;
  /// Elements of weights that it adds.
  int64_t getExtraWeights() const { return inputs * outputs / 4 * 3; }
};

/// Returns whether Winograd's algorithm for tiles of `tile` x `tile` results, 2
/// or 4, applies to a convolution.
bool fitsWinograd(const graph::ConvDims &dims, int64_t tile);

/// Returns the cost of a convolution of 3x3 in products of one core at its
/// peak, by Winograd's algorithm, or directly for a tile of 0.
double getWinogradCost(const graph::ConvDims &dims, int64_t tile,
                       const Processor &processor);

/// Returns the side of the tiles that Winograd's algorithm computes a
/// convolution by, or 0 if it does not pay or does not apply.
int64_t chooseWinogradTile(const graph::ConvDims &dims,
                           const Processor &processor);

} // namespace uma

#endif // UMA_CPU_MODEL_FASTPRODUCTS_H

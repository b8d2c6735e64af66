//===- FastProducts.h - Winograd's and Strassen's algorithms -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Applicability and cost of the algorithms that trade weights for products.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_FASTPRODUCTS_H
#define UMA_CPU_MODEL_FASTPRODUCTS_H

#include "uma/CPU/IR/BufferLayout.h"
#include "uma/CPU/Model/Processor.h"

#include "uma/Graph/IR/Window.h"

#include "llvm/Support/MathExtras.h"

#include <optional>
#include <utility>

namespace uma {

/// Products of quarters per product of matrices; 8 without Strassen's
/// algorithm.
inline constexpr int64_t kNumQuarterProducts = 7;

/// A matrix product that Strassen's algorithm may compute: [pixels, inputs]
/// times [inputs, outputs].
struct QuarterProduct {
  /// Pixels. Each image is split into an upper and a lower half of its rows;
  /// the upper half has one more row if their number is odd.
  int64_t images, rows, columns;
  /// Channels, and the channels per block; 0 if all are contiguous.
  int64_t inputs, outputs;
  int64_t inBlock = 0, outBlock = 0;
  /// Whether the pixels of an image are contiguous; `rows` are then all pixels,
  /// and `columns` is 1.
  bool isFlat = true;

  /// Returns the product of a 1x1 convolution with data and result in channel
  /// blocks; std::nullopt for other convolutions.
  static std::optional<QuarterProduct> of(const graph::ConvDims &dims,
                                          const BufferLayout &data,
                                          const BufferLayout &result);
  /// Merges columns into rows, for contiguous pixels.
  void flatten() {
    rows *= std::exchange(columns, 1);
    isFlat = true;
  }
  int64_t getUpperRows() const { return int64_t(llvm::divideCeil(rows, 2)); }
  /// Returns the rows (M) of a product of quarters.
  int64_t getNumPixels() const { return images * getUpperRows() * columns; }
  /// Return the contiguous channels in half of the data's and the result's
  /// channels.
  int64_t getInBlock() const { return inBlock == 0 ? inputs / 2 : inBlock; }
  int64_t getOutBlock() const { return outBlock == 0 ? outputs / 2 : outBlock; }
  /// Returns whether rows and channels can be split into halves, with no block
  /// in both.
  bool canSplit() const;
  /// Return the cost with Strassen's algorithm and the direct cost, in products
  /// of one core at its peak.
  double getCost(const Processor &processor) const;
  double getDirectCost() const;
  /// Returns the number of products that the algorithm saves, 0 if it does not
  /// apply or does not pay.
  int64_t getSaved(const Processor &processor) const;
  /// Returns the additional elements of weights.
  int64_t getExtraWeights() const { return inputs * outputs / 4 * 3; }
};

/// Returns whether Winograd's algorithm with tiles of `tile` x `tile` results
/// (2 or 4) applies to a convolution.
bool fitsWinograd(const graph::ConvDims &dims, int64_t tile);

/// Returns the cost of a 3x3 convolution with Winograd's algorithm, in products
/// of one core at its peak; the direct cost if `tile` is 0.
double getWinogradCost(const graph::ConvDims &dims, int64_t tile,
                       const Processor &processor);

/// Returns the best tile size for Winograd's algorithm, or 0 if it does not pay
/// or does not apply.
int64_t chooseWinogradTile(const graph::ConvDims &dims,
                           const Processor &processor);

} // namespace uma

#endif // UMA_CPU_MODEL_FASTPRODUCTS_H

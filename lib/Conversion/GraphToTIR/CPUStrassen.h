//===- CPUStrassen.h - Products of matrices in quarters -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_CPUSTRASSEN_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_CPUSTRASSEN_H

#include "ContractionKernel.h"

#include "uma/Graph/IR/GraphOps.h"

#include <optional>
#include <utility>

namespace uma {

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

  /// Of a convolution of 1x1 whose data and result lie in blocks of channels;
  /// nothing for others.
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
  /// What the algorithm saves, in products; none where it does not apply, or
  /// does not pay.
  int64_t getSaved() const;
  /// Elements of weights that it adds.
  int64_t getExtraWeights() const { return inputs * outputs / 4 * 3; }
};

/// The left matrix: the image, the line in it and the place in the line, where
/// images that are flat are one line.
struct PixelOperand {
  mlir::Value buffer;
  std::function<IndexExprs(mlir::AffineExpr image, mlir::AffineExpr line,
                           mlir::AffineExpr place, ChannelExpr channel)>
      getIndices;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_CPUSTRASSEN_H

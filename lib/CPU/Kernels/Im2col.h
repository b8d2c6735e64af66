//===- Im2col.h - Products of bytes in small memories -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_IM2COL_H
#define UMA_LIB_CPU_KERNELS_IM2COL_H

#include "ByteLayer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace uma {

/// Kernel of convolutions and dense layers of bytes.
class Im2col : public ByteLayer {
public:
  using ByteLayer::ByteLayer;
  void lower() override;

private:
  /// Offset between the unsigned and the signed form of a byte.
  static constexpr int64_t byteOffset = 128;

  void setGeometry();
  /// Returns the step of the reduction at position `i` of a row; -1 behind the
  /// last one.
  int64_t getStep(int64_t i) const;
  Argument addWeights();
  /// Emits the tile of `pixels` pixels from `column` on.
  void buildTile(LayerBuilder &b, mlir::Value image, mlir::Value line,
                 mlir::Value column);
  /// Emits the copy of the windows to the rows.
  void buildRows(LayerBuilder &b, mlir::Value image, mlir::Value line,
                 mlir::Value column);
  /// Emits the copy of one run of the window of row `row`.
  void buildRun(LayerBuilder &b, mlir::ValueRange vars, mlir::Value begin,
                mlir::Value end);
  /// Emits the sums of `tileChannels` channels and their results.
  void buildChannels(LayerBuilder &b, mlir::Value image, mlir::Value line,
                     mlir::Value column, mlir::Value pack);
  /// Returns whether pixel `column + row` exists; null if all do.
  mlir::Value exists(LayerBuilder &b, mlir::Value column, mlir::Value row);
  /// Emits `group` steps of the sums in `sums`.
  void buildSteps(LayerBuilder &b, mlir::Value pack, mlir::Value sums);
  /// Emits the results of the tile whose image, line, column and pack are
  /// `vars`.
  void buildResults(LayerBuilder &b, mlir::ValueRange vars, mlir::Value sums);
  /// Emits one of them, whose row and channel of the tile are also in `vars`.
  /// Checks whether they exist, if asked to.
  void buildResult(LayerBuilder &b, mlir::ValueRange vars, mlir::Value sums,
                   bool checksRow, bool checksChannel);
  /// Emits the steps of pairs.
  void buildPairs(LayerBuilder &b, mlir::Value pack, mlir::Value sums);
  /// Returns the number of elements of a row.
  int64_t getRowSize() const { return llvm::alignTo(steps, group); }
  /// Returns what elements of the rows are more than those of the data.
  int64_t getDataOffset() const {
    return isOffset && !isDataUnsigned() ? byteOffset : 0;
  }

  mlir::Value add(LayerBuilder &b, mlir::Value left, mlir::Value right) {
    return mlir::arith::AddIOp::create(b.builder, b.loc, left, right);
  }
  mlir::Value mul(LayerBuilder &b, mlir::Value left, int64_t right) {
    if (right == 1)
      return left;
    return mlir::arith::MulIOp::create(b.builder, b.loc, left, b.index(right));
  }

  bool hasPairs = layer.getKernel().getAlgorithm() == Algorithm::Im2colPairs;
  /// Whether rows and weights hold unsigned bytes.
  bool isOffset = !hasPairs && !processor.hasSignedLoads &&
                  getDataElement().getIntOrFloatBitWidth() == 8;
  int64_t pixels = layer.getKernel().getTile();
  /// Channels of a tile: with pairs, the two of a word of weights.
  int64_t tileChannels = layer.getKernel().getChannels() == 0
                             ? 2
                             : layer.getKernel().getChannels();
  /// Steps of the reduction that are computed at once.
  int64_t group = hasPairs ? 2 : 4;

  /// Images, and the sizes of the result and the data; a dense layer is a
  /// convolution of 1x1 on one line.
  int64_t images = 1, height = 1, width = 1, inHeight = 1, inWidth = 1;
  int64_t inChannels = 1, outChannels = 1;
  std::array<int64_t, 2> kernel = {1, 1}, strides = {1, 1}, dilations = {1, 1},
                         pads = {0, 0};
  /// Steps of the reduction. A line of the window is copied in `runs` runs of
  /// `taps` taps each, which are contiguous.
  int64_t steps = 1, runs = 1, taps = 1;
  /// Whether rows are copied in words of four bytes.
  bool hasQuads = false;
  Argument start, weights;
  mlir::Value startBuffer, weightBuffer, rows;
  /// Sums of the elements of each row, if `isOffset`.
  mlir::Value rowSums;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_IM2COL_H

//===- Contraction.h - Contractions and their schedules -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_CONTRACTION_H
#define UMA_CPU_MODEL_CONTRACTION_H

#include "uma/CPU/IR/BufferLayout.h"
#include "uma/CPU/Model/TileModel.h"

#include <functional>
#include <numeric>

namespace uma {

using IndexExprs = llvm::SmallVector<mlir::AffineExpr>;

/// Returns whether the innermost loop of a sum, of `extent` steps, is split
/// into chunks of one cache line.
inline bool isSplitIntoLines(int64_t extent) {
  return extent > lineElements && extent % lineElements == 0;
}

inline int64_t getProduct(llvm::ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<>());
}

/// A contraction, independent of its schedule:
///
///   result[outer, row, channel] = finish(sum over `reduce` of
///     data[outer, row, reduce] * weights[channel, reduce], operands...)
///
/// Convolutions, dense layers and matrix products take this form through their
/// index maps. Rows are pixels or rows of a matrix (M), channels are its
/// columns (N), `reduce` are the reduction loops (K).
struct ContractionProblem {
  std::string label;
  /// Operator name of the workload, if it differs from the label.
  std::string workload;
  /// Loop extents.
  llvm::SmallVector<int64_t> outer;
  int64_t rows = 1, channels = 1;
  llvm::SmallVector<int64_t> reduce;
  /// Channels per block of the result; 0 if all are contiguous.
  int64_t channelBlock = 0;
  /// Integers in a word if data and weights are words, whose products are dot
  /// products (uma.tir.dot); otherwise 1. Steps of the reduction are words.
  int64_t wordSize = 1;
  /// Whether elements are f64: a vector of the tile takes two registers.
  bool isDouble = false;
  /// Whether the words are pairs of bf16, with sums in f32.
  bool hasFloatWords = false;
  /// Strides and dilations of the window; they distinguish workloads.
  llvm::SmallVector<int64_t> strides, dilations;
  /// A reduction loop over the rows of a window, `reduce[loop]`. Step t reads
  /// row `outer[row] * stride + t * step + offset` of the data, which has
  /// `extent` rows. Other rows are padding and add nothing.
  struct Taps {
    size_t loop, row;
    int64_t stride, step, offset, extent;
  };
  std::optional<Taps> taps;
  /// Returns the fraction of steps, over all rows, that read padding.
  double getPaddingShare(const Taps &taps) const;
  /// Whether each iteration of the first outer loop has its own set of weights.
  bool hasWeightSets = false;
  /// Whether it loops over all its rows and channels itself; false if it is
  /// tiled together with its consumer.
  bool hasAllLoops = true;
  /// Whether the data of each tile is computed first: the tile needs whole
  /// sums.
  bool computesData = false;
  /// Whether blocking may be chosen; false if several contractions share a
  /// version.
  bool fitsBlocking = true;
  /// Whether a tuning database may contain it.
  bool isTunable = true;

  using DataIndicesFn = std::function<IndexExprs(
      llvm::ArrayRef<mlir::AffineExpr> outer, mlir::AffineExpr row,
      llvm::ArrayRef<mlir::AffineExpr> reduce)>;
  DataIndicesFn getDataIndices;
  /// Returns the indices of the data as expressions of dimensions: the outer
  /// loops, the row, and the reduction loops.
  IndexExprs getAllDataIndices(mlir::MLIRContext *context) const;
  /// Like getDataIndices, with rows that continue into the next iteration of
  /// the last outer loop, whose variable is ignored; null if the data does not
  /// allow it.
  DataIndicesFn getJoinedIndices;
  /// The data of an iteration of the last outer loop, from any row on, is that
  /// of the iteration before from `linePitch` rows later on; 0 if the data does
  /// not allow it. Rows between them read other parts of the buffer.
  int64_t linePitch = 0;
  /// Whether the last two reduction loops together read contiguous data.
  bool hasContiguousSteps = false;
  /// Indices of weights that are not packed, with the channel in the last
  /// dimension; null if the weights are packed.
  std::function<IndexExprs(llvm::ArrayRef<mlir::AffineExpr> outer,
                           mlir::AffineExpr channel,
                           llvm::ArrayRef<mlir::AffineExpr> reduce)>
      getWeightIndices;

  Workload getWorkload() const {
    return {workload.empty() ? label : workload,
            outer,
            rows,
            channels,
            channelBlock,
            reduce,
            strides,
            dilations};
  }
  ContractionShape getShape() const {
    return getContractionShape(getWorkload());
  }
  /// Returns whether a stride leaves gaps between the data of neighbours.
  bool hasGaps() const;
  /// Returns whether kernels without blocking are slow: too few rows reuse the
  /// weights, or a stride spreads the data.
  bool hasFewRows() const;
  /// Returns whether tiles may read the data in place: rows of a matrix, or
  /// pixels of channel blocks.
  bool isInOrder(mlir::MLIRContext *context) const;
  /// Returns whether the data of `lanes` steps of the innermost loop is
  /// contiguous, so that it can be loaded as a vector.
  bool hasVectorsOfSteps(int64_t lanes, mlir::MLIRContext *context) const;
  /// Returns whether the result can hold partial sums between slices. It cannot
  /// if packs overlap, since shared channels would be accumulated twice, or if
  /// its elements are narrower than the sums. A tile that computes its data
  /// adds up whole sums.
  bool keepsSums(int64_t packWidth) const {
    return !getWeightIndices && channels % packWidth == 0 && wordSize == 1 &&
           !computesData;
  }
  int64_t getNumPacks(int64_t packWidth) const {
    return int64_t(llvm::divideCeil(channels, packWidth));
  }
  /// Returns the number of sets of weights.
  int64_t getNumWeightSets() const { return hasWeightSets ? outer[0] : 1; }
};

/// Returns whether consecutive values of dimension `dim` are adjacent in a
/// buffer with these indices.
bool isContiguous(llvm::ArrayRef<mlir::AffineExpr> indices, unsigned dim);

/// A version of a contraction: the decisions for one instruction set.
struct VersionChoice {
  RegisterTile tile;
  /// Slices of the outermost reduction loop (KC); all rows are computed for one
  /// slice before the next.
  int64_t slices = 1;
  /// Whether data is loaded in vectors and multiplied lane by lane.
  bool isByLane = false;
  /// Tiles that prefetch the next weights.
  Prefetch prefetch = Prefetch::None;
  /// Cache blocking, or null.
  BlockingAttr blocking;

  VersionAttr toAttribute(mlir::MLIRContext *context,
                          llvm::StringRef isa) const;
};

/// Constraints on a version; the model chooses the rest.
struct VersionWish {
  /// Tile; excludes blocking.
  std::optional<RegisterTile> tile = std::nullopt;
  /// Number of slices; excludes blocking.
  std::optional<int64_t> slices = std::nullopt;
  /// Data order of the blocking; requires blocking.
  std::optional<DataOrder> data = std::nullopt;
};

/// Returns the version of least cost by the model for `isa`, with weights
/// packed by `packWidth`, subject to `wish`. Returns std::nullopt if the wish
/// does not apply, or if the instruction set is not worth a version of its own.
std::optional<VersionChoice> chooseVersion(const ContractionProblem &problem,
                                           int64_t packWidth, const ISA &isa,
                                           const Processor &processor,
                                           mlir::MLIRContext *context,
                                           const VersionWish &wish = {});

/// Returns the best blocking by the model for data in the order `data`, or in
/// an order chosen by the model. Returns null if no blocking applies or, unless
/// `data` is given, if blocking does not pay.
BlockingAttr chooseBlocking(const ContractionProblem &problem,
                            int64_t packWidth, const ISA &isa,
                            const Processor &processor,
                            mlir::MLIRContext *context,
                            std::optional<DataOrder> data = std::nullopt);
/// Returns the tile of contractions with blocking: large enough to hide the
/// latency of accumulation, small enough for the registers.
inline RegisterTile getBlockedTile(const ISA &isa) {
  return {isa.lanes == lineElements ? 14 : 6, 2, isa.lanes};
}
/// Returns whether tiles of `channels` channels are parts of blocks of `block`,
/// or several of them.
inline bool dividesBlocks(int64_t channels, int64_t block) {
  return block == 0 || block % channels == 0 || channels % block == 0;
}

} // namespace uma

#endif // UMA_CPU_MODEL_CONTRACTION_H

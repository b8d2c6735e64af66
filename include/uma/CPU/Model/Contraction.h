//===- Contraction.h - Sums of products and their schedules -*- C++ -*-----===//
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

/// Elements in a line of the cache.

/// Returns whether the innermost loop of a sum, of `extent` steps, is split
/// into chunks of a line.
inline bool isSplitIntoLines(int64_t extent) {
  return extent > lineElements && extent % lineElements == 0;
}

inline int64_t getProduct(llvm::ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<>());
}

/// A contraction before any decision about it:
///
///   result[outer, row, channel] = finish(sum over `reduce` of
///     data[outer, row, reduce] * weights[channel, reduce], operands...):
///
/// convolutions, dense layers and products of matrices, by their index maps.
/// Rows are pixels or rows of a matrix (M), channels its columns (N), `reduce`
/// are the loops of the sum (K).
struct ContractionProblem {
  std::string label;
  /// The operator of its workload, where the label does not tell.
  std::string workload;
  /// Extents.
  llvm::SmallVector<int64_t> outer;
  int64_t rows = 1, channels = 1;
  llvm::SmallVector<int64_t> reduce;
  /// Channels that lie next to each other; 0 for all.
  int64_t channelBlock = 0;
  /// The strides and dilations of a window, which tell workloads apart.
  llvm::SmallVector<int64_t> strides, dilations;
  /// The steps of the loop `reduce[loop]` that see data: step t sees row
  /// `outer[row] * stride + t * step + offset`, which is data for one of
  /// `extent` rows and padding for others, which adds nothing.
  struct Taps {
    size_t loop, row;
    int64_t stride, step, offset, extent;
  };
  std::optional<Taps> taps;
  /// Returns the share of steps, over all rows, that see padding.
  double getPaddingShare(const Taps &taps) const;
  /// Whether the weights differ with the first outer loop.
  bool hasWeightSets = false;
  /// Whether the loops over all rows and channels are its own: not where it is
  /// computed tile by tile together with its reader.
  bool hasAllLoops = true;
  /// Whether blocking may be chosen: not where others share its version.
  bool fitsBlocking = true;
  /// Whether the database may know it.
  bool isTunable = true;

  using DataIndicesFn = std::function<IndexExprs(
      llvm::ArrayRef<mlir::AffineExpr> outer, mlir::AffineExpr row,
      llvm::ArrayRef<mlir::AffineExpr> reduce)>;
  DataIndicesFn getDataIndices;
  /// The same with rows that go on where the last outer loop's next one begins,
  /// the variable of which says nothing; null if they do not.
  DataIndicesFn getJoinedIndices;
  /// Weights that are not packed, by what they belong to; their last dimension
  /// is the channels'. Null for packed ones.
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
  /// Returns whether too few rows use the weights, or the data is too far
  /// apart, for kernels without blocking.
  bool hasFewRows() const;
  /// Returns whether tiles may read the data where it is: rows of a matrix, and
  /// pixels of blocks of channels.
  bool isInOrder(mlir::MLIRContext *context) const;
  /// Returns whether the data of `lanes` steps of the innermost loop lies
  /// together, so that a vector of it can be loaded.
  bool hasVectorsOfSteps(int64_t lanes, mlir::MLIRContext *context) const;
  /// Returns whether the result can keep the sums while slices of them are
  /// computed: channels that two packs compute would be added to twice.
  bool keepsSums(int64_t packWidth) const {
    return !getWeightIndices && channels % packWidth == 0;
  }
  int64_t getNumPacks(int64_t packWidth) const {
    return int64_t(llvm::divideCeil(channels, packWidth));
  }
  /// Returns the sets of weights that follow each other.
  int64_t getNumWeightSets() const { return hasWeightSets ? outer[0] : 1; }
};

/// Returns whether what differs by one in dimension `dim` lies next to each
/// other in a buffer with these indices.
bool isContiguous(llvm::ArrayRef<mlir::AffineExpr> indices, unsigned dim);

/// A version of a contraction: the decisions for one set of vector
/// instructions.
struct VersionChoice {
  RegisterTile tile;
  /// The slices of the outermost loop of the sum, all rows' before the next
  /// one.
  int64_t slices = 1;
  /// Whether data is loaded in vectors, each lane of which is multiplied.
  bool isByLane = false;
  /// The tiles that ask for the weights that are needed next.
  Prefetch prefetch = Prefetch::None;
  /// Null if there is none.
  BlockingAttr blocking;

  VersionAttr toAttribute(mlir::MLIRContext *context,
                          llvm::StringRef isa) const;
};

/// Decisions about a version that are made before the model chooses the rest.
struct VersionWish {
  /// A tile, without blocking.
  std::optional<RegisterTile> tile = std::nullopt;
  /// The number of slices, without blocking.
  std::optional<int64_t> slices = std::nullopt;
  /// Blocking with data in this order.
  std::optional<DataOrder> data = std::nullopt;
};

/// Returns the version of least cost by the model for `isa`, with weights
/// packed by `packWidth`, as far as `wish` leaves it open; std::nullopt if the
/// wish does not apply, and for instructions that are not worth a version of
/// their own.
std::optional<VersionChoice> chooseVersion(const ContractionProblem &problem,
                                           int64_t packWidth, const ISA &isa,
                                           const Processor &processor,
                                           mlir::MLIRContext *context,
                                           const VersionWish &wish = {});

/// Returns the best blocking for data in the order `data`, or in the order that
/// the model chooses; null if none applies, or by the model where a contraction
/// without blocking is better.
BlockingAttr chooseBlocking(const ContractionProblem &problem,
                            int64_t packWidth, const ISA &isa,
                            const Processor &processor,
                            mlir::MLIRContext *context,
                            std::optional<DataOrder> data = std::nullopt);
/// Returns the tile of contractions with blocking: what the registers hold;
/// loops of fewer sums wait for them.
inline RegisterTile getBlockedTile(const ISA &isa) { return {6, 2, isa.lanes}; }

} // namespace uma

#endif // UMA_CPU_MODEL_CONTRACTION_H

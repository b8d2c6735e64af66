//===- ContractionKernel.h - Sums of products in registers -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_CONTRACTIONKERNEL_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_CONTRACTIONKERNEL_H

#include "BufferLayout.h"
#include "TileModel.h"

#include "uma/Conversion/GraphToTIR/LayerBuilder.h"

#include <functional>

namespace uma {

/// A place in the result: the variables of the outer loops, the one in the row
/// and the channel.
struct ResultPoint {
  llvm::ArrayRef<mlir::AffineExpr> outer;
  mlir::AffineExpr row;
  ChannelExpr channel;
};

using IndexExprs = llvm::SmallVector<mlir::AffineExpr>;

/// A buffer that has an element for each place in the result.
struct ResultOperand {
  mlir::Value buffer;
  std::function<IndexExprs(const ResultPoint &)> getIndices;
};

/// How packs of weights lie in memory.
struct PackLayout {
  int64_t width;      ///< channels of a pack
  int64_t panelWidth; ///< those that lie together
  int64_t gap = 0;    ///< steps that are left free behind each panel
};

/// result[outer, row, channel] = finish(sum over `reduce` of
///   data[outer, row, reduce] * weights[channel, reduce], operands...):
/// convolutions, dense layers and products of matrices, by their index maps.
struct Contraction {
  std::string label;
  /// Extents.
  llvm::SmallVector<int64_t> outer;
  int64_t rows = 1, channels = 1;
  llvm::SmallVector<int64_t> reduce;
  /// Channels that lie next to each other; 0 for all.
  int64_t channelBlock = 0;
  /// Of the window, where there is one: what tells workloads apart.
  llvm::SmallVector<int64_t> strides, dilations;
  /// Channels that weights are packed by.
  int64_t packWidth = 1;
  int64_t getPanelWidth() const {
    return uma::getPanelWidth(packWidth, channelBlock);
  }
  int64_t getNumPacks() const {
    return int64_t(llvm::divideCeil(channels, packWidth));
  }
  /// Steps that are left free between panels. Rows of a matrix are often as far
  /// apart as a power of two, and so would the panels be: the caches have too
  /// few places for all of them.
  int64_t getPanelGap() const {
    return channelBlock == 0 && getPanelWidth() != packWidth ? 1 : 0;
  }
  PackLayout getPackLayout() const {
    return {packWidth, getPanelWidth(), getPanelGap()};
  }
  /// Of the loop `reduce[loop]`, whose step t sees row `outer[row] * stride +
  /// t * step + offset` of the data, the steps that see one of its `extent`
  /// rows; the others see padding, which adds nothing.
  struct Taps {
    size_t loop, row;
    int64_t stride, step, offset, extent;
  };
  std::optional<Taps> taps;
  /// Of all steps of all rows, those that see padding.
  double getPaddingShare(const Taps &taps) const;
  /// Whether threads share the work.
  bool isParallel = true;
  /// The pack to compute, where the loop over all of them is the caller's.
  mlir::Value pack;
  /// The variables of loops that are the caller's, and their extents; in
  /// ResultPoint they are behind those of the outer loops.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> turn;
  /// Of the last outer loop the range to compute, where the rest of it is the
  /// caller's.
  struct Range {
    mlir::Value first;
    int64_t extent;
  };
  std::optional<Range> range;
  /// The tile that was measured, for one target.
  std::optional<TunedTile> tuned;

  mlir::Value data;
  using DataIndicesFn = std::function<IndexExprs(
      llvm::ArrayRef<mlir::AffineExpr> outer, mlir::AffineExpr row,
      llvm::ArrayRef<mlir::AffineExpr> reduce)>;
  DataIndicesFn getDataIndices;
  /// The same with rows that go on where the last outer loop's next one begins,
  /// the variable of which says nothing; null where they do not.
  mlir::Value joinedData;
  DataIndicesFn getJoinedIndices;
  /// [panels, product of `reduce`, channels of a panel], behind what
  /// `getWeightPrefix` gives, where the weights differ with the outer loops.
  /// Some panels are a pack; the last pack ends with the last channel, and may
  /// overlap the one before.
  mlir::Value weights;
  std::function<IndexExprs(llvm::ArrayRef<mlir::AffineExpr> outer)>
      getWeightPrefix;
  /// Weights in any other order, by what they belong to; their last dimension
  /// is the channels'.
  std::function<IndexExprs(llvm::ArrayRef<mlir::AffineExpr> outer,
                           mlir::AffineExpr channel,
                           llvm::ArrayRef<mlir::AffineExpr> reduce)>
      getWeightIndices;

  ResultOperand result;
  /// What the sums start with, none for 0.
  std::optional<ResultOperand> start;
  llvm::SmallVector<ResultOperand> operands;
  /// The element of the result for a sum and the elements of the operands.
  std::function<mlir::Value(LayerBuilder &, mlir::Value sum,
                            mlir::ValueRange operands)>
      finish;

  Workload getWorkload() const;
  /// Whether too few rows use the weights, or the data is too far apart, for
  /// kernels without panels.
  bool hasFewRows() const;
  RegisterTile chooseTile(const SIMDTarget &target) const;
  /// Whether the result can keep the sums while slices of them are computed.
  bool keepsSums() const;
  /// The slices of the outermost loop of `reduce` that sums are computed in,
  /// all rows' before the next one.
  int64_t chooseSlices(const RegisterTile &tile) const;
};

/// Stores the element of the result at `point`, an expression of `vars`, for a
/// sum: loads the operands and calls `finish`.
void storeResult(LayerBuilder &builder, const Contraction &contraction,
                 mlir::Value sum, const ResultPoint &point,
                 mlir::ValueRange vars);

/// Builds the loops, a version for each SIMD target.
void buildContraction(LayerBuilder &builder, const Contraction &contraction);
/// Builds the version for `target`.
void buildContraction(LayerBuilder &builder, const Contraction &contraction,
                      const SIMDTarget &target);

/// Builds a version of a layer for each of `targets`.
void buildVersions(LayerBuilder &builder, llvm::ArrayRef<SIMDTarget> targets,
                   llvm::function_ref<void(const SIMDTarget &)> build);
/// The same for those that every layer has a version for.
inline void buildVersions(LayerBuilder &builder,
                          llvm::function_ref<void(const SIMDTarget &)> build) {
  buildVersions(builder, getSIMDTargets(), build);
}

/// A loop of a kind around `body`, which gets its variable.
void buildLoop(LayerBuilder &builder, int64_t extent, tir::ForKind kind,
               llvm::function_ref<void(mlir::Value)> body);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_CONTRACTIONKERNEL_H

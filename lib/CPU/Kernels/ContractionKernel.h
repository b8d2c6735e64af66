//===- ContractionKernel.h - Sums of products in registers -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_CONTRACTIONKERNEL_H
#define UMA_LIB_CPU_KERNELS_CONTRACTIONKERNEL_H

#include "uma/CPU/Model/Contraction.h"

#include "uma/TIR/Builder/LayerBuilder.h"

namespace uma {

/// A place in the result: the variables of the outer loops, the one in the row
/// and the channel.
struct ResultPoint {
  llvm::ArrayRef<mlir::AffineExpr> outer;
  mlir::AffineExpr row;
  ChannelExpr channel;
};

/// A buffer that has an element for each place in the result.
struct ResultOperand {
  mlir::Value buffer;
  std::function<IndexExprs(const ResultPoint &)> getIndices;
};

/// The numbers of a tile that two layers compute together: the pack of channels
/// and the slab of rows, null if there is one.
struct TileVars {
  mlir::Value pack, slab;
  int64_t packs = 1, slabs = 1;

  /// Returns the variables of the loops over tiles, and their extents.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> getLoops() const {
    llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> loops;
    if (pack)
      loops.emplace_back(pack, packs);
    if (slab)
      loops.emplace_back(slab, slabs);
    return loops;
  }
};

/// The memory layout of packed weights.
struct PackLayout {
  int64_t width;      ///< channels of a pack
  int64_t panelWidth; ///< those that lie together
  int64_t gap = 0;    ///< steps that are left free behind each panel
};

/// A contraction and its schedule, with the buffers that it reads and writes.
struct Contraction : ContractionProblem {
  Contraction() = default;
  Contraction(ContractionProblem problem, ScheduleAttr schedule)
      : ContractionProblem(std::move(problem)), schedule(schedule),
        packWidth(schedule.getPack()) {}

  ScheduleAttr schedule;
  /// Channels that weights are packed by.
  int64_t packWidth = 1;
  int64_t getPanelWidth() const {
    return uma::getPanelWidth(packWidth, channelBlock);
  }
  int64_t getNumPacks() const {
    return ContractionProblem::getNumPacks(packWidth);
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
  /// Whether threads share the work.
  bool isParallel = true;
  /// The tile to compute, where the loops over all of them are the caller's; in
  /// ResultPoint its variables are behind those of the outer loops.
  TileVars tileVars;
  /// The range of the last outer loop that is computed here; the caller
  /// computes the rest.
  struct Range {
    mlir::Value first;
    int64_t extent;
  };
  std::optional<Range> range;

  mlir::Value data;
  /// The data with rows joined; see getJoinedIndices.
  mlir::Value joinedData;
  /// [panels, product of `reduce`, channels of a panel], behind the first outer
  /// variable if there are several sets. Some panels are a pack; the last pack
  /// ends with the last channel, and may overlap the one before. In any other
  /// order with getWeightIndices.
  mlir::Value weights;

  ResultOperand result;
  /// The initial values of the sums, none for 0.
  std::optional<ResultOperand> start;
  llvm::SmallVector<ResultOperand> operands;
  /// The element of the result for a sum and the elements of the operands.
  std::function<mlir::Value(LayerBuilder &, mlir::Value sum,
                            mlir::ValueRange operands)>
      finish;
};

/// Stores the element of the result at `point`, an expression of `vars`, for a
/// sum: loads the operands and calls `finish`.
void storeResult(LayerBuilder &builder, const Contraction &contraction,
                 mlir::Value sum, const ResultPoint &point,
                 mlir::ValueRange vars);

/// Builds the loops, in the versions of the schedule.
void buildContraction(LayerBuilder &builder, const Contraction &contraction);
/// Builds the version for `isa`, inside a version of the layer.
void buildContraction(LayerBuilder &builder, const Contraction &contraction,
                      const ISA &isa);

/// Builds a version of a layer for each of `isas`.
void buildVersions(LayerBuilder &builder, llvm::ArrayRef<const ISA *> isas,
                   llvm::function_ref<void(const ISA &)> build);
/// A version for each of a schedule's.
void buildVersions(LayerBuilder &builder, ScheduleAttr schedule,
                   llvm::function_ref<void(VersionAttr)> build);
/// The same for those that every layer has a version for.
void buildVersions(LayerBuilder &builder,
                   llvm::function_ref<void(const ISA &)> build);

/// A loop of a kind around `body`, which gets its variable.
void buildLoop(LayerBuilder &builder, int64_t extent, tir::ForKind kind,
               llvm::function_ref<void(mlir::Value)> body);

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_CONTRACTIONKERNEL_H

//===- ContractionKernel.h - Contractions in registers -*- C++ -*----------===//
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

/// A place in the result: the variables of the outer loops, the place in the
/// row, and the channel.
struct ResultPoint {
  llvm::ArrayRef<mlir::AffineExpr> outer;
  mlir::AffineExpr row;
  ChannelExpr channel;
};

/// A buffer with an element for each place in the result.
struct ResultOperand {
  mlir::Value buffer;
  std::function<IndexExprs(const ResultPoint &)> getIndices;
};

/// Indices of a tile of two tiled layers: the pack of channels and the slab of
/// rows; null if there is only one.
struct TileVars {
  mlir::Value pack, slab;
  int64_t packs = 1, slabs = 1;

  /// Returns the variables of the loops over tiles and their extents.
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
  int64_t width;      ///< channels per pack
  int64_t panelWidth; ///< contiguous channels
  int64_t gap = 0;    ///< unused steps after each panel
};

/// A contraction with its schedule and its buffers.
struct Contraction : ContractionProblem {
  Contraction() = default;
  Contraction(ContractionProblem problem, ScheduleAttr schedule)
      : ContractionProblem(std::move(problem)), schedule(schedule),
        packWidth(schedule.getPack()) {}

  ScheduleAttr schedule;
  /// Pack width of the weights, in channels.
  int64_t packWidth = 1;
  int64_t getPanelWidth() const {
    return uma::getPanelWidth(packWidth, channelBlock);
  }
  int64_t getNumPacks() const {
    return ContractionProblem::getNumPacks(packWidth);
  }
  /// Returns the number of unused steps between panels. Rows of a matrix are
  /// often a power of two, so panels without a gap would map to the same cache
  /// sets.
  int64_t getPanelGap() const {
    return channelBlock == 0 && getPanelWidth() != packWidth ? 1 : 0;
  }
  PackLayout getPackLayout() const {
    return {packWidth, getPanelWidth(), getPanelGap()};
  }
  /// Whether threads share the work.
  bool isParallel = true;
  /// Tile to compute, if the caller emits the loops over tiles. In ResultPoint,
  /// its variables follow those of the outer loops.
  TileVars tileVars;
  /// Range of the last outer loop that is computed here; the caller iterates
  /// over the ranges.
  struct Range {
    mlir::Value first;
    int64_t extent;
  };
  std::optional<Range> range;

  /// A producer of the data: elementwise, computed for each tile of rows.
  struct Producer {
    llvm::SmallVector<ResultOperand> operands;
    /// Returns an element of the data for the elements of the operands.
    std::function<mlir::Value(LayerBuilder &, mlir::ValueRange operands)>
        finish;
  };
  std::optional<Producer> producer;
  /// The data; null if there is a producer.
  mlir::Value data;
  /// Data with joined rows; see getJoinedIndices.
  mlir::Value joinedData;
  /// Packed weights (packed B): [panels, product of `reduce`, channels of a
  /// panel], with the first outer variable in front if there are several sets.
  /// One or more panels form a pack. The last pack ends with the last channel
  /// and may overlap the previous one. With getWeightIndices, weights have any
  /// other order.
  mlir::Value weights;

  ResultOperand result;
  /// Initial values of the sums; 0 if missing.
  std::optional<ResultOperand> start;
  llvm::SmallVector<ResultOperand> operands;
  /// Epilogue: returns the element of the result for a sum and the elements of
  /// the operands.
  std::function<mlir::Value(LayerBuilder &, mlir::Value sum,
                            mlir::ValueRange operands)>
      finish;
};

/// Returns the distance of the element at `indices` from the first one of a
/// buffer of `shape`.
mlir::AffineExpr getOffset(llvm::ArrayRef<int64_t> shape,
                           llvm::ArrayRef<mlir::AffineExpr> indices);

/// Emits the epilogue of a sum: loads the operands at `point`, an expression of
/// `vars`, calls `finish`, and stores the result.
void storeResult(LayerBuilder &builder, const Contraction &contraction,
                 mlir::Value sum, const ResultPoint &point,
                 mlir::ValueRange vars);

/// Builds the loops of a contraction, one version per instruction set of the
/// schedule.
void buildContraction(LayerBuilder &builder, const Contraction &contraction);
/// Builds the version for `isa`, inside of a version of the layer.
void buildContraction(LayerBuilder &builder, const Contraction &contraction,
                      const ISA &isa);

/// Builds a version of a layer for each of `isas`.
void buildVersions(LayerBuilder &builder, llvm::ArrayRef<const ISA *> isas,
                   llvm::function_ref<void(const ISA &)> build);
/// Builds a version of a layer for each version of a schedule.
void buildVersions(LayerBuilder &builder, ScheduleAttr schedule,
                   llvm::function_ref<void(VersionAttr)> build);
/// Builds a version of a layer for each instruction set that every layer has a
/// version for.
void buildVersions(LayerBuilder &builder,
                   llvm::function_ref<void(const ISA &)> build);

/// Builds a loop of a kind around `body`, which receives its variable.
tir::ForOp buildLoop(LayerBuilder &builder, int64_t extent, tir::ForKind kind,
                     llvm::function_ref<void(mlir::Value)> body);

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_CONTRACTIONKERNEL_H

//===- KernelBuilder.h - Loops and tiles of a contraction -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_KERNELBUILDER_H
#define UMA_LIB_CPU_KERNELS_KERNELBUILDER_H

#include "ContractionKernel.h"

namespace uma {

/// Builds the version for one target.
class KernelBuilder {
public:
  KernelBuilder(LayerBuilder &b, const Contraction &c, VersionAttr version)
      : b(b), c(c),
        tile{version.getRows(), version.getVectors(), version.getLanes()},
        mostRows(version.getRows()), slices(version.getSlices()),
        isByLane(version.getByLane()), prefetch(version.getPrefetch()),
        type(LayerBuilder::getComputeType(uma::getElement(c.data))) {}

  void build();

protected:
  // The iteration variables of all blocks, in this order: panel of packed
  // weights, first column in it, block of channels, first channel in it, outer
  // variables, those of the caller, row, pixel of the tile, variables of the
  // sum, and the row of all lines where these are joined in the data.
  enum : unsigned { Panel, Column, ChannelBlock, Channel, FirstOuter };
  unsigned getNumOuter() const {
    return c.outer.size() + c.tileVars.getLoops().size();
  }
  unsigned getRowDim() const { return FirstOuter + getNumOuter(); }
  unsigned getPixelDim() const { return getRowDim() + 1; }
  unsigned getFirstReduceDim() const { return getPixelDim() + 1; }
  IndexExprs getOuter() const { return getDims(FirstOuter, getNumOuter()); }
  IndexExprs getDims(unsigned first, unsigned count) const {
    IndexExprs dims;
    for (unsigned i = 0; i < count; ++i)
      dims.push_back(b.dim(first + i));
    return dims;
  }

  /// Returns the number of contractions with weights of their own.
  int64_t getNumWeightSets() const { return weightsVar ? c.outer.front() : 1; }
  /// Returns the panels of all weights.
  int64_t getNumPanels() const {
    return getNumWeightSets() * c.getNumPacks() *
           (c.packWidth / c.getPanelWidth());
  }

  using KindFn = llvm::function_ref<tir::ForKind(size_t)>;

  mlir::Value sum(mlir::Value left, mlir::Value right) const;
  mlir::Value scaled(mlir::Value value, int64_t factor) const;
  mlir::Value atMost(mlir::Value value, int64_t limit) const;
  /// Returns the first of `extents`, in this order, that is long enough for
  /// threads to share it evenly, or else the longest one.
  static size_t chooseParallel(llvm::ArrayRef<int64_t> extents);
  /// `body` for the tiles of all channels of `numPacks` packs from `firstPack`
  /// on, none for the first one.
  void buildPacks(int64_t numPacks, mlir::Value firstPack, tir::ForKind kind,
                  llvm::function_ref<void()> body);
  /// Loops over `extents` around `body`, whose kinds `getKind` knows from 1 on.
  void buildOuterLoops(llvm::ArrayRef<int64_t> extents, KindFn getKind,
                       llvm::function_ref<void(mlir::ValueRange)> body);
  /// `body` for tiles of `rows` rows, the size of the present one in
  /// `tile.rows`, with the number of the tile and its first row.
  void buildRows(int64_t rows, tir::ForKind kind,
                 llvm::function_ref<void(mlir::Value, mlir::Value)> body);
  /// Writes the initial values of a tile's sums to the result.
  void buildFirst(KindFn getKind);
  /// All results of a tile's channels.
  void buildChannels(KindFn getKind);
  /// `body` for the tiles of all rows, the variables up to the row bound.
  void buildTiles(KindFn getKind, llvm::function_ref<void()> body);
  void buildTile();
  /// Sets `prefetchWeights` to ask for `share` steps of `numPanels` panels of
  /// the weights, some in each of `parts` parts.
  void setWeightPrefetch(mlir::Value panel, int64_t numPanels,
                         mlir::Value firstStep, int64_t share, int64_t parts);
  /// Sets `prefetchWeights` for a tile of all steps: all tiles of its channels
  /// go through their weights before the next ones are needed.
  void planNextWeights();
  /// Sets what `getTarget` gives for a vector, which is in `region`, to the
  /// elements of `source`, or to 0 without one.
  void
  buildStart(const std::optional<ResultOperand> &source,
             LayerBuilder::Access region,
             llvm::function_ref<LayerBuilder::Access(int64_t, mlir::ValueRange)>
                 getTarget);
  void buildSum();
  /// `build` for each step of the innermost loop of the sum, or the first of
  /// `stepWidth`, inside those of `outerVars`; a part of the next weights is
  /// asked for in each chunk.
  void buildChunks(mlir::ValueRange outerVars, int64_t stepWidth,
                   llvm::function_ref<void(mlir::Value)> build);
  /// Returns the step of the whole sum that the variables of the sum name.
  mlir::AffineExpr getDepth() const;
  void buildStep(mlir::ValueRange reduceVars);
  /// The same for as many steps as vectors have lanes, from that of
  /// `reduceVars` on: their data is loaded in vectors.
  void buildLaneSteps(mlir::ValueRange reduceVars);
  /// Returns the weights of a step, which `reduceVars` and `depth` name, in a
  /// local buffer of one element for each channel of the tile.
  mlir::Value buildWeights(mlir::ValueRange reduceVars, mlir::AffineExpr depth);
  /// Adds the products of the weights in `factors` and of what `getElement`
  /// gives, for one vector of the channels, to the sums of a pixel.
  void buildProducts(
      mlir::Value factors, mlir::ValueRange vars,
      llvm::function_ref<mlir::Value(mlir::ValueRange vars)> getElement);
  LayerBuilder::Access getFactors(mlir::Value factors) const {
    return {factors, {b.expr(0)}, {tile.getChannels()}};
  }
  /// Returns the row to compute in turn `row`, where rows see different steps.
  mlir::Value rotateRow(mlir::Value row);
  /// Returns the first of the steps that see data in the present row, and the
  /// first one behind them.
  std::pair<mlir::Value, mlir::Value> getTaps();
  /// Stores the sums, or results if there is nothing to be added to them.
  void buildResult();
  /// Returns the values of the outer variables and the row for a pixel of the
  /// tile.
  llvm::SmallVector<mlir::Value> getRowBindings(mlir::Value pixel);
  /// A block inside the loops of the sum, if any, for pixel `pixel` of the
  /// tile.
  void buildBlock(llvm::StringRef label, mlir::Value pixel,
                  mlir::ValueRange reduceVars,
                  llvm::ArrayRef<LayerBuilder::Access> reads,
                  llvm::ArrayRef<LayerBuilder::Access> writes,
                  llvm::function_ref<void(mlir::ValueRange)> body);
  /// The same for each pixel of the tile.
  void buildBlocks(llvm::StringRef label, mlir::ValueRange reduceVars,
                   llvm::ArrayRef<LayerBuilder::Access> reads,
                   llvm::ArrayRef<LayerBuilder::Access> writes,
                   llvm::function_ref<void(mlir::ValueRange)> body) {
    buildLoop(b, tile.rows, tir::ForKind::Unrolled, [&](mlir::Value pixel) {
      buildBlock(label, pixel, reduceVars, reads, writes, body);
    });
  }
  /// Returns the channel of lane `lane` of vector `vector` of the tile.
  ChannelExpr getChannel(int64_t vector, mlir::AffineExpr lane) const;
  IndexExprs getIndices(const ResultOperand &operand, int64_t vector,
                        mlir::AffineExpr lane) const {
    IndexExprs outer = getOuter();
    return operand.getIndices(
        {outer, b.dim(getRowDim()), getChannel(vector, lane)});
  }
  /// Returns the last iteration variable in a loop over lanes.
  mlir::AffineExpr getLane(mlir::ValueRange vars) const {
    return b.dim(unsigned(vars.size()) - 1);
  }
  LayerBuilder::Access getSum(int64_t vector, mlir::ValueRange vars) const {
    return {
        sums,
        {b.dim(getPixelDim()), b.expr(vector * tile.lanes) + getLane(vars)}};
  }
  LayerBuilder::Access getElement(const ResultOperand &operand, int64_t vector,
                                  mlir::ValueRange vars) const {
    return {operand.buffer, getIndices(operand, vector, getLane(vars))};
  }
  /// Returns the part of the operand that one pixel of the tile touches.
  LayerBuilder::Access getRegion(const ResultOperand &operand) const;
  LayerBuilder::Access getSums() const {
    return {sums, {b.dim(getPixelDim()), b.expr(0)}, {1, tile.getChannels()}};
  }
  /// Calls `body` for every vector of a pixel, inside a loop over its lanes,
  /// with the iteration variables and the lane behind them.
  void forEachVector(
      mlir::ValueRange vars,
      llvm::function_ref<void(int64_t vector, mlir::ValueRange vars)> body);

  LayerBuilder &b;
  const Contraction &c;
  RegisterTile tile;
  /// The rows of a tile, but for smaller ones.
  int64_t mostRows;
  /// The extents of the variables of the sum.
  llvm::SmallVector<int64_t> reduce{c.reduce};
  /// The parts that the outermost loop of the sums is split into, the first
  /// step of the present one and whether it is the last one.
  int64_t slices = 1;
  /// Whether data is loaded in vectors, each lane of which is multiplied.
  bool isByLane;
  /// The tiles that ask for the weights that are needed next.
  Prefetch prefetch;
  mlir::Value firstStep;
  bool isLastSlice = true;
  mlir::Type type;
  mlir::Value sums;
  /// The variable of the first outer loop, inside the loop that goes around all
  /// packs; null if there is none.
  mlir::Value weightsVar;
  /// The number of the tile in its row.
  mlir::Value tileIndex;
  /// Asks for a part of the next weights, if there are any: all tiles of rows,
  /// and all parts of theirs, ask for all. The part is none if there is one.
  std::function<void(mlir::Value part)> prefetchWeights;
  /// The bindings of the first iteration variables, up to the channel, and of
  /// those up to the row that the tile begins in.
  llvm::SmallVector<mlir::Value> channelBindings, rowBindings;
  /// Whether the last outer variable goes up where the row ends.
  bool joinsRows = false;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_KERNELBUILDER_H

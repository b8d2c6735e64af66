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

/// Builds a version of a contraction without blocking.
class KernelBuilder {
  /// Returns the tile in vectors of registers: two for one of f64.
  static RegisterTile getTile(const Contraction &c, VersionAttr version) {
    int64_t parts = c.isDouble && version.getLanes() > 1 ? 2 : 1;
    return {version.getRows(), version.getVectors() * parts,
            version.getLanes() / parts};
  }

public:
  KernelBuilder(LayerBuilder &b, const Contraction &c, VersionAttr version)
      : b(b), c(c), tile(getTile(c, version)), mostRows(version.getRows()),
        slices(version.getSlices()), isByLane(version.getByLane()),
        stepWidth(isByLane ? version.getLanes() : 1),
        prefetch(version.getPrefetch()),
        type(c.producer
                 ? mlir::Type(b.builder.getF32Type())
                 : LayerBuilder::getComputeType(uma::getElement(c.data))),
        sumType(c.hasFloatWords ? mlir::Type(b.builder.getF32Type()) : type) {}

  virtual ~KernelBuilder() = default;

  void build();

protected:
  // Iteration variables of all blocks, in this order: panel of packed weights,
  // first column in it, block of channels, first channel in it, outer loops,
  // loops of the caller, row, pixel of the tile, reduction loops, and the row
  // across joined rows, if the data is read so.
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

  /// Returns the number of sets of weights.
  int64_t getNumWeightSets() const { return weightsVar ? c.outer.front() : 1; }
  /// Returns the number of panels of all sets of weights.
  int64_t getNumPanels() const {
    return getNumWeightSets() * c.getNumPacks() *
           (c.packWidth / c.getPanelWidth());
  }

  using KindFn = llvm::function_ref<tir::ForKind(size_t)>;

  mlir::Value sum(mlir::Value left, mlir::Value right) const;
  mlir::Value scaled(mlir::Value value, int64_t factor) const;
  mlir::Value quotient(mlir::Value value, int64_t divisor) const;
  mlir::Value remainder(mlir::Value value, int64_t divisor) const;
  mlir::Value atMost(mlir::Value value, int64_t limit) const;
  /// Returns the loop that threads share, of the one over packs, number 0, and
  /// of loops over `rows`, numbered from 1.
  size_t chooseShared(int64_t packs, llvm::ArrayRef<int64_t> rows) const;
  /// Returns whether threads share loops over `rows` although they could share
  /// packs.
  bool prefersRows(llvm::ArrayRef<int64_t> rows) const;
  /// Emits a loop outside of the one that threads share, or that loop.
  void buildShared(int64_t extent, tir::ForKind kind,
                   llvm::function_ref<void(mlir::Value)> body);
  /// Emits loops over the channel tiles of `numPacks` packs around `body`,
  /// starting at `firstPack`; null for the first pack.
  void buildPacks(int64_t numPacks, mlir::Value firstPack, tir::ForKind kind,
                  llvm::function_ref<void()> body);
  /// Emits loops over `extents` around `body`. `getKind` returns the kind of a
  /// loop, numbered from 1.
  void buildOuterLoops(llvm::ArrayRef<int64_t> extents, KindFn getKind,
                       llvm::function_ref<void(mlir::ValueRange)> body);
  /// Prepares for tiles of `tile.rows` rows.
  virtual void prepareRows() {}
  /// Returns how many of `count` tiles follow one preparation in a thread.
  virtual int64_t getPreparedTiles(int64_t /*count*/) { return 1; }
  /// Emits loops over tiles of `rows` rows around `body`, which receives the
  /// index of the tile and its first row. Sets `tile.rows` to the size of the
  /// tile.
  void buildRows(int64_t rows, tir::ForKind kind,
                 llvm::function_ref<void(mlir::Value, mlir::Value)> body);
  /// Emits all tiles, each of which computes its data first.
  void buildWithProducer();
  /// Emits the computation of the data of a tile.
  void buildProducer();
  /// Returns the element of the data at the steps `reduce` of a pixel.
  LayerBuilder::Access getData(llvm::ArrayRef<mlir::AffineExpr> reduce) const;
  /// Emits stores of the initial values of a tile's sums to the result.
  void buildFirst(KindFn getKind);
  /// Emits all results of a tile's channels.
  void buildChannels(KindFn getKind);
  /// Emits loops over the tiles of all rows around `body`, with bindings for
  /// the iteration variables up to the row.
  virtual void buildTiles(KindFn getKind, llvm::function_ref<void()> body);
  virtual void buildTile();
  /// Sets `prefetchWeights` to prefetch `share` steps of `numPanels` panels,
  /// from `panel` and `firstStep` on, distributed over `parts` parts of the
  /// tile.
  void setWeightPrefetch(mlir::Value panel, int64_t numPanels,
                         mlir::Value firstStep, int64_t share, int64_t parts);
  /// Sets `prefetchWeights` for a tile over the whole reduction, all tiles of
  /// which use the weights of its channels before the next ones.
  void planNextWeights();
  /// Returns whether chunks of the sum prefetch data that other threads wrote.
  bool prefetchesData() const;
  /// Emits prefetches of the data of a later chunk, for all rows of the tile.
  /// `reduceVars` are the variables of the reduction loops, the last one in
  /// chunks of `chunk` steps.
  void buildDataPrefetch(llvm::ArrayRef<mlir::Value> reduceVars, int64_t chunk);
  /// Emits the initialisation of vectors in `region`, which `getTarget`
  /// returns, to the elements of `source`, or to 0 if there is no source.
  void
  buildStart(const std::optional<ResultOperand> &source,
             LayerBuilder::Access region,
             llvm::function_ref<LayerBuilder::Access(int64_t, mlir::ValueRange)>
                 getTarget);
  void buildSum();
  /// Emits chunks of the innermost reduction loop, in steps of `stepWidth`,
  /// inside of the loops with `outerVars`. Each chunk prefetches a part of the
  /// next weights or of its data and calls `build` for its steps.
  void buildChunks(mlir::ValueRange outerVars, int64_t stepWidth,
                   llvm::function_ref<void(mlir::Value)> build);
  /// Returns the linear step of the reduction, an expression of the variables
  /// of its loops.
  mlir::AffineExpr getDepth() const;
  virtual void buildStep(mlir::ValueRange reduceVars);
  /// Emits as many steps as vectors have lanes, from `reduceVars` on, with data
  /// loaded in vectors.
  void buildLaneSteps(mlir::ValueRange reduceVars);
  /// Emits loads of the weights of a step, which `reduceVars` and `depth` name.
  /// Returns a local buffer with one element per channel of the tile.
  mlir::Value buildWeights(mlir::ValueRange reduceVars, mlir::AffineExpr depth);
  /// Emits the addition of products to the sums of a pixel: weights in
  /// `factors` times the vector that `getElement` returns.
  void buildProducts(
      mlir::Value factors, mlir::ValueRange vars,
      llvm::function_ref<mlir::Value(mlir::ValueRange vars)> getElement);
  LayerBuilder::Access getFactors(mlir::Value factors) const {
    return {factors, {b.expr(0)}, {tile.getChannels()}};
  }
  /// Returns the row to compute in iteration `row` if rows read different
  /// steps.
  mlir::Value rotateRow(mlir::Value row);
  /// Returns the range of steps that read data, not padding, in the current
  /// row.
  std::pair<mlir::Value, mlir::Value> getTaps();
  /// Emits stores of the partial sums or, in the last slice, of the results.
  void buildResult();
  /// Returns bindings for the outer variables and the row of a pixel of the
  /// tile.
  llvm::SmallVector<mlir::Value> getRowBindings(mlir::Value pixel);
  /// Emits a block for pixel `pixel` of the tile, inside of the reduction loops
  /// with `reduceVars`, if any.
  void buildBlock(llvm::StringRef label, mlir::Value pixel,
                  mlir::ValueRange reduceVars,
                  llvm::ArrayRef<LayerBuilder::Access> reads,
                  llvm::ArrayRef<LayerBuilder::Access> writes,
                  llvm::function_ref<void(mlir::ValueRange)> body);
  /// Emits a block for each pixel of the tile.
  void buildBlocks(llvm::StringRef label, mlir::ValueRange reduceVars,
                   llvm::ArrayRef<LayerBuilder::Access> reads,
                   llvm::ArrayRef<LayerBuilder::Access> writes,
                   llvm::function_ref<void(mlir::ValueRange)> body) {
    buildLoop(b, tile.rows, pixelLoop, [&](mlir::Value pixel) {
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
  /// Returns the region of the operand that one pixel of the tile accesses.
  LayerBuilder::Access getRegion(const ResultOperand &operand) const;
  LayerBuilder::Access getSums() const {
    return {sums, {b.dim(getPixelDim()), b.expr(0)}, {1, tile.getChannels()}};
  }
  /// Emits a loop over lanes for every vector of a pixel. `body` receives the
  /// iteration variables with the lane at the end.
  void forEachVector(
      mlir::ValueRange vars,
      llvm::function_ref<void(int64_t vector, mlir::ValueRange vars)> body);

  LayerBuilder &b;
  const Contraction &c;
  RegisterTile tile;
  /// Rows of a full tile.
  int64_t mostRows;
  /// Extents of the reduction loops.
  llvm::SmallVector<int64_t> reduce{c.reduce};
  /// Number of slices of the outermost reduction loop, the first step of the
  /// current slice, and whether it is the last one.
  int64_t slices = 1;
  /// Whether data is loaded in vectors and multiplied lane by lane.
  bool isByLane;
  /// Steps of the innermost reduction loop that are computed together.
  int64_t stepWidth;
  /// Whether threads share the packs of channels.
  bool threadsSharePacks = false;
  /// Tiles that prefetch the next weights.
  Prefetch prefetch;
  mlir::Value firstStep;
  bool isLastSlice = true;
  /// Types of the data, which may be words, and of the sums.
  mlir::Type type, sumType;
  mlir::Value sums;
  /// The data of the tile, [blocks of channels, pixels, channels of a block],
  /// if there is a producer; otherwise null.
  mlir::Value tileData;
  /// First row of `sums` for the pixels of the tile; null for row 0.
  mlir::Value firstSum;
  /// Kind of the loops over the pixels of a tile.
  tir::ForKind pixelLoop = tir::ForKind::Unrolled;
  /// Whether the initial values are not part of the sums but added at the end.
  bool startsAtZero = false;
  /// Variable of the first outer loop if that loop is outside of the loop over
  /// packs; otherwise null.
  mlir::Value weightsVar;
  /// Index of the tile in its row.
  mlir::Value tileIndex;
  /// Emits prefetches of a part of the next weights; null if there are none.
  /// All parts of all row tiles together prefetch all of them. `part` is null
  /// if there is only one.
  std::function<void(mlir::Value part)> prefetchWeights;
  /// Bindings of the iteration variables up to the channel, and of the
  /// following ones up to the first row of the tile.
  llvm::SmallVector<mlir::Value> channelBindings, rowBindings;
  /// Whether rows continue into the next iteration of the last outer loop.
  bool joinsRows = false;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_KERNELBUILDER_H

//===- BlockedKernel.h - Contractions in parts, for the caches -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_BLOCKEDKERNEL_H
#define UMA_LIB_CPU_KERNELS_BLOCKEDKERNEL_H

#include "KernelBuilder.h"

namespace uma {

/// The form of a contraction that copies the data of a tile in advance.
struct Blocking {
  explicit Blocking(VersionAttr version);

  /// Whether the panel has a vector for each element of the data.
  bool isBroadcast;
  /// Whether the data is copied; what is in order already is read where it is,
  /// and all rows go through the weights of a tile's channels before the next
  /// ones, which the nearest cache holds for that long.
  bool copies;
  /// Whether the last outer dimension and the row are one row.
  bool joinsRows;
  /// Packs of channels that are computed together, slice by slice of the sums.
  int64_t packs;
  /// A slice is one step of the first `splitLoop` loops of the sum, and one of
  /// `parts` parts of the next one.
  size_t splitLoop;
  int64_t parts;
};

/// Builds the version for one target.
class BlockedKernelBuilder : KernelBuilder {
public:
  BlockedKernelBuilder(LayerBuilder &b, const Contraction &c,
                       VersionAttr version);

  void build();

private:
  /// Returns the extents of the loops over rows; tiles divide the last one.
  llvm::SmallVector<int64_t> getRowLoops() const;
  /// `body` for all tiles of rows, those that are left as well.
  void buildRowTiles(llvm::function_ref<void()> body);
  /// Computes groups of packs, slice by slice, from copied data.
  void buildGroups(tir::ForKind shared);
  /// Computes all channels, slice by slice, from the data where it is.
  void buildInOrder(tir::ForKind shared);
  /// Slice `index` of the sums of some packs of channels. The weights at
  /// `nextPack` packs and `nextStep` steps from those of the slice come next.
  void buildSlice(mlir::Value index, mlir::Value firstPack, int64_t nextPack,
                  int64_t nextStep);
  /// Returns the iteration variables of buildDataLoops: those of a row, pixel,
  /// the steps outside the slice, those inside it.
  unsigned getDataPixelDim() const { return c.outer.size() + 1; }
  unsigned getFirstStepDim() const {
    return getDataPixelDim() + 1 + schedule.splitLoop + 1;
  }
  /// Returns the element of the data, and its place in the panel.
  LayerBuilder::Access getDataAccess() const;
  LayerBuilder::Access getPlace() const;
  /// A block for each pixel and each step of the slice, every `stride`th of the
  /// innermost loop. `body` gets the iteration variables.
  void buildDataLoops(llvm::StringRef label, int64_t stride,
                      const LayerBuilder::Access &reads,
                      llvm::ArrayRef<LayerBuilder::Access> writes,
                      llvm::function_ref<void(mlir::ValueRange vars)> body);
  /// Copies the data of a slice to the panel.
  void buildPanel();
  /// Asks for the data of the next tile.
  void buildDataPrefetch();
  /// Sets `prefetchWeights` for a tile of a group, the next weights of which
  /// are `nextPack` packs and `nextStep` steps from the present ones.
  void planWeightPrefetch(int64_t nextPack, int64_t nextStep);
  /// Sets `prefetchWeights` for a tile whose rows go through the weights of its
  /// channels before those behind them are needed.
  void planNextPanelPrefetch();
  int64_t getNumRowTiles() const;
  /// Returns the parts of a tile that ask for weights.
  int64_t getNumParts() const {
    return schedule.isBroadcast ? 1 : steps / chunk;
  }
  /// Asks for what the results of a tile are computed with.
  void buildOperandPrefetch();
  /// The sums of a tile, by the panel.
  void buildBlockedTile();
  /// Returns the access to a step's elements, in the panel if there is one.
  LayerBuilder::Access getElements() const;
  /// The products of a step.
  void buildBlockedStep(mlir::ValueRange reduceVars);
  void buildBroadcastProducts(mlir::Value pixel, mlir::ValueRange reduceVars,
                              mlir::Value factors);

  Blocking schedule;
  /// The extents of the loops of the sum inside a slice, and the product.
  llvm::SmallVector<int64_t> inner;
  int64_t steps;
  mlir::Value slice;
  /// Whether the threads share the groups of packs, or else the tiles.
  bool sharesGroups = false;
  bool isFirstSlice = false;
  /// [steps, pixels of the tile, lanes] where it is broadcast, or else [steps /
  /// chunk, pixels of the tile, chunk]: steps of the innermost loop.
  mlir::Value panel;
  int64_t chunk;
  /// Whether the innermost loop is split into chunks.
  bool splitsChunk = false;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_BLOCKEDKERNEL_H

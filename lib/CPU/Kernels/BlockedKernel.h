//===- BlockedKernel.h - Contractions with cache blocking -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_BLOCKEDKERNEL_H
#define UMA_LIB_CPU_KERNELS_BLOCKEDKERNEL_H

#include "KernelBuilder.h"

namespace uma {

/// Cache blocking of a contraction, decoded from its version.
struct Blocking {
  explicit Blocking(VersionAttr version);

  /// Whether the panel holds each element of the data broadcast to a vector.
  bool isBroadcast;
  /// Whether data is copied to a panel. Otherwise tiles read it in place, and
  /// all rows use the weights of a tile's channels, which stay in the L1 cache,
  /// before the next channels.
  bool copies;
  /// Whether rows continue into the next iteration of the last outer loop.
  bool joinsRows;
  /// Packs of channels that are computed together for each slice (NC).
  int64_t packs;
  /// A slice of the reduction (KC): one step of its first `splitLoop` loops,
  /// and one of `parts` parts of the next loop.
  size_t splitLoop;
  int64_t parts;
};

/// Builds a version of a contraction with blocking.
class BlockedKernelBuilder : KernelBuilder {
public:
  BlockedKernelBuilder(LayerBuilder &b, const Contraction &c,
                       VersionAttr version);

  void build();

private:
  /// Returns the extents of the loops over rows; the last one is split into
  /// tiles.
  llvm::SmallVector<int64_t> getRowLoops() const;
  /// Returns them with the number of tiles as the last one.
  llvm::SmallVector<int64_t> getTileLoops() const;
  /// Returns whether threads share `groups` groups of packs; otherwise they
  /// share tiles.
  bool sharesPacks(int64_t groups) const;
  /// Emits loops over all tiles of rows around `body`, including the smaller
  /// ones.
  void buildRowTiles(llvm::function_ref<void()> body);
  /// Emits groups of packs, slice by slice, with data copied to the panel.
  void buildGroups(tir::ForKind shared);
  /// Emits all channels, slice by slice, with data read in place.
  void buildInOrder(tir::ForKind shared);
  /// Emits slice `index` of the sums of some packs of channels. The slice that
  /// follows uses weights that are `nextPack` packs and `nextStep` steps ahead.
  void buildSlice(mlir::Value index, mlir::Value firstPack, int64_t nextPack,
                  int64_t nextStep);
  /// Positions of iteration variables in buildDataLoops, whose order is: outer
  /// loops, row, pixel, steps outside the slice, steps inside it.
  unsigned getDataPixelDim() const { return c.outer.size() + 1; }
  unsigned getFirstStepDim() const {
    return getDataPixelDim() + 1 + schedule.splitLoop + 1;
  }
  /// Return the element of the data, and its place in the panel.
  LayerBuilder::Access getDataAccess() const;
  LayerBuilder::Access getPlace() const;
  /// Emits a block for each pixel and for every `stride`th step of the slice's
  /// innermost loop. `body` receives the iteration variables.
  void buildDataLoops(llvm::StringRef label, int64_t stride,
                      const LayerBuilder::Access &reads,
                      llvm::ArrayRef<LayerBuilder::Access> writes,
                      llvm::function_ref<void(mlir::ValueRange vars)> body);
  /// Copies the data of a slice to the panel.
  void buildPanel();
  /// Prefetches the data of the next tile.
  void buildDataPrefetch();
  /// Sets `prefetchWeights` for a tile of a group. The next weights are
  /// `nextPack` packs and `nextStep` steps ahead.
  void planWeightPrefetch(int64_t nextPack, int64_t nextStep);
  /// Sets `prefetchWeights` to the next panel, for tiles whose data is read in
  /// place: all rows use the weights of a tile's channels before the next ones.
  void planNextPanelPrefetch();
  int64_t getNumRowTiles() const;
  /// Returns the number of panels whose weights a tile reads.
  int64_t getTilePanels() const {
    return std::max<int64_t>(tile.getChannels() / c.getPanelWidth(), 1);
  }
  /// Returns the number of parts of a tile that prefetch weights.
  int64_t getNumParts() const {
    return schedule.isBroadcast ? 1 : steps / chunk;
  }
  /// Prefetches the operands of a tile's results.
  void buildOperandPrefetch();
  /// Emits a tile: its sums over the slice, and its results.
  void buildBlockedTile();
  /// Returns the data of a step, in the panel if there is one.
  LayerBuilder::Access getElements() const;
  /// Emits the products of a step.
  void buildBlockedStep(mlir::ValueRange reduceVars);
  void buildBroadcastProducts(mlir::Value pixel, mlir::ValueRange reduceVars,
                              mlir::Value factors);

  Blocking schedule;
  /// Extents of the reduction loops inside a slice, and their product.
  llvm::SmallVector<int64_t> inner;
  int64_t steps;
  mlir::Value slice;
  /// Whether threads share the groups of packs; otherwise they share the tiles.
  bool sharesGroups = false;
  bool isFirstSlice = false;
  /// Packed data: [steps, pixels of the tile, lanes] if broadcast, otherwise
  /// [steps / chunk, pixels of the tile, chunk] with chunks of the innermost
  /// loop.
  mlir::Value panel;
  int64_t chunk;
  /// Whether the innermost loop is split into chunks.
  bool splitsChunk = false;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_BLOCKEDKERNEL_H

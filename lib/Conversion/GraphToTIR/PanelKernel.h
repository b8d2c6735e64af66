//===- PanelKernel.h - Contractions of broadcast data -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_PANELKERNEL_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_PANELKERNEL_H

#include "KernelBuilder.h"

#include <numeric>

namespace uma {

/// How a contraction is computed where data is broadcast in advance.
struct PanelSchedule {
  RegisterTile tile;
  /// Whether the last outer dimension and the row are one row.
  bool joinsRows = false;
  /// Packs of channels that are computed together, slice by slice of the sums.
  int64_t packs = 1;
  /// A slice is one step of the first `splitLoop` loops of the sum, and one of
  /// `parts` parts of the next one.
  size_t splitLoop = 0;
  int64_t parts = 1;
};

inline int64_t getProduct(llvm::ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<>());
}

/// The schedule for targets without fused multiply-add, nothing where that of
/// the other targets is better.
std::optional<PanelSchedule> choosePanelSchedule(const Contraction &c);

/// Builds the version for targets without fused multiply-add.
class PanelKernelBuilder : KernelBuilder {
public:
  PanelKernelBuilder(LayerBuilder &b, const Contraction &c,
                     const PanelSchedule &schedule);

  void build();

private:
  /// The extents of the loops over rows; tiles divide the last one.
  llvm::SmallVector<int64_t> getRowLoops() const;
  /// `body` for all tiles of rows, those that are left as well.
  void buildRowTiles(llvm::function_ref<void()> body);
  /// Slice `index` of the sums of some packs of channels. The weights at
  /// `nextPack` packs and `nextStep` steps from those of the slice come next.
  void buildSlice(mlir::Value index, mlir::Value firstPack, int64_t nextPack,
                  int64_t nextStep);
  /// A block for each pixel and each step of the slice, every `stride`th of the
  /// innermost loop. `body` gets the element of the data, its place in the
  /// panel and the iteration variables.
  void buildDataLoops(llvm::StringRef label, int64_t stride,
                      llvm::function_ref<void(const LayerBuilder::Access &data,
                                              const LayerBuilder::Access &place,
                                              mlir::ValueRange vars)>
                          body);
  /// Copies the data of a slice to the panel.
  void buildPanel();
  /// Asks for the data of the next tile.
  void buildDataPrefetch();
  /// Asks for a part of the next weights: all tiles of rows ask for all.
  void buildWeightPrefetch(int64_t nextPack, int64_t nextStep);
  /// Asks for what the results of a tile are computed with.
  void buildOperandPrefetch();
  /// The sums of a tile, by the panel.
  void buildPanelTile();

  const PanelSchedule &schedule;
  /// The extents of the loops of the sum inside a slice, and the product.
  llvm::SmallVector<int64_t> inner;
  int64_t steps;
  mlir::Value slice, tileIndex;
  /// [steps, pixels of the tile, lanes]
  mlir::Value panel;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_PANELKERNEL_H

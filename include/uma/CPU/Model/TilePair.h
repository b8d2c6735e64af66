//===- TilePair.h - Producer-consumer tiling -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_TILEPAIR_H
#define UMA_CPU_MODEL_TILEPAIR_H

#include "uma/CPU/Model/Layer.h"

namespace uma {

/// Producer-consumer tiling of a convolution (the writer) and the depthwise
/// convolution that consumes its result (the reader). In each tile, the writer
/// computes a pack of channels in a slab of rows, and the reader computes all
/// results that depend on it. The tensor between the two is a rolling buffer
/// for one tile; rows that the next tile reads again are kept.
struct TilePair {
  /// Number of packs of channels, and blocks of channels per pack.
  int64_t packs = 1, blocks = 1;
  /// Number of slabs per pack, and the rows of reader and writer per slab.
  int64_t slabs = 1, readerRows = 0, writerRows = 0;
  /// Rows that the next slab reads again; in the first slab, they are padding.
  int64_t keptRows = 0;

  /// Returns the tiling of two layers by `packs` and `slabs`.
  static TilePair get(int64_t packs, int64_t slabs, const CPULayer &writer,
                      const CPULayer &reader);
  /// Returns whether the rows can be split into `slabs` slabs: the number
  /// divides the rows, the kept rows equal the padding at the top and come from
  /// one slab, and no row is left at the end.
  static bool fitsSlabs(int64_t slabs, const graph::Window &window);

  /// Returns the shape of the rolling buffer that replaces a buffer of `shape`,
  /// [N, blocks, rows, columns, channels of a block].
  llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<int64_t> shape) const {
    llvm::SmallVector<int64_t> result(shape);
    result[1] = blocks;
    if (slabs != 1)
      result[2] = writerRows + keptRows;
    return result;
  }
  /// Returns the extents of the loops over tiles: packs, then slabs, each only
  /// if there are several.
  llvm::SmallVector<int64_t, 2> getExtents() const {
    llvm::SmallVector<int64_t, 2> extents;
    for (int64_t extent : {packs, slabs})
      if (extent != 1)
        extents.push_back(extent);
    return extents;
  }
  /// Returns the index within the pack of a block of the whole tensor; `tile`
  /// are the variables of the loops over tiles.
  mlir::AffineExpr getBlock(mlir::AffineExpr block,
                            llvm::ArrayRef<mlir::AffineExpr> tile) const {
    return packs == 1 ? block : block - tile.front() * blocks;
  }
  /// Returns the index within the slab, which has `rows` rows, of a row of the
  /// whole tensor.
  mlir::AffineExpr getRow(mlir::AffineExpr row, int64_t rows,
                          llvm::ArrayRef<mlir::AffineExpr> tile) const {
    return slabs == 1 ? row : row - tile.back() * rows;
  }
};

} // namespace uma

#endif // UMA_CPU_MODEL_TILEPAIR_H

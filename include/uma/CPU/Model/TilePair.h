//===- TilePair.h - Two layers computed tile by tile -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_TILEPAIR_H
#define UMA_CPU_MODEL_TILEPAIR_H

#include "uma/CPU/Model/Layer.h"

namespace uma {

/// The tiling of a convolution, the writer, and of the depthwise one behind it,
/// the reader. For a tile the writer computes a pack of channels
/// in a slab of rows, and the reader all that follows from it. The buffer
/// between the two is a rolling one: it holds one tile, with rows of the one
/// before that are read again.
struct TilePair {
  /// Packs of channels, and the blocks of channels in each.
  int64_t packs = 1, blocks = 1;
  /// Slabs of a pack, and in each the rows of the reader and of the writer.
  int64_t slabs = 1, readerRows = 0, writerRows = 0;
  /// Rows that are read in the next slab, too: the border, in the first one.
  int64_t keptRows = 0;

  /// Returns the tiling of two layers by `packs` and `slabs`.
  static TilePair get(int64_t packs, int64_t slabs, const CPULayer &writer,
                      const CPULayer &reader);
  /// Returns whether a slab can be a part of the rows: those of a slab follow
  /// those of the one before, with as many between the first ones of both
  /// layers, and none is left at the end.
  static bool fitsSlabs(int64_t slabs, const graph::Window &window);

  /// Returns the shape of the buffer instead of `shape`, [N, blocks, rows,
  /// columns, channels of a block].
  llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<int64_t> shape) const {
    llvm::SmallVector<int64_t> result(shape);
    result[1] = blocks;
    if (slabs != 1)
      result[2] = writerRows + keptRows;
    return result;
  }
  /// Returns the loops over tiles: packs, then slabs, if there are several.
  llvm::SmallVector<int64_t, 2> getExtents() const {
    llvm::SmallVector<int64_t, 2> extents;
    for (int64_t extent : {packs, slabs})
      if (extent != 1)
        extents.push_back(extent);
    return extents;
  }
  /// Returns the block of all as one of the pack; `tile` are the variables of
  /// these loops.
  mlir::AffineExpr getBlock(mlir::AffineExpr block,
                            llvm::ArrayRef<mlir::AffineExpr> tile) const {
    return packs == 1 ? block : block - tile.front() * blocks;
  }
  /// Returns the row of all as one of the slab, which has `rows`.
  mlir::AffineExpr getRow(mlir::AffineExpr row, int64_t rows,
                          llvm::ArrayRef<mlir::AffineExpr> tile) const {
    return slabs == 1 ? row : row - tile.back() * rows;
  }
};

} // namespace uma

#endif // UMA_CPU_MODEL_TILEPAIR_H

//===- TileModel.h - Register tiles by an analytic model -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_TILEMODEL_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_TILEMODEL_H

#include "uma/Conversion/GraphToTIR/Workload.h"

#include "llvm/Support/MathExtras.h"

namespace uma {

/// The register file that a version of a layer is written for.
struct SIMDTarget {
  int64_t lanes;     ///< of 32 bits, in one register; 1 without SIMD
  int64_t registers; ///< vector registers
  /// Without fused multiply-add, and a result overwrites an operand.
  bool isUnfused = false;
};

/// The targets that C is written for, the widest first, the one without SIMD
/// last: AVX-512, AVX2, SSE and NEON, none.
llvm::ArrayRef<SIMDTarget> getSIMDTargets();

/// SSE, which contractions have a version of their own for.
SIMDTarget getUnfusedTarget();

/// The registers that the sums of a tile, the weights of a step and what is
/// multiplied with them take on `target`.
int64_t countRegisters(const RegisterTile &tile, const SIMDTarget &target);

/// The rows of a contraction in tiles: `count` of `size` rows, then `restCount`
/// that are a row smaller.
struct RowTiles {
  int64_t size, count, restCount;

  /// As few tiles as `rows` rows need where none has more than `most`. Evenly:
  /// a tile of a few rows waits for its sums.
  static RowTiles of(int64_t rows, int64_t most) {
    int64_t tiles = int64_t(llvm::divideCeil(rows, most));
    int64_t size = int64_t(llvm::divideCeil(rows, tiles));
    int64_t restCount = tiles * size - rows;
    return {size, tiles - restCount, restCount};
  }
};

/// What a contraction has to compute: `channels` results, next to each other in
/// memory in blocks of `channelBlock`, for each of `rows` neighbours in a row,
/// `outer` rows, each a sum of `depth` products, for which each element of data
/// is read in `taps` places of a window.
struct ContractionShape {
  int64_t outer, rows, channels, channelBlock, depth;
  int64_t taps = 1;
};

/// Channels that lie together in a pack of weights: what a vector reads is next
/// to what it reads in the next step, whatever the tile.
int64_t getPanelWidth(int64_t packWidth, int64_t channelBlock);

/// The number of channels that weights are packed by: one for all targets,
/// since there is one copy of the weights.
int64_t choosePackWidth(const ContractionShape &shape);

/// The tile that takes the least time on `target` by the model: how many
/// multiply-adds, loads and dependent steps there are per step of the depth,
/// what a tile costs beside that, and what is computed twice at the ends.
RegisterTile chooseTile(const ContractionShape &shape, int64_t packWidth,
                        const SIMDTarget &target);

/// The number of slices that the depth of all sums is computed in, one after
/// the other for all rows: a divisor of `extent`, which is that of the
/// outermost loop of the depth. Weights are read again for each tile of rows; a
/// slice of them stays in the nearest cache, but loads and stores all sums.
int64_t chooseSlices(const ContractionShape &shape, int64_t extent,
                     int64_t packWidth, const RegisterTile &tile);

/// What chooseTile and choosePackWidth choose, then all tiles for `target` by
/// the model's cost, each with the width to pack weights by that is best for it
/// alone.
llvm::SmallVector<TileChoice> rankTiles(const ContractionShape &shape,
                                        const SIMDTarget &target);

/// The part of a workload that the model looks at.
ContractionShape getContractionShape(const Workload &workload);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_TILEMODEL_H

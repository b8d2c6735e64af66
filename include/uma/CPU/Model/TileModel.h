//===- TileModel.h - Register tiles by an analytic model -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_TILEMODEL_H
#define UMA_CPU_MODEL_TILEMODEL_H

#include "uma/CPU/Model/Processor.h"
#include "uma/CPU/Model/Workload.h"

#include "llvm/Support/MathExtras.h"

namespace uma {

/// A line of the cache, in bytes and in elements of 32 bits.
inline constexpr int64_t lineBytes = 64, lineElements = 16;

/// Returns the registers that the sums of a tile, the weights of a step and
/// what is multiplied with them take on `isa`.
int64_t countRegisters(const RegisterTile &tile, const ISA &isa,
                       bool isByLane = false);

/// The rows of a contraction in tiles: `count` of `size` rows, then `restCount`
/// that are a row smaller.
struct RowTiles {
  int64_t size, count, restCount;

  /// Returns as few tiles as `rows` rows need where none has more than `most`.
  /// Evenly: a tile of a few rows waits for its sums.
  static RowTiles of(int64_t rows, int64_t most) {
    int64_t tiles = int64_t(llvm::divideCeil(rows, most));
    int64_t size = int64_t(llvm::divideCeil(rows, tiles));
    int64_t restCount = tiles * size - rows;
    return {size, tiles - restCount, restCount};
  }
};

/// The extents of a contraction: `channels` results, next to each other in
/// memory in blocks of `channelBlock`, for each of `rows` neighbours in a row,
/// `outer` rows, each a sum of `depth` products, for which each element of data
/// is read in `taps` places of a window.
struct ContractionShape {
  int64_t outer, rows, channels, channelBlock, depth;
  int64_t taps = 1;
  /// Whether a row's data is loaded in vectors, each lane of which is
  /// multiplied with the weights of its step.
  bool isByLane = false;
};

/// Channels that lie together in a pack of weights: what a vector reads is next
/// to what it reads in the next step, whatever the tile.
int64_t getPanelWidth(int64_t packWidth, int64_t channelBlock);

/// Cycles of all tiles by the model: how many multiply-adds, loads and
/// dependent steps there are per step of the depth, what a tile costs beside
/// that, and what is computed twice at the ends.
double getCost(const ContractionShape &shape, int64_t packWidth,
               const RegisterTile &tile, const ISA &isa);

/// Returns the lanes of vectors over `extent` neighbours, the last of which may
/// overlap the one before; 1 for none.
int64_t chooseLanes(int64_t extent, const ISA &isa);

/// Returns the number of channels that weights are packed by: one for all
/// targets, since there is one copy of the weights.
int64_t choosePackWidth(const ContractionShape &shape,
                        const Processor &processor);

/// Returns the tile that takes the least time on `isa` by the model.
RegisterTile chooseTile(const ContractionShape &shape, int64_t packWidth,
                        const ISA &isa);

/// Returns the number of slices that the depth of all sums is computed in, one
/// after the other for all rows: a divisor of `extent`, which is that of the
/// outermost loop of the depth. Weights are read again for each tile of rows; a
/// slice of them stays in the nearest cache, but loads and stores all sums.
int64_t chooseSlices(const ContractionShape &shape, int64_t extent,
                     int64_t packWidth, const RegisterTile &tile,
                     const ISA &isa, const Processor &processor);

/// Returns the choice of chooseTile and choosePackWidth, then all tiles for
/// `isa` by the model's cost, each with the width to pack weights by that is
/// best for it alone.
llvm::SmallVector<TileChoice> rankTiles(const ContractionShape &shape,
                                        const ISA &isa,
                                        const Processor &processor);

/// Returns why a contraction cannot be computed so, as a clause; std::nullopt
/// if it can.
std::optional<std::string> findProblem(const ContractionShape &shape,
                                       const TileChoice &choice,
                                       const ISA &isa);

/// Returns the part of a workload that the model looks at.
ContractionShape getContractionShape(const Workload &workload);

} // namespace uma

#endif // UMA_CPU_MODEL_TILEMODEL_H

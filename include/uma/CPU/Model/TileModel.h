//===- TileModel.h - Analytic model of register tiles -*- C++ -*-----------===//
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

/// Size of a cache line, in bytes and in elements of 32 bits.
inline constexpr int64_t lineBytes = 64, lineElements = 16;

/// Returns the largest divisor of `extent` up to `most`.
inline int64_t getLargestDivisor(int64_t extent, int64_t most) {
  int64_t divisor = std::min(extent, most);
  while (extent % divisor != 0)
    --divisor;
  return divisor;
}

/// A partition of rows into tiles: `count` tiles of `size` rows, then
/// `restCount` tiles with one row less.
struct RowTiles {
  int64_t size, count, restCount;

  /// Partitions `rows` evenly into the fewest tiles of at most `most` rows. A
  /// tile of few rows would be bound by the latency of its sums.
  static RowTiles of(int64_t rows, int64_t most) {
    int64_t tiles = int64_t(llvm::divideCeil(rows, most));
    int64_t size = int64_t(llvm::divideCeil(rows, tiles));
    int64_t restCount = tiles * size - rows;
    return {size, tiles - restCount, restCount};
  }
  int64_t getCount() const { return count + restCount; }
};

/// The extents of a contraction: `channels` results, stored in blocks of
/// `channelBlock`, for each of `rows` neighbours in each of `outer` rows. Each
/// result is a sum of `depth` products. Each element of the data is read by
/// `taps` places of a window.
struct ContractionShape {
  int64_t outer, rows, channels, channelBlock, depth;
  int64_t taps = 1;
  /// Whether data is loaded in vectors and multiplied lane by lane.
  bool isByLane = false;
  /// Whether elements have 64 bits: a vector takes two registers.
  bool isDouble = false;
  /// Integers in a word whose products are dot products; otherwise 1.
  int64_t wordSize = 1;
};

/// Returns the vector registers that a tile needs on `isa`, for accumulators,
/// the weights of a step and the data.
int64_t countRegisters(const RegisterTile &tile, const ISA &isa,
                       const ContractionShape &shape);

/// Returns the channels that are contiguous in packed weights, so that a
/// vector's weights of consecutive steps are adjacent for every tile.
int64_t getPanelWidth(int64_t packWidth, int64_t channelBlock);

/// Returns the estimated cycles of all tiles: multiply-adds, loads and
/// dependent steps per step of the depth, the overhead per tile, and redundant
/// work at the ends.
double getCost(const ContractionShape &shape, int64_t packWidth,
               const RegisterTile &tile, const ISA &isa);

/// Returns the lanes of vectors over `extent` neighbours, the last of which may
/// overlap the previous one; 1 for no vectors.
int64_t chooseLanes(int64_t extent, const ISA &isa);

/// Returns the pack width of the weights, in channels. All instruction sets
/// share it, since there is one copy of the weights.
int64_t choosePackWidth(const ContractionShape &shape,
                        const Processor &processor);

/// Returns the fastest tile on `isa` by the model.
RegisterTile chooseTile(const ContractionShape &shape, int64_t packWidth,
                        const ISA &isa);

/// Returns the number of slices of the reduction (KC): a divisor of `extent`,
/// the extent of the outermost reduction loop. All rows are computed for one
/// slice before the next. A slice of the weights stays in the L1 cache, but all
/// sums are loaded and stored once per slice.
int64_t chooseSlices(const ContractionShape &shape, int64_t extent,
                     int64_t packWidth, const RegisterTile &tile,
                     const ISA &isa, const Processor &processor);

/// Returns the choice of chooseTile and choosePackWidth, followed by all tiles
/// for `isa` in order of cost, each with the pack width that is best for it
/// alone.
llvm::SmallVector<TileChoice> rankTiles(const ContractionShape &shape,
                                        const ISA &isa,
                                        const Processor &processor);

/// Returns why a contraction cannot be computed by `choice`, as a clause;
/// std::nullopt if it can.
std::optional<std::string> findProblem(const ContractionShape &shape,
                                       const TileChoice &choice,
                                       const ISA &isa);

/// Returns the part of a workload that the model uses.
ContractionShape getContractionShape(const Workload &workload);

} // namespace uma

#endif // UMA_CPU_MODEL_TILEMODEL_H

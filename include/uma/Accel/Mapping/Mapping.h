//===- Mapping.h - How a device computes a match tile by tile -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_MAPPING_H
#define UMA_ACCEL_MAPPING_MAPPING_H

#include "uma/Accel/Mapping/TileGeometry.h"
#include "uma/IR/UMADialect.h"

namespace uma::accel {

/// Discardable attribute on composites: the match's `#uma.accel.mapping`.
inline constexpr llvm::StringLiteral kMappingAttrName = "uma.mapping";

/// Loops over tiles and the time that each tensor stays in its memory; see
/// `#uma.accel.mapping`.
struct Mapping {
  struct Loop {
    unsigned dim;  ///< index in TileGeometry::getDims()
    int64_t tile;  ///< elements of the dim in a tile
    int64_t trips; ///< number of tiles
  };
  /// Tensor that is in a memory of the device.
  struct Residence {
    unsigned tensor; ///< index in TileGeometry::getTensors()
    /// Number of loops around the transfer. The memory holds what all tiles of
    /// the inner loops need.
    unsigned level;
    bool isDouble; ///< whether it has two buffers
    /// Whether an interleaved layer has computed it in this memory, so that it
    /// is not loaded.
    bool isKept = false;
  };
  llvm::SmallVector<Loop> loops; ///< outermost first
  llvm::SmallVector<Residence> residences;
  /// Whether every other sweep of an inner loop runs backwards, so that its
  /// last tile is the first of the next sweep.
  bool isSerpentine = true;
  /// Whether the tiles run between those of the layers before, as soon as their
  /// data are there.
  bool isInterleaved = false;

  /// Returns the number of tiles.
  int64_t getNumSteps() const;
  /// Computes the position of each loop in its sweep, and its tile.
  void decode(int64_t step, llvm::SmallVectorImpl<int64_t> &positions,
              llvm::SmallVectorImpl<int64_t> &tiles) const;
  /// Returns the elements of each dim in a tile of the first `level` loops;
  /// dims of inner loops are whole.
  llvm::SmallVector<int64_t, 4> getTiles(const TileGeometry &geometry,
                                         unsigned level) const;
  /// Computes the range of each dim in the tiles of the first `level` loops;
  /// inner loops are whole.
  void getRanges(const TileGeometry &geometry, llvm::ArrayRef<int64_t> tiles,
                 unsigned level,
                 llvm::SmallVectorImpl<IndexRange> &ranges) const;

  MappingAttr toAttribute(mlir::MLIRContext *context,
                          const TileGeometry &geometry) const;
  /// Reads an attribute. On failure, sets `problem`.
  static mlir::FailureOr<Mapping> fromAttribute(MappingAttr attribute,
                                                const TileGeometry &geometry,
                                                std::string &problem);
};

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_MAPPING_H

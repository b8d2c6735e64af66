//===- MappingSearch.h - Search for the best mapping -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_MAPPINGSEARCH_H
#define UMA_ACCEL_MAPPING_MAPPINGSEARCH_H

#include "uma/Accel/Mapping/MatchSchedule.h"

namespace uma::accel {

/// Limits and restrictions of a search.
struct SearchOptions {
  /// Commands that the search may run in all its trials; bounds its time.
  int64_t maxCommands = 500000;
  /// Mappings that it may estimate.
  int64_t maxEstimates = 1000000;
  bool mayDouble = true;     ///< use two buffers for a tensor
  bool isSerpentine = true;  ///< run every other sweep backwards
  bool isExhaustive = false; ///< run every mapping that fits
  /// Whether few bytes matter more than few cycles.
  bool minimizesBytes = false;
  /// Dim of the outermost loop, which then has at least `outermostTiles` tiles,
  /// or one for each step.
  std::optional<unsigned> outermost;
  int64_t outermostTiles = 1;
  /// The buffers take at most one part of `divisor` of each memory.
  int64_t divisor = 1;
};

/// Returns the mapping that loads the fewest bytes of those with about the
/// fewest cycles or, with `minimizesBytes`, of all. The result depends only on
/// the arguments. Fails if no mapping fits, and sets `problem` to what the
/// smallest tiles need.
mlir::FailureOr<Mapping> searchMapping(const MatchSchedule &schedule,
                                       const SearchOptions &options,
                                       std::string &problem);

/// Predicts the cycles of a match, in a few milliseconds: searches a little.
/// Returns failure if no mapping fits.
mlir::FailureOr<int64_t> predictCycles(const Match &match);

/// Checks that the smallest tiles of a match fit the memories. On failure, sets
/// `problem`: what they need and what there is.
mlir::LogicalResult checkSmallestTiles(const Match &match,
                                       std::string &problem);

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_MAPPINGSEARCH_H

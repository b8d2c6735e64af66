//===- Merge.h - Buffers placed as one -*- C++ -*--------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_MERGE_H
#define UMA_LIB_MEMORY_MERGE_H

#include "uma/Memory/Problem.h"

namespace uma::memory {

/// Chances, out of 100, that buffers are merged.
struct MergeStyle {
  /// Buffers with the same live range are stacked.
  unsigned stacked = 0;
  /// Stack two buffers only if the result follows a buffer of the same size.
  bool stacksForMatch = false;
  /// Five buffers that form a pinwheel around one of them are placed as one:
  /// the smallest packing that no guillotine cut divides.
  bool formsPinwheels = false;
  /// A buffer takes the offset of one that ends when it starts and has the same
  /// size.
  unsigned followed = 0;
};

/// A smaller problem, each of whose plans is a plan of the original problem.
struct Merged {
  Problem problem;
  /// Per original buffer: the merged buffer and the distance from its offset.
  std::vector<std::pair<size_t, int64_t>> places;

  Offsets expand(llvm::ArrayRef<int64_t> offsets) const;
};

/// Merges buffers without waste: the live bytes at any time stay the same.
/// Plans in which such buffers are apart are lost, so a merged problem may need
/// more bytes than the original. Buffers with relations, fixed offsets or
/// alignments that differ from the others are not merged. The same seed gives
/// the same result.
Merged mergeBuffers(const Problem &problem, const MergeStyle &style,
                    uint64_t seed);

/// Adds the buffers `others` of `problem` to a merged problem as they are, and
/// all relations.
void addUnmerged(const Problem &problem, llvm::ArrayRef<size_t> others,
                 Merged &merged);

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_MERGE_H

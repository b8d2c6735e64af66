//===- LiveIndex.h - Buffers by live range -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_LIVEINDEX_H
#define UMA_LIB_MEMORY_LIVEINDEX_H

#include "uma/Memory/Problem.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace uma::memory {

/// Smallest distances between the offsets of two buffers that are live at the
/// same time; see Overlap.
class Separations {
public:
  explicit Separations(const Problem &problem);

  /// Returns the smallest offset(above) - offset(below) if `below` is the lower
  /// one.
  int64_t get(size_t below, size_t above) const {
    if (isRelated[below] && isRelated[above]) {
      auto found = lowered.find({below, above});
      if (found != lowered.end())
        return found->second;
    }
    return sizes[below];
  }
  bool hasRelation(size_t buffer) const { return isRelated[buffer]; }

private:
  std::vector<int64_t> sizes;
  std::vector<bool> isRelated;
  llvm::DenseMap<std::pair<size_t, size_t>, int64_t> lowered;
};

/// Interval tree of the non-empty buffers of a problem: the buffers in the
/// order of their start, as an implicit binary tree that knows the last end of
/// each subtree.
class LiveIndex {
public:
  explicit LiveIndex(llvm::ArrayRef<Buffer> buffers);

  /// Calls `visit` with each buffer that is live at the same time as `index`,
  /// but not with `index`. Takes O(log n + k) for k calls.
  void forEachLiveWith(size_t index,
                       llvm::function_ref<void(size_t)> visit) const;

  /// Returns the number of buffers that are live at the same time as each
  /// buffer. Takes O(n log n).
  std::vector<int64_t> countConflicts() const;

private:
  int64_t build(size_t begin, size_t end);
  void visitRange(size_t begin, size_t end, const Buffer &buffer, size_t index,
                  llvm::function_ref<void(size_t)> visit) const;

  llvm::ArrayRef<Buffer> buffers;
  std::vector<size_t> byStart;
  /// Last end in the subtree whose root is at this position of `byStart`.
  std::vector<int64_t> lastEnd;
};

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_LIVEINDEX_H

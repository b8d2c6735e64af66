//===- LoadTree.h - Live bytes over time -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_LOADTREE_H
#define UMA_LIB_MEMORY_LOADTREE_H

#include "uma/Memory/Problem.h"

namespace uma::memory {

/// Returns the times at which buffers that are not empty start or end, in
/// order. Section `i` of time is between times `i` and `i + 1`.
std::vector<int64_t> getTimes(const Problem &problem);

/// Largest number of live bytes over time, which grows by ranges of time.
class LoadTree {
public:
  explicit LoadTree(size_t numSections);

  /// Adds `bytes` to sections [begin, end).
  void add(int begin, int end, int64_t bytes);
  /// Returns the largest number of bytes in sections [begin, end).
  int64_t getMost(int begin, int end) const;

private:
  void add(size_t node, int first, int last, int begin, int end, int64_t bytes);
  int64_t getMost(size_t node, int first, int last, int begin, int end) const;

  int size = 1;
  /// Per node of a binary tree: the most bytes in its sections, of which
  /// `pending` were added to all of them.
  std::vector<int64_t> most, pending;
};

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_LOADTREE_H

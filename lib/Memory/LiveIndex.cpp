//===- LiveIndex.cpp - Buffers by live range-------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LiveIndex.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace uma::memory;

Separations::Separations(const Problem &problem)
    : isRelated(problem.buffers.size(), false) {
  sizes.reserve(problem.buffers.size());
  for (const Buffer &buffer : problem.buffers)
    sizes.push_back(buffer.size);
  for (const Overlap &overlap : problem.overlaps) {
    if (overlap.separation >= sizes[overlap.below])
      continue;
    isRelated[overlap.below] = isRelated[overlap.above] = true;
    int64_t &separation =
        lowered.try_emplace({overlap.below, overlap.above}, overlap.separation)
            .first->second;
    separation = std::min(separation, overlap.separation);
  }
}

LiveIndex::LiveIndex(llvm::ArrayRef<Buffer> buffers) : buffers(buffers) {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].isEmpty())
      byStart.push_back(i);
  llvm::sort(byStart, [&](size_t left, size_t right) {
    return std::tie(buffers[left].lower, left) <
           std::tie(buffers[right].lower, right);
  });
  lastEnd.resize(byStart.size());
  build(0, byStart.size());
}

/// Sets `lastEnd` of a range, whose root is its middle.
int64_t LiveIndex::build(size_t begin, size_t end) {
  if (begin == end)
    return std::numeric_limits<int64_t>::min();
  size_t middle = begin + (end - begin) / 2;
  return lastEnd[middle] =
             std::max({buffers[byStart[middle]].upper, build(begin, middle),
                       build(middle + 1, end)});
}

void LiveIndex::visitRange(size_t begin, size_t end, const Buffer &buffer,
                           size_t index,
                           llvm::function_ref<void(size_t)> visit) const {
  while (begin != end) {
    size_t middle = begin + (end - begin) / 2;
    if (lastEnd[middle] <= buffer.lower)
      return;
    visitRange(begin, middle, buffer, index, visit);
    size_t other = byStart[middle];
    if (buffers[other].lower >= buffer.upper)
      return;
    if (buffers[other].upper > buffer.lower && other != index)
      visit(other);
    begin = middle + 1;
  }
}

void LiveIndex::forEachLiveWith(size_t index,
                                llvm::function_ref<void(size_t)> visit) const {
  if (!buffers[index].isEmpty())
    visitRange(0, byStart.size(), buffers[index], index, visit);
}

std::vector<int64_t> LiveIndex::countConflicts() const {
  std::vector<int64_t> starts, ends, result(buffers.size(), 0);
  for (size_t index : byStart) {
    starts.push_back(buffers[index].lower);
    ends.push_back(buffers[index].upper);
  }
  llvm::sort(ends);
  for (size_t index : byStart) {
    // Those that start before the end, less those that end until the start.
    auto started = llvm::lower_bound(starts, buffers[index].upper);
    auto ended = llvm::upper_bound(ends, buffers[index].lower);
    result[index] = (started - starts.begin()) - (ended - ends.begin()) - 1;
  }
  return result;
}

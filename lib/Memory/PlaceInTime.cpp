//===- PlaceInTime.cpp - Memory plan of a run-time allocator --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Greedy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <set>

using namespace uma::memory;

namespace {
/// Free ranges of an arena without an end.
class FreeRanges {
public:
  FreeRanges() { add(0, kMaxBytes); }

  /// Takes `size` bytes from the smallest range that has them. Returns their
  /// offset, a multiple of `alignment`, or std::nullopt if there are none.
  std::optional<int64_t> take(int64_t size, int64_t alignment) {
    for (auto at = bySize.lower_bound({size, 0}); at != bySize.end(); ++at) {
      auto [length, begin] = *at;
      int64_t offset = llvm::divideCeil(begin, alignment) * alignment;
      if (offset > begin + length - size)
        continue;
      remove(begin, length);
      if (offset > begin)
        add(begin, offset - begin);
      if (offset + size < begin + length)
        add(offset + size, begin + length - offset - size);
      return offset;
    }
    return std::nullopt;
  }

  /// Returns a range that was taken.
  void give(int64_t begin, int64_t length) {
    auto next = byBegin.lower_bound(begin);
    if (next != byBegin.end() && next->first == begin + length) {
      length += next->second;
      remove(next->first, next->second);
    }
    next = byBegin.lower_bound(begin);
    if (next != byBegin.begin()) {
      auto [before, beforeLength] = *std::prev(next);
      if (before + beforeLength == begin) {
        remove(before, beforeLength);
        begin = before;
        length += beforeLength;
      }
    }
    add(begin, length);
  }

private:
  void add(int64_t begin, int64_t length) {
    byBegin[begin] = length;
    bySize.insert({length, begin});
  }
  void remove(int64_t begin, int64_t length) {
    byBegin.erase(begin);
    bySize.erase({length, begin});
  }

  std::map<int64_t, int64_t> byBegin;
  std::set<std::pair<int64_t, int64_t>> bySize;
};
} // namespace

std::optional<Offsets> uma::memory::placeInTime(const Problem &problem) {
  llvm::ArrayRef<Buffer> buffers = problem.buffers;
  std::vector<size_t> starts;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].isEmpty())
      starts.push_back(i);
  std::vector<size_t> ends = starts;
  // The longest-lived of the buffers that start together go to the bottom.
  llvm::sort(starts, [&](size_t left, size_t right) {
    return std::tie(buffers[left].lower, buffers[right].upper, left) <
           std::tie(buffers[right].lower, buffers[left].upper, right);
  });
  llvm::sort(ends, [&](size_t left, size_t right) {
    return std::tie(buffers[left].upper, left) <
           std::tie(buffers[right].upper, right);
  });
  Offsets offsets(buffers.size(), 0);
  FreeRanges ranges;
  auto ended = ends.begin();
  for (size_t i : starts) {
    for (; buffers[*ended].upper <= buffers[i].lower; ++ended)
      ranges.give(offsets[*ended], buffers[*ended].size);
    std::optional<int64_t> offset =
        ranges.take(buffers[i].size, buffers[i].alignment);
    if (!offset)
      return std::nullopt;
    offsets[i] = *offset;
  }
  return offsets;
}

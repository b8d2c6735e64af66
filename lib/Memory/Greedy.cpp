//===- Greedy.cpp - Greedy memory planners---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Greedy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>
#include <set>

using namespace uma::memory;

Greedy::Greedy(const Problem &problem)
    : problem(problem), separations(problem), index(problem.buffers),
      conflicts(index.countConflicts()) {
  numPairs =
      std::accumulate(conflicts.begin(), conflicts.end(), int64_t(0)) / 2;
}

std::vector<size_t> Greedy::getOrder(Order order) const {
  std::vector<size_t> result;
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    result.push_back(i);
  auto getDuration = [&](size_t i) {
    return double(problem.buffers[i].upper) - double(problem.buffers[i].lower);
  };
  // Sort keys; buffers with the largest key are placed first.
  std::vector<std::pair<double, double>> keys;
  keys.reserve(result.size());
  for (size_t i : result) {
    double size = problem.buffers[i].size, duration = getDuration(i);
    double conflict = conflicts[i];
    switch (order) {
    case Order::Size:
      keys.emplace_back(size, duration);
      break;
    case Order::Area:
      keys.emplace_back(size * duration, size);
      break;
    case Order::Duration:
      keys.emplace_back(duration, size);
      break;
    case Order::Start:
      keys.emplace_back(-double(problem.buffers[i].lower), duration);
      break;
    case Order::Conflicts:
      keys.emplace_back(conflict, size);
      break;
    }
  }
  llvm::sort(result, [&](size_t left, size_t right) {
    return std::tie(keys[right], left) < std::tie(keys[left], right);
  });
  return result;
}

std::optional<Offsets> Greedy::place(llvm::ArrayRef<size_t> order,
                                     Fit fit) const {
  Offsets offsets(problem.buffers.size(), 0);
  std::vector<bool> isPlaced(problem.buffers.size(), false);
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (problem.buffers[i].offset) {
      offsets[i] = *problem.buffers[i].offset;
      isPlaced[i] = true;
    }

  /// Offsets between `begin` and `end`, both exclusive, that are taken.
  using Interval = std::pair<int64_t, int64_t>;
  llvm::SmallVector<Interval> taken;
  for (size_t i : order) {
    const Buffer &buffer = problem.buffers[i];
    if (isPlaced[i])
      continue;
    isPlaced[i] = true;
    if (buffer.isEmpty())
      continue;
    taken.clear();
    index.forEachLiveWith(i, [&](size_t other) {
      if (isPlaced[other])
        taken.emplace_back(offsets[other] - separations.get(i, other),
                           offsets[other] + separations.get(other, i));
    });
    llvm::sort(taken);
    int64_t free = 0; // smallest aligned offset above the intervals so far
    int64_t smallest = std::numeric_limits<int64_t>::max();
    std::optional<int64_t> best;
    for (auto [begin, end] : taken) {
      if (begin == end)
        continue;
      int64_t gap = begin - free;
      if (gap >= 0 && gap < smallest) {
        smallest = gap;
        best = free;
        if (fit == Fit::First)
          break;
      }
      if (end > free)
        free = llvm::divideCeil(end, buffer.alignment) * buffer.alignment;
    }
    offsets[i] = best.value_or(free);
    if (offsets[i] > kMaxBytes - buffer.size)
      return std::nullopt;
  }
  return offsets;
}

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
  // Of buffers that start together, those that live longest go to the bottom.
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

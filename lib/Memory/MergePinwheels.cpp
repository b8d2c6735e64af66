//===- MergePinwheels.cpp - Five buffers placed as one---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The smallest packing that no cut across time or memory divides, and so that
// no pairs form. If one of the five parts is a little too small, the others
// still tell where it belongs.
//
//===----------------------------------------------------------------------===//

#include "MergePairs.h"

using namespace uma::memory;

/// Merges groups around a center, see MergeStyle::formsPinwheels:
///
///   left | above       left = center + above
///   left | center | right     below + center = right
///   below         | right
bool PairMerger::formPinwheel(int center, bool isExact) {
  // Bounds the work if many groups start at the same time.
  const int kMost = isExact ? 32 : 8;
  auto getFew = [&](const Index &index, int64_t first, int64_t second) {
    llvm::SmallVector<int, 8> result;
    if (!isExact) {
      forEachNear(index, first, second, [&](int i) { result.push_back(i); });
      return result;
    }
    for (auto at = index.lower_bound({first, second, -1});
         at != index.end() && std::get<0>(*at) == first &&
         std::get<1>(*at) == second && int(result.size()) < kMost;
         ++at)
      result.push_back(std::get<2>(*at));
    return result;
  };
  steps += 2;
  const Group &middle = groups[center];
  int visited = 0;
  for (auto at =
           byStartAndEnd.lower_bound({middle.lower, middle.upper + 1, -1});
       at != byStartAndEnd.end() && std::get<0>(*at) == middle.lower &&
       visited < kMost;
       ++at, ++visited) {
    int above = std::get<2>(*at);
    int64_t upper = middle.rounded + groups[above].rounded;
    if (upper > kMaxBytes)
      continue;
    for (int left : getFew(byEndAndSize, middle.lower, upper))
      for (int below :
           getFew(byEndAndStart, middle.upper, groups[left].lower)) {
        int64_t lower = groups[below].rounded + middle.rounded;
        if (lower > kMaxBytes || groups[below].lower >= middle.lower)
          continue;
        for (int right : getFew(byStartAndSize, middle.upper, lower))
          if (isExact ? groups[right].upper == groups[above].upper
                      : groups[right].upper > middle.upper)
            if (mergePinwheel(center, above, left, below, right))
              return true;
      }
  }
  return false;
}

/// Returns false if the five parts waste too much.
bool PairMerger::mergePinwheel(int center, int above, int left, int below,
                               int right) {
  const int parts[] = {center, above, left, below, right};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j)
      if (parts[i] == parts[j])
        return false;
  const Group &middle = groups[center];
  Group group;
  group.lower = std::min(groups[left].lower, groups[below].lower);
  group.upper = std::max(groups[right].upper, groups[above].upper);
  int64_t height = groups[below].rounded;
  int64_t offset = std::max(height + middle.rounded, groups[right].rounded);
  group.rounded =
      std::max(height + groups[left].rounded, offset + groups[above].rounded);
  auto add = [&](int part, int64_t distance, int begin, int end,
                 int64_t bytes) {
    const Group &inner = groups[part];
    group.parts.emplace_back(part, distance);
    group.size = std::max(group.size, distance + inner.size);
    auto waste = [&](int from, int to, int64_t wasted) {
      if (from < to && wasted > 0)
        group.wastes.push_back({from, to, wasted});
    };
    waste(begin, inner.lower, bytes);
    waste(inner.upper, end, bytes);
    waste(inner.lower, inner.upper, bytes - inner.rounded);
  };
  add(below, 0, group.lower, middle.upper, height);
  add(left, height, group.lower, middle.lower, group.rounded - height);
  add(center, height, middle.lower, middle.upper, offset - height);
  add(above, offset, middle.lower, group.upper, group.rounded - offset);
  add(right, 0, middle.upper, group.upper, offset);
  double wasted = 0;
  for (auto [begin, end, bytes] : group.wastes)
    wasted += double(bytes) * getDuration(begin, end);
  constexpr double kMostWaste = 0.1;
  if (wasted > kMostWaste * double(group.rounded) *
                   getDuration(group.lower, group.upper) ||
      !addWaste(group.wastes))
    return false;
  this->add(std::move(group));
  return true;
}

void PairMerger::formPinwheels(bool isExact) {
  for (int i = 0, e = groups.size(); i < e; ++i)
    if (groups[i].isLive)
      formPinwheel(i, isExact);
}

//===- Merge.cpp - Buffers placed as one-----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// In a tight problem, a buffer of some size that starts when another of the
// same size ends is often its only possible successor. Merging from the bottom
// up recovers a packing that consists of nested guillotine cuts; what is left
// is a small core for the search. Which buffers are merged is ambiguous where
// sizes repeat, so that the caller tries several seeds.
//
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include "LiveIndex.h"
#include "Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>
#include <set>

using namespace uma::memory;

Offsets Merged::expand(llvm::ArrayRef<int64_t> offsets) const {
  Offsets result;
  result.reserve(places.size());
  for (auto [merged, distance] : places)
    result.push_back(offsets[merged] + distance);
  return result;
}

void uma::memory::addUnmerged(const Problem &problem,
                              llvm::ArrayRef<size_t> others, Merged &merged) {
  Separations separations(problem);
  for (size_t i : others) {
    merged.places[i] = {merged.problem.buffers.size(), 0};
    merged.problem.buffers.push_back(problem.buffers[i]);
  }
  // A relation without effect may name a merged buffer.
  for (const Overlap &overlap : problem.overlaps)
    if (separations.hasRelation(overlap.below) &&
        separations.hasRelation(overlap.above))
      merged.problem.overlaps.push_back({merged.places[overlap.below].first,
                                         merged.places[overlap.above].first,
                                         overlap.separation});
}

namespace {
/// Buffers that are placed as one.
struct Group {
  int64_t lower, upper;
  /// Size, and size rounded up to the unit of offsets.
  int64_t size, rounded;
  /// Original buffers and their distances from the offset of the group.
  std::vector<std::pair<size_t, int64_t>> parts;

  auto getKey() const {
    return std::make_tuple(lower, upper, rounded, parts.front().first);
  }
};

class Merger {
public:
  Merger(MergeStyle style, uint64_t seed) : style(style), seed(seed) {}

  std::vector<Group> groups;

  void run() {
    bool changes = true;
    while (changes) {
      llvm::sort(groups, [](const Group &left, const Group &right) {
        return left.getKey() < right.getKey();
      });
      // Ambiguous merges come last, because other merges may make them unique.
      changes = style.stacksForMatch && stackForMatch();
      changes |= follow(/*isUnique=*/true);
      if (!changes && style.formsPinwheels)
        changes = formPinwheels();
      if (!changes)
        changes = stackAll();
      if (!changes)
        changes = follow(/*isUnique=*/false);
    }
  }

private:
  using Side = std::pair<int64_t, int64_t>; // time and rounded size

  /// Returns true with a chance of `percent`, always the same for a key.
  bool draw(uint64_t key, unsigned percent) const {
    return mix(key * 31 + seed * 7919) % 100 < percent;
  }
  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15ull); }

  static void stack(Group &below, const Group &above) {
    for (auto [buffer, distance] : above.parts)
      below.parts.emplace_back(buffer, below.rounded + distance);
    below.size = below.rounded + above.size;
    below.rounded += above.rounded;
  }

  /// Removes groups without parts.
  bool removeEmpty() {
    size_t before = groups.size();
    llvm::erase_if(groups,
                   [](const Group &group) { return group.parts.empty(); });
    return groups.size() != before;
  }

  /// Calls `visit` with each range of groups that live equally long.
  template <typename Visit>
  void forEachRange(Visit visit) {
    for (size_t begin = 0; begin < groups.size();) {
      size_t end = begin + 1;
      while (end < groups.size() && groups[end].lower == groups[begin].lower &&
             groups[end].upper == groups[begin].upper)
        ++end;
      visit(begin, end);
      begin = end;
    }
  }

  bool stackAll() {
    forEachRange([&](size_t begin, size_t end) {
      if (!draw(uint64_t(groups[begin].lower) * 1000003 + groups[begin].upper,
                style.stacked))
        return;
      for (size_t i = begin + 1; i < end; ++i) {
        if (groups[begin].rounded > kMaxBytes - groups[i].rounded)
          continue;
        stack(groups[begin], groups[i]);
        groups[i].parts.clear();
      }
    });
    return removeEmpty();
  }

  bool stackForMatch() {
    std::set<Side> ends, starts;
    for (const Group &group : groups) {
      ends.insert({group.upper, group.rounded});
      starts.insert({group.lower, group.rounded});
    }
    forEachRange([&](size_t begin, size_t end) {
      // Quadratic, so large ranges are left alone.
      if (end - begin > 64)
        return;
      for (size_t i = begin; i < end; ++i)
        for (size_t j = i + 1; j < end; ++j) {
          if (groups[i].parts.empty() || groups[j].parts.empty() ||
              groups[i].rounded > kMaxBytes - groups[j].rounded)
            continue;
          int64_t sum = groups[i].rounded + groups[j].rounded;
          if (!ends.count({groups[i].lower, sum}) &&
              !starts.count({groups[i].upper, sum}))
            continue;
          stack(groups[i], groups[j]);
          groups[j].parts.clear();
        }
    });
    bool changes = removeEmpty();
    llvm::sort(groups, [](const Group &left, const Group &right) {
      return left.getKey() < right.getKey();
    });
    return changes;
  }

  /// Merges groups around a center as follows. Only sizes and live ranges are
  /// given, so these determine the pattern:
  ///
  ///   left | above       left = center + above
  ///   left | center | right     below + center = right
  ///   below         | right
  bool formPinwheels() {
    using Range = std::pair<int64_t, int64_t>;
    std::map<Side, std::vector<size_t>> ends, starts;
    std::map<int64_t, std::vector<size_t>> startsAt;
    std::map<Range, std::vector<size_t>> byRange;
    for (auto [i, group] : llvm::enumerate(groups)) {
      ends[{group.upper, group.rounded}].push_back(i);
      starts[{group.lower, group.rounded}].push_back(i);
      startsAt[group.lower].push_back(i);
      byRange[{group.lower, group.upper}].push_back(i);
    }
    // Bounds the work if many buffers start at the same time.
    constexpr size_t kMost = 64;
    auto getFew = [](const auto &map, auto key) -> llvm::ArrayRef<size_t> {
      auto found = map.find(key);
      if (found == map.end())
        return {};
      return llvm::ArrayRef<size_t>(found->second).take_front(kMost);
    };
    std::vector<bool> isUsed(groups.size(), false);
    auto isFree = [&](std::initializer_list<size_t> list) {
      std::set<size_t> distinct(list);
      return distinct.size() == list.size() &&
             llvm::none_of(list, [&](size_t i) { return isUsed[i]; });
    };
    auto merge = [&](size_t center, size_t above, size_t left, size_t below,
                     size_t right) {
      for (size_t i : {center, above, left, below, right})
        isUsed[i] = true;
      Group merged = groups[below];
      merged.upper = groups[right].upper;
      merged.rounded = groups[below].rounded + groups[left].rounded;
      auto add = [&](Group &group, int64_t distance) {
        merged.size = std::max(merged.size, distance + group.size);
        for (auto [buffer, inner] : group.parts)
          merged.parts.emplace_back(buffer, distance + inner);
        group.parts.clear();
      };
      int64_t height = groups[below].rounded;
      add(groups[left], height);
      add(groups[center], height);
      add(groups[above], height + groups[center].rounded);
      add(groups[right], 0);
      groups[below] = std::move(merged);
    };
    auto tryCenter = [&](size_t center) {
      const Group &middle = groups[center];
      for (size_t above : getFew(startsAt, middle.lower)) {
        if (groups[above].upper <= middle.upper ||
            groups[above].rounded > kMaxBytes - middle.rounded)
          continue;
        Side leftSide(middle.lower, middle.rounded + groups[above].rounded);
        for (size_t left : getFew(ends, leftSide))
          for (size_t below :
               getFew(byRange, Range(groups[left].lower, middle.upper))) {
            if (groups[below].rounded > kMaxBytes - groups[left].rounded)
              continue;
            Side rightSide(middle.upper,
                           groups[below].rounded + middle.rounded);
            for (size_t right : getFew(starts, rightSide))
              if (groups[right].upper == groups[above].upper &&
                  isFree({center, above, left, below, right})) {
                merge(center, above, left, below, right);
                return;
              }
          }
      }
    };
    for (size_t center = 0; center < groups.size(); ++center)
      if (!isUsed[center])
        tryCenter(center);
    return removeEmpty();
  }

  /// Lets groups follow others, where there is one choice or a few of several.
  bool follow(bool isUnique) {
    std::map<Side, std::vector<size_t>> ends, starts;
    for (auto [i, group] : llvm::enumerate(groups)) {
      ends[{group.upper, group.rounded}].push_back(i);
      starts[{group.lower, group.rounded}].push_back(i);
    }
    std::vector<bool> isUsed(groups.size(), false);
    size_t numMerged = 0;
    for (const auto &[side, before] : ends) {
      auto found = starts.find(side);
      if (found == starts.end() ||
          !draw(uint64_t(side.first) * 1000003 + side.second, style.followed))
        continue;
      llvm::ArrayRef<size_t> after = found->second;
      if (isUnique && (before.size() > 1 || after.size() > 1))
        continue;
      size_t first = before[next() % before.size()];
      size_t second = after[next() % after.size()];
      if (isUsed[first] || isUsed[second])
        continue;
      isUsed[first] = isUsed[second] = true;
      Group &group = groups[first];
      group.upper = groups[second].upper;
      group.size = std::max(group.size, groups[second].size);
      llvm::append_range(group.parts, groups[second].parts);
      groups[second].parts.clear();
      if (++numMerged > groups.size() / 64 && !isUnique)
        break;
    }
    return removeEmpty();
  }

  const MergeStyle style;
  const uint64_t seed;
  uint64_t state = seed * 977 + 1;
};
} // namespace

Merged uma::memory::mergeBuffers(const Problem &problem,
                                 const MergeStyle &style, uint64_t seed) {
  llvm::ArrayRef<Buffer> buffers = problem.buffers;
  Separations separations(problem);
  int64_t unit = 0;
  for (const Buffer &buffer : buffers)
    if (!buffer.isEmpty())
      unit = std::gcd(unit, buffer.alignment);

  Merger merger(style, seed);
  std::vector<size_t> others;
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    if (buffer.isEmpty() || buffer.offset || buffer.alignment != unit ||
        separations.hasRelation(i)) {
      others.push_back(i);
      continue;
    }
    merger.groups.push_back(
        {buffer.lower,
         buffer.upper,
         buffer.size,
         int64_t(llvm::divideCeil(buffer.size, unit)) * unit,
         {{i, 0}}});
  }
  merger.run();

  Merged merged;
  merged.places.resize(buffers.size());
  for (const Group &group : merger.groups) {
    Buffer buffer;
    buffer.lower = group.lower;
    buffer.upper = group.upper;
    buffer.size = group.size;
    buffer.alignment = unit;
    for (auto [part, distance] : group.parts)
      merged.places[part] = {merged.problem.buffers.size(), distance};
    merged.problem.buffers.push_back(buffer);
  }
  addUnmerged(problem, others, merged);
  return merged;
}

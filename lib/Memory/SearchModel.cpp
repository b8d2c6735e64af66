//===- SearchModel.cpp - Memory planning problem as the search sees it-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SearchModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>

using namespace uma::memory;

SearchModel::SearchModel(const Problem &problem) {
  llvm::ArrayRef<Buffer> buffers = problem.buffers;
  Separations separations(problem);

  std::vector<int64_t> times;
  unit = 0;
  for (const Buffer &buffer : buffers)
    if (!buffer.isEmpty()) {
      times.push_back(buffer.lower);
      times.push_back(buffer.upper);
      unit = std::gcd(unit, buffer.alignment);
    }
  unit = std::max<int64_t>(unit, 1);
  llvm::sort(times);
  times.erase(llvm::unique(times), times.end());
  numSections = std::max<int>(0, int(times.size()) - 1);
  auto getSection = [&](int64_t time) {
    return int(llvm::lower_bound(times, time) - times.begin());
  };

  std::vector<size_t> fixed;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (buffer.isEmpty())
      continue;
    if (buffer.offset) {
      fixed.push_back(i);
      continue;
    }
    Item item{i,
              buffer.size,
              int64_t(llvm::divideCeil(buffer.size, unit)) * unit,
              buffer.alignment,
              getSection(buffer.lower),
              getSection(buffer.upper),
              /*twin=*/0};
    item.hasRelation = separations.hasRelation(i);
    items.push_back(item);
  }
  llvm::sort(items, [](const Item &left, const Item &right) {
    return std::tie(left.first, right.end, left.size, left.buffer) <
           std::tie(right.first, left.end, right.size, right.buffer);
  });

  members.resize(numSections);
  obstacles.resize(numSections);
  neighbors.resize(items.size());
  forbidden.resize(items.size());
  std::map<std::tuple<int, int, int64_t, int64_t>, int> twins;
  for (auto [i, item] : llvm::enumerate(items)) {
    for (int section = item.first; section < item.end; ++section)
      members[section].push_back(i);
    item.twin = i;
    if (!item.hasRelation)
      item.twin =
          twins
              .try_emplace({item.first, item.end, item.size, item.alignment}, i)
              .first->second;
  }
  for (int section = 0; section < numSections; ++section) {
    double bytes = 0;
    for (int item : members[section])
      bytes += double(items[item].size);
    for (int item : members[section])
      items[item].contention = std::max(items[item].contention, bytes);
  }

  auto roundUp = [&](int64_t bytes) {
    return int64_t(llvm::divideCeil(bytes, unit)) * unit;
  };
  for (int i = 0, e = items.size(); i < e; ++i)
    for (int j = i + 1; j < e && items[j].first < items[i].end; ++j) {
      int relation = -1;
      if (items[i].hasRelation && items[j].hasRelation) {
        size_t one = items[i].buffer, other = items[j].buffer;
        int64_t up = roundUp(separations.get(one, other));
        int64_t down = roundUp(separations.get(other, one));
        if (up < items[i].rounded || down < items[j].rounded) {
          relation = relations.size();
          int64_t shared = std::max<int64_t>(
              {0, std::min(items[i].rounded - up, items[j].rounded),
               std::min(items[j].rounded - down, items[i].rounded)});
          relations.push_back({up, down, shared});
          relations.push_back({down, up, shared});
        }
      }
      neighbors[i].push_back({j, relation});
      neighbors[j].push_back({i, relation < 0 ? -1 : relation + 1});
    }

  grid = 0;
  for (const Item &item : items)
    grid = std::gcd(grid, item.rounded);
  for (const Relation &relation : relations)
    grid = std::gcd(grid, std::gcd(relation.above, relation.below));
  // Padding for alignment leaves the grid.
  for (const Item &item : items)
    if (grid % item.alignment != 0) {
      grid = unit;
      break;
    }
  if (!fixed.empty())
    grid = unit;
  grid = std::max<int64_t>(grid, 1);

  for (size_t index : fixed) {
    const Buffer &obstacle = buffers[index];
    int first = getSection(obstacle.lower), end = getSection(obstacle.upper);
    if (!separations.hasRelation(index))
      for (int section = first; section < end; ++section)
        obstacles[section].emplace_back(*obstacle.offset,
                                        *obstacle.offset + obstacle.size);
    for (auto [i, item] : llvm::enumerate(items))
      if (item.first < end && first < item.end) {
        Forbidden range(*obstacle.offset - separations.get(item.buffer, index),
                        *obstacle.offset + separations.get(index, item.buffer));
        if (range.first < range.second)
          forbidden[i].push_back(range);
      }
  }
  for (std::vector<Forbidden> &ranges : forbidden)
    llvm::sort(ranges);
}

int64_t SearchModel::getNextSize(int64_t size) const {
  int64_t next = kMaxBytes;
  for (const Item &item : items) {
    int64_t offset = std::max<int64_t>(0, size + 1 - item.size);
    next = std::min<int64_t>(next,
                             llvm::divideCeil(offset, grid) * grid + item.size);
  }
  // A buffer with a fixed offset may be the topmost one.
  for (const auto &ranges : forbidden)
    if (!ranges.empty())
      return size + 1;
  return next;
}

uint64_t SearchModel::getDiveSteps() const {
  // Placing an item touches most sections that others share with it.
  uint64_t all = 0;
  for (const std::vector<int> &section : members)
    all += section.size();
  return all * items.size() / 2;
}

int64_t SearchModel::fit(int item, int64_t offset) const {
  int64_t alignment = items[item].alignment;
  if (alignment != 1)
    offset = int64_t(llvm::divideCeil(offset, alignment)) * alignment;
  for (auto [begin, end] : forbidden[item])
    if (begin < offset && offset < end)
      offset = int64_t(llvm::divideCeil(end, alignment)) * alignment;
  return offset;
}

int64_t SearchModel::getObstacles(int section, int64_t floor) const {
  int64_t bytes = 0;
  for (auto [begin, end] : obstacles[section])
    bytes += std::max<int64_t>(0, end - std::max(begin, floor));
  return bytes;
}

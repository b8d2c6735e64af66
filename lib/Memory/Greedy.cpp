//===- Greedy.cpp - Greedy memory planners---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Greedy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace uma::memory;

Greedy::Greedy(const Problem &problem, bool isGlued)
    : problem(problem), separations(problem), index(problem.buffers),
      conflicts(index.countConflicts()) {
  numPairs =
      std::accumulate(conflicts.begin(), conflicts.end(), int64_t(0)) / 2;
  if (isGlued) {
    glue();
    return;
  }
  for (auto [i, buffer] : llvm::enumerate(problem.buffers)) {
    Unit unit;
    unit.parts.emplace_back(i, 0);
    unit.size = buffer.size;
    unit.alignment = buffer.alignment;
    units.push_back(std::move(unit));
  }
}

/// Forms units of chains of relations.
void Greedy::glue() {
  constexpr size_t kNone = ~size_t(0);
  const std::vector<Buffer> &buffers = problem.buffers;
  std::vector<size_t> above(buffers.size(), kNone);
  std::vector<bool> isAbove(buffers.size(), false);
  for (const Overlap &overlap : problem.overlaps) {
    const Buffer &below = buffers[overlap.below];
    const Buffer &over = buffers[overlap.above];
    if (overlap.separation >= below.size || below.offset || over.offset ||
        below.isEmpty() || over.isEmpty() || !below.livesWith(over) ||
        above[overlap.below] != kNone || isAbove[overlap.above])
      continue;
    above[overlap.below] = overlap.above;
    isAbove[overlap.above] = true;
  }
  std::vector<bool> isUsed(buffers.size(), false);
  auto start = [&](size_t first) {
    Unit unit;
    for (size_t next = first; next != kNone && !isUsed[next];
         next = above[next]) {
      int64_t distance = 0;
      if (!unit.parts.empty()) {
        auto [last, lastDistance] = unit.parts.back();
        distance = lastDistance + separations.get(last, next);
        int64_t alignment = buffers[next].alignment;
        distance = llvm::divideCeil(distance, alignment) * alignment;
        // Everything else in the unit has to be clear of it, too. Alignments
        // have to be compatible.
        bool fits = distance <= kMaxBytes - buffers[next].size &&
                    std::max(unit.alignment, alignment) %
                            std::min(unit.alignment, alignment) ==
                        0;
        for (auto [part, partDistance] : unit.parts)
          fits &= !buffers[part].livesWith(buffers[next]) ||
                  distance >= partDistance + separations.get(part, next);
        if (!fits) {
          isAbove[next] = false; // starts a unit of its own
          break;
        }
      }
      isUsed[next] = true;
      unit.parts.emplace_back(next, distance);
      unit.size = std::max(unit.size, distance + buffers[next].size);
      unit.alignment = std::max(unit.alignment, buffers[next].alignment);
    }
    if (!unit.parts.empty())
      units.push_back(std::move(unit));
  };
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!isAbove[i])
      start(i);
  // What a unit left out, and cycles.
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!isUsed[i])
      start(i);
}

std::vector<size_t> Greedy::getOrder(Order order) const {
  // Sort keys; units with the largest key are placed first.
  std::vector<std::pair<double, double>> keys;
  keys.reserve(units.size());
  for (const Unit &unit : units) {
    double lower = std::numeric_limits<double>::infinity(), upper = -lower;
    int64_t conflict = 0;
    for (auto [part, distance] : unit.parts) {
      lower = std::min(lower, double(problem.buffers[part].lower));
      upper = std::max(upper, double(problem.buffers[part].upper));
      conflict = std::max(conflict, conflicts[part]);
    }
    double size = double(unit.size), duration = upper - lower;
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
      keys.emplace_back(-lower, duration);
      break;
    case Order::Conflicts:
      keys.emplace_back(double(conflict), size);
      break;
    }
  }
  std::vector<size_t> result(units.size());
  std::iota(result.begin(), result.end(), size_t(0));
  llvm::sort(result, [&](size_t left, size_t right) {
    return std::tie(keys[right], left) < std::tie(keys[left], right);
  });
  return result;
}

/// Nanoseconds per pair of live buffers that the interval tree finds, sorting
/// included, and per placed buffer that a scan passes.
static constexpr double kTreeCost = 25, kScanCost = 1;

/// Returns whether a scan of all placed buffers, which are kept in order, is
/// faster than finding and sorting those that are live.
bool Greedy::scans() const {
  double count = double(problem.buffers.size());
  return count * count / 2 * kScanCost < double(numPairs) * 2 * kTreeCost;
}

double Greedy::getCost() const {
  double count = double(problem.buffers.size());
  return scans() ? count * count / 2 * kScanCost
                 : double(numPairs) * 2 * kTreeCost;
}

namespace {
/// Finds a gap for a unit between offsets at which it cannot begin. These come
/// as exclusive intervals, sorted by their begin.
class GapFinder {
public:
  GapFinder(int64_t alignment, Fit fit) : alignment(alignment), fit(fit) {}

  /// Adds an interval. Returns false once no other one changes the result.
  bool add(int64_t begin, int64_t end) {
    if (begin >= end)
      return true;
    int64_t gap = begin - free;
    if (gap >= 0 && gap < smallest) {
      smallest = gap;
      best = free;
      if (fit == Fit::First || gap == 0)
        return false;
    }
    if (end > free)
      free = alignment == 1
                 ? end
                 : int64_t(llvm::divideCeil(end, alignment)) * alignment;
    return true;
  }

  int64_t getOffset() const { return best.value_or(free); }

private:
  const int64_t alignment;
  const Fit fit;
  int64_t free = 0; // smallest aligned offset above the intervals so far
  int64_t smallest = std::numeric_limits<int64_t>::max();
  std::optional<int64_t> best;
};

/// Placed buffers in the order of their offsets, in chunks, so that insertion
/// moves few of them.
class PlacedBuffers {
public:
  struct Entry {
    int64_t offset, end, lower, upper;
  };

  void insert(const Entry &entry) {
    auto chunk = llvm::lower_bound(chunks, entry.offset,
                                   [](const auto &entries, int64_t offset) {
                                     return entries.back().offset < offset;
                                   });
    if (chunk == chunks.end()) {
      if (chunks.empty())
        chunks.emplace_back();
      chunk = std::prev(chunks.end());
    }
    chunk->insert(llvm::lower_bound(*chunk, entry.offset,
                                    [](const Entry &other, int64_t offset) {
                                      return other.offset < offset;
                                    }),
                  entry);
    if (chunk->size() < kMaxChunk)
      return;
    std::vector<Entry> upper(chunk->begin() + kMaxChunk / 2, chunk->end());
    chunk->resize(kMaxChunk / 2);
    chunks.insert(std::next(chunk), std::move(upper));
  }

  /// Calls `visit` with the offset and end of each buffer that is live with
  /// `buffer`, until it returns false.
  template <typename Visit>
  void forEachLiveWith(const Buffer &buffer, Visit visit) const {
    for (const std::vector<Entry> &chunk : chunks)
      for (const Entry &entry : chunk)
        if (entry.lower < buffer.upper && buffer.lower < entry.upper &&
            !visit(entry.offset, entry.end))
          return;
  }

private:
  static constexpr size_t kMaxChunk = 1024;
  std::vector<std::vector<Entry>> chunks;
};
} // namespace

std::optional<Offsets> Greedy::place(llvm::ArrayRef<size_t> order,
                                     Fit fit) const {
  Offsets offsets(problem.buffers.size(), 0);
  std::vector<bool> isPlaced(problem.buffers.size(), false);
  const bool isScanned = scans();
  PlacedBuffers placed;
  auto put = [&](size_t i, int64_t offset) {
    const Buffer &buffer = problem.buffers[i];
    offsets[i] = offset;
    isPlaced[i] = true;
    if (isScanned && !buffer.isEmpty())
      placed.insert({offset, offset + buffer.size, buffer.lower, buffer.upper});
  };
  for (auto [i, buffer] : llvm::enumerate(problem.buffers))
    if (buffer.offset)
      put(i, *buffer.offset);

  llvm::SmallVector<std::pair<int64_t, int64_t>> taken;
  for (size_t position : order) {
    const Unit &unit = units[position];
    size_t first = unit.parts.front().first;
    const Buffer &buffer = problem.buffers[first];
    if (isPlaced[first])
      continue;
    if (buffer.isEmpty()) {
      put(first, 0);
      continue;
    }
    GapFinder gaps(unit.alignment, fit);
    if (isScanned && unit.parts.size() == 1 &&
        !separations.hasRelation(first)) {
      placed.forEachLiveWith(buffer, [&](int64_t offset, int64_t end) {
        return gaps.add(offset - buffer.size, end);
      });
    } else {
      taken.clear();
      for (auto [part, distance] : unit.parts)
        index.forEachLiveWith(
            part, [&, part = part, distance = distance](size_t other) {
              if (isPlaced[other])
                taken.emplace_back(
                    offsets[other] - separations.get(part, other) - distance,
                    offsets[other] + separations.get(other, part) - distance);
            });
      llvm::sort(taken);
      for (auto [begin, end] : taken)
        if (!gaps.add(begin, end))
          break;
    }
    int64_t offset = gaps.getOffset();
    if (offset > kMaxBytes - unit.size)
      return std::nullopt;
    for (auto [part, distance] : unit.parts)
      put(part, offset + distance);
  }
  return offsets;
}

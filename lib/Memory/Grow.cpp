//===- Grow.cpp - Buffers enlarged where memory is unused -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Buffers that fill a rectangle follow each other without a gap: whenever some
// end, others of the same total size start. A buffer that is a little smaller
// or shorter leaves a trace: the live bytes fall by some number, and rise by
// the same number later. If a buffer would fill just this hole, it is enlarged,
// which costs nothing and lets the merges find its neighbors.
//
//===----------------------------------------------------------------------===//

#include "Grow.h"

#include "LiveIndex.h"
#include "LoadTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace uma::memory;

namespace {
class Grower {
public:
  Grower(Problem &problem, int64_t bound);
  void run();

private:
  bool canGrow(size_t i) const {
    const Buffer &buffer = problem.buffers[i];
    return !buffer.isEmpty() && !buffer.offset && buffer.alignment == unit &&
           !separations.hasRelation(i);
  }
  int find(int64_t time) const {
    return int(llvm::lower_bound(times, time) - times.begin());
  }
  int64_t round(int64_t size) const {
    return int64_t(llvm::divideCeil(size, unit)) * unit;
  }
  /// Adds to the change of the live bytes at a time.
  void change(int time, int64_t bytes) {
    changes[time] += bytes;
    if (changes[time] != 0)
      uneven.insert(time);
    else
      uneven.erase(time);
  }
  /// Returns whether a hole that begins with a fall of `fall` bytes and ends
  /// with a rise of `rise` bytes is one of `bytes`.
  bool matches(int64_t fall, int64_t rise, int64_t bytes) const {
    if (isStrict)
      return fall == bytes && rise == bytes;
    return std::min(fall, rise) == bytes;
  }
  /// Bounds the work per buffer.
  static constexpr int kMostVisited = 1000;

  bool fill(int begin, int end, int64_t bytes);
  bool growSize(Buffer &buffer);
  bool growBack(Buffer &buffer);
  bool growOn(Buffer &buffer);

  Problem &problem;
  const int64_t bound;
  int64_t unit = 0;
  Separations separations;
  std::vector<int64_t> times, changes;
  LoadTree load;
  /// Times whose change is not 0.
  std::set<int> uneven;
  /// Whether a hole has to match at both ends, not only at one.
  bool isStrict = true;
};
} // namespace

Grower::Grower(Problem &problem, int64_t bound)
    : problem(problem), bound(bound), separations(problem),
      times(getTimes(problem)), changes(times.size(), 0), load(times.size()) {
  for (const Buffer &buffer : problem.buffers)
    if (!buffer.isEmpty())
      unit = std::gcd(unit, buffer.alignment);
  if (times.empty())
    return;
  // Relations may save an unknown number of bytes.
  for (auto [i, buffer] : llvm::enumerate(problem.buffers))
    if (!buffer.isEmpty() && !separations.hasRelation(i)) {
      int lower = find(buffer.lower), upper = find(buffer.upper);
      changes[lower] += round(buffer.size);
      changes[upper] -= round(buffer.size);
      load.add(lower, upper, round(buffer.size));
    }
  // As if everything was full before the first and after the last time.
  changes.front() -= bound;
  changes.back() += bound;
  for (auto [time, bytes] : llvm::enumerate(changes))
    if (bytes != 0)
      uneven.insert(time);
}

/// Makes `bytes` more live from `begin` to `end`, if these are unused.
bool Grower::fill(int begin, int end, int64_t bytes) {
  if (load.getMost(begin, end) > bound - bytes)
    return false;
  load.add(begin, end, bytes);
  change(begin, bytes);
  change(end, -bytes);
  return true;
}

/// Fills a hole of the same live range.
bool Grower::growSize(Buffer &buffer) {
  int lower = find(buffer.lower), upper = find(buffer.upper);
  int64_t bytes = std::min(-changes[lower], changes[upper]);
  if (bytes <= 0 || (isStrict && changes[lower] + changes[upper] != 0) ||
      buffer.size > kMaxBytes - bytes - unit || !fill(lower, upper, bytes))
    return false;
  buffer.size = round(buffer.size) + bytes;
  return true;
}

/// Fills a hole before the buffer.
bool Grower::growBack(Buffer &buffer) {
  int lower = find(buffer.lower);
  int64_t bytes = round(buffer.size);
  if (isStrict ? changes[lower] != bytes : changes[lower] < bytes)
    return false;
  auto at = uneven.find(lower);
  for (int visited = 0; at != uneven.begin() && visited < kMostVisited;
       ++visited) {
    int begin = *--at;
    if (!matches(-changes[begin], changes[lower], bytes))
      continue;
    if (!fill(begin, lower, bytes))
      return false;
    buffer.lower = times[begin];
    return true;
  }
  return false;
}

/// Fills a hole after the buffer.
bool Grower::growOn(Buffer &buffer) {
  int upper = find(buffer.upper);
  int64_t bytes = round(buffer.size);
  if (isStrict ? changes[upper] != -bytes : changes[upper] > -bytes)
    return false;
  auto at = uneven.find(upper);
  for (int visited = 0; ++at != uneven.end() && visited < kMostVisited;
       ++visited) {
    int end = *at;
    if (!matches(changes[end], -changes[upper], bytes))
      continue;
    if (!fill(upper, end, bytes))
      return false;
    buffer.upper = times[end];
    return true;
  }
  return false;
}

void Grower::run() {
  // Exact fits come first, because they leave fewer ways to fill other holes.
  for (bool strict : {true, false}) {
    isStrict = strict;
    bool changes = true;
    while (changes) {
      changes = false;
      for (auto [i, buffer] : llvm::enumerate(problem.buffers))
        if (canGrow(i))
          changes |= growSize(buffer) || growBack(buffer) || growOn(buffer);
    }
  }
}

Problem uma::memory::growBuffers(const Problem &problem, int64_t bound) {
  Problem grown = problem;
  Grower(grown, bound).run();
  return grown;
}

//===- MergePairs.cpp - Buffers merged pair by pair------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For very many buffers. All pairs that fit each other are candidates, the
// surest one is merged first: a wrong pair prevents the right ones of both
// buffers, and of everything that these are part of.
//
// If nothing fits exactly any more, pairs are merged with some waste: at times
// of low load it costs nothing, otherwise the arena grows by it. The most live
// bytes, with all waste, stay below a limit, which the caller raises slowly. So
// a few wrong pairs cost a few bytes, and their neighbors still find each
// other. This is the idea of boxing (A. Buchsbaum et al., "OPT versus LOAD in
// dynamic storage allocation", STOC 2003) without its guarantee.
//
//===----------------------------------------------------------------------===//

#include "MergePairs.h"

#include "LiveIndex.h"
#include "Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace uma::memory;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

PairMerger::PairMerger(Problem givenProblem, uint64_t seed)
    : problem(std::move(givenProblem)), seed(seed), times(getTimes(problem)),
      load(times.size()), numStarts(times.size(), 0), numEnds(times.size(), 0) {
  Separations separations(problem);
  for (const Buffer &buffer : problem.buffers)
    if (!buffer.isEmpty())
      unit = std::gcd(unit, buffer.alignment);
  groups.reserve(2 * problem.buffers.size());
  for (auto [i, buffer] : llvm::enumerate(problem.buffers)) {
    auto find = [&](int64_t time) {
      return int(llvm::lower_bound(times, time) - times.begin());
    };
    Group group;
    group.isLive = false;
    bool isMerged = !buffer.isEmpty() && !buffer.offset &&
                    buffer.alignment == unit && !separations.hasRelation(i);
    if (!buffer.isEmpty()) {
      group.lower = find(buffer.lower);
      group.upper = find(buffer.upper);
      group.size = buffer.size;
      group.rounded = int64_t(llvm::divideCeil(buffer.size, unit)) * unit;
      // Relations may save an unknown number of bytes.
      if (!separations.hasRelation(i))
        load.add(group.lower, group.upper, group.rounded);
    }
    groups.push_back(group);
    if (!isMerged) {
      others.push_back(i);
      continue;
    }
    insert(i);
  }
  for (int i = 0, e = groups.size(); i < e; ++i)
    if (groups[i].isLive)
      propose(i);
}

void PairMerger::forEachIndex(
    int index,
    llvm::function_ref<void(Index &, const Index::key_type &)> visit) {
  const Group &group = groups[index];
  visit(byStartAndSize, {group.lower, group.rounded, index});
  visit(byEndAndSize, {group.upper, group.rounded, index});
  visit(byStartAndEnd, {group.lower, group.upper, index});
  visit(byEndAndStart, {group.upper, group.lower, index});
  visit(bySizeAndStart, {group.rounded, group.lower, index});
  visit(bySizeAndEnd, {group.rounded, group.upper, index});
}

void PairMerger::insert(int index) {
  groups[index].isLive = true;
  forEachIndex(index, [](Index &entries, const Index::key_type &key) {
    entries.insert(key);
  });
  ++numStarts[groups[index].lower];
  ++numEnds[groups[index].upper];
  ++numGroups;
}

void PairMerger::erase(int index) {
  groups[index].isLive = false;
  forEachIndex(index, [](Index &entries, const Index::key_type &key) {
    entries.erase(key);
  });
  --numStarts[groups[index].lower];
  --numEnds[groups[index].upper];
  --numGroups;
}

size_t PairMerger::count(const Index &index, int64_t first, int64_t second) {
  size_t result = 0;
  for (auto at = index.lower_bound({first, second, -1});
       at != index.end() && std::get<0>(*at) == first &&
       std::get<1>(*at) == second && result < 8;
       ++at)
    ++result;
  return result;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Finds out with what a new group fits.
void PairMerger::propose(int index) {
  steps += 16;
  const Group group = groups[index];
  auto follow = [&](int other) { proposeFollow(index, other); };
  auto precede = [&](int other) { proposeFollow(other, index); };
  auto stack = [&](int other) { proposeStack(index, other); };
  forEachNear(byStartAndSize, group.upper, group.rounded, follow);
  forEachNear(byEndAndSize, group.lower, group.rounded, precede);
  forEachNear(byStartAndEnd, group.lower, group.upper, stack);
  forEachNear(byEndAndStart, group.upper, group.lower, stack);
  // Groups of the same size, after a pause.
  auto next = bySizeAndStart.lower_bound({group.rounded, group.upper + 1, -1});
  if (next != bySizeAndStart.end() && std::get<0>(*next) == group.rounded)
    follow(std::get<2>(*next));
  next = bySizeAndEnd.lower_bound({group.rounded, group.lower, -1});
  if (next != bySizeAndEnd.begin() &&
      std::get<0>(*std::prev(next)) == group.rounded)
    precede(std::get<2>(*std::prev(next)));
  // Groups of about the same size and live range.
  auto scan = [&](const Index &index, int64_t first, auto visit) {
    constexpr int kMostScanned = 12;
    auto at = index.lower_bound({first, 0, -1});
    int scanned = 0;
    for (auto after = at; after != index.end() && scanned < kMostScanned;
         ++after, ++scanned)
      visit(std::get<2>(*after));
    scanned = 0;
    while (at != index.begin() && scanned++ < kMostScanned)
      visit(std::get<2>(*--at));
  };
  // Before the first run, there are too many, and most fit exactly.
  if (limit > 0) {
    scan(byStartAndSize, group.upper + 1, follow);
    scan(byEndAndSize, group.lower, precede);
    scan(byStartAndEnd, group.lower, stack);
  }
  // Pairs that the new group confirms.
  constexpr int kMost = 16;
  int visited = 0;
  for (auto at = byStartAndEnd.lower_bound({group.lower, 0, -1});
       at != byStartAndEnd.end() && std::get<0>(*at) == group.lower &&
       std::get<1>(*at) < group.upper && visited < kMost;
       ++at, ++visited) {
    const Group &first = groups[std::get<2>(*at)];
    int inner = 0;
    for (auto after =
             byStartAndSize.lower_bound({first.upper, first.rounded, -1});
         after != byStartAndSize.end() && std::get<0>(*after) == first.upper &&
         std::get<1>(*after) == first.rounded && inner < kMost;
         ++after, ++inner)
      if (groups[std::get<2>(*after)].upper == group.upper)
        proposeFollow(std::get<2>(*at), std::get<2>(*after));
  }
}

PairMerger::Class PairMerger::rankFollow(int first, int second) const {
  const Group &before = groups[first], &after = groups[second];
  if (before.upper != after.lower || before.rounded != after.rounded)
    return Class::Nearly;
  if (numEnds[before.upper] == 1 && numStarts[after.lower] == 1)
    return Class::Alone;
  if (has(byStartAndEnd, before.lower, after.upper))
    return Class::Confirmed;
  return count(byEndAndSize, before.upper, before.rounded) == 1 &&
                 count(byStartAndSize, after.lower, after.rounded) == 1
             ? Class::Unique
             : Class::Ambiguous;
}

PairMerger::Class PairMerger::rankStack(int first, int second) const {
  const Group &one = groups[first], &other = groups[second];
  if (one.lower != other.lower || one.upper != other.upper)
    return Class::Nearly;
  int64_t sum = one.rounded + other.rounded;
  if (has(byEndAndSize, one.lower, sum) || has(byStartAndSize, one.upper, sum))
    return Class::Confirmed;
  // Which is surer depends on the problem.
  return seed % 2 == 1 ? Class::Unique : Class::Stack;
}

/// Returns the number of buffers that start or end when the pair meets
/// something else: the more, the more likely is another partner. Every other
/// seed ignores it.
double PairMerger::getDoubt(int first, int second, bool isStack) const {
  if (seed % 4 < 2)
    return 0;
  int upper = groups[first].upper, lower = groups[first].lower;
  if (!isStack)
    return numStarts[upper] + numEnds[upper];
  return numStarts[upper] + numEnds[upper] + numStarts[lower] + numEnds[lower];
}

void PairMerger::proposeFollow(int first, int second) {
  if (first != second && groups[first].upper <= groups[second].lower)
    push(rankFollow(first, second), first, second, /*isStack=*/false);
}

void PairMerger::proposeStack(int first, int second) {
  if (first == second ||
      groups[first].rounded > kMaxBytes - groups[second].rounded)
    return;
  push(rankStack(first, second), std::min(first, second),
       std::max(first, second), /*isStack=*/true);
}

void PairMerger::push(Class rank, int first, int second, bool isStack) {
  double waste = 0;
  if (rank == Class::Nearly) {
    for (const Waste &part : getWaste(first, second, isStack))
      waste += double(part.bytes) * getDuration(part.begin, part.end);
    waste /= std::min(getArea(first), getArea(second));
    // The merge would waste more than the smaller group holds.
    if (waste > 1)
      return;
  }
  if (rank != Class::Nearly)
    waste = getDoubt(first, second, isStack);
  queue.push({rank, waste, mix(mix(first * 1000003ull + second) + seed * 7919),
              first, second, isStack});
}

PairMerger::Wastes PairMerger::getWaste(int first, int second,
                                        bool isStack) const {
  const Group &one = groups[first], &other = groups[second];
  Wastes result;
  auto add = [&](int begin, int end, int64_t bytes) {
    if (begin < end && bytes > 0)
      result.push_back({begin, end, bytes});
  };
  if (!isStack) {
    int64_t most = std::max(one.rounded, other.rounded);
    add(one.lower, one.upper, most - one.rounded);
    add(one.upper, other.lower, most);
    add(other.lower, other.upper, most - other.rounded);
    return result;
  }
  int lower = std::min(one.lower, other.lower);
  int upper = std::max(one.upper, other.upper);
  for (const Group *group : {&one, &other}) {
    add(lower, group->lower, group->rounded);
    add(group->upper, upper, group->rounded);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Adds a group that replaces its parts, and looks for what it fits.
void PairMerger::add(Group group) {
  int index = groups.size();
  llvm::SmallVector<int, 10> changed{group.lower, group.upper};
  for (auto [part, distance] : group.parts) {
    erase(part);
    changed.push_back(groups[part].lower);
    changed.push_back(groups[part].upper);
  }
  groups.push_back(std::move(group));
  insert(index);
  ++numChanges;
  propose(index);
  // A group that is the only candidate at a time follows for certain.
  for (int time : changed)
    if (numEnds[time] == 1 && numStarts[time] == 1)
      proposeFollow(std::get<2>(*byEndAndSize.lower_bound({time, 0, -1})),
                    std::get<2>(*byStartAndSize.lower_bound({time, 0, -1})));
}

/// Adds the bytes that a merge wastes. Returns false if they exceed the limit.
bool PairMerger::addWaste(llvm::ArrayRef<Waste> wastes) {
  for (size_t i = 0; i < wastes.size(); ++i) {
    auto [begin, end, bytes] = wastes[i];
    if (load.getMost(begin, end) <= limit - bytes) {
      load.add(begin, end, bytes);
      continue;
    }
    while (i-- > 0)
      load.add(wastes[i].begin, wastes[i].end, -wastes[i].bytes);
    return false;
  }
  return true;
}

/// Returns false if the pair exceeds the limit.
bool PairMerger::merge(const Candidate &candidate) {
  const Group &one = groups[candidate.first], &other = groups[candidate.second];
  Group group;
  if (candidate.rank == Class::Nearly) {
    group.wastes =
        getWaste(candidate.first, candidate.second, candidate.isStack);
    if (!addWaste(group.wastes))
      return false;
  }
  group.lower = std::min(one.lower, other.lower);
  group.upper = std::max(one.upper, other.upper);
  int64_t distance = candidate.isStack ? one.rounded : 0;
  group.size = std::max(one.size, distance + other.size);
  group.rounded = candidate.isStack ? one.rounded + other.rounded
                                    : std::max(one.rounded, other.rounded);
  group.parts = {{candidate.first, 0}, {candidate.second, distance}};
  add(std::move(group));
  return true;
}

void PairMerger::run(int64_t newLimit) {
  limit = newLimit;
  llvm::sort(deferred);
  deferred.erase(llvm::unique(deferred), deferred.end());
  for (const Candidate &candidate : deferred)
    if (groups[candidate.first].isLive && groups[candidate.second].isLive)
      queue.push(candidate);
  deferred.clear();
  // Pinwheels are looked for after enough changes.
  std::optional<size_t> lastExact, lastNearly;
  auto isDue = [&](std::optional<size_t> &last) {
    if (last && (numChanges == *last ||
                 (!queue.empty() && numChanges - *last < numGroups / 64)))
      return false;
    last = numChanges;
    return true;
  };
  while (true) {
    if ((queue.empty() || queue.top().rank >= Class::Stack) &&
        isDue(lastExact)) {
      formPinwheels(/*isExact=*/true);
      continue;
    }
    if ((queue.empty() || queue.top().rank >= Class::Nearly) &&
        isDue(lastNearly)) {
      formPinwheels(/*isExact=*/false);
      continue;
    }
    if (queue.empty())
      return;
    ++steps;
    Candidate candidate = queue.top();
    queue.pop();
    const bool isLive[] = {groups[candidate.first].isLive,
                           groups[candidate.second].isLive};
    if (!isLive[0] || !isLive[1]) {
      // The other one may have a next choice.
      if (candidate.rank == Class::Nearly) {
        if (isLive[0])
          propose(candidate.first);
        if (isLive[1])
          propose(candidate.second);
      }
      continue;
    }
    Class rank = candidate.isStack
                     ? rankStack(candidate.first, candidate.second)
                     : rankFollow(candidate.first, candidate.second);
    double waste =
        rank == Class::Nearly
            ? candidate.waste
            : getDoubt(candidate.first, candidate.second, candidate.isStack);
    if (rank > candidate.rank ||
        (rank == candidate.rank && waste > candidate.waste)) {
      candidate.rank = rank;
      candidate.waste = waste;
      queue.push(candidate);
      continue;
    }
    if (!merge(candidate))
      deferred.push_back(candidate);
  }
}

/// Divides merged groups again, so that they can be merged in another way.
/// Wrong pairs are most often the last ones: nothing fits the result.
void PairMerger::loosen() {
  ++seed;
  std::vector<int> stack;
  for (int i = 0, e = groups.size(); i < e; ++i)
    if (groups[i].isLive && !groups[i].parts.empty())
      stack.push_back(i);
  std::vector<int> released;
  while (!stack.empty()) {
    int index = stack.back();
    stack.pop_back();
    if (groups[index].parts.empty() || mix(mix(index) + seed) % 4 == 0) {
      continue;
    }
    undo(index);
    for (auto [part, distance] : groups[index].parts) {
      released.push_back(part);
      if (mix(mix(part) + seed) % 2)
        stack.push_back(part);
    }
  }
  for (int i : released)
    if (groups[i].isLive)
      propose(i);
}

/// Replaces a group by its parts.
void PairMerger::undo(int index) {
  erase(index);
  ++numChanges;
  const Group &group = groups[index];
  for (auto [begin, end, bytes] : group.wastes)
    load.add(begin, end, -bytes);
  for (auto [part, distance] : group.parts)
    insert(part);
}

void PairMerger::runRepeatedly(int64_t newLimit) {
  constexpr unsigned kMostRounds = 100, kMostStalled = 12;
  // Less than this part of the buffers is no progress.
  constexpr size_t kProgress = 200;
  const uint64_t count = problem.buffers.size();
  const uint64_t end =
      steps + std::max(kMostSteps, kMostStepsPerBuffer * count);
  // A round takes longer the more is left, and then has to help more.
  const uint64_t patience =
      std::max(kMostSteps / 2, kPatiencePerBuffer * count);
  run(newLimit);
  size_t least = numGroups;
  uint64_t last = steps;
  for (unsigned round = 0, stalled = 0;
       round < kMostRounds && stalled < kMostStalled && least > 1 &&
       steps < end && steps - last < patience;
       ++round) {
    loosen();
    run(newLimit);
    ++stalled;
    if (numGroups + least / kProgress < least) {
      least = numGroups;
      stalled = 0;
      last = steps;
    }
  }
}

Merged PairMerger::getMerged() const {
  Merged merged;
  merged.places.resize(problem.buffers.size());
  for (auto [i, group] : llvm::enumerate(groups)) {
    if (!group.isLive)
      continue;
    Buffer buffer;
    buffer.lower = times[group.lower];
    buffer.upper = times[group.upper];
    buffer.size = group.size;
    buffer.alignment = unit;
    std::vector<std::pair<int, int64_t>> stack{{int(i), 0}};
    while (!stack.empty()) {
      auto [part, distance] = stack.back();
      stack.pop_back();
      if (groups[part].parts.empty())
        merged.places[part] = {merged.problem.buffers.size(), distance};
      for (auto [inner, innerDistance] : groups[part].parts)
        stack.emplace_back(inner, distance + innerDistance);
    }
    merged.problem.buffers.push_back(buffer);
  }
  addUnmerged(problem, others, merged);
  return merged;
}

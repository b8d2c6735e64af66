//===- Search.cpp - Branch and bound for memory plans----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace uma::memory;

/// Floor of a section without buffers.
static constexpr int64_t kNoFloor = std::numeric_limits<int64_t>::max() / 2;
/// Failed states that are remembered, 16 bytes each or less.
static constexpr size_t kMaxFailed = size_t(1) << 21;

Search::Search(const SearchModel &model, int64_t capacity)
    : model(model), capacity(capacity),
      sectionCapacity(int64_t(llvm::divideCeil(capacity, model.unit)) *
                      model.unit),
      isTouched(model.numSections, false), itemFailures(model.items.size(), 0),
      sectionFailures(model.numSections, 0) {}

/// Forgets all decisions.
void Search::reset() {
  floorOf.resize(model.items.size());
  isPlaced.assign(model.items.size(), false);
  floor.assign(model.numSections, kNoFloor);
  bytes.assign(model.numSections, 0);
  count.assign(model.numSections, 0);
  options.assign(model.numSections, 0);
  continued.assign(model.numSections + 1, 0);
  trail.clear();
  for (auto [i, item] : llvm::enumerate(model.items)) {
    floorOf[i] = model.fit(i, 0);
    for (int section = item.first; section < item.end; ++section) {
      floor[section] = std::min(floor[section], floorOf[i]);
      // At most twice the capacity in each step, checked by run.
      bytes[section] = std::min(bytes[section] + item.rounded, kNoFloor / 2);
      ++count[section];
      continued[section] += section > item.first;
    }
  }
  for (auto [i, item] : llvm::enumerate(model.items))
    if (item.hasRelation)
      for (const SearchModel::Neighbor &neighbor : model.neighbors[i])
        if (neighbor.item > int(i))
          for (int s = std::max(item.first, model.items[neighbor.item].first),
                   e = std::min(item.end, model.items[neighbor.item].end);
               s < e; ++s)
            bytes[s] -= model.getShared(neighbor);
}

/// Sets the preference of each item.
void Search::prefer(const Strategy &strategy) {
  preference.clear();
  double most = 1;
  for (double failures : itemFailures)
    most = std::max(most, failures);
  for (auto [i, item] : llvm::enumerate(model.items)) {
    double duration = item.end - item.first, size = double(item.size),
           value = 0;
    switch (strategy.prefer) {
    case Strategy::Prefer::Area:
      value = size * duration;
      break;
    case Strategy::Prefer::Duration:
      value = duration + size / double(capacity + 1);
      break;
    case Strategy::Prefer::Size:
      value = size + duration / (model.numSections + 1);
      break;
    case Strategy::Prefer::Contention:
      value = item.contention + duration / (model.numSections + 1);
      break;
    }
    if (strategy.seed)
      value *= 1 + double(mix(strategy.seed * 1000003 + i) % 1024) / 2048;
    if (strategy.learns)
      value *= 1 + 4 * itemFailures[i] / most;
    preference.push_back(value);
  }
}

Answer Search::run(const Strategy &runStrategy, uint64_t runMaxSteps) {
  strategy = runStrategy;
  totalSteps += steps;
  steps = 0;
  maxSteps = runMaxSteps;
  isAborted = false;
  reset();
  for (auto [i, item] : llvm::enumerate(model.items))
    if (floorOf[i] > capacity - item.size)
      return Answer::DoesNotFit;
  for (int section = 0; section < model.numSections; ++section)
    touch(section);
  if (!settle())
    return Answer::DoesNotFit;
  trail.clear();
  prefer(strategy);
  if (solveParts(0, model.numSections, 0))
    return Answer::Fits;
  return isAborted ? Answer::Unknown : Answer::DoesNotFit;
}

void Search::touch(int section) {
  if (isTouched[section])
    return;
  isTouched[section] = true;
  touched.push_back(section);
}

void Search::touchSections(int item) {
  for (int s = model.items[item].first; s < model.items[item].end; ++s)
    touch(s);
}

/// Raises the lowest possible offset of an item. Returns false if it ends above
/// the capacity then.
bool Search::raise(int item, int64_t offset) {
  offset = model.fit(item, offset);
  if (offset > capacity - model.items[item].size) {
    failedItem = item;
    return false;
  }
  trail.push_back({Change::ItemFloor, item, floorOf[item]});
  floorOf[item] = offset;
  touchSections(item);
  return true;
}

/// Updates the touched sections. Returns false if one exceeds the capacity.
bool Search::settle() {
  bool fits = true;
  for (int section : touched) {
    isTouched[section] = false;
    if (!fits)
      continue;
    releases.clear();
    int64_t lowest = kNoFloor, highest = 0;
    int atLowest = 0;
    for (int item : model.members[section])
      if (!isPlaced[item]) {
        releases.emplace_back(floorOf[item], model.items[item].rounded);
        if (floorOf[item] <= lowest) {
          atLowest = floorOf[item] == lowest ? atLowest + 1 : 1;
          lowest = floorOf[item];
        }
        highest = std::max(highest, floorOf[item]);
      }
    steps += model.members[section].size();
    if (lowest != floor[section] || atLowest != options[section]) {
      trail.push_back(
          {Change::SectionFloor, section, floor[section], options[section]});
      floor[section] = lowest;
      options[section] = atLowest;
    }
    if (releases.empty())
      continue;
    auto fail = [&](int64_t from, int64_t bound) {
      fits = false;
      failedItem = -1;
      failedSection = section;
      failedFloor = from;
      failedBound = bound;
    };
    int64_t obstacles = model.getObstacles(section, lowest);
    if (lowest + bytes[section] + obstacles > sectionCapacity) {
      // Obstacles may lie below a lower floor, so the bound is not relaxed.
      fail(lowest, obstacles ? lowest : sectionCapacity - bytes[section] + 1);
      continue;
    }
    // Buffers with a high floor leave bytes below it unused.
    if (highest + bytes[section] <= sectionCapacity)
      continue;
    llvm::sort(releases);
    int64_t top = 0, start = 0, all = 0;
    for (auto [release, size] : releases) {
      if (release > top)
        top = start = release;
      top += size;
      all += size;
    }
    int64_t shared = all - bytes[section];
    if (top - shared > sectionCapacity)
      fail(start, sectionCapacity - (top - start - shared) + 1);
  }
  touched.clear();
  return fits;
}

/// Places an item at its lowest possible offset, with everything else that is
/// not placed above it. Returns false if something does not fit then.
bool Search::place(int index) {
  const SearchModel::Item &item = model.items[index];
  isPlaced[index] = true;
  trail.push_back({Change::Placed, index, 0});
  for (int s = item.first; s < item.end; ++s) {
    bytes[s] -= item.rounded;
    --count[s];
    continued[s] -= s > item.first;
    touch(s);
  }
  int64_t offset = floorOf[index];
  steps += model.neighbors[index].size();
  bool fits = true;
  for (const SearchModel::Neighbor &neighbor : model.neighbors[index]) {
    int other = neighbor.item;
    if (isPlaced[other])
      continue;
    if (int64_t shared = model.getShared(neighbor))
      for (int s = std::max(item.first, model.items[other].first),
               e = std::min(item.end, model.items[other].end);
           s < e; ++s)
        bytes[s] += shared;
    int64_t lowest = offset + model.getAbove(index, neighbor);
    if (fits && floorOf[other] < lowest)
      fits = raise(other, lowest);
  }
  if (fits)
    return settle();
  for (int section : touched)
    isTouched[section] = false;
  touched.clear();
  return false;
}

/// Undoes all changes after the first `mark`.
void Search::undo(size_t mark) {
  while (trail.size() > mark) {
    Change change = trail.back();
    trail.pop_back();
    switch (change.kind) {
    case Change::ItemFloor:
      floorOf[change.index] = change.old;
      break;
    case Change::SectionFloor:
      floor[change.index] = change.old;
      options[change.index] = change.oldOptions;
      break;
    case Change::Placed: {
      const SearchModel::Item &item = model.items[change.index];
      for (int s = item.first; s < item.end; ++s) {
        bytes[s] += item.rounded;
        ++count[s];
        continued[s] += s > item.first;
      }
      if (item.hasRelation)
        for (const SearchModel::Neighbor &neighbor :
             model.neighbors[change.index])
          if (int64_t shared = model.getShared(neighbor))
            if (!isPlaced[neighbor.item])
              for (int s = std::max(item.first,
                                    model.items[neighbor.item].first),
                       e = std::min(item.end, model.items[neighbor.item].end);
                   s < e; ++s)
                bytes[s] -= shared;
      isPlaced[change.index] = false;
      break;
    }
    }
  }
}

/// Solves sections [begin, end), one part after the other that no remaining
/// item connects. On failure levels[depth].why explains it.
bool Search::solveParts(int begin, int end, int depth) {
  startExplanation(depth, {0, 0}); // creates the level
  auto &parts = levels[depth].parts;
  parts.clear();
  for (int section = begin; section < end;) {
    if (count[section] == 0) {
      ++section;
      continue;
    }
    int next = section + 1;
    while (next < end && continued[next] > 0)
      ++next;
    parts.emplace_back(section, next);
    section = next;
  }
  steps += end - begin;
  // Small parts fail fast.
  llvm::sort(parts, [](auto left, auto right) {
    return std::make_pair(left.second - left.first, left.first) <
           std::make_pair(right.second - right.first, right.first);
  });
  // The recursion uses the list of deeper levels only.
  return llvm::all_of(parts, [&](std::pair<int, int> part) {
    return solve(part.first, part.second, depth);
  });
}

/// Returns the range of items that start in sections [begin, end).
std::pair<int, int> Search::getItems(int begin, int end) const {
  auto find = [&](int section) {
    return int(llvm::partition_point(model.items,
                                     [&](const SearchModel::Item &item) {
                                       return item.first < section;
                                     }) -
               model.items.begin());
  };
  return {find(begin), find(end)};
}

/// Returns a hash of the remaining items and their floors, the same for
/// interchangeable items.
uint64_t Search::hashItems(std::pair<int, int> range) {
  uint64_t hash = mix(range.first * 1000003ull + range.second);
  for (int i = range.first; i < range.second; ++i)
    if (!isPlaced[i])
      hash += mix(mix(model.items[i].twin + 77) * 31 + floorOf[i]);
  steps += (range.second - range.first) / 4;
  return hash;
}

bool Search::solve(int begin, int end, int depth) {
  // A bound of the recursion; parts of a plan rarely leave bytes unused.
  if (steps > maxSteps || depth > 3 * int(model.items.size()) + 64) {
    isAborted = true;
    return false;
  }
  std::pair<int, int> range = getItems(begin, end);
  // The top bits keep clear of DenseSet's two reserved values.
  uint64_t hash = hashItems(range) >> 1;
  startExplanation(depth + 1, range);
  Explanation &why = startExplanation(depth, range);
  if (failed.contains(hash)) {
    for (int i = range.first; i < range.second; ++i)
      if (!isPlaced[i])
        why.bounds[i] = floorOf[i];
    return false;
  }
  Choice choice = choose(begin, end);
  for (int item : model.members[choice.section])
    if (!isPlaced[item])
      why.bounds[item] =
          floor[choice.section] + (floorOf[item] > floor[choice.section]);

  Outcome outcome = tryCandidates(choice, begin, end, depth);
  if (outcome == Outcome::Failed)
    outcome = tryUnused(choice, begin, end, depth);
  if (outcome == Outcome::Failed && failed.size() < kMaxFailed)
    failed.insert(hash);
  return outcome == Outcome::Solved;
}

/// Chooses the section to decide next.
Search::Choice Search::choose(int begin, int end) {
  Choice best;
  double bestScore = std::numeric_limits<double>::infinity();
  for (int first = begin; first < end;) {
    int last = first + 1;
    while (last < end && floor[last] == floor[first])
      ++last;
    bool isValley = floor[first] != kNoFloor &&
                    (first == begin || floor[first - 1] > floor[first]) &&
                    (last == end || floor[last] > floor[first]);
    for (int s = first; isValley && s < last; ++s) {
      // As fractions of the capacity, so that units do not matter.
      double slack =
          double(sectionCapacity - floor[s] - bytes[s]) / double(capacity + 1);
      double height = double(floor[s]) / double(capacity + 1);
      double branches = options[s] + (slack > 0);
      double score = 0;
      switch (strategy.pick) {
      case Strategy::Pick::FewestOptions:
        score = branches + slack / 2 + height / 1024;
        break;
      case Strategy::Pick::LeastSlack:
        score = slack + branches / 1024;
        break;
      case Strategy::Pick::LowestFloor:
        score = height + branches / 1024;
        break;
      }
      if (strategy.learns)
        score /= 1 + sectionFailures[s] / (1 + allFailures / model.numSections);
      if (score < bestScore) {
        bestScore = score;
        best = {s, first, last};
      }
    }
    first = last;
  }
  steps += end - begin;
  return best;
}

/// Collects the items that may begin at the floor of the chosen section, the
/// preferred one first.
void Search::collectCandidates(const Choice &choice,
                               std::vector<int> &candidates) {
  candidates.clear();
  int64_t lowest = floor[choice.section];
  auto add = [&](int item) {
    if (llvm::none_of(candidates, [&](int other) {
          return model.items[other].twin == model.items[item].twin;
        }))
      candidates.push_back(item);
  };
  for (int item : model.members[choice.section])
    if (!isPlaced[item] && floorOf[item] == lowest)
      add(item);
  // Two related buffers can begin at the same offset. The one that may be the
  // lower one has to be placed first, although it need not be in the section.
  for (int item : llvm::to_vector(candidates))
    if (model.items[item].hasRelation)
      for (const SearchModel::Neighbor &neighbor : model.neighbors[item])
        if (neighbor.relation >= 0 && model.getBelow(neighbor) == 0 &&
            !isPlaced[neighbor.item] && floorOf[neighbor.item] == lowest)
          add(neighbor.item);
  auto fills = [&](int item) {
    return strategy.learns && model.items[item].first == choice.begin &&
           model.items[item].end == choice.end;
  };
  llvm::sort(candidates, [&](int left, int right) {
    if (fills(left) != fills(right))
      return fills(left);
    return std::make_pair(-preference[left], left) <
           std::make_pair(-preference[right], right);
  });
}

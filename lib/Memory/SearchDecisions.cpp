//===- SearchDecisions.cpp - Decisions of the search and why they fail-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A failure is explained by a set of items and a lower bound of the offset of
// each: no plan of these items alone satisfies all bounds. The bounds of the
// initial state hold anyway; the others follow from decisions. An explanation
// of the state after a decision becomes one of the state before: a bound that
// holds only because item `i` began at offset `o` becomes the weaker bound that
// excludes offsets below `i`. If no bound follows from the decision, the
// alternatives fail as well.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

using namespace uma::memory;

/// Clears the explanation of a level for items of `range`.
Search::Explanation &Search::startExplanation(int depth,
                                              std::pair<int, int> range) {
  while (int(levels.size()) <= depth) {
    levels.emplace_back();
    levels.back().why.bounds.assign(model.items.size(), -1);
  }
  Explanation &why = levels[depth].why;
  std::tie(why.begin, why.end) = range;
  std::fill(why.bounds.begin() + why.begin, why.bounds.begin() + why.end, -1);
  return why;
}

/// Explains the last failure of `place` or `settle` in a level.
void Search::explainFailure(int depth, std::pair<int, int> range) {
  Explanation &why = startExplanation(depth, range);
  if (failedItem >= 0) {
    itemFailures[failedItem] += 1;
    why.bounds[failedItem] = capacity - model.items[failedItem].size + 1;
    return;
  }
  sectionFailures[failedSection] += 1;
  allFailures += 1;
  for (int item : model.members[failedSection])
    if (!isPlaced[item] && floorOf[item] >= failedFloor) {
      itemFailures[item] += 1;
      why.bounds[item] = failedBound;
    }
}

/// Takes the explanation of the next level for this one.
void Search::adopt(int depth) {
  Explanation &why = levels[depth].why;
  const Explanation &inner = levels[depth + 1].why;
  why.begin = inner.begin;
  why.end = inner.end;
  std::copy(inner.bounds.begin() + inner.begin,
            inner.bounds.begin() + inner.end, why.bounds.begin() + inner.begin);
}

/// Returns the smallest distance of the offsets of `item` and of `other` below
/// it.
int64_t Search::getBelow(int item, int other) const {
  if (model.items[item].hasRelation && model.items[other].hasRelation)
    for (const SearchModel::Neighbor &neighbor : model.neighbors[item])
      if (neighbor.item == other)
        return model.getBelow(neighbor);
  return model.items[other].rounded;
}

/// Tries each candidate at the floor of the chosen section.
Search::Outcome Search::tryCandidates(const Choice &choice, int begin, int end,
                                      int depth) {
  std::vector<int> &candidates = levels[depth].candidates;
  collectCandidates(choice, candidates);
  Explanation &why = levels[depth].why;
  const std::pair<int, int> range(why.begin, why.end);
  const int64_t offset = floor[choice.section];
  const size_t mark = trail.size();
  for (int candidate : candidates) {
    bool fits = place(candidate);
    if (!fits)
      explainFailure(depth + 1, range);
    else if (solveParts(begin, end, depth + 1))
      return Outcome::Solved;
    undo(mark);
    if (isAborted)
      return Outcome::Aborted;

    const Explanation &inner = levels[depth + 1].why;
    steps += (inner.end - inner.begin) / 4;
    bool follows = false;
    for (int i = inner.begin; i < inner.end && !follows; ++i)
      follows = inner.bounds[i] > floorOf[i];
    if (!follows) {
      adopt(depth);
      return Outcome::Explained;
    }
    for (int i = inner.begin; i < inner.end; ++i)
      if (inner.bounds[i] > floorOf[i])
        // Above the candidate, because it cannot be below it.
        require(why, i,
                std::clamp<int64_t>(offset - getBelow(candidate, i) + 1, 0,
                                    floorOf[i]));
      else if (inner.bounds[i] >= 0)
        require(why, i, inner.bounds[i]);
  }
  return Outcome::Failed;
}

/// Adds the bounds from which it follows that every item of `section` begins at
/// `level` or above, if none begins at `lowest`, the floor of the section.
void Search::requireUnused(Explanation &why, int section, int64_t lowest,
                           int64_t level) {
  for (int item : model.members[section]) {
    if (isPlaced[item])
      continue;
    if (floorOf[item] > lowest) {
      require(why, item, std::min(level, floorOf[item]));
      continue;
    }
    // It rests on an item outside of the section.
    for (const SearchModel::Neighbor &neighbor : model.neighbors[item])
      if (!isPlaced[neighbor.item] && !isLiveIn(neighbor.item, section))
        require(why, neighbor.item,
                std::clamp<int64_t>(level - model.getBelow(neighbor), 0,
                                    floorOf[neighbor.item]));
  }
}

/// Returns the lowest offset at which an item of `section` can begin, if none
/// begins at `lowest`, the floor of the section.
int64_t Search::getNextFloor(int section, int64_t lowest) {
  int64_t level = kMaxBytes;
  for (int item : model.members[section]) {
    if (isPlaced[item])
      continue;
    if (floorOf[item] > lowest) {
      level = std::min(level, floorOf[item]);
      continue;
    }
    // It rests on an item outside of the section or on an obstacle.
    steps += model.neighbors[item].size();
    for (const SearchModel::Neighbor &neighbor : model.neighbors[item])
      if (!isPlaced[neighbor.item] && !isLiveIn(neighbor.item, section)) {
        int64_t top = floorOf[neighbor.item] + model.getBelow(neighbor);
        if (top < level)
          level = std::min(level, model.fit(item, std::max(top, lowest + 1)));
      }
    for (auto [begin, end] : model.forbidden[item])
      if (end > lowest)
        level = std::min(level, model.fit(item, end));
  }
  return level;
}

/// Returns an item that begins at the floor of the section and fits below
/// `level` without touching anything else, or -1.
int Search::findDominating(const Choice &choice, int64_t level, int depth) {
  int64_t lowest = floor[choice.section];
  for (int item : levels[depth].candidates) {
    if (!isLiveIn(item, choice.section) ||
        model.items[item].rounded > level - lowest)
      continue;
    steps += model.neighbors[item].size();
    if (llvm::all_of(model.neighbors[item],
                     [&](const SearchModel::Neighbor &neighbor) {
                       return isPlaced[neighbor.item] ||
                              isLiveIn(neighbor.item, choice.section) ||
                              floorOf[neighbor.item] >=
                                  lowest + model.getAbove(item, neighbor);
                     }))
      return item;
  }
  return -1;
}

/// Leaves bytes at the floor of the chosen section unused.
Search::Outcome Search::tryUnused(const Choice &choice, int begin, int end,
                                  int depth) {
  const int section = choice.section;
  const int64_t lowest = floor[section];
  Explanation &why = levels[depth].why;
  const std::pair<int, int> range(why.begin, why.end);
  const int64_t level = getNextFloor(section, lowest);

  int64_t obstacles = model.getObstacles(section, level);
  if (level + bytes[section] + obstacles > sectionCapacity) {
    requireUnused(why, section, lowest,
                  obstacles ? level : sectionCapacity - bytes[section] + 1);
    return Outcome::Failed;
  }
  if (int item = findDominating(choice, level, depth); item >= 0) {
    requireUnused(why, section, lowest, lowest + model.items[item].rounded);
    for (const SearchModel::Neighbor &neighbor : model.neighbors[item])
      if (!isPlaced[neighbor.item] && !isLiveIn(neighbor.item, section))
        require(why, neighbor.item, lowest + model.getAbove(item, neighbor));
    return Outcome::Failed;
  }

  const size_t mark = trail.size();
  bool fits = true;
  for (int item : model.members[section])
    if (fits && !isPlaced[item] && floorOf[item] < level)
      fits = raise(item, level);
  if (fits) {
    fits = settle();
  } else {
    for (int s : touched)
      isTouched[s] = false;
    touched.clear();
  }
  if (!fits)
    explainFailure(depth + 1, range);
  else if (solve(begin, end, depth + 1))
    return Outcome::Solved;
  undo(mark);
  if (isAborted)
    return Outcome::Aborted;

  const Explanation &inner = levels[depth + 1].why;
  int64_t needed = -1;
  for (int i = inner.begin; i < inner.end; ++i)
    if (inner.bounds[i] > floorOf[i])
      needed = std::max(needed, inner.bounds[i]);
  if (needed < 0) {
    adopt(depth);
    return Outcome::Explained;
  }
  requireUnused(why, section, lowest, std::min(needed, level));
  for (int i = inner.begin; i < inner.end; ++i)
    if (inner.bounds[i] >= 0 && inner.bounds[i] <= floorOf[i])
      require(why, i, inner.bounds[i]);
  return Outcome::Failed;
}

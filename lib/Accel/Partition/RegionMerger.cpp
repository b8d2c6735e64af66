//===- RegionMerger.cpp - Formation of regions ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A region becomes one call, so it must be convex: no path between its
// operations may leave it. Checking each pair is quadratic; levels check all
// pairs at once. The level of a node is the maximum number of times that a path
// to it leaves the target. Levels never decrease along a path, and a path that
// leaves the target and returns ends on a higher level. Connected operations of
// the target on the same level can therefore be merged, all groups
// simultaneously, and so can those that read one tensor. Levels counted from
// the end of the graph have the same property. The merger uses both for each
// target in turn, contracting merged regions, which is linear. A final search
// over the remaining pairs, few in practice, has a budget.
//
//===----------------------------------------------------------------------===//

#include "RegionMerger.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace uma::accel;

RegionMerger::RegionMerger(ArrayRef<SmallVector<unsigned, 2>> successors,
                           ArrayRef<unsigned> targets)
    : successors(successors), targets(targets), nodeOf(targets.size()) {
  std::iota(nodeOf.begin(), nodeOf.end(), 0u);
}

void RegionMerger::merge(unsigned target) {
  mergeLevels(target, /*fromEnd=*/false, /*mergesUsers=*/false);
  mergeLevels(target, /*fromEnd=*/true, /*mergesUsers=*/false);
  mergeRest(target);
}

void RegionMerger::mergeUsers(unsigned target) {
  mergeLevels(target, /*fromEnd=*/false, /*mergesUsers=*/true);
  mergeLevels(target, /*fromEnd=*/true, /*mergesUsers=*/true);
}

std::vector<unsigned>
RegionMerger::getPositions(const RegionGraph &regions) const {
  std::vector<unsigned> positions(nodeOf.size(), 0);
  for (auto [position, node] : llvm::enumerate(regions.order))
    positions[node] = position;
  return positions;
}

void RegionMerger::mergeLevels(unsigned target, bool fromEnd,
                               bool mergesUsers) {
  RegionGraph regions(successors, nodeOf);
  auto isTarget = [&](unsigned node) { return targets[node] == target; };
  std::vector<unsigned> levels(nodeOf.size(), 0);
  auto pass = [&](unsigned from, unsigned to) {
    levels[to] =
        std::max(levels[to], levels[from] + (isTarget(from) && !isTarget(to)));
  };
  if (fromEnd) {
    for (unsigned node : llvm::reverse(regions.order))
      for (unsigned successor : regions.successors[node])
        pass(successor, node);
  } else {
    for (unsigned node : regions.order)
      for (unsigned successor : regions.successors[node])
        pass(node, successor);
  }

  llvm::IntEqClasses classes(nodeOf.size());
  for (unsigned node : regions.order) {
    llvm::SmallDenseMap<unsigned, unsigned> ofLevel;
    if (isTarget(node))
      ofLevel[levels[node]] = node;
    for (unsigned successor : regions.successors[node]) {
      if (!isTarget(successor))
        continue;
      auto known = ofLevel.find(levels[successor]);
      if (known != ofLevel.end())
        classes.join(known->second, successor);
      else if (mergesUsers)
        ofLevel[levels[successor]] = successor;
    }
  }
  for (unsigned &node : nodeOf)
    node = classes.findLeader(node);
}

bool RegionMerger::hasDetour(const RegionGraph &regions,
                             ArrayRef<unsigned> positions, unsigned from,
                             unsigned to, size_t &budget) const {
  SmallVector<unsigned> pending = {from};
  llvm::DenseSet<unsigned> seen;
  while (!pending.empty()) {
    unsigned node = pending.pop_back_val();
    for (unsigned successor : regions.successors[node]) {
      if (budget == 0)
        return true;
      --budget;
      if (successor == to && node != from)
        return true;
      if (positions[successor] < positions[to] && seen.insert(successor).second)
        pending.push_back(successor);
    }
  }
  return false;
}

void RegionMerger::mergeRest(unsigned target) {
  // Sufficient for all pairs in common networks, linear for others.
  size_t budget = 300000 + 10 * nodeOf.size();
  bool changed = true;
  while (changed && budget > 0) {
    changed = false;
    RegionGraph regions(successors, nodeOf);
    std::vector<unsigned> positions = getPositions(regions);
    for (unsigned node : regions.order) {
      if (targets[node] != target)
        continue;
      for (unsigned successor : regions.successors[node]) {
        if (targets[successor] != target ||
            hasDetour(regions, positions, node, successor, budget))
          continue;
        for (unsigned &other : nodeOf)
          if (other == successor)
            other = node;
        changed = true;
        break;
      }
      if (changed)
        break;
    }
    // Each merge rebuilds the graph of regions.
    budget -= std::min(budget, 2 * nodeOf.size());
  }
}

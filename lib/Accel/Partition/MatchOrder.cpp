//===- MatchOrder.cpp - Cycle detection for matches -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MatchOrder.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Callback that returns the operations of the match that takes an operation,
/// or an empty list if there is none.
using GetGroupFn = llvm::function_ref<ArrayRef<Operation *>(Operation *)>;

/// Searches for a path from the match through other operations back to it, and
/// returns an operation on it, or null. Operations after `last` are not on such
/// a path.
static Operation *findWayBack(const Match &match, Operation *last,
                              GetGroupFn getGroup) {
  // Bound the search, so that the total time is linear in the graph. Beyond the
  // limit, assume that there is a path.
  constexpr unsigned maxVisited = 4096;
  llvm::SmallPtrSet<Operation *, 8> inside(match.ops.begin(), match.ops.end());
  llvm::SmallPtrSet<Operation *, 16> visited;
  SmallVector<Operation *> pending(match.ops);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    for (Operation *user : op->getUsers()) {
      if (inside.contains(user)) {
        if (inside.contains(op))
          continue;
        return op;
      }
      if (user->getBlock() != last->getBlock() || last->isBeforeInBlock(user) ||
          !visited.insert(user).second)
        continue;
      pending.push_back(user);
      for (Operation *other : getGroup(user))
        if (visited.insert(other).second)
          pending.push_back(other);
      if (visited.size() > maxVisited)
        return user;
    }
  }
  return nullptr;
}

Operation *uma::accel::findWayBack(const Match &match) {
  Operation *last = match.ops.front();
  for (Operation *op : match.ops)
    if (last->isBeforeInBlock(op))
      last = op;
  return ::findWayBack(match, last,
                       [](Operation *) { return ArrayRef<Operation *>(); });
}

unsigned MatchOrder::getPosition(Operation *op) {
  if (auto it = positions.find(op); it != positions.end())
    return it->second;
  for (Operation &other : *op->getBlock()) {
    positions[&other] = byPosition.size();
    byPosition.push_back(&other);
  }
  return positions.lookup(op);
}

bool MatchOrder::canAdd(const Match &match) {
  if (match.results.size() < 2 || groups.empty())
    return true;
  unsigned last = 0;
  for (Operation *op : match.ops)
    last = std::max(last, getPosition(op));
  // A path may pass through a match that extends beyond `last`.
  if (auto it = spans.upper_bound(last); it != spans.begin())
    last = std::max(last, std::prev(it)->second);
  return !::findWayBack(match, byPosition[last],
                        [&](Operation *op) -> ArrayRef<Operation *> {
                          auto it = groupOf.find(op);
                          if (it == groupOf.end())
                            return {};
                          return groups[it->second];
                        });
}

void MatchOrder::add(const Match &match) {
  if (match.results.size() < 2)
    return;
  unsigned first = ~0U, last = 0;
  for (Operation *op : match.ops) {
    first = std::min(first, getPosition(op));
    last = std::max(last, getPosition(op));
    groupOf[op] = groups.size();
  }
  groups.emplace_back(match.ops);
  // Merge overlapping spans.
  auto it = spans.upper_bound(last);
  while (it != spans.begin() && std::prev(it)->second >= first) {
    --it;
    first = std::min(first, it->first);
    last = std::max(last, it->second);
    it = spans.erase(it);
  }
  spans[first] = last;
}

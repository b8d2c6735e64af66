//===- HillClimb.cpp - Hill climbing for memory plans----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HillClimb.h"

#include "Random.h"

#include "llvm/ADT/STLExtras.h"

using namespace uma::memory;

std::optional<Offsets> uma::memory::climbHill(const Problem &problem,
                                              const Greedy &greedy,
                                              int64_t bound) {
  constexpr int64_t kAttempts = 500;
  // Large problems get fewer attempts, so that the time stays bounded.
  constexpr int64_t kMaxPairs = 100000000;
  const int64_t attempts =
      std::clamp<int64_t>(kMaxPairs / (greedy.getNumPairs() + 1), 1, kAttempts);

  std::vector<size_t> order = greedy.getOrder(Order::Size);
  std::optional<Offsets> best = greedy.place(order, Fit::First);
  if (!best || order.empty())
    return best;
  int64_t bestSize = getPlanSize(problem, *best), size = bestSize;
  Offsets offsets = *best;
  uint64_t state = 1;
  auto next = [&](uint64_t below) { return mix(++state) % below; };

  // Units and buffers are the same, because nothing is glued.
  std::vector<size_t> position(problem.buffers.size());
  for (int64_t attempt = 0; attempt < attempts && bestSize > bound; ++attempt) {
    for (auto [i, buffer] : llvm::enumerate(order))
      position[buffer] = i;
    // Buffers that reach the top, and those live with them that came before.
    std::vector<size_t> tops;
    for (auto [i, buffer] : llvm::enumerate(problem.buffers))
      if (!buffer.isEmpty() && offsets[i] + buffer.size == size)
        tops.push_back(i);
    size_t top = tops[next(tops.size())];
    std::vector<size_t> others;
    greedy.getIndex().forEachLiveWith(top, [&](size_t other) {
      if (position[other] < position[top])
        others.push_back(other);
    });
    size_t other = others.empty() ? order[next(order.size())]
                                  : others[next(others.size())];
    std::swap(order[position[top]], order[position[other]]);
    std::optional<Offsets> changed = greedy.place(order, Fit::First);
    int64_t changedSize = changed ? getPlanSize(problem, *changed) : kMaxBytes;
    // A worse order is kept in at most a quarter of the attempts.
    bool isKept =
        changedSize <= size || int64_t(next(4 * attempts)) < attempts - attempt;
    if (!changed || !isKept) {
      std::swap(order[position[top]], order[position[other]]);
      continue;
    }
    size = changedSize;
    offsets = *changed;
    if (size < bestSize) {
      bestSize = size;
      best = offsets;
    }
  }
  return best;
}

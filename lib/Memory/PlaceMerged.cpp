//===- PlaceMerged.cpp - Plan of very many buffers-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PlaceMerged.h"

#include "Grow.h"
#include "MergePairs.h"
#include "SearchModel.h"
#include "uma/Memory/Planner.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace uma::memory;

std::optional<Offsets> uma::memory::placeMerged(const Problem &problem,
                                                int64_t bound, int64_t goal) {
  // Waste in thousandths of the bound.
  constexpr int64_t kWastes[] = {0, 2, 5, 10, 20, 30, 40};
  // If so many are left, the buffers do not fit each other.
  constexpr size_t kLeastMerged = 10;
  // More rarely reach the goal.
  constexpr size_t kMostForGoal = 300;
  // Millions of steps of a search.
  constexpr uint64_t kSteps = 30;

  int64_t unit = 0, grid = 0;
  for (const Buffer &buffer : problem.buffers)
    if (!buffer.isEmpty()) {
      unit = std::gcd(unit, buffer.alignment);
      grid = std::gcd(grid, buffer.size);
    }
  if (unit == 0 || bound > kMaxBytes / 2 - unit)
    return std::nullopt;
  const int64_t rounded = int64_t(llvm::divideCeil(bound, unit)) * unit;
  PairMerger merger(growBuffers(problem, rounded), /*seed=*/0);
  std::optional<Offsets> best;
  int64_t bestSize = kMaxBytes;
  // Plans what is left; returns whether the plan is at most `capacity`.
  auto place = [&](std::optional<int64_t> capacity, uint64_t maxSteps) {
    Merged merged = merger.getMerged();
    PlanOptions options;
    options.capacity = capacity;
    options.maxSteps = maxSteps;
    llvm::Expected<Plan> core = plan(merged.problem, options);
    if (!core) {
      llvm::consumeError(core.takeError());
      return false;
    }
    Offsets offsets = merged.expand(core->offsets);
    int64_t size = getPlanSize(problem, offsets);
    if (size < bestSize) {
      bestSize = size;
      best = std::move(offsets);
    }
    return capacity && bestSize <= *capacity;
  };
  for (int64_t waste : kWastes) {
    int64_t limit = rounded + rounded / 1000 * waste;
    if (waste > 0 && limit >= goal)
      break;
    // Sizes differ by more than may be wasted.
    if (waste > 0 && limit - rounded < grid)
      continue;
    // Waste repairs more than another order if very many are left.
    if (waste == 0 || merger.getNumBuffers() <= 4 * kMaxSearchItems)
      merger.runRepeatedly(limit);
    else
      merger.run(limit);
    if (merger.getNumBuffers() > problem.buffers.size() / kLeastMerged)
      return best;
    if (merger.getNumBuffers() > kMaxSearchItems)
      continue;
    if (waste == 0 && place(bound, kSteps))
      return best;
    if (merger.getNumBuffers() <= kMostForGoal && place(goal, kSteps))
      return best;
  }
  // The goal may be out of reach for what was merged.
  if (merger.getNumBuffers() <= kMaxSearchItems)
    place(std::nullopt, 2 * kSteps);
  return best;
}

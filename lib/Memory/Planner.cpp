//===- Planner.cpp - Memory planners---------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/Planner.h"

#include "Exact.h"
#include "Greedy.h"
#include "HillClimb.h"
#include "Merge.h"
#include "PlaceMerged.h"
#include "SearchModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace uma::memory;

/// In the order of Algorithm.
static constexpr llvm::StringRef kNames[] = {
    "exact", "greedy-by-size", "greedy-by-conflict", "hill-climb", "best-fit"};

llvm::ArrayRef<llvm::StringRef> uma::memory::getAlgorithmNames() {
  return kNames;
}

llvm::StringRef uma::memory::getName(Algorithm algorithm) {
  return kNames[static_cast<size_t>(algorithm)];
}

std::optional<Algorithm> uma::memory::parseAlgorithm(llvm::StringRef name) {
  const auto *found = llvm::find(kNames, name);
  if (found == std::end(kNames))
    return std::nullopt;
  return static_cast<Algorithm>(found - std::begin(kNames));
}

/// Estimated seconds that the greedy planners of one problem may take together.
static constexpr double kMaxGreedySeconds = 2;
/// Estimated seconds of an order up to which they come before anything else.
static constexpr double kQuickSeconds = 0.03;
/// Buffers up to which they are all tried.
static constexpr size_t kMaxThoroughBuffers = 20000;
/// Estimated seconds that a single order may take.
static constexpr double kMaxSecondsPerOrder = 30;

namespace {
/// Keeps the smallest of several plans.
class Best {
public:
  explicit Best(const Problem &problem) : problem(problem) {}

  void add(std::optional<Offsets> candidate) {
    if (!candidate)
      return;
    int64_t candidateSize = getPlanSize(problem, *candidate);
    if (offsets && candidateSize >= size)
      return;
    size = candidateSize;
    offsets = std::move(candidate);
  }

  std::optional<Offsets> offsets;
  int64_t size = kMaxBytes;

private:
  const Problem &problem;
};
} // namespace

static bool isFree(const Problem &problem) {
  return llvm::none_of(problem.buffers, [](const Buffer &buffer) {
    return buffer.offset.has_value();
  });
}

/// Adds the plans of the greedy planner in several orders until one is as small
/// as `goal` or the next one would take too long.
static void placeInOrders(const Problem &problem, bool isGlued,
                          llvm::ArrayRef<Fit> fits, int64_t goal, Best &best) {
  Greedy greedy(problem, isGlued);
  double seconds = greedy.getCost() * 1e-9, total = 0;
  if (seconds > kMaxSecondsPerOrder && isFree(problem)) {
    best.add(placeInTime(problem));
    return;
  }
  for (Order order : {Order::Size, Order::Duration, Order::Area, Order::Start,
                      Order::Conflicts})
    for (Fit fit : fits) {
      total += seconds;
      if (best.offsets && (best.size <= goal || total > kMaxGreedySeconds))
        return;
      best.add(greedy.place(greedy.getOrder(order), fit));
    }
}

/// Returns the size of a plan that need not be improved.
static int64_t getGoal(const Problem &problem, const PlanOptions &options,
                       int64_t bound) {
  if (options.capacity)
    return std::max(bound, *options.capacity);
  // For very many buffers, a percent is not worth trying everything.
  if (problem.buffers.size() > kMaxThoroughBuffers)
    return bound + bound / 100;
  return bound;
}

/// Returns the size at which a merged plan of many buffers is good enough.
static int64_t getAim(const Problem &problem, int64_t bound) {
  return bound + bound / 1000 *
                     (problem.buffers.size() > kMaxThoroughBuffers ? 45 : 25);
}

static std::optional<Offsets> planGreedily(const Problem &problem,
                                           const PlanOptions &options,
                                           int64_t bound) {
  const int64_t goal = getGoal(problem, options, bound);
  auto place = [&](Order order) {
    Greedy greedy(problem, /*isGlued=*/false);
    return greedy.place(greedy.getOrder(order), Fit::First);
  };
  Best best(problem);
  // Of plans of equal size, those in which related buffers overlap are better:
  // they reuse data in the cache.
  auto placeAll = [&](llvm::ArrayRef<Fit> fits) {
    if (!problem.overlaps.empty())
      placeInOrders(problem, /*isGlued=*/true, fits, goal, best);
    placeInOrders(problem, /*isGlued=*/false, fits, goal, best);
  };
  switch (options.algorithm) {
  case Algorithm::GreedyBySize:
    return place(Order::Size);
  case Algorithm::GreedyByConflict:
    return place(Order::Conflicts);
  case Algorithm::HillClimb:
    return climbHill(problem, Greedy(problem, /*isGlued=*/false), goal);
  case Algorithm::BestFit:
    placeAll(Fit::Best);
    return best.offsets;
  case Algorithm::Exact:
    break;
  }
  // Many buffers that fit each other are beyond the greedy planners.
  if (problem.buffers.size() > kMaxSearchItems) {
    if (Greedy(problem, /*isGlued=*/false).getCost() * 1e-9 < kQuickSeconds)
      placeAll({Fit::Best, Fit::First});
    if (best.offsets && best.size <= goal)
      return best.offsets;
    const int64_t aim = options.capacity ? goal : getAim(problem, bound);
    best.add(placeMerged(problem, bound, aim));
    if (best.offsets && best.size <= aim)
      return best.offsets;
  }
  placeAll({Fit::Best, Fit::First});
  // Merged buffers leave the greedy planner fewer chances to go wrong.
  if ((!best.offsets || best.size > goal) && problem.buffers.size() > 200 &&
      problem.buffers.size() <= kMaxSearchItems)
    for (MergeStyle style :
         {MergeStyle{100, false, true, 100}, MergeStyle{0, true, true, 100}}) {
      Merged merged = mergeBuffers(problem, style, /*seed=*/0);
      if (merged.problem.buffers.size() == problem.buffers.size())
        break;
      Best mergedBest(merged.problem);
      placeInOrders(merged.problem, /*isGlued=*/false, Fit::Best, goal,
                    mergedBest);
      if (mergedBest.offsets)
        best.add(merged.expand(*mergedBest.offsets));
      if (best.size <= goal)
        break;
    }
  return best.offsets;
}

llvm::Expected<Plan> uma::memory::plan(const Problem &problem,
                                       const PlanOptions &options) {
  if (llvm::Error error = checkProblem(problem))
    return error;
  llvm::Expected<Peak> peak = getPeak(problem);
  if (!peak)
    return peak.takeError();
  // Fixed offsets that conflict have no plan at all.
  Problem fixed;
  std::vector<size_t> newIndex(problem.buffers.size(), 0);
  for (auto [i, buffer] : llvm::enumerate(problem.buffers))
    if (buffer.offset) {
      newIndex[i] = fixed.buffers.size();
      fixed.buffers.push_back(buffer);
    }
  if (!fixed.buffers.empty()) {
    for (const Overlap &overlap : problem.overlaps)
      if (problem.buffers[overlap.below].offset &&
          problem.buffers[overlap.above].offset)
        fixed.overlaps.push_back({newIndex[overlap.below],
                                  newIndex[overlap.above], overlap.separation});
    Offsets offsets;
    for (const Buffer &buffer : fixed.buffers)
      offsets.push_back(*buffer.offset);
    if (llvm::Error error = checkPlan(fixed, offsets))
      return llvm::joinErrors(llvm::createStringError("fixed offsets conflict"),
                              std::move(error));
  }

  std::optional<Offsets> offsets = planGreedily(problem, options, peak->bytes);
  if (!offsets)
    return llvm::createStringError("the arena needs more than 2^61 bytes");
  Plan plan;
  plan.offsets = std::move(*offsets);
  plan.peak = *peak;
  plan.bound = peak->bytes;
  plan.size = getPlanSize(problem, plan.offsets);
  if (options.algorithm == Algorithm::Exact &&
      plan.size > getGoal(problem, options, plan.bound))
    improveExactly(problem, options, plan);
  if (llvm::Error error = checkPlan(problem, plan.offsets))
    return llvm::joinErrors(
        llvm::createStringError("internal error: the plan is invalid"),
        std::move(error));
  return plan;
}

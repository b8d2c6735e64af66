//===- Exact.cpp - Exact memory planner------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Runs the search with several strategies and restarts, because the time that
// one run takes varies by orders of magnitude. Most runs work on a problem with
// merged buffers, which is much smaller; only the runs on the whole problem
// prove that nothing fits.
//
// The smallest capacity is found from the lower bound upwards. A proof that a
// capacity is too small also gives the next one to try.
//
// The limit counts steps, so that the result does not depend on the speed of
// the machine.
//
//===----------------------------------------------------------------------===//

#include "Exact.h"

#include "Grow.h"
#include "MergePairs.h"
#include "Search.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <chrono>

using namespace uma::memory;

/// Buffers below which the search is faster than merging pairs.
static constexpr size_t kLeastMergedBuffers = 20;

namespace {
/// One step of a restart schedule: the whole problem, or a smaller one with
/// merged buffers, is searched.
struct Attempt {
  enum Kind { Whole, Merged, MergedPairs } kind;
  MergeStyle style = {};
};

class ExactPlanner {
public:
  ExactPlanner(const Problem &problem, const PlanOptions &options, Plan &plan)
      : problem(problem), options(options), plan(plan), whole(problem) {}

  void run();

private:
  Answer decide(int64_t capacity, uint64_t maxSteps);
  Answer runAttempt(Search &search, const SearchModel &model,
                    const Merged *merged, unsigned number, uint64_t maxSteps);
  Merged mergePairs(int64_t capacity, unsigned seed) const;
  void take(const SearchModel &model, const Search &search,
            const Merged *merged);
  bool isOver() {
    if (options.maxSeconds > 0 && !plan.isTimedOut)
      plan.isTimedOut = std::chrono::duration<double>(
                            std::chrono::steady_clock::now() - start)
                            .count() > options.maxSeconds;
    return plan.isTimedOut || steps >= options.maxSteps * 1000000;
  }

  const Problem &problem;
  const PlanOptions &options;
  Plan &plan;
  const SearchModel whole;
  uint64_t steps = 0;
  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};
} // namespace

/// Takes the plan that a search found, if it is smaller.
void ExactPlanner::take(const SearchModel &model, const Search &search,
                        const Merged *merged) {
  const Problem &searched = merged ? merged->problem : problem;
  Offsets offsets;
  for (const Buffer &buffer : searched.buffers)
    offsets.push_back(buffer.offset.value_or(0));
  for (auto [item, offset] : llvm::zip_equal(model.items, search.getOffsets()))
    offsets[item.buffer] = offset;
  if (merged)
    offsets = merged->expand(offsets);
  int64_t size = getPlanSize(problem, offsets);
  if (size >= plan.size)
    return;
  plan.size = size;
  plan.offsets = std::move(offsets);
}

Answer ExactPlanner::runAttempt(Search &search, const SearchModel &model,
                                const Merged *merged, unsigned number,
                                uint64_t maxSteps) {
  using Pick = Strategy::Pick;
  using Prefer = Strategy::Prefer;
  static const std::pair<Pick, Prefer> strategies[] = {
      {Pick::FewestOptions, Prefer::Duration},
      {Pick::FewestOptions, Prefer::Area},
      {Pick::FewestOptions, Prefer::Size},
      {Pick::LeastSlack, Prefer::Duration},
      {Pick::FewestOptions, Prefer::Contention},
      {Pick::FewestOptions, Prefer::Duration},
      {Pick::LowestFloor, Prefer::Duration},
      {Pick::FewestOptions, Prefer::Area}};
  constexpr unsigned kRuns = 4;
  // Enough to get to the end twice without a failure.
  const uint64_t perRun =
      std::max(maxSteps / kRuns, std::min(maxSteps, 2 * model.getDiveSteps()));
  for (unsigned run = 0; run < kRuns; ++run) {
    unsigned index = number * kRuns + run;
    Strategy strategy;
    std::tie(strategy.pick, strategy.prefer) =
        strategies[index % std::size(strategies)];
    strategy.learns = index % 2 == 1;
    strategy.seed = index < std::size(strategies) ? 0 : index;
    uint64_t before = search.getNumSteps();
    Answer answer = search.run(strategy, perRun);
    steps += search.getNumSteps() - before;
    if (answer == Answer::Fits)
      take(model, search, merged);
    if (answer != Answer::Unknown)
      return answer;
  }
  return Answer::Unknown;
}

/// Merges buffers that fit each other within a capacity.
Merged ExactPlanner::mergePairs(int64_t capacity, unsigned seed) const {
  const int64_t unit = whole.unit;
  const int64_t limit = int64_t(llvm::divideCeil(capacity, unit)) * unit;
  PairMerger merger(growBuffers(problem, limit), 100 * seed);
  merger.runRepeatedly(limit);
  return merger.getMerged();
}

/// Searches for a plan of at most `capacity` bytes.
Answer ExactPlanner::decide(int64_t capacity, uint64_t maxSteps) {
  // Chances and rules of MergeStyle.
  static const Attempt schedule[] = {{Attempt::Merged, {100, false, true, 100}},
                                     {Attempt::MergedPairs},
                                     {Attempt::Merged, {0, true, true, 100}},
                                     {Attempt::Merged, {0, false, false, 100}},
                                     {Attempt::Whole},
                                     {Attempt::Merged, {50, false, false, 50}},
                                     {Attempt::Merged, {0, false, true, 70}},
                                     {Attempt::MergedPairs},
                                     {Attempt::Merged, {0, true, true, 80}},
                                     {Attempt::Merged, {90, false, true, 90}},
                                     {Attempt::Whole}};
  uint64_t end = std::min(steps + maxSteps, options.maxSteps * 1000000);
  uint64_t perAttempt = 2000000;
  Search search(whole, capacity);
  for (unsigned number = 0; steps < end && !isOver(); ++number) {
    unsigned index = number % std::size(schedule);
    uint64_t budget = std::min(perAttempt, end - steps);
    if (index + 1 == std::size(schedule))
      perAttempt += perAttempt / 2;
    // Models cost something, too.
    steps += problem.buffers.size();
    const auto &[kind, style] = schedule[index];
    if (kind == Attempt::Whole) {
      Answer answer = runAttempt(search, whole, nullptr, number, budget);
      if (answer == Answer::DoesNotFit)
        plan.bound = std::max(plan.bound,
                              std::min(plan.size, whole.getNextSize(capacity)));
      if (answer != Answer::Unknown)
        return answer;
      continue;
    }
    if (kind == Attempt::MergedPairs &&
        problem.buffers.size() < kLeastMergedBuffers)
      continue;
    Merged merged = kind == Attempt::MergedPairs
                        ? mergePairs(capacity, number)
                        : mergeBuffers(problem, style, number);
    steps +=
        problem.buffers.size() * (kind == Attempt::MergedPairs ? 1000 : 16);
    if (merged.problem.buffers.size() == problem.buffers.size())
      continue;
    SearchModel model(merged.problem);
    Search mergedSearch(model, capacity);
    if (runAttempt(mergedSearch, model, &merged, number, budget) ==
        Answer::Fits)
      return Answer::Fits;
  }
  return Answer::Unknown;
}

void ExactPlanner::run() {
  uint64_t budget = options.maxSteps * 1000000;
  if (options.capacity) {
    if (plan.bound <= *options.capacity && plan.size > *options.capacity)
      (void)decide(*options.capacity, budget);
    plan.isCutOff =
        plan.size > *options.capacity && plan.bound <= *options.capacity;
    return;
  }
  // From the bound upwards, as long as proofs succeed.
  while (!plan.isSmallest() && !isOver())
    if (decide(plan.bound, budget / 2) == Answer::Unknown)
      break;
  // Between the bound and the best plan; what cannot be decided counts as
  // infeasible, but proves nothing.
  int64_t lower = plan.bound;
  while (plan.size - lower > 1 && !plan.isSmallest() && !isOver()) {
    int64_t middle = lower + (plan.size - lower) / 2;
    if (decide(middle, budget / 16) != Answer::Fits)
      lower = std::max(middle, plan.bound);
  }
  plan.isCutOff = !plan.isSmallest();
}

void uma::memory::improveExactly(const Problem &problem,
                                 const PlanOptions &options, Plan &plan) {
  size_t count = llvm::count_if(
      problem.buffers, [](const Buffer &buffer) { return !buffer.isEmpty(); });
  if (count > kMaxSearchItems) {
    plan.isCutOff = true;
    return;
  }
  ExactPlanner(problem, options, plan).run();
}

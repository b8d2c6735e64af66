//===- Planner.h - Memory planners -*- C++ -*------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_MEMORY_PLANNER_H
#define UMA_MEMORY_PLANNER_H

#include "uma/Memory/Problem.h"

#include "llvm/ADT/StringRef.h"

namespace uma::memory {

/// How offsets are chosen.
enum class Algorithm {
  /// Branch and bound, after the greedy planners, until the plan is proven
  /// smallest or the limit is reached.
  Exact,
  /// Largest buffer first, each in the lowest gap (TVM's USMP).
  GreedyBySize,
  /// Buffer with the most conflicts first, each in the lowest gap (TVM's USMP).
  GreedyByConflict,
  /// Swaps in the order of the greedy planner (TVM's USMP, without its use of
  /// random numbers that differ from run to run).
  HillClimb,
  /// Smallest gap, in several orders of the buffers; the smallest plan.
  BestFit,
};

/// Names of algorithms in options: exact, greedy-by-size, greedy-by-conflict,
/// hill-climb, best-fit. Returns std::nullopt for any other name.
std::optional<Algorithm> parseAlgorithm(llvm::StringRef name);
llvm::StringRef getName(Algorithm algorithm);
llvm::ArrayRef<llvm::StringRef> getAlgorithmNames();

/// Limits of a planner.
struct PlanOptions {
  Algorithm algorithm = Algorithm::Exact;
  /// Stop at the first plan of at most this size. Otherwise search for the
  /// smallest plan.
  std::optional<int64_t> capacity = std::nullopt;
  /// Steps of the exact search, in millions. A million takes about 10 ms. The
  /// plan depends on this number but not on the speed of the machine.
  uint64_t maxSteps = 1000;
  /// Seconds after which the exact search stops; 0 for no limit. If it is
  /// reached, the plan depends on the speed of the machine.
  double maxSeconds = 0;
};

/// A valid plan and what is known about the problem.
struct Plan {
  Offsets offsets;
  /// Size of the arena in bytes.
  int64_t size = 0;
  /// Most live bytes: a lower bound.
  Peak peak;
  /// Largest proven lower bound. It is larger than the peak if the search
  /// proved that smaller sizes are infeasible.
  int64_t bound = 0;
  /// Whether the exact search ended at a limit, and whether at that of time.
  bool isCutOff = false;
  bool isTimedOut = false;

  bool isSmallest() const { return size == bound; }
  /// Returns the distance to the bound in percent of the bound.
  double getGap() const {
    return bound == 0 ? 0 : 100.0 * double(size - bound) / double(bound);
  }
};

/// Plans the offsets of a problem. The plan is checked by `checkPlan`. Returns
/// an error if the problem is invalid, if fixed offsets conflict, or if the
/// arena is larger than kMaxBytes. A plan may be larger than the capacity:
/// nothing fits if `bound` is, otherwise none was found.
llvm::Expected<Plan> plan(const Problem &problem,
                          const PlanOptions &options = {});

} // namespace uma::memory

#endif // UMA_MEMORY_PLANNER_H

//===- PlacementState.h - A placement up to an operator -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators are placed one after the other, in the order of the function. What
// later operators see of the decisions so far is a state: where the tensors are
// that they use. Two ways to the same state differ in cost only, so that the
// cheaper one is enough to know.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_PLACEMENTSTATE_H
#define UMA_LIB_ACCEL_PARTITION_PLACEMENTSTATE_H

#include "uma/Accel/Partition/Placement.h"

namespace uma::accel {

struct PlacementState {
  /// No group, or no candidate: the CPU.
  static constexpr unsigned kNone = ~0u;

  /// A tensor that later operators use.
  struct Live {
    unsigned tensor;
    unsigned device;
    /// The group that computed it.
    unsigned group;
    /// The devices that have got it, a bit each.
    uint64_t destinations;
  };
  /// An operator that a chosen candidate takes and that has not been reached.
  struct Pending {
    unsigned op, candidate, group;
  };
  /// Matches of a device that feed one another: a region, but for those that
  /// would leave a cycle.
  struct Group {
    /// The CPU for a slot that is free.
    unsigned device;
    int64_t size;
    /// How many live tensors and pending operators it has.
    unsigned references;
  };

  int64_t cycles = 0;
  unsigned numForbidden = 0;
  /// The last decision, an index that whoever steps gives a meaning.
  int decision = -1;
  /// Ascending by tensor, so that equal states look equal.
  llvm::SmallVector<Live, 8> live;
  llvm::SmallVector<Pending, 2> pending;
  llvm::SmallVector<Group, 4> groups;

  bool isCheaperThan(const PlacementState &other) const {
    return std::pair(numForbidden, cycles) <
           std::pair(other.numForbidden, other.cycles);
  }
  /// A number that is equal for states that later operators cannot tell apart.
  uint64_t getKey() const;
};

/// Takes states from one operator to the next.
class PlacementStepper {
public:
  explicit PlacementStepper(const PlacementProblem &problem);

  /// The operators whose placement or whose operands' placement matters,
  /// ascending. All others are on the CPU, at the cost of the first state.
  llvm::ArrayRef<unsigned> getOperators() const { return operators; }
  PlacementState getFirst() const;

  /// The candidate that `op` was promised to; kNone when it is free.
  unsigned getPromised(const PlacementState &state, unsigned op) const;
  /// Whether `candidate` can be chosen when its first operator is reached.
  bool canStart(const PlacementState &state, unsigned candidate) const;
  /// Places `op`: as promised, else by the candidate that starts with it, else
  /// (kNone) on the CPU.
  void place(PlacementState &state, unsigned op, unsigned candidate) const;

  /// What the rest costs at least, from `op` on.
  int64_t getLeastRest(unsigned op) const { return leastRest[op]; }
  /// What regions that may still grow together are counted too much in a state.
  int64_t getOpenOverhead(const PlacementState &state) const;

private:
  bool tracksGroups(unsigned device) const {
    const PlacementProblem::Device &d = problem.devices[device];
    return d.mergesRegions && (d.overhead > 0 || d.minOperators > 1);
  }
  void use(PlacementState &state, PlacementState::Live &live, unsigned device,
           unsigned &group) const;
  void define(PlacementState &state, unsigned tensor, unsigned candidate,
              unsigned device, unsigned group) const;
  void release(PlacementState &state, unsigned group) const;

  const PlacementProblem &problem;
  std::vector<unsigned> operators;
  int64_t firstCycles = 0;
  std::vector<int64_t> leastRest;
  std::vector<bool> isTracked;
  /// The tensors that nothing after an operator uses.
  std::vector<llvm::SmallVector<unsigned, 2>> lastUses;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_PLACEMENTSTATE_H

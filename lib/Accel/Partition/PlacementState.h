//===- PlacementState.h - A placement up to an operator -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators are placed one after the other, in the order of the function. The
// state is what later operators depend on: the location of the tensors that
// they use. Of two partial placements with the same state only the cheaper one
// is kept.
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
    /// Group that computed it.
    unsigned group;
    /// Devices that have received it, as a bit mask.
    uint64_t destinations;
  };
  /// An operator that a chosen candidate takes, not reached yet.
  struct Pending {
    unsigned op, candidate, group;
  };
  /// Connected matches of a device: a region, except for those that would form
  /// a cycle.
  struct Group {
    /// Device, or the CPU for a free slot.
    unsigned device;
    int64_t size;
    /// Number of its live tensors and pending operators.
    unsigned references;
  };

  int64_t cycles = 0;
  unsigned numForbidden = 0;
  /// Last decision, an index that the caller defines.
  int decision = -1;
  /// Live tensors, ascending, so that equal states compare equal.
  llvm::SmallVector<Live, 8> live;
  llvm::SmallVector<Pending, 2> pending;
  llvm::SmallVector<Group, 4> groups;

  bool isCheaperThan(const PlacementState &other) const {
    return std::pair(numForbidden, cycles) <
           std::pair(other.numForbidden, other.cycles);
  }
  /// Returns an equal key for states that later operators cannot tell apart.
  uint64_t getKey() const;
};

/// Advances states from one operator to the next.
class PlacementStepper {
public:
  explicit PlacementStepper(const PlacementProblem &problem);

  /// Returns the operators whose own or whose operands' placement matters,
  /// ascending. All others are on the CPU, at the cost of the first state.
  llvm::ArrayRef<unsigned> getOperators() const { return operators; }
  PlacementState getFirst() const;

  /// Returns the candidate that `op` is reserved for, or kNone if it is free.
  unsigned getPromised(const PlacementState &state, unsigned op) const;
  /// Returns whether `candidate` can be chosen when its first operator is
  /// reached.
  bool canStart(const PlacementState &state, unsigned candidate) const;
  /// Places `op`: by its reservation, otherwise by the candidate that starts
  /// with it, or (kNone) on the CPU.
  void place(PlacementState &state, unsigned op, unsigned candidate) const;

  /// Returns a lower bound on the remaining cost from `op` on.
  int64_t getLeastRest(unsigned op) const { return leastRest[op]; }
  /// Returns the overhead in a state that later merges of its regions may save.
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
  /// Tensors whose last use is an operator.
  std::vector<llvm::SmallVector<unsigned, 2>> lastUses;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_PLACEMENTSTATE_H

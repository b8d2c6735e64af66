//===- PlacementState.h - States of the placement search -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// States of the dynamic programming over operators in the order of the
// function. A state holds everything that the cost of later operators depends
// on, mainly the locations of live tensors. If two partial placements have the
// same state, only the cheaper one is kept.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_PLACEMENTSTATE_H
#define UMA_LIB_ACCEL_PARTITION_PLACEMENTSTATE_H

#include "uma/Accel/Partition/Placement.h"

namespace uma::accel {

struct PlacementState {
  /// No group or no candidate: the operator stays on the CPU.
  static constexpr unsigned kNone = ~0u;

  /// A live tensor: later operators use it.
  struct Live {
    unsigned tensor;
    unsigned device;
    /// Group that computed it.
    unsigned group;
    /// Devices that have received it, as a bit mask.
    uint64_t destinations;
  };
  /// An operator of a chosen candidate that was not reached yet.
  struct Pending {
    unsigned op, candidate, group;
  };
  /// Connected matches of a device: one region, unless it would form a cycle.
  struct Group {
    /// Device, or the CPU for a free slot.
    unsigned device;
    int64_t size;
    /// Number of its live tensors and pending operators.
    unsigned references;
  };

  int64_t cycles = 0;
  unsigned numForbidden = 0;
  /// Index of the last decision; the caller defines its meaning.
  int decision = -1;
  /// Live tensors, ascending, so that equal states compare equal.
  llvm::SmallVector<Live, 8> live;
  llvm::SmallVector<Pending, 2> pending;
  llvm::SmallVector<Group, 4> groups;

  bool isCheaperThan(const PlacementState &other) const {
    return std::pair(numForbidden, cycles) <
           std::pair(other.numForbidden, other.cycles);
  }
  /// Returns a hash key. States that are equivalent for later operators have
  /// equal keys.
  uint64_t getKey() const;
};

/// Transition function of states from one operator to the next.
class PlacementStepper {
public:
  explicit PlacementStepper(const PlacementProblem &problem);

  /// Returns the operators to place, ascending: those with candidates and those
  /// that share a tensor with them. All others stay on the CPU; the first state
  /// includes their cost.
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

  /// Returns a lower bound on the cost of `op` and all later operators.
  int64_t getLeastRest(unsigned op) const { return leastRest[op]; }
  /// Returns the part of a state's overhead that later merges of regions may
  /// save.
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
  /// Tensors by the operator of their last use.
  std::vector<llvm::SmallVector<unsigned, 2>> lastUses;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_PLACEMENTSTATE_H

//===- Placement.h - Placement of operators by cost -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A problem (what could run where, and what that costs), the one function that
// tells the cost of a solution, and the search for the cheapest. See
// docs/placement.md.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_PLACEMENT_H
#define UMA_ACCEL_PARTITION_PLACEMENT_H

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Accel/Partition/Policy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace uma::accel {

/// A function, what the accelerators could take of it, and what everything
/// costs. Operators, tensors, devices and candidates are numbered.
struct PlacementProblem {
  /// The device that takes every operator.
  static constexpr unsigned kCPU = 0;
  /// The candidate that takes an operator of the CPU.
  static constexpr unsigned kNobody = ~0u;
  /// No single cost is counted as more than this, so that sums do not overflow.
  static constexpr int64_t kMaxCycles = int64_t(1) << 45;

  struct Device {
    /// Null for the CPU.
    AcceleratorOp accelerator;
    /// Cycles of each region, and the fewest operators that one may have.
    int64_t overhead = 0;
    int64_t minOperators = 1;
    /// Whether matches that feed one another may share a region.
    bool mergesRegions = true;
    /// Cycles to move a tensor to or from the device, for each size in bytes
    /// that the function has.
    llvm::DenseMap<int64_t, int64_t> transferCycles;

    int64_t getTransferCycles(int64_t bytes) const {
      return transferCycles.lookup(bytes);
    }
  };

  /// A value that devices may have to move: all but constants.
  struct Tensor {
    mlir::Value value;
    int64_t bytes = 0;
    /// The operator that makes it; -1 for what comes from outside.
    int producer = -1;
    /// The operators that use it, ascending, each once.
    llvm::SmallVector<unsigned, 2> users;
    /// Whether something that no device can take uses it: the return.
    bool isNeededOnCPU = false;
  };

  /// An operation of the function but terminators, constants among them.
  struct Operator {
    mlir::Operation *op = nullptr;
    /// Cycles on the CPU.
    int64_t cycles = 0;
    llvm::SmallVector<unsigned, 2> operands, results;
    /// The candidates that would take it.
    llvm::SmallVector<unsigned, 2> candidates;
    /// The operators that must follow it, ascending.
    llvm::SmallVector<unsigned, 2> successors;
  };

  /// A match that may be chosen.
  struct Candidate {
    Match match;
    unsigned device = kCPU;
    int64_t cycles = 0;
    /// What it takes, ascending.
    llvm::SmallVector<unsigned, 4> operators;
  };

  /// Collects all matches of all patterns and evaluates their costs. Fails with
  /// an error at a statement of a description that has no value here.
  static mlir::FailureOr<PlacementProblem>
  create(mlir::func::FuncOp function,
         llvm::ArrayRef<AcceleratorOp> accelerators,
         const PlacementOptions &options);

  /// The candidates that the greedy policy chooses.
  std::vector<unsigned> chooseGreedily() const;

  std::vector<Device> devices;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  /// In the order of priority.
  std::vector<Candidate> candidates;
};

/// What a placement costs, in cycles by estimate.
struct PlacementCost {
  int64_t cpu = 0, devices = 0, transfers = 0, regions = 0;
  unsigned numTransfers = 0, numRegions = 0;
  /// Regions that are smaller than their device allows. A placement with fewer
  /// of them is cheaper, whatever the cycles.
  unsigned numForbidden = 0;

  PlacementCost &operator+=(const PlacementCost &other) {
    cpu += other.cpu;
    devices += other.devices;
    transfers += other.transfers;
    regions += other.regions;
    numTransfers += other.numTransfers;
    numRegions += other.numRegions;
    numForbidden += other.numForbidden;
    return *this;
  }
  int64_t getTotal() const { return cpu + devices + transfers + regions; }
  bool operator<(const PlacementCost &other) const {
    return std::pair(numForbidden, getTotal()) <
           std::pair(other.numForbidden, other.getTotal());
  }
};

/// The cost of the placement that takes the candidates `chosen`, which share no
/// operator, and leaves the rest on the CPU: the sum of
/// - the cycles of each operator on the CPU and of each candidate;
/// - transfers: data goes through main memory. A tensor that a device computes
///   and that anything else needs is moved from it once, and to each device but
///   its own that uses it once. Constants move with the code;
/// - the overhead of each region that `uma-accel-merge-compiler-regions` makes.
///
/// Where it is seen early that the cost is no less than `limit`, regions, which
/// take long, are not counted: the result is no less than `limit`, and of no
/// other use.
PlacementCost computeCost(const PlacementProblem &problem,
                          llvm::ArrayRef<unsigned> chosen,
                          const PlacementCost *limit = nullptr);

/// A solution.
struct Placement {
  /// The candidates that are taken, ascending.
  std::vector<unsigned> chosen;
  PlacementCost cost;
  /// What the greedy policy's placement would cost; never less than `cost`.
  PlacementCost greedyCost;
  /// Whether no placement is cheaper for sure.
  bool isOptimal = false;
};

/// Finds the cheapest placement: for sure where no more than
/// `kMaxExactOperators` operators have a choice, else by a search that is
/// linear in the size of the function. Of equal ones greedy's is taken.
inline constexpr unsigned kMaxExactOperators = 14;
Placement findPlacement(const PlacementProblem &problem);

/// Why `candidate`, which takes `op`, is not part of `placement`: what it would
/// cost, against what there is.
std::string explainNotChosen(const PlacementProblem &problem,
                             const Placement &placement, unsigned candidate,
                             unsigned op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_PLACEMENT_H

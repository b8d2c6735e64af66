//===- Placement.h - Placement of operators by cost -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The placement problem (what could run where, at which costs), the cost
// function of solutions, and the search for the cheapest. See
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

/// A function, the matches that accelerators could take of it, and all costs.
/// Operators, tensors, devices and candidates are numbered.
struct PlacementProblem {
  /// Device that takes every operator.
  static constexpr unsigned kCPU = 0;
  /// Candidate that takes an operator of the CPU.
  static constexpr unsigned kNobody = ~0u;
  /// Upper bound on each single cost, so that sums do not overflow.
  static constexpr int64_t kMaxCycles = int64_t(1) << 45;

  struct Device {
    /// Null for the CPU.
    AcceleratorOp accelerator;
    /// Cycles of each region, and the fewest operators that a region may have.
    int64_t overhead = 0;
    int64_t minOperators = 1;
    /// Whether adjacent matches may share a region.
    bool mergesRegions = true;
    /// Cycles to move a tensor to or from the device, for each size in bytes in
    /// the function.
    llvm::DenseMap<int64_t, int64_t> transferCycles;

    int64_t getTransferCycles(int64_t bytes) const {
      return transferCycles.lookup(bytes);
    }
  };

  /// A value that may have to be moved to or from a device: any but constants.
  struct Tensor {
    mlir::Value value;
    int64_t bytes = 0;
    /// Operator that produces it; -1 for values from outside.
    int producer = -1;
    /// Operators that use it, ascending, each once.
    llvm::SmallVector<unsigned, 2> users;
    /// Whether an operation that no device can take uses it: the return.
    bool isNeededOnCPU = false;
  };

  /// An operation of the function other than terminators; includes constants.
  struct Operator {
    mlir::Operation *op = nullptr;
    /// Cycles on the CPU.
    int64_t cycles = 0;
    llvm::SmallVector<unsigned, 2> operands, results;
    /// Candidates that would take it.
    llvm::SmallVector<unsigned, 2> candidates;
    /// Operators that must follow it, ascending.
    llvm::SmallVector<unsigned, 2> successors;
  };

  /// A match that may be chosen.
  struct Candidate {
    Match match;
    unsigned device = kCPU;
    int64_t cycles = 0;
    /// Operators that it takes, ascending.
    llvm::SmallVector<unsigned, 4> operators;
  };

  /// Collects all matches of all patterns and evaluates their costs. Emits an
  /// error and fails if a statement of a description has no value here.
  static mlir::FailureOr<PlacementProblem>
  create(mlir::func::FuncOp function,
         llvm::ArrayRef<AcceleratorOp> accelerators,
         const PlacementOptions &options);

  /// Returns the candidates that the greedy policy chooses.
  std::vector<unsigned> chooseGreedily() const;

  std::vector<Device> devices;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  /// Candidates in the order of priority.
  std::vector<Candidate> candidates;
};

/// Estimated cost of a placement, in cycles.
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

/// Computes the cost of the placement that takes the candidates `chosen`, which
/// share no operator, and leaves the rest on the CPU. It is the sum of
/// - the cycles of each operator on the CPU and of each candidate;
/// - transfers, all through main memory. A tensor computed on a device and
///   needed elsewhere is moved from it once, and to each other device that uses
///   it once. Constants are part of the code;
/// - the overhead of each region that `uma-accel-merge-compiler-regions` makes.
///
/// If the partial sum reaches `limit`, regions, which are expensive to count,
/// are left out: the result is then only a bound, no less than `limit`.
PlacementCost computeCost(const PlacementProblem &problem,
                          llvm::ArrayRef<unsigned> chosen,
                          const PlacementCost *limit = nullptr);

/// A solution of the placement problem.
struct Placement {
  /// Candidates that are taken, ascending.
  std::vector<unsigned> chosen;
  PlacementCost cost;
  /// Cost of the greedy policy's placement; never less than `cost`.
  PlacementCost greedyCost;
  /// Whether it is proven that no placement is cheaper.
  bool isOptimal = false;
};

/// Finds the cheapest placement: provably if at most `kMaxExactOperators`
/// operators have a choice, otherwise by a search that is linear in the size of
/// the function. Prefers the greedy placement among equals.
inline constexpr unsigned kMaxExactOperators = 14;
Placement findPlacement(const PlacementProblem &problem);

/// Returns why `candidate`, which takes `op`, is not part of `placement`: its
/// cost compared with the placement's.
std::string explainNotChosen(const PlacementProblem &problem,
                             const Placement &placement, unsigned candidate,
                             unsigned op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_PLACEMENT_H

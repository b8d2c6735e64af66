//===- Placement.h - Placement of operators by cost -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Placement problem (which operators could run on which device, at which cost),
// cost model of placements, and search for the cheapest placement. See
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

/// Placement problem of one function: its operators and tensors, the devices,
/// the candidate matches and all costs. Indices refer to the vectors below.
struct PlacementProblem {
  /// Index of the CPU, which can run every operator.
  static constexpr unsigned kCPU = 0;
  /// Candidate of operators that stay on the CPU.
  static constexpr unsigned kNobody = ~0u;
  /// Upper bound on each single cost, so that sums do not overflow.
  static constexpr int64_t kMaxCycles = int64_t(1) << 45;

  struct Device {
    /// Accelerator, or null for the CPU.
    AcceleratorOp accelerator;
    /// Cycles per region, and minimum number of operators in a region.
    int64_t overhead = 0;
    int64_t minOperators = 1;
    /// Whether adjacent matches may share a region.
    bool mergesRegions = true;
    /// Cycles to move a tensor to or from the device, by size in bytes. Has an
    /// entry for each tensor size in the function.
    llvm::DenseMap<int64_t, int64_t> transferCycles;

    int64_t getTransferCycles(int64_t bytes) const {
      return transferCycles.lookup(bytes);
    }
  };

  /// A value other than a constant, which may have to be moved to or from a
  /// device.
  struct Tensor {
    mlir::Value value;
    int64_t bytes = 0;
    /// Operator that produces it, or -1 for function arguments.
    int producer = -1;
    /// Operators that use it, ascending, without duplicates.
    llvm::SmallVector<unsigned, 2> users;
    /// Whether an operation that only the CPU runs, the return, uses it.
    bool isNeededOnCPU = false;
  };

  /// An operation of the function other than terminators; includes constants.
  struct Operator {
    mlir::Operation *op = nullptr;
    /// Cycles on the CPU.
    int64_t cycles = 0;
    llvm::SmallVector<unsigned, 2> operands, results;
    /// Candidates that contain it.
    llvm::SmallVector<unsigned, 2> candidates;
    /// Operators that must follow it, ascending.
    llvm::SmallVector<unsigned, 2> successors;
  };

  /// A match that may be chosen.
  struct Candidate {
    Match match;
    unsigned device = kCPU;
    int64_t cycles = 0;
    /// Operators of the match, ascending.
    llvm::SmallVector<unsigned, 4> operators;
  };

  /// Collects all matches of all patterns and computes their costs. Emits an
  /// error and fails if a cost in a description cannot be computed.
  static mlir::FailureOr<PlacementProblem>
  create(mlir::func::FuncOp function,
         llvm::ArrayRef<AcceleratorOp> accelerators,
         const PlacementOptions &options);

  /// Returns the candidates that the greedy policy chooses.
  std::vector<unsigned> chooseGreedily() const;

  std::vector<Device> devices;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  /// Candidates in order of priority.
  std::vector<Candidate> candidates;
};

/// Estimated cost of a placement, in cycles.
struct PlacementCost {
  int64_t cpu = 0, devices = 0, transfers = 0, regions = 0;
  unsigned numTransfers = 0, numRegions = 0;
  /// Number of regions smaller than their device's minimum. Compares before
  /// cycles.
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

/// Computes the cost of a placement that runs the candidates `chosen`, which
/// must be disjoint, on their devices and all other operators on the CPU. It is
/// the sum of
/// - the cycles of each operator on the CPU and of each candidate;
/// - transfers, all through main memory. A tensor that is computed on a device
///   and used elsewhere is moved to main memory once, and from there once to
///   each other device that uses it. Constants are free, as they are part of
///   the code;
/// - the overhead of each region that `uma-accel-merge-compiler-regions` forms.
///
/// If a lower bound on the cost reaches `limit`, returns that bound, without
/// the expensive exact count of regions.
PlacementCost computeCost(const PlacementProblem &problem,
                          llvm::ArrayRef<unsigned> chosen,
                          const PlacementCost *limit = nullptr);

/// A solution of the placement problem.
struct Placement {
  /// Chosen candidates, ascending.
  std::vector<unsigned> chosen;
  PlacementCost cost;
  /// Cost of the greedy policy's placement; never less than `cost`.
  PlacementCost greedyCost;
  /// Whether the placement is proven to be optimal.
  bool isOptimal = false;
};

/// Finds the cheapest placement: exactly if at most `kMaxExactOperators`
/// operators have a choice, otherwise by a heuristic that is linear in the size
/// of the function. Prefers the greedy placement among equals.
inline constexpr unsigned kMaxExactOperators = 14;
Placement findPlacement(const PlacementProblem &problem);

/// Explains why `candidate`, which contains `op`, is not part of `placement`,
/// by comparing costs.
std::string explainNotChosen(const PlacementProblem &problem,
                             const Placement &placement, unsigned candidate,
                             unsigned op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_PLACEMENT_H

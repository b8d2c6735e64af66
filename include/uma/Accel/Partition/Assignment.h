//===- Assignment.h - Assignment of operators to accelerators -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Assignment of operators to accelerators. `uma-accel-merge-composite` applies
// it and `uma explain` reports it; both compute it here, so they agree. The
// graph does not change.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_ASSIGNMENT_H
#define UMA_ACCEL_PARTITION_ASSIGNMENT_H

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Accel/Partition/Placement.h"
#include "uma/Accel/Partition/Restrictions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace uma::accel {

/// Placement problem that the cost policy solved, and its solution; explains
/// the decisions.
struct PlacedProblem {
  PlacementProblem problem;
  Placement placement;
  /// Number of each operation in the problem.
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

/// Operators of one function that the accelerators take.
struct Assignment {
  /// Disjoint matches, ordered by accelerator, then by pattern, then from the
  /// end of the graph.
  std::vector<Match> matches;
  /// Index into `matches` of the match that takes each taken operation.
  llvm::DenseMap<mlir::Operation *, size_t> owners;
  /// Restrictions that the matches satisfy.
  Restrictions restrictions;
  /// Null for the greedy policy.
  std::shared_ptr<const PlacedProblem> placed;

  /// Returns the match that takes `op`, or null if it stays on the CPU.
  const Match *getOwner(mlir::Operation *op) const {
    auto it = owners.find(op);
    return it == owners.end() ? nullptr : &matches[it->second];
  }
};

/// Returns the functions to partition: all functions that have a body and no
/// `uma.target`.
llvm::SmallVector<mlir::func::FuncOp>
getFunctionsToPartition(mlir::ModuleOp module);

/// Returns the module's accelerators with the given names, in order of
/// priority, or all in module order if `names` is empty. Emits an error and
/// fails if a name is unknown.
mlir::FailureOr<llvm::SmallVector<AcceleratorOp>>
getAccelerators(mlir::ModuleOp module, llvm::ArrayRef<std::string> names);

/// Returns the accelerator that a pattern belongs to.
AcceleratorOp getAccelerator(PatternOp pattern);

/// Returns whether adjacent matches of `accelerator` share a region.
bool mergesRegions(AcceleratorOp accelerator, MergeRegions option);

/// Calls `visit` for every match of the accelerators' patterns: accelerators in
/// the given order, patterns in source order, roots from the end of the graph.
/// Skips roots for which `skip` returns true.
void forEachMatch(mlir::func::FuncOp function,
                  llvm::ArrayRef<AcceleratorOp> accelerators,
                  llvm::function_ref<bool(mlir::Operation *)> skip,
                  llvm::function_ref<void(Match)> visit);

/// Assigns operators of `function` to accelerators greedily: accelerators in
/// the given order, patterns in source order, roots from the end of the graph,
/// but matches of pinned operations first. Linear in the number of operations.
Assignment computeAssignment(mlir::func::FuncOp function,
                             llvm::ArrayRef<AcceleratorOp> accelerators);

/// Assigns operators by the policy of `options`. Emits an error and fails if a
/// cost in a description cannot be computed.
mlir::FailureOr<Assignment>
computeAssignment(mlir::func::FuncOp function,
                  llvm::ArrayRef<AcceleratorOp> accelerators,
                  const PlacementOptions &options);
/// Checks that each pinned operation is taken by its accelerator. Emits an
/// error with the reason for each one that is not, and fails.
mlir::LogicalResult verifyPins(const Assignment &assignment);

/// Explains why `pattern` does not take `op`: returns the first failed
/// constraint of the closest partial match that covers `op`, or the match that
/// took its operators. Fails if no operator of the pattern has the kind of
/// `op`.
mlir::FailureOr<Mismatch> explainMismatch(PatternOp pattern,
                                          mlir::Operation *op,
                                          const Assignment &assignment);

/// Reason that the cost policy did not choose a match that exists.
struct CostReason {
  PatternOp pattern;
  std::string reason;
};

/// Explains why the cost policy did not choose the cheapest match of
/// `accelerator` (of `pattern` if given) that takes `op`. Returns std::nullopt
/// if no such match exists.
std::optional<CostReason> explainCost(const PlacedProblem &placed,
                                      AcceleratorOp accelerator,
                                      mlir::Operation *op,
                                      PatternOp pattern = {});

/// Returns the closest mismatch of `pattern`, which took nothing, in
/// `functions`; the earliest if several are equally close. `assignments` has
/// one entry for each function. Fails if the functions contain none of the
/// pattern's operators.
mlir::FailureOr<Mismatch>
findClosest(PatternOp pattern, llvm::ArrayRef<mlir::func::FuncOp> functions,
            llvm::ArrayRef<Assignment> assignments);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_ASSIGNMENT_H

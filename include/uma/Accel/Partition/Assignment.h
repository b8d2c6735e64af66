//===- Assignment.h - Assignment of operators to accelerators -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The decision that merge-composite carries out and `uma explain` reports: both
// compute it here, so they agree. The graph does not change.
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

/// The problem that the cost policy solved, for its reasons.
struct PlacedProblem {
  PlacementProblem problem;
  Placement placement;
  /// Number of each operation in the problem.
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

/// Operators of one function that the accelerators take.
struct Assignment {
  /// Matches, which share no operation, in the order of the accelerators, of
  /// their patterns, and of the graph from its end.
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

/// Returns the functions of a module that are partitioned: all with a body,
/// except those with a `uma.target`.
llvm::SmallVector<mlir::func::FuncOp>
getFunctionsToPartition(mlir::ModuleOp module);

/// Returns the accelerators of a module with the given names, in that order,
/// which is their priority; all in the order of the module if no names are
/// given. Emits an error and fails if a name is unknown.
mlir::FailureOr<llvm::SmallVector<AcceleratorOp>>
getAccelerators(mlir::ModuleOp module, llvm::ArrayRef<std::string> names);

/// Returns the accelerator that a pattern belongs to.
AcceleratorOp getAccelerator(PatternOp pattern);

/// Returns whether adjacent matches of `accelerator` share a region.
bool mergesRegions(AcceleratorOp accelerator, MergeRegions option);

/// Calls `visit` for every match of the accelerators' patterns: accelerators in
/// the order given, patterns as written, roots from the end of the graph.
/// Operations for which `skip` returns true are not roots.
void forEachMatch(mlir::func::FuncOp function,
                  llvm::ArrayRef<AcceleratorOp> accelerators,
                  llvm::function_ref<bool(mlir::Operation *)> skip,
                  llvm::function_ref<void(Match)> visit);

/// Decides which operators of `function` each accelerator takes: accelerators
/// in the order given, patterns as written, roots from the end of the graph. A
/// taken operator stays taken. Matches of pinned operations come first. Linear
/// in the operations of the function.
Assignment computeAssignment(mlir::func::FuncOp function,
                             llvm::ArrayRef<AcceleratorOp> accelerators);

/// Does the same with the policy of `options`. Emits an error and fails if a
/// cost of a description has no value.
mlir::FailureOr<Assignment>
computeAssignment(mlir::func::FuncOp function,
                  llvm::ArrayRef<AcceleratorOp> accelerators,
                  const PlacementOptions &options);
/// Emits an error, with the reason, for each operation that its pinned
/// accelerator does not take.
mlir::LogicalResult verifyPins(const Assignment &assignment);

/// Returns why `pattern` does not take `op`: the first failed constraint of the
/// closest partial match that covers `op`, or what took its operators. Fails if
/// no operator of the pattern has the kind of `op`.
mlir::FailureOr<Mismatch> explainMismatch(PatternOp pattern,
                                          mlir::Operation *op,
                                          const Assignment &assignment);

/// Reason that the cost policy did not choose a match that exists.
struct CostReason {
  PatternOp pattern;
  std::string reason;
};

/// Returns why the cost policy did not choose the cheapest match of
/// `accelerator` that takes `op`, by `pattern` if that is given; std::nullopt
/// if there is no other match.
std::optional<CostReason> explainCost(const PlacedProblem &placed,
                                      AcceleratorOp accelerator,
                                      mlir::Operation *op,
                                      PatternOp pattern = {});

/// Returns the closest mismatch in `functions` for `pattern`, which took
/// nothing; of several the earliest. `assignments` holds one entry for each
/// function. Fails if the functions have none of its operators.
mlir::FailureOr<Mismatch>
findClosest(PatternOp pattern, llvm::ArrayRef<mlir::func::FuncOp> functions,
            llvm::ArrayRef<Assignment> assignments);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_ASSIGNMENT_H

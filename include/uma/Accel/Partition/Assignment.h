//===- Assignment.h - Which operators go to which accelerator -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The decision that merge-composite carries out and that `uma explain` reports:
// both compute it here, so they agree. Deciding changes nothing in the graph.
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

/// What the cost policy decided on, for its reasons.
struct PlacedProblem {
  PlacementProblem problem;
  Placement placement;
  /// The number of each operation in the problem.
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

/// What the accelerators take of one function.
struct Assignment {
  /// The matches, which share no operation, in the order of the accelerators,
  /// of their patterns, and of the graph from its end.
  std::vector<Match> matches;
  /// The match, as an index into `matches`, that takes each taken operation.
  llvm::DenseMap<mlir::Operation *, size_t> owners;
  /// What the matches keep to.
  Restrictions restrictions;
  /// Null under the greedy policy.
  std::shared_ptr<const PlacedProblem> placed;

  /// The match that takes `op`; null when the CPU keeps it.
  const Match *getOwner(mlir::Operation *op) const {
    auto it = owners.find(op);
    return it == owners.end() ? nullptr : &matches[it->second];
  }
};

/// The functions of a module that are partitioned: all with a body but those
/// that have a `uma.target` already.
llvm::SmallVector<mlir::func::FuncOp>
getFunctionsToPartition(mlir::ModuleOp module);

/// The accelerators of a module with the given names, in that order, which is
/// that of priority; all in the order of the module when no names are given.
/// Fails with an error at the module where there is no accelerator of a name.
mlir::FailureOr<llvm::SmallVector<AcceleratorOp>>
getAccelerators(mlir::ModuleOp module, llvm::ArrayRef<std::string> names);

/// The accelerator that a pattern belongs to.
AcceleratorOp getAccelerator(PatternOp pattern);

/// Whether adjacent matches of `accelerator` share a region.
bool mergesRegions(AcceleratorOp accelerator, MergeRegions option);

/// Calls `visit` for every match of the accelerators' patterns, accelerators in
/// the order given, patterns in the order of writing, roots from the end of the
/// graph. Operations that `skip` tells are no roots.
void forEachMatch(mlir::func::FuncOp function,
                  llvm::ArrayRef<AcceleratorOp> accelerators,
                  llvm::function_ref<bool(mlir::Operation *)> skip,
                  llvm::function_ref<void(Match)> visit);

/// Decides what each accelerator takes of `function`: accelerators in the order
/// given, patterns in the order of writing, roots from the end of the graph;
/// what is taken stays taken. Matches of pinned operations come before all
/// others. Linear in the operations of the function.
Assignment computeAssignment(mlir::func::FuncOp function,
                             llvm::ArrayRef<AcceleratorOp> accelerators);

/// The same by the policy of `options`. Fails with an error where a cost of a
/// description has no value.
mlir::FailureOr<Assignment>
computeAssignment(mlir::func::FuncOp function,
                  llvm::ArrayRef<AcceleratorOp> accelerators,
                  const PlacementOptions &options);
/// Emits an error for each operation that is pinned to an accelerator which
/// does not take it, with the reason.
mlir::LogicalResult verifyPins(const Assignment &assignment);

/// Why `pattern` does not take `op`: the first failed constraint of the closest
/// way to lay the pattern over the graph so that it covers `op`, or who took
/// what it needs. Fails when no operator of the pattern has the kind of `op`.
mlir::FailureOr<Mismatch> explainMismatch(PatternOp pattern,
                                          mlir::Operation *op,
                                          const Assignment &assignment);

/// Why the cost policy did not choose a match that exists.
struct CostReason {
  PatternOp pattern;
  std::string reason;
};

/// Why the cost policy did not choose the cheapest match of `accelerator`, by
/// `pattern` where that is given, that takes `op`; none where there is no match
/// but the chosen one.
std::optional<CostReason> explainCost(const PlacedProblem &placed,
                                      AcceleratorOp accelerator,
                                      mlir::Operation *op,
                                      PatternOp pattern = {});

/// The closest that anything in `functions` comes to `pattern`, which took
/// nothing; the earliest operation of several. `assignments` holds one entry
/// for each function. Fails when the functions have none of its operators.
mlir::FailureOr<Mismatch>
findClosest(PatternOp pattern, llvm::ArrayRef<mlir::func::FuncOp> functions,
            llvm::ArrayRef<Assignment> assignments);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_ASSIGNMENT_H

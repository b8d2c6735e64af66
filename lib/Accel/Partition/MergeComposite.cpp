//===- MergeComposite.cpp - Wrap matches in composites --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// computeAssignment makes all decisions before any change, so that `uma
// explain`, which only computes the assignment, reports exactly the same.
//
//===----------------------------------------------------------------------===//

#include "CompositeBuilder.h"
#include "Constants.h"
#include "MatchedKinds.h"

#include "uma/Accel/Partition/Passes.h"
#include "uma/Accel/Partition/Report.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_MERGECOMPOSITEPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

/// Returns the matches in the order of their roots, so that producers of
/// tensors in a device's layout precede their users.
static SmallVector<const Match *> getInOrder(func::FuncOp function,
                                             const Assignment &assignment) {
  llvm::DenseMap<Operation *, const Match *> byRoot;
  for (const Match &match : assignment.matches)
    byRoot[match.result.getDefiningOp()] = &match;
  SmallVector<const Match *> matches;
  function.walk([&](Operation *op) {
    if (const Match *match = byRoot.lookup(op))
      matches.push_back(match);
  });
  return matches;
}

/// Erases unused borders.
static void eraseUnusedBorders(func::FuncOp function) {
  for (Block &block : function.getBody())
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(block.getOperations())))
      if (isBorder(&op) && op.use_empty())
        op.erase();
}

/// Returns an operator without predecessors that each match of the pattern
/// requires and that the graph does not contain, or an empty list. In this
/// case, the closest mismatch is misleading.
static SmallVector<StringRef> findMissing(PatternOp pattern,
                                          const llvm::StringSet<> &kinds) {
  SmallVector<Value> pending = pattern.getOutputs();
  while (!pending.empty()) {
    Value tensor = pending.pop_back_val();
    // Skip optional operators.
    if (auto choice = tensor.getDefiningOp<ChoiceOp>();
        choice && choice.getOtherwise()) {
      pending.push_back(choice.getOtherwise());
      continue;
    }
    auto op = tensor.getDefiningOp<OperatorOp>();
    if (!op)
      continue;
    bool isFirst = llvm::none_of(op.getOperands_(), [](Value operand) {
      return isa<OperatorOp, ChoiceOp>(operand.getDefiningOp());
    });
    if (isFirst && !kinds.contains(op.getKind()))
      return {op.getKind()};
    llvm::append_range(pending, op.getOperands_());
  }
  return {};
}

/// Emits remarks with the reasons that accelerators do not take operators.
static void emitReasons(func::FuncOp function, const Assignment &assignment,
                        ArrayRef<AcceleratorOp> accelerators) {
  for (Block &block : function.getBody()) {
    for (Operation &op : block) {
      if (!isInFamily<GraphFamily>(&op) || isConstantOp(&op))
        continue;
      AcceleratorOp taker;
      if (const Match *owner = assignment.getOwner(&op))
        taker = getAccelerator(owner->pattern);
      for (AcceleratorOp accelerator : accelerators)
        if (accelerator != taker)
          mlir::emitRemark(op.getLoc())
              << describeLayer(&op) << " does not run on '"
              << accelerator.getSymName()
              << "': " << explainReason(accelerator, &op, assignment).getText();
    }
  }
}

namespace {
struct MergeCompositePass
    : uma::accel::impl::MergeCompositePassBase<MergeCompositePass> {
  using MergeCompositePassBase::MergeCompositePassBase;

  void runOnOperation() override {
    FailureOr<SmallVector<AcceleratorOp>> active =
        getAccelerators(getOperation(), llvm::to_vector(accelerators));
    if (failed(active))
      return signalPassFailure();
    SmallVector<func::FuncOp> functions =
        getFunctionsToPartition(getOperation());
    std::vector<Assignment> assignments;
    for (func::FuncOp function : functions) {
      FailureOr<Assignment> assignment =
          computeAssignment(function, *active, getPlacementOptions());
      if (failed(assignment))
        return signalPassFailure();
      assignments.push_back(std::move(*assignment));
      if (report)
        emitReasons(function, assignments.back(), *active);
      if (failed(assignments.back().restrictions.verify(*active)) ||
          failed(verifyPins(assignments.back())))
        return signalPassFailure();
    }
    warnOfUnused(*active, functions, assignments);
    warnOfUnusedGlobs(*active, assignments);

    llvm::DenseMap<Value, Value> replaced;
    llvm::SetVector<Operation *> copied;
    for (auto [function, assignment] :
         llvm::zip_equal(functions, assignments)) {
      bool isSorted = true;
      SmallVector<const Match *> matches = getInOrder(function, assignment);
      CompositeBuilder::DeviceValues onDevice;
      for (const Match *match : matches) {
        CompositeBuilder builder(*match);
        builder.build(replaced, onDevice);
        numComposites += builder.getPieces().size();
        numOperators += match->ops.size();
        isSorted &= match->results.size() < 2;
        copied.insert_range(builder.getCopiedConstants());
      }
      for (const Match *match : llvm::reverse(matches))
        for (Operation *op : llvm::reverse(match->ops))
          op->erase();
      eraseUnusedBorders(function);
      // A result other than the root may be used before the root.
      if (!isSorted)
        for (Block &block : function.getBody())
          sortTopologically(&block);
    }
    for (Operation *constant : copied)
      if (constant->use_empty())
        constant->erase();
  }

  /// Warns about globs of descriptions that match no layer of the graphs.
  void warnOfUnusedGlobs(ArrayRef<AcceleratorOp> active,
                         ArrayRef<Assignment> assignments) {
    auto warn = [&](Operation *op, StringRef word, StringRef layers) {
      if (llvm::none_of(assignments, [&](const Assignment &assignment) {
            return assignment.restrictions.used.contains(op);
          }))
        mlir::emitWarning(op->getLoc())
            << word << " \"" << layers << "\": no layer has such a name";
    };
    for (AcceleratorOp accelerator : active) {
      for (auto keepOff : accelerator.getOps<KeepOffOp>())
        warn(keepOff, "keep_off", keepOff.getLayers());
      for (auto pin : accelerator.getOps<PinOp>())
        warn(pin, "pin", pin.getLayers());
    }
  }

  PlacementOptions getPlacementOptions() const {
    return {policy, cpuCyclesPerMAC, cpuCyclesPerElement, mergeRegions};
  }

  /// Warns about unmatched patterns, with the closest operator. A device whose
  /// other patterns match needs no operator for each pattern, and none that
  /// it computes already.
  void warnOfUnused(ArrayRef<AcceleratorOp> active,
                    ArrayRef<func::FuncOp> functions,
                    ArrayRef<Assignment> assignments) {
    llvm::DenseSet<Operation *> used;
    llvm::DenseMap<Operation *, llvm::DenseSet<Operation *>> taken;
    for (const Assignment &assignment : assignments) {
      for (const Match &match : assignment.matches) {
        used.insert(match.pattern);
        taken[getAccelerator(match.pattern)].insert_range(match.ops);
      }
      // Do not warn if a pattern only lost by cost.
      if (assignment.placed)
        for (const auto &candidate : assignment.placed->problem.candidates)
          used.insert(candidate.match.pattern);
    }
    llvm::StringSet<> kinds;
    for (func::FuncOp function : functions)
      function.walk([&](Operation *op) {
        for (StringRef kind : getMatchedKinds(op))
          kinds.insert(kind);
      });
    for (AcceleratorOp accelerator : active) {
      for (auto pattern : accelerator.getOps<PatternOp>()) {
        if (used.contains(pattern))
          continue;
        SmallVector<StringRef> missing = findMissing(pattern, kinds);
        FailureOr<Mismatch> why =
            missing.empty() ? findClosest(pattern, functions, assignments)
                            : FailureOr<Mismatch>();
        // A distance of 0 is a match that another pattern took.
        if (auto ops = taken.find(accelerator);
            ops != taken.end() &&
            (failed(why) ||
             (why->distance > 0 && ops->second.contains(why->where))))
          continue;
        InFlightDiagnostic warning =
            mlir::emitWarning(pattern.getLoc())
            << "pattern '" << pattern.getSymName() << "' of accelerator '"
            << accelerator.getSymName() << "' matched nothing: ";
        if (failed(why)) {
          if (missing.empty())
            missing = getOperatorKinds(pattern.getRoot());
          warning << "the graph has no '" << llvm::join(missing, "' or '")
                  << "'";
          continue;
        }
        warning << "closest is " << describeLayer(why->where) << ", but "
                << why->reason;
      }
    }
  }
};
} // namespace

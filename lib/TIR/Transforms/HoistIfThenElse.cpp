//===- HoistIfThenElse.cpp - Move invariant conditions out of loops -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Visits loops from the inside out. A loop-invariant condition becomes an
// `scf.if` around two copies of the loop; in the surrounding loop it is a
// condition like any other. The copies cost nothing if one of them has no
// effect, as with the test for the padding of a whole row.
//
//===----------------------------------------------------------------------===//

#include "LoopUtils.h"

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_HOISTIFTHENELSEPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
struct HoistIfThenElsePass
    : uma::tir::impl::HoistIfThenElsePassBase<HoistIfThenElsePass> {
  using HoistIfThenElsePassBase::HoistIfThenElsePassBase;

  void hoist(ForOp loop);
  void runOnOperation() override;

  std::optional<LoopSpecializer> specializer;
};
} // namespace

/// Returns the first loop-invariant value on which a condition in the loop
/// depends, or null if there is none.
static Value findInvariant(ForOp loop) {
  Value found;
  loop.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::IfOp, arith::SelectOp>(op))
      return WalkResult::advance();
    // A select is cheaper than two loops, unless it selects between buffers.
    if (isa<arith::SelectOp>(op) &&
        !isa<MemRefType>(op->getResult(0).getType()))
      return WalkResult::advance();
    SmallVector<Value> conditions;
    collectConditions(loop, op->getOperand(0), conditions);
    for (Value condition : conditions)
      if (!loop.getBody().isAncestor(condition.getParentRegion())) {
        found = condition;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return found;
}

void HoistIfThenElsePass::hoist(ForOp loop) {
  Value condition = findInvariant(loop);
  if (!condition)
    return;
  // Copies of workspace buffers would need memory.
  bool hasWorkspace = false;
  loop.getBody().walk([&](AllocOp alloc) {
    hasWorkspace |= alloc.getScope() == Scope::Workspace;
  });
  if (hasWorkspace)
    return;

  OpBuilder builder(loop);
  SmallVector<ForOp, 2> copies;
  for (bool value : {true, false}) {
    builder.setInsertionPoint(loop);
    IRMapping mapping;
    ForOp copy = LoopSpecializer::clone(loop, loop.getLower(), loop.getUpper(),
                                        builder, mapping);
    LoopSpecializer::setCondition(copy, condition, value);
    if (!specializer->simplify(copy))
      copy = nullptr;
    copies.push_back(copy);
  }
  // Limit by size rather than growth: the decision is then stable, and many
  // conditions in a loop do not cause exponential growth.
  if (copies[0] && copies[1] && countOperations(loop) > maxSize) {
    for (ForOp copy : copies)
      copy.erase();
    ++numKept;
    return;
  }

  ++numHoisted;
  builder.setInsertionPoint(loop);
  if (copies[0] || copies[1]) {
    auto choice = scf::IfOp::create(builder, loop.getLoc(), condition,
                                    /*withElseRegion=*/bool(copies[1]));
    for (auto [copy, region] : llvm::zip(copies, choice.getRegions()))
      if (copy)
        copy->moveBefore(&region->front(), region->front().begin());
  }
  loop.erase();
  for (ForOp copy : copies)
    if (copy)
      hoist(copy);
}

void HoistIfThenElsePass::runOnOperation() {
  if (maxSize < 0) {
    getOperation().emitError("uma-tir-hoist-if-then-else: max-size is ")
        << maxSize.getValue() << ", expected 0 or more";
    return signalPassFailure();
  }
  if (!specializer)
    specializer.emplace(&getContext());
  // Visiting a loop erases and copies its inner loops, so collect the inner
  // loops anew in the current IR.
  auto visit = [&](auto &&self, Region &region) -> void {
    SmallVector<ForOp> loops;
    region.walk<WalkOrder::PreOrder>([&](ForOp loop) {
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (ForOp loop : loops) {
      self(self, loop.getBody());
      hoist(loop);
    }
  };
  visit(visit, getOperation().getBody());
}

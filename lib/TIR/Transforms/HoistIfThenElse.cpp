//===- HoistIfThenElse.cpp - Move invariant conditions out of loops -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loop by loop from the inside: a condition that does not change in a loop
// becomes an `scf.if` around two copies of it. In the loop around, that is a
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

/// Returns the first value that decides about a condition in the loop, and is
/// the same in all its iterations.
static Value findInvariant(ForOp loop) {
  Value found;
  loop.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::IfOp, arith::SelectOp>(op))
      return WalkResult::advance();
    // A choice between two values is cheaper than two loops, unless it is one
    // between buffers.
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
  // By size, not by growth: what is refused is refused again, and a loop of
  // many conditions does not become two to their number.
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
  // Outer loops are made of what became of the inner ones, which are erased
  // and copied, so that each is looked for in the tree as it is then.
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

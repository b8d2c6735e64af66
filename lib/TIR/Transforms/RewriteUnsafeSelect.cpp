//===- RewriteUnsafeSelect.cpp - Guard operations that may trap -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A select evaluates both values. Operations that only one of them uses move
// into a branch if one may be undefined: a load that may be out of bounds, or a
// division that may be by zero or overflow.
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_REWRITEUNSAFESELECTPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

/// Returns true if the operation may have undefined behaviour.
static bool isUnsafe(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return !isInBounds(load.getMemRef(), load.getIndices());
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
           arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return false;
  // Undefined for the divisor 0, and for the smallest integer divided by -1.
  APInt divisor;
  if (matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
    return divisor.isZero() || divisor.isAllOnes();
  std::optional<IndexRange> range = getIndexRange(op->getOperand(1));
  return !range || (range->min <= 0 && range->max >= -1);
}

/// Returns true if the operation may be moved down to `select`.
static bool isMovable(Operation *op, Operation *select) {
  if (op->getNumRegions() != 0 || op->getBlock() != select->getBlock())
    return false;
  if (isMemoryEffectFree(op))
    return true;
  if (!isa<memref::LoadOp>(op))
    return false;
  for (Operation *other = op->getNextNode(); other != select;
       other = other->getNextNode())
    if (!isMemoryEffectFree(other) &&
        !hasSingleEffect<MemoryEffects::Read>(other))
      return false;
  return true;
}

/// Returns the operations that only `operand` uses, directly or indirectly,
/// users before their operands.
static llvm::SetVector<Operation *> getBranch(OpOperand &operand) {
  Operation *select = operand.getOwner();
  llvm::SetVector<Operation *> branch;
  SmallVector<Value> worklist = {operand.get()};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || branch.contains(op) || !isMovable(op, select))
      continue;
    bool isAlone = llvm::all_of(op->getUses(), [&](OpOperand &use) {
      return &use == &operand || branch.contains(use.getOwner());
    });
    if (!isAlone)
      continue;
    branch.insert(op);
    llvm::append_range(worklist, op->getOperands());
  }
  return branch;
}

namespace {
struct RewriteUnsafeSelectPass
    : uma::tir::impl::RewriteUnsafeSelectPassBase<RewriteUnsafeSelectPass> {
  void rewrite(arith::SelectOp select);

  void runOnOperation() override {
    // Visit selects in reverse order, so that one inside another's branch is
    // visited after it was moved.
    SmallVector<arith::SelectOp> selects;
    getOperation()->walk([&](arith::SelectOp select) {
      // Selects with a vector condition are per lane and stay.
      if (select.getCondition().getType().isInteger(1) &&
          !isa<MemRefType>(select.getType()))
        selects.push_back(select);
    });
    for (arith::SelectOp select : llvm::reverse(selects))
      rewrite(select);
  }
};
} // namespace

void RewriteUnsafeSelectPass::rewrite(arith::SelectOp select) {
  llvm::SetVector<Operation *> branches[] = {
      getBranch(select.getTrueValueMutable()),
      getBranch(select.getFalseValueMutable())};
  // If both values are equal, the select is no branch.
  if (select.getTrueValue() == select.getFalseValue() ||
      llvm::none_of(branches, [](const llvm::SetVector<Operation *> &branch) {
        return llvm::any_of(branch, isUnsafe);
      }))
    return;
  OpBuilder builder(select);
  auto choice = scf::IfOp::create(builder, select.getLoc(), select.getType(),
                                  select.getCondition(),
                                  /*withElseRegion=*/true);
  for (auto [index, region] : llvm::enumerate(choice.getRegions())) {
    builder.setInsertionPointToStart(&region->front());
    Operation *yield = scf::YieldOp::create(builder, select.getLoc(),
                                            select->getOperand(1 + index));
    // Restore program order, which the set does not have.
    SmallVector<Operation *> moved(branches[index].begin(),
                                   branches[index].end());
    llvm::sort(moved, [](Operation *left, Operation *right) {
      return left->isBeforeInBlock(right);
    });
    for (Operation *op : moved)
      op->moveBefore(yield);
  }
  select.replaceAllUsesWith(choice.getResult(0));
  select.erase();
  ++numRewritten;
}

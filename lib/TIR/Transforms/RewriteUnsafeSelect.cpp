//===- RewriteUnsafeSelect.cpp - Selects that may trap become conditions --===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A select computes both of its values. What is computed only for one of them
// moves under a condition where that computation could go wrong: a load that
// may be outside its buffer, a division that may be one by zero.
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

/// Returns true if the operation may be undefined.
static bool isUnsafe(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return !isInBounds(load.getMemRef(), load.getIndices());
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
           arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return false;
  // By 0 is undefined, and the smallest integer by -1.
  APInt divisor;
  if (matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
    return divisor.isZero() || divisor.isAllOnes();
  std::optional<IndexRange> range = getIndexRange(op->getOperand(1));
  return !range || (range->min <= 0 && range->max >= -1);
}

/// Returns true if the operation could run later, at `select`, as well.
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

/// What is computed for `operand` alone: its definition, and what only that
/// uses. Users before what they use.
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
    // From the last to the first: one that is part of another's branch is
    // looked at where it is then.
    SmallVector<arith::SelectOp> selects;
    getOperation()->walk([&](arith::SelectOp select) {
      // Lanes of vectors have conditions of their own.
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
  // With the same value on both sides, the branch is no branch.
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
    // In their order, which the branch does not have.
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

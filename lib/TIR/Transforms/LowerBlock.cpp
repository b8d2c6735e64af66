//===- LowerBlock.cpp - Lower blocks to their bodies ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Replaces blocks by their bodies. The only choice is where to place the init
// region. Under a condition in the innermost loop is always legal, but costs a
// test per iteration and prevents the C compiler from keeping the accumulator
// in a register. So it is placed before the loops of the reduction if it then
// runs exactly once per reduction. A predicate becomes a condition around the
// body; its value in the first iteration guards the init region.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_LOWERBLOCKPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Loops of a block's reduction: the innermost loops around the block whose
/// bodies contain only the next one and index arithmetic.
class ReductionNest {
public:
  explicit ReductionNest(BlockOp block);

  /// Returns the operation before which the init region runs exactly once per
  /// reduction, or null if there is none.
  Operation *getInitPoint();

  /// Recomputes the value of `value` in the first iteration before the nest.
  Value materialize(Value value, OpBuilder &builder, IRMapping &mapping);

private:
  bool contains(Value value) const {
    return !loops.empty() &&
           loops.back()->isAncestor(value.getParentBlock()->getParentOp());
  }
  bool isReduceBinding(Value loopVar);

  /// Returns the value of `value` in the first iteration of the nest, if it is
  /// constant.
  std::optional<int64_t> evaluateAtStart(Value value) const;

  /// Returns true if `value` can be computed before the nest.
  bool isInvariant(Value value) const;

  /// Returns true if the value of `value` in the first iteration can be
  /// computed before the nest.
  bool isMovable(Value value) const;

  BlockOp block;
  /// Loops of the nest, innermost first.
  SmallVector<ForOp> loops;
};
} // namespace

ReductionNest::ReductionNest(BlockOp block) : block(block) {
  Operation *inner = block;
  while (auto loop = dyn_cast<ForOp>(inner->getParentOp())) {
    bool isAlone = llvm::all_of(
        loop.getBody().front().without_terminator(), [&](Operation &op) {
          return &op == inner || (isPure(&op) && op.getNumRegions() == 0);
        });
    // If the loop has no iterations, the init region must not run either.
    if (!isAlone || loop.getExtent().value_or(0) < 1 ||
        !isReduceBinding(loop.getInductionVar()))
      return;
    loops.push_back(loop);
    inner = loop;
  }
}

/// Returns true if a reduce binding depends on `loopVar` and no spatial one
/// does.
bool ReductionNest::isReduceBinding(Value loopVar) {
  llvm::SmallPtrSet<Value, 8> dependent = {loopVar};
  SmallVector<Value> worklist = {loopVar};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers())
      for (Value result : user->getResults())
        if (dependent.insert(result).second)
          worklist.push_back(result);
  bool found = false;
  for (auto [index, binding] : llvm::enumerate(block.getBindings())) {
    if (!dependent.contains(binding))
      continue;
    if (block.getIterKind(index) != IterKind::Reduce)
      return false;
    found = true;
  }
  return found;
}

std::optional<int64_t> ReductionNest::evaluateAtStart(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  for (ForOp loop : loops)
    if (value == loop.getInductionVar())
      return loop.getDynamicLower()
                 ? std::nullopt
                 : std::optional<int64_t>(loop.getStaticLower());
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<int64_t> lhs = evaluateAtStart(op->getOperand(0));
  std::optional<int64_t> rhs = evaluateAtStart(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return isa<arith::AddIOp>(op) ? *lhs + *rhs : *lhs * *rhs;
}

bool ReductionNest::isInvariant(Value value) const {
  if (!contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isInvariant(operand); });
}

bool ReductionNest::isMovable(Value value) const {
  if (!contains(value))
    return true;
  if (isa<BlockArgument>(value))
    return llvm::any_of(
        loops, [&](ForOp loop) { return value == loop.getInductionVar(); });
  Operation *op = value.getDefiningOp();
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isMovable(operand); });
}

Operation *ReductionNest::getInitPoint() {
  // All reduce variables must be 0 in the first iteration of the nest. They are
  // 0 only there, since a block runs once for each value of its variables.
  for (auto [index, binding] : llvm::enumerate(block.getBindings())) {
    if (block.getIterKind(index) == IterKind::Reduce) {
      if (evaluateAtStart(binding) != 0)
        return nullptr;
    } else if (!isInvariant(binding)) {
      return nullptr;
    }
  }
  if (block.getPredicate() && !isMovable(block.getPredicate()))
    return nullptr;
  bool isInitMovable = true;
  block.getInit().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!block.getInit().isAncestor(operand.getParentRegion()))
        isInitMovable &= isInvariant(operand);
  });
  if (!isInitMovable)
    return nullptr;
  return loops.empty() ? block.getOperation() : loops.back().getOperation();
}

Value ReductionNest::materialize(Value value, OpBuilder &builder,
                                 IRMapping &mapping) {
  if (!contains(value))
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  for (ForOp loop : loops)
    if (value == loop.getInductionVar()) {
      Value lower = arith::ConstantIndexOp::create(builder, loop.getLoc(),
                                                   loop.getStaticLower());
      mapping.map(value, lower);
      return lower;
    }
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, materialize(operand, builder, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

namespace {
struct LowerBlockPass : uma::tir::impl::LowerBlockPassBase<LowerBlockPass> {
  void lowerInit(BlockOp block, IRRewriter &rewriter);
  void lowerInitUnderCondition(BlockOp block, IRRewriter &rewriter);
  void lowerPredicate(BlockOp block, IRRewriter &rewriter);

  void runOnOperation() override {
    // Lower inner blocks first: lowering an outer block replaces variables that
    // their bindings use.
    SmallVector<BlockOp> blocks;
    getOperation()->walk([&](BlockOp block) { blocks.push_back(block); });
    IRRewriter rewriter(&getContext());
    for (BlockOp block : blocks) {
      if (block.hasInit())
        lowerInit(block, rewriter);
      if (block.getPredicate())
        lowerPredicate(block, rewriter);
      Block &body = block.getBody().front();
      rewriter.eraseOp(body.getTerminator());
      rewriter.inlineBlockBefore(&body, block, block.getBindings());
      rewriter.eraseOp(block);
      ++numBlocks;
    }
  }
};
} // namespace

void LowerBlockPass::lowerInit(BlockOp block, IRRewriter &rewriter) {
  ReductionNest nest(block);
  Operation *point = nest.getInitPoint();
  if (!point)
    return lowerInitUnderCondition(block, rewriter);

  rewriter.setInsertionPoint(point);
  IRMapping mapping;
  block.getInit().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (!block.getInit().isAncestor(operand.get().getParentRegion()))
        operand.set(nest.materialize(operand.get(), rewriter, mapping));
  });
  SmallVector<Value> variables;
  for (auto [index, binding] : llvm::enumerate(block.getBindings())) {
    if (block.getIterKind(index) == IterKind::Spatial)
      variables.push_back(nest.materialize(binding, rewriter, mapping));
    else
      variables.push_back(
          arith::ConstantIndexOp::create(rewriter, block.getLoc(), 0));
  }
  Value predicate = block.getPredicate();
  Operation *end = point;
  if (predicate) {
    Value first = nest.materialize(predicate, rewriter, mapping);
    end = scf::IfOp::create(rewriter, block.getLoc(), first,
                            /*withElseRegion=*/false)
              .thenYield();
  }
  Block &init = block.getInit().front();
  rewriter.eraseOp(init.getTerminator());
  rewriter.inlineBlockBefore(&init, end, variables);
}

/// Moves the block, whose init region is already lowered, into an `scf.if` on
/// its predicate.
void LowerBlockPass::lowerPredicate(BlockOp block, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(block);
  auto guard = scf::IfOp::create(rewriter, block.getLoc(), block.getPredicate(),
                                 /*withElseRegion=*/false);
  rewriter.moveOpBefore(block, guard.thenYield());
}

void LowerBlockPass::lowerInitUnderCondition(BlockOp block,
                                             IRRewriter &rewriter) {
  rewriter.setInsertionPoint(block);
  Location loc = block.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value condition;
  for (auto [index, binding] : llvm::enumerate(block.getBindings())) {
    if (block.getIterKind(index) != IterKind::Reduce)
      continue;
    Value isZero = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, binding, zero);
    condition = condition
                    ? arith::AndIOp::create(rewriter, loc, condition, isZero)
                          .getResult()
                    : isZero;
  }
  if (Value predicate = block.getPredicate())
    condition = arith::AndIOp::create(rewriter, loc, predicate, condition);
  Block &init = block.getInit().front();
  rewriter.eraseOp(init.getTerminator());
  auto guard = scf::IfOp::create(rewriter, loc, condition,
                                 /*withElseRegion=*/false);
  rewriter.inlineBlockBefore(&init, guard.thenYield(), block.getBindings());
  ++numGuardedInits;
}

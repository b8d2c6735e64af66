//===- LoopUtils.cpp - Utilities of loop passes ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LoopUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

bool tir::hasNoEffect(ForOp loop) {
  // Nested operations may only compute or read.
  return !loop.getBody()
              .walk([](Operation *op) {
                if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
                  return WalkResult::advance();
                return isMemoryEffectFree(op) ||
                               hasSingleEffect<MemoryEffects::Read>(op)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool tir::isSelfStore(memref::StoreOp store) {
  auto load = store.getValueToStore().getDefiningOp<memref::LoadOp>();
  if (!load || load->getBlock() != store->getBlock() ||
      load.getMemRef() != store.getMemRef() ||
      !llvm::equal(load.getIndices(), store.getIndices()))
    return false;
  // Buffers may overlap, so any write in between may change the element.
  for (Operation *op = load->getNextNode(); op != store; op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op))
      return false;
  return true;
}

int64_t tir::countOperations(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

void tir::collectConditions(ForOp loop, Value condition,
                            SmallVectorImpl<Value> &conditions) {
  SmallVector<Value> worklist = {condition};
  llvm::SmallPtrSet<Value, 8> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    // Operations outside of the loop are invariant and need no decomposition.
    if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
        loop->isProperAncestor(op))
      worklist.append({op->getOperand(1), op->getOperand(0)});
    else if (!isa_and_nonnull<arith::ConstantOp>(op))
      conditions.push_back(value);
  }
}

namespace {
struct RemoveSelfStore : OpRewritePattern<memref::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::StoreOp store,
                                PatternRewriter &rewriter) const override {
    if (!isSelfStore(store))
      return failure();
    rewriter.eraseOp(store);
    return success();
  }
};

struct RemoveNoOpLoop : OpRewritePattern<ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ForOp loop,
                                PatternRewriter &rewriter) const override {
    if (!hasNoEffect(loop))
      return failure();
    rewriter.eraseOp(loop);
    return success();
  }
};
} // namespace

LoopSpecializer::LoopSpecializer(MLIRContext *context) {
  RewritePatternSet owned(context);
  for (StringRef name :
       {"scf.if", "arith.andi", "arith.ori", "arith.xori", "arith.select"})
    if (auto op = RegisteredOperationName::lookup(name, context))
      op->getCanonicalizationPatterns(owned, context);
  owned.add<RemoveSelfStore, RemoveNoOpLoop>(context);
  patterns = std::move(owned);
}

ForOp LoopSpecializer::clone(ForOp loop, OpFoldResult lower, OpFoldResult upper,
                             OpBuilder &builder, IRMapping &mapping) {
  auto copy =
      ForOp::create(builder, loop.getLoc(), lower, upper, loop.getKind());
  copy.setLabelAttr(loop.getLabelAttr());
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mapping.map(loop.getInductionVar(), copy.getInductionVar());
  Block &body = copy.getBody().front();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(body.getTerminator());
  for (Operation &op : loop.getBody().front().without_terminator())
    builder.clone(op, mapping);
  body.getTerminator()->setDiscardableAttrs(
      loop.getBody().front().getTerminator()->getDiscardableAttrDictionary());
  return copy;
}

void LoopSpecializer::setCondition(ForOp loop, Value condition, bool value) {
  auto builder = OpBuilder::atBlockBegin(&loop.getBody().front());
  Value constant = arith::ConstantOp::create(builder, loop.getLoc(),
                                             builder.getBoolAttr(value));
  condition.replaceUsesWithIf(constant, [&](OpOperand &use) {
    return loop->isProperAncestor(use.getOwner());
  });
}

bool LoopSpecializer::simplify(ForOp loop) const {
  SmallVector<Operation *> operations;
  loop.getBody().walk([&](Operation *op) { operations.push_back(op); });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.setScope(&loop->getParentOfType<FuncOp>().getBody());
  // Reaching the driver's iteration limit leaves correct code, so it is no
  // failure.
  (void)applyOpPatternsGreedily(operations, patterns, config);
  if (!hasNoEffect(loop))
    return true;
  loop.erase();
  return false;
}

//===- RemoveNoOp.cpp - Remove operations without effect ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LoopUtils.h"

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_REMOVENOOPPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Erases loops without effect. (Upstream's driver only erases trivially dead
/// operations; a loop that reads is not one.)
struct RemoveLoop : OpRewritePattern<ForOp> {
  RemoveLoop(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}
  LogicalResult matchAndRewrite(ForOp loop,
                                PatternRewriter &rewriter) const override {
    if (!hasNoEffect(loop))
      return failure();
    rewriter.eraseOp(loop);
    ++count;
    return success();
  }
  Pass::Statistic &count;
};

/// Erases stores of a value that was just loaded from the same place.
struct RemoveStore : OpRewritePattern<memref::StoreOp> {
  RemoveStore(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}
  LogicalResult matchAndRewrite(memref::StoreOp store,
                                PatternRewriter &rewriter) const override {
    if (!isSelfStore(store))
      return failure();
    rewriter.eraseOp(store);
    ++count;
    return success();
  }
  Pass::Statistic &count;
};

/// Erases buffers that are never read, with the stores to them.
struct RemoveBuffer : OpRewritePattern<AllocOp> {
  RemoveBuffer(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}
  LogicalResult matchAndRewrite(AllocOp alloc,
                                PatternRewriter &rewriter) const override {
    for (Operation *user : alloc->getUsers())
      if (!isa<memref::StoreOp>(user))
        return failure();
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      rewriter.eraseOp(user);
    rewriter.eraseOp(alloc);
    ++count;
    return success();
  }
  Pass::Statistic &count;
};

struct RemoveNoOpPass : uma::tir::impl::RemoveNoOpPassBase<RemoveNoOpPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<RemoveLoop>(context, numLoops);
    patterns.add<RemoveStore>(context, numStores);
    patterns.add<RemoveBuffer>(context, numBuffers);
    // Fold constant conditions, empty branches, and loops without iterations.
    scf::IfOp::getCanonicalizationPatterns(patterns, context);
    ForOp::getCanonicalizationPatterns(patterns, context);
    // Reaching the driver's iteration limit leaves correct code, so it is no
    // failure.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace

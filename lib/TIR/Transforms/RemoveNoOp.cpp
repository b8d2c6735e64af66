//===- RemoveNoOp.cpp - Remove what has no effect -------------------------===//
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
/// (Upstream's driver removes only operations that are trivially dead, which
/// loops that read are not.)
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

/// Writing back what was just read.
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

/// Nobody reads the buffer: the stores to it are nothing, and then the buffer.
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
    // Constant conditions, empty branches; loops without iterations.
    scf::IfOp::getCanonicalizationPatterns(patterns, context);
    ForOp::getCanonicalizationPatterns(patterns, context);
    // Running into the driver's limit leaves correct code, so it is no failure.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace

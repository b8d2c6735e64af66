//===- Simplify.cpp - Fold, merge and hoist index arithmetic -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's canonicalization, loop-invariant code motion and CSE, limited to
// what TIR functions hold: a pass manager of somebody else's may keep other
// operations in the module, which are none of our business.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_SIMPLIFYPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
struct SimplifyPass : uma::tir::impl::SimplifyPassBase<SimplifyPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    for (StringRef name : {"arith", "math", "memref", "scf"}) {
      if (Dialect *dialect = context->getLoadedDialect(name))
        dialect->getCanonicalizationPatterns(owned);
      for (RegisteredOperationName op :
           context->getRegisteredOperationsByDialect(name))
        op.getCanonicalizationPatterns(owned, context);
    }
    for (RegisteredOperationName op :
         context->getRegisteredOperationsByDialect("uma"))
      if (op.hasTrait<TIRFamily>())
        op.getCanonicalizationPatterns(owned, context);
    patterns = std::move(owned);
    return success();
  }

  void runOnOperation() override {
    FuncOp func = getOperation();
    // Running into the driver's limit leaves correct code, so it is no failure.
    (void)applyPatternsGreedily(func, patterns);
    // Outermost terms leave first, so the order of the walk is inside out.
    func.walk([&](LoopLikeOpInterface loop) {
      numHoisted += moveLoopInvariantCode(loop);
    });
    // Hoisting brings equal expressions of several loops together.
    auto count = [&] {
      unsigned operations = 0;
      func.walk([&](Operation *) { ++operations; });
      return operations;
    };
    unsigned before = count();
    IRRewriter rewriter(&getContext());
    DominanceInfo &dominance = getAnalysis<DominanceInfo>();
    eliminateCommonSubExpressions(rewriter, dominance, func);
    numMerged += before - count();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

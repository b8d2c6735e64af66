//===- Simplify.cpp - Fold, merge and hoist index arithmetic --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's canonicalization, loop-invariant code motion and CSE, limited to
// the bodies of TIR functions: other operations of the module may belong to
// other pipelines. Comparisons whose results follow from the range of an
// integer are folded, too.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "KnownRanges.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// Moves index arithmetic out of conditions. Loop-invariant code motion only
/// considers operations directly in the loop, but a padded convolution computes
/// its addresses under the test for the padding.
static void hoistFromConditions(FuncOp func) {
  func.walk([](scf::IfOp condition) {
    for (Region *region : condition.getRegions()) {
      if (region->empty())
        continue;
      for (Operation &op : llvm::make_early_inc_range(region->front())) {
        bool isIndexArithmetic = isPure(&op) && op.getNumRegions() == 0 &&
                                 op.getNumResults() == 1 &&
                                 op.getResult(0).getType().isIndex();
        bool isAvailable = llvm::none_of(op.getOperands(), [&](Value operand) {
          return region->isAncestor(operand.getParentRegion());
        });
        if (isIndexArithmetic && isAvailable)
          op.moveBefore(condition);
      }
    }
  });
}

namespace {
struct SimplifyPass : uma::tir::impl::SimplifyPassBase<SimplifyPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    auto isSimplified = [](StringRef dialect) {
      return llvm::is_contained({"arith", "math", "memref", "scf"}, dialect);
    };
    for (Dialect *dialect : context->getLoadedDialects())
      if (isSimplified(dialect->getNamespace()))
        dialect->getCanonicalizationPatterns(owned);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (isSimplified(op.getDialectNamespace()) || op.hasTrait<TIRFamily>())
        op.getCanonicalizationPatterns(owned, context);
    populateKnownRangePatterns(owned);
    patterns = std::move(owned);
    return success();
  }

  void runOnOperation() override {
    FuncOp func = getOperation();
    // Reaching the driver's iteration limit leaves correct code, so it is no
    // failure.
    (void)applyPatternsGreedily(func, patterns);
    hoistFromConditions(func);
    // Hoist from inner to outer loops, so that terms can leave several loops.
    func.walk([&](LoopLikeOpInterface loop) {
      numHoisted += moveLoopInvariantCode(loop);
    });
    // Hoisting brings equal expressions of several loops into one block.
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

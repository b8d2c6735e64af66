//===- UnrollLoop.cpp - Unroll loops of kind unrolled ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Unrolls outer loops first: inner bounds that depend on the outer variable
// become constants in the copies.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_UNROLLLOOPPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
struct UnrollLoopPass : uma::tir::impl::UnrollLoopPassBase<UnrollLoopPass> {
  using UnrollLoopPassBase::UnrollLoopPassBase;

  /// Replaces the loop by copies of its body, and adds unrolled loops in them
  /// to `worklist`.
  void unroll(ForOp loop, int64_t lower, int64_t upper,
              SmallVectorImpl<ForOp> &worklist);

  void runOnOperation() override {
    SmallVector<ForOp> worklist;
    collect(getOperation(), worklist);
    while (!worklist.empty()) {
      ForOp loop = worklist.pop_back_val();
      std::optional<int64_t> lower = getConstantIntValue(loop.getLower());
      std::optional<int64_t> upper = getConstantIntValue(loop.getUpper());
      int64_t extent;
      if (!lower || !upper || llvm::SubOverflow(*upper, *lower, extent) ||
          extent > maxExtent) {
        loop.setKind(ForKind::Serial);
        ++numKept;
        collect(loop, worklist);
        continue;
      }
      unroll(loop, *lower, *upper, worklist);
      ++numUnrolled;
    }
  }

  /// Adds the outermost loops of kind unrolled inside `op` to `worklist`.
  static void collect(Operation *op, SmallVectorImpl<ForOp> &worklist) {
    for (Region &region : op->getRegions())
      region.walk<WalkOrder::PreOrder>([&](ForOp loop) {
        if (loop.getKind() != ForKind::Unrolled)
          return WalkResult::advance();
        worklist.push_back(loop);
        return WalkResult::skip();
      });
  }
};
} // namespace

void UnrollLoopPass::unroll(ForOp loop, int64_t lower, int64_t upper,
                            SmallVectorImpl<ForOp> &worklist) {
  IRRewriter rewriter(loop);
  for (int64_t i = lower; i < upper; ++i) {
    IRMapping mapping;
    mapping.map(
        loop.getInductionVar(),
        arith::ConstantIndexOp::create(rewriter, loop.getLoc(), i).getResult());
    for (Operation &op : loop.getBody().front().without_terminator()) {
      Operation *copy = rewriter.clone(op, mapping);
      auto inner = dyn_cast<ForOp>(copy);
      if (inner && inner.getKind() == ForKind::Unrolled)
        worklist.push_back(inner);
      else
        collect(copy, worklist);
    }
  }
  rewriter.eraseOp(loop);
}

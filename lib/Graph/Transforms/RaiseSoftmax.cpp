//===- RaiseSoftmax.cpp - Recognise a decomposed softmax ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Matches only the form that subtracts the largest element first. Without it,
// exponentials may overflow that do not overflow in the softmax operator.
//
//===----------------------------------------------------------------------===//

#include "RaiseOps.h"

#include "Constants.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Returns the dimension that `op` reduces if it is the only one and kept with
/// size 1, or std::nullopt otherwise.
template <typename ReductionOp>
static std::optional<int64_t> getOnlyAxis(ReductionOp op) {
  int64_t rank = op.getData().getType().getRank();
  SmallVector<bool> reduced = getReducedDims(op.getAxis(), rank);
  if (!op.getKeepdims() || llvm::count(reduced, true) != 1)
    return std::nullopt;
  return llvm::find(reduced, true) - reduced.begin();
}

/// Replaces `quotient` = `exponential` / `total` if it is a softmax.
static LogicalResult raiseSoftmax(PatternRewriter &rewriter,
                                  Operation *quotient, Value exponential,
                                  Value total, MatchedOps matched) {
  matched.add(quotient);
  auto exp = matched.match<ExpOp>(exponential);
  auto sum = matched.match<SumOp>(total);
  auto difference =
      exp ? matched.match<SubtractOp>(exp.getData()) : SubtractOp();
  auto largest =
      difference ? matched.match<MaxOp>(difference.getRhs()) : MaxOp();
  if (!sum || !largest || sum.getData() != exp.getResult() ||
      largest.getData() != difference.getLhs())
    return failure();
  Value data = largest.getData();
  std::optional<int64_t> axis = getOnlyAxis(sum);
  if (!axis || getOnlyAxis(largest) != axis || !matched.isClosed(quotient))
    return failure();
  auto type = cast<RankedTensorType>(data.getType());
  rewriter.replaceOpWithNewOp<SoftmaxOp>(
      quotient, type, data, static_cast<uint64_t>(*axis - type.getRank()));
  return success();
}

namespace {
/// exp(x - max(x)) / sum(exp(x - max(x)))
struct RaiseSoftmaxQuotient : OpRewritePattern<DivideOp> {
  RaiseSoftmaxQuotient(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(DivideOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(raiseSoftmax(rewriter, op, op.getLhs(), op.getRhs(), {})))
      return rewriter.notifyMatchFailure(op, "no softmax");
    ++count;
    return success();
  }

  Pass::Statistic &count;
};

/// exp(x - max(x)) * (1 / sum(exp(x - max(x))))
struct RaiseSoftmaxProduct : OpRewritePattern<MultiplyOp> {
  RaiseSoftmaxProduct(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(MultiplyOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [exponential, factor] : getBothOrders(op)) {
      MatchedOps matched;
      auto inverse = matched.match<DivideOp>(factor);
      if (inverse && isScalar(inverse.getLhs(), 1) &&
          succeeded(raiseSoftmax(rewriter, op, exponential, inverse.getRhs(),
                                 matched))) {
        ++count;
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no softmax");
  }

  Pass::Statistic &count;
};
} // namespace

void graph::populateRaiseSoftmaxPatterns(RewritePatternSet &patterns,
                                         Pass::Statistic &count) {
  patterns.add<RaiseSoftmaxQuotient, RaiseSoftmaxProduct>(patterns.getContext(),
                                                          count);
}

//===- RaiseAttention.cpp - Recognise decomposed attention ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Matches backwards from the product with the values. Exporters scale queries,
// keys or scores; some split the scale between queries and keys.
//
//===----------------------------------------------------------------------===//

#include "RaiseOps.h"

#include "Constants.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Matches products and quotients of `value` with scalars. Returns the total
/// factor, 1 if there is none, and sets `value` to the unscaled value.
static double matchScale(Value &value, MatchedOps &matched) {
  double scale = 1.0;
  while (true) {
    size_t size = matched.size();
    std::optional<double> factor;
    Value scaled;
    if (auto product = matched.match<MultiplyOp>(value)) {
      for (auto [data, scalar] : getBothOrders(product))
        if (!factor && (factor = getScalar(scalar)))
          scaled = data;
    } else if (auto quotient = matched.match<DivideOp>(value)) {
      std::optional<double> divisor = getScalar(quotient.getRhs());
      if (divisor && *divisor != 0.0) {
        factor = 1.0 / *divisor;
        scaled = quotient.getLhs();
      }
    }
    // A constant may broadcast the data to another shape.
    if (!factor || scaled.getType() != value.getType()) {
      matched.truncate(size);
      return scale;
    }
    scale *= *factor;
    value = scaled;
  }
}

namespace {
struct RaiseAttention : OpRewritePattern<BatchMatmulOp> {
  RaiseAttention(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(BatchMatmulOp op,
                                PatternRewriter &rewriter) const override;

  Pass::Statistic &count;
};
} // namespace

LogicalResult RaiseAttention::matchAndRewrite(BatchMatmulOp op,
                                              PatternRewriter &rewriter) const {
  auto fail = [&] { return rewriter.notifyMatchFailure(op, "no attention"); };
  MatchedOps matched;
  matched.add(op);
  auto softmax = matched.match<SoftmaxOp>(op.getLhs());
  if (!softmax || op.getTransposeA() || op.getOutDtype() ||
      getPositiveAxis(static_cast<int64_t>(softmax.getAxis()),
                      getTensorType(softmax).getRank()) !=
          getTensorType(softmax).getRank() - 1)
    return fail();

  Value scores = softmax.getData(), mask;
  BatchMatmulOp product;
  double scale = 1.0;
  auto matchProduct = [&](Value value) {
    size_t size = matched.size();
    Value scaled = value;
    scale = matchScale(scaled, matched);
    product = matched.match<BatchMatmulOp>(scaled);
    if (product && !product.getTransposeA() && !product.getOutDtype())
      return true;
    matched.truncate(size);
    return false;
  };
  if (!matchProduct(scores)) {
    auto sum = matched.match<AddOp>(scores);
    if (!sum)
      return fail();
    for (auto [left, right] : getBothOrders(sum))
      if (!mask && left.getType() == scores.getType() && matchProduct(left))
        mask = right;
    if (!mask)
      return fail();
  }
  Value query = product.getLhs(), key = product.getRhs();
  Value value = op.getRhs();
  scale *= matchScale(query, matched);
  scale *= matchScale(key, matched);
  // The values may have more batches than the scores.
  if (!isa<FloatType>(getTensorType(query).getElementType()) ||
      !matched.isClosed(op) ||
      getTensorType(op).getShape().drop_back() !=
          getTensorType(scores).getShape().drop_back())
    return fail();

  auto transpose = [&](Value data) -> Value {
    RankedTensorType type = getTensorType(data);
    SmallVector<int64_t> shape(type.getShape());
    SmallVector<int64_t> axes(
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
    std::swap(shape[shape.size() - 2], shape.back());
    std::swap(axes[axes.size() - 2], axes.back());
    return TransposeOp::create(
        rewriter, data.getLoc(),
        RankedTensorType::get(shape, type.getElementType()), data, axes);
  };
  if (!product.getTransposeB())
    key = transpose(key);
  if (op.getTransposeB())
    value = transpose(value);
  rewriter.replaceOpWithNewOp<AttentionOp>(op, op.getType(), query, key, value,
                                           mask, llvm::APFloat(scale));
  ++count;
  return success();
}

void graph::populateRaiseAttentionPatterns(RewritePatternSet &patterns,
                                           Pass::Statistic &count) {
  patterns.add<RaiseAttention>(patterns.getContext(), count);
}

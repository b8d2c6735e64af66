//===- DecomposeAttention.cpp - Attention as products of matrices ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Attention is one operator so that accelerators can match it as a whole. The
// CPU computes its two matrix products like any batch_matmul.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_DECOMPOSEATTENTIONPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

static void decompose(AttentionOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  auto keyType = cast<RankedTensorType>(op.getKey().getType());
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.push_back(keyType.getDimSize(keyType.getRank() - 2));
  auto scoresType = RankedTensorType::get(shape, type.getElementType());
  Value scores = BatchMatmulOp::create(
      builder, loc, scoresType, op.getQuery(), op.getKey(),
      /*transpose_a=*/builder.getBoolAttr(false),
      /*transpose_b=*/builder.getBoolAttr(true), /*out_dtype=*/TypeAttr());
  double scale = op.getScale().convertToDouble();
  if (scale != 1.0) {
    HostTensor factor(RankedTensorType::get({}, type.getElementType()));
    factor.setDouble(0, scale);
    Value constant = createConstant(builder, op, "scale", factor);
    scores = MultiplyOp::create(builder, loc, scoresType, scores, constant);
  }
  if (Value mask = op.getMask())
    scores = AddOp::create(builder, loc, scoresType, scores, mask);
  Value weights =
      SoftmaxOp::create(builder, loc, scoresType, scores, uint64_t(-1));
  Value result = BatchMatmulOp::create(
      builder, loc, type, weights, op.getValue(),
      /*transpose_a=*/builder.getBoolAttr(false),
      /*transpose_b=*/builder.getBoolAttr(false), /*out_dtype=*/TypeAttr());
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct DecomposeAttentionPass
    : uma::graph::impl::DecomposeAttentionPassBase<DecomposeAttentionPass> {
  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation()))
      if (auto attention = dyn_cast<AttentionOp>(op)) {
        decompose(attention);
        ++numAttentions;
      }
  }
};
} // namespace

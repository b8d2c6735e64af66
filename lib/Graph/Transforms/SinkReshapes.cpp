//===- SinkReshapes.cpp - Move reshapes behind operators ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// This is a separate pass instead of a canonicalization pattern because moving
// a reshape behind an operator is beneficial in this kind of graph only.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_SINKRESHAPESPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Maps each dimension of `wide` to its dimension of `narrow`, or to -1 if it
/// is dropped. Returns std::nullopt unless `narrow` is `wide` without some
/// dimensions of size 1.
static std::optional<SmallVector<int64_t>> matchDims(ArrayRef<int64_t> wide,
                                                     ArrayRef<int64_t> narrow) {
  SmallVector<int64_t> dims;
  size_t next = 0;
  for (int64_t extent : wide) {
    bool isKept = next < narrow.size() && narrow[next] == extent;
    if (!isKept && extent != 1)
      return std::nullopt;
    dims.push_back(isKept ? int64_t(next++) : -1);
  }
  if (next != narrow.size() || wide.size() == narrow.size())
    return std::nullopt;
  return dims;
}

/// Returns the reshape that defines `value` if it only drops dimensions of size
/// 1 of the result of a window operator, a bias_add or an elementwise operator.
/// Returns null otherwise.
static ReshapeOp getSqueeze(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  Operation *source = reshape ? reshape.getData().getDefiningOp() : nullptr;
  if (!source || !(isa<WindowOpInterface, BiasAddOp>(source) ||
                   source->hasTrait<Elementwise>()))
    return nullptr;
  return matchDims(reshape.getData().getType().getShape(),
                   reshape.getType().getShape())
             ? reshape
             : nullptr;
}

namespace {
/// op(reshape(x), reshape(y), c) -> reshape(op(x, y, reshape(c)))
struct SinkReshape : OpTraitRewritePattern<Elementwise> {
  SinkReshape(MLIRContext *context, Pass::Statistic &count)
      : OpTraitRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    ArrayRef<int64_t> wide;
    for (Value operand : op->getOperands())
      if (ReshapeOp squeeze = getSqueeze(operand);
          squeeze && squeeze.getType().getShape() == type.getShape())
        wide = squeeze.getData().getType().getShape();
    if (wide.empty())
      return rewriter.notifyMatchFailure(op, "no operand is such a reshape");
    SmallVector<int64_t> dims = *matchDims(wide, type.getShape());
    auto sourceOf = [&](Value operand) -> Value {
      ReshapeOp squeeze = getSqueeze(operand);
      return squeeze && squeeze.getData().getType().getShape() == wide
                 ? squeeze.getData()
                 : Value();
    };
    for (Value operand : op->getOperands())
      if (!sourceOf(operand) && !operand.getDefiningOp<ConstantOp>())
        return rewriter.notifyMatchFailure(op, "an operand has no such shape");

    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value source = sourceOf(operand);
      auto constant = cast<RankedTensorType>(operand.getType());
      // One value broadcasts to any shape.
      if (!source && constant.getNumElements() == 1)
        continue;
      if (!source) {
        // Dimensions of the constant align with the last ones of the result.
        int64_t missing = type.getRank() - constant.getRank();
        SmallVector<int64_t> shape;
        for (int64_t dim : dims)
          shape.push_back(dim < missing ? 1
                                        : constant.getDimSize(dim - missing));
        source = ReshapeOp::create(rewriter, op->getLoc(),
                                   constant.clone(shape), operand, shape);
      }
      mapping.map(operand, source);
    }
    Operation *sunk = rewriter.clone(*op, mapping);
    sunk->getResult(0).setType(type.clone(wide));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, sunk->getResult(0),
                                           type.getShape());
    ++count;
    return success();
  }

private:
  Pass::Statistic &count;
};

struct SinkReshapesPass
    : uma::graph::impl::SinkReshapesPassBase<SinkReshapesPass> {
  using SinkReshapesPassBase::SinkReshapesPassBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<SinkReshape>(context, numSunk);
    // Merge with the reshape in front of the next window operator.
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    // Each reshape moves behind every operator at most once, so this ends.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(getGraphOps(getOperation()),
                                       std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace

//===- SinkReshapes.cpp - Reshapes of windows' results come last ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pass of its own and no canonicalization pattern: that a reshape is better
// behind an operator than in front of it is so for this shape of graph alone.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

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

/// Where `narrow` has the dimensions of `wide` but for some of size 1: for each
/// of `wide` the one of `narrow`, or -1.
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

/// Returns the reshape that `value` is the result of, if it drops dimensions of
/// size 1 of what a window slides over, directly or through other such
/// operators.
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
/// op(reshape(x), reshape(y), c) -> reshape(op(x, y, reshape(c))).
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
        // The dimensions of the result that the constant has are the last ones.
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
    // What meets the reshape that the next window begins with becomes one.
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    // Each reshape goes on past every operator once: the driver always ends.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace

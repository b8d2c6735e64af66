//===- RaiseOps.cpp - Recognise decomposed operators ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Exporters write a layer normalisation as nine operators. Accelerators and our
// own strategies support it as one operator, which is computed in one loop nest
// without intermediate tensors.
//
//===----------------------------------------------------------------------===//

#include "RaiseOps.h"

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_RAISEOPSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

std::optional<double> graph::getScalar(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  auto type = cast<RankedTensorType>(constant.getResult().getType());
  if (!isa<FloatType>(type.getElementType()))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
    return splat.getSplatValue<APFloat>().convertToDouble();
  if (type.getNumElements() != 1)
    return std::nullopt;
  std::optional<HostTensor> tensor = getConstant(value);
  return tensor ? std::optional(tensor->getDouble(0)) : std::nullopt;
}

bool graph::isClose(double value, double expected, Type elementType) {
  constexpr int kUlps = 4;
  int digits = int(cast<FloatType>(elementType).getFPMantissaWidth());
  double ulp = std::ldexp(std::fabs(expected), 1 - digits);
  return std::fabs(value - expected) <= kUlps * ulp;
}

bool graph::isScalar(Value value, double expected) {
  std::optional<double> scalar = getScalar(value);
  return scalar &&
         isClose(*scalar, expected,
                 cast<RankedTensorType>(value.getType()).getElementType());
}

bool MatchedOps::isClosed(Operation *root) const {
  return llvm::all_of(ops, [&](Operation *op) {
    return op == root || llvm::all_of(op->getUsers(), [&](Operation *user) {
             return llvm::is_contained(ops, user);
           });
  });
}

namespace {
struct RaiseOpsPass : uma::graph::impl::RaiseOpsPassBase<RaiseOpsPass> {
  using RaiseOpsPassBase::RaiseOpsPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateRaiseActivationPatterns(patterns, numActivations);
    populateRaiseAttentionPatterns(patterns, numAttentions);
    populateRaiseNormalizationPatterns(patterns, numNormalizations);
    populateRaiseSoftmaxPatterns(patterns, numSoftmaxes);

    // Visit operators of the graph only, not the bodies of composites, and do
    // not fold.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
        .enableFolding(false)
        .enableConstantCSE(false)
        .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    SmallVector<Operation *> ops = getGraphOps(getOperation());
    (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
  }
};
} // namespace

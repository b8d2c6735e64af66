//===- GraphDefault.cpp - Default passes of a graph -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The order and the levels are the same as in TVM's `relay.build`
// (`GetPassPrefix` in src/relay/backend/utils.cc). Comments at the passes
// explain deviations.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_GRAPHDEFAULTPASS
#include "uma/Pipelines/Passes.h.inc"
} // namespace uma

void uma::buildGraphDefaultPipeline(OpPassManager &manager,
                                    const GraphDefaultPassOptions &options) {
  // Adds a pass if the level is at least `level`.
  auto add = [&](int64_t level, std::unique_ptr<Pass> pass) {
    if (options.optLevel >= level)
      manager.addPass(std::move(pass));
  };
  // batch_norm becomes a multiply and a bias_add, which the next passes handle.
  add(0, graph::createSimplifyInferencePass());
  // CSE runs before layers are combined and operators raised: duplicates are
  // not parallel branches, and they hide that a value has a single use.
  add(3, createCSEPass());
  // Before the weights' integers are folded to floats.
  add(2, graph::createFoldQuantizationPass());
  // Combine branches that read the same data. Before constant folding, since
  // this concatenates weights.
  add(4, graph::createCombineParallelConv2dPass());
  add(4, graph::createCombineParallelDensePass());
  add(2, graph::createFoldConstantPass());
  // Epsilons and exponents are constants now. Before canonicalize-ops, which
  // would turn a normalisation's shift into the bias of the preceding layer.
  add(2, graph::createRaiseOpsPass());
  // Additions become bias_add, through which factors are folded into weights.
  add(3, graph::createCanonicalizeOpsPass());
  add(3, graph::createFoldScaleAxisPass());
  // Local simplifications. No level, since MLIR's own passes run them as well.
  add(0, createCanonicalizerPass());
  add(3, graph::createSinkReshapesPass());
  // Duplicating casts pays only if they are fused with their users, but here
  // each layer is a separate function.
  graph::CanonicalizeCastPassOptions casts;
  casts.pushDown = false;
  add(3, graph::createCanonicalizeCastPass(casts));
  // Without the factor between them, two bias_adds may become adjacent and
  // merge.
  add(3, graph::createCanonicalizeOpsPass());
  // Layouts are changed here (AlterOpLayout, 3): the passes above do not
  // support them, and the conversions of weights are folded below.
  //
  // Scaled weights and merged biases are constant expressions, some of them
  // equal.
  add(2, graph::createFoldConstantPass());
  add(3, createCSEPass());
  // Operators are fused here (FuseOps, 0), since accelerators' patterns and all
  // passes above match single operators.
  add(0, graph::createVerifyPass());
}

namespace {
struct GraphDefaultPass : uma::impl::GraphDefaultPassBase<GraphDefaultPass> {
  using GraphDefaultPassBase::GraphDefaultPassBase;

  void runOnOperation() override {
    if (optLevel < 0 || optLevel > 4) {
      getOperation().emitError() << "uma-graph-default: opt-level is "
                                 << optLevel.getValue() << ", expected 0 to 4";
      return signalPassFailure();
    }
    if (accel::hasComposites(getOperation()))
      return;
    GraphDefaultPassOptions options;
    options.optLevel = optLevel;
    OpPassManager manager(ModuleOp::getOperationName());
    buildGraphDefaultPipeline(manager, options);
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace

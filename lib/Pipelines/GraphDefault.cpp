//===- GraphDefault.cpp - The passes that every graph gets ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The order and the levels are those of TVM's `relay.build` (`GetPassPrefix` in
// src/relay/backend/utils.cc). What deviates is said at the pass.
//
//===----------------------------------------------------------------------===//

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
  // Adds a pass from its level on.
  auto add = [&](int64_t level, std::unique_ptr<Pass> pass) {
    if (options.optLevel >= level)
      manager.addPass(std::move(pass));
  };
  // batch_norm becomes a multiply and a bias_add, which the next passes know.
  add(0, graph::createSimplifyInferencePass());
  // Before layers are combined and operators raised: what an exporter wrote
  // twice is no parallel branch, and its copies hide the use of one value.
  add(3, createCSEPass());
  // Branches that read the same data. Before constants are folded, since this
  // concatenates weights.
  add(4, graph::createCombineParallelConv2dPass());
  add(4, graph::createCombineParallelDensePass());
  add(2, graph::createFoldConstantPass());
  // Epsilons and exponents are constants now. Before canonicalize-ops, which
  // would write a normalisation's shift as the bias of the layer before it.
  add(2, graph::createRaiseOpsPass());
  // Additions become bias_add, through which factors go into the weights.
  add(3, graph::createCanonicalizeOpsPass());
  add(3, graph::createFoldScaleAxisPass());
  // Local simplifications; no level, since MLIR's own passes run them, too.
  add(0, createCanonicalizerPass());
  add(3, graph::createSinkReshapesPass());
  // Copies of casts pay when they are fused with their users, and each layer is
  // a function of its own here.
  graph::CanonicalizeCastPassOptions casts;
  casts.pushDown = false;
  add(3, graph::createCanonicalizeCastPass(casts));
  // Without the factor between them, two bias_adds may meet and become one.
  add(3, graph::createCanonicalizeOpsPass());
  // Layouts are changed here (AlterOpLayout, 3): nothing above knows them, and
  // what that does to weights is folded below.
  //
  // Scaled weights and merged biases are constant expressions, and some of them
  // equal.
  add(2, graph::createFoldConstantPass());
  add(3, createCSEPass());
  // Operators are fused here (FuseOps, 0), since accelerators' patterns and all
  // passes above look at single operators.
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
    GraphDefaultPassOptions options;
    options.optLevel = optLevel;
    OpPassManager manager(ModuleOp::getOperationName());
    buildGraphDefaultPipeline(manager, options);
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace

//===- Lower.cpp - Lower a graph to plain TIR with a memory plan ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PhaseDialects.h"

#include "uma/Conversion/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_LOWERPASS
#include "uma/Pipelines/Passes.h.inc"
} // namespace uma

static tir::VerifyPassOptions verifyStage(StringRef stage) {
  tir::VerifyPassOptions options;
  options.stage = stage.str();
  return options;
}

namespace {
struct LowerPass : uma::impl::LowerPassBase<LowerPass> {
  using LowerPassBase::LowerPassBase;

  LogicalResult addPasses(OpPassManager &manager) {
    ModuleOp module = getOperation();

    // Every operator is a layer of its own: nothing fuses loop nests yet.
    manager.addPass(graph::createDefuseOpsPass());
    // What stayed whole for accelerators and none of them took.
    manager.addPass(graph::createDecomposeAttentionPass());

    // Phase 0 sees blocks and multi-dimensional buffers: what schedules work
    // on.
    ConvertGraphToTIRPassOptions conversion;
    conversion.vectorize = vectorize;
    conversion.winograd = winograd;
    manager.addPass(createConvertGraphToTIRPass(conversion));
    if (failed(addPhasePipelines(module, Phase::TIRPhase0, manager)))
      return failure();
    manager.addPass(tir::createVerifyPass(verifyStage("schedulable")));
    // Schedules leave buffers of which a tile is used at a time; blocks tell
    // which.
    manager.addPass(tir::createCompactBufferAllocationPass());
    // Blocks guard what schedules may do; from here on nothing is scheduled.
    manager.addPass(tir::createLowerBlockPass());

    // Phase 1 flattens storage. Simplification follows at once, because
    // flattening leaves index arithmetic that folds.
    manager.addPass(tir::createStorageFlattenPass());
    manager.addPass(tir::createSimplifyPass());
    if (failed(addPhasePipelines(module, Phase::TIRPhase1, manager)))
      return failure();

    // Phase 2 transforms loops; a device's own passes may still mark loops as
    // unrolled, so they run first.
    if (failed(addPhasePipelines(module, Phase::TIRPhase2, manager)))
      return failure();
    manager.addPass(tir::createVectorizeLoopPass());
    manager.addPass(tir::createUnrollLoopPass());
    // Indices became constants.
    manager.addPass(tir::createSimplifyPass());
    manager.addPass(tir::createPromoteLocalPass());

    // Phase 3 cleans up after the others.
    manager.addPass(tir::createSimplifyPass());
    manager.addPass(tir::createRemoveNoOpPass());
    // Equal arguments are one value now.
    manager.addPass(tir::createRemoveRedundantConfigurationPass());
    if (failed(addPhasePipelines(module, Phase::TIRPhase3, manager)))
      return failure();

    // Buffers may have vanished until here, so memory is planned last.
    manager.addPass(tir::createPlanMemoryPass());
    manager.addPass(tir::createVerifyPass(verifyStage("plain")));
    return success();
  }

  void runOnOperation() override {
    // Implicit nesting: passes on functions may be named without saying so.
    OpPassManager manager(ModuleOp::getOperationName(),
                          OpPassManager::Nesting::Implicit);
    if (failed(addPasses(manager)) ||
        failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace

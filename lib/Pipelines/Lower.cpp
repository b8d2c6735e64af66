//===- Lower.cpp - Lower a graph to plain TIR with a memory plan ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LowerPhases.h"
#include "PhaseDialects.h"

#include "uma/Accel/Partition/Passes.h"
#include "uma/CPU/Transforms/Passes.h"
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
    ArrayRef<std::string> names[] = {*phase1, *phase2, *phase3};
    FailureOr<LowerPhases> phases = LowerPhases::get(names, *disable, [&] {
      return mlir::emitError(UnknownLoc::get(&getContext())) << "uma-lower: ";
    });
    if (failed(phases))
      return failure();

    // What stayed whole for accelerators and none of them took.
    manager.addPass(graph::createDecomposeAttentionPass());
    // A version for every width is a lot to check; plain loops stand for them.
    bool hasKernels = vectorize && !debugBounds;
    if (!hasKernels && !scripts.empty())
      return mlir::emitError(UnknownLoc::get(&getContext()))
             << "uma-lower: scripts are for the CPU's kernels, and there are "
                "none with vectorize=false and debug-bounds";
    if (hasKernels && accel::hasMatchesForCPU(module)) {
      manager.addPass(accel::createInlineLoweredPass());
      manager.addPass(accel::createMergeCompilerRegionsPass());
      manager.addPass(accel::createPartitionGraphPass());
    }
    if (hasKernels) {
      CPUPlanPassOptions plan;
      plan.winograd = winograd;
      plan.weightGrowth = weightGrowth;
      plan.cpu = cpu;
      plan.scripts = scripts;
      plan.tilePairs = tilePairs;
      plan.tuning = tuning;
      plan.nameWorkloads = nameWorkloads;
      manager.addPass(createCPUPlanPass(plan));
    } else {
      manager.addPass(cpu::createInlineLayersPass());
    }

    // Phase 0 sees blocks and multi-dimensional buffers: what schedules work
    // on.
    ConvertGraphToTIRPassOptions conversion;
    conversion.vectorize = hasKernels;
    conversion.releaseConstants = releaseConstants;
    conversion.deviceReferences = deviceReferences;
    manager.addPass(createConvertGraphToTIRPass(conversion));
    manager.addPass(cpu::createApplyScriptsPass());
    if (failed(addPhasePipelines(module, Phase::TIRPhase0, manager)))
      return failure();
    manager.addPass(tir::createVerifyPass(verifyStage("schedulable")));
    // As early as nothing makes functions any more: all that follows runs once
    // for layers that are equal. Checks of bounds name their layer.
    if (!debugBounds)
      manager.addPass(tir::createMergeFunctionsPass());
    // Schedules leave buffers of which a tile is used at a time; blocks tell
    // which.
    manager.addPass(tir::createCompactBufferAllocationPass());
    // Blocks guard what schedules may do; from here on nothing is scheduled.
    manager.addPass(tir::createLowerBlockPass());

    // Phase 1 flattens storage. Simplification follows at once, because
    // flattening leaves index arithmetic that folds; then what is divided is
    // known to be small.
    phases->addTo(manager, 1);
    if (failed(addPhasePipelines(module, Phase::TIRPhase1, manager)))
      return failure();

    // Phase 2 transforms loops; a device's own passes may still mark loops as
    // unrolled, so they run first. Loops are partitioned before they become
    // vectors, which have no conditions. Storage is rewritten before loops are
    // unrolled, while a loop is one place. Indices become constants then, by
    // which local arrays are split.
    if (failed(addPhasePipelines(module, Phase::TIRPhase2, manager)))
      return failure();
    phases->addTo(manager, 2);

    // Phase 3 cleans up after the others: what is hoisted or made conditional
    // is what is left. Equal arguments of configurations are one value only
    // after simplification.
    phases->addTo(manager, 3);
    if (failed(addPhasePipelines(module, Phase::TIRPhase3, manager)))
      return failure();

    // Buffers may have vanished until here, so memory is planned last.
    tir::PlanMemoryPassOptions plan;
    plan.inPlace = inPlace;
    manager.addPass(tir::createPlanMemoryPass(plan));
    // Nothing is moved after the checks.
    if (debugBounds)
      manager.addPass(tir::createInstrumentBoundCheckersPass());
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

//===- CPUPlan.cpp - Plan how the CPU computes its layers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Transforms/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_CPUPLANPASS
#include "uma/Pipelines/Passes.h.inc"
} // namespace uma

namespace {
struct CPUPlanPass : uma::impl::CPUPlanPassBase<CPUPlanPass> {
  using CPUPlanPassBase::CPUPlanPassBase;

  void runOnOperation() override {
    if (mathType != "f32" && mathType != "bf16") {
      mlir::emitError(UnknownLoc::get(&getContext()))
          << "uma-cpu-plan: math is '" << mathType << "', expected f32 or bf16";
      return signalPassFailure();
    }
    OpPassManager manager(ModuleOp::getOperationName());
    cpu::SetProcessorPassOptions processor;
    processor.cpu = cpu;
    manager.addPass(cpu::createSetProcessorPass(processor));
    manager.addPass(cpu::createWidenFloatsPass());
    manager.addPass(graph::createDecomposeConvolutionsPass());
    manager.addPass(graph::createDecomposeProductsPass());
    if (mathType == "bf16") {
      graph::PadChannelsPassOptions channels;
      channels.floats = true;
      manager.addPass(graph::createPadChannelsPass(channels));
      manager.addPass(cpu::createNarrowProductsPass());
    }
    cpu::LoadScriptsPassOptions byHand;
    byHand.scripts = scripts;
    manager.addPass(cpu::createFormLayersPass());
    manager.addPass(cpu::createNarrowResultsPass());
    manager.addPass(cpu::createLoadScriptsPass(byHand));
    // Layouts depend on the operators of each layer, kernels on the layouts.
    manager.addPass(cpu::createAssignLayoutsPass());
    cpu::SelectKernelsPassOptions kernels;
    kernels.winograd = winograd;
    kernels.weightGrowth = weightGrowth;
    kernels.tuning = tuning;
    manager.addPass(cpu::createSelectKernelsPass(kernels));
    // Fused pairs need other code versions, so pairs are chosen before
    // schedules.
    if (tilePairs) {
      cpu::TilePairsPassOptions pairs;
      pairs.tuning = tuning;
      manager.addPass(cpu::createTilePairsPass(pairs));
    }
    if (tileProducers) {
      cpu::TileProducersPassOptions producers;
      producers.threads = threads;
      producers.tuning = tuning;
      manager.addPass(cpu::createTileProducersPass(producers));
    }
    cpu::SchedulePassOptions schedules;
    schedules.tuning = tuning;
    schedules.nameWorkloads = nameWorkloads;
    manager.addPass(cpu::createSchedulePass(schedules));
    manager.addPass(cpu::createVerifyPass());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace

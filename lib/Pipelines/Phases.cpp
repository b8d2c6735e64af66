//===- Phases.cpp - Pass pipelines that descriptions hook into phases -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/Backend.h"
#include "uma/Accel/Partition/Matcher.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace uma;

StringRef uma::getPhaseName(Phase phase) {
  switch (phase) {
  case Phase::PrePartitioning:
    return "PRE_PARTITIONING";
  case Phase::PostPartitioning0:
    return "POST_PARTITIONING_0";
  case Phase::PostPartitioning1:
    return "POST_PARTITIONING_1";
  case Phase::TIRPhase0:
    return "TIR_PHASE_0";
  case Phase::TIRPhase1:
    return "TIR_PHASE_1";
  case Phase::TIRPhase2:
    return "TIR_PHASE_2";
  case Phase::TIRPhase3:
    return "TIR_PHASE_3";
  }
  llvm_unreachable("every phase has a name");
}

/// Emits an error and fails if a pass in `pipeline` needs a dialect that is not
/// loaded: passes must not load dialects while others run.
static LogicalResult checkDialects(accel::PipelineOp pipeline,
                                   const OpPassManager &passes) {
  DialectRegistry needed, available;
  passes.getDependentDialects(needed);
  createLowerPass()->getDependentDialects(available);
  for (StringRef name : needed.getDialectNames())
    if (!pipeline->getContext()->getLoadedDialect(name) &&
        !available.getDialectAllocator(name))
      return pipeline.emitOpError("of ")
             << pipeline.getPhase() << " needs the dialect '" << name
             << "', which passes hooked into phases cannot build; run them "
                "beside 'uma-partition' and 'uma-lower' instead";
  return success();
}

static LogicalResult addPipeline(accel::PipelineOp pipeline,
                                 OpPassManager &manager) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  OpPassManager passes(ModuleOp::getOperationName(),
                       OpPassManager::Nesting::Implicit);
  if (failed(parsePassPipeline(pipeline.getPasses(), passes, stream)) ||
      failed(parsePassPipeline(pipeline.getPasses(), manager, stream)))
    return pipeline.emitOpError("of ")
           << pipeline.getPhase() << " does not parse: " << message;
  return checkDialects(pipeline, passes);
}

/// Adds a pass that converts an operator to the layout of the device. The
/// conversions of weights are folded at compile time.
static void addLayout(accel::LayoutOp layout, OpPassManager &manager) {
  graph::ConvertLayoutPassOptions options;
  options.dataLayout = layout.getData().str();
  options.kernelLayout = layout.getWeights().value_or("").str();
  options.ops = {layout.getKind().str()};
  manager.addPass(graph::createConvertLayoutPass(options));
}

LogicalResult uma::addPhasePipelines(ModuleOp module, Phase phase,
                                     OpPassManager &manager) {
  StringRef name = getPhaseName(phase);
  if (phase == Phase::PrePartitioning) {
    // Before the accelerators' passes, which run on the graph to be matched.
    bool hasLayouts = false;
    for (auto accelerator : module.getOps<accel::AcceleratorOp>())
      for (auto layout : accelerator.getOps<accel::LayoutOp>()) {
        addLayout(layout, manager);
        hasLayouts = true;
      }
    if (hasLayouts && !accel::hasComposites(module)) {
      manager.addPass(graph::createFoldConstantPass());
      manager.addPass(createCanonicalizerPass());
    }
  }
  const accel::BackendRegistry &registry =
      accel::BackendRegistry::get(module.getContext());
  for (auto accelerator : module.getOps<accel::AcceleratorOp>()) {
    int64_t numScripts = 0;
    for (Operation &op : accelerator.getOps()) {
      if (auto pipeline = dyn_cast<accel::PipelineOp>(op)) {
        if (pipeline.getPhase() == name &&
            failed(addPipeline(pipeline, manager)))
          return failure();
      } else if (auto script = dyn_cast<accel::ScriptOp>(op)) {
        accel::ApplyScriptPassOptions options;
        options.accelerator = accelerator.getSymName().str();
        options.index = numScripts++;
        if (script.getPhase() == name)
          manager.addPass(accel::createApplyScriptPass(options));
      }
    }
    if (const accel::Backend *backend =
            registry.lookup(accelerator.getSymName()))
      backend->addPasses(getPhaseName(phase), manager);
  }
  return success();
}

bool uma::hasForeignPasses(ModuleOp module) {
  const accel::BackendRegistry &registry =
      accel::BackendRegistry::get(module.getContext());
  return llvm::any_of(module.getOps<accel::AcceleratorOp>(), [&](auto op) {
    return registry.lookup(op.getSymName()) ||
           !op.template getOps<accel::PipelineOp>().empty() ||
           !op.template getOps<accel::ScriptOp>().empty();
  });
}

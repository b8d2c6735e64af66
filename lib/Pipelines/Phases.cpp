//===- Phases.cpp - Pass pipelines that descriptions hook into phases -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/Backend.h"
#include "uma/Pipelines/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"

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

/// Fails where a pass that `pipeline` names needs a dialect that nobody has
/// loaded: no pass may do that while others run.
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

LogicalResult uma::addPhasePipelines(ModuleOp module, Phase phase,
                                     OpPassManager &manager) {
  const accel::BackendRegistry &registry =
      accel::BackendRegistry::get(module.getContext());
  for (auto accelerator : module.getOps<accel::AcceleratorOp>()) {
    for (auto pipeline : accelerator.getOps<accel::PipelineOp>()) {
      if (pipeline.getPhase() != getPhaseName(phase))
        continue;
      std::string message;
      llvm::raw_string_ostream stream(message);
      OpPassManager passes(ModuleOp::getOperationName(),
                           OpPassManager::Nesting::Implicit);
      if (failed(parsePassPipeline(pipeline.getPasses(), passes, stream)) ||
          failed(parsePassPipeline(pipeline.getPasses(), manager, stream)))
        return pipeline.emitOpError("of ")
               << getPhaseName(phase) << " does not parse: " << message;
      if (failed(checkDialects(pipeline, passes)))
        return failure();
    }
    if (const accel::Backend *backend =
            registry.lookup(accelerator.getSymName()))
      backend->addPasses(getPhaseName(phase), manager);
  }
  return success();
}

//===- PlanModel.cpp - Plan of a model's layers ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PlanModel.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/CPU/Model/Processor.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace uma;

ExitCode uma::planModel(const ModelOptions &options, ModelContext &context,
                        OwningOpRef<ModuleOp> &module) {
  if (options.kernels == Kernels::Loops)
    return context.fail(
        ExitCode::BadInput,
        "--kernels=loops: plain loops have no kernels; expected "
        "vector or winograd");
  if (ExitCode code = checkProcessor(options, context);
      code != ExitCode::Success)
    return code;
  if (ExitCode code = loadModel(options, context, module);
      code != ExitCode::Success)
    return code;
  if (ExitCode code = loadAccelerators(options, *module);
      code != ExitCode::Success)
    return code;
  PassManager manager(context.get());
  manager.addPass(makePartitionPass(options));
  manager.addPass(accel::createStorageInterfacePass());
  buildLegalizeQuantizationPipeline(
      manager, getQuantizedArithmetic(options.cpu, *module),
      getLookupCost(options.cpu));
  manager.addPass(graph::createDecomposeAttentionPass());
  CPUPlanPassOptions plan;
  if (options.math == Math::BF16)
    plan.mathType = "bf16";
  plan.winograd = options.kernels == Kernels::Winograd;
  plan.threads = options.threads != Threads::None;
  plan.tilePairs = !plan.threads;
  plan.tuning = options.tuning;
  plan.cpu = options.cpu;
  std::unique_ptr<Pass> pass = createCPUPlanPass(plan);
  if (failed(setLowerOptions(*pass, options.lower, context,
                             "; with --kernels, the options of uma-cpu-plan")))
    return ExitCode::BadInput;
  manager.addPass(std::move(pass));
  return succeeded(manager.run(*module)) ? ExitCode::Success
                                         : ExitCode::NotSupported;
}

//===- PlanModel.cpp - Plan of a model's layers ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PlanModel.h"

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
  if (options.debugBounds)
    return context.fail(ExitCode::BadInput,
                        "--debug-bounds: C that checks indices is in plain "
                        "loops, which have no kernels");
  if (ExitCode code = checkProcessor(options, context);
      code != ExitCode::Success)
    return code;
  if (ExitCode code = loadWithAccelerators(options, context, module);
      code != ExitCode::Success)
    return code;
  std::unique_ptr<Pass> plan = makeLowerPass(
      options, context, /*nameWorkloads=*/false, /*until=*/"planned");
  if (!plan)
    return ExitCode::BadInput;
  PassManager manager(context.get());
  manager.addPass(makePartitionPass(options));
  manager.addPass(std::move(plan));
  return succeeded(manager.run(*module)) ? ExitCode::Success
                                         : ExitCode::NotSupported;
}

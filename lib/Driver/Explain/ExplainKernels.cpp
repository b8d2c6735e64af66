//===- ExplainKernels.cpp - uma explain --kernels -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Prints what uma-cpu-plan decides about each layer on the CPU. Builds no code.
//
//===----------------------------------------------------------------------===//

#include "../Compile/PlanModel.h"
#include "Explanation.h"

#include "uma/CPU/Transforms/PlanReport.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;

ExitCode uma::runExplainKernels(const ModelOptions &options, StringRef layer,
                                ExplainOutput output) {
  ModelContext context(options.model);
  OwningOpRef<ModuleOp> module;
  if (output == ExplainOutput::HTML)
    return refuseHTML(context, "--kernels");
  if (ExitCode code = planModel(options, context, module);
      code != ExitCode::Success)
    return code;
  std::vector<PlannedLayer> layers = getPlannedLayers(*module);
  if (!layer.empty()) {
    std::vector<PlannedLayer> all = std::move(layers);
    layers.clear();
    llvm::copy_if(all, std::back_inserter(layers),
                  [&](const PlannedLayer &row) { return row.name == layer; });
    SmallVector<StringRef> names;
    for (const PlannedLayer &row : all)
      names.push_back(row.name);
    if (layers.empty())
      return context.fail(ExitCode::BadInput,
                          options.model +
                              ": no layer of the CPU's kernels is "
                              "named '" +
                              layer + "'" + didYouMean(layer, names));
  }
  if (output == ExplainOutput::JSON) {
    llvm::json::Array rows;
    for (const PlannedLayer &row : layers)
      rows.push_back(getPlanJSON(row));
    printJSON(makeJSON("uma-explain-kernels", options.model, std::move(rows)));
  } else if (layer.empty()) {
    printPlan(llvm::outs(), layers, Processor::of(*module));
  } else {
    for (const PlannedLayer &row : layers)
      printLayerPlan(llvm::outs(), row);
  }
  return ExitCode::Success;
}

//===- Explain.cpp - uma explain ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Explains the graph that partitioning sees: after simplification, with the
// accelerators' own passes run, so that the table and the package agree.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/Pipelines/Passes.h"
#include "uma/Support/CountText.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;
using accel::LayerReport;

/// One reason per line, each with its accelerator where there are several.
static std::string formatReasons(const LayerReport &layer, bool nameEach) {
  std::string text;
  for (const auto &[accelerator, reason] : layer.reasons) {
    if (!text.empty())
      text += "; ";
    if (nameEach)
      text += accelerator + ": ";
    text += reason;
  }
  return text;
}

static void printTable(ArrayRef<LayerReport> layers, bool nameEach) {
  size_t nameWidth = 5, kindWidth = 8, targetWidth = 7;
  for (const LayerReport &layer : layers) {
    nameWidth = std::max(nameWidth, layer.layer.size());
    kindWidth = std::max(kindWidth, layer.kind.size());
    targetWidth = std::max(targetWidth, layer.target.size());
  }
  // The reason stands last, where its length does no harm, and no line ends in
  // blanks.
  auto printRow = [&](StringRef name, StringRef kind, StringRef target,
                      StringRef macs, StringRef reason) {
    std::string row;
    llvm::raw_string_ostream(row)
        << llvm::left_justify(name, nameWidth) << "  "
        << llvm::left_justify(kind, kindWidth) << "  "
        << llvm::left_justify(target, targetWidth) << "  "
        << llvm::right_justify(macs, 13) << "  " << reason;
    llvm::outs() << StringRef(row).rtrim() << '\n';
  };
  printRow("layer", "operator", "runs on", "MACs", "why not elsewhere");
  for (const LayerReport &layer : layers)
    printRow(layer.layer, layer.kind, layer.target,
             layer.macs ? getCountText(layer.macs) : "",
             formatReasons(layer, nameEach));
}

static void printSummary(ArrayRef<LayerReport> layers) {
  struct Sum {
    unsigned layers = 0;
    int64_t macs = 0;
  };
  llvm::MapVector<StringRef, Sum> sums;
  int64_t total = 0;
  for (const LayerReport &layer : layers) {
    Sum &sum = sums[layer.target];
    ++sum.layers;
    sum.macs += layer.macs;
    total += layer.macs;
  }
  llvm::outs() << '\n';
  for (const auto &[target, sum] : sums)
    llvm::outs() << llvm::formatv(
        "{0}: {1} of {2} operators, {3} of {4} MACs ({5:f1} %)\n", target,
        sum.layers, layers.size(), getCountText(sum.macs), getCountText(total),
        total ? 100.0 * double(sum.macs) / double(total) : 0.0);
}

namespace {
/// What the placements of all functions cost together, by policy.
struct PolicyCosts {
  accel::PlacementCost cost, greedy;

  void add(const accel::Placement &placement) {
    cost += placement.cost;
    greedy += placement.greedyCost;
  }
  void print() const {
    llvm::outs() << '\n';
    printLine("cost", cost);
    printLine("greedy", greedy);
  }

private:
  static void printLine(StringRef policy, const accel::PlacementCost &cost) {
    llvm::outs() << "policy " << policy << ": "
                 << getCountText(cost.getTotal()) << " cycles estimated (cpu "
                 << getCountText(cost.cpu) << ", devices "
                 << getCountText(cost.devices) << ", " << cost.numTransfers
                 << (cost.numTransfers == 1 ? " transfer " : " transfers ")
                 << getCountText(cost.transfers) << ", " << cost.numRegions
                 << (cost.numRegions == 1 ? " region " : " regions ")
                 << getCountText(cost.regions) << ")";
    if (cost.numForbidden)
      llvm::outs() << ", with " << cost.numForbidden
                   << " regions smaller than their device allows";
    llvm::outs() << '\n';
  }
};
} // namespace

ExitCode uma::runExplain(const ModelOptions &options, StringRef layer) {
  ModelContext context(options.model);
  OwningOpRef<ModuleOp> module;
  if (ExitCode code = loadModel(options, context.get(), module);
      code != ExitCode::Success)
    return code;

  if (ExitCode code = loadAccelerators(options, *module);
      code != ExitCode::Success)
    return code;
  PassManager manager(context.get());
  manager.addPass(createGraphDefaultPass());
  if (failed(manager.run(*module)))
    return ExitCode::NotSupported;
  PassManager hooks(context.get());
  if (failed(addPhasePipelines(*module, Phase::PrePartitioning, hooks)) ||
      failed(hooks.run(*module)))
    return ExitCode::BadInput;

  SmallVector<accel::AcceleratorOp> accelerators(
      module->getOps<accel::AcceleratorOp>());
  std::vector<LayerReport> layers;
  std::optional<PolicyCosts> costs;
  accel::PlacementOptions placement{options.policy, options.cpuCyclesPerMAC,
                                    options.cpuCyclesPerElement,
                                    options.mergeRegions};
  for (func::FuncOp function : accel::getFunctionsToPartition(*module)) {
    FailureOr<accel::Assignment> assignment =
        accel::computeAssignment(function, accelerators, placement);
    if (failed(assignment))
      return ExitCode::BadInput;
    llvm::append_range(
        layers, accel::explainPartition(function, accelerators, *assignment));
    if (!assignment->placed)
      continue;
    if (!costs)
      costs.emplace();
    costs->add(assignment->placed->placement);
  }
  if (layer.empty()) {
    printTable(layers, accelerators.size() > 1);
    printSummary(layers);
    if (costs)
      costs->print();
    return ExitCode::Success;
  }
  std::vector<LayerReport> chosen;
  llvm::copy_if(layers, std::back_inserter(chosen),
                [&](const LayerReport &row) { return row.layer == layer; });
  if (chosen.empty()) {
    SmallVector<StringRef> names;
    for (const LayerReport &row : layers)
      names.push_back(row.layer);
    return reportError(ExitCode::BadInput, options.model +
                                               ": no layer is named '" + layer +
                                               "'" + didYouMean(layer, names));
  }
  printTable(chosen, accelerators.size() > 1);
  return ExitCode::Success;
}

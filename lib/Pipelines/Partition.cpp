//===- Partition.cpp - Assign operators to accelerators -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The order of the steps follows TVM's `UMABackend.partition`. Descriptions are
// loaded first, since later steps read them from the module. Simplification
// precedes matching, since patterns are written against the simplified graph.
// Outlining regions into functions is last, since graph passes cannot see
// across functions.
//
//===----------------------------------------------------------------------===//

#include "PhaseDialects.h"

#include "uma/Accel/Language/Passes.h"
#include "uma/Accel/Language/Plugin.h"
#include "uma/Accel/Partition/Matcher.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_PARTITIONPASS
#include "uma/Pipelines/Passes.h.inc"
} // namespace uma

namespace {
struct PartitionPass : uma::impl::PartitionPassBase<PartitionPass> {
  using PartitionPassBase::PartitionPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PartitionPassBase::getDependentDialects(registry);
    accel::registerPluginDialects(llvm::to_vector(accelerators), registry);
  }

  /// Initialises the options. A list of names in front is short for the option
  /// `accelerators`: `--uma-partition=vanilla,strawberry`.
  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    std::string expanded = options.str();
    StringRef first = options.ltrim().split(' ').first;
    // An option has one word before `=`. The list may contain target
    // attributes, as in `strawberry,sram_kib=128`.
    StringRef word = first.split('=').first;
    if (!first.empty() &&
        (word == first || word.contains(',') || word.contains('/')))
      expanded = ("accelerators=" + options.ltrim()).str();
    return Pass::initializeOptions(expanded, errorHandler);
  }

  LogicalResult
  runSteps(llvm::function_ref<LogicalResult(OpPassManager &)> add) {
    OpPassManager manager(ModuleOp::getOperationName());
    if (failed(add(manager)))
      return failure();
    return runPipeline(manager, getOperation());
  }

  void runOnOperation() override {
    if (failed(partition()))
      signalPassFailure();
  }

  LogicalResult partition() {
    ModuleOp module = getOperation();
    if (failed(runSteps([&](OpPassManager &manager) {
          accel::LoadPassOptions load;
          load.accelerators.assign(accelerators.begin(), accelerators.end());
          load.acceleratorDirs.assign(acceleratorDirs.begin(),
                                      acceleratorDirs.end());
          manager.addPass(accel::createLoadPass(load));
          GraphDefaultPassOptions defaults;
          defaults.optLevel = optLevel;
          manager.addPass(createGraphDefaultPass(defaults));
          return success();
        })))
      return failure();
    if (failed(runSteps([&](OpPassManager &manager) -> LogicalResult {
          if (failed(
                  addPhasePipelines(module, Phase::PrePartitioning, manager)))
            return failure();
          accel::MergeCompositePassOptions match;
          match.policy = policy;
          match.cpuCyclesPerMAC = cpuCyclesPerMAC;
          match.cpuCyclesPerElement = cpuCyclesPerElement;
          match.mergeRegions = mergeRegions;
          manager.addPass(accel::createMergeCompositePass(match));
          return success();
        })))
      return failure();
    return runSteps([&](OpPassManager &manager) -> LogicalResult {
      // Convert weights at compile time, not on the device.
      if (accel::hasBorders(module))
        manager.addPass(graph::createFoldConstantPass());
      manager.addPass(accel::createAnnotateTargetPass());
      accel::MergeCompilerRegionsPassOptions merge;
      merge.mergeRegions = mergeRegions;
      manager.addPass(accel::createMergeCompilerRegionsPass(merge));
      manager.addPass(accel::createPartitionGraphPass());
      if (failed(
              addPhasePipelines(module, Phase::PostPartitioning0, manager)) ||
          failed(addPhasePipelines(module, Phase::PostPartitioning1, manager)))
        return failure();
      manager.addPass(accel::createVerifyPartitionPass());
      return success();
    });
  }
};
} // namespace

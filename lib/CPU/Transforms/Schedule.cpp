//===- Schedule.cpp - Schedules of kernels --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "ScheduleChoices.h"

#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/Schedules.h"
#include "uma/CPU/Model/TileInstructions.h"
#include "uma/CPU/Transforms/Passes.h"

#include "uma/IR/LayerAttributes.h"

using namespace mlir;
using namespace uma;
using namespace uma::cpu;

namespace uma::cpu {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

LogicalResult cpu::readDatabase(StringRef path, MLIRContext *context,
                                std::optional<TuningDatabase> &database) {
  if (path.empty())
    return success();
  llvm::Expected<TuningDatabase> file = TuningDatabase::read(path, context);
  if (!file)
    return emitError(UnknownLoc::get(context))
           << llvm::toString(file.takeError());
  database = std::move(*file);
  return success();
}

const LayerPlan *cpu::lookup(const CPULayer &layer, KernelAttr kernel,
                             const TuningDatabase *tuning) {
  if (!tuning)
    return nullptr;
  std::optional<Workload> workload = getLayerWorkload(layer, kernel);
  const TuningEntry *entry = workload ? tuning->lookup(*workload) : nullptr;
  return entry ? &entry->plan : nullptr;
}

int64_t cpu::choosePack(const CPULayer &layer,
                        const ContractionProblem &problem,
                        const Processor &processor,
                        const TuningDatabase *tuning) {
  const LayerPlan *plan = lookup(layer, layer.getKernel(), tuning);
  if (plan && plan->kernel == layer.getKernel() && !plan->schedules.empty())
    return plan->schedules.front().getPack();
  return choosePackWidth(problem.getShape(), processor);
}

namespace {
struct SchedulePass : cpu::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override;

private:
  /// Returns the schedules of a layer from the database or the model.
  SmallVector<ScheduleAttr> choose(const CPULayer &layer);
  void schedule(const CPULayer &layer);

  std::optional<TuningDatabase> database;
  Processor processor;
  SmallVector<accel::InstructionOp> instructions;
};
} // namespace

static void print(raw_ostream &os, const TileCost &cost) {
  const auto &[pack, tile] = cost.choice;
  os << tile.rows << 'x' << tile.vectors << 'x' << tile.lanes << " packed by "
     << pack << ' ' << llvm::format("%.3g", cost.cycles * 1e-3);
}

/// Emits a remark with the costs of a layer's versions and of the runners-up.
static void explain(const CPULayer &layer, const Processor &processor) {
  emitLayerRemark(layer, "schedule", [&](raw_ostream &os) {
    os << ", in thousands of cycles by the model:";
    for (const ScheduleCost &schedule : getScheduleCosts(layer, processor))
      for (const VersionCost &version : schedule.versions) {
        os << ' ' << version.version.getIsa().getValue() << ' ';
        print(os, version.chosen);
        if (!version.runnerUp)
          continue;
        os << " (then ";
        print(os, *version.runnerUp);
        os << ')';
      }
  });
}

SmallVector<ScheduleAttr> SchedulePass::choose(const CPULayer &layer) {
  MLIRContext *context = &getContext();
  const TuningDatabase *tuning = database ? &*database : nullptr;
  const LayerPlan *plan = cpu::lookup(layer, layer.getKernel(), tuning);
  // Layers of the same workload may differ in other properties.
  SmallVector<ScheduleAttr> schedules;
  auto add = [&](const ContractionProblem &problem, ScheduleAttr schedule) {
    int64_t pack = schedule.getPack();
    auto tile = chooseTileInstruction(problem, pack, instructions);
    schedules.push_back(
        ScheduleAttr::get(context, pack, schedule.getVersions(), tile));
  };
  if (plan && plan->kernel == layer.getKernel() &&
      !findProblem(layer, plan->schedules)) {
    if (instructions.empty() || layer.kind == CPULayer::Kind::Depthwise)
      return llvm::to_vector(plan->schedules);
    for (auto [problem, schedule] :
         llvm::zip_equal(getContractions(layer), plan->schedules))
      add(problem, schedule);
    return schedules;
  }
  if (layer.kind == CPULayer::Kind::Depthwise) {
    schedules.push_back(chooseDepthwiseSchedule(getDepthwiseWorkload(layer),
                                                processor, context));
    return schedules;
  }
  TilePairAttr pair = layer.getTilePair();
  for (const ContractionProblem &problem : getContractions(layer)) {
    // If packs are tiled, the pack width is the number of channels of a tile.
    int64_t pack = pair && pair.getPacks() != 1
                       ? problem.channels / pair.getPacks()
                       : cpu::choosePack(layer, problem, processor, tuning);
    if (int64_t wanted = pair ? 0 : getTilePack(problem, instructions))
      pack = wanted;
    add(problem, chooseSchedule(problem, pack, processor, context));
  }
  return schedules;
}

void SchedulePass::schedule(const CPULayer &layer) {
  func::FuncOp function = layer.getFunction();
  if (!function->hasAttr(kSchedulesAttrName)) {
    SmallVector<Attribute> schedules;
    llvm::append_range(schedules, choose(layer));
    if (!schedules.empty())
      function->setAttr(kSchedulesAttrName,
                        ArrayAttr::get(&getContext(), schedules));
  }
  if (function->hasAttr(kSchedulesAttrName))
    explain(layer, processor);
  if (!nameWorkloads)
    return;
  if (auto workload = getLayerWorkload(layer, layer.getKernel()))
    function->setAttr(kWorkloadAttrName, workload->toAttribute(&getContext()));
}

void SchedulePass::runOnOperation() {
  if (failed(verifyLayers(getOperation(), Decision::Pairs)) ||
      failed(readDatabase(tuning, &getContext(), database)))
    return signalPassFailure();
  processor = Processor::of(getOperation());
  instructions = accel::getTileInstructions(getOperation());
  SymbolTable symbols(getOperation());
  for (func::FuncOp function : getEntryFunctions(getOperation())) {
    CPULayers layers(function, symbols);
    for (const CPULayer &layer : layers.getLayers())
      if (layer.hasKernel())
        schedule(layer);
  }
}

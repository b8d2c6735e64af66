//===- Schedule.cpp - What makes a version of a kernel --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "ScheduleChoices.h"

#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/WindowModel.h"
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
  llvm::Expected<TuningDatabase> file = TuningDatabase::read(path);
  if (!file)
    return emitError(UnknownLoc::get(context))
           << llvm::toString(file.takeError());
  database = std::move(*file);
  return success();
}

const TuningEntry *cpu::lookup(const ContractionProblem &problem,
                               const TuningDatabase *tuning) {
  return tuning && problem.isTunable ? tuning->lookup(problem.getWorkload())
                                     : nullptr;
}

int64_t cpu::choosePack(const ContractionProblem &problem,
                        const TuningDatabase *tuning) {
  if (const TuningEntry *entry = lookup(problem, tuning))
    return entry->choice.packWidth;
  return choosePackWidth(problem.getShape());
}

namespace {
struct SchedulePass : cpu::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override;

private:
  ScheduleAttr schedule(const CPULayer &layer,
                        const ContractionProblem &problem);
  ScheduleAttr scheduleDepthwise(const CPULayer &layer);
  void schedule(const CPULayer &layer);

  std::optional<TuningDatabase> database;
};
} // namespace

static void print(raw_ostream &os, const TileCost &cost) {
  const auto &[pack, tile] = cost.choice;
  os << tile.rows << 'x' << tile.vectors << 'x' << tile.lanes << " packed by "
     << pack << ' ' << llvm::format("%.3g", cost.cycles * 1e-3);
}

/// Emits a remark with the costs of a layer's versions and of the runners-up.
static void explain(const CPULayer &layer) {
  emitLayerRemark(layer, "schedule", [&](raw_ostream &os) {
    os << ", in thousands of cycles by the model:";
    for (const ScheduleCost &schedule : getScheduleCosts(layer))
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

ScheduleAttr SchedulePass::schedule(const CPULayer &layer,
                                    const ContractionProblem &problem) {
  MLIRContext *context = &getContext();
  const TuningDatabase *tuning = database ? &*database : nullptr;
  const TuningEntry *entry = lookup(problem, tuning);
  int64_t pack = choosePack(problem, tuning);
  // A layer of a tile pair packs its weights by the tile's channels.
  if (TilePairAttr pair = layer.getTilePair(); pair && pair.getPacks() != 1)
    pack = problem.channels / pair.getPacks();
  SmallVector<VersionAttr> versions;
  for (const ISA &isa : ISA::getAll()) {
    std::optional<RegisterTile> tuned;
    if (entry && tuning->lanes == isa.lanes && entry->choice.packWidth == pack)
      tuned = entry->choice.tile;
    if (auto choice = chooseVersion(problem, pack, isa, tuned, context))
      versions.push_back(choice->toAttribute(context, isa.name));
  }
  return ScheduleAttr::get(context, pack, versions);
}

ScheduleAttr SchedulePass::scheduleDepthwise(const CPULayer &layer) {
  MLIRContext *context = &getContext();
  Workload workload = getDepthwiseWorkload(layer);
  const TuningEntry *entry = database ? database->lookup(workload) : nullptr;
  int64_t pack = workload.channelBlock;
  SmallVector<VersionAttr> versions;
  for (const ISA &isa : ISA::getUsual()) {
    int64_t lanes = chooseLanes(pack, isa);
    int64_t count = entry && database->lanes == isa.lanes
                        ? entry->choice.tile.rows
                        : rankWindows(workload, isa).front();
    // A core that starts two multiply-adds in a cycle, which take four, would
    // wait for fewer sums than eight. With a stride it waits for the data.
    bool isSplit = lanes == 8 && count < 8 && workload.strides[1] == 1;
    versions.push_back(VersionAttr::get(
        context, StringAttr::get(context, isa.name), count, /*vectors=*/1,
        lanes, /*slices=*/1, /*sums=*/isSplit ? 2 : 1, Prefetch::None,
        /*blocking=*/nullptr));
  }
  return ScheduleAttr::get(context, pack, versions);
}

void SchedulePass::schedule(const CPULayer &layer) {
  func::FuncOp function = layer.getFunction();
  std::vector<Workload> workloads;
  SmallVector<Attribute> schedules;
  if (layer.kind == CPULayer::Kind::Depthwise) {
    workloads.push_back(getDepthwiseWorkload(layer));
    if (!function->hasAttr(kSchedulesAttrName))
      schedules.push_back(scheduleDepthwise(layer));
  } else {
    for (const ContractionProblem &problem : getContractions(layer)) {
      if (problem.isTunable)
        workloads.push_back(problem.getWorkload());
      if (!function->hasAttr(kSchedulesAttrName))
        schedules.push_back(schedule(layer, problem));
    }
  }
  if (!schedules.empty())
    function->setAttr(kSchedulesAttrName,
                      ArrayAttr::get(&getContext(), schedules));
  if (function->hasAttr(kSchedulesAttrName))
    explain(layer);
  // The time of a layer with several workloads cannot be told apart.
  if (workloads.size() == 1 && nameWorkloads)
    function->setAttr(kWorkloadAttrName,
                      workloads.front().toAttribute(&getContext()));
}

void SchedulePass::runOnOperation() {
  if (failed(verifyLayers(getOperation(), Decision::Pairs)) ||
      failed(readDatabase(tuning, &getContext(), database)))
    return signalPassFailure();
  SymbolTable symbols(getOperation());
  for (func::FuncOp function : getEntryFunctions(getOperation())) {
    CPULayers layers(function, symbols);
    for (const CPULayer &layer : layers.getLayers())
      if (layer.hasKernel())
        schedule(layer);
  }
}

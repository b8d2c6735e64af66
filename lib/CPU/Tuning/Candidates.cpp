//===- Candidates.cpp - Candidate plans to measure ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The model errs more between kinds of choices (copying data, slicing sums,
// other algorithms) than between tiles of similar rank. So candidates of all
// kinds alternate.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Tuning/Candidates.h"

#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/WindowModel.h"

using namespace mlir;
using namespace uma;

namespace {
class CandidateList {
public:
  CandidateList(const CPULayer &layer, const Processor &processor,
                int64_t lanes)
      : layer(layer), processor(processor), kernel(layer.getKernel()),
        context(kernel.getContext()), lanes(lanes) {}

  SmallVector<LayerPlan> list(size_t count, bool weightsMayGrow);

private:
  using Plans = SmallVector<LayerPlan>;

  Plans listAlgorithms() const;
  Plans listBlocking(const ContractionProblem &problem, int64_t pack) const;
  Plans listSlices(const ContractionProblem &problem, int64_t pack) const;
  Plans listTiles(const ContractionProblem &problem) const;
  Plans listWindows(const Workload &workload) const;
  void add(Plans &plans, ScheduleAttr schedule) const;

  const CPULayer &layer;
  const Processor &processor;
  KernelAttr kernel;
  MLIRContext *context;
  int64_t lanes;
};
} // namespace

/// Adds a plan with the layer's algorithm and `schedule`, if the layer supports
/// it.
void CandidateList::add(Plans &plans, ScheduleAttr schedule) const {
  if (schedule && !findProblem(layer, schedule))
    plans.push_back({kernel, {schedule}});
}

CandidateList::Plans CandidateList::listAlgorithms() const {
  Plans plans;
  auto data = layer.anchor ? layer.getLayout(layer.anchor->getOperand(0))
                           : BufferLayout();
  SmallVector<AlgorithmCost> costs = getAlgorithmCosts(layer, data, processor);
  llvm::sort(costs, [](const AlgorithmCost &left, const AlgorithmCost &right) {
    return std::pair(left.products, left.kernel.getTile()) <
           std::pair(right.products, right.kernel.getTile());
  });
  for (const AlgorithmCost &cost : costs) {
    if (cost.kernel == kernel)
      continue;
    LayerPlan &plan = plans.emplace_back();
    plan.kernel = cost.kernel;
    if (cost.kernel.getAlgorithm() != Algorithm::Direct)
      continue;
    ContractionProblem problem = getContractions(layer, cost.kernel).front();
    int64_t pack = choosePackWidth(problem.getShape(), processor);
    plan.schedules.push_back(chooseSchedule(problem, pack, processor, context));
  }
  return plans;
}

CandidateList::Plans
CandidateList::listBlocking(const ContractionProblem &problem,
                            int64_t pack) const {
  Plans plans;
  for (DataOrder data :
       {DataOrder::Stored, DataOrder::Packed, DataOrder::Broadcast}) {
    VersionWish wish;
    wish.data = data;
    add(plans, chooseSchedule(problem, pack, processor, context, lanes, wish));
  }
  // No blocking, and slices chosen by the model.
  for (const ISA &isa : processor.getUsual()) {
    if (isa.lanes != lanes)
      continue;
    VersionWish wish;
    wish.tile = chooseTile(problem.getShape(), pack, isa);
    add(plans, chooseSchedule(problem, pack, processor, context, lanes, wish));
  }
  return plans;
}

CandidateList::Plans
CandidateList::listSlices(const ContractionProblem &problem,
                          int64_t pack) const {
  Plans plans;
  for (int64_t slices : {2, 4, 8, 1}) {
    VersionWish wish;
    wish.slices = slices;
    add(plans, chooseSchedule(problem, pack, processor, context, lanes, wish));
  }
  return plans;
}

CandidateList::Plans
CandidateList::listTiles(const ContractionProblem &problem) const {
  Plans plans;
  for (const ISA &isa : processor.getUsual()) {
    if (isa.lanes != lanes)
      continue;
    for (const TileChoice &choice :
         rankTiles(problem.getShape(), isa, processor)) {
      VersionWish wish;
      wish.tile = choice.tile;
      add(plans, chooseSchedule(problem, choice.packWidth, processor, context,
                                lanes, wish));
    }
  }
  return plans;
}

CandidateList::Plans
CandidateList::listWindows(const Workload &workload) const {
  Plans plans;
  for (const ISA &isa : processor.getUsual()) {
    if (isa.lanes != lanes)
      continue;
    for (int64_t windows : rankWindows(workload, isa))
      add(plans, chooseDepthwiseSchedule(workload, processor, context, lanes,
                                         windows));
  }
  return plans;
}

SmallVector<LayerPlan> CandidateList::list(size_t count, bool weightsMayGrow) {
  LayerPlan own{kernel, {}};
  auto schedules =
      layer.getFunction()->getAttrOfType<ArrayAttr>(kSchedulesAttrName);
  if (!schedules || !getLayerWorkload(layer, kernel))
    return {};
  for (Attribute schedule : schedules)
    own.schedules.push_back(cast<ScheduleAttr>(schedule));
  SmallVector<Plans, 4> kinds;
  if (layer.kind == CPULayer::Kind::Depthwise) {
    kinds.push_back(listWindows(*getLayerWorkload(layer, kernel)));
  } else {
    std::vector<ContractionProblem> problems = getContractions(layer);
    int64_t pack = own.schedules.front().getPack();
    if (weightsMayGrow)
      kinds.push_back(listAlgorithms());
    kinds.push_back(listBlocking(problems.front(), pack));
    kinds.push_back(listSlices(problems.front(), pack));
    kinds.push_back(listTiles(problems.front()));
  }
  Plans plans = {own};
  bool isLast = false;
  for (size_t turn = 0; !isLast && plans.size() < count; ++turn) {
    isLast = true;
    for (const Plans &kind : kinds) {
      if (turn >= kind.size())
        continue;
      isLast = false;
      if (plans.size() < count && !llvm::is_contained(plans, kind[turn]))
        plans.push_back(kind[turn]);
    }
  }
  return plans;
}

SmallVector<LayerPlan> uma::listCandidates(const CPULayer &layer,
                                           const Processor &processor,
                                           int64_t lanes, size_t count,
                                           bool weightsMayGrow) {
  if (!layer.hasKernel())
    return {};
  return CandidateList(layer, processor, lanes).list(count, weightsMayGrow);
}

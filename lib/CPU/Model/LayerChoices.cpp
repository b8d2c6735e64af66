//===- LayerChoices.cpp - Choices for a layer and their costs -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/LayerChoices.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/WindowModel.h"

using namespace mlir;
using namespace uma;

SmallVector<AlgorithmCost> uma::getAlgorithmCosts(const CPULayer &layer,
                                                  const BufferLayout &stored,
                                                  const Processor &processor) {
  SmallVector<AlgorithmCost> costs;
  if (layer.hasExactSums())
    return costs;
  auto add = [&](Algorithm algorithm, int64_t tile, double products) {
    costs.push_back(
        {KernelAttr::get(layer.getFunction().getContext(), algorithm, tile),
         products});
  };
  auto conv = dyn_cast_or_null<graph::Conv2dOp>(layer.anchor);
  if (conv && layer.kind == CPULayer::Kind::Conv && stored.block != 0 &&
      layer.getResultLayout().block != 0)
    for (int64_t tile : {2, 4})
      if (fitsWinograd(conv.getDims(), tile))
        add(Algorithm::Winograd, tile,
            getWinogradCost(conv.getDims(), tile, processor));
  std::optional<QuarterProduct> product;
  if (layer.anchor)
    product = getQuarterProduct(layer, stored);
  if (product && product->canSplit())
    add(Algorithm::Strassen, 0, product->getCost(processor));
  if (costs.empty())
    return costs;
  double direct = product
                      ? product->getDirectCost()
                      : getWinogradCost(conv.getDims(), /*tile=*/0, processor);
  add(Algorithm::Direct, 0, direct);
  std::rotate(costs.begin(), costs.end() - 1, costs.end());
  return costs;
}

static RegisterTile getTile(VersionAttr version) {
  return {version.getRows(), version.getVectors(), version.getLanes()};
}

/// Returns the versions of a schedule with their costs and the best alternative
/// tiles.
static ScheduleCost
getCosts(Workload workload, ScheduleAttr schedule, const Processor &processor,
         function_ref<double(const TileChoice &, const ISA &)> getCost) {
  ScheduleCost result{std::move(workload), {}};
  for (VersionAttr version : schedule.getVersions()) {
    TileChoice chosen{schedule.getPack(), getTile(version)};
    StringRef name = version.getIsa().getValue();
    const ISA *known = processor.lookup(name);
    // A version written by hand may be for another processor.
    const ISA &isa = known ? *known : *ISA::lookup(name);
    std::optional<TileCost> runnerUp;
    for (const TileChoice &choice :
         listChoices(result.workload, isa, processor,
                     std::numeric_limits<size_t>::max())) {
      // The first choice is the model's for all vector widths, the others are
      // in order of cost.
      double cycles = getCost(choice, isa);
      if (!(choice.tile == chosen.tile) &&
          (!runnerUp || cycles < runnerUp->cycles))
        runnerUp = TileCost{choice, cycles};
    }
    result.versions.push_back(
        {version, {chosen, getCost(chosen, isa)}, runnerUp});
  }
  return result;
}

std::vector<ScheduleCost> uma::getScheduleCosts(const CPULayer &layer,
                                                const Processor &processor) {
  std::vector<ScheduleCost> costs;
  auto schedules =
      layer.getFunction()->getAttrOfType<ArrayAttr>(kSchedulesAttrName);
  if (!schedules || !layer.hasKernel())
    return costs;
  if (layer.kind == CPULayer::Kind::Depthwise) {
    Workload workload = getDepthwiseWorkload(layer);
    costs.push_back(getCosts(workload, cast<ScheduleAttr>(schedules[0]),
                             processor,
                             [&](const TileChoice &choice, const ISA &isa) {
                               return getWindowCost(workload, choice.tile, isa);
                             }));
    return costs;
  }
  for (auto [problem, schedule] :
       llvm::zip_equal(getContractions(layer), schedules)) {
    ContractionShape shape = problem.getShape();
    costs.push_back(
        getCosts(problem.getWorkload(), cast<ScheduleAttr>(schedule), processor,
                 [&](const TileChoice &choice, const ISA &isa) {
                   return getCost(shape, choice.packWidth, choice.tile, isa);
                 }));
  }
  return costs;
}

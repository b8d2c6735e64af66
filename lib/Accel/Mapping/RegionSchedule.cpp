//===- RegionSchedule.cpp - Commands of a region's layers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/RegionSchedule.h"

#include "LayerRunner.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static LogicalResult emitProblem(graph::CompositeOp composite,
                                 const Twine &problem) {
  return composite.emitError()
         << "accelerator '" << composite.getAccelerator().getValue()
         << "' cannot compute the layer in tiles: " << problem;
}

FailureOr<RegionSchedule::Layer>
uma::accel::readLayer(graph::CompositeOp composite, std::string &problem) {
  auto attribute = composite->getAttrOfType<MappingAttr>(kMappingAttrName);
  if (!attribute) {
    problem =
        ("it has no '" + kMappingAttrName + "'; run uma-accel-map first").str();
    return failure();
  }
  FailureOr<Match> match = matchComposite(composite);
  if (failed(match))
    return failure();
  FailureOr<MatchSchedule> schedule = MatchSchedule::get(*match, problem);
  if (failed(schedule))
    return failure();
  FailureOr<Mapping> mapping = schedule->read(attribute, problem);
  if (failed(mapping))
    return failure();
  return RegionSchedule::Layer(composite, std::move(*match),
                               std::move(*schedule), std::move(*mapping));
}

FailureOr<RegionSchedule> RegionSchedule::get(func::FuncOp function) {
  RegionSchedule region;
  for (auto composite : function.getOps<graph::CompositeOp>()) {
    auto pattern = SymbolTable::lookupNearestSymbolFrom<PatternOp>(
        composite, composite.getPatternAttr());
    if (!pattern || !pattern.isTiled()) {
      if (!region.waits.empty())
        region.waits.back() = true;
      continue;
    }
    std::string problem;
    FailureOr<Layer> layer = readLayer(composite, problem);
    if (failed(layer))
      return problem.empty() ? failure() : emitProblem(composite, problem);
    region.layers.push_back(std::make_unique<Layer>(std::move(*layer)));
    region.waits.push_back(false);
  }
  if (region.layers.empty())
    return region;
  region.waits.back() = true;
  if (failed(region.run()))
    return failure();
  return region;
}

LogicalResult RegionSchedule::run() {
  CommandStream stream(layers.front()->schedule.getDevice(),
                       /*keepsCommands=*/true);
  std::vector<LayerToRun> toRun;
  for (auto [layer, wait] : llvm::zip_equal(layers, waits))
    toRun.push_back({layer->composite,
                     &layer->match,
                     &layer->schedule,
                     &layer->mapping,
                     wait,
                     {}});
  std::string problem;
  size_t number = 0;
  if (failed(runLayers(toRun, stream, problem, number)))
    return emitProblem(layers[number]->composite, problem);
  for (auto [layer, run] : llvm::zip_equal(layers, toRun))
    layer->cost = std::move(run.cost);
  for (size_t begin = 0; begin < toRun.size();) {
    size_t end = getGroupEnd(toRun, begin);
    groups.push_back(begin);
    begin = end;
  }
  commands = stream.takeCommands();
  timeline = stream.takeTimeline();
  return success();
}

//===- RegionSchedule.cpp - Commands of a region's layers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/RegionSchedule.h"

#include "ScheduleRunner.h"

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

static FailureOr<std::unique_ptr<RegionSchedule::Layer>>
readLayer(graph::CompositeOp composite) {
  FailureOr<Match> match = matchComposite(composite);
  if (failed(match))
    return failure();
  auto attribute = composite->getAttrOfType<MappingAttr>(kMappingAttrName);
  if (!attribute)
    return emitProblem(composite, "it has no '" + kMappingAttrName +
                                      "'; run uma-accel-map first");
  std::string problem;
  FailureOr<MatchSchedule> schedule = MatchSchedule::get(*match, problem);
  if (failed(schedule))
    return emitProblem(composite, problem);
  FailureOr<Mapping> mapping = schedule->read(attribute, problem);
  if (failed(mapping))
    return emitProblem(composite, problem);
  return std::make_unique<RegionSchedule::Layer>(
      composite, std::move(*match), std::move(*schedule), std::move(*mapping));
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
    FailureOr<std::unique_ptr<Layer>> layer = readLayer(composite);
    if (failed(layer))
      return failure();
    region.layers.push_back(std::move(*layer));
    region.waits.push_back(false);
  }
  if (region.layers.empty())
    return region;
  region.waits.back() = true;
  if (failed(region.run()))
    return failure();
  return region;
}

/// Returns the tensor outside of the composite, without changes of the type.
static Value getTensor(graph::CompositeOp composite, Value inner) {
  Value outer = composite.getOuterTensor(inner);
  while (auto cast = outer.getDefiningOp<graph::StorageCastOp>())
    outer = cast.getData();
  return outer;
}

LogicalResult RegionSchedule::run() {
  CommandStream stream(layers.front()->schedule.getDevice(),
                       /*keepsCommands=*/true);
  DenseMap<Value, unsigned> tensors;
  std::vector<std::unique_ptr<ScheduleRunner>> runners;
  for (const auto &layer : layers) {
    // Numbers of tensors that change while the region runs.
    auto getMain = [&](Value pattern) -> std::optional<unsigned> {
      Value outer =
          getTensor(layer->composite, layer->match.tensors.lookup(pattern));
      if (!outer.getDefiningOp<graph::CompositeOp>())
        return std::nullopt;
      return tensors.try_emplace(outer, tensors.size()).first->second;
    };
    runners.push_back(std::make_unique<ScheduleRunner>(
        layer->schedule, layer->mapping, stream, runners.size(), getMain));
  }
  for (auto [number, runner] : llvm::enumerate(runners)) {
    int64_t begin = stream.getEnd();
    stream.beginLayer();
    ScheduleRunner *next = waits[number] ? nullptr : runners[number + 1].get();
    FailureOr<MappingCost> cost = runner->run(INT64_MAX, next);
    if (failed(cost))
      return emitProblem(layers[number]->composite,
                         "its calls cannot address the tiles of the mapping");
    if (waits[number])
      stream.waitForAll(number, *cost);
    cost->cycles = stream.getEnd() - begin;
    layers[number]->cost = std::move(*cost);
  }
  commands = stream.takeCommands();
  timeline = stream.takeTimeline();
  return success();
}

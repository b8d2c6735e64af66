//===- MappingReport.cpp - Report on the mappings of a model --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/MappingReport.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Share of the time for which the engine that binds a layer is busy.
static constexpr double kBoundShare = 0.8;

int64_t MappedLayer::getRoofline() const {
  return *llvm::max_element(floor.cycles);
}

std::optional<double> MappedLayer::getUtilisation() const {
  if (macsPerCycle <= 0 || cost.cycles == 0)
    return std::nullopt;
  return double(macs) / (double(cost.cycles) * double(macsPerCycle));
}

std::string MappedLayer::getBound() const {
  const auto *most = llvm::max_element(cost.busy);
  if (double(*most) < kBoundShare * double(cost.cycles))
    return "latency";
  return engines[most - cost.busy.begin()];
}

static LogicalResult describe(graph::CompositeOp composite, MappingAttr mapping,
                              MappedLayer &layer) {
  FailureOr<Match> match = matchComposite(composite);
  if (failed(match))
    return failure();
  PatternOp pattern = match->pattern;
  std::string problem;
  FailureOr<MatchSchedule> schedule = MatchSchedule::get(*match, problem);
  FailureOr<Mapping> loops = failure();
  if (succeeded(schedule))
    loops = schedule->read(mapping, problem);
  if (failed(loops))
    return composite.emitError() << "the mapping does not fit: " << problem;
  ArrayRef<DeviceModel::Engine> engines = schedule->getDevice().engines;
  CommandCounts counts(engines.size());
  FailureOr<MappingCost> cost = schedule->run(*loops, counts);
  if (failed(cost))
    return composite.emitError() << "the calls cannot address the tiles";
  StringRef name = getLayerName(composite.getLoc());
  layer.name = name.empty() ? pattern.getSymName().str() : name.str();
  layer.accelerator = composite.getAccelerator().getValue().str();
  layer.pattern = pattern.getSymName().str();
  layer.mapping = mapping;
  for (Operation *op : match->ops)
    layer.macs += getMACs(op);
  layer.cost = *cost;
  layer.floor = schedule->getFloor();
  for (const DeviceModel::Engine &engine : engines) {
    layer.engines.push_back(EngineOp(engine.op).getName().str());
    layer.macsPerCycle = std::max(layer.macsPerCycle, engine.macs);
  }
  return success();
}

FailureOr<std::vector<MappedLayer>>
uma::accel::getMappedLayers(ModuleOp module) {
  std::vector<MappedLayer> layers;
  WalkResult result =
      module.walk([&](graph::CompositeOp composite) -> WalkResult {
        auto mapping = composite->getAttrOfType<MappingAttr>(kMappingAttrName);
        if (!mapping)
          return WalkResult::advance();
        return describe(composite, mapping, layers.emplace_back());
      });
  if (result.wasInterrupted())
    return failure();
  return layers;
}

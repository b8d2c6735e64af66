//===- MappingReport.cpp - Report on the mappings of a model --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/MappingReport.h"

#include "uma/Accel/Mapping/RegionSchedule.h"
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

static MappedLayer describe(const RegionSchedule::Layer &layer) {
  graph::CompositeOp composite = layer.composite;
  PatternOp pattern = layer.match.pattern;
  MappedLayer result;
  StringRef name = getLayerName(composite.getLoc());
  result.name = name.empty() ? pattern.getSymName().str() : name.str();
  result.accelerator = composite.getAccelerator().getValue().str();
  result.pattern = pattern.getSymName().str();
  result.mapping = composite->getAttrOfType<MappingAttr>(kMappingAttrName);
  for (Operation *op : layer.match.ops)
    result.macs += getMACs(op);
  result.cost = layer.cost;
  result.floor = layer.schedule.getFloor();
  for (const DeviceModel::Engine &engine : layer.schedule.getDevice().engines) {
    result.engines.push_back(EngineOp(engine.op).getName().str());
    result.macsPerCycle = std::max(result.macsPerCycle, engine.macs);
  }
  return result;
}

FailureOr<std::vector<MappedLayer>>
uma::accel::getMappedLayers(ModuleOp module,
                            std::vector<TimelineEvent> *timeline) {
  std::vector<MappedLayer> layers;
  // Regions run one after the other.
  int64_t begin = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    FailureOr<RegionSchedule> region = RegionSchedule::get(function);
    if (failed(region))
      return failure();
    size_t first = layers.size();
    int64_t end = begin;
    for (const auto &layer : region->getLayers()) {
      layers.push_back(describe(*layer));
      end += layers.back().cost.cycles;
    }
    if (timeline)
      for (const TimedCommand &command : region->getTimeline()) {
        const MappedLayer &layer = layers[first + command.layer];
        timeline->push_back(
            {layer.accelerator,
             command.engine ? layer.engines[*command.engine] : "host",
             layer.name, command.name, begin + command.start, command.cycles});
      }
    begin = end;
  }
  return layers;
}

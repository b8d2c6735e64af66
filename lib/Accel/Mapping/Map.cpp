//===- Map.cpp - Choose tiles, loops and buffers --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Only decides: the attribute can be read, edited and kept. Its commands are
// generated during lowering.
//
//===----------------------------------------------------------------------===//

#include "GroupSearch.h"

#include "uma/Accel/Mapping/MappingCache.h"
#include "uma/Accel/Mapping/MappingSearch.h"
#include "uma/Accel/Mapping/Passes.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_MAPPASS
#include "uma/Accel/Mapping/Passes.h.inc"
} // namespace uma::accel

/// Returns a text that is equal for composites that have the same mappings:
/// equal operators, types and numbers, but perhaps other constants and scales.
static std::string getSignature(graph::CompositeOp composite) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << composite.getPatternAttr() << ' ';
  printLayer(os, composite);
  for (Operation &op : composite.getBody().front())
    printLayer(os, &op);
  return text;
}

namespace {
struct MapPass : uma::accel::impl::MapPassBase<MapPass> {
  using MapPassBase::MapPassBase;

  /// Returns all that the search depends on, except the build of uma.
  std::string getKey(AcceleratorOp accelerator, StringRef signature) {
    std::string &description = descriptions[accelerator];
    if (description.empty())
      llvm::raw_string_ostream(description) << accelerator;
    return (signature + "\n" + description + "\n" + Twine(doubleBuffers) +
            Twine(serpentine) + Twine(exhaustive) + Twine(minimizeBytes))
        .str();
  }

  SearchOptions getSearchOptions() {
    SearchOptions options;
    options.mayDouble = doubleBuffers;
    options.isSerpentine = serpentine;
    options.isExhaustive = exhaustive;
    options.minimizesBytes = minimizeBytes;
    return options;
  }

  FailureOr<Mapping> search(AcceleratorOp accelerator, StringRef signature,
                            const MatchSchedule &schedule,
                            std::string &problem) {
    SearchOptions options = getSearchOptions();
    if (cache.empty()) {
      ++numMapped;
      return searchMapping(schedule, options, problem);
    }
    MappingCache known(cache);
    std::string key = getKey(accelerator, signature);
    FailureOr<Mapping> mapping = known.find(key, schedule);
    if (succeeded(mapping)) {
      ++numCached;
      return mapping;
    }
    ++numMapped;
    mapping = searchMapping(schedule, options, problem);
    if (succeeded(mapping))
      known.add(key,
                mapping->toAttribute(&getContext(), schedule.getGeometry()));
    return mapping;
  }

  FailureOr<MappingAttr> map(graph::CompositeOp composite,
                             StringRef signature) {
    auto accelerator = SymbolTable::lookupNearestSymbolFrom<AcceleratorOp>(
        composite, composite.getAccelerator());
    FailureOr<Match> match = matchComposite(composite);
    if (failed(match))
      return failure();
    std::string problem;
    FailureOr<MatchSchedule> schedule = MatchSchedule::get(*match, problem);
    FailureOr<Mapping> mapping = failure();
    if (succeeded(schedule))
      mapping = search(accelerator, signature, *schedule, problem);
    StringRef name = getLayerName(composite.getLoc());
    std::string layer = name.empty() ? "" : ("layer '" + name + "': ").str();
    if (failed(mapping))
      return mlir::emitError(composite.getLoc())
             << layer << "accelerator '" << accelerator.getSymName()
             << "' cannot compute the layer in tiles: " << problem;
    MappingAttr attribute =
        mapping->toAttribute(&getContext(), schedule->getGeometry());
    if (report) {
      ArrayRef<DeviceModel::Engine> engines = schedule->getDevice().engines;
      MappingCost cost = *schedule->run(*mapping);
      InFlightDiagnostic remark = mlir::emitRemark(composite.getLoc());
      remark << layer << attribute << ": " << cost.cycles << " cycles, loads "
             << cost.loadedBytes << " bytes, " << cost.numCommands
             << " commands";
      for (auto [engine, busy] : llvm::zip_equal(engines, cost.busy))
        remark << ", " << EngineOp(engine.op).getName() << " " << busy;
    }
    return attribute;
  }

  /// Returns the layers of a device's function, with their mappings.
  std::vector<std::unique_ptr<GroupLayer>> getLayers(func::FuncOp function) {
    std::vector<std::unique_ptr<GroupLayer>> layers;
    for (auto composite : function.getOps<graph::CompositeOp>()) {
      if (!composite->hasAttr(kMappingAttrName)) {
        if (!layers.empty())
          layers.back()->waits = true;
        continue;
      }
      std::string problem;
      FailureOr<RegionSchedule::Layer> layer = readLayer(composite, problem);
      // A mapping that was written by hand and does not fit is an error later.
      if (failed(layer))
        return {};
      layers.push_back(std::make_unique<GroupLayer>(
          std::move(*layer), getSignature(composite),
          /*isFixed=*/!mapped.contains(composite)));
    }
    return layers;
  }

  /// Interleaves layers of a device's function.
  void mapGroups(func::FuncOp function) {
    std::vector<std::unique_ptr<GroupLayer>> layers = getLayers(function);
    if (layers.size() < 2)
      return;
    auto accelerator = SymbolTable::lookupNearestSymbolFrom<AcceleratorOp>(
        function, layers.front()->composite.getAccelerator());
    std::string text = "groups\n";
    for (size_t number = 0; number < layers.size(); ++number)
      text += describeLayer(layers, number);
    MappingCache known(cache);
    auto getLayerKey = [&, key = getKey(accelerator, text)](size_t number) {
      return key + std::to_string(number);
    };
    SmallVector<Mapping> mappings;
    for (size_t number = 0; number < layers.size(); ++number) {
      FailureOr<Mapping> mapping =
          known.find(getLayerKey(number), layers[number]->schedule);
      if (failed(mapping))
        break;
      mappings.push_back(std::move(*mapping));
    }
    bool isKnown = mappings.size() == layers.size();
    if (isKnown)
      for (auto [layer, mapping] : llvm::zip_equal(layers, mappings))
        layer->mapping = std::move(mapping);
    else
      searchGroups(layers, getSearchOptions());
    for (auto [number, layer] : llvm::enumerate(layers)) {
      MappingAttr attribute = layer->mapping.toAttribute(
          &getContext(), layer->schedule.getGeometry());
      numInterleaved += layer->mapping.isInterleaved;
      layer->composite->setAttr(kMappingAttrName, attribute);
      if (!isKnown)
        known.add(getLayerKey(number), attribute);
    }
  }

  void runOnOperation() override {
    llvm::StringMap<MappingAttr> known;
    WalkResult result =
        getOperation().walk([&](graph::CompositeOp composite) -> WalkResult {
          auto pattern = SymbolTable::lookupNearestSymbolFrom<PatternOp>(
              composite, composite.getPatternAttr());
          if (!pattern || !pattern.isTiled())
            return WalkResult::advance();
          if (Attribute present = composite->getAttr(kMappingAttrName)) {
            if (isa<MappingAttr>(present))
              return WalkResult::advance();
            mlir::emitError(composite.getLoc())
                << kMappingAttrName << " is " << present
                << ", expected a #uma.accel.mapping";
            return WalkResult::interrupt();
          }
          std::string signature = getSignature(composite);
          MappingAttr &mapping = known[signature];
          if (!mapping) {
            FailureOr<MappingAttr> found = map(composite, signature);
            if (failed(found))
              return WalkResult::interrupt();
            mapping = *found;
          }
          composite->setAttr(kMappingAttrName, mapping);
          mapped.insert(composite);
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
    else if (interleave && !exhaustive && !minimizeBytes)
      for (auto function : getOperation().getOps<func::FuncOp>())
        mapGroups(function);
    descriptions.clear();
    mapped.clear();
  }

  DenseMap<Operation *, std::string> descriptions;
  /// Composites whose mappings are not written by hand.
  DenseSet<Operation *> mapped;
};
} // namespace

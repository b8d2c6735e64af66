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

#include "uma/Accel/Mapping/MappingCache.h"
#include "uma/Accel/Mapping/MappingSearch.h"
#include "uma/Accel/Mapping/Passes.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

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

  FailureOr<Mapping> search(AcceleratorOp accelerator, StringRef signature,
                            const MatchSchedule &schedule,
                            std::string &problem) {
    SearchOptions options;
    options.mayDouble = doubleBuffers;
    options.isSerpentine = serpentine;
    options.isExhaustive = exhaustive;
    options.minimizesBytes = minimizeBytes;
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
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
    descriptions.clear();
  }

  DenseMap<Operation *, std::string> descriptions;
};
} // namespace

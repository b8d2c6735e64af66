//===- ExplainMapping.cpp - uma explain --mapping -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Prints what uma-accel-map decides about the layers of devices. Builds no
// code.
//
//===----------------------------------------------------------------------===//

#include "../Compile/Model.h"
#include "../Package/Timeline.h"
#include "Explanation.h"

#include "uma/Accel/Mapping/MappingReport.h"
#include "uma/Accel/Mapping/Passes.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/Driver/Driver.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/PrintableText.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace mlir;
using namespace uma;
using accel::MappedLayer;
using accel::TimelineEvent;

/// Returns the mapping without the name of its attribute.
static std::string getText(MappingAttr mapping) {
  std::string text;
  llvm::raw_string_ostream(text) << mapping;
  return StringRef(text).split('<').second.drop_back().str();
}

static double getPercent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100.0 * double(part) / double(whole);
}

/// Returns the share of its bound that a layer reaches. One whose transfers the
/// layer before hides takes fewer cycles than its bound.
static double getRooflinePercent(int64_t roofline, int64_t cycles) {
  return std::min(100.0, getPercent(roofline, cycles));
}

static llvm::json::Object getJSON(const MappedLayer &layer) {
  llvm::json::Object busy, floor;
  for (auto [engine, cycles] : llvm::zip_equal(layer.engines, layer.cost.busy))
    busy[engine] = cycles;
  for (auto [engine, cycles] :
       llvm::zip_equal(layer.engines, layer.floor.cycles))
    floor[engine] = cycles;
  return llvm::json::Object{{"name", llvm::json::fixUTF8(layer.name)},
                            {"accelerator", layer.accelerator},
                            {"pattern", layer.pattern},
                            {"mapping", getText(layer.mapping)},
                            {"macs", layer.macs},
                            {"utilisation", layer.getUtilisation()},
                            {"cycles", layer.cost.cycles},
                            {"roofline", layer.getRoofline()},
                            {"bound", layer.getBound()},
                            {"busy", std::move(busy)},
                            {"least_busy", std::move(floor)},
                            {"loaded_bytes", layer.cost.loadedBytes},
                            {"least_loaded_bytes", layer.floor.loadedBytes},
                            {"commands", layer.cost.numCommands}};
}

/// Returns the placement of the operators that multiply, as explainPartition
/// reports it.
static llvm::json::Array getPlacement(const Explanation &explanation) {
  llvm::json::Array rows;
  for (const accel::LayerReport &layer : explanation.layers) {
    if (layer.macs == 0)
      continue;
    llvm::json::Value reason = nullptr;
    if (!layer.reasons.empty())
      reason = llvm::json::fixUTF8(layer.reasons.front().getText());
    rows.push_back(
        llvm::json::Object{{"name", llvm::json::fixUTF8(layer.layer)},
                           {"operator", layer.kind},
                           {"macs", layer.macs},
                           {"target", layer.target},
                           {"reason", std::move(reason)}});
  }
  return rows;
}

static void printTable(const std::vector<MappedLayer> &layers) {
  size_t width = 5;
  for (const MappedLayer &layer : layers)
    width = std::max(width, toPrintable(layer.name).size());
  llvm::raw_ostream &os = llvm::outs();
  os << llvm::left_justify("layer", width)
     << "      cycles  roofline  bound by   KB loaded  commands  mapping\n";
  int64_t cycles = 0, roofline = 0, bytes = 0, commands = 0;
  std::map<std::pair<StringRef, StringRef>, int64_t> engines;
  for (const MappedLayer &layer : layers) {
    os << llvm::left_justify(toPrintable(layer.name), width)
       << llvm::formatv(
              "  {0,10}  {1,7:F1}%  {2,-8}  {3,10:F1}  {4,8}  {5}\n",
              layer.cost.cycles,
              getRooflinePercent(layer.getRoofline(), layer.cost.cycles),
              layer.getBound(), double(layer.cost.loadedBytes) / 1000,
              layer.cost.numCommands, getText(layer.mapping));
    cycles += layer.cost.cycles;
    roofline += layer.getRoofline();
    for (auto [engine, least] :
         llvm::zip_equal(layer.engines, layer.floor.cycles))
      engines[{layer.accelerator, engine}] += least;
    bytes += layer.cost.loadedBytes;
    commands += layer.cost.numCommands;
  }
  // Engines that compute several layers at the same time can take less.
  if (roofline > cycles) {
    roofline = 0;
    for (const auto &[engine, least] : engines)
      roofline = std::max(roofline, least);
  }
  os << llvm::left_justify("sum", width)
     << llvm::formatv("  {0,10}  {1,7:F1}%  {2,-8}  {3,10:F1}  {4,8}\n", cycles,
                      getRooflinePercent(roofline, cycles), "",
                      double(bytes) / 1000, commands);
}

static void printDetails(const MappedLayer &layer) {
  llvm::raw_ostream &os = llvm::outs();
  os << toPrintable(layer.name) << ": pattern '" << layer.pattern << "' of "
     << layer.accelerator << "\n";
  os << "  mapping   " << getText(layer.mapping) << "\n";
  os << llvm::formatv(
      "  cycles    {0}, {1:F1} % of the roofline's {2}, bound "
      "by {3}\n",
      layer.cost.cycles,
      getRooflinePercent(layer.getRoofline(), layer.cost.cycles),
      layer.getRoofline(), layer.getBound());
  for (auto [engine, busy, least] :
       llvm::zip_equal(layer.engines, layer.cost.busy, layer.floor.cycles))
    os << llvm::formatv(
        "  {0,-9} busy for {1} cycles ({2:F1} %), at least {3}\n", engine, busy,
        getPercent(busy, layer.cost.cycles), least);
  if (std::optional<double> share = layer.getUtilisation())
    os << llvm::formatv("  MACs      {0}, {1:F1} % of {2} per cycle\n",
                        layer.macs, 100 * *share, layer.macsPerCycle);
  os << llvm::formatv("  loads     {0} bytes, at least {1}\n",
                      layer.cost.loadedBytes, layer.floor.loadedBytes);
  os << llvm::formatv("  commands  {0}, with waits\n", layer.cost.numCommands);
}

static llvm::Error writeTimeline(ArrayRef<TimelineEvent> events,
                                 StringRef file) {
  using llvm::json::Object;
  Timeline timeline;
  llvm::MapVector<StringRef, int64_t> devices;
  llvm::MapVector<std::pair<StringRef, StringRef>, int64_t> engines;
  for (const TimelineEvent &event : events) {
    auto [device, isNewDevice] =
        devices.try_emplace(event.device, devices.size() + 1);
    if (isNewDevice)
      timeline.addName("process_name", device->second, /*thread=*/0,
                       event.device);
    auto [engine, isNewEngine] = engines.try_emplace(
        std::pair<StringRef, StringRef>(event.device, event.engine),
        engines.size());
    if (isNewEngine)
      timeline.addName("thread_name", device->second, engine->second,
                       event.engine);
    timeline.addEvent(
        Object{{"name", event.name},
               {"ph", "X"},
               {"ts", event.start},
               {"dur", event.cycles},
               {"pid", device->second},
               {"tid", engine->second},
               {"args", Object{{"layer", llvm::json::fixUTF8(event.layer)}}}});
  }
  return std::move(timeline).write(file);
}

namespace {
/// Explains the simplified graph before it is partitioned.
struct PlacementObserver : CompileObserver {
  PlacementObserver(const ModelOptions &options, Explanation &explanation)
      : options(options), explanation(explanation) {}
  void onSimplified(ModuleOp module) override {
    // The partition, which follows, reports the same errors.
    (void)explainGraph(options, module, explanation);
  }
  const ModelOptions &options;
  Explanation &explanation;
};
} // namespace

/// Maps a model and collects its layers, the commands in `timeline` and the
/// placement in `explanation` if they are given.
static ExitCode mapModel(const ModelOptions &options, ModelContext &context,
                         std::vector<MappedLayer> &layers,
                         std::vector<TimelineEvent> *timeline,
                         Explanation *explanation) {
  OwningOpRef<ModuleOp> module;
  if (ExitCode code = checkProcessor(options, context);
      code != ExitCode::Success)
    return code;
  if (ExitCode code = loadWithAccelerators(options, context, module);
      code != ExitCode::Success)
    return code;
  PassManager manager(context.get());
  std::optional<PlacementObserver> observer;
  if (explanation)
    addObserver(manager, observer.emplace(options, *explanation));
  manager.addPass(makePartitionPass(options));
  // --lower has options of the search for mappings.
  ModelOptions before = options;
  before.lower.clear();
  std::unique_ptr<Pass> plan = makeLowerPass(
      before, context, /*nameWorkloads=*/false, /*until=*/"planned");
  if (!plan)
    return ExitCode::BadInput;
  manager.addPass(std::move(plan));
  accel::MapPassOptions mapping;
  mapping.cache = getMappingCache();
  std::unique_ptr<Pass> pass = accel::createMapPass(mapping);
  if (failed(setLowerOptions(*pass, options.lower, context,
                             "; with --mapping, the options of uma-accel-map")))
    return ExitCode::BadInput;
  manager.addPass(std::move(pass));
  if (failed(manager.run(*module)))
    return ExitCode::NotSupported;
  FailureOr<std::vector<MappedLayer>> mapped =
      accel::getMappedLayers(*module, timeline);
  if (failed(mapped))
    return ExitCode::NotSupported;
  layers = std::move(*mapped);
  return ExitCode::Success;
}

ExitCode uma::explainMapping(const ModelOptions &options, ModelContext &context,
                             llvm::json::Object &json) {
  std::vector<MappedLayer> layers;
  Explanation explanation;
  if (ExitCode code = mapModel(options, context, layers, /*timeline=*/nullptr,
                               &explanation);
      code != ExitCode::Success)
    return code;
  llvm::json::Array rows;
  for (const MappedLayer &row : layers)
    rows.push_back(getJSON(row));
  json = makeJSON("uma-explain-mapping", options.model, std::move(rows));
  json["placement"] = getPlacement(explanation);
  return ExitCode::Success;
}

ExitCode uma::runExplainMapping(const ModelOptions &options, StringRef layer,
                                ExplainOutput output, StringRef trace) {
  ModelContext context(options.model);
  if (output == ExplainOutput::HTML)
    return refuseHTML(context, "--mapping");
  std::vector<MappedLayer> layers;
  std::vector<TimelineEvent> timeline;
  Explanation explanation;
  if (ExitCode code = mapModel(
          options, context, layers, trace.empty() ? nullptr : &timeline,
          output == ExplainOutput::JSON ? &explanation : nullptr);
      code != ExitCode::Success)
    return code;
  if (!trace.empty())
    if (llvm::Error error = writeTimeline(timeline, trace))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  if (!layer.empty()) {
    SmallVector<StringRef> names;
    for (const MappedLayer &row : layers)
      names.push_back(row.name);
    std::string hint = didYouMean(layer, names);
    llvm::erase_if(layers,
                   [&](const MappedLayer &row) { return row.name != layer; });
    if (layers.empty())
      return context.fail(ExitCode::BadInput,
                          options.model + ": no device computes a layer '" +
                              layer + "' in tiles" + hint);
  }
  if (output == ExplainOutput::JSON) {
    llvm::json::Array rows;
    for (const MappedLayer &row : layers)
      rows.push_back(getJSON(row));
    llvm::json::Object json =
        makeJSON("uma-explain-mapping", options.model, std::move(rows));
    json["placement"] = getPlacement(explanation);
    printJSON(std::move(json));
  } else if (layers.empty()) {
    llvm::outs() << "no device computes a layer in tiles; 'uma explain' "
                    "without --mapping says why\n";
  } else if (layer.empty()) {
    printTable(layers);
  } else {
    for (const MappedLayer &row : layers)
      printDetails(row);
  }
  return ExitCode::Success;
}

//===- ExplainKernels.cpp - uma explain --kernels -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What uma-cpu-plan decides about each layer of the CPU, what it costs by the
// models, and what came second. The numbers are those that the passes choose
// by; no code is built.
//
//===----------------------------------------------------------------------===//

#include "Explanation.h"
#include "PlanModel.h"

#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Transforms/Passes.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/TensorText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;

namespace {
/// A layer of the CPU that is planned.
struct PlannedLayer {
  std::string name;
  std::vector<std::string> operators;
  KernelAttr kernel;
  LayoutAttr layout;
  TilePairAttr pair;
  SmallVector<AlgorithmCost> algorithms;
  std::vector<ScheduleCost> schedules;
};
} // namespace

template <typename AttrT>
static std::string getText(AttrT attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (attribute)
    os << attribute;
  return text;
}

/// The part between the brackets: `NCHW16c` of `#uma.layout<NCHW16c>`.
static std::string getInside(Attribute attribute) {
  std::string text = getText(attribute);
  StringRef inside = StringRef(text).split('<').second;
  return inside.empty() ? "" : inside.drop_back().str();
}

static std::string getText(const RegisterTile &tile) {
  return std::to_string(tile.rows) + "x" + std::to_string(tile.vectors) + "x" +
         std::to_string(tile.lanes);
}

static std::vector<PlannedLayer> getLayers(ModuleOp module) {
  std::vector<PlannedLayer> planned;
  Processor processor = Processor::of(module);
  SymbolTable symbols(module);
  for (func::FuncOp function : cpu::getEntryFunctions(module)) {
    CPULayers layers(function, symbols);
    for (const CPULayer &layer : layers.getLayers()) {
      PlannedLayer &row = planned.emplace_back();
      row.name = layer.getName();
      for (Operation *op : layer.ops)
        row.operators.push_back(
            op->getName().getStringRef().rsplit('.').second.str());
      row.kernel = layer.getKernel();
      row.pair = layer.getTilePair();
      row.layout = layer.getFunction().getResultAttrOfType<LayoutAttr>(
          0, kLayoutAttrName);
      row.algorithms =
          getAlgorithmCosts(layer, layers.getStoredData(layer), processor);
      row.schedules = getScheduleCosts(layer, processor);
    }
  }
  return planned;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// What differs from tiles over all of the reduction and all channels.
static std::string getVersionText(const VersionCost &cost) {
  VersionAttr version = cost.version;
  std::string text = getText(cost.chosen.choice.tile);
  if (version.getSlices() != 1)
    text += " /" + std::to_string(version.getSlices());
  if (BlockingAttr blocking = version.getBlocking())
    text += " " + stringifyDataOrder(blocking.getData()).str();
  return text;
}

static std::string getRunnerUpText(const PlannedLayer &layer,
                                   const VersionCost *version) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const AlgorithmCost &cost : layer.algorithms)
    if (cost.kernel != layer.kernel)
      os << (text.empty() ? "" : ", ") << getInside(cost.kernel)
         << llvm::formatv(" {0:F1}M products", cost.products * 1e-6);
  // Against what the layer takes now.
  for (const AlgorithmCost &cost : layer.algorithms)
    if (cost.kernel == layer.kernel && !text.empty())
      os << llvm::formatv(" (now {0:F1}M)", cost.products * 1e-6);
  if (version && version->runnerUp) {
    double share =
        100 * (version->runnerUp->cycles / version->chosen.cycles - 1);
    os << (text.empty() ? "" : "; ") << getText(version->runnerUp->choice.tile)
       << " packed by " << version->runnerUp->choice.packWidth
       << llvm::formatv(" {0}{1:F1} %", share < 0 ? "" : "+", share);
  }
  return text;
}

static const VersionCost *findVersion(const ScheduleCost &schedule,
                                      StringRef isa) {
  const auto *found =
      llvm::find_if(schedule.versions, [&](const VersionCost &version) {
        return version.version.getIsa().getValue() == isa;
      });
  return found == schedule.versions.end() ? nullptr : found;
}

/// The version that costs are printed for, in the middle of all.
static constexpr llvm::StringLiteral kShownISA = "avx2";

static void printTable(ArrayRef<PlannedLayer> layers) {
  std::vector<std::vector<std::string>> rows = {
      {"layer", "operators", "kernel", "result in", "packed by", "avx512",
       "avx2", "simd128", "k cycles", "instead"}};
  for (const PlannedLayer &layer : layers) {
    std::string kernel = getInside(layer.kernel);
    if (layer.pair)
      kernel += ", tiles of " + std::to_string(layer.pair.getPacks()) + " x " +
                std::to_string(layer.pair.getSlabs());
    // A layer of several nests has a row for each.
    size_t count = std::max<size_t>(layer.schedules.size(), 1);
    for (size_t i = 0; i < count; ++i) {
      std::vector<std::string> row;
      if (i == 0)
        row = {toPrintable(layer.name), llvm::join(layer.operators, " "),
               kernel, getInside(layer.layout)};
      else
        row.resize(4);
      const VersionCost *shown = nullptr;
      if (i < layer.schedules.size()) {
        const ScheduleCost &schedule = layer.schedules[i];
        shown = findVersion(schedule, kShownISA);
        row.push_back(
            std::to_string(schedule.versions.back().chosen.choice.packWidth));
        for (StringRef isa : {"avx512", "avx2", "simd128"}) {
          const VersionCost *version = findVersion(schedule, isa);
          row.push_back(version ? getVersionText(*version) : "");
        }
        row.push_back(
            shown ? llvm::formatv("{0:F1}", shown->chosen.cycles * 1e-3).str()
                  : "");
      } else {
        row.resize(9);
      }
      row.push_back(i == 0 || shown ? getRunnerUpText(layer, shown) : "");
      rows.push_back(std::move(row));
    }
  }
  std::vector<size_t> widths(rows.front().size());
  for (const std::vector<std::string> &row : rows)
    for (auto [width, cell] : llvm::zip(widths, row))
      width = std::max(width, cell.size());
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (auto [index, cell] : llvm::enumerate(row)) {
      bool isNumber = index == 4 || index == 8;
      size_t blanks = widths[index] - cell.size();
      line += (isNumber ? std::string(blanks, ' ') + cell
                        : cell + std::string(blanks, ' ')) +
              "  ";
    }
    llvm::outs() << StringRef(line).rtrim() << '\n';
  }
}

/// All versions and all attributes of one layer.
static void printDetails(const PlannedLayer &layer) {
  llvm::outs() << toPrintable(layer.name) << ": "
               << llvm::join(layer.operators, " ")
               << "\n  uma.kernel = " << layer.kernel << '\n';
  if (layer.layout)
    llvm::outs() << "  uma.layout = " << layer.layout << '\n';
  if (layer.pair)
    llvm::outs() << "  uma.tile_pair = " << layer.pair << '\n';
  for (const AlgorithmCost &cost : layer.algorithms)
    llvm::outs() << "  " << getInside(cost.kernel)
                 << llvm::formatv(": {0:F1} million products\n",
                                  cost.products * 1e-6);
  for (const ScheduleCost &schedule : layer.schedules)
    for (const VersionCost &version : schedule.versions) {
      auto print = [](const TileCost &cost) {
        return llvm::formatv("{0} packed by {1}, {2:F1}k cycles",
                             getText(cost.choice.tile), cost.choice.packWidth,
                             cost.cycles * 1e-3)
            .str();
      };
      llvm::outs() << "  " << version.version << "\n    "
                   << print(version.chosen);
      if (version.runnerUp)
        llvm::outs() << "; then " << print(*version.runnerUp);
      llvm::outs() << '\n';
    }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Value getOptional(Attribute attribute) {
  return attribute ? llvm::json::Value(getText(attribute))
                   : llvm::json::Value(nullptr);
}

static llvm::json::Object getJSON(const TileCost &cost) {
  const RegisterTile &tile = cost.choice.tile;
  return llvm::json::Object{
      {"packed_by", cost.choice.packWidth},
      {"tile", llvm::json::Array{tile.rows, tile.vectors, tile.lanes}},
      {"cycles", cost.cycles}};
}

static llvm::json::Object getJSON(const PlannedLayer &layer) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array operators, algorithms, schedules;
  for (const std::string &name : layer.operators)
    operators.push_back(name);
  for (const AlgorithmCost &cost : layer.algorithms)
    algorithms.push_back(
        Object{{"kernel", getText(cost.kernel)}, {"products", cost.products}});
  for (const ScheduleCost &schedule : layer.schedules) {
    Array versions;
    for (const VersionCost &version : schedule.versions)
      versions.push_back(Object{
          {"isa", version.version.getIsa().getValue()},
          {"version", getText(version.version)},
          {"chosen", getJSON(version.chosen)},
          {"runner_up", version.runnerUp
                            ? llvm::json::Value(getJSON(*version.runnerUp))
                            : llvm::json::Value(nullptr)}});
    schedules.push_back(Object{{"workload", schedule.workload.op},
                               {"versions", std::move(versions)}});
  }
  return Object{{"name", llvm::json::fixUTF8(layer.name)},
                {"operators", std::move(operators)},
                {"kernel", getText(layer.kernel)},
                {"layout", getOptional(layer.layout)},
                {"tile_pair", getOptional(layer.pair)},
                {"algorithms", std::move(algorithms)},
                {"schedules", std::move(schedules)}};
}

ExitCode uma::runExplainKernels(const ModelOptions &options, StringRef layer,
                                ExplainOutput output) {
  ModelContext context(options.model);
  OwningOpRef<ModuleOp> module;
  if (output == ExplainOutput::HTML)
    return context.fail(ExitCode::BadInput,
                        "--html shows where layers run; with --kernels, print "
                        "text or --json");
  if (ExitCode code = planModel(options, context, module);
      code != ExitCode::Success)
    return code;
  std::vector<PlannedLayer> layers = getLayers(*module);
  if (!layer.empty()) {
    std::vector<PlannedLayer> all = std::move(layers);
    layers.clear();
    llvm::copy_if(all, std::back_inserter(layers),
                  [&](const PlannedLayer &row) { return row.name == layer; });
    SmallVector<StringRef> names;
    for (const PlannedLayer &row : all)
      names.push_back(row.name);
    if (layers.empty())
      return context.fail(ExitCode::BadInput,
                          options.model +
                              ": no layer of the CPU's kernels is "
                              "named '" +
                              layer + "'" + didYouMean(layer, names));
  }
  if (output == ExplainOutput::JSON) {
    llvm::json::Array rows;
    for (const PlannedLayer &row : layers)
      rows.push_back(getJSON(row));
    llvm::json::Value all =
        llvm::json::Object{{"format", "uma-explain-kernels"},
                           {"version", 1},
                           {"model", llvm::json::fixUTF8(options.model)},
                           {"layers", std::move(rows)}};
    llvm::outs() << llvm::formatv("{0:2}", all) << '\n';
  } else if (layer.empty()) {
    printTable(layers);
  } else {
    for (const PlannedLayer &row : layers)
      printDetails(row);
  }
  return ExitCode::Success;
}

//===- PlanReport.cpp - Reports on the plan of the CPU's layers -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Transforms/PlanReport.h"

#include "uma/CPU/Transforms/Passes.h"
#include "uma/Support/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;

template <typename AttrT>
static std::string getText(AttrT attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (attribute)
    os << attribute;
  return text;
}

/// Returns the parameters of an attribute: `NCHW16c` for
/// `#uma.layout<NCHW16c>`.
static std::string getInside(Attribute attribute) {
  std::string text = getText(attribute);
  StringRef inside = StringRef(text).split('<').second;
  return inside.empty() ? "" : inside.drop_back().str();
}

static std::string getText(const RegisterTile &tile) {
  return std::to_string(tile.rows) + "x" + std::to_string(tile.vectors) + "x" +
         std::to_string(tile.lanes);
}

/// Returns the name and the tile of an instruction: `amx_dpbusd 32x32x16`, or
/// `amx_dpbusd 31x32x16 of 7 lines`.
static std::string getText(TileInstructionAttr instruction) {
  return (instruction.getName().getValue() + " " +
          Twine(instruction.getRows()) + "x" + Twine(instruction.getColumns()) +
          "x" + Twine(instruction.getWords()) +
          (instruction.getLines() == 1
               ? ""
               : " of " + std::to_string(instruction.getLines()) + " lines"))
      .str();
}

std::vector<PlannedLayer> uma::getPlannedLayers(ModuleOp module) {
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
      int64_t wordSize = layer.getWordSize();
      if (wordSize != 1) {
        auto data =
            cast<RankedTensorType>(layer.anchor->getOperand(0).getType());
        row.words = wordSize == 4                    ? "u8[4]"
                    : data.getElementType().isBF16() ? "bf16[2]"
                                                     : "i16[2]";
      }
      if (auto schedules =
              layer.getFunction()->getAttrOfType<ArrayAttr>(kSchedulesAttrName);
          schedules && !schedules.empty())
        row.instruction = cast<ScheduleAttr>(schedules[0]).getInstruction();
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

/// Returns the tile, the number of slices and the data order of a version,
/// without default values.
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
  // Append the current cost for comparison.
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

/// Returns the instruction sets that have a column: those with vectors, or
/// scalar if there are no others.
static SmallVector<StringRef> getColumns(const Processor &processor) {
  SmallVector<StringRef> columns;
  for (const ISA &isa : processor.sets)
    if (isa.lanes != 1 || processor.sets.size() == 1)
      columns.push_back(isa.name);
  return columns;
}

void uma::printPlan(raw_ostream &os, ArrayRef<PlannedLayer> layers,
                    const Processor &processor) {
  SmallVector<StringRef> columns = getColumns(processor);
  // Print costs for one instruction set, a middle one if there are many.
  StringRef costed =
      llvm::is_contained(columns, "avx2") ? "avx2" : columns.front();
  constexpr size_t numFirst = 5;
  const size_t costColumn = numFirst + columns.size();
  std::vector<std::string> titles = {"layer", "operators", "kernel",
                                     "result in", "packed by"};
  for (StringRef isa : columns)
    titles.push_back(isa.str());
  titles.emplace_back("k cycles");
  titles.emplace_back("instead");
  std::vector<std::vector<std::string>> rows = {titles};
  for (const PlannedLayer &layer : layers) {
    std::string kernel = getInside(layer.kernel);
    if (!layer.words.empty())
      kernel += " " + layer.words;
    if (layer.instruction)
      kernel += ", " + getText(layer.instruction);
    if (layer.pair)
      kernel += ", tiles of " + std::to_string(layer.pair.getPacks()) + " x " +
                std::to_string(layer.pair.getSlabs());
    // Print a row for each loop nest.
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
        shown = findVersion(schedule, costed);
        row.push_back(
            std::to_string(schedule.versions.back().chosen.choice.packWidth));
        for (StringRef isa : columns) {
          const VersionCost *version = findVersion(schedule, isa);
          row.push_back(version ? getVersionText(*version) : "");
        }
        row.push_back(
            shown ? llvm::formatv("{0:F1}", shown->chosen.cycles * 1e-3).str()
                  : "");
      } else {
        row.resize(costColumn + 1);
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
      bool isNumber = index == numFirst - 1 || index == costColumn;
      size_t blanks = widths[index] - cell.size();
      line += (isNumber ? std::string(blanks, ' ') + cell
                        : cell + std::string(blanks, ' ')) +
              "  ";
    }
    os << StringRef(line).rtrim() << '\n';
  }
}

void uma::printLayerPlan(raw_ostream &os, const PlannedLayer &layer) {
  os << toPrintable(layer.name) << ": " << llvm::join(layer.operators, " ")
     << "\n  uma.kernel = " << layer.kernel << '\n';
  if (!layer.words.empty())
    os << "  words of " << layer.words << '\n';
  if (layer.instruction)
    os << "  " << layer.instruction << '\n';
  if (layer.layout)
    os << "  uma.layout = " << layer.layout << '\n';
  if (layer.pair)
    os << "  uma.tile_pair = " << layer.pair << '\n';
  for (const AlgorithmCost &cost : layer.algorithms)
    os << "  " << getInside(cost.kernel)
       << llvm::formatv(": {0:F1} million products\n", cost.products * 1e-6);
  for (const ScheduleCost &schedule : layer.schedules)
    for (const VersionCost &version : schedule.versions) {
      auto print = [](const TileCost &cost) {
        return llvm::formatv("{0} packed by {1}, {2:F1}k cycles",
                             getText(cost.choice.tile), cost.choice.packWidth,
                             cost.cycles * 1e-3)
            .str();
      };
      os << "  " << version.version << "\n    " << print(version.chosen);
      if (version.runnerUp)
        os << "; then " << print(*version.runnerUp);
      os << '\n';
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

llvm::json::Object uma::getPlanJSON(const PlannedLayer &layer) {
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
                {"words", layer.words.empty() ? llvm::json::Value(nullptr)
                                              : llvm::json::Value(layer.words)},
                {"instruction", getOptional(layer.instruction)},
                {"layout", getOptional(layer.layout)},
                {"tile_pair", getOptional(layer.pair)},
                {"algorithms", std::move(algorithms)},
                {"schedules", std::move(schedules)}};
}

//===- Explain.cpp - uma explain ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Explains the graph before partitioning, but after simplification and the
// accelerators' own passes, so that the report and the package agree.
//
//===----------------------------------------------------------------------===//

#include "Explanation.h"

#include "uma/Pipelines/Passes.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/TensorText.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace uma;
using accel::LayerReport;
using accel::Reason;

static void add(Share &share, const LayerReport &layer) {
  ++share.operators;
  share.macs += layer.macs;
}

/// Removes the names of layers, so that layers with the same reason are counted
/// together. `kinds` maps each mention "conv2d 'conv3'" to its operator.
static std::string removeLayerNames(StringRef text,
                                    const llvm::StringMap<StringRef> &kinds) {
  std::string result;
  while (!text.empty()) {
    // A mention is a word, a blank and a name in quotes.
    auto [before, after] = text.split(" '");
    if (after.empty())
      return result + text.str();
    size_t word = before.find_last_of(" (") + 1; // npos + 1 is 0
    size_t end = after.find('\'');
    StringRef mention = text.slice(
        word, end == StringRef::npos ? end : before.size() + 2 + end + 1);
    auto kind = kinds.find(mention);
    if (kind == kinds.end()) {
      result += before.str() + " '";
      text = after;
      continue;
    }
    result += before.substr(0, word).str() + kind->second.str();
    text = text.substr(word + mention.size());
  }
  return result;
}

/// Replaces all numbers in a text by `#`, so that reasons that differ only in
/// numbers compare equal.
static std::string removeNumbers(StringRef text) {
  std::string result;
  bool isInList = false;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isPartOfName =
        i > 0 && (llvm::isAlnum(text[i - 1]) || text[i - 1] == '_');
    if (text[i] == '[')
      isInList = true;
    if (text[i] == ']')
      isInList = false;
    if (llvm::isDigit(text[i]) && !isPartOfName) {
      while (i + 1 < text.size() && llvm::isDigit(text[i + 1]))
        ++i;
      result += '#';
    } else if (!isInList || text[i] == '[') {
      result += text[i];
    }
  }
  return result;
}

static void addUp(Explanation &explanation) {
  llvm::StringMap<StringRef> kinds;
  for (const LayerReport &layer : explanation.layers)
    kinds.try_emplace(layer.kind + " '" + layer.layer + "'", layer.kind);
  llvm::MapVector<StringRef, Share> targets;
  std::map<std::pair<std::string, std::string>, Share> reasons;
  for (const LayerReport &layer : explanation.layers) {
    add(explanation.total, layer);
    add(targets[layer.target], layer);
    if (layer.target != accel::kCPUTarget)
      continue;
    for (const Reason &reason : layer.reasons)
      add(reasons[{reason.accelerator,
                   removeLayerNames(reason.getText(), kinds)}],
          layer);
  }
  for (const auto &[target, share] : targets)
    explanation.targets.push_back({target.str(), share});
  // Merge reasons that differ only in numbers; the one with the most MACs
  // represents the group.
  std::map<std::pair<std::string, std::string>, size_t> groups;
  SmallVector<int64_t> largest, numVariants;
  for (const auto &[reason, share] : reasons) {
    auto [group, isNew] = groups.try_emplace(
        {reason.first, removeNumbers(reason.second)}, groups.size());
    size_t index = group->second;
    if (isNew) {
      explanation.reasons.push_back({reason.first, reason.second, {}});
      largest.push_back(share.macs);
      numVariants.push_back(0);
    }
    ReasonShare &line = explanation.reasons[index];
    line.share.operators += share.operators;
    line.share.macs += share.macs;
    ++numVariants[index];
    if (share.macs > largest[index]) {
      largest[index] = share.macs;
      line.reason = reason.second;
    }
  }
  for (auto [line, variants] :
       llvm::zip_equal(explanation.reasons, numVariants))
    if (variants > 1)
      line.reason +=
          ", and " + std::to_string(variants - 1) + " more with other numbers";
  llvm::sort(explanation.reasons, [](const ReasonShare &lhs,
                                     const ReasonShare &rhs) {
    return std::tie(rhs.share.macs, rhs.share.operators, lhs.accelerator,
                    lhs.reason) < std::tie(lhs.share.macs, lhs.share.operators,
                                           rhs.accelerator, rhs.reason);
  });
}

ExitCode uma::explainModel(const ModelOptions &options, ModelContext &context,
                           OwningOpRef<ModuleOp> &module,
                           Explanation &explanation) {
  if (ExitCode code = loadWithAccelerators(options, context, module);
      code != ExitCode::Success)
    return code;
  PassManager manager(context.get());
  manager.addPass(createGraphDefaultPass());
  if (failed(manager.run(*module)))
    return ExitCode::NotSupported;
  PassManager hooks(context.get());
  if (failed(addPhasePipelines(*module, Phase::PrePartitioning, hooks)) ||
      failed(hooks.run(*module)))
    return ExitCode::BadInput;
  return succeeded(explainGraph(options, *module, explanation))
             ? ExitCode::Success
             : ExitCode::BadInput;
}

LogicalResult uma::explainGraph(const ModelOptions &options, ModuleOp module,
                                Explanation &explanation) {
  SmallVector<accel::AcceleratorOp> accelerators(
      module.getOps<accel::AcceleratorOp>());
  explanation.model = options.model;
  for (accel::AcceleratorOp accelerator : accelerators)
    explanation.accelerators.push_back(accelerator.getSymName().str());
  accel::PlacementOptions placement{options.policy, options.cpuCyclesPerMAC,
                                    options.cpuCyclesPerElement,
                                    options.mergeRegions};
  for (func::FuncOp function : accel::getFunctionsToPartition(module)) {
    FailureOr<accel::Assignment> assignment =
        accel::computeAssignment(function, accelerators, placement);
    if (failed(assignment))
      return failure();
    accel::explainPartition(function, accelerators, *assignment,
                            explanation.layers);
    if (!assignment->placed)
      continue;
    if (!explanation.costs)
      explanation.costs.emplace();
    explanation.costs->cost += assignment->placed->placement.cost;
    explanation.costs->greedy += assignment->placed->placement.greedyCost;
  }
  addUp(explanation);
  return success();
}

ExitCode uma::selectLayer(StringRef layer, ModelContext &context,
                          Explanation &explanation) {
  std::vector<LayerReport> all = std::move(explanation.layers);
  explanation.layers.clear();
  llvm::copy_if(all, std::back_inserter(explanation.layers),
                [&](const LayerReport &row) { return row.layer == layer; });
  if (!explanation.layers.empty())
    return ExitCode::Success;
  SmallVector<StringRef> names;
  for (const LayerReport &row : all)
    names.push_back(row.layer);
  return context.fail(ExitCode::BadInput, explanation.model +
                                              ": no layer is named '" + layer +
                                              "'" + didYouMean(layer, names));
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Value getText(StringRef text) {
  return llvm::json::fixUTF8(text);
}

/// Converts an empty text to null.
static llvm::json::Value getOptional(StringRef text) {
  return text.empty() ? llvm::json::Value(nullptr) : getText(text);
}

static llvm::json::Value getOptional(std::optional<size_t> number) {
  return number ? llvm::json::Value(*number) : llvm::json::Value(nullptr);
}

static llvm::json::Object getTensor(RankedTensorType type) {
  return llvm::json::Object{{"type", getElementText(type.getElementType())},
                            {"shape", llvm::json::Array(type.getShape())}};
}

static llvm::json::Array getOperands(const LayerReport &layer) {
  llvm::json::Array array;
  for (const accel::LayerOperand &operand : layer.operands) {
    llvm::json::Object object = getTensor(operand.type);
    object["from"] = getOptional(operand.from);
    object["constant"] = operand.isConstant;
    array.push_back(std::move(object));
  }
  return array;
}

static llvm::json::Array getResults(const LayerReport &layer) {
  llvm::json::Array array;
  for (RankedTensorType type : layer.results)
    array.push_back(getTensor(type));
  return array;
}

static llvm::json::Array getReasons(ArrayRef<Reason> reasons) {
  llvm::json::Array array;
  for (const Reason &reason : reasons)
    array.push_back(
        llvm::json::Object{{"accelerator", getText(reason.accelerator)},
                           {"pattern", getOptional(reason.pattern)},
                           {"operation", getOptional(reason.operation)},
                           {"constraint", getText(reason.constraint)}});
  return array;
}

static llvm::json::Object getCost(const accel::PlacementCost &cost) {
  return llvm::json::Object{{"cycles", cost.getTotal()},
                            {"cpu", cost.cpu},
                            {"devices", cost.devices},
                            {"transfers", cost.transfers},
                            {"regions", cost.regions},
                            {"transfer_count", cost.numTransfers},
                            {"region_count", cost.numRegions},
                            {"forbidden_regions", cost.numForbidden}};
}

llvm::json::Value uma::toJSON(const Explanation &explanation) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array accelerators, layers, targets, reasons;
  for (const std::string &accelerator : explanation.accelerators)
    accelerators.push_back(getText(accelerator));
  for (const LayerReport &layer : explanation.layers)
    layers.push_back(Object{{"name", getText(layer.layer)},
                            {"index", layer.index},
                            {"operator", getText(layer.kind)},
                            {"target", getText(layer.target)},
                            {"pattern", getOptional(layer.pattern)},
                            {"match", getOptional(layer.match)},
                            {"macs", layer.macs},
                            {"operands", getOperands(layer)},
                            {"results", getResults(layer)},
                            {"reasons", getReasons(layer.reasons)},
                            {"passed_over", getReasons(layer.passedOver)}});
  for (const TargetShare &target : explanation.targets)
    targets.push_back(Object{{"target", getText(target.target)},
                             {"operators", target.share.operators},
                             {"macs", target.share.macs}});
  for (const ReasonShare &reason : explanation.reasons)
    reasons.push_back(Object{{"accelerator", getText(reason.accelerator)},
                             {"reason", getText(reason.reason)},
                             {"operators", reason.share.operators},
                             {"macs", reason.share.macs}});
  llvm::json::Value policies = nullptr;
  if (explanation.costs)
    policies = Object{{"cost", getCost(explanation.costs->cost)},
                      {"greedy", getCost(explanation.costs->greedy)}};
  return Object{{"format", "uma-explain"},
                {"version", 1},
                {"model", getText(explanation.model)},
                {"accelerators", std::move(accelerators)},
                {"layers", std::move(layers)},
                {"totals", Object{{"operators", explanation.total.operators},
                                  {"macs", explanation.total.macs},
                                  {"targets", std::move(targets)}}},
                {"summary", std::move(reasons)},
                {"policies", std::move(policies)}};
}

ExitCode uma::refuseHTML(const ModelContext &context, StringRef option) {
  return context.fail(ExitCode::BadInput,
                      "--html shows where layers run; with " + option +
                          ", print text or --json");
}

llvm::json::Object uma::makeJSON(StringRef format, StringRef model,
                                 llvm::json::Array rows) {
  return llvm::json::Object{{"format", format},
                            {"version", 1},
                            {"model", getText(model)},
                            {"layers", std::move(rows)}};
}

void uma::printJSON(llvm::json::Object json) {
  llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(json)))
               << '\n';
}

ExitCode uma::runExplain(const ModelOptions &options, StringRef layer,
                         ExplainOutput output, StringRef file) {
  ModelContext context(options.model);
  OwningOpRef<ModuleOp> module;
  Explanation explanation;
  if (ExitCode code = explainModel(options, context, module, explanation);
      code != ExitCode::Success)
    return code;
  if (!layer.empty())
    if (ExitCode code = selectLayer(layer, context, explanation);
        code != ExitCode::Success)
      return code;
  if (output == ExplainOutput::HTML) {
    std::string page = toHTML(explanation, *module);
    if (file == "-")
      llvm::outs() << page;
    else if (llvm::Error error = writeFileAtomically(file, page))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    return ExitCode::Success;
  }
  if (output == ExplainOutput::JSON)
    llvm::outs() << llvm::formatv("{0:2}", toJSON(explanation)) << '\n';
  else if (layer.empty())
    printExplanation(explanation);
  else
    printLayerDetails(explanation, *module);
  return ExitCode::Success;
}

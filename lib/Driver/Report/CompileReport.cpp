//===- CompileReport.cpp - Report of uma compile --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CompileReport.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace uma;
using accel::LayerReport;

/// Splits the operators of one name into layers: a layer has each kind of
/// operator once.
static SmallVector<SmallVector<size_t>>
splitIntoLayers(ArrayRef<LayerReport> operators, ArrayRef<size_t> named) {
  SmallVector<SmallVector<size_t>> layers;
  llvm::StringSet<> kinds;
  for (size_t index : named) {
    if (kinds.insert(operators[index].kind).second && !layers.empty()) {
      layers.back().push_back(index);
      continue;
    }
    kinds.clear();
    kinds.insert(operators[index].kind);
    layers.push_back({index});
  }
  return layers;
}

/// Joins the operators of one name and target with the steps that name them.
/// One step may compute several layers, and several steps one.
void CompileReport::join(ArrayRef<size_t> named, ArrayRef<size_t> naming) {
  auto layers = splitIntoLayers(explanation.layers, named);
  // Steps on another target compute other operators or move data.
  SmallVector<size_t> computing;
  llvm::copy_if(naming, std::back_inserter(computing), [&](size_t step) {
    return memory.steps[step].target ==
           explanation.layers[named.front()].target;
  });
  ArrayRef<size_t> calls = computing.empty() ? naming : computing;
  for (auto [i, layer] : llvm::enumerate(layers))
    for (size_t index : layer)
      operators[index].step = calls[i * calls.size() / layers.size()];
  for (auto [i, call] : llvm::enumerate(calls))
    if (calls.size() > layers.size())
      llvm::append_range(steps[call].operators,
                         layers[i * layers.size() / calls.size()]);
}

void CompileReport::joinOperators() {
  operators.resize(explanation.layers.size());
  steps.resize(memory.steps.size());
  llvm::StringMap<llvm::MapVector<StringRef, SmallVector<size_t>>> named;
  llvm::StringMap<SmallVector<size_t>> naming;
  for (auto [index, layer] : llvm::enumerate(explanation.layers))
    named[layer.layer][layer.target].push_back(index);
  for (auto [index, step] : llvm::enumerate(memory.steps))
    for (StringRef layer : step.layers)
      naming[layer].push_back(index);
  for (const auto &entry : naming)
    for (const auto &[target, indices] : named[entry.getKey()])
      join(indices, entry.getValue());
  // A call of a device names the first operator of its match.
  llvm::DenseMap<size_t, size_t> stepOfMatch;
  for (auto [entry, layer] : llvm::zip_equal(operators, explanation.layers))
    if (entry.step && layer.match)
      stepOfMatch.try_emplace(*layer.match, *entry.step);
  for (auto [index, layer] : llvm::enumerate(explanation.layers)) {
    std::optional<size_t> &step = operators[index].step;
    if (!step && layer.match && stepOfMatch.contains(*layer.match))
      step = stepOfMatch[*layer.match];
    if (!step)
      continue;
    steps[*step].operators.push_back(index);
    steps[*step].macs += layer.macs;
  }
  for (ReportStep &step : steps) {
    llvm::sort(step.operators);
    step.operators.erase(llvm::unique(step.operators), step.operators.end());
  }
}

std::string CompileReport::getReasons(const ReportStep &step) const {
  SmallVector<size_t> byCost = step.operators;
  llvm::sort(byCost, [&](size_t left, size_t right) {
    return std::make_pair(-explanation.layers[left].macs, left) <
           std::make_pair(-explanation.layers[right].macs, right);
  });
  SmallVector<std::string> texts;
  for (size_t index : byCost) {
    const LayerReport &layer = explanation.layers[index];
    if (layer.target != accel::kCPUTarget)
      continue;
    for (const accel::Reason &reason : layer.reasons) {
      std::string text =
          (layer.reasons.size() > 1 ? reason.accelerator + ": " : "") +
          reason.getText();
      if (!llvm::is_contained(texts, text))
        texts.push_back(std::move(text));
    }
  }
  return llvm::join(texts, "; ");
}

std::string CompileReport::getKinds(size_t step) const {
  llvm::SetVector<StringRef> kinds;
  for (size_t index : steps[step].operators)
    kinds.insert(explanation.layers[index].kind);
  return llvm::join(kinds, ", ");
}

void uma::addCycles(ArrayRef<std::pair<std::string, int64_t>> cycles,
                    CompileReport &report) {
  // Steps of each layer on a device, the first one last.
  llvm::StringMap<SmallVector<size_t>> steps;
  for (size_t i = report.memory.steps.size(); i-- > 0;)
    if (report.memory.steps[i].target != accel::kCPUTarget)
      for (StringRef layer : report.memory.steps[i].layers)
        steps[layer].push_back(i);
  for (const auto &[layer, count] : cycles) {
    auto found = steps.find(layer);
    if (found == steps.end())
      continue;
    SmallVector<size_t> &left = found->getValue();
    std::optional<int64_t> &sum = report.steps[left.back()].cycles;
    sum = sum.value_or(0) + count;
    if (left.size() > 1)
      left.pop_back();
  }
}

/// Reduces each path in an argument such as `name=folder/file,other` to its
/// last name.
static std::string dropFolders(StringRef argument) {
  std::string result;
  while (true) {
    size_t end = argument.find_first_of(",= ");
    StringRef part = argument.take_front(end);
    StringRef path = part.rtrim('/');
    result += path.empty() ? part : llvm::sys::path::filename(path);
    if (end == StringRef::npos)
      return result;
    result += argument[end];
    argument = argument.drop_front(end + 1);
  }
}

std::string uma::getCommandText(ArrayRef<std::string> arguments) {
  std::string text = "uma";
  llvm::raw_string_ostream os(text);
  for (StringRef argument : arguments) {
    std::string shown = dropFolders(argument);
    bool isPlain = !shown.empty() && llvm::all_of(shown, [](char c) {
      return llvm::isAlnum(c) || StringRef("_-+.,:=@%/").contains(c);
    });
    os << ' ';
    llvm::sys::printArg(os, shown, /*Quote=*/!isPlain);
  }
  return text;
}

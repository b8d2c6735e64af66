//===- DeviceComparison.cpp - Device calls against the graph --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The outputs of a network hide internal errors: softmax gives the same class
// for very different sums. Therefore the interpreter evaluates each match on
// the device's actual inputs, which attributes an error to exactly the layer
// that causes it.
//
//===----------------------------------------------------------------------===//

#include "DeviceComparison.h"

#include "Reference.h"

#include "uma/Graph/Interpreter/Interpreter.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace uma;

ExitCode DeviceComparison::prepare(ModelContext &context) {
  auto fail = [&](const DeviceReference &reference) {
    return context.fail(ExitCode::BadInput,
                        "the package's metadata.json has a reference for "
                        "layer '" +
                            reference.layer +
                            "' that does not fit its call; compile the model "
                            "again");
  };
  for (const DeviceCall &call : package.deviceCalls)
    for (const DeviceReference &reference : call.references) {
      Reference &entry = references[&reference];
      entry.module =
          parseSourceString<ModuleOp>(reference.function, context.get());
      if (!entry.module)
        return fail(reference);
      auto functions = entry.module->getOps<func::FuncOp>();
      if (functions.empty() || (*functions.begin()).isExternal())
        return fail(reference);
      entry.function = *functions.begin();
      auto fits = [&](ArrayRef<int64_t> positions, TypeRange types) {
        if (positions.size() != types.size())
          return false;
        return llvm::all_of(llvm::zip(positions, types), [&](auto pair) {
          auto [position, type] = pair;
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && tensor.hasStaticShape() &&
                 HostTensor::getElementSize(tensor.getElementType()) &&
                 HostTensor::getByteSize(tensor) ==
                     int64_t(call.arguments[position].bytes);
        });
      };
      if (!fits(reference.operands, entry.function.getArgumentTypes()) ||
          !fits(reference.results, entry.function.getResultTypes()))
        return fail(reference);
    }
  return ExitCode::Success;
}

DeviceComparison::Layer &
DeviceComparison::getLayer(const DeviceCall &call,
                           const DeviceReference &reference) {
  for (Layer &layer : layers)
    if (layer.name == reference.layer && layer.accelerator == call.accelerator)
      return layer;
  Layer &layer = layers.emplace_back();
  layer.name = reference.layer;
  layer.accelerator = call.accelerator;
  return layer;
}

void DeviceComparison::addFinding(const DeviceCall &call,
                                  const DeviceReference &reference,
                                  std::string text) {
  findings.push_back({reference.layer, call.accelerator, reference.pattern,
                      reference.position, std::move(text)});
}

bool DeviceComparison::check(const DeviceCall &call,
                             MutableArrayRef<std::vector<char>> arguments) {
  std::vector<std::vector<char>> expected(arguments.size());
  for (const DeviceReference &reference : call.references) {
    func::FuncOp function = references[&reference].function;
    auto getTensors = [&](ArrayRef<int64_t> positions, TypeRange types) {
      SmallVector<HostTensor> tensors;
      for (auto [position, type] : llvm::zip_equal(positions, types))
        tensors.emplace_back(cast<RankedTensorType>(type),
                             ArrayRef<char>(arguments[position]));
      return tensors;
    };
    auto operands = getTensors(reference.operands, function.getArgumentTypes());
    auto actual = getTensors(reference.results, function.getResultTypes());
    auto comparisons =
        compareWithInterpreter(function, operands, actual, tolerance);
    if (failed(comparisons))
      continue;
    Layer &layer = getLayer(call, reference);
    ++layer.calls;
    bool isDifferent = false;
    for (auto [i, comparison] : llvm::enumerate(*comparisons)) {
      layer.relative = std::max(layer.relative, comparison.relative);
      // Fixed point may round to the integer beside.
      if (comparison.isEqual ||
          (reference.isFixedPoint && !actual[i].isFloat() &&
           comparison.maxError <= 1))
        continue;
      isDifferent = true;
      addFinding(
          call, reference,
          describeDifference(reference.resultNames[i], actual[i], comparison));
    }
    layer.different += isDifferent;
    if (!replaces)
      continue;
    auto results = graph::interpret(function, operands);
    for (size_t i = 0; succeeded(results) && i < results->size(); ++i)
      expected[reference.results[i]].assign((*results)[i].getBytes().begin(),
                                            (*results)[i].getBytes().end());
  }
  for (auto [bytes, reference] : llvm::zip_equal(arguments, expected))
    if (!reference.empty())
      bytes = std::move(reference);
  return replaces;
}

/// Describes an invalid write to a buffer called `name` of `size` bytes.
static std::string describeGuard(const GuardReport &report, const Twine &name,
                                 size_t size) {
  std::string buffer = (name + " (" + Twine(size) + " bytes)").str();
  if (report.isInput)
    return "changes its input " + buffer + ": " + std::to_string(report.size) +
           " bytes from byte " + std::to_string(report.offset) + " on";
  std::string text = "writes outside of " + buffer + ": ";
  if (report.offset < 0)
    return text + std::to_string(report.size) + " bytes from " +
           std::to_string(-report.offset) + " bytes in front of it on";
  return text + std::to_string(report.size) + " bytes from byte " +
         std::to_string(report.offset) + " on";
}

void DeviceComparison::note(const GuardReport &report) {
  if (!report.call) {
    auto index = static_cast<size_t>(report.argument);
    bool isOutput = index >= package.inputs.size();
    const auto &tensors = isOutput ? package.outputs : package.inputs;
    index -= isOutput ? package.inputs.size() : 0;
    std::string text =
        index < tensors.size()
            ? describeGuard(report, "'" + tensors[index].name + "'",
                            tensors[index].bytes)
            : describeGuard(report, "the workspace", package.workspaceBytes);
    findings.push_back({"", "", "", "", text});
    return;
  }
  const DeviceCall &call = *report.call;
  if (call.references.empty())
    return;
  size_t bytes = report.argument < int64_t(call.arguments.size())
                     ? call.arguments[report.argument].bytes
                     : 0;
  // Prefer the match that writes the buffer, otherwise the first one that reads
  // it.
  for (bool isResult : {true, false})
    for (const DeviceReference &reference : call.references) {
      const auto &positions = isResult ? reference.results : reference.operands;
      const auto &names =
          isResult ? reference.resultNames : reference.operandNames;
      auto found = llvm::find(positions, report.argument);
      if (found == positions.end())
        continue;
      const std::string &name = names[found - positions.begin()];
      ++getLayer(call, reference).different;
      addFinding(call, reference,
                 describeGuard(report,
                               name.empty() ? "a tensor" : "'" + name + "'",
                               bytes));
      return;
    }
  const DeviceReference &reference = call.references.front();
  ++getLayer(call, reference).different;
  addFinding(call, reference,
             describeGuard(report, "a buffer between its calls", bytes));
}

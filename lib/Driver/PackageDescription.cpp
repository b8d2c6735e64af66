//===- PackageDescription.cpp - What a package says of itself -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageDescription.h"

#include "Build.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace uma;

static bool readTensors(const llvm::json::Array *tensors,
                        std::vector<TensorDescription> &descriptions) {
  if (!tensors)
    return false;
  for (const llvm::json::Value &value : *tensors) {
    const llvm::json::Object *tensor = value.getAsObject();
    auto name = tensor ? tensor->getString("name") : std::nullopt;
    auto dtype = tensor ? tensor->getString("dtype") : std::nullopt;
    const llvm::json::Array *shape =
        tensor ? tensor->getArray("shape") : nullptr;
    auto bytes = tensor ? tensor->getInteger("bytes") : std::nullopt;
    if (!name || !dtype || !shape || !bytes || *bytes < 0)
      return false;
    TensorDescription &description = descriptions.emplace_back();
    description.name = name->str();
    description.dtype = dtype->str();
    description.bytes = static_cast<size_t>(*bytes);
    for (const llvm::json::Value &size : *shape)
      description.shape.push_back(size.getAsInteger().value_or(0));
  }
  return true;
}

static bool readTexts(const llvm::json::Array *array,
                      std::vector<std::string> &texts) {
  if (!array)
    return false;
  for (const llvm::json::Value &value : *array) {
    auto text = value.getAsString();
    if (!text)
      return false;
    texts.push_back(text->str());
  }
  return true;
}

/// Reads positions of a call's arguments.
static bool readPositions(const llvm::json::Array *array, size_t numArguments,
                          std::vector<int64_t> &positions) {
  if (!array)
    return false;
  for (const llvm::json::Value &value : *array) {
    auto position = value.getAsInteger();
    if (!position || *position < 0 || *position >= int64_t(numArguments))
      return false;
    positions.push_back(*position);
  }
  return true;
}

static bool readReference(const llvm::json::Value &value, size_t numArguments,
                          DeviceReference &reference) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return false;
  auto read = [&](StringRef key, std::string &text) {
    auto value = object->getString(key);
    text = value.value_or("").str();
    return value.has_value();
  };
  return read("layer", reference.layer) && read("pattern", reference.pattern) &&
         read("at", reference.position) &&
         read("function", reference.function) &&
         readPositions(object->getArray("operands"), numArguments,
                       reference.operands) &&
         readPositions(object->getArray("results"), numArguments,
                       reference.results) &&
         readTexts(object->getArray("operand_names"), reference.operandNames) &&
         readTexts(object->getArray("result_names"), reference.resultNames) &&
         reference.operands.size() == reference.operandNames.size() &&
         reference.results.size() == reference.resultNames.size() &&
         readTexts(object->getArray("calls"), reference.calls);
}

static bool readDeviceCall(const llvm::json::Value &value, DeviceCall &call) {
  const llvm::json::Object *object = value.getAsObject();
  auto index = object ? object->getInteger("index") : std::nullopt;
  auto accelerator = object ? object->getString("accelerator") : std::nullopt;
  const llvm::json::Array *arguments =
      object ? object->getArray("arguments") : nullptr;
  const llvm::json::Array *references =
      object ? object->getArray("references") : nullptr;
  if (!index || *index < 0 || *index > INT32_MAX || !accelerator ||
      !arguments || !references)
    return false;
  call.index = *index;
  call.accelerator = accelerator->str();
  for (const llvm::json::Value &entry : *arguments) {
    const llvm::json::Object *argument = entry.getAsObject();
    auto bytes = argument ? argument->getInteger("bytes") : std::nullopt;
    auto role = argument ? argument->getString("role") : std::nullopt;
    if (!bytes || *bytes < 0 || !role)
      return false;
    call.arguments.push_back(
        {size_t(*bytes), *role == "constant", *role == "output"});
  }
  return llvm::all_of(*references, [&](const llvm::json::Value &reference) {
    return readReference(reference, call.arguments.size(),
                         call.references.emplace_back());
  });
}

static bool readTargets(const llvm::json::Array *array,
                        std::vector<TargetDescription> &targets) {
  for (const llvm::json::Value &value : *array) {
    const llvm::json::Object *object = value.getAsObject();
    auto name = object ? object->getString("name") : std::nullopt;
    auto layers = object ? object->getInteger("layers") : std::nullopt;
    auto macs = object ? object->getInteger("macs") : std::nullopt;
    if (!name || !layers || !macs)
      return false;
    targets.push_back({name->str(), *layers, *macs});
  }
  return true;
}

std::optional<PackageDescription> uma::describePackage(StringRef folder) {
  auto metadata =
      llvm::json::parse(readText((folder + "/metadata.json").str()));
  if (!metadata) {
    llvm::consumeError(metadata.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = metadata->getAsObject();
  if (!object)
    return std::nullopt;
  auto name = object->getString("name");
  const llvm::json::Object *workspace = object->getObject("workspace");
  auto bytes = workspace ? workspace->getInteger("bytes") : std::nullopt;
  PackageDescription package;
  if (!name || !bytes ||
      !readTensors(object->getArray("inputs"), package.inputs) ||
      !readTensors(object->getArray("outputs"), package.outputs))
    return std::nullopt;
  if (const llvm::json::Array *calls = object->getArray("device_calls"))
    for (const llvm::json::Value &call : *calls)
      if (!readDeviceCall(call, package.deviceCalls.emplace_back()))
        return std::nullopt;
  if (const llvm::json::Array *targets = object->getArray("targets"))
    if (!readTargets(targets, package.targets))
      return std::nullopt;
  package.name = name->str();
  package.workspaceBytes = static_cast<size_t>(*bytes);
  const llvm::json::Array *devices = object->getArray("accelerators");
  package.hasDevices = devices && !devices->empty();
  return package;
}

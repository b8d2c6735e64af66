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
    if (!name || !dtype || !shape)
      return false;
    TensorDescription &description = descriptions.emplace_back();
    description.name = name->str();
    description.dtype = dtype->str();
    for (const llvm::json::Value &size : *shape)
      description.shape.push_back(size.getAsInteger().value_or(0));
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
  package.name = name->str();
  package.workspaceBytes = static_cast<size_t>(*bytes);
  const llvm::json::Array *devices = object->getArray("accelerators");
  package.hasDevices = devices && !devices->empty();
  return package;
}

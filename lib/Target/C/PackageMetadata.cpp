//===- PackageMetadata.cpp - Metadata of a package ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageLayout.h"
#include "PackageManifest.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;

/// Returns the value of a state before the first run: a number for all elements
/// or an array; std::nullopt for other tensors, and if JSON has no such
/// numbers.
static std::optional<llvm::json::Value> getStart(const TensorInfo &tensor) {
  if (auto integer = dyn_cast_if_present<IntegerAttr>(tensor.start))
    return integer.getInt();
  auto attr = dyn_cast_if_present<ElementsAttr>(tensor.start);
  FailureOr<HostTensor> elements =
      attr ? HostTensor::fromAttribute(attr) : FailureOr<HostTensor>();
  if (failed(elements) || !elements->allFinite())
    return std::nullopt;
  llvm::json::Array array;
  for (int64_t i = 0, e = elements->getNumElements(); i < e; ++i)
    if (elements->isFloat())
      array.push_back(elements->getDouble(i));
    else
      array.push_back(elements->getInt(i));
  return array;
}

static llvm::json::Array getTensors(ArrayRef<TensorInfo> tensors) {
  llvm::json::Array result;
  for (const TensorInfo &tensor : tensors) {
    std::string dtype;
    llvm::raw_string_ostream(dtype) << tensor.type.getElementType();
    llvm::json::Object entry{
        {"name", llvm::json::fixUTF8(tensor.name)},
        {"dtype", dtype},
        {"shape", llvm::json::Array(tensor.type.getShape())},
        {"bytes", tensor.getBytes()},
        {"parameter", tensor.cName}};
    if (tensor.alignment > 1)
      entry["alignment"] = tensor.alignment;
    if (tensor.offset)
      entry["offset"] = *tensor.offset;
    if (std::optional<llvm::json::Value> start = getStart(tensor))
      entry["start"] = std::move(*start);
    result.push_back(std::move(entry));
  }
  return result;
}

static llvm::json::Array getTexts(ArrayAttr texts) {
  llvm::json::Array array;
  for (auto text : texts.getAsRange<StringAttr>())
    array.push_back(llvm::json::fixUTF8(text.getValue()));
  return array;
}

static llvm::json::Object getReference(DictionaryAttr reference) {
  llvm::json::Object object;
  for (NamedAttribute entry : reference) {
    llvm::json::Value &value = object[entry.getName().getValue()];
    if (auto text = dyn_cast<StringAttr>(entry.getValue()))
      value = llvm::json::fixUTF8(text.getValue());
    else if (auto texts = dyn_cast<ArrayAttr>(entry.getValue()))
      value = getTexts(texts);
    else if (auto numbers = dyn_cast<DenseI64ArrayAttr>(entry.getValue()))
      value = llvm::json::Array(numbers.asArrayRef());
  }
  return object;
}

/// Returns the workspace, and its memories if they have names.
static llvm::json::Object getWorkspace(const PackageInfo &info) {
  llvm::json::Object result{{"bytes", info.workspaceSize},
                            {"alignment", info.workspaceAlignment}};
  llvm::json::Array memories;
  for (const MemoryInfo &memory : info.memories)
    memories.push_back(llvm::json::Object{{"parameter", memory.cName},
                                          {"offset", memory.offset},
                                          {"bytes", memory.bytes}});
  if (info.hasNamedMemories())
    result["memories"] = std::move(memories);
  return result;
}

/// Returns the device calls, with references for `uma run --compare`.
static llvm::json::Array getDeviceCalls(const PackageInfo &info) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array calls;
  for (const DeviceCallInfo &call : info.deviceCalls) {
    Array references, arguments;
    for (auto reference : call.references.getAsRange<DictionaryAttr>())
      references.push_back(getReference(reference));
    for (auto [position, bytes] : llvm::enumerate(call.bytes))
      arguments.push_back(
          Object{{"bytes", bytes},
                 {"role", call.isWritten[position]    ? "output"
                          : call.isConstant[position] ? "constant"
                                                      : "input"}});
    calls.push_back(Object{{"index", call.index},
                           {"accelerator", call.accelerator},
                           {"arguments", std::move(arguments)},
                           {"references", std::move(references)}});
  }
  return calls;
}

/// Returns the layout of the image of weights.
static llvm::json::Object getImage(const PackageInfo &info) {
  llvm::json::Array constants;
  for (const WeightInfo &weight : info.weights) {
    std::string dtype;
    llvm::raw_string_ostream(dtype) << weight.tensor.getElementType();
    constants.push_back(llvm::json::Object{
        {"name", weight.cName},
        {"offset", weight.imageOffset},
        {"dtype", dtype},
        {"bytes", int64_t(weight.tensor.getBytes().size())}});
  }
  return llvm::json::Object{{"file", PackageLayout(info.form).getIncluded(
                                         info.name + "_weights.bin")},
                            {"bytes", int64_t(info.image.size)},
                            {"crc32", int64_t(info.image.checksum)},
                            {"alignment", info.getWeightAlignment()},
                            {"constants", std::move(constants)}};
}

llvm::json::Object uma::getMetadata(const PackageInfo &info,
                                    const PackageFiles &files) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array layers, accelerators, names;
  Object checksums;
  for (const LayerInfo &layer : info.layers) {
    Object entry{{"name", llvm::json::fixUTF8(layer.name)},
                 {"target", llvm::json::fixUTF8(layer.target)}};
    Object memories;
    for (const auto &[name, bytes] : layer.memories)
      memories[llvm::json::fixUTF8(name)] = bytes;
    if (!memories.empty())
      entry["memories"] = std::move(memories);
    layers.push_back(std::move(entry));
  }
  for (const AcceleratorInfo &accelerator : info.accelerators)
    accelerators.push_back(Object{{"name", accelerator.name},
                                  {"sources", Array(accelerator.sources)},
                                  {"objects", Array(accelerator.objects)},
                                  {"libraries", Array(accelerator.libraries)}});
  Array calls;
  for (const CallInfo &call : info.calls)
    calls.push_back(Object{{"function", llvm::json::fixUTF8(call.function)},
                           {"macs", call.macs}});
  Array targets;
  for (const TargetSummary &target : info.targets)
    targets.push_back(Object{{"name", target.name},
                             {"layers", target.layers},
                             {"macs", target.macs}});
  names.push_back(kMetadataName);
  for (const auto &[name, contents] : files) {
    names.push_back(name);
    checksums[name] = contents.getChecksum();
  }
  Object weights{{"bytes", info.getWeightBytes()},
                 {"binary", info.binaryWeights}};
  if (info.hasImage())
    weights["image"] = getImage(info);
  Object metadata{{"format", "uma-package"},
                  {"version", 1},
                  {"name", info.name},
                  {"model", llvm::json::fixUTF8(info.model)},
                  {"model_version", info.modelVersion},
                  {"model_sha256", info.modelHash},
                  {"inputs", getTensors(info.inputs)},
                  {"outputs", getTensors(info.outputs)},
                  {"workspace", getWorkspace(info)},
                  {"weights", std::move(weights)},
                  {"sources", Array(info.sources)},
                  {"include_folders", Array(getIncludeFolders(info))},
                  {"layers", std::move(layers)},
                  {"calls", std::move(calls)},
                  {"targets", std::move(targets)},
                  {"device_calls", getDeviceCalls(info)},
                  {"accelerators", std::move(accelerators)},
                  {"files", std::move(names)},
                  {"checksums", std::move(checksums)}};
  std::string graph = PackageLayout(info.form).getGraph(info.name + ".mlirbc");
  if (files.count(graph))
    metadata["graph"] = graph;
  return metadata;
}

//===- PackageDescription.cpp - Metadata of a package ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageDescription.h"

#include "../Compile/ModuleFile.h"

#include "uma/Support/Checksum.h"
#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
namespace json = llvm::json;

namespace {
/// Reader of fields of metadata.json. Keeps the first problem.
class MetadataReader {
public:
  void fail(const Twine &what) {
    if (problem.empty())
      problem = what.str();
  }
  const std::string &getProblem() const { return problem; }

  /// Returns the result of `get` for the field, or reports that it is missing
  /// or is not `what`.
  template <typename Fn>
  auto get(const json::Object &object, StringRef path, StringRef name,
           StringRef what, Fn getAs) -> decltype(getAs(json::Value(0))) {
    const json::Value *value = object.get(name);
    auto result = value ? getAs(*value) : decltype(getAs(*value))();
    if (!result)
      fail("'" + path + name + "' is " +
           (value ? "not " + what : "missing: expected " + what));
    return result;
  }
  std::string getString(const json::Object &object, StringRef path,
                        StringRef name) {
    auto text = get(object, path, name, "a string that is not empty",
                    [](const json::Value &value) {
                      auto text = value.getAsString();
                      return text && !text->empty() ? text : std::nullopt;
                    });
    return text ? text->str() : "";
  }
  int64_t getSize(const json::Object &object, StringRef path, StringRef name) {
    return get(object, path, name, "a number of bytes",
               [](const json::Value &value) {
                 auto size = value.getAsInteger();
                 return size && *size >= 0 ? size : std::nullopt;
               })
        .value_or(0);
  }
  void readTensors(const json::Object &metadata, StringRef name,
                   std::vector<TensorDescription> &tensors);
  void read(const json::Value &metadata, PackageDescription &package);

private:
  std::string problem;
};
} // namespace

static const json::Array *getArray(const json::Value &value) {
  return value.getAsArray();
}

void MetadataReader::readTensors(const json::Object &metadata, StringRef name,
                                 std::vector<TensorDescription> &tensors) {
  const json::Array *entries = get(metadata, "", name, "an array", getArray);
  if (!entries)
    return;
  for (auto [i, entry] : llvm::enumerate(*entries)) {
    std::string path = (name + "[" + Twine(i) + "]").str();
    const json::Object *tensor = entry.getAsObject();
    if (!tensor)
      return fail("'" + path + "' is not an object");
    path += ".";
    TensorDescription &description = tensors.emplace_back();
    description.name = getString(*tensor, path, "name");
    description.dtype = getString(*tensor, path, "dtype");
    description.bytes = getSize(*tensor, path, "bytes");
    if (auto alignment = tensor->getInteger("alignment"))
      description.alignment = std::max<int64_t>(*alignment, 1);
    if (tensor->get("offset"))
      description.offset = getSize(*tensor, path, "offset");
    const json::Array *shape =
        get(*tensor, path, "shape", "an array", getArray);
    for (const json::Value &size : shape ? *shape : json::Array()) {
      description.shape.push_back(size.getAsInteger().value_or(0));
      if (description.shape.back() < 1)
        return fail("'" + path + "shape' holds what is not a positive size");
    }
  }
}

static bool readTexts(const json::Array *array,
                      std::vector<std::string> &texts) {
  if (!array)
    return false;
  for (const json::Value &value : *array) {
    auto text = value.getAsString();
    if (!text)
      return false;
    texts.push_back(text->str());
  }
  return true;
}

/// Reads positions of a call's arguments. Returns false if one is invalid.
static bool readPositions(const json::Array *array, size_t numArguments,
                          std::vector<int64_t> &positions) {
  if (!array)
    return false;
  for (const json::Value &value : *array) {
    auto position = value.getAsInteger();
    if (!position || *position < 0 || *position >= int64_t(numArguments))
      return false;
    positions.push_back(*position);
  }
  return true;
}

static bool readReference(const json::Value &value, size_t numArguments,
                          DeviceReference &reference) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return false;
  auto read = [&](StringRef key, std::string &text) {
    auto value = object->getString(key);
    text = value.value_or("").str();
    return value.has_value();
  };
  reference.isFixedPoint = object->getString("arithmetic") == "fixed_point";
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

static bool readDeviceCall(const json::Value &value, DeviceCall &call) {
  const json::Object *object = value.getAsObject();
  auto index = object ? object->getInteger("index") : std::nullopt;
  auto accelerator = object ? object->getString("accelerator") : std::nullopt;
  const json::Array *arguments =
      object ? object->getArray("arguments") : nullptr;
  const json::Array *references =
      object ? object->getArray("references") : nullptr;
  if (!index || *index < 0 || *index > INT32_MAX || !accelerator ||
      !arguments || !references)
    return false;
  call.index = *index;
  call.accelerator = accelerator->str();
  for (const json::Value &entry : *arguments) {
    const json::Object *argument = entry.getAsObject();
    auto bytes = argument ? argument->getInteger("bytes") : std::nullopt;
    auto role = argument ? argument->getString("role") : std::nullopt;
    if (!bytes || *bytes < 0 || !role)
      return false;
    call.arguments.push_back(
        {size_t(*bytes), *role == "constant", *role == "output"});
  }
  return llvm::all_of(*references, [&](const json::Value &reference) {
    return readReference(reference, call.arguments.size(),
                         call.references.emplace_back());
  });
}

static bool readTargets(const json::Array &array,
                        std::vector<TargetDescription> &targets) {
  for (const json::Value &value : array) {
    const json::Object *object = value.getAsObject();
    auto name = object ? object->getString("name") : std::nullopt;
    auto layers = object ? object->getInteger("layers") : std::nullopt;
    auto macs = object ? object->getInteger("macs") : std::nullopt;
    if (!name || !layers || !macs)
      return false;
    targets.push_back({name->str(), *layers, *macs});
  }
  return true;
}

/// Reads the files of accelerators.
static bool readAccelerators(const json::Array &array,
                             PackageDescription &package) {
  for (const json::Value &value : array) {
    const json::Object *object = value.getAsObject();
    std::vector<std::string> sources;
    if (!object || !readTexts(object->getArray("sources"), sources) ||
        !readTexts(object->getArray("objects"), package.otherModels) ||
        !readTexts(object->getArray("libraries"), package.otherModels))
      return false;
    for (const std::string &source : sources)
      (StringRef(source).ends_with(".c") ? package.deviceSources
                                         : package.otherModels)
          .push_back(source);
  }
  return true;
}

static bool readCalls(const json::Array &array,
                      std::vector<CallDescription> &calls) {
  for (const json::Value &value : array) {
    const json::Object *object = value.getAsObject();
    auto function = object ? object->getString("function") : std::nullopt;
    auto macs = object ? object->getInteger("macs") : std::nullopt;
    if (!function || !macs)
      return false;
    calls.push_back({function->str(), *macs});
  }
  return true;
}

void MetadataReader::read(const json::Value &metadata,
                          PackageDescription &package) {
  const json::Object *object = metadata.getAsObject();
  if (!object)
    return fail("is not an object");
  // In the Model Library Format, our own metadata is one entry of it.
  if (object->getObject("uma"))
    object = object->getObject("uma");
  if (object->getString("format") != StringRef("uma-package"))
    return fail("'format' is not \"uma-package\"");
  package.name = getString(*object, "", "name");
  // The name becomes part of C and of paths.
  bool isIdentifier = llvm::all_of(
      package.name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier || llvm::isDigit((package.name + "_").front()))
    fail("'name' is not an identifier of C");
  readTensors(*object, "inputs", package.inputs);
  readTensors(*object, "outputs", package.outputs);
  if (const json::Object *workspace =
          get(*object, "", "workspace", "an object",
              [](const json::Value &value) { return value.getAsObject(); })) {
    package.workspaceBytes = getSize(*workspace, "workspace.", "bytes");
    package.workspaceAlignment = getSize(*workspace, "workspace.", "alignment");
    if (const json::Array *memories = workspace->getArray("memories")) {
      package.memoryOffsets.clear();
      for (auto [i, entry] : llvm::enumerate(*memories)) {
        std::string path = ("workspace.memories[" + Twine(i) + "]").str();
        const json::Object *memory = entry.getAsObject();
        if (!memory)
          return fail("'" + path + "' is not an object");
        package.memoryOffsets.push_back(getSize(*memory, path + ".", "offset"));
      }
    }
  }
  if (const json::Array *devices =
          get(*object, "", "accelerators", "an array", getArray)) {
    package.hasDevices = !devices->empty();
    if (!readAccelerators(*devices, package))
      return fail("'accelerators' has an entry that is no accelerator");
  }
  if (!readTexts(get(*object, "", "sources", "an array", getArray),
                 package.sources))
    return fail("'sources' has an entry that is no file");
  for (StringRef source : package.sources)
    if (llvm::sys::path::is_absolute(source) ||
        llvm::is_contained(llvm::split(source, '/'), ".."))
      return fail("'sources' has an entry that is not in the package");
  std::vector<std::string> files;
  if (!readTexts(get(*object, "", "files", "an array", getArray), files))
    return fail("'files' has an entry that is no file");
  for (StringRef file : files) {
    bool isDevice = file.starts_with("devices/");
    auto &folders = isDevice ? package.deviceFolders : package.includeFolders;
    StringRef folder = llvm::sys::path::parent_path(file);
    StringRef extension = llvm::sys::path::extension(file);
    if ((isDevice || extension == ".h" || extension == ".inc" ||
         extension == ".bin") &&
        !llvm::is_contained(folders, folder))
      folders.push_back(folder.str());
  }
  const json::Array *layerCalls =
      get(*object, "", "calls", "an array", getArray);
  if (layerCalls && !readCalls(*layerCalls, package.calls))
    return fail("'calls' has an entry that is no call of a layer");
  const json::Array *calls =
      get(*object, "", "device_calls", "an array", getArray);
  for (const json::Value &call : calls ? *calls : json::Array())
    if (!readDeviceCall(call, package.deviceCalls.emplace_back()))
      return fail("'device_calls' has an entry that is no call of a device");
  const json::Array *targets =
      get(*object, "", "targets", "an array", getArray);
  if (targets && !readTargets(*targets, package.targets))
    return fail("'targets' has an entry that is no target");
  package.graph = getString(*object, "", "graph");
  StringRef graph = package.graph;
  graph.consume_front("src/");
  if (llvm::sys::path::filename(graph) != graph)
    fail("'graph' is not the name of a file in the package");
  if (const json::Object *checksums =
          get(*object, "", "checksums", "an object",
              [](const json::Value &value) { return value.getAsObject(); }))
    package.graphChecksum = getString(*checksums, "checksums.", package.graph);
}

llvm::Expected<PackageDescription> uma::describePackage(StringRef folder) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, "metadata.json");
  auto fail = [&](const Twine &problem) {
    return llvm::createStringError(Twine(path) + ": " + problem);
  };
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail("cannot be read: " + buffer.getError().message());
  llvm::Expected<json::Value> metadata =
      parseJSON((*buffer)->getBuffer(), path);
  if (!metadata)
    return metadata.takeError();
  PackageDescription package;
  MetadataReader reader;
  reader.read(*metadata, package);
  if (!reader.getProblem().empty())
    return fail(reader.getProblem() +
                "; the package is damaged or older than this uma: compile the "
                "model again");
  return package;
}

OwningOpRef<ModuleOp> uma::readPackageGraph(StringRef folder,
                                            const PackageDescription &package,
                                            ModelContext &context) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, package.graph);
  auto buffer = openModuleFile(path, context);
  if (!buffer)
    return nullptr;
  if (getChecksum(buffer->getBuffer()) != package.graphChecksum) {
    (void)context.fail(ExitCode::BadInput,
                       Twine(path) +
                           ": was changed after the package was compiled; "
                           "compile the model again");
    return nullptr;
  }
  return parseModule(std::move(buffer), context, /*isTrusted=*/true);
}

std::string uma::getRunFunctionText(const PackageDescription &package) {
  std::string text, before, after, call = package.name + "_run(";
  llvm::raw_string_ostream os(text);
  os << "static int32_t uma_run_network(";
  auto add = [&](ArrayRef<TensorDescription> tensors, StringRef kind,
                 bool isOutput) {
    for (auto [i, tensor] : llvm::enumerate(tensors)) {
      std::string name = kind.str() + std::to_string(i);
      os << "void *" << name << ", ";
      if (!tensor.offset) {
        call += name + ", ";
        continue;
      }
      std::string place = "(unsigned char *)workspace + " +
                          std::to_string(*tensor.offset),
                  bytes = std::to_string(tensor.bytes);
      if (isOutput)
        after +=
            "  (void)memcpy(" + name + ", " + place + ", " + bytes + "u);\n";
      else
        before +=
            "  (void)memcpy(" + place + ", " + name + ", " + bytes + "u);\n";
    }
  };
  add(package.inputs, "input", /*isOutput=*/false);
  add(package.outputs, "output", /*isOutput=*/true);
  os << "void *workspace) {\n  int32_t status;\n"
     << before << "  status = " << call;
  llvm::interleaveComma(package.memoryOffsets, os, [&](size_t offset) {
    os << "(unsigned char *)workspace + " << offset;
  });
  os << ");\n" << after << "  return status;\n}\n";
  return text;
}

//===- PackageDescription.cpp - What a package says of itself -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageDescription.h"

#include "ModuleFile.h"

#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
namespace json = llvm::json;

namespace {
/// Reads fields of metadata.json; the first problem is kept.
class MetadataReader {
public:
  void fail(const Twine &what) {
    if (problem.empty())
      problem = what.str();
  }
  const std::string &getProblem() const { return problem; }

  /// Returns what `get` returns for the field, or reports that it is missing
  /// or `what` no more.
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
    const json::Array *shape =
        get(*tensor, path, "shape", "an array", getArray);
    for (const json::Value &size : shape ? *shape : json::Array()) {
      description.shape.push_back(size.getAsInteger().value_or(0));
      if (description.shape.back() < 1)
        return fail("'" + path + "shape' holds what is not a positive size");
    }
  }
}

void MetadataReader::read(const json::Value &metadata,
                          PackageDescription &package) {
  const json::Object *object = metadata.getAsObject();
  if (!object)
    return fail("is not an object");
  if (object->getString("format") != StringRef("uma-package"))
    return fail("'format' is not \"uma-package\"");
  package.name = getString(*object, "", "name");
  // It becomes part of C and of paths.
  bool isIdentifier = llvm::all_of(
      package.name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier || llvm::isDigit((package.name + "_").front()))
    fail("'name' is not an identifier of C");
  readTensors(*object, "inputs", package.inputs);
  readTensors(*object, "outputs", package.outputs);
  if (const json::Object *workspace =
          get(*object, "", "workspace", "an object",
              [](const json::Value &value) { return value.getAsObject(); }))
    package.workspaceBytes = getSize(*workspace, "workspace.", "bytes");
  if (const json::Array *devices =
          get(*object, "", "accelerators", "an array", getArray))
    package.hasDevices = !devices->empty();
  package.graph = getString(*object, "", "graph");
  if (llvm::sys::path::filename(package.graph) != package.graph)
    fail("'graph' is not the name of a file in the package");
  package.graphDigest.bytes = getSize(*object, "", "graph_bytes");
  package.graphDigest.xxh3 = getString(*object, "", "graph_xxh3");
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
  if (!(FileDigest::compute(buffer->getBuffer()) == package.graphDigest)) {
    (void)context.fail(ExitCode::BadInput,
                       Twine(path) +
                           ": was changed after the package was compiled; "
                           "compile the model again");
    return nullptr;
  }
  return parseModule(std::move(buffer), context, /*isTrusted=*/true);
}

//===- PackageLayout.cpp - Places of a package's files --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The Model Library Format and Arduino have one folder for all sources and one
// for all headers. Devices then share them: each file of a device is found by
// the name that its sources include.
//
//===----------------------------------------------------------------------===//

#include "PackageLayout.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

PackageLayout::PackageLayout(const PackageForm &form) {
  if (form.format == PackageFormat::ModelLibrary) {
    sources = "codegen/host/src/";
    includes = "codegen/host/include/";
    objects = "codegen/host/lib/";
    graphs = "src/";
  } else if (form.has(Project::Arduino)) {
    sources = includes = objects = "src/";
  }
}

/// Returns the path of a file in the folder of its device, or `name` if it is
/// none.
static StringRef dropDeviceFolder(StringRef name) {
  StringRef rest = name;
  return rest.consume_front("devices/") ? rest.split('/').second : name;
}

std::string PackageLayout::getSource(StringRef name) const {
  return sources + (isFlat() ? name : dropDeviceFolder(name)).str();
}

std::string PackageLayout::getIncluded(StringRef name) const {
  return includes + (isFlat() ? name : dropDeviceFolder(name)).str();
}

std::string PackageLayout::getObject(StringRef name) const {
  return objects + (isFlat() ? name : dropDeviceFolder(name)).str();
}

std::string PackageLayout::getGraph(StringRef name) const {
  return graphs + name.str();
}

SmallVector<std::string> uma::getIncludeFolders(const PackageInfo &info) {
  const PackageLayout layout(info.form);
  if (!layout.isFlat())
    return {StringRef(layout.includes).drop_back().str()};
  SmallVector<std::string> folders = {"."};
  for (const AcceleratorInfo &accelerator : info.accelerators)
    folders.push_back(accelerator.folder);
  return folders;
}

namespace {
/// Moves the files of one package.
class FilePlacer {
public:
  FilePlacer(Location loc, PackageFiles &files) : loc(loc), files(files) {}

  /// Moves a file and changes its name.
  LogicalResult move(std::string &name, std::string place) {
    auto node = files.extract(name);
    if (node.empty())
      return success();
    auto known = files.find(place);
    // Devices may share a file.
    if (known != files.end() &&
        known->second.getChecksum() != node.mapped().getChecksum())
      return emitError(loc)
             << "'" << name << "' is not the same as another file '"
             << llvm::sys::path::filename(place)
             << "', and this format has one folder for both; rename one, or "
                "use --format=flat without the project arduino";
    node.key() = place;
    files.insert(std::move(node));
    name = std::move(place);
    return success();
  }

private:
  Location loc;
  PackageFiles &files;
};
} // namespace

LogicalResult uma::placeFiles(Location loc, PackageInfo &info,
                              PackageFiles &files) {
  const PackageLayout layout(info.form);
  FilePlacer placer(loc, files);
  std::string graph = info.name + ".mlirbc";
  if (failed(placer.move(graph, layout.getGraph(graph))))
    return failure();
  if (layout.isFlat())
    return success();
  for (std::string &name : info.sources)
    if (failed(placer.move(name, layout.getSource(name))))
      return failure();
  for (AcceleratorInfo &accelerator : info.accelerators) {
    for (std::string &name : accelerator.sources)
      if (failed(placer.move(name, layout.getSource(name))))
        return failure();
    for (std::string &name : accelerator.objects)
      if (failed(placer.move(name, layout.getObject(name))))
        return failure();
    for (std::string &name : accelerator.headers)
      if (failed(placer.move(name, layout.getIncluded(name))))
        return failure();
  }
  // The rest of the network's own files: headers and weights.
  std::vector<std::string> included;
  for (const auto &[name, contents] : files)
    if (StringRef(name).starts_with(info.name + ".h") ||
        StringRef(name).starts_with(info.name + "_"))
      included.push_back(name);
  for (std::string &name : included)
    if (failed(placer.move(name, layout.getIncluded(name))))
      return failure();
  return success();
}

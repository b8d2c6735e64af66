//===- DeviceFiles.cpp - Files of an accelerator --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Target/C/DeviceFiles.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
namespace path = llvm::sys::path;

std::optional<ModelKind> uma::getModelKind(StringRef file) {
  return llvm::StringSwitch<std::optional<ModelKind>>(path::extension(file))
      .Case(".c", ModelKind::C)
      .Cases({".cpp", ".cc", ".cxx"}, ModelKind::CXX)
      .Case(".o", ModelKind::Object)
      .Case(".a", ModelKind::Archive)
      .Default(std::nullopt);
}

namespace {
/// Finder of the files of one accelerator.
class FileFinder {
public:
  explicit FileFinder(accel::AcceleratorOp accelerator)
      : accelerator(accelerator) {}

  FailureOr<DeviceFiles> find();

private:
  LogicalResult addModel(accel::ModelOp model);
  LogicalResult addHeader(accel::IncludeOp include);
  /// Adds the header of an instruction if it lies beside the description.
  LogicalResult addOwnHeader(accel::InstructionOp instruction);
  /// Adds a text file as `name` in the accelerator's folder, and the files
  /// beside it that it includes with quotes.
  LogicalResult addText(Operation *op, StringRef file, StringRef name);
  void addFolder(StringRef folder);

  accel::AcceleratorOp accelerator;
  DeviceFiles result;
};
} // namespace

/// Returns whether a name stays inside the accelerator's folder.
static bool isInsideFolder(StringRef name) {
  if (name.empty() || path::is_absolute(name))
    return false;
  return !llvm::is_contained(
      llvm::make_range(path::begin(name), path::end(name)), "..");
}

/// Returns the name of the header if `line` is `#include "name"`.
static StringRef getIncluded(StringRef line) {
  line = line.ltrim();
  if (!line.consume_front("#"))
    return "";
  line = line.ltrim();
  if (!line.consume_front("include"))
    return "";
  line = line.ltrim();
  if (!line.consume_front("\""))
    return "";
  return line.take_until([](char c) { return c == '"'; });
}

LogicalResult FileFinder::addText(Operation *op, StringRef file,
                                  StringRef name) {
  if (!result.files.try_emplace(name.str(), file.str()).second)
    return success();
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return mlir::emitError(op->getLoc())
           << "'" << file
           << "' cannot be read: " << buffer.getError().message();
  for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
    StringRef included = getIncluded(line);
    if (!isInsideFolder(included))
      continue;
    llvm::SmallString<128> beside(path::parent_path(file));
    path::append(beside, included);
    llvm::SmallString<128> includedName(path::parent_path(name));
    path::append(includedName, path::Style::posix, included);
    if (llvm::sys::fs::exists(beside) &&
        failed(addText(op, beside, includedName)))
      return failure();
  }
  return success();
}

void FileFinder::addFolder(StringRef folder) {
  std::string name = folder.empty() ? "." : folder.str();
  if (!llvm::is_contained(result.folders, name))
    result.folders.push_back(name);
}

LogicalResult FileFinder::addModel(accel::ModelOp model) {
  StringRef file = model.getFile(), name = path::filename(file);
  std::optional<ModelKind> kind = getModelKind(name);
  if (!kind)
    return mlir::emitError(model.getLoc())
           << "'" << name
           << "' is no model of a device: expected C (.c), C++ (.cpp, .cc, "
              ".cxx), an object (.o) or an archive (.a)"
           << (name.contains(".so") ? "; 'link' names shared libraries" : "");
  addFolder(path::parent_path(file));
  if (llvm::is_contained(result.models, name))
    return mlir::emitError(model.getLoc())
           << "another model is called '" << name
           << "', too; a package has both in one folder";
  result.models.push_back(name.str());
  if (*kind == ModelKind::C || *kind == ModelKind::CXX)
    return addText(model, file, name);
  result.files.try_emplace(name.str(), file.str());
  return success();
}

LogicalResult FileFinder::addHeader(accel::IncludeOp include) {
  StringRef header = include.getHeader();
  if (!isInsideFolder(header))
    return mlir::emitError(include.getLoc())
           << "the header '" << header
           << "' is outside of the accelerator's folder; name it by a path "
              "inside, without '..'";
  for (StringRef folder : result.folders) {
    llvm::SmallString<128> file(folder == "." ? "" : folder);
    path::append(file, header);
    if (llvm::sys::fs::exists(file))
      return addText(include, file, header);
  }
  result.missing.push_back(include);
  return success();
}

LogicalResult FileFinder::addOwnHeader(accel::InstructionOp instruction) {
  StringRef header = instruction.getHeader().value_or("");
  if (!isInsideFolder(header) || result.folders.empty())
    return success();
  StringRef folder = result.folders.front();
  llvm::SmallString<128> file(folder == "." ? "" : folder);
  path::append(file, header);
  return llvm::sys::fs::exists(file) ? addText(instruction, file, header)
                                     : success();
}

FailureOr<DeviceFiles> FileFinder::find() {
  if (auto source = accelerator.getSource())
    addFolder(path::parent_path(*source));
  bool hasErrors = false;
  for (auto model : accelerator.getOps<accel::ModelOp>())
    hasErrors |= failed(addModel(model));
  for (auto include : accelerator.getOps<accel::IncludeOp>())
    hasErrors |= failed(addHeader(include));
  for (auto instruction : accelerator.getOps<accel::InstructionOp>())
    hasErrors |= failed(addOwnHeader(instruction));
  if (hasErrors)
    return failure();
  return std::move(result);
}

FailureOr<DeviceFiles> uma::findDeviceFiles(accel::AcceleratorOp accelerator) {
  return FileFinder(accelerator).find();
}

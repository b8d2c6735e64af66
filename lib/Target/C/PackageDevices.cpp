//===- PackageDevices.cpp - C models of accelerators in a package ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/UsedAccelerators.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
namespace path = llvm::sys::path;

namespace {
/// Copies the files of one accelerator.
class DeviceCopier {
public:
  DeviceCopier(accel::AcceleratorOp accelerator, StringRef folder,
               PackageFiles &files)
      : accelerator(accelerator), files(files), folder(folder) {}

  LogicalResult copy(AcceleratorInfo &info);

private:
  /// Copies a file, which the package has under `name`, and what it includes
  /// with quotes and is found beside it.
  LogicalResult copyFile(Operation *op, StringRef file, StringRef name);

  accel::AcceleratorOp accelerator;
  PackageFiles &files;
  std::string folder;
};
} // namespace

/// Names that stay inside the folder of the accelerator.
static bool isInsideFolder(StringRef name) {
  if (name.empty() || path::is_absolute(name))
    return false;
  return !llvm::is_contained(
      llvm::make_range(path::begin(name), path::end(name)), "..");
}

LogicalResult DeviceCopier::copyFile(Operation *op, StringRef file,
                                     StringRef name) {
  std::string target = folder + "/" + name.str();
  if (files.count(target))
    return success();
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return op->emitOpError("names '")
           << file
           << "', which cannot be read: " << buffer.getError().message();
  StringRef text = (*buffer)->getBuffer();
  files[target] = text.str();
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("include"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("\""))
      continue;
    StringRef included = line.take_until([](char c) { return c == '"'; });
    llvm::SmallString<128> beside(path::parent_path(file));
    path::append(beside, included);
    llvm::SmallString<128> includedName(path::parent_path(name));
    path::append(includedName, path::Style::posix, included);
    if (isInsideFolder(included) && llvm::sys::fs::exists(beside) &&
        failed(copyFile(op, beside, includedName)))
      return failure();
  }
  return success();
}

LogicalResult DeviceCopier::copy(AcceleratorInfo &info) {
  llvm::SmallVector<std::string> folders;
  if (auto source = accelerator.getSource())
    folders.push_back(path::parent_path(*source).str());
  for (auto model : accelerator.getOps<accel::ModelOp>()) {
    StringRef file = model.getFile();
    folders.push_back(path::parent_path(file).str());
    StringRef name = path::filename(file);
    if (failed(copyFile(model, file, name)))
      return failure();
    info.sources.push_back(folder + "/" + name.str());
  }
  for (auto link : accelerator.getOps<accel::LinkOp>())
    info.libraries.push_back(link.getLibrary().str());
  for (auto include : accelerator.getOps<accel::IncludeOp>()) {
    StringRef header = include.getHeader();
    if (!isInsideFolder(header))
      return include.emitOpError("names '")
             << header
             << "'; a package includes headers by a path inside the "
                "accelerator's folder";
    bool found = false;
    for (StringRef candidate : folders) {
      llvm::SmallString<128> file(candidate);
      path::append(file, header);
      if (!llvm::sys::fs::exists(file))
        continue;
      found = true;
      if (failed(copyFile(include, file, header)))
        return failure();
      break;
    }
    if (!found)
      include.emitWarning("names '")
          << header
          << "', which is neither beside the description nor beside a model; "
             "whoever compiles the package has to provide it";
  }
  return success();
}

LogicalResult uma::addDevices(ModuleOp module,
                              std::vector<AcceleratorInfo> &accelerators,
                              PackageFiles &files) {
  CNameTable folders(CNameTable::Kind::Part);
  for (accel::AcceleratorOp accelerator : getUsedAccelerators(module)) {
    AcceleratorInfo &entry = accelerators.emplace_back();
    entry.name = accelerator.getSymName().str();
    entry.folder = "devices/" + folders.unique(entry.name);
    if (failed(DeviceCopier(accelerator, entry.folder, files).copy(entry)))
      return failure();
  }
  return success();
}

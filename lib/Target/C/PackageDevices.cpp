//===- PackageDevices.cpp - Models of accelerators in a package -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/UsedAccelerators.h"
#include "uma/Target/C/DeviceFiles.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace uma;

/// Copies the files of one accelerator.
static LogicalResult copyDevice(accel::AcceleratorOp accelerator,
                                AcceleratorInfo &info, PackageFiles &files) {
  FailureOr<DeviceFiles> found = findDeviceFiles(accelerator);
  if (failed(found))
    return failure();
  const std::string &folder = info.folder;
  for (auto &[name, file] : found->files) {
    // Objects and archives are also copied byte by byte.
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      return mlir::emitError(accelerator.getLoc())
             << "'" << file
             << "' cannot be read: " << buffer.getError().message();
    files[folder + "/" + name] = (*buffer)->getBuffer().str();
    if (!llvm::is_contained(found->models, name))
      info.headers.push_back(folder + "/" + name);
  }
  for (const std::string &model : found->models) {
    ModelKind kind = *getModelKind(model);
    bool isBuilt = kind == ModelKind::Object || kind == ModelKind::Archive;
    (isBuilt ? info.objects : info.sources).push_back(folder + "/" + model);
  }
  for (auto link : accelerator.getOps<accel::LinkOp>())
    info.libraries.push_back(link.getLibrary().str());
  for (accel::IncludeOp include : found->missing)
    mlir::emitWarning(include.getLoc())
        << "the header '" << include.getHeader()
        << "' is neither beside the description nor beside a model; whoever "
           "compiles the package has to provide it";
  return success();
}

LogicalResult uma::addDevices(ModuleOp module,
                              std::vector<AcceleratorInfo> &accelerators,
                              PackageFiles &files) {
  CNameTable folders(CNameTable::Kind::Part);
  SmallVector<accel::AcceleratorOp> used = getUsedAccelerators(module);
  for (auto accelerator : module.getOps<accel::AcceleratorOp>()) {
    // Headers of instructions are the compiler's, or lie beside a description.
    if (!llvm::is_contained(used, accelerator)) {
      if (accelerator.getOps<accel::InstructionOp>().empty())
        continue;
      FailureOr<DeviceFiles> found = findDeviceFiles(accelerator);
      if (succeeded(found) && found->files.empty())
        continue;
    }
    AcceleratorInfo &entry = accelerators.emplace_back();
    entry.name = accelerator.getSymName().str();
    entry.folder = "devices/" + folders.unique(entry.name);
    if (failed(copyDevice(accelerator, entry, files)))
      return failure();
  }
  return success();
}

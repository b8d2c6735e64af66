//===- DeviceFiles.h - Files of an accelerator -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TARGET_C_DEVICEFILES_H
#define UMA_TARGET_C_DEVICEFILES_H

#include "uma/Accel/IR/AccelOps.h"

#include <map>
#include <string>

namespace uma {

/// Form in which a package includes the model of a device.
enum class ModelKind { C, CXX, Object, Archive };

/// Returns the form in which a package includes a model of this name, or
/// std::nullopt if it cannot.
std::optional<ModelKind> getModelKind(llvm::StringRef file);

/// Headers and models of an accelerator.
struct DeviceFiles {
  /// Path of each file, by its name in the accelerator's folder of a package.
  std::map<std::string, std::string> files;
  /// Names of the models in `files`, in order.
  llvm::SmallVector<std::string> models;
  /// Headers found neither beside the description nor beside a model.
  llvm::SmallVector<accel::IncludeOp> missing;
  /// Folders that were searched for them.
  llvm::SmallVector<std::string> folders;
};

/// Finds the headers and models of an accelerator, and the files beside them
/// that they include with quotes. Emits errors and fails for names that a
/// package cannot have and for unreadable files.
mlir::FailureOr<DeviceFiles> findDeviceFiles(accel::AcceleratorOp accelerator);

} // namespace uma

#endif // UMA_TARGET_C_DEVICEFILES_H

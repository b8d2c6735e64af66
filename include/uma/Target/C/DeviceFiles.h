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

/// How a package takes the model of a device in.
enum class ModelKind { C, CXX, Object, Archive };

/// Returns how a package takes in a model of this name, or std::nullopt if it
/// cannot.
std::optional<ModelKind> getModelKind(llvm::StringRef file);

/// The headers and models of an accelerator.
struct DeviceFiles {
  /// Where each file is, by its name in the accelerator's folder of a package.
  std::map<std::string, std::string> files;
  /// The models by that name, in order.
  llvm::SmallVector<std::string> models;
  /// Headers that are neither beside the description nor beside a model.
  llvm::SmallVector<accel::IncludeOp> missing;
  /// The folders that were searched for them.
  llvm::SmallVector<std::string> folders;
};

/// Finds the headers and models of an accelerator, and what these include with
/// quotes and is beside them. Fails with errors for names that a package cannot
/// have, and for files that cannot be read.
mlir::FailureOr<DeviceFiles> findDeviceFiles(accel::AcceleratorOp accelerator);

} // namespace uma

#endif // UMA_TARGET_C_DEVICEFILES_H

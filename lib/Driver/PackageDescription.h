//===- PackageDescription.h - What a package says of itself -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGEDESCRIPTION_H
#define UMA_LIB_DRIVER_PACKAGEDESCRIPTION_H

#include "uma/Driver/Embedding.h"

#include "mlir/Support/LLVM.h"

#include <optional>

namespace uma {

/// What is in metadata.json and callers of the network need.
struct PackageDescription {
  std::string name;
  std::vector<TensorDescription> inputs, outputs;
  size_t workspaceBytes = 0;
  bool hasDevices = false;
};

/// Nothing where that is not complete.
std::optional<PackageDescription> describePackage(llvm::StringRef folder);

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGEDESCRIPTION_H

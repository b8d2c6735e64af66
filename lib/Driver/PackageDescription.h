//===- PackageDescription.h - What a package says of itself -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGEDESCRIPTION_H
#define UMA_LIB_DRIVER_PACKAGEDESCRIPTION_H

#include "Model.h"

#include "uma/Driver/Embedding.h"
#include "uma/Support/FileDigest.h"

#include "llvm/Support/Error.h"

namespace uma {

/// The parts of metadata.json that callers of the network need.
struct PackageDescription {
  std::string name; ///< an identifier of C
  std::vector<TensorDescription> inputs, outputs;
  size_t workspaceBytes = 0;
  bool hasDevices = false;
  /// The file of the graph in the package, and what it was when written.
  std::string graph;
  FileDigest graphDigest;
};

/// Reads metadata.json of the package in `folder`. The error names the file and
/// the field that is missing or wrong.
llvm::Expected<PackageDescription> describePackage(llvm::StringRef folder);

/// Reads the graph of a package; null after an error, such as that the file
/// was changed.
mlir::OwningOpRef<mlir::ModuleOp>
readPackageGraph(llvm::StringRef folder, const PackageDescription &package,
                 ModelContext &context);

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGEDESCRIPTION_H

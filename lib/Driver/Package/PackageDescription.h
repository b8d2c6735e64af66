//===- PackageDescription.h - Metadata of a package -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_PACKAGEDESCRIPTION_H
#define UMA_LIB_DRIVER_PACKAGE_PACKAGEDESCRIPTION_H

#include "../Compile/Model.h"

#include "uma/Driver/Compiler.h"

#include "llvm/Support/Error.h"

namespace uma {

/// An argument of the function that calls a device.
struct DeviceArgument {
  size_t bytes = 0;
  bool isConstant = false; ///< weights of the network
  bool isWritten = false;  ///< whether the device writes it
};

/// Specification of one match; see kReferencesAttrName.
struct DeviceReference {
  std::string layer;
  std::string pattern;
  std::string position; ///< pattern as `NAME.uma:LINE`; may be empty
  std::string function; ///< a func.func in text form
  std::vector<int64_t> operands, results; ///< positions of arguments
  /// Names in the description; empty for an unnamed tensor.
  std::vector<std::string> operandNames, resultNames;
  bool isFixedPoint = false;      ///< results may be off by one integer
  std::vector<std::string> calls; ///< `f(x=f32[1, 8], n=8)`, in order
};

/// A call to a function that runs on a device.
struct DeviceCall {
  int64_t index = 0; ///< among all calls of NET_run
  std::string accelerator;
  std::vector<DeviceArgument> arguments;
  std::vector<DeviceReference> references;
};

/// An accelerator that the network was compiled for, or the CPU.
struct TargetDescription {
  std::string name;
  int64_t layers = 0;
  int64_t macs = 0;
};

/// A call to a layer's function.
struct CallDescription {
  std::string function; ///< without the network's name
  int64_t macs = 0;     ///< multiply-accumulates in a run of the network
};

/// The parts of metadata.json that callers of the network need.
struct PackageDescription {
  std::string name; ///< an identifier of C
  std::vector<TensorDescription> inputs, outputs;
  size_t workspaceBytes = 0, workspaceAlignment = 1;
  /// Offsets in the workspace of the memories that NET_run gets; one without
  /// names.
  std::vector<size_t> memoryOffsets = {0};
  std::vector<std::string> sources; ///< files of the network's C
  /// Folders with what the C includes, other than those of accelerators.
  std::vector<std::string> includeFolders;
  /// Folders with the headers of accelerators, and the C files of their models.
  std::vector<std::string> deviceFolders, deviceSources;
  /// Files of models that are not C, and libraries that models need.
  std::vector<std::string> otherModels;
  /// In the order in which the hooks UMA_PROFILE_BEGIN number them.
  std::vector<CallDescription> calls;
  bool hasDevices = false;
  std::vector<DeviceCall> deviceCalls;
  std::vector<TargetDescription> targets;
  std::string graph;         ///< file of the graph in the package
  std::string graphChecksum; ///< checksum of that file when it was written
};

/// Returns the C of a function that runs the network on tensors in memory of
/// the caller, as NET_run does: `static int32_t uma_run_network(void *input0,
/// …, void *output0, …, void *workspace)`. Needs NET.h and string.h.
std::string getRunFunctionText(const PackageDescription &package);

/// Reads metadata.json of the package in `folder`. Errors name the file and the
/// missing or invalid field.
llvm::Expected<PackageDescription> describePackage(llvm::StringRef folder);

/// Reads the graph of a package. Returns null after an error, for example if
/// the file was changed.
mlir::OwningOpRef<mlir::ModuleOp>
readPackageGraph(llvm::StringRef folder, const PackageDescription &package,
                 ModelContext &context);

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_PACKAGEDESCRIPTION_H

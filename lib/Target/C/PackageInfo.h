//===- PackageInfo.h - Description of a package's network -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TARGET_C_PACKAGEINFO_H
#define UMA_LIB_TARGET_C_PACKAGEINFO_H

#include "uma/Support/HostTensor.h"
#include "uma/Target/C/Package.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <vector>

namespace uma {

/// Contents of a file of a package: a text, or a file already written.
struct PackageFile {
  PackageFile() = default;
  PackageFile(std::string text);
  PackageFile(StagedFile file);

  /// Returns the checksum of the contents. Must be called before the file is
  /// moved for the first time.
  const std::string &getChecksum() const;

  std::string text;
  std::optional<StagedFile> staged;

private:
  mutable std::string checksum;
};

/// Files of a package by their path in it. Sorted, so that writing and listing
/// are deterministic.
using PackageFiles = std::map<std::string, PackageFile>;

/// An input or output of the network.
struct TensorInfo {
  std::string name;  ///< in the model
  std::string cName; ///< parameter in C
  std::string macro; ///< NET_INPUT_<NAME>, prefix of its macros
  mlir::RankedTensorType type;
  bool isOutput = false;
  int64_t alignment = 1; ///< required by a device, in bytes

  int64_t getBytes() const { return HostTensor::getByteSize(type); }
};

/// A layer and its target.
struct LayerInfo {
  std::string name;
  std::string target; ///< accelerator, or "cpu"
  /// Bytes in each memory of the accelerator.
  std::vector<std::pair<std::string, int64_t>> memories;
};

/// A call to a device function that `uma run --compare` can check.
struct DeviceCallInfo {
  int64_t index;              ///< among all calls of NET_run
  std::string accelerator;    ///< accelerator that runs the call
  mlir::ArrayAttr references; ///< see kReferencesAttrName
  /// Bytes of each argument.
  std::vector<int64_t> bytes;
  /// Whether each argument holds weights, and whether the device writes it.
  std::vector<bool> isConstant, isWritten;
};

/// A call to a layer's function, as the hooks of the C number them.
struct CallInfo {
  std::string function; ///< in TIR
  int64_t macs;         ///< multiply-accumulates in a run of the network
};

struct AcceleratorInfo {
  std::string name;
  std::string folder;                 ///< folder of its files in the package
  std::vector<std::string> sources;   ///< paths in the package, to be compiled
  std::vector<std::string> objects;   ///< paths of objects and archives
  std::vector<std::string> libraries; ///< names for `-l`, in order
};

/// A constant and its name in C. The tensor borrows its elements.
struct WeightInfo {
  std::string cName;
  HostTensor tensor;
  int64_t alignment;
};

struct PackageInfo {
  std::string model; ///< name of the network in the model
  std::string name;  ///< NET: a C identifier, see toCNetworkName()
  std::string macro; ///< NET in upper case
  int64_t workspaceSize = 0;
  int64_t workspaceAlignment = 0;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  /// Parameters of NET_run in order, without the workspace.
  std::vector<TensorInfo> parameters;
  std::vector<LayerInfo> layers;
  std::vector<CallInfo> calls; ///< all calls of NET_run
  std::vector<DeviceCallInfo> deviceCalls;
  /// Share of each target; see PackageOptions.
  std::vector<TargetSummary> targets;
  std::vector<AcceleratorInfo> accelerators;
  std::vector<WeightInfo> weights;
  /// Files of the network, to be compiled.
  std::vector<std::string> sources;
  /// Header that they share beside NET.h; empty for a single file.
  std::string layersHeader;
  /// Whether the C uses OpenMP.
  bool useOpenMP = false;
  bool binaryWeights = false;

  int64_t getWeightBytes() const;
  /// Returns the alignment of the weights in bytes.
  int64_t getWeightAlignment() const;
  /// Returns the common alignment of inputs, outputs and the workspace.
  int64_t getBufferAlignment() const;
  /// Returns the libraries of all accelerators, each once, in order.
  std::vector<std::string> getLibraries() const;
};

/// Default alignment in bytes of the workspace, its buffers and weights if no
/// device requires more: a cache line, also sufficient for most DMA engines.
inline constexpr int64_t kAlignment = 64;

/// Replaces every `@ALIGNMENT@` in `text` by the number.
std::string withAlignment(llvm::StringRef text, int64_t alignment);

/// Collects the description of a module in plain TIR. Emits an error and fails
/// if the module holds no network. No name in C is one of `taken`.
mlir::FailureOr<PackageInfo> getPackageInfo(mlir::ModuleOp module,
                                            const llvm::StringSet<> &taken);

/// Copies headers and models of the accelerators into `files` and lists them in
/// `accelerators`.
mlir::LogicalResult addDevices(mlir::ModuleOp module,
                               std::vector<AcceleratorInfo> &accelerators,
                               PackageFiles &files);

/// Returns the names that files of the package and names in C must avoid: the
/// accelerators' headers, and everything but functions and types that the files
/// copied by addDevices() define.
llvm::StringSet<> getDeviceNames(mlir::ModuleOp module,
                                 const PackageFiles &files);

/// Adds the C of the network, an EmitC module, to `files` and lists it in
/// `info`: one file, or several if that exceeds `maxBytes`. The functions are
/// `static` in a single file only.
mlir::LogicalResult addNetwork(mlir::ModuleOp module, int64_t maxBytes,
                               PackageInfo &info, PackageFiles &files);

/// Adds the files of the weights. The large one is written immediately, in the
/// file system of `folder`.
mlir::LogicalResult addWeights(mlir::Location loc, llvm::StringRef folder,
                               const PackageInfo &info, PackageFiles &files);

// Texts of single files.
std::string getHeaderText(const PackageInfo &info);
std::string getTablesText(const PackageInfo &info);
std::string getMainText(const PackageInfo &info);
std::string getMakefileText(const PackageInfo &info);
std::string getCMakeText(const PackageInfo &info);
std::string getHooksText();
std::string getMetadataText(const PackageInfo &info, const PackageFiles &files);

/// Adds a file of the package in `folder` that `write` writes immediately.
mlir::LogicalResult
stageFile(mlir::Location loc, llvm::StringRef folder, llvm::StringRef name,
          PackageFiles &files,
          llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Makes `folder` a package of these files, or leaves it unchanged on failure.
/// Files in it that uma did not write stay.
mlir::LogicalResult writePackageFolder(mlir::Location loc,
                                       llvm::StringRef folder,
                                       PackageFiles files);

} // namespace uma

#endif // UMA_LIB_TARGET_C_PACKAGEINFO_H

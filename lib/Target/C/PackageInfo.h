//===- PackageInfo.h - What a package says about its network -*- C++ -*----===//
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

/// What a file of a package holds: a text, or a file that is written already.
struct PackageFile {
  PackageFile() = default;
  PackageFile(std::string text);
  PackageFile(StagedFile file);

  /// Returns the checksum of the contents. To be called before the file is
  /// moved for the first time.
  const std::string &getChecksum() const;

  std::string text;
  std::optional<StagedFile> staged;

private:
  mutable std::string checksum;
};

/// The files of a package by their path in it. Sorted, so that the order of
/// writing and of lists is the same every time.
using PackageFiles = std::map<std::string, PackageFile>;

/// An input or output of the network.
struct TensorInfo {
  std::string name;  ///< in the model
  std::string cName; ///< the parameter in C
  std::string macro; ///< NET_INPUT_<NAME>, the start of its macros
  mlir::RankedTensorType type;
  bool isOutput = false;
  int64_t alignment = 1; ///< that a device asks of the address, in bytes

  int64_t getBytes() const { return HostTensor::getByteSize(type); }
};

/// A layer and where it runs.
struct LayerInfo {
  std::string name;
  std::string target; ///< the accelerator, "cpu" for none
  /// Bytes that lie in each memory of the accelerator.
  std::vector<std::pair<std::string, int64_t>> memories;
};

/// A call of a function that runs on a device, which `uma run --compare` can
/// check.
struct DeviceCallInfo {
  int64_t index;              ///< among all calls of NET_run
  std::string accelerator;    ///< that runs it
  mlir::ArrayAttr references; ///< see kReferencesAttrName
  /// Bytes of each argument.
  std::vector<int64_t> bytes;
  /// Of each argument: whether it holds weights, and whether the device writes
  /// it.
  std::vector<bool> isConstant, isWritten;
};

struct AcceleratorInfo {
  std::string name;
  std::string folder;                 ///< of its files in the package
  std::vector<std::string> sources;   ///< paths in the package, to be compiled
  std::vector<std::string> objects;   ///< the same of objects and archives
  std::vector<std::string> libraries; ///< what `-l` names, in order
};

/// A constant and its name in C. The tensor borrows its elements.
struct WeightInfo {
  std::string cName;
  HostTensor tensor;
  int64_t alignment;
};

struct PackageInfo {
  std::string model; ///< the network's name in the model
  std::string name;  ///< NET: an identifier of C, see toCNetworkName()
  std::string macro; ///< NET in upper case
  int64_t workspaceSize = 0;
  int64_t workspaceAlignment = 0;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  /// The parameters of NET_run in their order, without the workspace.
  std::vector<TensorInfo> parameters;
  std::vector<LayerInfo> layers;
  std::vector<DeviceCallInfo> deviceCalls;
  /// Share of each target; see PackageOptions.
  std::vector<TargetSummary> targets;
  std::vector<AcceleratorInfo> accelerators;
  std::vector<WeightInfo> weights;
  /// The files of the network, to be compiled.
  std::vector<std::string> sources;
  /// The header that they share beside NET.h; empty for a single file.
  std::string layersHeader;
  /// Whether the C uses OpenMP.
  bool useOpenMP = false;
  bool binaryWeights = false;

  int64_t getWeightBytes() const;
  /// Bytes that the starts of all weights are multiples of.
  int64_t getWeightAlignment() const;
  /// The same for inputs, outputs and the workspace together.
  int64_t getBufferAlignment() const;
  /// The libraries of all accelerators, each once, in order.
  std::vector<std::string> getLibraries() const;
};

/// Bytes that the starts of the workspace, its buffers and weights are
/// multiples of where no device asks for more: a cache line, and what DMA
/// engines ask for.
inline constexpr int64_t kAlignment = 64;

/// `text` with the number for every `@ALIGNMENT@`.
std::string withAlignment(llvm::StringRef text, int64_t alignment);

/// Reads what there is to know from a module in plain TIR. Fails with an error
/// where the module holds no network. No name in C is one of `taken`.
mlir::FailureOr<PackageInfo> getPackageInfo(mlir::ModuleOp module,
                                            const llvm::StringSet<> &taken);

/// Copies headers and models of the accelerators into `files` and lists them in
/// `accelerators`.
mlir::LogicalResult addDevices(mlir::ModuleOp module,
                               std::vector<AcceleratorInfo> &accelerators,
                               PackageFiles &files);

/// Returns the names that files of the package must not have and names in C
/// must not hide: those of the accelerators' headers, and what the files that
/// addDevices() has copied define outside of functions and types.
llvm::StringSet<> getDeviceNames(mlir::ModuleOp module,
                                 const PackageFiles &files);

/// Adds the C of the network, an EmitC module, to `files` and lists it in
/// `info`: one file or, where that would be larger than `maxBytes`, several.
/// The functions are `static` in a single file only.
mlir::LogicalResult addNetwork(mlir::ModuleOp module, int64_t maxBytes,
                               PackageInfo &info, PackageFiles &files);

/// Adds the files of the weights, of which the large one is written at once, in
/// the file system of `folder`.
mlir::LogicalResult addWeights(mlir::Location loc, llvm::StringRef folder,
                               const PackageInfo &info, PackageFiles &files);

// The texts of single files.
std::string getHeaderText(const PackageInfo &info);
std::string getTablesText(const PackageInfo &info);
std::string getMainText(const PackageInfo &info);
std::string getMakefileText(const PackageInfo &info);
std::string getCMakeText(const PackageInfo &info);
std::string getHooksText();
std::string getMetadataText(const PackageInfo &info, const PackageFiles &files);

/// Adds a file of the package in `folder` that `write` writes at once.
mlir::LogicalResult
stageFile(mlir::Location loc, llvm::StringRef folder, llvm::StringRef name,
          PackageFiles &files,
          llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Makes `folder` a package of these files: whole, or not at all and as it was.
/// Files in it that uma did not write stay.
mlir::LogicalResult writePackageFolder(mlir::Location loc,
                                       llvm::StringRef folder,
                                       PackageFiles files);

} // namespace uma

#endif // UMA_LIB_TARGET_C_PACKAGEINFO_H

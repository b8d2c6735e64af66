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
#include "llvm/Support/JSON.h"

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
  mlir::Attribute start; ///< uma.start of a state, otherwise null
  /// Offset in the workspace if it is there, and no parameter of NET_run.
  std::optional<int64_t> offset;
  size_t memory = 0; ///< position of the memory that it is in, then

  int64_t getBytes() const { return HostTensor::getByteSize(type); }
};

/// Memory for the workspace or a part of it, a parameter of NET_run.
struct MemoryInfo {
  std::string cName; ///< parameter in C
  std::string macro; ///< prefix of its macros
  int64_t offset;    ///< in the workspace
  int64_t bytes;
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
  std::string layer;    ///< as the hooks name it
  int64_t macs;         ///< multiply-accumulates in a run of the network
};

/// Memory of a layer's function, in bytes. The largest of its calls counts.
struct FunctionMemory {
  std::string name;        ///< in C
  std::string target;      ///< accelerator, or "cpu"
  int64_t workspace = 0;   ///< workspace buffers that only this call uses
  int64_t constants = 0;   ///< weights
  int64_t inputOutput = 0; ///< other buffers
  int64_t device = 0;      ///< memories of the accelerator
  size_t firstCall = 0;    ///< among all calls of NET_run
};

struct AcceleratorInfo {
  std::string name;
  std::string folder;                 ///< folder of its files in the package
  std::vector<std::string> headers;   ///< paths of other files
  std::vector<std::string> sources;   ///< paths in the package, to be compiled
  std::vector<std::string> objects;   ///< paths of objects and archives
  std::vector<std::string> libraries; ///< names for `-l`, in order
};

/// A constant and its name in C. The tensor borrows its elements.
struct WeightInfo {
  std::string cName;
  HostTensor tensor;
  int64_t alignment;
  int64_t imageOffset; ///< in the image, if there is one
};

/// The image of all weights, see PackageImage.cpp.
struct ImageInfo {
  uint64_t size = 0;     ///< bytes, with the header
  uint32_t checksum = 0; ///< CRC-32 of what follows the header
};

struct PackageInfo {
  std::string model; ///< name of the network in the model
  std::string name;  ///< NET: a C identifier, see toCNetworkName()
  std::string macro; ///< NET in upper case
  int64_t workspaceSize = 0;
  int64_t workspaceAlignment = 0;
  /// One or more; a single one without a name is called `workspace`.
  std::vector<MemoryInfo> memories;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  /// Tensors that are parameters of NET_run, in order.
  std::vector<TensorInfo> parameters;
  std::vector<LayerInfo> layers;
  std::vector<CallInfo> calls; ///< all calls of NET_run
  std::vector<FunctionMemory> functions;
  std::vector<DeviceCallInfo> deviceCalls;
  /// Share of each target; see PackageOptions.
  std::vector<TargetSummary> targets;
  std::vector<AcceleratorInfo> accelerators;
  std::vector<WeightInfo> weights;
  PackageForm form;
  /// Files of the network, to be compiled.
  std::vector<std::string> sources;
  /// Header that they share beside NET.h; empty for a single file.
  std::string layersHeader;
  /// Whether the C uses OpenMP.
  bool useOpenMP = false;
  bool binaryWeights = false;
  ImageInfo image;
  /// SHA-256 of the model's file in hexadecimal digits; empty if unknown.
  std::string modelHash;
  int64_t modelVersion = 0;

  bool hasImage() const { return form.weights == WeightsAs::Image; }
  /// Returns whether the workspace is divided among memories with names.
  bool hasNamedMemories() const;
  /// Returns the names of the parameters that are memories, separated by
  /// commas.
  std::string getMemoryNames() const;
  /// Returns whether inputs and outputs are in the workspace.
  bool hasTensorsInside() const;
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

/// Returns the memory that each function of a layer takes, in the order of the
/// first calls, for a module in plain TIR. The names are those of the module.
std::vector<FunctionMemory> getFunctionMemory(mlir::ModuleOp module);

/// Gives the functions the names that they have in C, from the converted
/// module.
void nameFunctions(mlir::ModuleOp module, PackageInfo &info);

/// Returns the number of bytes that a function of an accelerator places in each
/// of the memories of its device.
std::vector<std::pair<std::string, int64_t>>
getDeviceMemories(mlir::Operation *function, mlir::TypeRange arguments);

/// Adds the files of the weights. The large one is written immediately, in the
/// file system of `folder`.
mlir::LogicalResult addWeights(mlir::Location loc, llvm::StringRef folder,
                               const PackageInfo &info, PackageFiles &files);

/// Maximum size in bytes of binary weights that are also written as C arrays,
/// for compilers without .incbin. The text is about four times as large.
inline constexpr int64_t kMaxFallbackBytes = 1 << 20;

/// Adds the image of all weights, with its header and source, and sets
/// `info.image`. The image is written immediately, in the file system of
/// `folder`.
mlir::LogicalResult addImage(mlir::Location loc, llvm::StringRef folder,
                             PackageInfo &info, PackageFiles &files);

/// Returns the definition of UMA_WEIGHT(name, offset, size), which includes a
/// part of the file UMA_WEIGHTS.
std::string getIncbinText(int64_t alignment);

/// Prints `int32_t NET_<function>(<parameters>`: tensors, workspace, then
/// `others`, without a semicolon.
void printRunSignature(const PackageInfo &info, llvm::StringRef function,
                       llvm::raw_ostream &os, llvm::StringRef others = "");

// Texts of single files.
std::string getHeaderText(const PackageInfo &info);
std::string getTablesText(const PackageInfo &info);
std::string getMainText(const PackageInfo &info);
std::string getMakefileText(const PackageInfo &info);
/// Returns the part of CMakeLists.txt for CMake itself, without its comment.
std::string getCMakeText(const PackageInfo &info);
/// Returns the comment at the top of build files.
std::string getModelComment(const PackageInfo &info);
std::string getHooksText();

/// Adds the files for the projects of the package.
void addProjects(const PackageInfo &info, PackageFiles &files);

/// Returns the metadata of a package with these files, without itself.
/// `metadata.json` of the flat format holds nothing else.
llvm::json::Object getMetadata(const PackageInfo &info,
                               const PackageFiles &files);

/// Returns metadata.json of the Model Library Format, version 5, with `own` as
/// an additional entry. See PackageMLF.cpp.
llvm::json::Object getMLFMetadata(const PackageInfo &info,
                                  llvm::StringRef exportTime,
                                  llvm::json::Object own);

/// Returns the time that the Model Library Format has as that of the export:
/// SOURCE_DATE_EPOCH, or the beginning of 1970, so that the same model gives
/// the same bytes. Emits an error and fails if SOURCE_DATE_EPOCH is no time.
mlir::FailureOr<std::string> getExportTime(mlir::Location loc);

/// Adds the weights as the file of parameters of the Model Library Format,
/// which is written immediately, in the file system of `folder`.
mlir::LogicalResult addParameters(mlir::Location loc, llvm::StringRef folder,
                                  const PackageInfo &info, PackageFiles &files);

/// Emits an error that the file of a package cannot be written, and fails.
mlir::LogicalResult failToWrite(mlir::Location loc, const llvm::Twine &file,
                                std::error_code error);

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

/// Writes an archive of these files, or leaves an older file unchanged on
/// failure.
mlir::LogicalResult writePackageArchive(mlir::Location loc,
                                        llvm::StringRef archive,
                                        const PackageFiles &files);

/// Emits an error and fails if no archive can be written at `archive`.
mlir::LogicalResult checkPackageArchive(mlir::Location loc,
                                        llvm::StringRef archive);

} // namespace uma

#endif // UMA_LIB_TARGET_C_PACKAGEINFO_H

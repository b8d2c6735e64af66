//===- Package.cpp - C package of a network -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Target/C/Package.h"

#include "PackageLayout.h"
#include "PackageManifest.h"

#include "uma/Conversion/Passes.h"
#include "uma/IR/DeviceAttributes.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace uma;

static int64_t getBytes(const PackageFile &file) {
  uint64_t bytes = file.text.size();
  if (file.staged)
    (void)llvm::sys::fs::file_size(file.staged->getPath(), bytes);
  return int64_t(bytes);
}

/// Maximum size in bytes of weights that are C arrays by default, which are
/// readable and need no special build rules.
static constexpr int64_t kMaxArrayBytes = 16 * 1024;

/// Weights from which on gcc takes a minute or more for their arrays: it reads
/// about 8 MiB in that time.
static constexpr int64_t kLargeArrayBytes = 8 << 20;

/// Adds the metadata, and the files that only the Model Library Format has.
static LogicalResult addMetadata(Location loc, StringRef outputDir,
                                 const PackageInfo &info,
                                 std::optional<StagedFile> graphText,
                                 PackageFiles &files) {
  const bool isMLF = info.form.format == PackageFormat::ModelLibrary;
  if (isMLF && failed(addParameters(loc, outputDir, info, files)))
    return failure();
  if (isMLF && graphText)
    files["src/relay.txt"] = std::move(*graphText);
  llvm::json::Object metadata = getMetadata(info, files);
  if (isMLF) {
    FailureOr<std::string> time = getExportTime(loc);
    if (failed(time))
      return failure();
    metadata = getMLFMetadata(info, *time, std::move(metadata));
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}", llvm::json::Value(std::move(metadata))) << "\n";
  files[kMetadataName.str()] = std::move(text);
  return success();
}

LogicalResult uma::emitPackage(ModuleOp module, StringRef outputDir,
                               PackageOptions options) {
  PackageFiles files;
  std::vector<AcceleratorInfo> accelerators;
  if (failed(addDevices(module, accelerators, files)))
    return failure();
  const llvm::StringSet<> taken = getDeviceNames(module, files);
  FailureOr<PackageInfo> info = getPackageInfo(module, taken);
  if (failed(info))
    return failure();
  info->targets = std::move(options.targets);
  info->accelerators = std::move(accelerators);
  info->useOpenMP = options.threads == Threads::OpenMP;
  info->form = std::move(options.form);
  info->modelHash = std::move(options.modelHash);
  info->modelVersion = options.modelVersion;

  PassManager manager(module.getContext());
  ConvertTIRToEmitCPassOptions conversion;
  conversion.threads = options.threads;
  conversion.lineDirectives = true;
  conversion.prefix = info->name;
  conversion.layerRange = true;
  conversion.weightsParameter = info->hasImage();
  conversion.reserved.assign(taken.keys().begin(), taken.keys().end());
  manager.addPass(createConvertTIRToEmitCPass(conversion));
  if (failed(manager.run(module)))
    return failure();
  nameFunctions(module, *info);
  for (auto global : module.getOps<emitc::GlobalOp>()) {
    FailureOr<HostTensor> tensor = HostTensor::fromAttribute(
        cast<ElementsAttr>(*global.getInitialValue()));
    if (failed(tensor))
      return global.emitOpError("has a value that cannot be read; its "
                                "dense_resource is missing");
    auto alignment = global->getAttrOfType<IntegerAttr>(kAlignmentAttrName);
    auto offset = global->getAttrOfType<IntegerAttr>(kImageOffsetAttrName);
    info->weights.push_back({global.getSymName().str(), std::move(*tensor),
                             alignment ? alignment.getInt() : kAlignment,
                             offset ? offset.getInt() : 0});
  }
  info->binaryWeights =
      info->hasImage() ||
      (!info->weights.empty() && (info->form.weights == WeightsAs::Binary ||
                                  (info->form.weights == WeightsAs::Auto &&
                                   info->getWeightBytes() > kMaxArrayBytes)));

  if (!info->binaryWeights && info->getWeightBytes() >= kLargeArrayBytes)
    module.emitRemark() << "C arrays of " << (info->getWeightBytes() >> 20)
                        << " MiB of weights take a C compiler minutes and "
                           "gigabytes; --weights=auto has them in a file";
  if (failed(addNetwork(module, options.maxSourceBytes, *info, files)))
    return failure();
  if (!info->weights.empty() || info->hasImage())
    info->sources.push_back(info->name + "_weights.c");
  files[info->name + ".h"] = getHeaderText(*info);
  if (failed(info->hasImage()
                 ? addImage(module.getLoc(), outputDir, *info, files)
                 : addWeights(module.getLoc(), outputDir, *info, files)))
    return failure();
  if (options.graph)
    files[info->name + ".mlirbc"] = std::move(*options.graph);
  if (failed(placeFiles(module.getLoc(), *info, files)))
    return failure();
  // These name the others, so they are last.
  addProjects(*info, files);
  if (failed(addMetadata(module.getLoc(), outputDir, *info,
                         std::move(options.graphText), files)))
    return failure();
  if (options.beforeWriting) {
    PackageSizes sizes{info->workspaceSize, info->getWeightBytes(), {}};
    for (const auto &[name, file] : files)
      sizes.files.push_back({name, getBytes(file)});
    if (failed(options.beforeWriting(sizes)))
      return failure();
  }
  if (isPackageArchive(outputDir))
    return writePackageArchive(module.getLoc(), outputDir, files);
  return writePackageFolder(module.getLoc(), outputDir, std::move(files));
}

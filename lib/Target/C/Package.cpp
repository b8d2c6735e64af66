//===- Package.cpp - C package of a network -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Target/C/Package.h"

#include "PackageInfo.h"

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

  PassManager manager(module.getContext());
  ConvertTIRToEmitCPassOptions conversion;
  conversion.threads = options.threads;
  conversion.lineDirectives = true;
  conversion.prefix = info->name;
  conversion.reserved.assign(taken.keys().begin(), taken.keys().end());
  manager.addPass(createConvertTIRToEmitCPass(conversion));
  if (failed(manager.run(module)))
    return failure();
  for (auto global : module.getOps<emitc::GlobalOp>()) {
    FailureOr<HostTensor> tensor = HostTensor::fromAttribute(
        cast<ElementsAttr>(*global.getInitialValue()));
    if (failed(tensor))
      return global.emitOpError("has a value that cannot be read; its "
                                "dense_resource is missing");
    auto alignment = global->getAttrOfType<IntegerAttr>(kAlignmentAttrName);
    info->weights.push_back({global.getSymName().str(), std::move(*tensor),
                             alignment ? alignment.getInt() : kAlignment});
  }
  info->binaryWeights =
      !info->weights.empty() && (options.weights == WeightsAs::Binary ||
                                 (options.weights == WeightsAs::Auto &&
                                  info->getWeightBytes() > kMaxArrayBytes));

  if (failed(addNetwork(module, options.maxSourceBytes, *info, files)))
    return failure();
  if (!info->weights.empty())
    info->sources.push_back(info->name + "_weights.c");
  files[info->name + ".h"] = getHeaderText(*info);
  if (failed(addWeights(module.getLoc(), outputDir, *info, files)))
    return failure();
  files["main.c"] = getMainText(*info);
  files["uma_hooks.h"] = getHooksText();
  files["Makefile"] = getMakefileText(*info);
  files["CMakeLists.txt"] = getCMakeText(*info);
  if (options.graph)
    files[info->name + ".mlirbc"] = std::move(*options.graph);
  // Last, because the metadata lists the other files.
  files["metadata.json"] = getMetadataText(*info, files);
  if (options.beforeWriting) {
    PackageSizes sizes{info->workspaceSize, info->getWeightBytes(), {}};
    for (const auto &[name, file] : files)
      sizes.files.push_back({name, getBytes(file)});
    if (failed(options.beforeWriting(sizes)))
      return failure();
  }
  return writePackageFolder(module.getLoc(), outputDir, std::move(files));
}

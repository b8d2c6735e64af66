//===- Model.cpp - Loading and compiling a model --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "EntryFunction.h"
#include "ModelFormat.h"
#include "ModelTrust.h"
#include "ModuleFile.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/IR/Backend.h"
#include "uma/Accel/Language/Passes.h"
#include "uma/Accel/Partition/Matcher.h"
#include "uma/Accel/Partition/Report.h"
#include "uma/CPU/Tuning/TuningDatabase.h"
#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Import/ONNX/ImportONNX.h"
#include "uma/Import/TFLite/ImportTFLite.h"
#include "uma/Pipelines/Passes.h"
#include "uma/Support/Checksum.h"
#include "uma/Support/Progress.h"
#include "uma/Support/ResourceBlobs.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace mlir;
using namespace uma;

/// Parses `name=1x3x32x32`.
static bool parseShape(StringRef text,
                       std::pair<std::string, std::vector<int64_t>> &shape) {
  auto [name, sizes] = text.rsplit('=');
  shape.first = name.str();
  if (name.empty() || sizes.empty())
    return false;
  for (StringRef size : llvm::split(sizes, 'x')) {
    int64_t value;
    if (size.getAsInteger(10, value) || value <= 0)
      return false;
    shape.second.push_back(value);
  }
  return true;
}

/// Returns the exit code for the result of an import.
static ExitCode finishImport(ImportStatus status, ModuleOp module) {
  switch (status) {
  case ImportStatus::Success:
    return checkTensorSizes(module);
  case ImportStatus::BadInput:
    return ExitCode::BadInput;
  case ImportStatus::NotSupported:
    return ExitCode::NotSupported;
  }
  llvm_unreachable("every status has an exit code");
}

/// Makes the integer layers of a model and lets them round in integers.
static ExitCode requantizeInFixedPoint(ModuleOp module) {
  PassManager manager(module.getContext());
  // As uma-graph-default begins.
  manager.addPass(graph::createSimplifyInferencePass());
  manager.addPass(createCSEPass());
  manager.addPass(graph::createFoldQuantizationPass());
  manager.addPass(graph::createRequantizeFixedPointPass());
  return succeeded(manager.run(module)) ? ExitCode::Success
                                        : ExitCode::NotSupported;
}

/// Reports shapes, which only ONNX models take.
static ExitCode checkNoShapes(const ModelOptions &options,
                              const ModelContext &context) {
  if (options.shapes.empty())
    return ExitCode::Success;
  return context.fail(ExitCode::BadInput, "--shape is for ONNX models; the "
                                          "sizes of '" +
                                              options.model +
                                              "' are in its types");
}

/// Reads the options --const.
static ExitCode readConstants(const ModelOptions &options,
                              const ModelContext &context,
                              std::vector<InputConstant> &constants) {
  for (StringRef text : options.constants) {
    auto constant = parseInputConstant(text);
    if (!constant)
      return context.fail(ExitCode::BadInput,
                          "--const: " + llvm::toString(constant.takeError()));
    constants.push_back(*constant);
  }
  return ExitCode::Success;
}

/// Reads a model in any format.
static ExitCode readModel(const ModelOptions &options, ModelContext &context,
                          OwningOpRef<ModuleOp> &module) {
  StringRef path = options.model;
  ModelFormat format = ModelFormat::Unknown;
  if (std::string problem = findModelFormat(options, format); !problem.empty())
    return context.fail(ExitCode::BadInput, problem);
  const bool isFile = !options.contents;
  std::unique_ptr<llvm::MemoryBuffer> memory;
  if (!isFile)
    memory = copyModuleBytes(*options.contents, path);
  if (options.rounding != TFLiteRounding::Float &&
      format != ModelFormat::TFLite)
    return context.fail(ExitCode::BadInput,
                        "--rounding is for TensorFlow Lite models, which '" +
                            path + "' is not");
  if (format == ModelFormat::MLIR) {
    if (ExitCode code = checkNoShapes(options, context);
        code != ExitCode::Success)
      return code;
    if (!options.constants.empty())
      return context.fail(ExitCode::BadInput,
                          "--const is for ONNX and TensorFlow Lite models, "
                          "which '" +
                              path + "' is not");
    auto buffer = isFile ? openModuleFile(path, context) : std::move(memory);
    if (buffer)
      module = parseModule(std::move(buffer), context);
    if (!module || (!options.trustModel && failed(checkModelIsData(*module))))
      return ExitCode::BadInput;
    return checkTensorSizes(*module);
  }
  if (format == ModelFormat::TFLite) {
    TFLiteImportOptions importOptions{options.rounding, {}};
    if (ExitCode code = checkNoShapes(options, context);
        code != ExitCode::Success)
      return code;
    if (ExitCode code =
            readConstants(options, context, importOptions.constants);
        code != ExitCode::Success)
      return code;
    ImportStatus status =
        isFile ? importTFLite(path, context.get(), importOptions, module)
               : importTFLite(*memory, context.get(), importOptions, module);
    return finishImport(status, module.get());
  }
  ONNXImportOptions importOptions;
  for (StringRef text : options.shapes)
    if (!parseShape(text, importOptions.shapes.emplace_back()))
      return context.fail(ExitCode::BadInput,
                          "--shape=" + text +
                              ": expected name=1x3x32x32 with positive sizes");
  if (ExitCode code = readConstants(options, context, importOptions.constants);
      code != ExitCode::Success)
    return code;
  ImportStatus status =
      isFile ? importONNX(path, context.get(), importOptions, module)
             : importONNX(*memory, context.get(), importOptions, module);
  return finishImport(status, module.get());
}

ExitCode uma::loadModel(const ModelOptions &options, ModelContext &context,
                        OwningOpRef<ModuleOp> &module) {
  ExitCode code = readModel(options, context, module);
  if (code == ExitCode::Success && options.requantize == Requantize::FixedPoint)
    code = requantizeInFixedPoint(*module);
  return code;
}

ExitCode uma::loadAccelerators(const ModelOptions &options, ModuleOp module) {
  auto &registry = accel::BackendRegistry::get(module.getContext());
  for (const accel::BackendFactory &makeBackend : options.backends)
    registry.add(makeBackend());
  PassManager manager(module.getContext());
  accel::LoadPassOptions load;
  load.accelerators.assign(options.accelerators.begin(),
                           options.accelerators.end());
  load.acceleratorDirs.assign(options.acceleratorDirs.begin(),
                              options.acceleratorDirs.end());
  manager.addPass(accel::createLoadPass(load));
  return succeeded(manager.run(module)) ? ExitCode::Success
                                        : ExitCode::BadInput;
}

ExitCode uma::loadWithAccelerators(const ModelOptions &options,
                                   ModelContext &context,
                                   OwningOpRef<ModuleOp> &module) {
  ExitCode code = loadModel(options, context, module);
  return code == ExitCode::Success ? loadAccelerators(options, *module) : code;
}

void uma::dropFilePositions(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FileLineColRange position) -> Attribute {
    return UnknownLoc::get(position.getContext());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
}

namespace {
/// Frees constants after each pass that replaced them. The module must be the
/// only one in its context.
struct BlobReleaser : PassInstrumentation {
  void runAfterPass(Pass *, Operation *op) override {
    // A pass that adds none replaces none.
    if (!isa<ModuleOp>(op) || getBlobBytes(op->getContext()) <= bytes)
      return;
    releaseUnusedBlobs(op);
    bytes = getBlobBytes(op->getContext());
  }

  /// Bytes of the constants after the last pass that added some.
  size_t bytes = 0;
};

/// Shows the observer what the passes of a pipeline use up.
struct PassWatcher : PassInstrumentation {
  explicit PassWatcher(CompileObserver &observer) : observer(observer) {}
  void runBeforePass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (module && pass->getArgument() == "uma-accel-merge-composite")
      observer.onSimplified(module);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    // Nested modules are copies, to find out what fits into an arena.
    auto module = dyn_cast<ModuleOp>(op);
    if (module && !module->getParentOp() &&
        pass->getArgument() == "uma-accel-map")
      observer.onMapped(module);
  }
  CompileObserver &observer;
};
} // namespace

void uma::addObserver(PassManager &manager, CompileObserver &observer) {
  manager.addInstrumentation(std::make_unique<PassWatcher>(observer));
}

/// Prints the graph as text, without the elements of large constants.
static LogicalResult printGraph(ModuleOp module, raw_ostream &os) {
  constexpr int64_t kMaxElements = 16;
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(kMaxElements)
      .elideLargeResourceString(kMaxElements)
      .enableDebugInfo();
  os << "// The graph as imported, in MLIR's syntax: uma.graph has the "
        "operators of Relay.\n";
  module.print(os, flags);
  return success();
}

/// Writes the graph to a file `name` for the package in `outputDir`, as bytes
/// or as text.
static ExitCode stageGraph(ModelContext &context, ModuleOp module,
                           StringRef outputDir, const Twine &name, bool isText,
                           std::optional<StagedFile> &graph) {
  auto fail = [&](std::error_code error) {
    emitError(module.getLoc()) << outputDir << "/" << name.str()
                               << ": cannot be written: " << error.message();
    return ExitCode::BadInput;
  };
  llvm::Expected<StagedFile> file = StagedFile::create(outputDir);
  if (!file)
    return fail(llvm::errorToErrorCode(file.takeError()));
  OwningOpRef<ModuleOp> copy(module.clone());
  dropFilePositions(*copy);
  if (failed(isText ? printGraph(*copy, file->getStream())
                    : writeBytecodeToFile(*copy, file->getStream())))
    return context.fail(ExitCode::NotSupported,
                        "the graph cannot be written as MLIR bytecode");
  if (std::error_code error = file->finish())
    return fail(error);
  graph = std::move(*file);
  return ExitCode::Success;
}

/// Counts the operators of each target in a partitioned module: of the CPU and
/// of every accelerator, including unused ones.
static std::vector<TargetSummary> countTargets(ModuleOp module) {
  llvm::MapVector<StringRef, TargetSummary> shares;
  auto get = [&](StringRef name) -> TargetSummary & {
    TargetSummary &share = shares[name];
    share.name = name.str();
    return share;
  };
  // A description of instructions alone takes no layers.
  for (auto accelerator : module.getOps<accel::AcceleratorOp>())
    if (accelerator.getOps<accel::InstructionOp>().empty() ||
        !accelerator.getOps<accel::PatternOp>().empty())
      get(accelerator.getSymName());
  for (auto function : module.getOps<func::FuncOp>()) {
    StringRef name = accel::kCPUTarget;
    if (auto target = function->getAttrOfType<TargetAttr>(kTargetAttrName))
      name = target.getAccelerator();
    TargetSummary &share = get(name);
    function.walk([&](Operation *op) {
      auto stored = dyn_cast<graph::StorageCastOp>(op);
      bool isConstant =
          stored && stored.getData().getDefiningOp<graph::ConstantOp>();
      if (op->getName().getDialectNamespace() != "uma" || isConstant ||
          op->hasTrait<OpTrait::ConstantLike>() ||
          op->hasAttr(accel::kBorderAttrName) ||
          isa<graph::CompositeOp, graph::YieldOp>(op))
        return;
      ++share.layers;
      share.macs += accel::getMACs(op);
    });
  }
  std::vector<TargetSummary> result;
  for (auto &[name, share] : shares)
    if (share.layers != 0 || name != accel::kCPUTarget)
      result.push_back(std::move(share));
  return result;
}

std::string uma::getMappingCache() {
  SmallString<128> folder;
  if (const char *chosen = ::getenv("UMA_CACHE_DIR")) {
    folder = chosen;
    if (folder.empty())
      return "";
  } else {
    if (!llvm::sys::path::cache_directory(folder))
      return "";
    llvm::sys::path::append(folder, "uma");
  }
  llvm::sys::path::append(folder, "mappings");
  return folder.str().str();
}

std::unique_ptr<Pass> uma::makeLowerPass(const ModelOptions &options,
                                         const ModelContext &context,
                                         bool nameWorkloads, StringRef until) {
  LowerPassOptions passOptions;
  passOptions.tuning = options.tuning;
  passOptions.cpu = options.cpu;
  passOptions.mappingCache = getMappingCache();
  passOptions.nameWorkloads = nameWorkloads;
  passOptions.until = until.str();
  std::unique_ptr<Pass> pass = createLowerPass(passOptions);
  // The module is the only one in its context.
  std::string text = options.lower +
                     " release-constants=true device-references=true" +
                     (options.debugBounds ? " debug-bounds=true" : "");
  if (options.math == Math::BF16)
    text += " math=bf16";
  if (options.threads != Threads::None)
    text += " overlap=unshared tile-pairs=false share-loops=true";
  if (options.tensorsInside)
    text += " io=inside";
  if (!options.memories.empty())
    text += " memories=" + llvm::join(options.memories, ",");
  if (options.arena > 0)
    text += " arena=" + std::to_string(options.arena);
  if (options.mergeRegions == accel::MergeRegions::Always)
    text += " split-regions=false";
  if (options.kernels == Kernels::Loops)
    text += " vectorize=false";
  else if (options.kernels == Kernels::Winograd)
    text += " winograd=true";
  return succeeded(setLowerOptions(*pass, text, context)) ? std::move(pass)
                                                          : nullptr;
}

LogicalResult uma::setLowerOptions(Pass &pass, StringRef text,
                                   const ModelContext &context,
                                   StringRef advice) {
  return pass.initializeOptions(text, [&](const Twine &problem) {
    // The message ends with a line break. It is empty where the option's
    // parser has already printed the error.
    std::string what = StringRef(problem.str()).rtrim().str();
    if (what.empty())
      what = "an option cannot have this value";
    (void)context.fail(ExitCode::BadInput, "--lower: " + what + advice);
    return failure();
  });
}

std::unique_ptr<Pass> uma::makePartitionPass(const ModelOptions &options) {
  PartitionPassOptions partition;
  partition.mergeRegions = options.mergeRegions;
  partition.policy = options.policy;
  partition.cpuCyclesPerMAC = options.cpuCyclesPerMAC;
  partition.cpuCyclesPerElement = options.cpuCyclesPerElement;
  return createPartitionPass(partition);
}

ExitCode uma::checkProcessor(const ModelOptions &options,
                             const ModelContext &context) {
  if (options.cpu.empty())
    return ExitCode::Success;
  if (auto processor = Processor::get(options.cpu); !processor)
    return context.fail(ExitCode::BadInput,
                        "--cpu: " + llvm::toString(processor.takeError()));
  return ExitCode::Success;
}

ExitCode uma::compileModel(const ModelOptions &options, ModelContext &context,
                           StringRef outputDir, bool showProgress,
                           CompileObserver *observer) {
  // Check early: the pass reports the same error only after the model is read.
  if (!options.tuning.empty())
    if (auto tuning = TuningDatabase::read(options.tuning, context.get());
        !tuning)
      return context.fail(ExitCode::BadInput,
                          llvm::toString(tuning.takeError()));
  if (ExitCode code = checkProcessor(options, context);
      code != ExitCode::Success)
    return code;
  if (options.sourceKilobytes == 0)
    return context.fail(ExitCode::BadInput,
                        "--source-size=0: expected at least 1");
  std::unique_ptr<Pass> lower =
      makeLowerPass(options, context, /*nameWorkloads=*/observer != nullptr);
  if (!lower)
    return ExitCode::BadInput;
  Progress progress(4, showProgress);
  progress.begin("reading the model");
  OwningOpRef<ModuleOp> module;
  if (ExitCode code = loadModel(options, context, module);
      code != ExitCode::Success)
    return code;
  func::FuncOp entry;
  if (ExitCode code = findEntryFunction(*module, options.model, context, entry);
      code != ExitCode::Success)
    return code;
  auto network = entry->getAttrOfType<StringAttr>(kNetworkAttrName);
  if (failed(checkPackageFolder(module->getLoc(), outputDir)))
    return ExitCode::BadInput;
  PackageOptions package;
  package.form = options.form;
  if (options.contents)
    package.modelHash = getSHA256(*options.contents);
  else if (llvm::ErrorOr<std::string> hash = getFileSHA256(options.model))
    package.modelHash = std::move(*hash);
  if (auto version =
          (*module)->getAttrOfType<IntegerAttr>(kModelVersionAttrName))
    package.modelVersion = version.getValue().getSExtValue();
  package.threads = options.threads;
  package.maxSourceBytes = int64_t(options.sourceKilobytes) * 1024;
  // `uma run --compare` evaluates the model as imported, before any pass. Write
  // it to disk immediately: it holds all weights.
  if (ExitCode code = stageGraph(context, *module, outputDir,
                                 toCNetworkName(network.getValue()) + ".mlirbc",
                                 /*isText=*/false, package.graph);
      code != ExitCode::Success)
    return code;
  if (options.form.format == PackageFormat::ModelLibrary)
    if (ExitCode code = stageGraph(context, *module, outputDir, "src/relay.txt",
                                   /*isText=*/true, package.graphText);
        code != ExitCode::Success)
      return code;

  if (ExitCode code = loadAccelerators(options, *module);
      code != ExitCode::Success)
    return code;
  // Verification after every pass takes a quarter of the time. A pass of
  // somebody else may break what the next pass relies on.
#ifdef NDEBUG
  const bool verifiesEachPass = hasForeignPasses(*module);
#else
  const bool verifiesEachPass = true;
#endif
  auto run = [&](StringRef step, llvm::function_ref<void(PassManager &)> add) {
    progress.begin(step);
    PassManager manager(context.get());
    manager.addInstrumentation(std::make_unique<BlobReleaser>());
    if (observer)
      addObserver(manager, *observer);
    manager.enableVerifier(verifiesEachPass);
    add(manager);
    return success(succeeded(manager.run(*module)) &&
                   (verifiesEachPass || succeeded(verify(*module))));
  };
  if (failed(run("partitioning", [&](PassManager &manager) {
        manager.addPass(makePartitionPass(options));
      })))
    return ExitCode::NotSupported;
  package.targets = countTargets(*module);
  if (failed(run("lowering to loops", [&](PassManager &manager) {
        manager.addPass(std::move(lower));
      })))
    return ExitCode::NotSupported;
  if (observer) {
    observer->onLowered(*module);
    package.beforeWriting = [&](const PackageSizes &sizes) {
      return observer->onPackage(sizes);
    };
  }
  progress.begin("writing the package");
  return succeeded(emitPackage(*module, outputDir, std::move(package)))
             ? ExitCode::Success
             : ExitCode::BadInput;
}

//===- Lower.cpp - Lower a graph to plain TIR with a memory plan ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ChooseStripes.h"
#include "LowerPhases.h"
#include "PhaseDialects.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Mapping/Passes.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/CPU/Model/Processor.h"
#include "uma/CPU/Transforms/Passes.h"
#include "uma/Conversion/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Graph/Transforms/Stripes.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/WorkspaceMemories.h"
#include "uma/Pipelines/Passes.h"
#include "uma/Support/ByteCount.h"
#include "uma/TIR/IR/TIROps.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_LOWERPASS
#include "uma/Pipelines/Passes.h.inc"
} // namespace uma

void uma::buildLegalizeQuantizationPipeline(OpPassManager &manager,
                                            StringRef arithmetic,
                                            std::optional<unsigned> lookup) {
  manager.addPass(graph::createFoldQuantizedPoolsPass());
  if (lookup) {
    graph::TabulateFunctionsPassOptions tables;
    tables.minInstructions = *lookup;
    manager.addPass(graph::createTabulateFunctionsPass(tables));
  }
  manager.addPass(graph::createFoldQuantizedFunctionsPass());
  // Kernels of bytes read neighbouring channels, without blocks and copies.
  if (arithmetic == "bytes") {
    graph::ConvertLayoutPassOptions layout;
    layout.dataLayout = "NHWC";
    manager.addPass(graph::createConvertLayoutPass(layout));
    manager.addPass(graph::createFoldConstantPass());
    manager.addPass(createCanonicalizerPass());
  }
  if (arithmetic == "dot" || arithmetic == "pairs")
    manager.addPass(graph::createPadChannelsPass());
  if (arithmetic == "dot")
    manager.addPass(graph::createShiftZeroPointsPass());
  graph::LegalizeQuantizationPassOptions options;
  options.arithmetic = arithmetic.str();
  manager.addPass(graph::createLegalizeQuantizationPass(options));
}

/// Adds the passes that give each match of a device with commands a function of
/// its own.
static void addRegionSplit(OpPassManager &manager) {
  accel::MergeCompilerRegionsPassOptions options;
  options.mergeRegions = accel::MergeRegions::Never;
  manager.addPass(accel::createSplitRegionsPass());
  manager.addPass(accel::createMergeCompilerRegionsPass(options));
  manager.addPass(accel::createPartitionGraphPass());
}

static tir::VerifyPassOptions verifyStage(StringRef stage) {
  tir::VerifyPassOptions options;
  options.stage = stage.str();
  return options;
}

/// Millions of steps for the plan of a trial, about 10 ms each.
static constexpr unsigned kTrialSteps = 20;

/// Processor without vectors, whose 8-bit tensors stay bytes.
static constexpr StringLiteral kSmallProcessor = "scalar";

namespace {
struct LowerPass : uma::impl::LowerPassBase<LowerPass> {
  using LowerPassBase::LowerPassBase;

  /// Plain loops have integers, and bound checks use them: kernels have a
  /// version for every vector width.
  bool hasKernels() const { return vectorize && !debugBounds; }

  /// Adds the passes that replace quantized tensors.
  void addLegalization(OpPassManager &manager) {
    manager.addPass(accel::createStorageInterfacePass());
    buildLegalizeQuantizationPipeline(
        manager,
        hasKernels() ? getQuantizedArithmetic(processor, getOperation())
                     : "integer",
        hasKernels() ? std::optional(getLookupCost(processor)) : std::nullopt);
  }

  /// A trial only finds out the size of the workspace, and runs all passes.
  enum class Run { Trial, Last };
  /// Returns whether the passes end with this stage.
  bool endsWith(StringRef stage, Run run) const {
    return run == Run::Last && until == stage;
  }
  /// Adds all further passes. `reports` what runs in stripes.
  LogicalResult addPasses(OpPassManager &manager, Run run, bool reports) {
    ModuleOp module = getOperation();
    ArrayRef<std::string> names[] = {*phase1, *phase2, *phase3};
    FailureOr<LowerPhases> phases = LowerPhases::get(names, *disable, [&] {
      return mlir::emitError(UnknownLoc::get(&getContext())) << "uma-lower: ";
    });
    if (failed(phases))
      return failure();

    if (!llvm::is_contained({"planned", "mapped", "plain"}, until.getValue()))
      return mlir::emitError(UnknownLoc::get(&getContext()))
             << "uma-lower: until is '" << until
             << "', expected 'planned', 'mapped' or 'plain'";
    if (sharedWork < 0)
      return mlir::emitError(UnknownLoc::get(&getContext()))
             << "uma-lower: shared-work is " << sharedWork.getValue()
             << ", expected 0 or more instructions";
    // Rows are consecutive now, and layers are formed of the copies.
    graph::SplitRowsPassOptions stripes;
    stripes.rows = stripeRows;
    stripes.report = reports;
    manager.addPass(graph::createSplitRowsPass(stripes));
    // Decompose attention operators that no accelerator took.
    manager.addPass(graph::createDecomposeAttentionPass());
    if (!hasKernels() && !scripts.empty())
      return mlir::emitError(UnknownLoc::get(&getContext()))
             << "uma-lower: scripts are for the CPU's kernels, and there are "
                "none with vectorize=false and debug-bounds";
    if (hasKernels() && accel::hasMatchesForCPU(module)) {
      manager.addPass(accel::createInlineLoweredPass());
      manager.addPass(accel::createMergeCompilerRegionsPass());
      manager.addPass(accel::createPartitionGraphPass());
    }
    if (hasKernels()) {
      CPUPlanPassOptions plan;
      plan.winograd = winograd;
      plan.weightGrowth = weightGrowth;
      plan.mathType = mathType;
      plan.cpu = processor;
      plan.scripts = scripts;
      plan.tilePairs = tilePairs;
      plan.tileProducers = tileProducers;
      plan.threads = shareLoops;
      plan.tuning = tuning;
      plan.nameWorkloads = nameWorkloads;
      manager.addPass(createCPUPlanPass(plan));
    } else {
      manager.addPass(cpu::createInlineLayersPass());
    }
    if (endsWith("planned", run))
      return success();

    // Mappings are for the tensors as they are stored.
    accel::MapPassOptions mapping;
    mapping.cache = mappingCache;
    mapping.interleave = interleave;
    manager.addPass(accel::createMapPass(mapping));
    if (endsWith("mapped", run))
      return success();

    // Phase 0 works on blocks and multi-dimensional buffers, which schedules
    // require.
    ConvertGraphToTIRPassOptions conversion;
    conversion.vectorize = hasKernels();
    conversion.releaseConstants = releaseConstants && run == Run::Last;
    conversion.deviceReferences = deviceReferences;
    manager.addPass(createConvertGraphToTIRPass(conversion));
    manager.addPass(cpu::createApplyScriptsPass());
    if (failed(addPhasePipelines(module, Phase::TIRPhase0, manager)))
      return failure();
    manager.addPass(tir::createVerifyPass(verifyStage("schedulable")));
    // Merge equal functions as soon as no pass creates functions any more, so
    // that all further passes process equal layers once. Bound checks name
    // their layer, so their functions stay separate.
    if (!debugBounds)
      manager.addPass(tir::createMergeFunctionsPass());
    // Schedules leave buffers that are used one tile at a time. Blocks are
    // needed to find them.
    manager.addPass(tir::createCompactBufferAllocationPass());
    // Blocks restrict schedules; no pass schedules after this point.
    manager.addPass(tir::createLowerBlockPass());

    // Phase 1 flattens storage. Simplification follows immediately, because
    // flattening creates index arithmetic that folds. The operands of divisions
    // are then known to be small and can be narrowed.
    phases->addTo(manager, 1);
    if (failed(addPhasePipelines(module, Phase::TIRPhase1, manager)))
      return failure();

    // Phase 2 transforms loops. Passes of devices run first, since they may
    // mark loops as unrolled. Loops are partitioned before vectorisation, since
    // vectors have no conditions. Storage is rewritten before unrolling, while
    // each loop occurs once. Unrolling makes indices constant, by which local
    // arrays are split.
    if (failed(addPhasePipelines(module, Phase::TIRPhase2, manager)))
      return failure();
    phases->addTo(manager, 2);

    // Phase 3 cleans up: it hoists and rewrites the remaining conditions. Equal
    // arguments of configurations become one value only after simplification.
    phases->addTo(manager, 3);
    if (failed(addPhasePipelines(module, Phase::TIRPhase3, manager)))
      return failure();

    if (shareLoops)
      manager.addPass(
          tir::createShareLoopsPass(tir::ShareLoopsPassOptions{sharedWork}));
    manager.addPass(tir::createHoistAllocPass());
    // Buffers of a device that works in the background are alive for longer.
    manager.addPass(tir::createSinkAwaitsPass());
    if (shareLoops && overlap != "none")
      manager.addPass(tir::createReuseBuffersPass());
    // Earlier passes may remove buffers, so memory is planned last.
    tir::ReorderCallsPassOptions reorder;
    reorder.overlap = overlap;
    reorder.io = io;
    manager.addPass(tir::createReorderCallsPass(reorder));
    tir::PlanMemoryPassOptions plan;
    plan.overlap = overlap;
    plan.io = io;
    llvm::append_range(plan.memories, *memories);
    if (run == Run::Trial) {
      plan.stepLimit = kTrialSteps;
      plan.allowExcess = true;
    } else {
      plan.capacity = arena;
    }
    manager.addPass(tir::createPlanMemoryPass(plan));
    // No pass moves code after the checks are inserted.
    if (debugBounds)
      manager.addPass(tir::createInstrumentBoundCheckersPass());
    manager.addPass(tir::createVerifyPass(verifyStage("plain")));
    return success();
  }

  /// Returns the bytes that the workspace may have, in all memories together;
  /// 0 for no limit, and if options contradict each other.
  int64_t getLimit();
  /// Describes a size that `getWorkspace` returned, for remarks.
  std::string describeNeed(int64_t bytes) {
    return memories.empty()
               ? llvm::formatv("the workspace takes {0} bytes", bytes).str()
               : llvm::formatv("the memories are {0} bytes too small",
                               bytes - getLimit())
                     .str();
  }
  FailureOr<int64_t> getWorkspaceAfter(function_ref<void(OpPassManager &)> add);
  /// Returns the size before the legalization; `splits` regions of devices.
  FailureOr<int64_t> getWorkspace(bool splits) {
    return getWorkspaceAfter([&](OpPassManager &manager) {
      if (splits)
        addRegionSplit(manager);
      addLegalization(manager);
    });
  }
  /// Returns whether 8-bit tensors may stay bytes, for kSmallProcessor.
  bool hasChoiceOfProcessor() {
    return processor.empty() && hasKernels() &&
           !getOperation()->hasAttr(kProcessorAttrName) &&
           getQuantizedArithmetic(kSmallProcessor, getOperation()) == "bytes";
  }
  bool chooseProcessor(int64_t &bytes);
  LogicalResult reduceWorkspace();
  StripeReport fitIntoArena();
  void runOnOperation() override;

  /// The processor of this module: `cpu`, or one chosen for it.
  std::string processor;
};
} // namespace

int64_t LowerPass::getLimit() {
  if (memories.empty())
    return arena;
  int64_t bytes = 0;
  for (StringRef text : *memories) {
    auto memory = parseNamedByteCount(text);
    if (!memory || arena > 0)
      return 0;
    // No number of bytes is larger than 2^61.
    bytes = std::min(bytes + memory->second, int64_t(1) << 61);
  }
  return bytes;
}

/// Lowers a copy of the module by the passes that `add` adds and those of
/// `addPasses`. Returns the size of its workspace. If that does not fit into
/// its memories, the size is that of all of them and what is missing.
FailureOr<int64_t>
LowerPass::getWorkspaceAfter(function_ref<void(OpPassManager &)> add) {
  // The last run repeats the messages.
  ScopedDiagnosticHandler silence(&getContext(),
                                  [](Diagnostic &) { return success(); });
  OpPassManager manager(ModuleOp::getOperationName(),
                        OpPassManager::Nesting::Implicit);
  add(manager);
  if (failed(addPasses(manager, Run::Trial, /*reports=*/false)))
    return failure();
  // Pipelines run on what is nested only.
  ModuleOp copy = getOperation().clone();
  getOperation().getBody()->push_back(copy);
  llvm::scope_exit erase([&] { copy.erase(); });
  if (failed(runPipeline(manager, copy)))
    return failure();
  int64_t bytes = 0;
  for (auto function : copy.getOps<tir::FuncOp>()) {
    auto size = function->getAttrOfType<IntegerAttr>(kWorkspaceSizeAttrName);
    // Memories that are not full may end in padding.
    bool fits = function->hasAttr(kWorkspaceMemoriesAttrName);
    if (size)
      bytes = std::max(bytes, fits ? std::min(size.getInt(), getLimit())
                                   : size.getInt());
  }
  return bytes;
}

/// Marks what has to be computed in stripes.
StripeReport LowerPass::fitIntoArena() {
  SmallVector<func::FuncOp> networks;
  for (func::FuncOp function : cpu::getEntryFunctions(getOperation()))
    if (function.isPublic())
      networks.push_back(function);
  if (networks.size() != 1)
    return {};
  // Marks that are there are kept, and nothing is added.
  bool isMarked = networks.front()
                      .walk([](Operation *op) {
                        return op->hasAttr(graph::kStripeRowsAttrName) ||
                                       op->hasAttr(graph::kKeepWholeAttrName)
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (isMarked)
    return {};
  StripeOptions options;
  options.arena = getLimit();
  options.isDivided = !memories.empty();
  options.formsLayers = hasKernels();
  options.placesArguments = io == "inside";
  FailureOr<StripeReport> report =
      chooseStripes(networks.front(), options,
                    [&] { return getWorkspaceAfter([](OpPassManager &) {}); });
  // The module cannot be lowered at all, and the last run tells why.
  return succeeded(report) ? *report : StripeReport();
}

/// C for any processor pads the channels of 8-bit tensors for vectors. Chooses
/// C without them, unless the processor is given, if its workspace is smaller
/// than `bytes`. Returns whether it does, and updates `bytes`.
bool LowerPass::chooseProcessor(int64_t &bytes) {
  if (!hasChoiceOfProcessor())
    return false;
  processor = kSmallProcessor.str();
  // Beside devices with layouts of their own, bytes may take more.
  FailureOr<int64_t> smallBytes = getWorkspace(/*splits=*/false);
  if (failed(smallBytes) || *smallBytes >= bytes) {
    processor.clear();
    return false;
  }
  getOperation().emitRemark()
      << "8-bit tensors stay bytes, without vectors, as for the processor '"
      << kSmallProcessor << "': with them, " << describeNeed(bytes);
  bytes = *smallBytes;
  return true;
}

/// If the workspace does not fit, splits regions of devices, which costs the
/// devices little, or leaves out vectors for 8-bit tensors, which makes the CPU
/// slow. Does both if neither suffices.
LogicalResult LowerPass::reduceWorkspace() {
  const int64_t limit = getLimit();
  const bool hasRegions =
      splitRegions && accel::hasRegionsOfCommands(getOperation());
  if (limit == 0 || (!hasRegions && !hasChoiceOfProcessor()))
    return success();
  FailureOr<int64_t> bytes = getWorkspace(/*splits=*/false);
  // If the module cannot be lowered at all, the last run tells why.
  if (failed(bytes) || *bytes <= limit)
    return success();
  FailureOr<int64_t> splitBytes = failure();
  if (hasRegions)
    splitBytes = getWorkspace(/*splits=*/true);
  if (failed(splitBytes) || *splitBytes > limit) {
    bool isChosen = chooseProcessor(*bytes);
    if (*bytes <= limit)
      return success();
    if (isChosen && succeeded(splitBytes))
      splitBytes = getWorkspace(/*splits=*/true);
  }
  if (failed(splitBytes) || *splitBytes >= *bytes)
    return success();
  OpPassManager manager(ModuleOp::getOperationName(),
                        OpPassManager::Nesting::Implicit);
  addRegionSplit(manager);
  if (failed(runPipeline(manager, getOperation())))
    return failure();
  getOperation().emitRemark()
      << "each layer of a device is a region of its own, so that layers share "
         "memory: in larger regions, "
      << describeNeed(*bytes);
  if (*splitBytes > limit)
    chooseProcessor(*splitBytes);
  return success();
}

void LowerPass::runOnOperation() {
  processor = cpu;
  if (failed(reduceWorkspace()))
    return signalPassFailure();
  // Implicit nesting: pipelines may name function passes without nesting.
  OpPassManager legalization(ModuleOp::getOperationName(),
                             OpPassManager::Nesting::Implicit);
  OpPassManager others = legalization;
  addLegalization(legalization);
  if (failed(runPipeline(legalization, getOperation())))
    return signalPassFailure();
  const bool hasRegion =
      !splitRegions && accel::hasRegionsOfCommands(getOperation());
  StripeReport report;
  if (getLimit() > 0 && stripeRows == 0)
    report = fitIntoArena();
  if (failed(addPasses(others, Run::Last, report.fits)))
    return signalPassFailure();
  ScopedDiagnosticHandler addTried(&getContext(), [&](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    if (isError && !report.fits && !report.tried.empty())
      diagnostic.attachNote(diagnostic.getLocation())
          << "partial execution, by stripes of rows: " << report.tried;
    if (isError && getLimit() > 0 && hasRegion)
      diagnostic.attachNote(diagnostic.getLocation())
          << "a region of a device keeps the results of all its layers until "
             "it "
             "ends; with merge-regions=false, layers share the memory";
    return failure(); // for the next handler
  });
  if (failed(runPipeline(others, getOperation())))
    signalPassFailure();
}

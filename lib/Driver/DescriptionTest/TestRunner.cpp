//===- TestRunner.cpp - Running sampled layers on a device ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layers are compiled like any model: written to a file, partitioned, lowered,
// and built with the package's own Makefile. If anything but a comparison
// fails, the layers are split, or run again without the failing one, until the
// failing layers are known.
//
//===----------------------------------------------------------------------===//

#include "../Compare/DeviceComparison.h"
#include "../Explain/Explanation.h"
#include "../Package/Build.h"
#include "../Package/Tensors.h"
#include "TestLayers.h"

#include "uma/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace uma;

/// Number of device failures after which the remaining layers of a pattern are
/// not run: each failure costs another package.
static constexpr unsigned kMaxDeviceFailures = 2;

namespace {
/// Keeps the first error; drops warnings, which have been printed before.
struct QuietMessages {
  std::string error;
  MessageHandler get() {
    return [this](const Message &message) {
      if (message.severity == Severity::Error && error.empty())
        error = message.text;
    };
  }
};
} // namespace

/// Writes the network as text, with the names of its layers.
static ExitCode writeNetwork(const ModelContext &context, ModuleOp module,
                             StringRef path) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo());
  os << '\n';
  if (llvm::Error error = writeFileAtomically(path, text))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return ExitCode::Success;
}

ModelOptions TestRunner::getModelOptions(StringRef model) const {
  ModelOptions result;
  result.model = model.str();
  result.accelerators = options.description;
  result.acceleratorDirs = options.acceleratorDirs;
  result.backends = options.backends;
  // The test does not cover layers on the CPU.
  result.kernels = Kernels::Loops;
  return result;
}

//===----------------------------------------------------------------------===//
// Matches of layers
//===----------------------------------------------------------------------===//

ExitCode TestRunner::explain(ArrayRef<TestLayer *> layers) {
  ScratchFolder scratch;
  if (ExitCode code = scratch.create(context, "uma-test");
      code != ExitCode::Success)
    return code;
  TestNetwork network =
      buildTestNetwork(layerContext, spaces, layers, options.seed);
  std::string path = scratch.getPath("layers.mlir");
  if (ExitCode code = writeNetwork(context, *network.module, path);
      code != ExitCode::Success)
    return code;
  QuietMessages messages;
  ModelContext quiet(path, messages.get());
  OwningOpRef<ModuleOp> module;
  Explanation explanation;
  if (ExitCode code =
          explainModel(getModelOptions(path), quiet, module, explanation);
      code != ExitCode::Success)
    return context.fail(code, "the sampled layers cannot be partitioned: " +
                                  messages.error);
  llvm::StringMap<std::vector<const accel::LayerReport *>> reports;
  for (const accel::LayerReport &report : explanation.layers)
    reports[report.layer].push_back(&report);
  for (TestLayer *layer : layers) {
    const std::string &own = tested.patterns[layer->pattern].name;
    std::string other, reason;
    bool isOwn = false;
    for (const accel::LayerReport *report : reports[layer->name]) {
      if (report->target == tested.accelerator && report->pattern == own)
        isOwn = true;
      else if (report->target == tested.accelerator && other.empty())
        other = report->pattern;
      else if (!report->reasons.empty() && reason.empty())
        reason = report->reasons.front().getText();
    }
    if (!isOwn)
      layer->takenBy = other;
    if (!isOwn && other.empty())
      layer->message = "not taken after the passes before partitioning" +
                       (reason.empty() ? std::string() : ": " + reason);
  }
  return ExitCode::Success;
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

/// Returns the first error line of a compiler's output.
static std::string getCompilerError(StringRef log) {
  SmallVector<StringRef> lines;
  log.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    for (StringRef word : {"error: ", "undefined reference", "cannot find -l"})
      if (line.contains(word))
        return line.trim().str();
  return lines.empty() ? "no message" : lines.front().trim().str();
}

/// Returns whether the error is in the device's model, not in the calls to it.
static bool isModelError(StringRef error) {
  return error.starts_with("devices/") || error.contains("cannot find -l");
}

ExitCode TestRunner::splitAfter(StringRef problem,
                                ArrayRef<TestLayer *> layers) {
  unsigned first = layers.front()->pattern;
  std::vector<TestLayer *> one, others;
  for (TestLayer *layer : layers)
    (layer->pattern == first ? one : others).push_back(layer);
  if (others.empty()) {
    for (TestLayer *layer : layers) {
      layer->status = TestStatus::DeviceFailed;
      layer->message = problem.str();
    }
    return ExitCode::Success;
  }
  if (ExitCode code = runLayers(one); code != ExitCode::Success)
    return code;
  return runLayers(others);
}

ExitCode TestRunner::buildNetwork(const TestNetwork &network,
                                  ArrayRef<TestLayer *> layers,
                                  StringRef folder,
                                  std::optional<PackageDescription> &built) {
  std::string path = (folder + "/layers.mlir").str();
  if (ExitCode code = writeNetwork(context, *network.module, path);
      code != ExitCode::Success)
    return code;
  std::string package = (folder + "/package").str();
  QuietMessages messages;
  ModelContext quiet(path, messages.get());
  if (compileModel(getModelOptions(path), quiet, package,
                   /*showProgress=*/false) != ExitCode::Success)
    return splitAfter("does not compile: " + messages.error, layers);
  llvm::Expected<PackageDescription> description = describePackage(package);
  if (!description)
    return context.fail(ExitCode::BadInput,
                        llvm::toString(description.takeError()));
  if (llvm::Error error = writeCheckProgram(package, *description))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  std::string log;
  if (buildPackage(quiet, package, "layers", folder, options.compiler,
                   {"CFLAGS=-O1"}, [&](StringRef text) { log = text.str(); }) ==
      ExitCode::Success) {
    built = std::move(*description);
    return ExitCode::Success;
  }
  std::string error = log.empty() ? messages.error : getCompilerError(log);
  if (!log.empty() && !isModelError(error))
    return splitAfter("the C does not build: " + error, layers);
  tested.notRun = "the model of the device does not build here: " + error;
  return ExitCode::ExecutionFailed;
}

/// Returns the layer with this name; null if there is none.
static TestLayer *findLayer(ArrayRef<TestLayer *> layers, StringRef name) {
  const auto *found = llvm::find_if(
      layers, [&](TestLayer *layer) { return layer->name == name; });
  return found == layers.end() ? nullptr : *found;
}

void TestRunner::giveUp(unsigned pattern, std::vector<TestLayer *> &layers) {
  unsigned failures = llvm::count_if(
      tested.patterns[pattern].layers, [](const TestLayer &layer) {
        return layer.status == TestStatus::DeviceFailed;
      });
  if (failures < kMaxDeviceFailures)
    return;
  llvm::erase_if(layers, [&](TestLayer *layer) {
    if (layer->pattern != pattern)
      return false;
    layer->message = "the device failed on other layers of the pattern";
    return true;
  });
}

ExitCode TestRunner::runPackage(std::vector<TestLayer *> &layers,
                                StringRef folder) {
  TestNetwork network =
      buildTestNetwork(layerContext, spaces, layers, options.seed);
  std::optional<PackageDescription> description;
  ExitCode code = buildNetwork(network, layers, folder, description);
  if (!description) {
    // splitAfter has run the parts, if any.
    layers.clear();
    return code;
  }
  CheckedProgram program(*description);
  std::string log = (folder + "/run.log").str();
  if (auto problem = program.start((folder + "/build/layers").str(), log))
    return context.fail(ExitCode::ExecutionFailed, *problem);
  DeviceComparison guards(*description, /*tolerance=*/std::nullopt,
                          /*replaces=*/false);
  RunObserver observer;
  observer.onGuard = [&](const GuardReport &report) { guards.note(report); };
  std::vector<RunResult> results;
  do {
    SmallVector<HostTensor> inputs;
    for (auto [layer, built] : llvm::zip_equal(layers, network.layers))
      llvm::append_range(inputs, makeInputs(built, *layer, results.size()));
    results.push_back(program.run(inputs, observer, options.timeout));
  } while (results.back().problem.empty() && results.size() < kNumRuns);

  for (const DeviceFinding &finding : guards.getFindings())
    if (TestLayer *layer = findLayer(layers, finding.layer);
        layer && layer->status == TestStatus::NotRun) {
      layer->status = TestStatus::Differs;
      layer->message = finding.text;
    }
  const RunResult &last = results.back();
  if (last.problem.empty()) {
    for (auto [index, layer] : llvm::enumerate(layers))
      if (layer->status == TestStatus::NotRun)
        compareLayer(network, index, *layer, results);
    layers.clear();
    return ExitCode::Success;
  }

  // Run the others again without the failing one.
  TestLayer *failing = findLayer(layers, last.layer);
  if (failing) {
    failing->status = TestStatus::DeviceFailed;
    failing->message = "the device " + last.action;
  }
  size_t before = layers.size();
  llvm::erase_if(layers, [](TestLayer *layer) {
    return layer->status != TestStatus::NotRun;
  });
  if (failing)
    giveUp(failing->pattern, layers);
  if (layers.size() < before)
    return ExitCode::Success;
  // A device that writes far outside of its buffers can crash the program
  // anywhere.
  code = splitAfter("the program " + last.action + " outside of the device",
                    layers);
  layers.clear();
  return code;
}

ExitCode TestRunner::runLayers(std::vector<TestLayer *> layers) {
  while (!layers.empty()) {
    ScratchFolder scratch;
    if (ExitCode code = scratch.create(context, "uma-test");
        code != ExitCode::Success)
      return code;
    if (ExitCode code = runPackage(layers, scratch.getPath());
        code != ExitCode::Success)
      return code;
  }
  return ExitCode::Success;
}

/// Writes the failing layers, or all if none failed, for the user to run.
ExitCode TestRunner::keepFailing() {
  std::vector<TestLayer *> failing, all;
  for (TestedPattern &pattern : tested.patterns)
    for (TestLayer &layer : pattern.layers) {
      all.push_back(&layer);
      if (layer.hasFailed())
        failing.push_back(&layer);
    }
  if (std::error_code error = llvm::sys::fs::create_directories(options.keep))
    return context.fail(ExitCode::BadInput,
                        options.keep + ": " + error.message());
  TestNetwork network = buildTestNetwork(
      layerContext, spaces, failing.empty() ? all : failing, options.seed);
  std::string path = options.keep + "/layers.mlir";
  if (ExitCode code = writeNetwork(context, *network.module, path);
      code != ExitCode::Success)
    return code;
  QuietMessages messages;
  ModelContext quiet(path, messages.get());
  ExitCode code =
      compileModel(getModelOptions(path), quiet, options.keep + "/package",
                   /*showProgress=*/false);
  return code == ExitCode::Success
             ? code
             : context.fail(code, options.keep + "/package: " + messages.error);
}

ExitCode TestRunner::run() {
  std::vector<TestLayer *> layers;
  for (TestedPattern &pattern : tested.patterns)
    for (TestLayer &layer : pattern.layers)
      layers.push_back(&layer);
  if (layers.empty())
    return ExitCode::Success;
  // Holds the folders of all packages.
  ScratchFolder scratch;
  if (ExitCode code = scratch.createSupervised(context, "uma-test");
      code != ExitCode::Success)
    return code;
  if (ExitCode code = explain(layers); code != ExitCode::Success)
    return code;
  llvm::erase_if(layers,
                 [](TestLayer *layer) { return !layer->message.empty(); });
  if (ExitCode code = runLayers(layers); code != ExitCode::Success)
    return code;
  return options.keep.empty() ? ExitCode::Success : keepFailing();
}

//===- TestRunner.cpp - Running sampled layers on a device ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layers go the way of every model: to a file, through partitioning and
// lowering, into a package that its own Makefile builds. When something fails
// that is not a number, the layers are split, or run again without the one that
// failed, until it is known which ones do.
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "Explanation.h"
#include "Tensors.h"
#include "TestLayers.h"
#include "TestProgram.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace mlir;
using namespace uma;

/// How often a network runs, each time with other inputs: the second run finds
/// what a device keeps from the first.
static constexpr unsigned kNumRuns = 2;

/// After so many failures of its device, the other layers of a pattern are not
/// run: each costs another package.
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
  // What is left to the CPU is not tested here.
  result.kernels = Kernels::Loops;
  return result;
}

//===----------------------------------------------------------------------===//
// Which pattern takes a layer
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
// Numbers
//===----------------------------------------------------------------------===//

/// The data of an argument in one run, the same whatever stands beside its
/// layer.
static HostTensor makeInput(RankedTensorType type, StringRef layer,
                            unsigned number, uint64_t seed, unsigned run) {
  return makeRandomTensor(type, seed * kNumRuns + run,
                          unsigned(llvm::xxh3_64bits(layer)) + number);
}

/// Evaluates a layer; fails if the interpreter does.
static FailureOr<SmallVector<HostTensor>>
evaluateLayer(const accel::SampleLayer &built, ArrayRef<HostTensor> inputs) {
  ScopedDiagnosticHandler silent(built.root.getContext(),
                                 [](Diagnostic &) { return success(); });
  llvm::DenseMap<Value, HostTensor> tensors;
  for (auto [argument, tensor] : llvm::zip_equal(built.arguments, inputs))
    tensors[argument.first] = tensor;
  for (Operation *op : built.ops) {
    SmallVector<HostTensor> operands;
    for (Value operand : op->getOperands()) {
      if (auto constant = operand.getDefiningOp<graph::ConstantOp>()) {
        auto tensor = HostTensor::fromAttribute(constant.getValue());
        if (failed(tensor))
          return failure();
        operands.push_back(*tensor);
        continue;
      }
      operands.push_back(tensors.lookup(operand));
    }
    auto results = graph::evaluate(op, operands);
    if (failed(results))
      return failure();
    for (auto [value, tensor] : llvm::zip_equal(op->getResults(), *results))
      tensors[value] = tensor;
  }
  SmallVector<HostTensor> results;
  for (Value result : built.results)
    results.push_back(tensors.lookup(result));
  return results;
}

/// `[0, 2, 1]`, the indices of an element.
static std::string getIndexText(RankedTensorType type, int64_t element) {
  SmallVector<int64_t> indices(type.getRank());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    indices[dim] = element % type.getDimSize(dim);
    element /= type.getDimSize(dim);
  }
  return "[" +
         llvm::join(
             llvm::map_range(
                 indices, [](int64_t index) { return std::to_string(index); }),
             ", ") +
         "]";
}

static std::string getNumberText(double number) {
  if (std::isnan(number))
    return "nan";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", number);
  return text;
}

void TestRunner::compareLayer(TestNetwork &network, unsigned index,
                              TestLayer &layer, StringRef outputs) {
  auto function = *network.module->getOps<func::FuncOp>().begin();
  const accel::SampleLayer &built = network.layers[index];
  accel::PatternOp pattern = spaces[layer.pattern].pattern;
  SmallVector<Value> patternOutputs = pattern.getOutputs();
  size_t runBytes = 0;
  SmallVector<size_t> offsets;
  for (Type type : function.getResultTypes()) {
    offsets.push_back(runBytes);
    runBytes += HostTensor::getByteSize(cast<RankedTensorType>(type));
  }
  for (unsigned run = 0; run < kNumRuns; ++run) {
    SmallVector<HostTensor> inputs;
    for (auto [number, argument] : llvm::enumerate(built.arguments))
      inputs.push_back(
          makeInput(cast<RankedTensorType>(argument.first.getType()),
                    layer.name, number, options.seed, run));
    auto expected = evaluateLayer(built, inputs);
    if (failed(expected)) {
      layer.message = "the reference interpreter cannot evaluate it on random "
                      "data";
      return;
    }
    for (auto [number, tensor] : llvm::enumerate(*expected)) {
      RankedTensorType type = tensor.getType();
      size_t offset = run * runBytes + offsets[network.results[index][number]];
      StringRef bytes = outputs.substr(offset, HostTensor::getByteSize(type));
      if (bytes.size() != size_t(HostTensor::getByteSize(type)))
        return;
      HostTensor actual(type, ArrayRef(bytes.data(), bytes.size()));
      Comparison comparison = compareToLargest(
          actual, tensor, getDefaultTolerance(type.getElementType()));
      if (comparison.isEqual)
        continue;
      std::string name = number < patternOutputs.size()
                             ? accel::getTensorName(patternOutputs[number])
                             : "result " + std::to_string(number);
      llvm::raw_string_ostream os(layer.message);
      os << name << getIndexText(type, comparison.worst) << " is "
         << getNumberText(comparison.actual) << ", expected "
         << getNumberText(comparison.expected);
      if (run > 0)
        os << ", in the second run; the first is right";
      layer.status = TestStatus::Differs;
      return;
    }
  }
  layer.status = TestStatus::Equal;
}

ExitCode TestRunner::compare(TestNetwork &network, ArrayRef<TestLayer *> layers,
                             StringRef outputs) {
  for (auto [index, layer] : llvm::enumerate(layers))
    if (layer->status == TestStatus::NotRun)
      compareLayer(network, index, *layer, outputs);
  return ExitCode::Success;
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

/// The first line of a compiler's output that says what is wrong.
static std::string getCompilerError(StringRef log) {
  SmallVector<StringRef> lines;
  log.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    for (StringRef word : {"error: ", "undefined reference", "cannot find -l"})
      if (line.contains(word))
        return line.trim().str();
  return lines.empty() ? "no message" : lines.front().trim().str();
}

/// Whether the device's model, rather than the calls of it, does not build.
static bool isModelError(StringRef error) {
  return error.starts_with("devices/") || error.contains("cannot find -l");
}

/// Splits layers that fail together by their patterns, or one pattern's in
/// halves; a layer that fails by itself is what is wrong.
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

ExitCode TestRunner::runPackage(std::vector<TestLayer *> &layers,
                                StringRef folder, bool &again) {
  again = false;
  TestNetwork network =
      buildTestNetwork(layerContext, spaces, layers, options.seed);
  auto function = *network.module->getOps<func::FuncOp>().begin();
  std::string path = (folder + "/layers.mlir").str();
  if (ExitCode code = writeNetwork(context, *network.module, path);
      code != ExitCode::Success)
    return code;
  std::string package = (folder + "/package").str();
  QuietMessages messages;
  std::string log;
  {
    ModelContext quiet(path, messages.get());
    if (compileModel(getModelOptions(path), quiet, package,
                     /*showProgress=*/false) != ExitCode::Success)
      return splitAfter("does not compile: " + messages.error, layers);
    if (llvm::Error error = writeTestProgram(
            package, "layers", function.getNumArguments(),
            function.getNumResults(), kNumRuns, options.timeout))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    if (buildPackage(quiet, package, "layers", folder, options.compiler,
                     {"CFLAGS=-O1 -DUMA_PROFILE"}, [&](StringRef text) {
                       log = text.str();
                     }) != ExitCode::Success) {
      std::string error = log.empty() ? messages.error : getCompilerError(log);
      if (log.empty() || isModelError(error)) {
        tested.notRun = "the model of the device does not build here: " + error;
        return ExitCode::ExecutionFailed;
      }
      return splitAfter("the C does not build: " + error, layers);
    }
  }

  std::string inputs;
  for (unsigned run = 0; run < kNumRuns; ++run)
    for (auto [layer, built] : llvm::zip_equal(layers, network.layers))
      for (auto [number, argument] : llvm::enumerate(built.arguments)) {
        HostTensor tensor =
            makeInput(cast<RankedTensorType>(argument.first.getType()),
                      layer->name, number, options.seed, run);
        inputs.append(tensor.getBytes().begin(), tensor.getBytes().end());
      }
  std::string inputFile = (folder + "/inputs").str();
  std::string outputFile = (folder + "/outputs").str();
  std::string runLog = (folder + "/run.log").str();
  if (llvm::Error error = writeFileAtomically(inputFile, inputs))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  std::string problem;
  int status = uma::execute((folder + "/build/layers").str(),
                            {inputFile, outputFile}, runLog, &problem);
  TestLog told = parseTestLog(readText(runLog));

  auto find = [&](StringRef name) {
    auto it = llvm::find_if(
        layers, [&](TestLayer *layer) { return layer->name == name; });
    return it == layers.end() ? nullptr : *it;
  };
  for (const TestLog::Damage &damage : told.damages)
    if (TestLayer *layer = find(damage.layer);
        layer && layer->status == TestStatus::NotRun) {
      layer->status = TestStatus::Differs;
      layer->message = damage.what;
    }
  if (status == 0 && told.isComplete)
    return compare(network, layers, readText(outputFile));

  TestLayer *failing = find(told.lastLayer);
  if (!failing)
    return context.fail(ExitCode::ExecutionFailed,
                        "the program of the layers failed: " +
                            (problem.empty() ? readText(runLog) : problem));
  failing->status = TestStatus::DeviceFailed;
  if (told.status != 0)
    failing->message =
        "the device returns status " + std::to_string(told.status);
  else if (problem.empty())
    failing->message =
        "the device ends the program with status " + std::to_string(status);
  else
    failing->message = StringRef(problem).contains("larm")
                           ? "the device takes longer than " +
                                 std::to_string(options.timeout) + " s"
                           : "the device crashes: " + problem;
  // Run the others again without it; give a pattern up that fails repeatedly.
  unsigned pattern = failing->pattern;
  bool givesUp =
      llvm::count_if(tested.patterns[pattern].layers,
                     [](const TestLayer &layer) {
                       return layer.status == TestStatus::DeviceFailed;
                     }) >= kMaxDeviceFailures;
  llvm::erase_if(layers, [&](TestLayer *layer) {
    if (layer->status == TestStatus::DeviceFailed)
      return true;
    if (!givesUp || layer->pattern != pattern ||
        layer->status != TestStatus::NotRun)
      return false;
    layer->message = "the device failed on other layers of the pattern";
    return true;
  });
  again = true;
  return ExitCode::Success;
}

ExitCode TestRunner::runLayers(std::vector<TestLayer *> layers) {
  bool again = true;
  while (again && !layers.empty()) {
    ScratchFolder scratch;
    if (ExitCode code = scratch.create(context, "uma-test");
        code != ExitCode::Success)
      return code;
    if (ExitCode code = runPackage(layers, scratch.getPath(), again);
        code != ExitCode::Success)
      return code;
  }
  return ExitCode::Success;
}

/// Writes the layers that failed, or all if none did, for the user to run.
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

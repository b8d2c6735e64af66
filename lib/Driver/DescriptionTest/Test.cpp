//===- Test.cpp - uma test ------------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Tests a description with layers generated from it instead of a network. They
// cover all shapes, attributes and combinations of operators that it allows.
//
//===----------------------------------------------------------------------===//

#include "uma/Driver/Test.h"

#include "TestLayers.h"

#include "uma/Accel/IR/Backend.h"
#include "uma/Accel/Language/Language.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/Progress.h"
#include "uma/Target/C/DeviceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// Returns `FILE:LINE:COL` of an operation of a description.
static std::string getPosition(Operation *op) {
  std::string position;
  op->getLoc()->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    llvm::raw_string_ostream(position)
        << file.getFilename().getValue() << ':' << file.getLine() << ':'
        << file.getColumn();
    return WalkResult::interrupt();
  });
  return position;
}

/// Emits an error and fails if there is no device to test, or no pattern with a
/// given name.
static ExitCode checkOptions(const TestOptions &options, ModelContext &context,
                             accel::AcceleratorOp accelerator) {
  StringRef name = accelerator.getSymName();
  bool hasPatterns = !accelerator.getOps<accel::PatternOp>().empty();
  bool hasInstructions = !accelerator.getOps<accel::InstructionOp>().empty();
  if (accelerator.getOps<accel::ModelOp>().empty() &&
      (hasPatterns || !hasInstructions))
    return context.fail(
        ExitCode::BadInput,
        "'" + name +
            "' has no model of the device to run layers on; write one in C, "
            "with the functions of its header, and add model \"FILE.c\" to "
            "the description");
  SmallVector<StringRef> names;
  for (auto pattern : accelerator.getOps<accel::PatternOp>())
    names.push_back(pattern.getSymName());
  for (StringRef wanted : options.patterns)
    if (!llvm::is_contained(names, wanted))
      return context.fail(ExitCode::BadInput,
                          "--pattern=" + wanted + ": '" + name +
                              "' has no such pattern, it has '" +
                              llvm::join(names, "', '") + "'" +
                              didYouMean(wanted, names));
  return ExitCode::Success;
}

/// Samples a pattern.
static TestedPattern samplePattern(const TestOptions &options,
                                   const accel::SampleSpace &space,
                                   unsigned index) {
  accel::PatternOp pattern = space.pattern;
  TestedPattern tested;
  tested.name = pattern.getSymName().str();
  tested.where = getPosition(pattern);
  accel::PatternSamples samples =
      accel::samplePattern(space, options.cases, options.seed);
  for (accel::TakenSample &taken : samples.taken) {
    TestLayer &layer = tested.layers.emplace_back();
    layer.pattern = index;
    layer.sample = std::move(taken.sample);
    layer.text = std::move(taken.text);
    layer.name = tested.name + "_" + std::to_string(tested.layers.size());
  }
  tested.refused = std::move(samples.refused);
  tested.untested = std::move(samples.untested);
  tested.suspicious = std::move(samples.suspicious);
  bool hasBackend =
      accel::BackendRegistry::get(pattern.getContext()).lookup(pattern);
  if (hasBackend)
    tested.untested.emplace_back("what the predicates decide");
  if (!tested.layers.empty())
    return tested;
  std::string nothing = "takes none of the layers that were tried";
  if (!samples.closest.empty())
    nothing += "; the closest is refused: " + samples.closest;
  else
    nothing += "; its operators accept no operands like these";
  (hasBackend ? tested.untested.emplace_back() : tested.problem) = nothing;
  return tested;
}

/// Reports patterns that are never reached and layers that were not run.
static void judge(TestedPattern &pattern) {
  if (pattern.layers.empty())
    return;
  if (llvm::all_of(pattern.layers, [](const TestLayer &layer) {
        return !layer.takenBy.empty();
      }))
    pattern.problem = "is never reached: pattern '" +
                      pattern.layers.front().takenBy +
                      "' stands before it and takes all its layers";
  unsigned notRun = 0;
  std::string reason;
  for (const TestLayer &layer : pattern.layers)
    if (layer.status == TestStatus::NotRun && !layer.message.empty()) {
      ++notRun;
      reason = layer.message;
    }
  if (notRun > 0)
    pattern.untested.push_back(std::to_string(notRun) +
                               " of its layers: " + reason);
}

static ExitCode getExitCode(const TestedDescription &tested) {
  ExitCode code = ExitCode::Success;
  for (const TestedInstruction &instruction : tested.instructions) {
    if (!instruction.problem.empty() && !instruction.isCompilerFailure)
      return ExitCode::NumbersDiffer;
    if (!instruction.problem.empty())
      code = ExitCode::ExecutionFailed;
  }
  for (const TestedPattern &pattern : tested.patterns) {
    if (!pattern.problem.empty())
      return ExitCode::NumbersDiffer;
    for (const TestLayer &layer : pattern.layers) {
      if (layer.status == TestStatus::Differs)
        return ExitCode::NumbersDiffer;
      if (layer.status == TestStatus::DeviceFailed)
        code = ExitCode::ExecutionFailed;
    }
  }
  return code;
}

/// Tests a description. Leaves `tested` without an accelerator's name if
/// nothing was tested.
static ExitCode testInto(const TestOptions &options, ModelContext &context,
                         TestedDescription &tested) {
  if (options.cases == 0)
    return context.fail(ExitCode::BadInput, "--cases=0: expected at least 1");
  if (options.timeout == 0)
    return context.fail(ExitCode::BadInput, "--timeout=0: expected at least 1");
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(context.get()));
  auto &registry = accel::BackendRegistry::get(context.get());
  for (const accel::BackendFactory &makeBackend : options.backends)
    registry.add(makeBackend());
  accel::LoadOptions load;
  load.searchPath.assign(options.acceleratorDirs.begin(),
                         options.acceleratorDirs.end());
  if (failed(accel::loadAccelerators(*module, options.description, load)))
    return ExitCode::BadInput;
  auto accelerators = module->getOps<accel::AcceleratorOp>();
  if (accelerators.empty() || !llvm::hasSingleElement(accelerators))
    return context.fail(ExitCode::BadInput,
                        "expected one description; test others by themselves");
  accel::AcceleratorOp accelerator = *accelerators.begin();
  if (ExitCode code = checkOptions(options, context, accelerator);
      code != ExitCode::Success)
    return code;
  // Otherwise, each layer would have the same errors.
  if (failed(findDeviceFiles(accelerator)))
    return ExitCode::BadInput;

  tested.accelerator = accelerator.getSymName().str();
  std::vector<accel::SampleSpace> spaces;
  for (auto pattern : accelerator.getOps<accel::PatternOp>())
    if (options.patterns.empty() ||
        llvm::is_contained(options.patterns, pattern.getSymName()))
      spaces.emplace_back(pattern);
  Progress progress(spaces.size() + 1);
  for (auto [index, space] : llvm::enumerate(spaces)) {
    progress.begin(("sampling '" + space.pattern.getSymName() + "'").str());
    tested.patterns.push_back(samplePattern(options, space, index));
  }
  progress.begin("running the layers");
  ExitCode code = ExitCode::Success;
  if (options.patterns.empty())
    for (auto instruction : accelerator.getOps<accel::InstructionOp>()) {
      TestedInstruction &entry = tested.instructions.emplace_back();
      entry.name = instruction.getName().str();
      entry.where = getPosition(instruction);
      entry.amount =
          instruction.hasTile()
              ? std::to_string(TestedInstruction::kNumTiles) + " tiles"
              : std::to_string(TestedInstruction::kNumWords) + " words";
      code = testInstruction(options, context, instruction, entry);
      if (code != ExitCode::Success)
        return code;
    }
  if (!spaces.empty())
    code = TestRunner(options, context, context.get(), spaces, tested).run();
  progress.clear();
  if (code != ExitCode::Success && tested.notRun.empty()) {
    tested.accelerator.clear();
    return code;
  }
  for (TestedPattern &pattern : tested.patterns)
    judge(pattern);
  if (!options.junit.empty())
    if (llvm::Error error = writeFileAtomically(
            options.junit, getJUnitText(tested, options.seed)))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return code;
}

ExitCode uma::runTest(const TestOptions &options) {
  ModelContext context(options.description.front());
  TestedDescription tested;
  ExitCode code = testInto(options, context, tested);
  if (tested.accelerator.empty())
    return code;
  printTested(tested, options.verbose);
  if (code != ExitCode::Success)
    return context.fail(code, tested.notRun);
  return getExitCode(tested);
}

ExitCode uma::testDescription(const TestOptions &options,
                              const MessageHandler &handler,
                              std::string &junit) {
  ModelContext context(options.description.front(), handler);
  TestedDescription tested;
  ExitCode code = testInto(options, context, tested);
  if (tested.accelerator.empty())
    return code;
  junit = getJUnitText(tested, options.seed);
  if (code != ExitCode::Success)
    return context.fail(code, tested.notRun);
  return getExitCode(tested);
}

//===- Compare.cpp - uma run --compare ------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Compares the network's outputs with the reference interpreter's. Also
// compares each device call with its own match, since outputs reveal little
// about intermediate results.
//
//===----------------------------------------------------------------------===//

#include "../Compare/Reference.h"
#include "PackageRunner.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Import/ONNX/TensorFile.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/Progress.h"
#include "uma/Target/C/Package.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

/// Maximum number of MACs that the interpreter computes quickly.
static constexpr int64_t kMACsOfAMoment = 4'000'000;
static constexpr unsigned kMostSeeds = 8;

ExitCode PackageRunner::buildChecked() {
  // The package stays unchanged.
  std::string folder = scratch.getPath("checked");
  if (failed(
          copyPackage(UnknownLoc::get(context.get()), package.str(), folder)))
    return ExitCode::BadInput;
  if (llvm::Error error = writeCheckProgram(folder, description))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return buildPackage(context, folder, network, scratch.getPath(),
                      options.compiler, getVariables(),
                      [](StringRef log) { llvm::errs() << log; });
}

unsigned PackageRunner::getNumSeeds() const {
  if (options.numSeeds)
    return *options.numSeeds;
  // With all inputs given, further runs could only reveal state kept by a
  // device.
  if (!options.testData.empty() || options.inputs.size() == inputTypes.size())
    return 1;
  int64_t macs = 1;
  for (const TargetDescription &target : description.targets)
    macs += target.macs;
  for (const NamedType &input : inputTypes)
    macs += input.type.getNumElements();
  return std::clamp<int64_t>(kMACsOfAMoment / macs, 1, kMostSeeds);
}

/// Prints the comparison of an output.
static void report(StringRef what, const NamedType &output,
                   const Comparison &comparison, const Twine &where = "") {
  llvm::outs() << toPrintable(output.name) << ": "
               << (comparison.isEqual ? "equal" : "DIFFERENT") << " to " << what
               << ", max error " << llvm::format("%.3g", comparison.maxError)
               << " (" << llvm::format("%.3g", comparison.relative)
               << " of the largest element)";
  if (!comparison.isEqual)
    llvm::outs() << ", at element " << comparison.worst << ": "
                 << llvm::format("%.9g", comparison.actual) << ", expected "
                 << llvm::format("%.9g", comparison.expected);
  if (!comparison.note.empty())
    llvm::outs() << "; " << comparison.note;
  llvm::outs() << where << '\n';
}

ExitCode PackageRunner::compareWithReference() {
  auto found =
      compareWithInterpreter(entry, inputs, outputs, options.tolerance);
  if (failed(found))
    return ExitCode::NotSupported;
  ExitCode code = ExitCode::Success;
  comparisons.resize(outputTypes.size());
  for (auto [worst, comparison] : llvm::zip_equal(comparisons, *found)) {
    if (!comparison.isEqual)
      code = ExitCode::NumbersDiffer;
    if (!comparison.isEqual || comparison.relative >= worst.relative)
      worst = comparison;
  }
  return code;
}

ExitCode PackageRunner::runSeed(CheckedProgram &program,
                                DeviceComparison &devices, uint64_t seed) {
  if (ExitCode code = gatherInputs(seed); code != ExitCode::Success)
    return code;
  devices.beginRun();
  RunObserver observer;
  observer.onGuard = [&](const GuardReport &report) { devices.note(report); };
  observer.onCall = [&](const DeviceCall &call,
                        MutableArrayRef<std::vector<char>> arguments) {
    return devices.check(call, arguments);
  };
  RunResult result = program.run(inputs, observer, options.timeout);
  if (!result.problem.empty()) {
    // Earlier findings are the likely cause.
    reportDevices(devices, ", seed " + std::to_string(seed), /*sumsUp=*/false);
    llvm::errs() << readText(scratch.getPath("run.log"));
    return context.fail(ExitCode::ExecutionFailed,
                        "network '" + network + "' failed: " + result.problem);
  }
  outputs.clear();
  for (auto [output, bytes] : llvm::zip_equal(outputTypes, result.outputs))
    outputs.emplace_back(output.type, ArrayRef<char>(bytes));
  ExitCode code = compareWithReference();
  if (code == ExitCode::Success && !devices.getFindings().empty())
    code = ExitCode::NumbersDiffer;
  return code;
}

/// If the layers of devices are right and the outputs are not, says that
/// devices multiply in fixed point and the network does in float.
static void explainFixedPoint(const PackageDescription &description,
                              ModuleOp graph) {
  bool isFloat = false;
  graph.walk(
      [&](graph::QuantizeOp op) { isFloat |= op.getRounding() != "tflite"; });
  if (!isFloat)
    return;
  llvm::SetVector<StringRef> devices;
  for (const DeviceCall &call : description.deviceCalls)
    for (const DeviceReference &reference : call.references)
      if (reference.isFixedPoint)
        devices.insert(call.accelerator);
  for (StringRef device : devices)
    llvm::outs() << device
                 << " is right: it multiplies in fixed point, so that its "
                    "integers may differ by 1 from those of the network, which "
                    "multiplies in float. With --requantize=fixed-point, and "
                    "rounding=any in its patterns, all are the same\n";
}

ExitCode PackageRunner::runSeeds(llvm::function_ref<ExitCode(uint64_t)> runSeed,
                                 std::string &where) {
  unsigned numSeeds = getNumSeeds(), done = 0;
  ExitCode code = ExitCode::Success;
  SmallVector<HostTensor> firstOutputs;
  while (done < numSeeds && code == ExitCode::Success) {
    code = runSeed(options.seed + done);
    if (++done == 1)
      firstOutputs = outputs;
  }
  outputs = std::move(firstOutputs);
  if (code == ExitCode::NumbersDiffer)
    where = ", seed " + std::to_string(options.seed + done - 1);
  else if (done > 1)
    where = ", " + std::to_string(done) + " seeds";
  return code;
}

void PackageRunner::reportOutputs(StringRef where) {
  for (auto [output, comparison] : llvm::zip_equal(outputTypes, comparisons))
    report("the reference interpreter", output, comparison, where);
}

ExitCode PackageRunner::runChecked() {
  DeviceComparison devices(description, options.tolerance,
                           options.compare == CompareMode::Layers);
  if (ExitCode code = devices.prepare(context); code != ExitCode::Success)
    return code;
  CheckedProgram program(description);
  std::string file = scratch.getPath("build/" + network);
  if (auto problem = program.start(file, scratch.getPath("run.log")))
    return context.fail(ExitCode::ExecutionFailed, *problem);
  std::string where;
  ExitCode code = runSeeds(
      [&](uint64_t seed) { return runSeed(program, devices, seed); }, where);
  if (code != ExitCode::Success && code != ExitCode::NumbersDiffer)
    return code;
  llvm::errs() << readText(scratch.getPath("run.log"));
  reportOutputs(where);
  reportDevices(devices, where, /*sumsUp=*/true);
  if (code == ExitCode::NumbersDiffer && devices.getFindings().empty())
    explainFixedPoint(description, *graph);
  return code;
}

/// Prints one error of a device.
static void report(const DeviceFinding &finding, StringRef where) {
  if (finding.layer.empty()) {
    llvm::outs() << "the C of the network: " << toPrintable(finding.text)
                 << '\n';
    return;
  }
  llvm::outs() << "layer '" << toPrintable(finding.layer) << "' on "
               << finding.accelerator << ", pattern '" << finding.pattern
               << "'";
  if (!finding.position.empty())
    llvm::outs() << " (" << finding.position << ")";
  llvm::outs() << ": " << finding.text << where << '\n';
}

void PackageRunner::reportDevices(const DeviceComparison &devices,
                                  StringRef where, bool sumsUp) {
  ArrayRef<DeviceFinding> findings = devices.getFindings();
  bool listsAll = options.compare == CompareMode::Layers;
  for (const DeviceFinding &finding :
       listsAll ? findings : findings.take_front(1))
    report(finding, where);
  if (!listsAll && findings.size() > 1)
    llvm::outs() << findings.size() - 1
                 << " more on devices; --compare=layers lists them\n";
  if (!sumsUp)
    return;
  if (listsAll)
    for (const DeviceComparison::Layer &layer : devices.getLayers())
      llvm::outs() << "layer '" << toPrintable(layer.name) << "' on "
                   << layer.accelerator << ": "
                   << (layer.different ? "DIFFERENT" : "equal")
                   << ", max error " << llvm::format("%.3g", layer.relative)
                   << " of the largest element, " << layer.calls << " calls\n";
  int64_t allMACs = 0, allLayers = 0;
  for (const TargetDescription &target : description.targets) {
    allMACs += target.macs;
    allLayers += target.layers;
  }
  for (const TargetDescription &target : description.targets) {
    if (target.name == accel::kCPUTarget)
      continue;
    unsigned calls = 0;
    for (const DeviceCall &call : description.deviceCalls)
      // The function of a region has one reference per match.
      calls += call.accelerator == target.name ? call.references.size() : 0;
    llvm::outs() << target.name << ": " << calls << " calls in each run, "
                 << target.layers << " of " << allLayers << " operators, "
                 << llvm::format("%.1f",
                                 allMACs ? 100.0 * target.macs / allMACs : 0.0)
                 << " % of the MACs\n";
  }
}

ExitCode PackageRunner::compareWithTestData() {
  ExitCode code = ExitCode::Success;
  for (auto [i, output] : llvm::enumerate(outputTypes)) {
    SmallString<128> path(options.testData);
    llvm::sys::path::append(path, "output_" + Twine(i) + ".pb");
    auto expected = readTensor(path, output.type);
    if (!expected)
      return context.fail(ExitCode::BadInput,
                          llvm::toString(expected.takeError()));
    // The tolerances of ONNX's own backend tests. Their bfloat16 data are
    // truncated instead of rounded, which is one unit in the last place.
    double relative = output.type.getElementType().isBF16() ? 0x1p-7 : 1e-3;
    Comparison comparison = compareElementwise(
        outputs[i], *expected, options.tolerance.value_or(relative), 1e-7);
    report("the test data", output, comparison);
    if (!comparison.isEqual)
      code = ExitCode::NumbersDiffer;
  }
  return code;
}

//===- Run.cpp - uma run --------------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builds a package with its own Makefile in a temporary folder, so that the
// package stays unchanged. Exchanges raw files with its example main.
//
//===----------------------------------------------------------------------===//

#include "../Compile/EntryFunction.h"
#include "PackageRunner.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/IR/StateAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Import/ONNX/TensorFile.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/Npy.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/Progress.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

ExitCode PackageRunner::prepare() {
  if (ExitCode code = scratch.createSupervised(context, "uma-run");
      code != ExitCode::Success)
    return code;
  package = options.model.model;
  if (!fs::exists(package))
    return context.fail(ExitCode::BadInput,
                        Twine(package) + ": no such file or folder");
  if (fs::is_directory(package)) {
    if (!options.model.accelerators.empty() || !options.model.shapes.empty() ||
        !options.model.tuning.empty())
      return context.fail(ExitCode::BadInput,
                          "-a, --shape and --tuning are for models; '" +
                              package +
                              "' is a folder, and packages are compiled "
                              "already");
    return ExitCode::Success;
  }
  std::string compiled = scratch.getPath("package");
  ModelOptions model = options.model;
  if (board && model.cpu.empty())
    model.cpu = board->processor;
  ExitCode code = compileModel(model, context, compiled);
  package = compiled;
  return code;
}

ExitCode PackageRunner::openPackage() {
  SmallString<128> path(package);
  llvm::sys::path::append(path, "metadata.json");
  if (!fs::exists(path))
    return context.fail(ExitCode::BadInput,
                        Twine(package) + " is no package of 'uma compile': it "
                                         "has no metadata.json");
  auto described = describePackage(package);
  if (!described)
    return context.fail(ExitCode::BadInput,
                        llvm::toString(described.takeError()));
  description = std::move(*described);
  network = description.name;
  graph = readPackageGraph(package, description, context);
  if (!graph)
    return ExitCode::BadInput;
  if (ExitCode code = findEntryFunction(*graph, package, context, entry);
      code != ExitCode::Success)
    return code;
  auto getName = [](DictionaryAttr attributes, const Twine &otherwise) {
    if (attributes)
      if (auto name = attributes.getAs<StringAttr>(kTensorNameAttrName))
        return name.str();
    return otherwise.str();
  };
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    inputTypes.push_back({getName(entry.getArgAttrDict(i), "input" + Twine(i)),
                          cast<RankedTensorType>(type)});
    inputTypes.back().start = entry.getArgAttr(i, kStartAttrName);
  }
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
    outputTypes.push_back(
        {getName(entry.getResultAttrDict(i), "output" + Twine(i)),
         cast<RankedTensorType>(type)});
  auto fits = [](ArrayRef<NamedType> types,
                 const std::vector<TensorDescription> &tensors) {
    return types.size() == tensors.size() &&
           llvm::all_of(llvm::zip(types, tensors), [](auto pair) {
             auto &[type, tensor] = pair;
             return HostTensor::getByteSize(type.type) == int64_t(tensor.bytes);
           });
  };
  if (!fits(inputTypes, description.inputs) ||
      !fits(outputTypes, description.outputs))
    return context.fail(ExitCode::BadInput,
                        Twine(path) +
                            ": does not fit the graph of the package; compile "
                            "the model again");
  return ExitCode::Success;
}

/// Sets a state to its value before the first run. Leaves other inputs.
static void setStart(Attribute start, HostTensor &state) {
  if (auto integer = dyn_cast_if_present<IntegerAttr>(start)) {
    for (int64_t i = 0, e = state.getNumElements(); i < e; ++i)
      state.setDouble(i, double(integer.getInt()));
  } else if (auto elements = dyn_cast_if_present<ElementsAttr>(start)) {
    FailureOr<HostTensor> value = HostTensor::fromAttribute(elements);
    if (succeeded(value) && value->getType() == state.getType())
      state = *value;
  }
}

ExitCode PackageRunner::gatherInputs(uint64_t seed) {
  inputs.clear();
  SmallVector<std::string> files(inputTypes.size());
  if (!options.testData.empty()) {
    // The files are numbered by the model's inputs; inputs bound as constants
    // are no longer inputs of the package.
    auto isBound = [&](StringRef path) {
      return llvm::any_of(options.model.constants, [&](StringRef text) {
        return fs::equivalent(text.split('=').second, path);
      });
    };
    unsigned number = 0;
    for (std::string &file : files) {
      do {
        SmallString<128> path(options.testData);
        llvm::sys::path::append(path, "input_" + Twine(number++) + ".pb");
        file = path.str().str();
      } while (isBound(file));
    }
  }
  for (StringRef text : options.inputs) {
    auto [name, file] = text.split('=');
    if (file.empty())
      return context.fail(ExitCode::BadInput,
                          "--input=" + text + ": expected name=file");
    auto isNamed = [name = name](const NamedType &input) {
      return input.name == name;
    };
    const auto *input = llvm::find_if(inputTypes, isNamed);
    if (input == inputTypes.end()) {
      SmallVector<StringRef> names;
      for (const NamedType &input : inputTypes)
        names.push_back(input.name);
      return context.fail(ExitCode::BadInput,
                          "--input=" + text + ": the network has no input '" +
                              name + "', it has '" + llvm::join(names, "', '") +
                              "'" + didYouMean(name, names));
    }
    files[input - inputTypes.begin()] = file.str();
  }
  for (auto [i, file] : llvm::enumerate(files)) {
    if (file.empty()) {
      inputs.push_back(makeRandomTensor(inputTypes[i].type, seed, i));
      // Further runs of a comparison show more with other states.
      if (seed == options.seed)
        setStart(inputTypes[i].start, inputs.back());
      continue;
    }
    auto tensor = readTensor(file, inputTypes[i].type);
    if (tensor) {
      inputs.push_back(*tensor);
      continue;
    }
    std::string problem =
        "input '" + inputTypes[i].name + "': " + toString(tensor.takeError());
    // An unused input matters only by its type, and recorded data may have
    // wrong elements, as in ONNX's own tests of CastLike.
    if (options.testData.empty() || !entry.getArgument(i).use_empty())
      return context.fail(ExitCode::BadInput, problem);
    llvm::errs() << "uma: warning: " << toPrintable(problem)
                 << "; the network does not read it and gets zeros\n";
    inputs.emplace_back(inputTypes[i].type);
  }
  return ExitCode::Success;
}

SmallVector<std::string> PackageRunner::getVariables() const {
  SmallVector<std::string> variables;
  if (!options.flags.empty())
    variables.push_back("CFLAGS=" + options.flags);
  return variables;
}

ExitCode PackageRunner::build() {
  return buildPackage(context, package, network, scratch.getPath(),
                      options.compiler, getVariables(),
                      [](StringRef log) { llvm::errs() << log; });
}

ExitCode PackageRunner::execute() {
  SmallVector<std::string> arguments;
  for (auto [i, tensor] : llvm::enumerate(inputs)) {
    std::string file = scratch.getPath("input" + Twine(i) + ".bin");
    ArrayRef<char> bytes = tensor.getBytes();
    if (llvm::Error error =
            writeFileAtomically(file, StringRef(bytes.data(), bytes.size())))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    // By number: names may contain arbitrary bytes.
    arguments.append({"--input", ("#" + Twine(i) + "=" + file).str()});
  }
  for (auto [i, output] : llvm::enumerate(outputTypes))
    arguments.append(
        {"--output",
         ("#" + Twine(i) + "=" + scratch.getPath("output" + Twine(i))).str()});
  std::string log = scratch.getPath("run.log");
  std::string program = scratch.getPath("build/" + network);
  std::string problem;
  int status = uma::execute(program, arguments, log, &problem);
  if (status != 0) {
    // The last lines of the program's output name the layer and the failure.
    std::string reason = StringRef(readText(log)).trim().str();
    for (size_t at = 0; (at = reason.find('\n', at)) != std::string::npos;)
      reason.replace(at, 1, "; ");
    if (reason.empty())
      reason = problem.empty() ? "it ended with status " + Twine(status).str()
                               : problem;
    return context.fail(ExitCode::ExecutionFailed,
                        "network '" + network + "' failed: " + reason);
  }
  llvm::errs() << readText(log);
  for (auto [i, output] : llvm::enumerate(outputTypes)) {
    auto tensor = readTensor(scratch.getPath("output" + Twine(i)), output.type);
    if (!tensor)
      return context.fail(ExitCode::ExecutionFailed,
                          llvm::toString(tensor.takeError()));
    outputs.push_back(*tensor);
  }
  return ExitCode::Success;
}

ExitCode PackageRunner::writeOutputs() {
  if (std::error_code error = fs::create_directories(options.outputDir))
    return context.fail(ExitCode::BadInput,
                        options.outputDir + ": " + error.message());
  std::vector<std::string> names;
  for (const NamedType &output : outputTypes)
    names.push_back(output.name);
  std::vector<std::string> files = toFileNames(names, ".npy");
  for (auto [output, tensor, file] :
       llvm::zip_equal(outputTypes, outputs, files)) {
    SmallString<128> path(options.outputDir);
    llvm::sys::path::append(path, file);
    auto bytes = toNpy(tensor);
    llvm::Error error =
        bytes ? writeFileAtomically(path, *bytes) : bytes.takeError();
    if (error)
      return context.fail(ExitCode::BadInput,
                          "output '" + output.name +
                              "': " + llvm::toString(std::move(error)));
  }
  return ExitCode::Success;
}

void PackageRunner::warnOfIdleDevices() {
  for (const TargetDescription &target : description.targets)
    if (target.layers == 0 && target.name != accel::kCPUTarget)
      llvm::errs() << "uma: warning: no layer of '" << network
                   << "' runs on accelerator '" << target.name
                   << "': 0 % of the MACs; 'uma explain MODEL -a "
                   << target.name << "' says why\n";
}

ExitCode PackageRunner::run() {
  if (ExitCode code = prepareBoard(); code != ExitCode::Success)
    return code;
  if (ExitCode code = prepare(); code != ExitCode::Success)
    return code;
  Progress progress(3);
  progress.begin("reading the package");
  if (ExitCode code = openPackage(); code != ExitCode::Success)
    return code;
  if (ExitCode code = gatherInputs(options.seed); code != ExitCode::Success)
    return code;
  bool isChecked = options.compare != CompareMode::Off;
  if (!options.trace.empty())
    if (ExitCode code = requestTimelines(); code != ExitCode::Success)
      return code;
  progress.begin("building the C");
  ExitCode code = board       ? buildForBoard()
                  : isChecked ? buildChecked()
                              : build();
  if (code != ExitCode::Success)
    return code;
  if (!options.library.empty())
    return code;
  progress.begin("running");
  code = board ? runOnBoard() : isChecked ? runChecked() : execute();
  progress.clear();
  warnOfIdleDevices();
  if (code != ExitCode::Success && code != ExitCode::NumbersDiffer)
    return code;
  if (!options.outputDir.empty())
    if (ExitCode written = writeOutputs(); written != ExitCode::Success)
      return written;
  if (!options.trace.empty())
    if (ExitCode written = writeTimelines(); written != ExitCode::Success)
      return written;
  if (!options.testData.empty())
    if (ExitCode compared = compareWithTestData();
        compared != ExitCode::Success)
      return compared;
  if (options.testData.empty() && !isChecked)
    for (auto [output, tensor] : llvm::zip_equal(outputTypes, outputs)) {
      int64_t largest = 0;
      for (int64_t i = 1, e = tensor.getNumElements(); i < e; ++i)
        if (tensor.getDouble(i) > tensor.getDouble(largest))
          largest = i;
      llvm::outs() << toPrintable(output.name) << ": " << output.type
                   << ", largest element "
                   << llvm::format("%.6g", tensor.getDouble(largest)) << " at "
                   << largest << '\n';
    }
  if (board)
    if (ExitCode reported = reportBoard(); reported != ExitCode::Success)
      return reported;
  return code;
}

ExitCode uma::runRun(const RunOptions &options) {
  ModelContext context(options.model.model);
  return PackageRunner(options, context).run();
}

//===- Run.cpp - uma run --------------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builds a package with its own Makefile in a temporary folder, so that the
// package stays as it is, and talks to its example main through raw files.
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "Tensors.h"

#include "uma/Graph/Interpreter/Interpreter.h"
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
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

namespace {
struct NamedType {
  std::string name;
  RankedTensorType type;
};

/// A package on disk.
class PackageRunner {
public:
  PackageRunner(const RunOptions &options, ModelContext &context)
      : options(options), context(context) {}

  ExitCode run();

private:
  ExitCode prepare();
  ExitCode openPackage();
  ExitCode gatherInputs();
  ExitCode build();
  ExitCode execute();
  ExitCode writeOutputs();
  ExitCode compareWithReference();
  ExitCode compareWithTestData();
  void report(StringRef what, const NamedType &output,
              const Comparison &comparison);

  const RunOptions &options;
  ModelContext &context;
  ScratchFolder scratch;
  SmallString<128> package;
  std::string network;
  OwningOpRef<ModuleOp> graph;
  func::FuncOp entry;
  SmallVector<NamedType> inputTypes, outputTypes;
  SmallVector<HostTensor> inputs, outputs;
};
} // namespace

ExitCode PackageRunner::prepare() {
  if (ExitCode code = scratch.create(context, "uma-run");
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
  ExitCode code = compileModel(options.model, context, compiled);
  package = compiled;
  return code;
}

ExitCode PackageRunner::openPackage() {
  SmallString<128> path(package);
  llvm::sys::path::append(path, "metadata.json");
  auto fail = [&](const Twine &message) {
    return context.fail(ExitCode::BadInput, Twine(path) + ": " + message);
  };
  if (!fs::exists(path))
    return context.fail(ExitCode::BadInput,
                        Twine(package) + " is no package of 'uma compile': it "
                                         "has no metadata.json");
  auto metadata = llvm::json::parse(readText(path));
  if (!metadata)
    return fail(llvm::toString(metadata.takeError()));
  const llvm::json::Object *object = metadata->getAsObject();
  auto name = object ? object->getString("name") : std::nullopt;
  auto graphFile = object ? object->getString("graph") : std::nullopt;
  if (!name || !graphFile)
    return fail("has no 'name' or no 'graph'");
  network = name->str();

  path = package;
  llvm::sys::path::append(path, *graphFile);
  graph = readModule(path, context);
  if (!graph)
    return ExitCode::BadInput;
  for (auto function : graph->getOps<func::FuncOp>())
    if (function.isPublic())
      entry = function;
  if (!entry)
    return fail("names a graph without an entry function");
  auto getName = [](DictionaryAttr attributes, const Twine &otherwise) {
    if (attributes)
      if (auto name = attributes.getAs<StringAttr>(kTensorNameAttrName))
        return name.str();
    return otherwise.str();
  };
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
    inputTypes.push_back({getName(entry.getArgAttrDict(i), "input" + Twine(i)),
                          cast<RankedTensorType>(type)});
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
    outputTypes.push_back(
        {getName(entry.getResultAttrDict(i), "output" + Twine(i)),
         cast<RankedTensorType>(type)});
  return ExitCode::Success;
}

ExitCode PackageRunner::gatherInputs() {
  SmallVector<std::string> files(inputTypes.size());
  if (!options.testData.empty()) {
    // The files are numbered after the model's inputs; those that were made
    // constants are inputs of the package no more.
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
      inputs.push_back(makeRandomTensor(inputTypes[i].type, options.seed, i));
      continue;
    }
    auto tensor = readTensor(file, inputTypes[i].type);
    if (tensor) {
      inputs.push_back(*tensor);
      continue;
    }
    std::string problem =
        "input '" + inputTypes[i].name + "': " + toString(tensor.takeError());
    // Of some inputs only the type matters, and recorded data are careless
    // about their elements: ONNX's own tests of CastLike are.
    if (options.testData.empty() || !entry.getArgument(i).use_empty())
      return context.fail(ExitCode::BadInput, problem);
    llvm::errs() << "uma: warning: " << toPrintable(problem)
                 << "; the network does not read it and gets zeros\n";
    inputs.emplace_back(inputTypes[i].type);
  }
  return ExitCode::Success;
}

ExitCode PackageRunner::build() {
  return buildPackage(
      context, package, network, scratch.getPath(), options.compiler,
      /*variables=*/{}, [](StringRef log) { llvm::errs() << log; });
}

ExitCode PackageRunner::execute() {
  SmallVector<std::string> arguments;
  for (auto [i, tensor] : llvm::enumerate(inputs)) {
    std::string file = scratch.getPath("input" + Twine(i) + ".bin");
    ArrayRef<char> bytes = tensor.getBytes();
    if (llvm::Error error =
            writeFileAtomically(file, StringRef(bytes.data(), bytes.size())))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    // By number: names may hold anything.
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
    // The program has said in its last lines which layer failed, and how.
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

void PackageRunner::report(StringRef what, const NamedType &output,
                           const Comparison &comparison) {
  llvm::outs() << toPrintable(output.name) << ": "
               << (comparison.isEqual ? "equal" : "DIFFERENT") << " to " << what
               << ", max error " << llvm::format("%.3g", comparison.maxError)
               << " (" << llvm::format("%.3g", comparison.relative)
               << " of the largest element)";
  if (!comparison.isEqual)
    llvm::outs() << ", at element " << comparison.worst << ": "
                 << llvm::format("%.9g", comparison.actual) << ", expected "
                 << llvm::format("%.9g", comparison.expected);
  llvm::outs() << '\n';
}

ExitCode PackageRunner::compareWithReference() {
  auto reference = graph::interpret(entry, inputs);
  if (failed(reference))
    return ExitCode::NotSupported;
  ExitCode code = ExitCode::Success;
  for (auto [i, output] : llvm::enumerate(outputTypes)) {
    double tolerance = options.tolerance.value_or(
        getDefaultTolerance(output.type.getElementType()));
    Comparison comparison =
        compareToLargest(outputs[i], (*reference)[i], tolerance);
    report("the reference interpreter", output, comparison);
    if (!comparison.isEqual)
      code = ExitCode::NumbersDiffer;
  }
  return code;
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
    // The tolerances of ONNX's own backend tests. Their bfloat16 data are cut
    // off instead of rounded, which is one unit in the last place.
    double relative = output.type.getElementType().isBF16() ? 0x1p-7 : 1e-3;
    Comparison comparison = compareElementwise(
        outputs[i], *expected, options.tolerance.value_or(relative), 1e-7);
    report("the test data", output, comparison);
    if (!comparison.isEqual)
      code = ExitCode::NumbersDiffer;
  }
  return code;
}

ExitCode PackageRunner::run() {
  if (ExitCode code = prepare(); code != ExitCode::Success)
    return code;
  Progress progress(3);
  progress.begin("reading the package");
  if (ExitCode code = openPackage(); code != ExitCode::Success)
    return code;
  if (ExitCode code = gatherInputs(); code != ExitCode::Success)
    return code;
  progress.begin("building the C");
  if (ExitCode code = build(); code != ExitCode::Success)
    return code;
  progress.begin("running");
  if (ExitCode code = execute(); code != ExitCode::Success)
    return code;
  progress.clear();
  if (!options.outputDir.empty())
    if (ExitCode code = writeOutputs(); code != ExitCode::Success)
      return code;
  ExitCode code = ExitCode::Success;
  if (!options.testData.empty())
    code = compareWithTestData();
  if (options.compare && code == ExitCode::Success)
    code = compareWithReference();
  if (options.testData.empty() && !options.compare)
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
  return code;
}

ExitCode uma::runRun(const RunOptions &options) {
  ModelContext context(options.model.model);
  return PackageRunner(options, context).run();
}

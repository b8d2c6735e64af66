//===- Quantize.cpp - uma quantize ----------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Simplifies the float network, so that normalisations are part of the
// preceding layer, finds the ranges of its tensors and quantizes a copy. Then
// runs both side by side on the samples and compares each quantized tensor.
// The quantized network is not folded to integers: 'uma compile' does this.
//
//===----------------------------------------------------------------------===//

#include "../Compile/EntryFunction.h"
#include "Calibration.h"
#include "QuantizeReport.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/IR/QuantizationAttributes.h"
#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Pipelines/Passes.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/Progress.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

namespace {
/// The steps of `uma quantize`.
class Quantizer {
public:
  Quantizer(const QuantizeOptions &options, ModelContext &context,
            QuantizeReport &report)
      : options(options), context(context), report(report) {}

  ExitCode run();

private:
  ExitCode checkOptions();
  ExitCode load();
  /// Checks the names of --keep-float and lists the layers that can be kept.
  ExitCode findLayers();
  /// Keeps the layers of --keep-float in f32, and more of them until the
  /// error is within --error-budget, and quantizes the others.
  ExitCode quantizeWithin();
  /// Quantizes a copy of the network, fills `report` and returns the error of
  /// the outputs in `error`.
  ExitCode quantize(const llvm::StringSet<> &kept, double &error);
  /// Runs both networks on all samples.
  ExitCode compare();
  /// Counts the layers that are computed on integers after folding.
  ExitCode countLayers();
  ExitCode write();

  const QuantizeOptions &options;
  ModelContext &context;
  OwningOpRef<ModuleOp> module, quantized;
  func::FuncOp entry, quantizedEntry;
  /// Tensors of the copy and their originals.
  DenseMap<Value, Value> originals;
  std::vector<SampleFiles> samples;
  llvm::StringSet<> layerNames;
  /// Layers that --error-budget can keep in f32, in the order of the network.
  std::vector<std::string> weighted;
  QuantizeReport &report;
};
} // namespace

static StringRef getMethodName(CalibrationMethod method) {
  switch (method) {
  case CalibrationMethod::MinMax:
    return "minmax";
  case CalibrationMethod::Percentile:
    return "percentile";
  case CalibrationMethod::MSE:
    return "mse";
  }
  llvm_unreachable("every method has a name");
}

ExitCode Quantizer::checkOptions() {
  auto fail = [&](const Twine &message) {
    return context.fail(ExitCode::BadInput, message);
  };
  if (options.calibration.empty())
    return fail("--calibration is missing: the folder of the samples");
  if (options.output.empty())
    return fail("-o is missing: the file where the quantized network goes");
  StringRef extension = llvm::sys::path::extension(options.output);
  if (extension != ".mlir" && extension != ".mlirbc")
    return fail("-o " + options.output +
                ": expected a file ending in .mlir or .mlirbc");
  for (const std::string *file : {&options.json, &options.html})
    if (*file == options.output ||
        (!file->empty() && file != &options.json && *file == options.json))
      return fail(*file + ": is the file of two outputs; expected one each");
  if (options.errorBudget && !(*options.errorBudget > 0))
    return fail(
        "--error-budget=" + llvm::formatv("{0}", *options.errorBudget).str() +
        ": expected a positive number");
  // Also refuses NaN.
  bool isPercentile = options.percentile > 50 && options.percentile <= 100;
  if (!isPercentile)
    return fail(
        "--percentile=" + llvm::formatv("{0}", options.percentile).str() +
        ": expected a number above 50 and at most 100");
  return ExitCode::Success;
}

ExitCode Quantizer::load() {
  if (ExitCode code = loadModel(options.model, context, module);
      code != ExitCode::Success)
    return code;
  PassManager manager(context.get());
  manager.addPass(createGraphDefaultPass());
  if (options.equalize)
    manager.addPass(graph::createEqualizePass());
  if (failed(manager.run(*module)))
    return ExitCode::NotSupported;
  if (ExitCode code =
          findEntryFunction(*module, options.model.model, context, entry);
      code != ExitCode::Success)
    return code;
  for (Operation &op : entry.getOps())
    if (isa<graph::QuantizeOp, graph::DequantizeOp, graph::StorageCastOp>(op))
      return context.fail(ExitCode::NotSupported,
                          options.model.model + ": layer '" +
                              getLayerName(&op) +
                              "' is quantized already; expected a network of "
                              "floats");
  return ExitCode::Success;
}

ExitCode Quantizer::findLayers() {
  SmallVector<StringRef> names;
  for (Operation &op : entry.getOps()) {
    if (!isInFamily<GraphFamily>(&op) || isa<graph::ConstantOp>(op))
      continue;
    StringRef name = layerNames.insert(getLayerName(&op)).first->getKey();
    names.push_back(name);
    if (isa<graph::Conv2dOp, graph::DenseOp, graph::AddOp>(op) &&
        !llvm::is_contained(weighted, name.str()))
      weighted.push_back(name.str());
  }
  for (const std::string &kept : options.keepFloat)
    if (!layerNames.contains(kept))
      return context.fail(ExitCode::BadInput,
                          "--keep-float=" + kept +
                              ": the network has no such layer" +
                              didYouMean(kept, names));
  return ExitCode::Success;
}

ExitCode Quantizer::quantize(const llvm::StringSet<> &kept, double &error) {
  report = QuantizeReport();
  report.network =
      entry->getAttrOfType<StringAttr>(kNetworkAttrName).getValue().str();
  report.method = getMethodName(options.method);
  report.numSamples = samples.size();
  originals.clear();
  quantizedEntry = {};
  IRMapping mapping;
  quantized = cast<ModuleOp>(module->getOperation()->clone(mapping));
  for (auto [value, copy] : mapping.getValueMap())
    originals[copy] = value;
  if (ExitCode code = findEntryFunction(*quantized, options.model.model,
                                        context, quantizedEntry);
      code != ExitCode::Success)
    return code;
  for (Operation &op : quantizedEntry.getOps())
    if (isInFamily<GraphFamily>(&op) && !isa<graph::ConstantOp>(op) &&
        kept.contains(getLayerName(&op)))
      op.setAttr(graph::kKeepFloatAttrName, UnitAttr::get(context.get()));
  PassManager manager(context.get());
  manager.addPass(graph::createQuantizePass());
  if (failed(manager.run(*quantized)))
    return ExitCode::NotSupported;
  if (ExitCode code = countLayers(); code != ExitCode::Success)
    return code;
  if (ExitCode code = compare(); code != ExitCode::Success)
    return code;
  error = 0;
  for (const TensorError &output : report.outputs)
    error = std::max(error, output.getRelative());
  return ExitCode::Success;
}

ExitCode Quantizer::quantizeWithin() {
  llvm::StringSet<> kept;
  for (const std::string &name : options.keepFloat)
    kept.insert(name);
  double error = 0;
  if (ExitCode code = quantize(kept, error); code != ExitCode::Success)
    return code;
  if (!options.errorBudget || error <= *options.errorBudget)
    return ExitCode::Success;
  // The harm of a layer is the error of the outputs if it is quantized alone.
  // Negative, so that the most harmful layer is sorted first and layers of
  // equal harm stay in the order of the network.
  std::vector<std::pair<double, size_t>> harms;
  for (auto [i, name] : llvm::enumerate(weighted)) {
    if (kept.contains(name))
      continue;
    llvm::StringSet<> others = kept;
    for (const std::string &other : weighted)
      if (other != name)
        others.insert(other);
    double harm = 0;
    if (ExitCode code = quantize(others, harm); code != ExitCode::Success)
      return code;
    harms.emplace_back(-harm, i);
  }
  double least = error;
  llvm::sort(harms);
  for (const auto &[harm, i] : harms) {
    kept.insert(weighted[i]);
    if (ExitCode code = quantize(kept, error); code != ExitCode::Success)
      return code;
    if (report.numIntegerLayers == 0)
      break;
    if (error <= *options.errorBudget)
      return ExitCode::Success;
    least = std::min(least, error);
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << "--error-budget="
      << llvm::format("%g: the least error with a layer on integers is %g; "
                      "expected a larger budget",
                      *options.errorBudget, least);
  return context.fail(ExitCode::NotSupported, text);
}

ExitCode Quantizer::compare() {
  // The errors in the order of the copy's quantized tensors.
  llvm::MapVector<Value, TensorError> errors;
  for (auto quantize : quantizedEntry.getOps<graph::QuantizeOp>()) {
    Value original = originals.lookup(quantize.getData());
    TensorError &error = errors[original];
    auto argument = dyn_cast<BlockArgument>(original);
    StringAttr name;
    if (argument)
      name = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                kTensorNameAttrName);
    error.name = name       ? name.str()
                 : argument ? "input" + std::to_string(argument.getArgNumber())
                            : getLayerName(original.getDefiningOp());
    auto type =
        Quantization::of(cast<RankedTensorType>(quantize.getResult().getType())
                             .getElementType());
    error.scale = type.scales.front();
    error.zeroPoint = type.zeroPoints.front();
  }
  report.outputs.resize(entry.getNumResults());
  for (auto [i, error] : llvm::enumerate(report.outputs)) {
    auto name = entry.getResultAttrOfType<StringAttr>(i, kTensorNameAttrName);
    error.name = name ? name.str() : "output" + std::to_string(i);
  }
  SmallVector<HostTensor> inputs;
  for (const SampleFiles &files : samples) {
    if (ExitCode code = readSample(files, entry, context, inputs);
        code != ExitCode::Success)
      return code;
    DenseMap<Value, HostTensor> expected;
    for (auto [argument, input] : llvm::zip_equal(entry.getArguments(), inputs))
      expected[argument] = input;
    auto outputs = graph::interpret(
        entry, inputs, [&](Operation *op, ArrayRef<HostTensor> results) {
          for (auto [value, tensor] : llvm::zip(op->getResults(), results))
            if (errors.contains(value))
              expected[value] = tensor;
        });
    if (failed(outputs))
      return ExitCode::NotSupported;
    auto actual = graph::interpret(
        quantizedEntry, inputs,
        [&](Operation *op, ArrayRef<HostTensor> results) {
          auto dequantize = dyn_cast<graph::DequantizeOp>(op);
          if (!dequantize)
            return;
          auto quantize =
              dequantize.getData().getDefiningOp<graph::QuantizeOp>();
          if (!quantize)
            return;
          Value original = originals.lookup(quantize.getData());
          errors[original].add(expected[original], results.front());
        });
    if (failed(actual))
      return ExitCode::NotSupported;
    for (auto [error, x, y] :
         llvm::zip_equal(report.outputs, *outputs, *actual))
      error.add(x, y);
  }
  for (auto &[value, error] : errors)
    report.layers.push_back(std::move(error));
  return ExitCode::Success;
}

ExitCode Quantizer::countLayers() {
  OwningOpRef<ModuleOp> folded(quantized->clone());
  PassManager manager(context.get());
  manager.addPass(graph::createFoldQuantizationPass());
  if (failed(manager.run(*folded)))
    return ExitCode::NotSupported;
  folded->walk([&](Operation *op) {
    report.numIntegerLayers +=
        isa<graph::RequantizeOp, graph::QuantizedAddOp>(op);
    if (!isa<graph::Conv2dOp, graph::Conv3dOp, graph::Conv2dTransposeOp,
             graph::DenseOp, graph::BatchMatmulOp>(op))
      return;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (isa<FloatType>(type.getElementType()))
      report.floatLayers.push_back(getLayerName(op));
  });
  return ExitCode::Success;
}

ExitCode Quantizer::write() {
  dropFilePositions(*quantized);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::sys::path::extension(options.output) == ".mlirbc") {
    if (failed(writeBytecodeToFile(*quantized, os)))
      return context.fail(ExitCode::NotSupported,
                          "the network cannot be written as MLIR bytecode");
  } else {
    // The locations are the names of the layers.
    quantized->print(os, OpPrintingFlags().enableDebugInfo());
    os << '\n';
  }
  // The network last: it does not appear without its report.
  if (!options.json.empty())
    if (llvm::Error error =
            writeFileAtomically(options.json, getQuantizeJSON(report)))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  if (!options.html.empty())
    if (llvm::Error error =
            writeFileAtomically(options.html, getQuantizeHTML(report)))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  if (llvm::Error error = writeFileAtomically(options.output, text))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return ExitCode::Success;
}

ExitCode Quantizer::run() {
  if (ExitCode code = checkOptions(); code != ExitCode::Success)
    return code;
  Progress progress(3);
  progress.begin("reading the model");
  if (ExitCode code = load(); code != ExitCode::Success)
    return code;
  if (ExitCode code = listSamples(options.calibration, entry, context, samples);
      code != ExitCode::Success)
    return code;
  if (ExitCode code = findLayers(); code != ExitCode::Success)
    return code;
  progress.begin("finding the ranges");
  if (ExitCode code = calibrate(options, entry, context, samples);
      code != ExitCode::Success)
    return code;
  progress.begin("quantizing and comparing");
  if (ExitCode code = quantizeWithin(); code != ExitCode::Success)
    return code;
  if (report.numIntegerLayers == 0)
    return context.fail(ExitCode::NotSupported,
                        options.model.model +
                            ": no layer can be computed on integers; "
                            "docs/quantize.md lists those that can");
  if (ExitCode code = write(); code != ExitCode::Success)
    return code;
  progress.clear();
  return ExitCode::Success;
}

ExitCode uma::quantizeModel(const QuantizeOptions &options,
                            ModelContext &context, QuantizeReport &report) {
  return Quantizer(options, context, report).run();
}

ExitCode uma::runQuantize(const QuantizeOptions &options) {
  ModelContext context(options.model.model);
  QuantizeReport report;
  if (ExitCode code = quantizeModel(options, context, report);
      code != ExitCode::Success)
    return code;
  printQuantizeReport(llvm::outs(), report);
  llvm::outs() << "wrote " << options.output << '\n';
  return ExitCode::Success;
}

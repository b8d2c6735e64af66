//===- Calibration.cpp - Ranges of a network's tensors --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Samples are read again for every run instead of being held in memory. Methods
// other than minmax run the network twice: the bins of a histogram lie between
// the least and the largest element, which the first run finds.
//
//===----------------------------------------------------------------------===//

#include "Calibration.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/IR/QuantizationAttributes.h"
#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/IR/UMADialect.h"
#include "uma/Import/ONNX/TensorFile.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

static constexpr int64_t kNumBins = 2048;
static constexpr llvm::StringLiteral kExtensions[] = {".npy", ".pb", ".bin"};

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

static std::string getInputName(func::FuncOp entry, unsigned i) {
  if (auto name = entry.getArgAttrOfType<StringAttr>(i, kTensorNameAttrName))
    return name.str();
  return "input" + std::to_string(i);
}

/// Lists the entries of a folder except for hidden ones, sorted.
static ExitCode listFolder(const Twine &folder, const ModelContext &context,
                           std::vector<std::string> &paths) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (!llvm::sys::path::filename(it->path()).starts_with("."))
      paths.push_back(it->path());
  if (error)
    return context.fail(ExitCode::BadInput, folder + ": " + error.message());
  llvm::sort(paths);
  return ExitCode::Success;
}

/// Finds the file of each input in the folder of one sample.
static ExitCode findFiles(StringRef folder, func::FuncOp entry,
                          const ModelContext &context, SampleFiles &files) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    names.push_back(getInputName(entry, i));
  std::vector<std::string> stems = toFileNames(names, "");
  for (auto [name, stem] : llvm::zip_equal(names, stems)) {
    SmallVector<std::string> found;
    for (StringRef extension : kExtensions) {
      SmallString<128> path(folder);
      llvm::sys::path::append(path, stem + extension);
      if (fs::exists(path))
        found.push_back(path.str().str());
    }
    if (found.size() > 1)
      return context.fail(
          ExitCode::BadInput,
          "calibration sample " + folder + ": has several files for input '" +
              name + "': " + llvm::join(found, ", ") + "; keep one of them");
    if (found.empty())
      return context.fail(ExitCode::BadInput, "calibration sample " + folder +
                                                  ": has no file for input '" +
                                                  name + "', expected " + stem +
                                                  ".npy, .pb or .bin");
    files.push_back(found.front());
  }
  return ExitCode::Success;
}

ExitCode uma::listSamples(StringRef folder, func::FuncOp entry,
                          const ModelContext &context,
                          std::vector<SampleFiles> &samples) {
  if (entry.getNumArguments() == 0)
    return context.fail(ExitCode::NotSupported,
                        "the network has no inputs to calibrate with");
  std::vector<std::string> paths;
  if (!fs::is_directory(folder))
    return context.fail(ExitCode::BadInput,
                        "--calibration=" + folder +
                            ": no such folder; expected a folder of samples");
  if (ExitCode code = listFolder(folder, context, paths);
      code != ExitCode::Success)
    return code;
  for (const std::string &path : paths) {
    SampleFiles files;
    if (fs::is_directory(path)) {
      if (ExitCode code = findFiles(path, entry, context, files);
          code != ExitCode::Success)
        return code;
    } else if (!llvm::is_contained(kExtensions,
                                   llvm::sys::path::extension(path))) {
      return context.fail(ExitCode::BadInput,
                          "calibration file " + path +
                              ": expected a file ending in .npy, .pb or .bin");
    } else if (entry.getNumArguments() != 1) {
      return context.fail(
          ExitCode::BadInput,
          "calibration file " + path + ": the network has " +
              Twine(entry.getNumArguments()) +
              " inputs; expected a folder for each sample with a file for each "
              "input");
    } else {
      files.push_back(path);
    }
    samples.push_back(std::move(files));
  }
  if (samples.empty())
    return context.fail(ExitCode::BadInput,
                        "--calibration=" + folder +
                            ": holds no samples; expected at least one .npy, "
                            ".pb or .bin file");
  return ExitCode::Success;
}

ExitCode uma::readSample(const SampleFiles &files, func::FuncOp entry,
                         const ModelContext &context,
                         SmallVectorImpl<HostTensor> &inputs) {
  inputs.clear();
  for (auto [i, file] : llvm::enumerate(files)) {
    std::string where = "calibration input '" + getInputName(entry, i) + "': ";
    auto type = cast<RankedTensorType>(entry.getArgumentTypes()[i]);
    llvm::Expected<HostTensor> tensor = readTensor(file, type);
    if (!tensor)
      return context.fail(ExitCode::BadInput,
                          where + llvm::toString(tensor.takeError()));
    if (tensor->isFloat() && !tensor->allFinite())
      return context.fail(ExitCode::BadInput,
                          where + file +
                              ": holds NaN or an infinity; expected finite "
                              "numbers");
    inputs.push_back(std::move(*tensor));
  }
  return ExitCode::Success;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// Elements of one tensor over all samples.
struct Statistics {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::vector<int64_t> bins;

  double getWidth() const { return (high - low) / kNumBins; }
  double getCenter(int64_t bin) const { return low + (bin + 0.5) * getWidth(); }
  void widen(const HostTensor &tensor);
  void count(const HostTensor &tensor);
  std::pair<double, double> getPercentiles(double percentile) const;
  std::pair<double, double> getLeastError() const;
};
} // namespace

void Statistics::widen(const HostTensor &tensor) {
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    low = std::min(low, tensor.getDouble(i));
    high = std::max(high, tensor.getDouble(i));
  }
}

void Statistics::count(const HostTensor &tensor) {
  bins.resize(kNumBins);
  double width = getWidth();
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    double position = width > 0 ? (tensor.getDouble(i) - low) / width : 0;
    ++bins[std::min(int64_t(position), kNumBins - 1)];
  }
}

std::pair<double, double> Statistics::getPercentiles(double percentile) const {
  double total = 0;
  for (int64_t count : bins)
    total += count;
  // Drops bins from either end as long as all elements beyond are fewer.
  double allowed = total * (100 - percentile) / 100;
  int64_t first = 0, last = kNumBins - 1;
  for (double cut = bins[first]; first < last && cut <= allowed;)
    cut += bins[++first];
  for (double cut = bins[last]; last > first && cut <= allowed;)
    cut += bins[--last];
  return {low + first * getWidth(), low + (last + 1) * getWidth()};
}

std::pair<double, double> Statistics::getLeastError() const {
  double from = std::min(low, 0.0), to = std::max(high, 0.0);
  double bestError = std::numeric_limits<double>::infinity(), best = 1;
  for (int percent = 100; percent >= 20; --percent) {
    double least = from * percent / 100, largest = to * percent / 100;
    double scale = (largest - least) / 255, error = 0;
    for (int64_t bin = 0; bin < kNumBins; ++bin) {
      double x = getCenter(bin);
      double clipped = x - std::clamp(x, least, largest);
      // Numbers within the range are rounded: a uniform error of one step.
      error +=
          bins[bin] * (clipped == 0 ? scale * scale / 12 : clipped * clipped);
    }
    if (error < bestError) {
      bestError = error;
      best = percent / 100.0;
    }
  }
  return {from * best, to * best};
}

ExitCode uma::calibrate(const QuantizeOptions &options, func::FuncOp entry,
                        const ModelContext &context,
                        ArrayRef<SampleFiles> samples) {
  DenseMap<Value, Statistics> statistics;
  // Runs all samples and calls `visit` with each float tensor.
  using Visit = function_ref<void(Value, const HostTensor &)>;
  auto run = [&](Visit visit) {
    SmallVector<HostTensor> inputs;
    for (const SampleFiles &files : samples) {
      if (ExitCode code = readSample(files, entry, context, inputs);
          code != ExitCode::Success)
        return code;
      for (auto [argument, input] :
           llvm::zip_equal(entry.getArguments(), inputs))
        if (input.isFloat())
          visit(argument, input);
      std::string problem;
      auto trace = [&](Operation *op, ArrayRef<HostTensor> results) {
        for (auto [value, tensor] : llvm::zip(op->getResults(), results)) {
          if (!tensor.isFloat() || op->getParentOp() != entry ||
              !problem.empty())
            continue;
          if (!tensor.allFinite())
            problem = getLayerName(op);
          else if (!isa<graph::ConstantOp>(op))
            visit(value, tensor);
        }
      };
      if (failed(graph::interpret(entry, inputs, trace)))
        return ExitCode::NotSupported;
      if (!problem.empty())
        return context.fail(ExitCode::BadInput,
                            "calibration file " + files.front() + ": layer '" +
                                problem +
                                "' computes NaN or an infinity; leave the "
                                "sample out or correct the model");
    }
    return ExitCode::Success;
  };
  if (ExitCode code = run([&](Value value, const HostTensor &tensor) {
        statistics[value].widen(tensor);
      });
      code != ExitCode::Success)
    return code;
  if (options.method != CalibrationMethod::MinMax)
    if (ExitCode code = run([&](Value value, const HostTensor &tensor) {
          statistics[value].count(tensor);
        });
        code != ExitCode::Success)
      return code;

  Builder builder(entry.getContext());
  auto getRange = [&](Value value) -> std::pair<double, double> {
    auto found = statistics.find(value);
    if (found == statistics.end())
      return {0, 0};
    const Statistics &known = found->second;
    switch (options.method) {
    case CalibrationMethod::MinMax:
      return {known.low, known.high};
    case CalibrationMethod::Percentile:
      return known.getPercentiles(options.percentile);
    case CalibrationMethod::MSE:
      return known.getLeastError();
    }
    llvm_unreachable("every method has ranges");
  };
  auto getAttribute = [&](ValueRange values) {
    SmallVector<double> bounds;
    for (Value value : values) {
      auto [low, high] = getRange(value);
      bounds.append({low, high});
    }
    return builder.getDenseF64ArrayAttr(bounds);
  };
  for (BlockArgument argument : entry.getArguments())
    if (statistics.contains(argument))
      entry.setArgAttr(argument.getArgNumber(), graph::kRangeAttrName,
                       getAttribute(ValueRange(argument)));
  for (Operation &op : entry.getOps())
    if (llvm::any_of(op.getResults(),
                     [&](Value value) { return statistics.contains(value); }))
      op.setAttr(graph::kRangeAttrName, getAttribute(op.getResults()));
  return ExitCode::Success;
}

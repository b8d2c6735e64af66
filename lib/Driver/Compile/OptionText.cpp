//===- OptionText.cpp - Options by name and text ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Driver/OptionText.h"

#include "uma/CPU/Model/Processor.h"
#include "uma/Import/ONNX/ImportONNX.h"
#include "uma/Support/ByteCount.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/PrintableText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace uma;
using llvm::StringRef;
using llvm::Twine;

/// Returns an error about the value of an option, or an empty string.
using Setter = std::string (*)(ModelOptions &options, StringRef value);

namespace {
struct Option {
  OptionDescription description;
  Setter set;
};
} // namespace

/// Sets `target` to the choice that `value` names.
template <typename T>
static std::string choose(T &target, StringRef value,
                          llvm::ArrayRef<std::pair<StringRef, T>> choices) {
  llvm::SmallVector<StringRef> names;
  for (const auto &[name, choice] : choices) {
    if (name == value) {
      target = choice;
      return "";
    }
    names.push_back(name);
  }
  return ("expected " + llvm::join(llvm::drop_end(names), ", ") + " or " +
          names.back() + didYouMean(value, names))
      .str();
}

/// Adds an element to a list, or empties the list if there is none.
static std::string append(std::vector<std::string> &list, StringRef value) {
  if (value.empty())
    list.clear();
  else
    list.push_back(value.str());
  return "";
}

/// Adds an element that `parse`, which returns an llvm::Expected, accepts.
template <typename ParserT>
static std::string appendParsed(std::vector<std::string> &list, StringRef value,
                                ParserT parse) {
  if (!value.empty())
    if (auto parsed = parse(value); !parsed)
      return llvm::toString(parsed.takeError());
  return append(list, value);
}

static std::string setPositive(double &target, StringRef value) {
  double number = 0;
  if (value.getAsDouble(number) || !std::isfinite(number) || number <= 0)
    return "expected a number above 0";
  target = number;
  return "";
}

static std::string setProjects(PackageForm &form, StringRef value) {
  std::set<Project> projects;
  for (StringRef name : llvm::split(value, ',')) {
    Project project = Project::CMake;
    if (std::string problem = choose<Project>(project, name,
                                              {{"cmake", Project::CMake},
                                               {"make", Project::Make},
                                               {"arduino", Project::Arduino},
                                               {"zephyr", Project::Zephyr},
                                               {"esp-idf", Project::ESPIDF}});
        !problem.empty())
      return problem;
    projects.insert(project);
  }
  form.projects = std::move(projects);
  return "";
}

static std::string setProcessor(std::string &target, StringRef value) {
  if (!value.empty())
    if (auto processor = Processor::get(value); !processor)
      return llvm::toString(processor.takeError());
  target = value.str();
  return "";
}

static constexpr Option kOptions[] = {
    {{"accelerator-dir", "a folder to search first for descriptions; a list"},
     [](ModelOptions &o, StringRef v) { return append(o.acceleratorDirs, v); }},
    {{"accelerators",
      "names or paths of descriptions or plugins, separated by commas, the "
      "first has priority; a list"},
     [](ModelOptions &o, StringRef v) {
       if (v.empty())
         return append(o.accelerators, v);
       for (StringRef name : llvm::split(v, ','))
         if (name.empty())
           return std::string("expected names or paths between the commas");
       for (StringRef name : llvm::split(v, ','))
         append(o.accelerators, name);
       return std::string();
     }},
    {{"arena", "largest workspace in bytes, such as 32768 or 32K; empty for "
               "no limit"},
     [](ModelOptions &o, StringRef v) {
       int64_t bytes = parseByteCount(v).value_or(0);
       if (bytes <= 0 && !v.empty())
         return std::string(
             "expected a number of bytes above 0, such as 32768 or 32K");
       o.arena = bytes;
       return std::string();
     }},
    {{"const", "name=file, an input to bind as a constant; a list"},
     [](ModelOptions &o, StringRef v) {
       return appendParsed(o.constants, v, parseInputConstant);
     }},
    {{"cpu", "a processor of 'uma list --cpus' or a file; empty for any"},
     [](ModelOptions &o, StringRef v) { return setProcessor(o.cpu, v); }},
    {{"cpu-cycles-per-element", "a number above 0, for the cost policy"},
     [](ModelOptions &o, StringRef v) {
       return setPositive(o.cpuCyclesPerElement, v);
     }},
    {{"cpu-cycles-per-mac", "a number above 0, for the cost policy"},
     [](ModelOptions &o, StringRef v) {
       return setPositive(o.cpuCyclesPerMAC, v);
     }},
    {{"debug-bounds", "true or false: C that checks every index"},
     [](ModelOptions &o, StringRef v) {
       return choose<bool>(o.debugBounds, v,
                           {{"true", true}, {"false", false}});
     }},
    {{"format", "flat or mlf, TVM's Model Library Format"},
     [](ModelOptions &o, StringRef v) {
       return choose<PackageFormat>(o.form.format, v,
                                    {{"flat", PackageFormat::Flat},
                                     {"mlf", PackageFormat::ModelLibrary}});
     }},
    {{"io", "outside or inside the workspace: inputs and outputs"},
     [](ModelOptions &o, StringRef v) {
       return choose<bool>(o.tensorsInside, v,
                           {{"outside", false}, {"inside", true}});
     }},
    {{"kernels", "vector, winograd or loops"},
     [](ModelOptions &o, StringRef v) {
       return choose<Kernels>(o.kernels, v,
                              {{"vector", Kernels::Vector},
                               {"winograd", Kernels::Winograd},
                               {"loops", Kernels::Loops}});
     }},
    {{"lower", "options of the pass uma-lower, name=value ..."},
     [](ModelOptions &o, StringRef v) {
       o.lower = v.str();
       return std::string();
     }},
    {{"math", "f32 or bf16, the type in which layers of f32 multiply"},
     [](ModelOptions &o, StringRef v) {
       return choose<Math>(o.math, v,
                           {{"f32", Math::F32}, {"bf16", Math::BF16}});
     }},
    {{"memory", "name=bytes, a memory for a part of the workspace, such as "
                "dtcm=64K, the fastest first; a list"},
     [](ModelOptions &o, StringRef v) {
       if (!v.empty() && !parseNamedByteCount(v))
         return std::string(
             "expected a name and a number of bytes, such as dtcm=64K");
       return append(o.memories, v);
     }},
    {{"merge-regions", "auto, true or false: adjacent matches in one function"},
     [](ModelOptions &o, StringRef v) {
       return choose<accel::MergeRegions>(
           o.mergeRegions, v,
           {{"auto", accel::MergeRegions::AsDescribed},
            {"true", accel::MergeRegions::Always},
            {"false", accel::MergeRegions::Never}});
     }},
    {{"policy", "greedy or cost"},
     [](ModelOptions &o, StringRef v) {
       return choose<accel::Policy>(
           o.policy, v,
           {{"greedy", accel::Policy::Greedy}, {"cost", accel::Policy::Cost}});
     }},
    {{"project",
      "build files: cmake, make, arduino, zephyr, esp-idf, separated "
      "by commas"},
     [](ModelOptions &o, StringRef v) { return setProjects(o.form, v); }},
    {{"requantize", "float or fixed-point, how sums of integer layers round"},
     [](ModelOptions &o, StringRef v) {
       return choose<Requantize>(o.requantize, v,
                                 {{"float", Requantize::AsGiven},
                                  {"fixed-point", Requantize::FixedPoint}});
     }},
    {{"rounding", "float or tflite, how a quantized TensorFlow Lite model "
                  "rounds"},
     [](ModelOptions &o, StringRef v) {
       return choose<TFLiteRounding>(o.rounding, v,
                                     {{"float", TFLiteRounding::Float},
                                      {"tflite", TFLiteRounding::FixedPoint}});
     }},
    {{"shape", "name=1x3x32x32, the sizes of an input; a list"},
     [](ModelOptions &o, StringRef v) {
       return appendParsed(o.shapes, v, parseInputShape);
     }},
    {{"source-size", "kilobytes above which the C is split into several files"},
     [](ModelOptions &o, StringRef v) {
       unsigned kilobytes = 0;
       if (v.getAsInteger(10, kilobytes) || kilobytes == 0)
         return std::string("expected a number of kilobytes of at least 1");
       o.sourceKilobytes = kilobytes;
       return std::string();
     }},
    {{"threads", "none or openmp, who runs loops in parallel"},
     [](ModelOptions &o, StringRef v) {
       return choose<Threads>(
           o.threads, v,
           {{"none", Threads::None}, {"openmp", Threads::OpenMP}});
     }},
    {{"trust-model", "true or false: a model in MLIR may hold descriptions, "
                     "scripts and C text"},
     [](ModelOptions &o, StringRef v) {
       return choose<bool>(o.trustModel, v, {{"false", false}, {"true", true}});
     }},
    {{"tuning", "a database of 'uma tune'; empty for none"},
     [](ModelOptions &o, StringRef v) {
       o.tuning = v.str();
       return std::string();
     }},
    {{"weights", "auto, array, incbin or image"},
     [](ModelOptions &o, StringRef v) {
       return choose<WeightsAs>(o.form.weights, v,
                                {{"auto", WeightsAs::Auto},
                                 {"array", WeightsAs::Arrays},
                                 {"incbin", WeightsAs::Binary},
                                 {"image", WeightsAs::Image}});
     }},
};

std::string uma::setOption(ModelOptions &options, const std::string &name,
                           const std::string &value) {
  llvm::SmallVector<StringRef> names;
  for (const Option &option : kOptions) {
    if (option.description.name != name) {
      names.push_back(option.description.name);
      continue;
    }
    std::string problem = option.set(options, value);
    return problem.empty() ? ""
                           : "option '" + name + "' is '" + toPrintable(value) +
                                 "': " + problem;
  }
  std::string closest = didYouMean(name, names);
  return "unknown option '" + toPrintable(name) + "'" +
         (closest.empty() ? "; options are " + llvm::join(names, ", ")
                          : closest);
}

const std::vector<OptionDescription> &uma::listOptions() {
  static const std::vector<OptionDescription> descriptions = [] {
    std::vector<OptionDescription> list;
    for (const Option &option : kOptions)
      list.push_back(option.description);
    return list;
  }();
  return descriptions;
}

//===- FormOptions.h - Options about the form of a package -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_FORMOPTIONS_H
#define UMA_TOOLS_UMA_FORMOPTIONS_H

#include "Command.h"

#include "uma/Support/DidYouMean.h"
#include "uma/Support/PrintableText.h"
#include "uma/Target/C/PackageForm.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <utility>

namespace uma {

/// A value of an option and its name.
template <typename EnumT>
using Choice = std::pair<llvm::StringLiteral, EnumT>;

/// Returns the value that an option's argument names. The error for an unknown
/// name lists the names.
template <typename EnumT>
std::optional<EnumT> parseChoice(llvm::StringRef option, llvm::StringRef text,
                                 llvm::ArrayRef<Choice<EnumT>> choices) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const auto &[name, value] : choices) {
    if (name == text)
      return value;
    names.push_back(name);
  }
  llvm::errs() << "uma: error: --" << option << "=" << toPrintable(text)
               << ": expected " << llvm::join(llvm::drop_end(names), ", ")
               << " or " << names.back() << didYouMean(text, names) << '\n';
  return std::nullopt;
}

/// Options about the form of a package.
struct FormOptions {
  explicit FormOptions(Command &owner)
      : format("format", cl::init("flat"), cl::value_desc("flat|mlf"),
               cl::desc("Layout of the package: all in one folder, or TVM's "
                        "Model Library Format"),
               cl::sub(owner.command), cl::cat(owner.category)),
        projects("project", cl::CommaSeparated, cl::value_desc("list"),
                 cl::desc("Build files: cmake, make, arduino, zephyr, esp-idf "
                          "(default: cmake,make)"),
                 cl::sub(owner.command), cl::cat(owner.category)),
        weights("weights", cl::init("auto"), cl::value_desc("how"),
                cl::desc("Weights: array, incbin (a file for the assembler), "
                         "image (for a flash memory of their own) or auto"),
                cl::sub(owner.command), cl::cat(owner.category)) {
    auto offer = [&](const cl::Option &option, auto choices) {
      for (const auto &choice : choices)
        owner.offerValue(option, choice.first);
    };
    offer(format, llvm::ArrayRef(kFormats));
    offer(projects, llvm::ArrayRef(kProjects));
    offer(weights, llvm::ArrayRef(kWeights));
  }

  /// Returns std::nullopt after an error about the command line.
  std::optional<PackageForm> get() const {
    PackageForm form;
    auto chosenFormat = parseChoice<PackageFormat>("format", format, kFormats);
    auto chosenWeights = parseChoice<WeightsAs>("weights", weights, kWeights);
    if (!chosenFormat || !chosenWeights)
      return std::nullopt;
    form.format = *chosenFormat;
    form.weights = *chosenWeights;
    if (projects.getNumOccurrences())
      form.projects.clear();
    for (llvm::StringRef name : projects) {
      auto project = parseChoice<Project>("project", name, kProjects);
      if (!project)
        return std::nullopt;
      form.projects.insert(*project);
    }
    if (form.has(Project::Arduino) &&
        form.format == PackageFormat::ModelLibrary) {
      llvm::errs() << "uma: error: --project=arduino has the C in src/, where "
                      "--format=mlf has the model; use --format=flat\n";
      return std::nullopt;
    }
    return form;
  }

private:
  static constexpr Choice<PackageFormat> kFormats[] = {
      {"flat", PackageFormat::Flat}, {"mlf", PackageFormat::ModelLibrary}};
  static constexpr Choice<WeightsAs> kWeights[] = {
      {"auto", WeightsAs::Auto},
      {"array", WeightsAs::Arrays},
      {"incbin", WeightsAs::Binary},
      {"image", WeightsAs::Image}};
  static constexpr Choice<Project> kProjects[] = {{"cmake", Project::CMake},
                                                  {"make", Project::Make},
                                                  {"arduino", Project::Arduino},
                                                  {"zephyr", Project::Zephyr},
                                                  {"esp-idf", Project::ESPIDF}};

  cl::opt<std::string> format;
  cl::list<std::string> projects;
  cl::opt<std::string> weights;
};

} // namespace uma

#endif // UMA_TOOLS_UMA_FORMOPTIONS_H

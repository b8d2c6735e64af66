//===- CompileReport.h - Report of uma compile -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Joins what the parts of the compiler know about one package: operators of
// the graph and their devices, the calls that compute them, and the arena.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_REPORT_COMPILEREPORT_H
#define UMA_LIB_DRIVER_REPORT_COMPILEREPORT_H

#include "../Compile/Model.h"
#include "../Explain/Explanation.h"
#include "LayeredGraph.h"
#include "MemoryUse.h"

#include <optional>
#include <string>
#include <vector>

namespace uma {

/// An operator of the graph in the package.
struct ReportOperator {
  /// Step that computes it, or the first one if several do; std::nullopt for
  /// operators without code, such as a reshape.
  std::optional<size_t> step;
  std::string position; ///< of its pattern, `FILE:LINE`; may be empty
};

/// A step of the package; see MemoryUse::steps.
struct ReportStep {
  /// Operators that the step computes, or a part of them, in order.
  llvm::SmallVector<size_t> operators;
  int64_t macs = 0;
  std::optional<int64_t> cycles;      ///< of a device with a mapping, predicted
  std::optional<double> microseconds; ///< measured by `uma tune`
};

struct CompileReport {
  std::string model;   ///< file name
  std::string hash;    ///< SHA-256 of the model, as in the package
  std::string command; ///< command line without folders
  Explanation explanation;
  MemoryUse memory;
  std::vector<ReportOperator> operators; ///< as explanation.layers
  std::vector<ReportStep> steps;         ///< as memory.steps
  PackageSizes sizes;

  /// Joins operators and steps by the names of layers. Layers of equal names
  /// are joined in order.
  void joinOperators();
  /// Returns the reasons why the operators of a step run on the CPU, each once,
  /// the reason of the most expensive operator first. Empty on a device.
  std::string getReasons(const ReportStep &step) const;
  /// Returns the kinds of the operators of a step, each once: "conv2d, relu".
  std::string getKinds(size_t step) const;

private:
  void join(llvm::ArrayRef<size_t> named, llvm::ArrayRef<size_t> naming);
};

/// Adds the cycles of mapped layers to their steps.
void addCycles(llvm::ArrayRef<std::pair<std::string, int64_t>> cycles,
               CompileReport &report);

/// Prints JSON with one operator, step, tensor, ... per line; docs/report.md
/// has the schema.
void printJSON(const CompileReport &report, llvm::raw_ostream &os);

/// Converts to a self-contained page.
std::string toHTML(const CompileReport &report);

/// Returns a command line for a shell. Paths are reduced to the last name, so
/// that it is the same in all folders.
std::string getCommandText(llvm::ArrayRef<std::string> arguments);

} // namespace uma

#endif // UMA_LIB_DRIVER_REPORT_COMPILEREPORT_H

//===- Explanation.h - Data of uma explain -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_EXPLAIN_EXPLANATION_H
#define UMA_LIB_DRIVER_EXPLAIN_EXPLANATION_H

#include "../Compile/Model.h"

#include "uma/Accel/Partition/Report.h"

#include "llvm/Support/JSON.h"

namespace uma {

/// A number of operators and the multiply-accumulates in them.
struct Share {
  int64_t operators = 0;
  int64_t macs = 0;
};

/// Share of one target.
struct TargetShare {
  std::string target;
  Share share;
};

/// Share of the CPU for one reason.
struct ReasonShare {
  std::string accelerator;
  /// Reason without names of layers: "conv2d: strides is [2, 2], the pattern
  /// wants [1, 1]".
  std::string reason;
  Share share;
};

/// Placement costs of all functions, by policy.
struct PolicyCosts {
  accel::PlacementCost cost, greedy;
};

/// Targets of a model's operators, with reasons.
struct Explanation {
  std::string model;
  std::vector<std::string> accelerators;
  std::vector<accel::LayerReport> layers;
  Share total;
  /// Targets in the order in which layers name them.
  std::vector<TargetShare> targets;
  /// Reasons by MACs, then by operators, the largest first.
  std::vector<ReasonShare> reasons;
  /// Costs for the cost policy.
  std::optional<PolicyCosts> costs;
};

/// Explains the graph before partitioning. On return `module` holds it and the
/// descriptions.
ExitCode explainModel(const ModelOptions &options, ModelContext &context,
                      mlir::OwningOpRef<mlir::ModuleOp> &module,
                      Explanation &explanation);

/// Explains a graph before partitioning, with the descriptions of the
/// accelerators. The module does not change.
mlir::LogicalResult explainGraph(const ModelOptions &options,
                                 mlir::ModuleOp module,
                                 Explanation &explanation);

/// Keeps only the layers called `layer`; sums stay those of the whole model.
ExitCode selectLayer(llvm::StringRef layer, ModelContext &context,
                     Explanation &explanation);

/// Refuses --html together with `option`, --kernels or --mapping.
ExitCode refuseHTML(const ModelContext &context, llvm::StringRef option);

/// Returns rows of --kernels or --mapping as JSON; docs/explain.md has the
/// schemas.
llvm::json::Object makeJSON(llvm::StringRef format, llvm::StringRef model,
                            llvm::json::Array rows);

/// Prints an object of makeJSON.
void printJSON(llvm::json::Object json);

/// Sets `json` to the output of `uma explain --mapping --json`.
ExitCode explainMapping(const ModelOptions &options, ModelContext &context,
                        llvm::json::Object &json);

/// Converts to JSON; docs/explain.md has the schema.
llvm::json::Value toJSON(const Explanation &explanation);

/// Converts to a page of HTML: the graph beside the table of layers, with the
/// details of each. `module` has the descriptions.
std::string toHTML(const Explanation &explanation, mlir::ModuleOp module);

/// Formats the results of a layer: "f32[1, 8]".
std::string formatResults(const accel::LayerReport &layer);

/// Returns the position of a pattern, `FILE:LINE`; empty if unknown.
std::string getPatternPosition(mlir::ModuleOp module,
                               llvm::StringRef accelerator,
                               llvm::StringRef pattern);

/// Prints the table of layers and the sums.
void printExplanation(const Explanation &explanation);

/// Prints every operator of one layer with the closest patterns. `module` has
/// the descriptions.
void printLayerDetails(const Explanation &explanation, mlir::ModuleOp module);

} // namespace uma

#endif // UMA_LIB_DRIVER_EXPLAIN_EXPLANATION_H

//===- Explanation.h - The data of uma explain -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_EXPLANATION_H
#define UMA_LIB_DRIVER_EXPLANATION_H

#include "Model.h"

#include "uma/Accel/Partition/Report.h"

#include "llvm/Support/JSON.h"

namespace uma {

/// A number of operators and the multiply-accumulates in them.
struct Share {
  int64_t operators = 0;
  int64_t macs = 0;
};

/// What one target runs.
struct TargetShare {
  std::string target;
  Share share;
};

/// What the CPU keeps because of one reason.
struct ReasonShare {
  std::string accelerator;
  /// The reason without names of layers: "conv2d: strides is [2, 2], the
  /// pattern wants [1, 1]".
  std::string reason;
  Share share;
};

/// Where the operators of a model run, and why not elsewhere.
struct Explanation {
  std::string model;
  std::vector<std::string> accelerators;
  std::vector<accel::LayerReport> layers;
  Share total;
  /// In the order in which layers name them.
  std::vector<TargetShare> targets;
  /// By MACs, then by operators, the largest first.
  std::vector<ReasonShare> reasons;
};

/// Explains the graph that partitioning sees. `module` holds it and the
/// descriptions afterwards.
ExitCode explainModel(const ModelOptions &options, ModelContext &context,
                      mlir::OwningOpRef<mlir::ModuleOp> &module,
                      Explanation &explanation);

/// Leaves only the layers called `layer`; sums stay those of the whole model.
ExitCode selectLayer(llvm::StringRef layer, ModelContext &context,
                     Explanation &explanation);

/// The schema is in docs/explain.md.
llvm::json::Value toJSON(const Explanation &explanation);

/// Prints the table of layers and the sums.
void printExplanation(const Explanation &explanation);

/// Prints every operator of one layer with the closest patterns. `module` has
/// the descriptions.
void printLayerDetails(const Explanation &explanation, mlir::ModuleOp module);

} // namespace uma

#endif // UMA_LIB_DRIVER_EXPLANATION_H

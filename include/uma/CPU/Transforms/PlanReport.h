//===- PlanReport.h - The plan of the CPU's layers, printed -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The numbers are those that the uma-cpu-* passes choose by.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TRANSFORMS_PLANREPORT_H
#define UMA_CPU_TRANSFORMS_PLANREPORT_H

#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Model/Processor.h"

#include "llvm/Support/JSON.h"

namespace uma {

/// A planned layer, its estimated costs and the alternatives.
struct PlannedLayer {
  std::string name;
  std::vector<std::string> operators;
  KernelAttr kernel;
  /// Layout of the result; null for the order of the tensor.
  LayoutAttr layout;
  TilePairAttr pair;
  llvm::SmallVector<AlgorithmCost> algorithms;
  std::vector<ScheduleCost> schedules;
};

/// Returns the layers of a planned module, in the order of their calls.
std::vector<PlannedLayer> getPlannedLayers(mlir::ModuleOp module);

/// Prints a table with a row for each loop nest whose schedule is chosen, and a
/// column for each of the processor's sets of vector instructions.
void printPlan(llvm::raw_ostream &os, llvm::ArrayRef<PlannedLayer> layers,
               const Processor &processor);

/// Prints all attributes and versions of one layer.
void printLayerPlan(llvm::raw_ostream &os, const PlannedLayer &layer);

/// Returns the same as an object; docs/explain.md describes its members.
llvm::json::Object getPlanJSON(const PlannedLayer &layer);

} // namespace uma

#endif // UMA_CPU_TRANSFORMS_PLANREPORT_H

//===- PlanReport.h - Reports on the plan of the CPU's layers -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The costs are those by which the uma-cpu-* passes choose.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TRANSFORMS_PLANREPORT_H
#define UMA_CPU_TRANSFORMS_PLANREPORT_H

#include "uma/CPU/Model/LayerChoices.h"
#include "uma/CPU/Model/Processor.h"

#include "llvm/Support/JSON.h"

namespace uma {

/// A planned layer with its estimated costs and alternatives.
struct PlannedLayer {
  std::string name;
  std::vector<std::string> operators;
  KernelAttr kernel;
  /// Packed integers in a word, as instructions of descriptions write them:
  /// `u8[4]`; empty if the layer has no words.
  std::string words;
  /// Instruction with operands in memory, null if there is none.
  TileInstructionAttr instruction;
  /// Layout of the result; null for the order of the tensor.
  LayoutAttr layout;
  TilePairAttr pair;
  llvm::SmallVector<AlgorithmCost> algorithms;
  std::vector<ScheduleCost> schedules;
};

/// Returns the layers of a planned module, in the order of their calls.
std::vector<PlannedLayer> getPlannedLayers(mlir::ModuleOp module);

/// Prints a table with a row for each scheduled loop nest, and a column for
/// each of the processor's vector instruction sets.
void printPlan(llvm::raw_ostream &os, llvm::ArrayRef<PlannedLayer> layers,
               const Processor &processor);

/// Prints all attributes and versions of one layer.
void printLayerPlan(llvm::raw_ostream &os, const PlannedLayer &layer);

/// Returns the plan of a layer as JSON; docs/explain.md describes its members.
llvm::json::Object getPlanJSON(const PlannedLayer &layer);

} // namespace uma

#endif // UMA_CPU_TRANSFORMS_PLANREPORT_H

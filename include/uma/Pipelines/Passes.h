//===- Passes.h - The named pipelines of the project -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_PIPELINES_PASSES_H
#define UMA_PIPELINES_PASSES_H

#include "uma/Accel/Partition/Policy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <optional>

namespace uma {

/// The phases that a description can hook pass pipelines into, in the order in
/// which they run (TVM's `uma` and `tir.add_lower_pass` phases).
enum class Phase {
  PrePartitioning,
  PostPartitioning0,
  PostPartitioning1,
  TIRPhase0,
  TIRPhase1,
  TIRPhase2,
  TIRPhase3,
};

/// Returns the phase's name in descriptions: `PRE_PARTITIONING`, …,
/// `TIR_PHASE_3`.
llvm::StringRef getPhaseName(Phase phase);

/// Adds to `manager` the pipelines that the module's accelerators hook into
/// `phase`, in the order of the accelerators and of their descriptions. Emits
/// an error at the description and fails if a pipeline does not parse.
mlir::LogicalResult addPhasePipelines(mlir::ModuleOp module, Phase phase,
                                      mlir::OpPassManager &manager);

/// Returns whether the module's accelerators hook passes or scripts of their
/// own into phases.
bool hasForeignPasses(mlir::ModuleOp module);

#define GEN_PASS_DECL
#include "uma/Pipelines/Passes.h.inc"

/// Adds the passes of `uma-graph-default` to `manager`, for custom pipelines.
void buildGraphDefaultPipeline(mlir::OpPassManager &manager,
                               const GraphDefaultPassOptions &options = {});

/// Adds the passes that write quantized tensors as plain numbers, for the
/// `arithmetic` of `uma-graph-legalize-quantization`. Functions of bytes that
/// take more instructions than a `lookup` become tables; none if it is missing.
void buildLegalizeQuantizationPipeline(
    mlir::OpPassManager &manager, llvm::StringRef arithmetic,
    std::optional<unsigned> lookup = std::nullopt);

#define GEN_PASS_REGISTRATION
#include "uma/Pipelines/Passes.h.inc"

} // namespace uma

#endif // UMA_PIPELINES_PASSES_H

//===- Passes.td - Conversions between families and dialects -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_PASSES_TD
#define UMA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertGraphToTIRPass : Pass<"uma-convert-graph-to-tir", "::mlir::ModuleOp"> {
  let summary = "turn operators on tensors into loops on buffers";
  let description = [{
    Every layer of the entry function becomes a `uma.tir.func` made by its
    operator strategy; the entry function becomes the list of their calls, with
    a workspace buffer for each intermediate tensor. Functions with a
    `uma.target` become the extern calls that the accelerator's patterns name.
    Reshapes move no data. Source: TVM's `relay_to_tir`.
  }];
  let dependentDialects = ["::uma::UMADialect", "::mlir::affine::AffineDialect"];
}

#endif // UMA_CONVERSION_PASSES_TD

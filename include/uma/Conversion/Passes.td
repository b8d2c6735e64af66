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

def ConvertTIRToEmitCPass : Pass<"uma-convert-tir-to-emitc", "::mlir::ModuleOp"> {
  let summary = "convert plain TIR to EmitC";
  let description = [{
    Turns a module in plain TIR, one-dimensional buffers whose workspace offsets are planned, into a module of
    `emitc` operations that `mlir-translate --mlir-to-cpp` or `uma-translate --uma-to-c` prints as
    one C99 file which is C++ as well:

    - every function reachable from a public one becomes a C function, callees first. Buffers are pointer
      arguments, `const` where only read and `restrict` where no call lets them overlap;
    - a function in which a device may report an error returns `int32_t`; a non-zero status is returned at once. The
      public function also tells `UMA_ON_ERROR(layer, status)`;
    - a public function with a memory plan takes the workspace as its last argument; that of a network is called
      `<network>_run`;
    - constants become `static const` arrays, f16 and bf16 are `uint16_t` in memory;
    - `uma.accel` descriptions become `#include`s of the headers they name, where a device is called.

    Operations that C cannot express are errors on the operation. Source: upstream's
    `convert-to-emitc`, which has no `const`, `restrict` or status.
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect", "::mlir::arith::ArithDialect"];
}

#endif // UMA_CONVERSION_PASSES_TD

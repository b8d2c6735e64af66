//===- AccelOps.td - Operations of the accel family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MLIR form of the description language (`docs/description-language.md`).
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELOPS_TD
#define UMA_ACCEL_IR_ACCELOPS_TD

include "uma/Accel/IR/AccelBase.td"
include "uma/Accel/IR/AccelPatternOps.td"
include "uma/Accel/IR/AccelQuantOps.td"

def Accel_AcceleratorOp : Accel_Op<"accelerator", [Symbol, SymbolTable, IsolatedFromAbove,
    NoRegionArguments, SingleBlock, NoTerminator]> {
  let summary = "the description of one accelerator";
  let description = [{
    Contains everything that the compiler knows about a device. It is part of the module that uses it, so that another
    tool can lower a partitioned module later. Source: TVM's `UMABackend`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.include "npu.h"
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$source);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the target attribute called `name`, or null if there is none.
    AttributeOp getAttribute(::llvm::StringRef name);
    /// Returns the memory called `name`, or null if there is none.
    MemoryOp getMemory(::llvm::StringRef name);
    /// Returns the engine called `name`, or null if there is none.
    EngineOp getEngine(::llvm::StringRef name);
    /// Returns the `uma.target` of this accelerator's functions and operations: its name and the values of its
    /// attributes.
    ::uma::TargetAttr getTarget();
  }];
}

def Accel_IncludeOp : Accel_Op<"include", [HasParent<"AcceleratorOp">]> {
  let summary = "a header that the emitted C includes";
  let description = [{
    Every emitted file that calls the accelerator includes it once, with quotes. Source: UMA's
    `_register_codegen(includes = …)`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.include "npu.h"
    }
    ```
  }];
  let arguments = (ins StrAttr:$header);
  let assemblyFormat = "$header attr-dict";
  let hasVerifier = 1;
}

def Accel_ModelOp : Accel_Op<"model", [HasParent<"AcceleratorOp">]> {
  let summary = "a C source file that models the device on the host";
  let description = [{
    `uma run` and the package's own Makefile compile and link it to run the emitted C without the device. The path is
    relative to the description's folder until the loader resolves it.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.model "npu_model.c"
    }
    ```
  }];
  let arguments = (ins StrAttr:$file);
  let assemblyFormat = "$file attr-dict";
  let hasVerifier = 1;
}

def Accel_LinkOp : Accel_Op<"link", [HasParent<"AcceleratorOp">]> {
  let summary = "a library that the accelerator's C needs";
  let description = [{
    `library` is the name for the linker's `-l`. Build files of packages that call the accelerator link it after the
    objects.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.link "npudriver"
    }
    ```
  }];
  let arguments = (ins StrAttr:$library);
  let assemblyFormat = "$library attr-dict";
  let hasVerifier = 1;
}

def Accel_PipelineOp : Accel_Op<"pipeline", [HasParent<"AcceleratorOp">]> {
  let summary = "passes that run in one phase";
  let description = [{
    Adds `passes`, an MLIR textual pass pipeline anchored on `builtin.module`, to a phase: `PRE_PARTITIONING`,
    `POST_PARTITIONING_0`, `POST_PARTITIONING_1`, `TIR_PHASE_0` … `TIR_PHASE_3`. Several pipelines of one phase run in
    source order. Source: UMA's `_register_relay_pass` and `_register_tir_pass`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pipeline "TIR_PHASE_1" "cse"
    }
    ```
  }];
  let arguments = (ins StrAttr:$phase, StrAttr:$passes);
  let assemblyFormat = "$phase $passes attr-dict";
  let hasVerifier = 1;
}

include "uma/Accel/IR/AccelCostOps.td"
include "uma/Accel/IR/AccelDeviceOps.td"
include "uma/Accel/IR/AccelInstructionOps.td"
include "uma/Accel/IR/AccelMappingOps.td"

#endif // UMA_ACCEL_IR_ACCELOPS_TD

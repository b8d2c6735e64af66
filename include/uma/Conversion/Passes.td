//===- Passes.td - Conversions between families and dialects -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_PASSES_TD
#define UMA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertGraphToTIRPass : Pass<"convert-uma-graph-to-uma-tir", "::mlir::ModuleOp"> {
  let summary = "convert operators on tensors to loops on buffers";
  let description = [{
    Every layer of the entry function becomes a `uma.tir.func`, built by its operator strategy. The entry function
    becomes a list of calls to them, with a workspace buffer for each intermediate tensor. Functions with a
    `uma.target` become the extern calls that the accelerator's patterns name. Reshapes move no data. Source: TVM's
    `relay_to_tir`.

    A slice of the outermost dimension (behind dimensions of size 1) is a `uma.tir.view` of its data. The operands of a concatenation
    along it are computed directly in parts of its result; only those that have another place (inputs, constants, outputs, operands of a second
    concatenation) are copied. Views begin at multiples of 4 bytes, or of 64 bytes and the alignments of devices' memories if the
    processor has vectors or the module calls a device.

    The layers of the CPU, i.e. functions with `uma.primitive`, are lowered as their attributes specify (set by
    `uma-cpu-form-layers` and the passes after it); this pass makes no choices. With `vectorize`, standalone softmax,
    normalisations, reductions and transposes get vector loops (`uma.tir.multiversion`), too.
  }];
  let options = [
    Option<"vectorize", "vectorize", "bool", "false",
           "Vectorize the loops of operators along an axis; off by default">,
    Option<"releaseConstants", "release-constants", "bool", "false",
           "Free the elements of weights once their last kernel has packed them; only for modules that are alone in their context">,
    Option<"deviceReferences", "device-references", "bool", "false",
           "Attach the computation of its matches to each function that calls a device (`uma.references`); the C then "
           "calls the hooks UMA_DEVICE_BEGIN, CALL and END, for `uma run --compare`">
  ];
  let dependentDialects = ["::uma::UMADialect", "::mlir::affine::AffineDialect", "::mlir::vector::VectorDialect"];
}

def ConvertGraphToLinalgPass : Pass<"convert-uma-graph-to-linalg", "::mlir::ModuleOp"> {
  let summary = "convert operators on tensors to linalg";
  let description = [{
    Every operator of the graph becomes `linalg`, `tensor`, `arith` and `math` operations on tensors, ready for any
    upstream pipeline: a named operation if `linalg` has one for the operator and its layout, otherwise a
    `linalg.generic`. Signatures of functions are unchanged.

    The body of a function with a `uma.target` becomes the calls of its accelerator's patterns. The C functions that
    the description names become private `func.func`s that take `!llvm.ptr` for tensors and `i32` (C's `int`) for
    sizes, and return an `i32`. A non-zero status aborts the program (`cf.assert`). Descriptions and `uma.*`
    attributes are removed, so that no `uma` operation or attribute remains.

    All operations that cannot be converted (operators that `linalg` cannot express yet, unsigned integers) are
    reported as errors. Half-precision floats are computed in f32, as in the C that `uma-lower` leads to. Source:
    upstream's `tosa-to-linalg`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertLinalgToTIRPass : Pass<"convert-linalg-to-uma-tir", "::mlir::ModuleOp"> {
  let summary = "convert linalg to blocks in loops";
  let description = [{
    Every function with `linalg` operations becomes a `uma.tir.func`: one loop nest around a `uma.tir.block` per
    operation, ready to be scheduled. Iterator types become the kinds of iteration variables; indexing maps become the
    regions read and written. A `linalg.fill` whose buffer is next used by a reduction becomes the reduction's init
    region. Blocks are named after named operations; loops are labelled `d0`, `d1` …

    Tensors are first bufferized by upstream's one-shot bufferization, and results become arguments with the attribute
    `uma.output`. Dynamic shapes, non-identity layouts, control flow, calls and other operations are errors. Source:
    TVM's `te.create_prim_func`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect", "::uma::UMADialect"];
}

def ConvertTIRToEmitCPass : Pass<"convert-uma-tir-to-emitc", "::mlir::ModuleOp"> {
  let summary = "convert plain TIR to EmitC";
  let description = [{
    Converts a module in plain TIR, with one-dimensional buffers and planned workspace offsets, to `emitc` operations
    that `mlir-translate --mlir-to-cpp` or `uma-translate --uma-to-c` prints as one C99 file that is also valid C++:

    - every function reachable from a public one becomes a C function, callees first. Buffers become pointer
      arguments, `const` if they are only read and `restrict` unless a call lets them overlap;
    - a function in which a device may report an error returns `int32_t`; a non-zero status is returned at once. The
      public function also passes it to `UMA_ON_ERROR(layer, status)`;
    - a public function with a memory plan takes the workspace as its last argument; the function of a network is
      named `<network>_run`, with the network's name turned into an identifier;
    - constants become `static const` arrays, f16 and bf16 are `uint16_t` in memory, floats of 8 bits `uint8_t`;
    - with `weights-parameter`, constants are parts of an image. The attribute `uma.image_offset` of each is its place;
    - with `threads=openmp`, parallel loops get OpenMP pragmas, except in functions whose buffers may overlap;
    - `uma.accel` descriptions become `#include`s of their headers if the device is called.

    An operation that C cannot express is an error. Source: upstream's `convert-to-emitc`, which has no `const`,
    `restrict` or status.
  }];
  let options = [
    Option<"threads", "threads", "::uma::Threads", "::uma::Threads::None", "Runtime that executes parallel loops",
           [{::llvm::cl::values(
              clEnumValN(::uma::Threads::None, "none", "none: they run serially"),
              clEnumValN(::uma::Threads::OpenMP, "openmp", "OpenMP, if the C compiler enables it"))}]>,
    Option<"lineDirectives", "line-directives", "bool", "false", "Print #line before each call of a description, "
           "and a mark after it, which the package writer replaces by a #line of the generated file">,
    Option<"prefix", "prefix", "std::string", "\"\"",
           "Prefix of the network's names in C, converted to an identifier; the network's name by default. Ignored for "
           "modules without a network">,
    Option<"layerRange", "layer-range", "bool", "false",
           "Add the function `<network>_run_layers`, which runs the calls of a range, behind `#ifdef UMA_RUN_LAYERS`">,
    Option<"weightsParameter", "weights-parameter", "bool", "false",
           "Take constants from an image, whose address is the last parameter of `<network>_run_with_weights`, instead "
           "of arrays">,
    ListOption<"reserved", "reserved", "std::string",
               "Identifiers of the devices' headers, which are not used for functions, constants or variables in C">
  ];
  let dependentDialects = ["::mlir::emitc::EmitCDialect", "::mlir::arith::ArithDialect"];
}

def ConvertTosaToGraphPass : Pass<"convert-tosa-to-uma-graph", "::mlir::ModuleOp"> {
  let summary = "convert TOSA to operators of the graph";
  let description = [{
    Every TOSA operation becomes one or a few operators of `uma.graph`. Signatures of functions and operations of
    other dialects are unchanged. Convolutions and pools stay NHWC; `uma-graph-convert-layout` changes their layout.
    Shapes must be static: run `tosa-infer-shapes` first if they are not.

    Operations are converted if operators of the graph compute the same: zero points must be 0, and requantisation
    (`tosa.rescale`), control flow, variables, lookup tables and FFTs have no equivalent. Each such operation is
    reported as an error with the reason. A `tosa.clamp` with lower bound 0 whose upper bound is the largest finite
    number or infinity becomes a `relu`.
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

#endif // UMA_CONVERSION_PASSES_TD

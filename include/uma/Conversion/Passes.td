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

    The layers of the CPU, functions with `uma.primitive`, become what their attributes say (`uma-cpu-form-layers` and the
    passes behind it): this pass chooses nothing. With `vectorize`, softmax, norms, reductions and transposes that stand alone get
    loops with vectors (`uma.tir.multiversion`), too.
  }];
  let options = [
    Option<"vectorize", "vectorize", "bool", "false",
           "Loops with vectors for operators along an axis; off by default">,
    Option<"releaseConstants", "release-constants", "bool", "false",
           "Free the elements of weights after their last kernel has reordered them; for modules that are alone in their context">,
    Option<"deviceReferences", "device-references", "bool", "false",
           "Attach to each function that calls a device what its matches compute (`uma.references`); the C then calls "
           "the hooks UMA_DEVICE_BEGIN, CALL and END, for `uma run --compare`">
  ];
  let dependentDialects = ["::uma::UMADialect", "::mlir::affine::AffineDialect", "::mlir::vector::VectorDialect"];
}

def ConvertGraphToLinalgPass : Pass<"convert-uma-graph-to-linalg", "::mlir::ModuleOp"> {
  let summary = "convert operators on tensors to linalg";
  let description = [{
    Every operator of the graph becomes `linalg`, `tensor`, `arith` and `math` operations on tensors, so that any upstream
    pipeline goes on from there: named operations where `linalg` has one for the operator and its layout, else
    `linalg.generic`. Signatures of functions stay.

    A function with a `uma.target` gets the calls of its accelerator's patterns as its body: the C functions
    that the description names become private `func.func`s that take `!llvm.ptr` for tensors, `i32` (C's `int`) for sizes and
    return an `i32`. A status other than 0 ends the program (`cf.assert`). Descriptions and `uma.*` attributes go, so
    that nothing of `uma` is left.

    What cannot be converted (operators that `linalg` cannot express yet, unsigned integers) is reported, all of it.
    Half-precision floats are computed in f32, as in the C that `uma-lower` leads to. Source: upstream's `tosa-to-linalg`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertLinalgToTIRPass : Pass<"convert-linalg-to-uma-tir", "::mlir::ModuleOp"> {
  let summary = "convert linalg to blocks in loops";
  let description = [{
    Every function with `linalg` operations becomes a `uma.tir.func`: one nest of loops around a `uma.tir.block` per operation, ready to
    be scheduled. Iterators become the kinds of iteration variables, indexing maps the regions read and written. A
    `linalg.fill` whose buffer a reduction uses next becomes the reduction's init region. Named operations give blocks their names; loops
    are labelled `d0`, `d1` …

    Tensors become buffers by upstream's one-shot bufferization first, and results become arguments with the attribute
    `uma.output`. Dynamic shapes, other layouts than the identity, control flow, calls and other
    operations are errors. Source: TVM's `te.create_prim_func`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect", "::uma::UMADialect"];
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
      `<network>_run`, where `<network>` is an identifier made of its name;
    - constants become `static const` arrays, f16 and bf16 are `uint16_t` in memory;
    - loops of kind parallel get pragmas of OpenMP with `threads=openmp`, but for functions whose buffers a call lets overlap;
    - `uma.accel` descriptions become `#include`s of the headers they name, where a device is called.

    Operations that C cannot express are errors on the operation. Source: upstream's
    `convert-to-emitc`, which has no `const`, `restrict` or status.
  }];
  let options = [
    Option<"threads", "threads", "::uma::Threads", "::uma::Threads::None", "Who runs loops of kind parallel on threads",
           [{::llvm::cl::values(
              clEnumValN(::uma::Threads::None, "none", "nobody: they are loops"),
              clEnumValN(::uma::Threads::OpenMP, "openmp", "OpenMP, where the C compiler has it switched on"))}]>,
    Option<"lineDirectives", "line-directives", "bool", "false", "Print #line before each call that a description "
           "asks for, and a mark behind it, which the package writer replaces by a #line of its own file">,
    Option<"prefix", "prefix", "std::string", "\"\"",
           "Start of the network's names in C, turned into an identifier; the network's name by default. Without effect "
           "on modules without a network">,
    ListOption<"reserved", "reserved", "std::string",
               "Identifiers of the devices' headers, which no function, constant or named variable in C gets">
  ];
  let dependentDialects = ["::mlir::emitc::EmitCDialect", "::mlir::arith::ArithDialect"];
}

def ConvertTosaToGraphPass : Pass<"convert-tosa-to-uma-graph", "::mlir::ModuleOp"> {
  let summary = "convert TOSA to operators of the graph";
  let description = [{
    Every TOSA operation becomes one or a few operators of `uma.graph`. Signatures of functions stay, and so does everything
    that is no TOSA. Convolutions and pools stay NHWC: `uma-graph-convert-layout` gives them another layout. Shapes are static: run `tosa-infer-shapes` first where they are not.

    Floats and integers are converted as far as operators of the graph compute the same: zero points have to be 0,
    and requantisation (`tosa.rescale`), control flow, variables, lookup tables and FFTs have no equivalent. Each of these is an
    error that says why, and all of them are reported. A `tosa.clamp` to at least 0 whose other bound is the largest finite number or
    infinity is a `relu`, as producers of TOSA mean it.
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

#endif // UMA_CONVERSION_PASSES_TD

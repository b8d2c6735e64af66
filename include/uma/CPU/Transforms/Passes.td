//===- Passes.td - Transforms of the CPU's layers -*- tablegen -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// In the order in which uma-lower runs them. A pass sets one kind of attribute
// and keeps attributes that are set already.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TRANSFORMS_PASSES
#define UMA_CPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SetProcessorPass : Pass<"uma-cpu-set-processor", "::mlir::ModuleOp"> {
  let summary = "set the processor that layers are planned for";
  let description = [{
    Sets `uma.processor` on the module to a processor of the table (`uma list --cpus`), of this machine (`native`) or of a file. Later
    passes take the parameters of their cost models from it, and layers get versions for its instruction sets only. An existing
    attribute stays. Without `cpu` the pass does nothing, and the package is for any processor.

    ```
    uma-opt net.mlir --uma-cpu-set-processor=cpu=cortex-m4
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"\"",
           "The processor: a name of the table, native, or a file; any processor by default">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def FormLayersPass : Pass<"uma-cpu-form-layers", "::mlir::ModuleOp"> {
  let summary = "outline operators that one CPU kernel computes";
  let description = [{
    Moves operators into private functions with the attribute `uma.primitive`, one for each layer. A layer is an operator that has a kernel
    (a convolution, a matrix product, a pool, …) and the elementwise operators after it, or elementwise operators only. Constants
    are operands of the call. Existing functions stay, and operators without a kernel stay in the network.

    A reshape, a transpose and a reshape that permute the channels of an image are one layer, with a concatenation before them and a slice
    of channels after them. If only slices read the result and its data comes from convolutions, the pass clones the operators for each
    slice: two layers that each move half of the channels replace the shuffle and both slices.

    An operator is fused with its immediate post-dominator, the next operator through which all uses of its result pass, and with
    all operators between the two. So only the last result of a layer is used outside. Source: Relay `FuseOps`; `max-depth=1`
    corresponds to its `fuse_opt_level` 0.

    ```mlir
    %0 = uma.graph.conv2d %x, %w : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
    %1 = uma.graph.relu %0 : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    // becomes:
    %1 = call @conv2d_relu(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
    ```
  }];
  let options = [
    Option<"maxDepth", "max-depth", "int64_t", "64", "Maximum number of operators in a layer; 64 by default">
  ];
  let statistics = [
    Statistic<"numLayers", "layers", "Functions made">,
    Statistic<"numFused", "fused", "Operators in them">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::uma::UMADialect"];
}

def NarrowResultsPass : Pass<"uma-cpu-narrow-results", "::mlir::ModuleOp"> {
  let summary = "pass quantized numbers from layer to layer as integers of 8 bits";
  let description = [{
    A layer that ends with a dequantization, for one elementwise reader, would store f32. The pass makes it return the integers,
    and layers that read its result dequantize them: they get the operators after `uma.graph.round` and their constants. Layers
    whose anchor reads the result, and readers that are no layers, keep what they have.

    ```mlir
    %0 = call @conv2d_round_multiply(%x, %w, %scale) : (tensor<1x3x8x8xui8>, tensor<4x3x1x1xi8>, tensor<f32>) -> tensor<1x4x8x8xf32>
    %1 = call @conv2d_add(%y, %w, %0) : (tensor<1x3x8x8xui8>, tensor<4x3x1x1xi8>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    // becomes:
    %0 = call @conv2d_round_multiply(%x, %w) : (tensor<1x3x8x8xui8>, tensor<4x3x1x1xi8>) -> tensor<1x4x8x8xi8>
    %1 = call @conv2d_add(%y, %w, %0, %scale) : (tensor<1x3x8x8xui8>, tensor<4x3x1x1xi8>, tensor<1x4x8x8xi8>, tensor<f32>) -> tensor<1x4x8x8xf32>
    ```
  }];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Results that became integers">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def InlineLayersPass : Pass<"uma-cpu-inline-layers", "::mlir::ModuleOp"> {
  let summary = "inline layers into the network";
  let description = [{
    Replaces every call to a function with `uma.primitive` by its body and erases the function. This is the inverse of
    `uma-cpu-form-layers`. Calls to functions of accelerators stay. `uma-lower` runs it if all layers are plain loops.

    Source: Relay `DefuseOps`.

    ```mlir
    %0 = call @exp_relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes:
    %1 = uma.graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    %0 = uma.graph.relu %1 : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let statistics = [
    Statistic<"numInlined", "inlined", "Calls replaced by the operators">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::uma::UMADialect"];
}

def LoadScriptsPass : Pass<"uma-cpu-load-scripts", "::mlir::ModuleOp"> {
  let summary = "assign transform scripts to layers";
  let description = [{
    Reads a file of `transform.named_sequence` operations and adds them to the module. If one has the attribute `uma.layers`, an
    array of layer names as `uma explain` prints them, sets `uma.kernel` on these layers to the script. Layers with a `uma.kernel` keep it.

    ```mlir
    transform.named_sequence @pointwise(%layer: !transform.any_op {transform.readonly}) attributes {uma.layers = ["conv_1"]} { ... }
    // with --uma-cpu-load-scripts=scripts=mine.mlir:
    func.func private @conv_1_conv2d(...) attributes {uma.kernel = #uma.cpu.kernel<script, @pointwise>, uma.primitive}
    ```
  }];
  let options = [
    Option<"scripts", "scripts", "std::string", "\"\"", "The file; no scripts by default">
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect", "::uma::UMADialect"];
}

def AssignLayoutsPass : Pass<"uma-cpu-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "choose the layouts of tensors between layers";
  let description = [{
    Sets `uma.layout` on arguments and results of the functions of layers. The data and the result of a depthwise convolution, a pool, an
    addition or a concatenation share one layout; such tensors form a class. If a convolution writes a tensor of a class, the class
    stores channels in blocks that fit vector registers. Data that a convolution reads with padding gets a halo of zeros.

    Shuffles of channels read and write any blocks, and so do concatenations of channels whose tensors have no block of 16 channels in
    common: these belong to several classes.

    Existing layouts stay, and the others follow from them. If a layer requires a layout other than the one in which the tensor is
    stored, `convert-uma-graph-to-uma-tir` copies the tensor.

    ```mlir
    func.func private @conv(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c, pad = [1, 1, 1, 1]>}, …)
        -> (tensor<1x32x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}) attributes {uma.primitive}
    ```
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

def NarrowProductsPass : Pass<"uma-cpu-narrow-products", "::mlir::ModuleOp"> {
  let summary = "multiply f32 as bf16";
  let description = [{
    Converts data and constant weights of `conv2d` and `dense` from f32 to bf16, where a kernel of words computes the layer: an even
    number of channels, no groups. Sums stay in f32 (`out_dtype f32`). A bf16 has 8 significant bits, so that a product is off by up
    to 0.8 %. `uma-lower` runs this with `math=bf16`, on what no accelerator took. Sources: the math modes of Arm Compute
    Library and oneDNN.

    ```mlir
    %0 = uma.graph.dense %x, %w : (tensor<1x64xf32>, tensor<16x64xf32>) -> tensor<1x16xf32>
    // becomes:
    %1 = uma.graph.cast %x to bf16 : (tensor<1x64xf32>) -> tensor<1x64xbf16>
    %2 = uma.graph.dense %1, %v out_dtype f32 : (tensor<1x64xbf16>, tensor<16x64xbf16>) -> tensor<1x16xf32>
    ```
  }];
  let statistics = [Statistic<"numNarrowed", "narrowed", "Layers that multiply numbers of bf16">];
  let dependentDialects = ["::uma::UMADialect"];
}

def WidenFloatsPass : Pass<"uma-cpu-widen-floats", "::mlir::ModuleOp"> {
  let summary = "compute f16 and bf16 in f32";
  let description = [{
    Replaces operators that compute with f16 or bf16 by the same in f32, for which the CPU has kernels. Tensors between them are f32 as well and
    are not rounded, so that results are closer to those of real numbers than if each operator rounded its result; a number that f16 does not
    hold is infinite only where it is stored. Inputs are converted where they are read, results of the network and operands of other operators
    and devices where they are written, constants at compile time. Operators that move elements convert nothing: they move what is there. A
    `cast` of the model to f16 or bf16 rounds, also if a cast to f32 follows. Layers that multiply words of bf16 stay. `uma-lower` runs this on what no accelerator took.

    ```mlir
    %0 = uma.graph.relu %x : tensor<8xf16>
    %1 = uma.graph.exp %0 : tensor<8xf16>
    // becomes:
    %2 = uma.graph.cast %x to f32 : (tensor<8xf16>) -> tensor<8xf32>
    %3 = uma.graph.relu %2 : tensor<8xf32>
    %4 = uma.graph.exp %3 : tensor<8xf32>
    %5 = uma.graph.cast %4 to f16 : (tensor<8xf32>) -> tensor<8xf16>
    ```
  }];
  let statistics = [Statistic<"numWidened", "widened", "Operators that compute in f32">];
  let dependentDialects = ["::uma::UMADialect"];
}

def SelectKernelsPass : Pass<"uma-cpu-select-kernels", "::mlir::ModuleOp"> {
  let summary = "choose the algorithm of each layer";
  let description = [{
    Sets `uma.kernel` on the functions of layers (see `#uma.cpu.kernel`). Winograd's and Strassen's algorithms need fewer products but
    more weights. A remark (category `uma-cpu`) lists the costs of the applicable algorithms.

    ```
    uma-opt net.mlir --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels --remarks-filter=uma-cpu
    ```
  }];
  let options = [
    Option<"winograd", "winograd", "bool", "false",
           "Use Winograd's algorithm for 3x3 convolutions and Strassen's for matrix products wherever they are faster; weights grow up to fourfold">,
    Option<"weightGrowth", "weight-growth", "unsigned", "0",
           "Percent by which weights may grow for Strassen's algorithm, which is faster for large products on some processors; 0 by default, no limit with `winograd`">,
    Option<"tuning", "tuning", "std::string", "\"\"",
           "A database of 'uma tune' with measured algorithms, which replace the model's choice">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def TilePairsPass : Pass<"uma-cpu-tile-pairs", "::mlir::ModuleOp"> {
  let summary = "tile convolutions with their depthwise consumers";
  let description = [{
    Sets `uma.tile_pair` on a convolution whose result is consumed by a depthwise convolution with a stride. Such a consumer reads several
    times as much data as it writes, with little arithmetic. Producer-consumer tiling keeps the tensor between the two in the cache
    and reduces it to a fraction of the memory. Source: Halide's `compute_at` with `store_at`, but between functions, so that each
    layer stays a function.
  }];
  let options = [
    Option<"tuning", "tuning", "std::string", "\"\"", "A database of 'uma tune' with measured pack widths of weights">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def TileProducersPass : Pass<"uma-cpu-tile-producers", "::mlir::ModuleOp"> {
  let summary = "compute elementwise layers in the tiles of the convolutions that read them";
  let description = [{
    Sets `uma.tile_producer` on a convolution of 1x1 whose data is the result of an elementwise layer that nothing else reads. The kernel
    computes that layer for each tile of pixels, in a local buffer of all channels, and the tensor between the two takes no memory.
    That pays where there are at least as many pixels as output channels, and half of the second cache holds the weights, since each
    tile reads all of them. With `threads`, data that one thread would write and another one read is saved, too. Without, blocked
    convolutions and producers that work in place stay layers of their own. Source: Halide's `compute_at`, MLIR's `scf::tileConsumerAndFuseProducersUsingSCF`.
  }];
  let options = [
    Option<"threads", "threads", "bool", "false", "Threads share the tiles">,
    Option<"tuning", "tuning", "std::string", "\"\"", "A database of 'uma tune' with measured pack widths of weights">
  ];
  let statistics = [Statistic<"numProducers", "producers", "Elementwise layers that their readers compute">];
  let dependentDialects = ["::uma::UMADialect"];
}

def SchedulePass : Pass<"uma-cpu-schedule", "::mlir::ModuleOp"> {
  let summary = "choose the schedules of kernels";
  let description = [{
    Sets `uma.schedules` on the functions of layers: the pack width of the weights, and for each instruction set the register tile,
    the slices of the reduction, cache blocking, and prefetching of weights. Layers in the database `tuning` get their measured
    schedule; an analytic model of the processor chooses the others. A remark (category `uma-cpu`) lists the costs of the chosen and
    the second-best tile.

    ```mlir
    uma.schedules = [#uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16>, <avx2, tile = 6x2x8>,
                                                              <simd128, tile = 6x2x4>, <scalar, tile = 2x4x1>]>]
    ```
  }];
  let options = [
    Option<"tuning", "tuning", "std::string", "\"\"",
           "A database of 'uma tune' with measured schedules, which replace the model's choice">,
    Option<"nameWorkloads", "name-workloads", "bool", "false",
           "Set `uma.workload` on each function to the workload of its schedule">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def ApplyScriptsPass : Pass<"uma-cpu-apply-scripts", "::mlir::ModuleOp"> {
  let summary = "apply transform scripts to the loops of layers";
  let description = [{
    Applies a `transform.named_sequence` to each function of schedulable TIR that names one (`uma.script`, from the kernel `script` of
    the layer). Buffers between operators that remain in the workspace become arguments. Erases the scripts. Runs after
    `convert-uma-graph-to-uma-tir`. Source: upstream's `transform-interpreter`.
  }];
  let statistics = [
    Statistic<"numScheduled", "scheduled", "Layers that a script scheduled">
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect", "::uma::UMADialect"];
}

def VerifyPass : Pass<"uma-cpu-verify", "::mlir::ModuleOp"> {
  let summary = "check that all decisions about layers are complete and consistent";
  let description = [{
    Checks every function with `uma.primitive`: it is private and called once, its kernel can compute its operators, its layouts
    match those that the kernel reads and writes, and each schedule can be built. The error names layer, attribute and reason.
    `convert-uma-graph-to-uma-tir` makes no choices and relies on these checks.
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

#endif // UMA_CPU_TRANSFORMS_PASSES

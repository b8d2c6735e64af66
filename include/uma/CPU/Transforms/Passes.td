//===- Passes.td - What is decided about the CPU's layers -*- tablegen -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// In the order in which uma-lower runs them. A pass writes one kind of
// attribute; what is there already, it keeps.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TRANSFORMS_PASSES
#define UMA_CPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SetProcessorPass : Pass<"uma-cpu-set-processor", "::mlir::ModuleOp"> {
  let summary = "say which processor layers are planned for";
  let description = [{
    Writes `uma.processor` on the module: the processor `cpu` of the table (`uma list --cpus`), of this machine (`native`) or of a file. All
    later passes take the numbers of their models from it, and layers get versions for its instructions alone. One that is
    there already stays; without `cpu` nothing is written, and the package is for any processor.

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
  let summary = "group operators that one kernel of the CPU computes";
  let description = [{
    Moves operators into private functions with the attribute `uma.primitive`, one for each layer: an operator that has a kernel (a convolution,
    a product of matrices, a pool, …) and the elementwise ones behind it, or elementwise ones alone. Constants
    are operands of the call. Functions that are there already stay; what no kernel computes stays in the network.

    An operator joins its immediate post-dominator, the next operator that all uses of its result lead to, together with
    everything between the two, so that of a layer only the last result is used outside. Source: Relay `FuseOps`, whose `fuse_opt_level` 0 is `max-depth=1`.

    ```mlir
    %0 = uma.graph.conv2d %x, %w : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
    %1 = uma.graph.relu %0 : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    // becomes:
    %1 = call @conv2d_relu(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
    ```
  }];
  let options = [
    Option<"maxDepth", "max-depth", "int64_t", "64", "The most operators in a layer; 64 by default">
  ];
  let statistics = [
    Statistic<"numLayers", "layers", "Functions made">,
    Statistic<"numFused", "fused", "Operators in them">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::uma::UMADialect"];
}

def InlineLayersPass : Pass<"uma-cpu-inline-layers", "::mlir::ModuleOp"> {
  let summary = "put the operators of layers back into the network";
  let description = [{
    Replaces every call of a function with `uma.primitive` by its body and erases the function: undoes
    `uma-cpu-form-layers`. Functions of accelerators stay calls. `uma-lower` runs it where all layers are plain loops.

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
  let summary = "say which layers a script schedules";
  let description = [{
    Reads a file of `transform.named_sequence`s, adds them to the module, and gives those with the attribute `uma.layers`, an
    array of names, to the layers of these names: as `uma.kernel`. A layer that has one keeps it. Names of layers are those of `uma explain`.

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
  let summary = "decide in which order tensors lie between layers";
  let description = [{
    Writes `uma.layout` on arguments and results of the functions of layers. The data and the result of a depthwise convolution, of a pool, of an
    addition or of a concatenation lie in one order. Such tensors form a class, and a class that a convolution writes into
    has its channels in blocks, since that is what a vector register holds. Around data that a convolution reads with padding lies a border of zeros.

    Layouts that are there stay, and the others follow from them; where a layer wants another order than the tensor lies in, `uma-convert-graph-to-tir`
    copies it.

    ```mlir
    func.func private @conv(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c, pad = [1, 1, 1, 1]>}, …)
        -> (tensor<1x32x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}) attributes {uma.primitive}
    ```
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

def SelectKernelsPass : Pass<"uma-cpu-select-kernels", "::mlir::ModuleOp"> {
  let summary = "choose the algorithm of each layer";
  let description = [{
    Writes `uma.kernel` on the functions of layers (see `#uma.cpu.kernel`). Winograd's and Strassen's algorithms take fewer products and
    more weights; a remark (category `uma-cpu`) says what the algorithms that apply would cost.

    ```
    uma-opt net.mlir --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels --remarks-filter=uma-cpu
    ```
  }];
  let options = [
    Option<"winograd", "winograd", "bool", "false",
           "Winograd's algorithm for convolutions of 3x3 and Strassen's for products of matrices, wherever they are faster: weights take up to four times the space">,
    Option<"weightGrowth", "weight-growth", "unsigned", "0",
           "Percent that weights may grow by for Strassen's algorithm, which computes large products faster on some processors; none by default, more with `winograd`">,
    Option<"tuning", "tuning", "std::string", "\"\"",
           "A database of 'uma tune': algorithms that were measured, instead of those that the model chooses">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def TilePairsPass : Pass<"uma-cpu-tile-pairs", "::mlir::ModuleOp"> {
  let summary = "compute a layer and its reader tile by tile";
  let description = [{
    Writes `uma.tile_pair` on a convolution whose result a depthwise convolution with a stride reads: that reads several times what it writes,
    and does little with it. What one writes is still near when the other one reads it, and takes a fraction of
    the memory. Source: Halide's `compute_at` with `store_at`, here between functions, so that each layer stays one.
  }];
  let options = [
    Option<"tuning", "tuning", "std::string", "\"\"", "A database of 'uma tune', which knows by how many channels weights are packed">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def SchedulePass : Pass<"uma-cpu-schedule", "::mlir::ModuleOp"> {
  let summary = "choose tiles and what else makes a version of a kernel";
  let description = [{
    Writes `uma.schedules` on the functions of layers: by how many channels weights are packed, and for each set of
    vector instructions the tile that stays in registers, slices of the reduction and blocking for the caches, and whether weights are prefetched.
    What the database `tuning` knows of a layer is measured; the rest comes from an analytic model of the processor.
    A remark (category `uma-cpu`) says which tile is second and what it would cost.

    ```mlir
    uma.schedules = [#uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16>, <avx2, tile = 6x2x8>,
                                                              <simd128, tile = 6x2x4>, <scalar, tile = 2x4x1>]>]
    ```
  }];
  let options = [
    Option<"tuning", "tuning", "std::string", "\"\"",
           "A database of 'uma tune': schedules that were measured, instead of those that the model chooses">,
    Option<"nameWorkloads", "name-workloads", "bool", "false",
           "Tell in the attribute `uma.workload` of each function what its schedule was chosen for">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def ApplyScriptsPass : Pass<"uma-cpu-apply-scripts", "::mlir::ModuleOp"> {
  let summary = "schedule the loops of layers as their scripts say";
  let description = [{
    Runs the `transform.named_sequence` that a function of schedulable TIR names (`uma.script`, from the kernel `script` of the
    layer) on that function. Buffers between operators that are left in the workspace become arguments. The scripts themselves
    are removed. Runs behind `uma-convert-graph-to-tir`; source: upstream's `transform-interpreter`.
  }];
  let statistics = [
    Statistic<"numScheduled", "scheduled", "Layers that a script scheduled">
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect", "::uma::UMADialect"];
}

def VerifyPass : Pass<"uma-cpu-verify", "::mlir::ModuleOp"> {
  let summary = "check that all decisions about layers are there and fit each other";
  let description = [{
    For every function with `uma.primitive`: it is private and called once, its kernel computes its operators, its layouts are
    what the kernel reads and writes, and each schedule can be built. The error names layer and attribute, and says why.
    `uma-convert-graph-to-tir` chooses nothing; it relies on this.
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

#endif // UMA_CPU_TRANSFORMS_PASSES

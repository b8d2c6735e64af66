//===- Passes.td - Passes that partition a graph for accelerators -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_PASSES_TD
#define UMA_ACCEL_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def MergeCompositePass : Pass<"uma-accel-merge-composite", "::mlir::ModuleOp"> {
  let summary = "wrap matches of accelerators' patterns in composites";
  let description = [{
    Matches the patterns of the accelerators described in the module against every function without a `uma.target`:
    accelerators in order of priority, patterns in source order, roots from the end of the graph. Each match becomes one
    `uma.graph.composite`, whose operands are the pattern's inputs, including constants.

    The cost policy instead chooses the cheapest placement of all matches, after Collage (Jeon et al. 2021).
    [Placement](../placement.md) describes the cost model and the search.

    Emits a warning for each pattern that matches nothing, with the closest operator and the first constraint that
    fails. Source: TVM's `MergeComposite`.
  }];
  let options = [
    ListOption<"accelerators", "accelerators", "std::string",
               "Names of accelerators in the module, in order of priority; all of them when empty">,
    Option<"policy", "policy", "::uma::accel::Policy", "::uma::accel::Policy::Greedy",
           "Policy for placing operators: greedy, the default, or cost (docs/placement.md)",
           "::uma::accel::getPolicyValues()">,
    Option<"cpuCyclesPerMAC", "cpu-cycles-per-mac", "double", "1",
           "CPU cycles per multiply-accumulate operation, for the cost policy; 1 by default">,
    Option<"cpuCyclesPerElement", "cpu-cycles-per-element", "double", "1",
           "CPU cycles per element of an operator's largest tensor, for the cost policy; 1 by default">,
    Option<"mergeRegions", "merge-regions", "::uma::accel::MergeRegions", "::uma::accel::MergeRegions::AsDescribed",
           "Value of the same option of uma-accel-merge-compiler-regions, for the cost of regions; auto by default",
           "::uma::accel::getMergeRegionsValues()">,
    Option<"report", "report", "bool", "false",
           "Emit a remark for each operator that an accelerator does not take, with the reason; off by default">
  ];
  let statistics = [
    Statistic<"numComposites", "composites", "Number of composites made">,
    Statistic<"numOperators", "operators", "Number of operators that accelerators take">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def AnnotateTargetPass : Pass<"uma-accel-annotate-target", "::mlir::ModuleOp"> {
  let summary = "set the target of composites";
  let description = [{
    Sets the attribute `uma.target` of each `uma.graph.composite` to the accelerator of its pattern. Source: TVM's
    `AnnotateTarget`.
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

def MergeCompilerRegionsPass : Pass<"uma-accel-merge-compiler-regions", "::mlir::ModuleOp"> {
  let summary = "form regions, each of which becomes one function";
  let description = [{
    Sets the attribute `uma.region` of each operation with a `uma.target` to the number of its region. Producers and
    consumers with the same target share a region if the region stays convex: no operand of a region may depend on its
    results. Then regions with the same target that use the results of one operation are merged, too. Source: TVM's
    `MergeCompilerRegions`, which leaves the latter apart.
  }];
  let options = [
    Option<"mergeRegions", "merge-regions", "::uma::accel::MergeRegions", "::uma::accel::MergeRegions::AsDescribed",
           "true: merge adjacent operations; false: each has a region of its own; auto: as the descriptions say (merge_compiler_regions), the default",
           "::uma::accel::getMergeRegionsValues()">
  ];
  let statistics = [Statistic<"numRegions", "regions", "Number of regions">];
  let dependentDialects = ["::uma::UMADialect"];
}

def PartitionGraphPass : Pass<"uma-accel-partition-graph", "::mlir::ModuleOp"> {
  let summary = "outline each region into a function";
  let description = [{
    Moves each region, the operations with the same `uma.region`, into a private function
    `@<function>_<accelerator>_<n>` with the region's `uma.target`, and calls it. Constants that a region uses are
    cloned into the function. Other values from outside become its arguments, in order of use; values used outside
    become its results. An operation with a `uma.target` but no `uma.region` is a region of its own. Source: TVM's
    `PartitionGraph`.
  }];
  let statistics = [Statistic<"numFunctions", "functions", "Number of functions outlined">];
  let dependentDialects = ["::uma::UMADialect", "::mlir::func::FuncDialect"];
}

def VerifyPartitionPass : Pass<"uma-accel-verify-partition", "::mlir::ModuleOp"> {
  let summary = "verify the invariants of a partitioned module";
  let description = [{
    Verifies the invariants that later stages rely on: composites are only in functions with a `uma.target`; such a
    function holds only composites of its accelerator, constants and its return; the module describes the accelerators
    and patterns that they name.
  }];
}

def StorageInterfacePass : Pass<"uma-accel-storage-interface", "::mlir::ModuleOp"> {
  let summary = "pass stored integers to the functions of devices";
  let description = [{
    A quantized argument or result of a function with a `uma.target` becomes the integers that store it, with a
    `uma.graph.storage_cast` inside of the function and at its calls. Devices then read and write plain integers, and
    `uma-graph-legalize-quantization` can rewrite the quantized tensors around.

    ```mlir
    %1 = call @main_npu_0(%0) : (tensor<1x8x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.1>>
    // becomes
    %1 = uma.graph.storage_cast %0 : (tensor<1x8x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<1x8xi8>
    %2 = call @main_npu_0(%1) : (tensor<1x8xi8>) -> tensor<1x8xi8>
    %3 = uma.graph.storage_cast %2 : (tensor<1x8xi8>) -> tensor<1x8x!quant.uniform<i8:f32, 0.1>>
    ```
  }];
  let statistics = [Statistic<"numTensors", "tensors", "Number of arguments and results changed">];
  let dependentDialects = ["::uma::UMADialect"];
}

def InlineLoweredPass : Pass<"uma-accel-inline-lowered", "::mlir::ModuleOp"> {
  let summary = "return matches that a pattern only lowers to the CPU";
  let description = [{
    A pattern with `lower` lowers its matches to loops in the device's function, for the device's strategies, passes and
    scripts of the TIR phases. If a device has none of these, this pass inlines the device's functions and dissolves
    those matches, so that the CPU's kernels compute their operators. Other matches keep their `uma.target`, for
    `uma-accel-merge-compiler-regions` and `uma-accel-partition-graph`. Matches are kept if their pattern has a `place`
    or `scratch`, or if their device is described in C++. `uma-lower` runs this pass only if it would change the module.
  }];
  let statistics = [Statistic<"numMatches", "matches", "Number of matches returned to the CPU">];
  let dependentDialects = ["::uma::UMADialect"];
}

def SplitRegionsPass : Pass<"uma-accel-split-regions", "::mlir::ModuleOp"> {
  let summary = "take regions of a device with commands apart";
  let description = [{
    The results of all layers of such a region exist until it ends, since the device may read one while it writes another.
    This pass inlines regions of several matches, which keep their `uma.target`, for
    `uma-accel-merge-compiler-regions{merge-regions=false}` and `uma-accel-partition-graph`. Then layers share memory, and the
    host waits for the device after each. `uma-lower` runs these passes if the workspace would not fit into `arena` or `memories` otherwise.
  }];
  let statistics = [Statistic<"numRegions", "regions", "Number of regions taken apart">];
  let dependentDialects = ["::uma::UMADialect"];
}

def ApplyScriptPass : Pass<"uma-accel-apply-script", "::mlir::ModuleOp"> {
  let summary = "apply a transform dialect script of a description";
  let description = [{
    Applies `@__transform_main` of a `uma.accel.script` to the module. `uma-partition` and `uma-lower` run it in the phase
    that the script names. Source: upstream's `transform-interpreter`.
  }];
  let options = [
    Option<"accelerator", "accelerator", "std::string", "", "Accelerator that has the script">,
    Option<"index", "index", "int64_t", "0", "Index of the script in the description; 0 by default">
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect"];
}

#endif // UMA_ACCEL_PARTITION_PASSES_TD

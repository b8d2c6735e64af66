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
  let summary = "wrap what the accelerators take in composites";
  let description = [{
    Matches the patterns of the accelerators described in the module against every function without a
    `uma.target`: accelerators in the order of priority, patterns in the order of writing, roots from the end of the
    graph. What a pattern takes becomes one `uma.graph.composite`, whose operands are the pattern's inputs,
    constants included.

    Under the cost policy the cheapest placement of all matches is made instead, after Collage (Jeon et al. 2021):
    [placement](../placement.md) tells what it costs and how it is found.

    A pattern that takes nothing is a warning that names the operator that comes closest and the first constraint
    that it fails. Source: TVM's `MergeComposite`.
  }];
  let options = [
    ListOption<"accelerators", "accelerators", "std::string",
               "Names of accelerators in the module, in order of priority; all of them when empty">,
    Option<"policy", "policy", "::uma::accel::Policy", "::uma::accel::Policy::Greedy",
           "What decides between several ways to place operators: greedy, the default, or cost (docs/placement.md)",
           "::uma::accel::getPolicyValues()">,
    Option<"cpuCyclesPerMAC", "cpu-cycles-per-mac", "double", "1",
           "What a multiply-accumulate operation costs on the CPU under the cost policy, 1 by default">,
    Option<"cpuCyclesPerElement", "cpu-cycles-per-element", "double", "1",
           "What an element of an operator's largest tensor costs on the CPU under the cost policy, 1 by default">,
    Option<"mergeRegions", "merge-regions", "::uma::accel::MergeRegions", "::uma::accel::MergeRegions::AsDescribed",
           "What uma-accel-merge-compiler-regions will do, for what regions cost; auto by default",
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
    Gives each `uma.graph.composite` the attribute `uma.target` of the accelerator whose pattern it is. Source:
    TVM's `AnnotateTarget`.
  }];
  let dependentDialects = ["::uma::UMADialect"];
}

def MergeCompilerRegionsPass : Pass<"uma-accel-merge-compiler-regions", "::mlir::ModuleOp"> {
  let summary = "number the regions that become one function each";
  let description = [{
    Gives each operation with a `uma.target` the number of its region, `uma.region`. Operations of one target that
    feed one another share a region where that leaves no cycle: nothing that a region needs may depend on what it
    computes. Source: TVM's `MergeCompilerRegions`.
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
    Moves each region, the operations of one `uma.region`, into a private function
    `@<function>_<accelerator>_<n>` with the region's `uma.target`, and calls it. The constants that a region uses are
    cloned into the function; other values from outside are its arguments, in the order of use, and values used
    outside are its results. An operation with a `uma.target` and no `uma.region` is a region of its own.
    Source: TVM's `PartitionGraph`.
  }];
  let statistics = [Statistic<"numFunctions", "functions", "Number of functions outlined">];
  let dependentDialects = ["::uma::UMADialect", "::mlir::func::FuncDialect"];
}

def VerifyPartitionPass : Pass<"uma-accel-verify-partition", "::mlir::ModuleOp"> {
  let summary = "check what partitioning promises";
  let description = [{
    The contract that later stages rely on: composites stand only in functions with a `uma.target`; such a function
    holds composites, constants and its return, all of one accelerator; the accelerator and the patterns named are
    described in the module.
  }];
}

def InlineLoweredPass : Pass<"uma-accel-inline-lowered", "::mlir::ModuleOp"> {
  let summary = "return matches that a pattern only lowers to the CPU";
  let description = [{
    A pattern with `lower` makes loops of the device's function out of a match, for the device's strategies and for its passes
    and scripts of the TIR phases. If a device has none of them, this pass inlines its functions, dissolves those matches, and
    leaves the others with their `uma.target`, for `uma-accel-merge-compiler-regions` and `uma-accel-partition-graph`. The CPU's
    kernels then compute the operators. Patterns that place tensors in a memory of the device, and devices that C++ describes, keep
    their matches. `uma-lower` runs this pass if there is such a match.
  }];
  let statistics = [Statistic<"numMatches", "matches", "Number of matches returned to the CPU">];
  let dependentDialects = ["::uma::UMADialect"];
}

def ApplyScriptPass : Pass<"uma-accel-apply-script", "::mlir::ModuleOp"> {
  let summary = "apply a script of the transform dialect that a description brings";
  let description = [{
    Applies `@__transform_main` of a `uma.accel.script` to the module. `uma-partition` and `uma-lower` run it in the phase
    that the script names. Source: upstream's `transform-interpreter`.
  }];
  let options = [
    Option<"accelerator", "accelerator", "std::string", "", "The accelerator that has the script">,
    Option<"index", "index", "int64_t", "0", "The number of the script in the description; 0, the first, by default">
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect"];
}

#endif // UMA_ACCEL_PARTITION_PASSES_TD

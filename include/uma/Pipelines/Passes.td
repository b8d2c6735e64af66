//===- Passes.td - The named pipelines of the project -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each pipeline is a pass that runs other passes, because its passes depend on
// the accelerators described in the module.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_PIPELINES_PASSES_TD
#define UMA_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

// Dialects that passes hooked into phases by descriptions may build. A pass that
// runs other passes has to load their dialects before it starts.
defvar phaseDialects = [
  "::uma::UMADialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
  "::mlir::cf::ControlFlowDialect", "::mlir::emitc::EmitCDialect", "::mlir::func::FuncDialect",
  "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
  "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect",
  "::mlir::transform::TransformDialect", "::mlir::vector::VectorDialect"
];

def GraphDefaultPass : Pass<"uma-graph-default", "::mlir::ModuleOp"> {
  let summary = "run the default passes of an optimisation level on a graph";
  let description = [{
    Runs TVM's passes in TVM's order, each if the level is at least its `opt_level`. A module with composites stays as it
    is: it is partitioned, and the bodies of composites are what their patterns match.

    | level | pass | in TVM |
    |---|---|---|
    | 0 | `uma-graph-simplify-inference` | `SimplifyInference` |
    | 3 | `cse` | `EliminateCommonSubexpr` |
    | 2 | `uma-graph-fold-quantization` | `FakeQuantizationToInteger` |
    | 4 | `uma-graph-combine-parallel-conv2d`, `uma-graph-combine-parallel-dense` | `CombineParallelConv2D`, `CombineParallelDense` |
    | 2 | `uma-graph-fold-constant` | `FoldConstant` |
    | 2 | `uma-graph-raise-ops` | none: its importers create whole operators |
    | 3 | `uma-graph-canonicalize-ops` | as below; the next pass folds factors through `bias_add` |
    | 3 | `uma-graph-fold-scale-axis` | `FoldScaleAxis` |
    | 0 | `canonicalize` | `SimplifyExpr` |
    | 3 | `uma-graph-canonicalize-cast{push-down=false}` | `CanonicalizeCast` |
    | 3 | `uma-graph-canonicalize-ops` | `CanonicalizeOps` |
    | 2 | `uma-graph-fold-constant` | `FoldConstant` |
    | 3 | `cse` | |
    | 0 | `uma-graph-verify` | |

    Level 3 is the default, as in most uses of `relay.build`; patterns of accelerators are written against its result. Level 4
    creates layers that accelerators may not support. All levels compute the same results, except for rounding.

    The pipeline needs no `uma-graph-infer-type` (TVM's `InferType`), since every pass keeps the types valid.
  }];
  let options = [
    Option<"optLevel", "opt-level", "int64_t", "3", "Optimisation level, 0 to 4; 3 by default">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def PartitionPass : Pass<"uma-partition", "::mlir::ModuleOp"> {
  let summary = "assign operators to accelerators";
  let description = [{
    Loads the descriptions of the accelerators into the module, simplifies the
    graph and outlines the operators that accelerators take into functions with a
    `uma.target`. `--uma-partition=vanilla` is short for
    `--uma-partition="accelerators=vanilla"`; other options may follow. An entry `NAME=VALUE` of the list sets a
    target attribute of the preceding accelerator: `--uma-partition=strawberry,sram_kib=128`. Runs in order:

    1. `uma-accel-load`
    2. `uma-graph-default`
    3. the accelerators' PRE_PARTITIONING pipelines
    4. `uma-accel-merge-composite`, `uma-accel-annotate-target`,
       `uma-accel-merge-compiler-regions`, `uma-accel-partition-graph`
    5. the accelerators' POST_PARTITIONING_0 and POST_PARTITIONING_1 pipelines
    6. `uma-accel-verify-partition`

    Source: `partition` of TVM's `UMABackend`.
  }];
  let options = [
    ListOption<"accelerators", "accelerators", "std::string",
               "Names or paths of descriptions, in order of priority">,
    ListOption<"acceleratorDirs", "accelerator-dir", "std::string",
               "Folders to search first for descriptions">,
    Option<"mergeRegions", "merge-regions", "::uma::accel::MergeRegions", "::uma::accel::MergeRegions::AsDescribed",
           "true: merge adjacent matches into one function; false: do not; auto: as the descriptions say (merge_compiler_regions), the default",
           "::uma::accel::getMergeRegionsValues()">,
    Option<"policy", "policy", "::uma::accel::Policy", "::uma::accel::Policy::Greedy",
           "Policy that assigns operators to targets: greedy, the default, or cost (docs/placement.md)",
           "::uma::accel::getPolicyValues()">,
    Option<"cpuCyclesPerMAC", "cpu-cycles-per-mac", "double", "1",
           "CPU cycles per multiply-accumulate operation, for the cost policy; 1 by default">,
    Option<"cpuCyclesPerElement", "cpu-cycles-per-element", "double", "1",
           "CPU cycles per element of an operator's largest tensor, for the cost policy; 1 by default">,
    Option<"optLevel", "opt-level", "int64_t", "3", "Level of uma-graph-default; 3 by default">
  ];
  let dependentDialects = phaseDialects;
}

def CPUPlanPass : Pass<"uma-cpu-plan", "::mlir::ModuleOp"> {
  let summary = "plan how the CPU computes the layers of a network";
  let description = [{
    Runs `uma-cpu-form-layers`, `uma-cpu-assign-layouts`, `uma-cpu-select-kernels`, `uma-cpu-tile-pairs`, `uma-cpu-schedule` and
    `uma-cpu-verify`. The result is still a graph, which the interpreter can run and which may be edited: the pass keeps
    existing attributes, also when it runs again in `uma-lower`.

    ```
    uma-opt net.mlir --uma-cpu-plan -o planned.mlir
    uma compile planned.mlir -o package
    ```
  }];
  let options = [
    Option<"winograd", "winograd", "bool", "false",
           "Use Winograd's algorithm for 3x3 convolutions and Strassen's for matrix products wherever they are faster; weights grow up to fourfold">,
    Option<"weightGrowth", "weight-growth", "unsigned", "0",
           "Percent by which weights may grow for Strassen's algorithm, which is faster for large products on some processors; 0 by default, no limit with `winograd`">,
    Option<"mathType", "math", "std::string", "\"f32\"",
           "Type in which layers of f32 multiply: f32, or bf16 with sums in f32 (uma-cpu-narrow-products)">,
    Option<"cpu", "cpu", "std::string", "\"\"",
           "Processor: a name of the table, native, or a file; any processor by default">,
    Option<"scripts", "scripts", "std::string", "\"\"",
           "A file of transform.named_sequences that schedule layers manually; see uma-cpu-load-scripts">,
    Option<"stripeRows", "stripe-rows", "int64_t", "0",
           "Compute all chains of convolutions in NHWC by stripes of so many rows, for tests; 0, the default, for marked ones only "
           "(uma-graph-split-rows)">,
    Option<"tilePairs", "tile-pairs", "bool", "true",
           "Tile convolutions with their strided depthwise consumers; on by default">,
    Option<"tileProducers", "tile-producers", "bool", "true",
           "Compute elementwise layers in the tiles of the convolutions of 1x1 that read them; on by default">,
    Option<"threads", "threads", "bool", "false",
           "Threads share loops, see uma-tir-share-loops; off by default">,
    Option<"tuning", "tuning", "std::string", "\"\"",
           "A database of 'uma tune' with measured schedules, which replace the model's choices">,
    Option<"nameWorkloads", "name-workloads", "bool", "false",
           "Set `uma.workload` on each function to the workload of its schedule">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::uma::UMADialect"];
}

def LowerPass : Pass<"uma-lower", "::mlir::ModuleOp"> {
  let summary = "lower a graph to plain TIR with a memory plan";
  let description = [{
    Lowers `uma.graph`, partitioned or not, to plain `uma.tir`:

    0. `uma-graph-legalize-quantization`, `uma-graph-split-rows`, `uma-cpu-plan`, which plans how the CPU computes its layers; without `vectorize`, `uma-cpu-inline-layers` instead
    1. TIR_PHASE_0: `convert-uma-graph-to-uma-tir`, the accelerators' pipelines,
       `uma-tir-verify{stage=schedulable}`, `uma-tir-lower-block`
    2. TIR_PHASE_1: `uma-tir-storage-flatten`, `uma-tir-legalize-bf16`, `uma-tir-simplify`, `uma-tir-narrow-data-type`, the
       accelerators' pipelines
    3. TIR_PHASE_2: the accelerators' pipelines, `uma-tir-loop-partition`, `uma-tir-vectorize-loop`,
       `uma-tir-inject-virtual-thread`, `uma-tir-inject-double-buffer`, `uma-tir-storage-rewrite`, `uma-tir-unroll-loop`, `uma-tir-simplify`,
       `uma-tir-promote-local`
    4. TIR_PHASE_3: `uma-tir-simplify`, `uma-tir-remove-no-op`, `uma-tir-rewrite-unsafe-select`, `uma-tir-hoist-if-then-else`,
       `uma-tir-remove-redundant-configuration`, the accelerators' pipelines
    5. with `share-loops` `uma-tir-share-loops`, `uma-tir-hoist-alloc`, `uma-tir-sink-awaits`, with `share-loops` `uma-tir-reuse-buffers`,
       `uma-tir-reorder-calls`, `uma-tir-plan-memory`, with `debug-bounds` `uma-tir-instrument-bound-checkers`, `uma-tir-verify{stage=plain}`

    All passes of phases 1 to 3 except `uma-tir-storage-flatten` and `uma-tir-legalize-bf16` are optional. `disable` names passes that do not run. `phase1`, `phase2` and
    `phase3` replace the passes of a phase, in the given order. Names may omit `uma-tir-`:

    ```
    uma-opt net.mlir --uma-lower="disable=loop-partition,unroll-loop"
    uma-opt net.mlir --uma-lower="phase2=unroll-loop,simplify,loop-partition phase3=remove-no-op"
    ```

    Virtual threads, double buffers and loops of kind `unrolled` are requests of a schedule. Without their pass they remain plain loops, with the same results.

    Source: TVM's `tvm.lower` and the phases of `tir.add_lower_pass`.
  }];
  let options = [
    Option<"vectorize", "vectorize", "bool", "true",
           "Use vectorised kernels for the operators that have one; off: plain loops for all">,
    Option<"winograd", "winograd", "bool", "false",
           "Use Winograd's algorithm for 3x3 convolutions and Strassen's for matrix products wherever they are faster; weights grow up to fourfold">,
    Option<"weightGrowth", "weight-growth", "unsigned", "0",
           "Percent by which weights may grow for Strassen's algorithm, which is faster for large products on some processors; 0 by default, no limit with `winograd`">,
    Option<"mathType", "math", "std::string", "\"f32\"",
           "Type in which layers of f32 multiply: f32, or bf16 with sums in f32 (uma-cpu-narrow-products)">,
    Option<"cpu", "cpu", "std::string", "\"\"",
           "Processor: a name of the table, native, or a file; any processor by default">,
    Option<"scripts", "scripts", "std::string", "\"\"",
           "A file of transform.named_sequences that schedule layers manually; see uma-cpu-load-scripts">,
    Option<"tuning", "tuning", "std::string", "\"\"",
           "A database of 'uma tune' with measured schedules, which replace the model's choices">,
    Option<"mappingCache", "mapping-cache", "std::string", "\"\"",
           "Folder of mappings that earlier runs found; see uma-accel-map">,
    Option<"interleave", "interleave", "bool", "true",
           "Interleave layers of devices where this saves cycles, as uma-accel-map does; on by default">,
    Option<"nameWorkloads", "name-workloads", "bool", "false",
           "Set `uma.workload` on each function to the workload of its schedule">,
    ListOption<"disable", "disable", "std::string", "Optional passes to leave out">,
    ListOption<"phase1", "phase1", "std::string", "Passes of TIR_PHASE_1, in order">,
    ListOption<"phase2", "phase2", "std::string", "Passes of TIR_PHASE_2, in order">,
    ListOption<"phase3", "phase3", "std::string", "Passes of TIR_PHASE_3, in order">,
    Option<"overlap", "overlap", "std::string", /*default=*/"\"proven\"",
           "Results over buffers that are still read: proven from the accesses, the default, unshared, declared by layers, or none; "
           "unshared for C whose loops run on threads">,
    Option<"shareLoops", "share-loops", "bool", "false",
           "Choose the loops that threads share (uma-tir-share-loops); for C whose loops run on threads">,
    Option<"sharedWork", "shared-work", "int64_t", /*default=*/"300000",
           "Instructions from which on threads share a loop, with share-loops">,
    Option<"arena", "arena", "int64_t", /*default=*/"0",
           "Largest workspace in bytes; where it would be larger, regions of devices are split (uma-accel-split-regions) and layers run in stripes of rows (uma-graph-split-rows); 0, the default, for no limit">,
    Option<"splitRegions", "split-regions", "bool", "true",
           "Split regions of devices with commands if that makes a workspace smaller that exceeds `arena` or `memories`; on by default">,
    ListOption<"memories", "memories", "std::string",
               "Divide the workspace among memories, the fastest first, each as NAME=BYTES; where they are too small, as for arena">,
    Option<"io", "io", "std::string", /*default=*/"\"outside\"",
           "Place inputs and outputs of the network inside the workspace, or outside, the default">,
    Option<"stripeRows", "stripe-rows", "int64_t", "0",
           "Compute all chains of convolutions in NHWC by stripes of so many rows, for tests; 0, the default, for marked ones only "
           "(uma-graph-split-rows)">,
    Option<"tilePairs", "tile-pairs", "bool", "true",
           "Tile convolutions with their strided depthwise consumers; off if threads share loops">,
    Option<"tileProducers", "tile-producers", "bool", "true",
           "Compute elementwise layers in the tiles of the convolutions of 1x1 that read them; on by default">,
    Option<"debugBounds", "debug-bounds", "bool", "false",
           "Check every index in the C, which uses plain loops; off by default">,
    Option<"releaseConstants", "release-constants", "bool", "false",
           "Free the elements of weights after their last kernel has packed them; for modules that are alone in their context">,
    Option<"until", "until", "std::string", /*default=*/"\"plain\"",
           "The stage that it ends with: planned, the graph whose layers on the CPU have kernels, layouts and schedules, "
           "mapped, the same with the mappings of devices, or plain, the default">,
    Option<"deviceReferences", "device-references", "bool", "false",
           "Attach the specification of its matches to each function that calls a device (`uma.references`); the C then calls "
           "the hooks UMA_DEVICE_BEGIN, CALL and END, for `uma run --compare`">
  ];
  let dependentDialects = phaseDialects;
}

def EmitCPass : Pass<"uma-emit-c", "::mlir::ModuleOp"> {
  let summary = "convert plain TIR to EmitC for uma-translate --uma-to-c";
  let description = [{
    Runs `convert-uma-tir-to-emitc`. `uma-translate --uma-to-c` prints the result.
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect"];
}

#endif // UMA_PIPELINES_PASSES_TD

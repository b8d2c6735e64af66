// Pipelines of descriptions run in their phases, in the order of accelerators
// and of writing; the order of all passes is part of the pipelines' contract.
// RUN: uma-opt %s --uma-partition --uma-lower -o /dev/null --mlir-disable-threading --mlir-print-ir-after-all 2>&1 \
// RUN:   | grep 'IR Dump After' | FileCheck %s

// CHECK:      (uma-accel-load)
// CHECK-NEXT: (uma-graph-simplify-inference)
// CHECK-NEXT: (cse)
// CHECK-NEXT: (uma-graph-fold-quantization)
// CHECK-NEXT: (uma-graph-fold-constant)
// CHECK-NEXT: (uma-graph-raise-ops)
// CHECK-NEXT: (uma-graph-canonicalize-ops)
// CHECK-NEXT: (uma-graph-fold-scale-axis)
// CHECK-NEXT: (canonicalize)
// CHECK-NEXT: (uma-graph-sink-reshapes)
// CHECK-NEXT: (uma-graph-canonicalize-cast)
// CHECK-NEXT: (uma-graph-canonicalize-ops)
// CHECK-NEXT: (uma-graph-fold-constant)
// CHECK-NEXT: (cse)
// CHECK-NEXT: (uma-graph-verify)
// CHECK-NEXT: (uma-graph-default)
// PRE_PARTITIONING of both accelerators, two passes of the first
// CHECK-NEXT: (sccp)
// CHECK-NEXT: (topological-sort)
// CHECK-NEXT: (loop-invariant-code-motion)
// CHECK-NEXT: (uma-accel-merge-composite)
// CHECK-NEXT: (uma-accel-annotate-target)
// CHECK-NEXT: (uma-accel-merge-compiler-regions)
// CHECK-NEXT: (uma-accel-partition-graph)
// POST_PARTITIONING_0 and _1, whatever the order of writing
// CHECK-NEXT: (control-flow-sink)
// CHECK-NEXT: (cse)
// CHECK-NEXT: (uma-accel-verify-partition)
// CHECK-NEXT: (uma-partition)
// CHECK-NEXT: (uma-accel-storage-interface)
// CHECK-NEXT: (uma-graph-fold-quantized-pools)
// CHECK-NEXT: (uma-graph-tabulate-functions)
// CHECK-NEXT: (uma-graph-fold-quantized-functions)
// CHECK-NEXT: (uma-graph-pad-channels)
// CHECK-NEXT: (uma-graph-shift-zero-points)
// CHECK-NEXT: (uma-graph-legalize-quantization)
// CHECK-NEXT: (uma-graph-split-rows)
// CHECK-NEXT: (uma-graph-decompose-attention)
// CHECK-NEXT: (uma-cpu-set-processor)
// CHECK-NEXT: (uma-cpu-widen-floats)
// CHECK-NEXT: (uma-graph-decompose-convolutions)
// CHECK-NEXT: (uma-graph-decompose-products)
// CHECK-NEXT: (uma-cpu-form-layers)
// CHECK-NEXT: (uma-cpu-narrow-results)
// CHECK-NEXT: (uma-cpu-load-scripts)
// CHECK-NEXT: (uma-cpu-assign-layouts)
// CHECK-NEXT: (uma-cpu-select-kernels)
// CHECK-NEXT: (uma-cpu-tile-pairs)
// CHECK-NEXT: (uma-cpu-tile-producers)
// CHECK-NEXT: (uma-cpu-schedule)
// CHECK-NEXT: (uma-cpu-verify)
// CHECK-NEXT: (uma-cpu-plan)
// CHECK-NEXT: (uma-accel-map)
// CHECK-NEXT: (convert-uma-graph-to-uma-tir)
// CHECK-NEXT: (uma-cpu-apply-scripts)
// TIR_PHASE_0 sees blocks
// CHECK-NEXT: (sccp)
// CHECK-NEXT: (uma-tir-verify)
// CHECK-NEXT: (uma-tir-merge-functions)
// CHECK-NEXT: (uma-tir-compact-buffer-allocation)
// CHECK-NEXT: (uma-tir-lower-block)
// CHECK:      (uma-tir-storage-flatten)
// CHECK-NEXT: (uma-tir-legalize-bf16)
// CHECK-NEXT: (uma-tir-simplify)
// CHECK-NEXT: (uma-tir-narrow-data-type)
// TIR_PHASE_1
// CHECK:      (topological-sort)
// TIR_PHASE_2, on the functions of TIR, before loops become vectors and are unrolled
// CHECK:      (canonicalize)
// CHECK-NEXT: (uma-tir-loop-partition)
// CHECK-NEXT: (uma-tir-vectorize-loop)
// CHECK-NEXT: (uma-tir-inject-virtual-thread)
// CHECK-NEXT: (uma-tir-inject-double-buffer)
// CHECK-NEXT: (uma-tir-storage-rewrite)
// CHECK-NEXT: (uma-tir-unroll-loop)
// CHECK-NEXT: (uma-tir-simplify)
// CHECK-NEXT: (uma-tir-promote-local)
// CHECK-NEXT: (uma-tir-simplify)
// CHECK-NEXT: (uma-tir-remove-no-op)
// CHECK-NEXT: (uma-tir-rewrite-unsafe-select)
// CHECK-NEXT: (uma-tir-hoist-if-then-else)
// CHECK-NEXT: (uma-tir-remove-redundant-configuration)
// TIR_PHASE_3, before memory is planned
// CHECK:      (control-flow-sink)
// CHECK:      (uma-tir-plan-memory)
// CHECK:      (uma-tir-verify)
// CHECK-NEXT: (uma-lower)

uma.accel.accelerator @first {
  uma.accel.pipeline "POST_PARTITIONING_1" "cse"
  uma.accel.pipeline "POST_PARTITIONING_0" "control-flow-sink"
  uma.accel.pipeline "PRE_PARTITIONING" "sccp,topological-sort"
  uma.accel.pipeline "TIR_PHASE_3" "uma.tir.func(control-flow-sink)"
}
uma.accel.accelerator @second {
  uma.accel.pipeline "PRE_PARTITIONING" "loop-invariant-code-motion"
  uma.accel.pipeline "TIR_PHASE_0" "sccp"
  uma.accel.pipeline "TIR_PHASE_1" "topological-sort"
  uma.accel.pipeline "TIR_PHASE_2" "uma.tir.func(canonicalize)"
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

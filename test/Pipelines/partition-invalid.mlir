// What is wrong with the command line is said at the module, for want of a
// better position, and never at <unknown>.
// RUN: split-file %s %t

// RUN: not uma-opt %t/good.mlir --uma-partition=vanila 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not uma-opt %t/good.mlir --pass-pipeline='builtin.module(uma-partition{accelerators=vanilla,vanila})' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME-NOT: <unknown>
// NAME: good.mlir:{{.*}}error: unknown accelerator 'vanila'; did you mean 'vanilla'?
// NAME-NOT: note:

// RUN: not uma-opt %t/good.mlir --uma-partition=./nowhere.uma 2>&1 | FileCheck %s --check-prefix=PATH
// PATH-NOT: <unknown>
// PATH: error: no such description: './nowhere.uma'

// RUN: not uma-opt %t/good.mlir --uma-partition="accelerators=vanilla merge-region=false" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option merge-region

// RUN: not uma-opt %t/good.mlir --uma-partition="vanilla merge-regions=maybe" 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: {{.*}}'maybe'

// Passes of descriptions are checked before anything runs.
// RUN: not uma-opt %t/no-pass.mlir --uma-partition 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: no-pass.mlir:2:3: error: cannot parse the passes of PRE_PARTITIONING: 'canonicalise' does not refer to a registered pass or pass pipeline

// RUN: not uma-opt %t/no-dialect.mlir --uma-partition 2>&1 | FileCheck %s --check-prefix=DIALECT
// DIALECT: no-dialect.mlir:2:3: error: {{.*}}of PRE_PARTITIONING needs the dialect 'spirv', which passes hooked into phases cannot build

// The graph stage is over.
// RUN: not uma-opt %t/good.mlir --uma-lower --uma-partition=vanilla 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: the graph stage ends with 'uma.tir.func' beside the functions; a module may hold only func.func and descriptions of accelerators

//--- good.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- no-pass.mlir
uma.accel.accelerator @npu {
  uma.accel.pipeline "PRE_PARTITIONING" "canonicalise"
}
//--- no-dialect.mlir
uma.accel.accelerator @npu {
  uma.accel.pipeline "PRE_PARTITIONING" "convert-gpu-to-spirv"
}

// Names of passes in options of uma-lower.
// RUN: not uma-opt %s --uma-lower="disable=loop-partitions" 2>&1 | FileCheck %s --check-prefix=DISABLE
// RUN: not uma-opt %s --uma-lower="phase2=uma-tir-unroll-lop,uma-tir-simplify" 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: not uma-opt %s --uma-lower="phase3=canonicalize" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not uma-opt %s --uma-lower="disable=simplify,storage-flatten" 2>&1 | FileCheck %s --check-prefix=MANDATORY
// RUN: not uma-opt %s --uma-lower="phase1=storage-flatten,simplify" 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not uma-opt %s --uma-lower="phase2=storage-flatten phase1=legalize-bf16" 2>&1 | FileCheck %s --check-prefix=MOVED
// RUN: not uma run %s --lower="phase4=simplify" 2>&1 | FileCheck %s --check-prefix=OPTION
// DISABLE: error: uma-lower: disable names 'loop-partitions', which is not a pass of the phases of TIR; did you mean 'loop-partition'?
// PREFIX: error: uma-lower: phase2 names 'uma-tir-unroll-lop', which is not a pass of the phases of TIR; did you mean 'uma-tir-unroll-loop'?
// OTHER: error: uma-lower: phase3 names 'canonicalize', which is not a pass of the phases of TIR{{$}}
// MANDATORY: error: uma-lower: disable names 'uma-tir-storage-flatten', which the phases cannot do without
// LEFT: error: uma-lower: phase1 leaves out 'uma-tir-legalize-bf16', which the phases cannot do without; name it
// MOVED: error: uma-lower: phase1 leaves out 'uma-tir-storage-flatten', which the phases cannot do without; name it
// OPTION: error: --lower: {{.*}}phase4

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "net"} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

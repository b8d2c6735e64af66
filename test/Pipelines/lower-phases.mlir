// Which passes the phases run, and in which order.
// RUN: uma-opt %s --uma-lower=vectorize=false | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: uma-opt %s --uma-lower="vectorize=false disable=uma-tir-loop-partition" | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: uma-opt %s --uma-lower="vectorize=false phase2=simplify,storage-rewrite" | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: uma-opt %s --uma-lower="vectorize=false phase2=unroll-loop phase3=uma-tir-loop-partition,simplify" | FileCheck %s --check-prefixes=CHECK,SPLIT

// CHECK-LABEL: uma.tir.func private @pad(
// SPLIT-NOT:     {{scf.if|arith.select}}
// WHOLE:         {{scf.if|arith.select}}
// CHECK-LABEL: uma.tir.func private @end_relu(
func.func @main(%x: tensor<2x6xf32>) -> tensor<2x8xf32> attributes {uma.network = "net"} {
  %0 = uma.graph.pad %x before [0, 1] after [0, 1] : (tensor<2x6xf32>) -> tensor<2x8xf32> loc("pad")
  %1 = uma.graph.relu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32> loc("end")
  return %1 : tensor<2x8xf32>
}

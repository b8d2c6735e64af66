// RUN: uma-opt %s --uma-graph-verify | FileCheck %s

// Calls, composites, declarations of any type and descriptions of accelerators
// belong to a graph.

uma.accel.accelerator @vanilla {
}

// CHECK: func private @runtime
func.func private @runtime(memref<?xf32>)

// CHECK: func private @main_vanilla_0
func.func private @main_vanilla_0(%x: tensor<2xf32>) -> tensor<2xf32> attributes {uma.target = #uma.target<"vanilla">} {
  %0 = uma.graph.composite @vanilla::@relu (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    %1 = uma.graph.relu %a : (tensor<2xf32>) -> tensor<2xf32>
    uma.graph.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK: func @main
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @main_vanilla_0(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Beside graphs, a function without operators is its owner's: it is not looked at.
// CHECK: func @program
func.func @program() {
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  %1 = call @main(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = tensor.cast %1 : tensor<2xf32> to tensor<?xf32>
  return
}

// RUN: uma-opt %s --inline | FileCheck %s

// Calls of graphs are inlined, those of functions that run on an accelerator are not.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[SUM:.*]] = uma.graph.add
// CHECK-NEXT: %[[RESULT:.*]] = call @main_vanilla_0(%[[SUM]])
// CHECK-NEXT: return %[[RESULT]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @main_vanilla_0(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-NOT: @twice
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uma.graph.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: func.func private @main_vanilla_0(
func.func private @main_vanilla_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"vanilla">} {
  %0 = uma.graph.composite @vanilla::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The function of a device keeps the notes of passes on the graph, and says which parameter each operand of its match is
// where constants stand behind the other parameters.
// RUN: uma-opt %s --convert-uma-graph-to-uma-tir | FileCheck %s

uma.accel.accelerator @npu {
  uma.accel.pattern @subtract {
    %a = uma.accel.input "a" f32
    %b = uma.accel.input "b" f32
    %y = uma.accel.op "subtract"(%a, %b) as "y" {}
    uma.accel.lower
  }
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "net"} {
  %0 = call @reversed(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @straight(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK: uma.tir.func private @{{.*}}reversed{{.*}}uma.notes = {sizes = [4]}, uma.operands = array<i64: 1, 0>
func.func private @reversed(%x: tensor<4xf32>) -> tensor<4xf32>
    attributes {uma.target = #uma.target<"npu">, uma.notes = {sizes = [4]}} {
  %0 = uma.graph.constant dense<1.0> : tensor<4xf32>
  %1 = uma.graph.composite @npu::@subtract (%a = %0 : tensor<4xf32>, %b = %x : tensor<4xf32>) -> tensor<4xf32> {
    %2 = uma.graph.subtract %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
// CHECK: uma.tir.func private @{{.*}}straight
// CHECK-NOT: uma.notes
// CHECK-NOT: uma.operands
func.func private @straight(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.constant dense<1.0> : tensor<4xf32>
  %1 = uma.graph.composite @npu::@subtract (%a = %x : tensor<4xf32>, %b = %0 : tensor<4xf32>) -> tensor<4xf32> {
    %2 = uma.graph.subtract %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

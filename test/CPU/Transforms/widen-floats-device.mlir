// RUN: uma-opt %s --uma-cpu-widen-floats | FileCheck %s

// A device computes with f16: its operand is rounded. Products of words of bf16 stay, other numbers of bf16 do not.

// CHECK-LABEL: func.func @device(
// CHECK: %[[B:.+]] = uma.graph.cast %arg1 to f32
// CHECK: %[[A:.+]] = uma.graph.abs %{{.*}} : (tensor<4x8xf32>)
// CHECK-NEXT: %[[R:.+]] = uma.graph.cast %[[A]] to f16
// CHECK-NEXT: call @npu(%[[R]])
// CHECK: uma.graph.dense %arg1, %{{.*}} out_dtype f32 : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[N:.+]] = uma.graph.negative %[[B]]
// CHECK-NEXT: uma.graph.cast %[[N]] to bf16
// CHECK-LABEL: func.func private @npu(
// CHECK-NEXT: uma.graph.relu %{{.*}} : (tensor<4x8xf16>) -> tensor<4x8xf16>
func.func @device(%x: tensor<4x8xf16>, %y: tensor<4x8xbf16>) -> (tensor<4x8xf16>, tensor<4x8xf32>, tensor<4x8xbf16>) {
  %w = uma.graph.constant dense<1.0> : tensor<8x8xbf16>
  %0 = uma.graph.abs %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = func.call @npu(%0) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %2 = uma.graph.dense %y, %w out_dtype f32 : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xf32>
  %3 = uma.graph.negative %y : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %1, %2, %3 : tensor<4x8xf16>, tensor<4x8xf32>, tensor<4x8xbf16>
}
func.func private @npu(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.relu %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

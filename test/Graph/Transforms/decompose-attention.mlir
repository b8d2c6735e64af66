// Attention as products of matrices.
// RUN: uma-opt %s --uma-graph-decompose-attention | FileCheck %s

// CHECK-LABEL: func @whole
// CHECK-NOT: attention
// CHECK: %[[S:.*]] = uma.graph.batch_matmul %arg0, %arg1 transpose_b true
// CHECK: %[[C:.*]] = uma.graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[P:.*]] = uma.graph.multiply %[[S]], %[[C]]
// CHECK: %[[M:.*]] = uma.graph.add %[[P]], %arg3
// CHECK: %[[W:.*]] = uma.graph.softmax %[[M]] : (tensor<2x5x6xf32>)
// CHECK: uma.graph.batch_matmul %[[W]], %arg2 : (tensor<2x5x6xf32>, tensor<6x3xf32>) -> tensor<2x5x3xf32>
func.func @whole(%q: tensor<2x5x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x3xf32>, %m: tensor<1x6xf32>) -> tensor<2x5x3xf32> {
  %0 = uma.graph.attention %q, %k, %v mask %m scale 0.5
      : (tensor<2x5x8xf32>, tensor<6x8xf32>, tensor<6x3xf32>, tensor<1x6xf32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// Neither a factor of 1 nor a mask that is not there.

// CHECK-LABEL: func @plain
// CHECK-NEXT: batch_matmul
// CHECK-NEXT: softmax
// CHECK-NEXT: batch_matmul
// CHECK-NEXT: return
func.func @plain(%q: tensor<5x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x3xf32>) -> tensor<5x3xf32> {
  %0 = uma.graph.attention %q, %k, %v : (tensor<5x8xf32>, tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// A device takes it whole.

// CHECK-LABEL: func @in_composite
// CHECK: uma.graph.attention
func.func @in_composite(%q: tensor<5x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x3xf32>) -> tensor<5x3xf32> {
  %0 = uma.graph.composite @npu::@attention (%a = %q : tensor<5x8xf32>, %b = %k : tensor<6x8xf32>, %c = %v : tensor<6x3xf32>) -> tensor<5x3xf32> {
    %1 = uma.graph.attention %a, %b, %c : (tensor<5x8xf32>, tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
    uma.graph.yield %1 : tensor<5x3xf32>
  }
  return %0 : tensor<5x3xf32>
}

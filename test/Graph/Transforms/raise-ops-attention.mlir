// Attention as exporters write it.
// RUN: uma-opt %s --uma-graph-raise-ops --split-input-file | FileCheck %s

// The scale behind the product, as a divisor; keys transposed by an operator; a mask.

// CHECK-LABEL: func @bert
// CHECK: %[[K:.*]] = uma.graph.transpose %arg1 [0, 1, 3, 2]
// CHECK: %[[R:.*]] = uma.graph.attention %arg0, %[[K]], %arg2 mask %arg3 scale 5.000000e-01
// CHECK: return %[[R]]
func.func @bert(%q: tensor<1x2x5x4xf32>, %k: tensor<1x2x4x5xf32>, %v: tensor<1x2x5x4xf32>, %m: tensor<1x1x1x5xf32>) -> tensor<1x2x5x4xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %0 = uma.graph.batch_matmul %q, %k : (tensor<1x2x5x4xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x5x5xf32>
  %1 = uma.graph.divide %0, %two : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5x5xf32>
  %2 = uma.graph.add %1, %m : (tensor<1x2x5x5xf32>, tensor<1x1x1x5xf32>) -> tensor<1x2x5x5xf32>
  %3 = uma.graph.softmax %2 : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %4 = uma.graph.batch_matmul %3, %v : (tensor<1x2x5x5xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
  return %4 : tensor<1x2x5x4xf32>
}

// -----

// Half of the scale on each side, as PyTorch writes scaled_dot_product_attention; the mask in front.

// CHECK-LABEL: func @sdpa
// CHECK: uma.graph.attention %arg0, %arg1, %arg2 mask %arg3 scale 2.500000e-01
func.func @sdpa(%q: tensor<2x5x4xf32>, %k: tensor<2x6x4xf32>, %v: tensor<2x6x4xf32>, %m: tensor<5x6xf32>) -> tensor<2x5x4xf32> {
  %half = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.multiply %q, %half : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<2x5x4xf32>
  %1 = uma.graph.multiply %half, %k : (tensor<f32>, tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  %2 = uma.graph.batch_matmul %0, %1 transpose_b true : (tensor<2x5x4xf32>, tensor<2x6x4xf32>) -> tensor<2x5x6xf32>
  %3 = uma.graph.add %m, %2 : (tensor<5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %4 = uma.graph.softmax %3 axis 2 : (tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %5 = uma.graph.batch_matmul %4, %v : (tensor<2x5x6xf32>, tensor<2x6x4xf32>) -> tensor<2x5x4xf32>
  return %5 : tensor<2x5x4xf32>
}

// -----

// The scores are a result, too.

// CHECK-LABEL: func @used
// CHECK-NOT: attention
// CHECK: return
func.func @used(%q: tensor<5x4xf32>, %k: tensor<6x4xf32>, %v: tensor<6x4xf32>) -> (tensor<5x4xf32>, tensor<5x6xf32>) {
  %0 = uma.graph.batch_matmul %q, %k transpose_b true : (tensor<5x4xf32>, tensor<6x4xf32>) -> tensor<5x6xf32>
  %1 = uma.graph.softmax %0 : (tensor<5x6xf32>) -> tensor<5x6xf32>
  %2 = uma.graph.batch_matmul %1, %v : (tensor<5x6xf32>, tensor<6x4xf32>) -> tensor<5x4xf32>
  return %2, %0 : tensor<5x4xf32>, tensor<5x6xf32>
}

// -----

// The softmax is over the queries.

// CHECK-LABEL: func @axis
// CHECK-NOT: attention
// CHECK: return
func.func @axis(%q: tensor<5x4xf32>, %k: tensor<6x4xf32>, %v: tensor<6x4xf32>) -> tensor<5x4xf32> {
  %0 = uma.graph.batch_matmul %q, %k transpose_b true : (tensor<5x4xf32>, tensor<6x4xf32>) -> tensor<5x6xf32>
  %1 = uma.graph.softmax %0 axis 0 : (tensor<5x6xf32>) -> tensor<5x6xf32>
  %2 = uma.graph.batch_matmul %1, %v : (tensor<5x6xf32>, tensor<6x4xf32>) -> tensor<5x4xf32>
  return %2 : tensor<5x4xf32>
}

// -----

// A mask that makes more scores than there were.

// CHECK-LABEL: func @wide_mask
// CHECK-NOT: attention
// CHECK: return
func.func @wide_mask(%q: tensor<5x4xf32>, %k: tensor<6x4xf32>, %v: tensor<6x4xf32>, %m: tensor<2x5x6xf32>) -> tensor<2x5x4xf32> {
  %0 = uma.graph.batch_matmul %q, %k transpose_b true : (tensor<5x4xf32>, tensor<6x4xf32>) -> tensor<5x6xf32>
  %1 = uma.graph.add %0, %m : (tensor<5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %2 = uma.graph.softmax %1 : (tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %3 = uma.graph.batch_matmul %2, %v : (tensor<2x5x6xf32>, tensor<6x4xf32>) -> tensor<2x5x4xf32>
  return %3 : tensor<2x5x4xf32>
}

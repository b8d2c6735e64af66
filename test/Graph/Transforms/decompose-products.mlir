// Products of matrices as batch_matmul.
// RUN: uma-opt %s --uma-graph-decompose-products | FileCheck %s

// A dense layer without constant weights; the transpose before them goes.

// CHECK-LABEL: func @dense
// CHECK-NEXT: %[[A:.*]] = uma.graph.batch_matmul %arg0, %arg1 : (tensor<3x4x8xf32>, tensor<8x16xf32>) -> tensor<3x4x16xf32>
// CHECK-NEXT: %[[B:.*]] = uma.graph.batch_matmul %arg0, %arg2 transpose_b true
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @dense(%x: tensor<3x4x8xf32>, %v: tensor<8x16xf32>, %w: tensor<16x8xf32>) -> (tensor<3x4x16xf32>, tensor<3x4x16xf32>) {
  %0 = uma.graph.transpose %v [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %1 = uma.graph.dense %x, %0 : (tensor<3x4x8xf32>, tensor<16x8xf32>) -> tensor<3x4x16xf32>
  %2 = uma.graph.dense %x, %w : (tensor<3x4x8xf32>, tensor<16x8xf32>) -> tensor<3x4x16xf32>
  return %1, %2 : tensor<3x4x16xf32>, tensor<3x4x16xf32>
}

// Constant weights are packed when the model is compiled.

// CHECK-LABEL: func @constant
// CHECK: uma.graph.dense
func.func @constant(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x8xf32>
  %0 = uma.graph.dense %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// Transposes of matrices become an attribute, or stay for the first matrix.

// CHECK-LABEL: func @matmul
// CHECK: %[[T:.*]] = uma.graph.transpose %arg0 [0, 2, 1] : (tensor<2x8x4xf32>) -> tensor<2x4x8xf32>
// CHECK: uma.graph.batch_matmul %[[T]], %arg1 transpose_b true : (tensor<2x4x8xf32>, tensor<2x16x8xf32>) -> tensor<2x4x16xf32>
func.func @matmul(%a: tensor<2x8x4xf32>, %b: tensor<2x16x8xf32>) -> tensor<2x4x16xf32> {
  %0 = uma.graph.transpose %b [0, 2, 1] : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
  %1 = uma.graph.batch_matmul %a, %0 transpose_a true : (tensor<2x8x4xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
  return %1 : tensor<2x4x16xf32>
}

// The scores of attention: the heads come first.

// CHECK-LABEL: func @einsum
// CHECK: %[[Q:.*]] = uma.graph.transpose %arg0 [0, 2, 1, 3]
// CHECK: %[[QR:.*]] = uma.graph.reshape %[[Q]] [6, 4, 8]
// CHECK: %[[K:.*]] = uma.graph.transpose %arg1 [0, 2, 3, 1]
// CHECK: %[[KR:.*]] = uma.graph.reshape %[[K]] [6, 8, 5]
// CHECK: %[[P:.*]] = uma.graph.batch_matmul %[[QR]], %[[KR]] : {{.*}} -> tensor<6x4x5xf32>
// CHECK: uma.graph.reshape %[[P]] [2, 3, 4, 5]
func.func @einsum(%q: tensor<2x4x3x8xf32>, %k: tensor<2x5x3x8xf32>) -> tensor<2x3x4x5xf32> {
  %0 = uma.graph.einsum "bqhd,bkhd->bhqk" %q, %k : (tensor<2x4x3x8xf32>, tensor<2x5x3x8xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// Without a sum over both, with a diagonal, a broadcast, another sum or three operands it is no product of matrices.

// CHECK-LABEL: func @other
// CHECK-COUNT-5: uma.graph.einsum
func.func @other(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<1x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>) {
  %0 = uma.graph.einsum "ij,ij->ij" %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = uma.graph.einsum "ii,ij->ij" %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = uma.graph.einsum "ij,jk->ik" %a, %c : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %3 = uma.graph.einsum "ij,jk->k" %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %4 = uma.graph.einsum "ij,jk,kl->il" %a, %b, %a : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>
}

// A layer that exists stays as it is.

// CHECK-LABEL: func private @layer
// CHECK: uma.graph.dense
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> attributes {uma.primitive} {
  %0 = uma.graph.dense %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

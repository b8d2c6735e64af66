// RUN: uma-opt %s -canonicalize="test-convergence" | FileCheck %s

// Every folder and canonicalisation, each beside what it must leave alone.

//===----------------------------------------------------------------------===//
// conv2d(pad)
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @absorb_pad
// CHECK-SAME: %[[X:.*]]: tensor<1x8x4x4xf32>, %[[W:.*]]: tensor
// CHECK-NEXT: %[[C:.*]] = uma.graph.conv2d %[[X]], %[[W]] padding [2, 4, 4, 6] :
// CHECK-NEXT: return %[[C]]
func.func @absorb_pad(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x8x12xf32> {
  %0 = uma.graph.pad %x before [0, 0, 1, 2] after [0, 0, 3, 4] : (tensor<1x8x4x4xf32>) -> tensor<1x8x8x10xf32>
  %1 = uma.graph.conv2d %0, %w padding [1, 2, 1, 2]
      : (tensor<1x8x8x10xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x8x12xf32>
  return %1 : tensor<1x4x8x12xf32>
}

// CHECK-LABEL: func @absorb_pad_3d
// CHECK-NEXT: uma.graph.conv3d %{{.*}} padding [1, 2, 3, 4, 5, 6] :
func.func @absorb_pad_3d(%x: tensor<1x2x4x4x4xf32>, %w: tensor<3x2x3x3x3xf32>) -> tensor<1x3x7x9x11xf32> {
  %0 = uma.graph.pad %x before [0, 0, 1, 2, 3] after [0, 0, 4, 5, 6] : (tensor<1x2x4x4x4xf32>) -> tensor<1x2x9x11x13xf32>
  %1 = uma.graph.conv3d %0, %w : (tensor<1x2x9x11x13xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x7x9x11xf32>
  return %1 : tensor<1x3x7x9x11xf32>
}

// CHECK-LABEL: func @keep_edge_pad
// CHECK: uma.graph.pad
// CHECK: uma.graph.conv2d
func.func @keep_edge_pad(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %0 = uma.graph.pad %x before [0, 0, 1, 1] after [0, 0, 1, 1] mode "edge" : (tensor<1x8x4x4xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x8x6x6xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func @absorb_pad_nhwc
// CHECK-NEXT: uma.graph.conv2d %{{.*}} padding [1, 2, 3, 4] layout "NHWC"
func.func @absorb_pad_nhwc(%x: tensor<1x4x4x8xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x6x8x4xf32> {
  %0 = uma.graph.pad %x before [0, 1, 2, 0] after [0, 3, 4, 0] : (tensor<1x4x4x8xf32>) -> tensor<1x8x10x8xf32>
  %1 = uma.graph.conv2d %0, %w layout "NHWC" : (tensor<1x8x10x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x6x8x4xf32>
  return %1 : tensor<1x6x8x4xf32>
}

// The pad stays for its other user.
// CHECK-LABEL: func @absorb_pad_of_two_users
// CHECK-SAME: %[[X:.*]]: tensor<1x8x4x4xf32>,
// CHECK: %[[P:.*]] = uma.graph.pad
// CHECK: uma.graph.conv2d %[[X]], %{{.*}} padding [1, 1, 1, 1]
// CHECK: return %{{.*}}, %[[P]]
func.func @absorb_pad_of_two_users(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>)
    -> (tensor<1x4x4x4xf32>, tensor<1x8x6x6xf32>) {
  %0 = uma.graph.pad %x before [0, 0, 1, 1] after [0, 0, 1, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x8x6x6xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %1, %0 : tensor<1x4x4x4xf32>, tensor<1x8x6x6xf32>
}

// CHECK-LABEL: func @keep_pad_of_one
// CHECK: uma.graph.pad {{.*}} value 1.0
// CHECK: uma.graph.conv2d %{{.*}}, %{{.*}} : (tensor<1x8x6x6xf32>
func.func @keep_pad_of_one(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %0 = uma.graph.pad %x before [0, 0, 1, 1] after [0, 0, 1, 1] value 1.0
      : (tensor<1x8x4x4xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x8x6x6xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func @keep_pad_of_channels
// CHECK: uma.graph.pad
// CHECK: uma.graph.conv2d %{{.*}}, %{{.*}} : (tensor<1x8x6x6xf32>
func.func @keep_pad_of_channels(%x: tensor<1x7x4x4xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %0 = uma.graph.pad %x before [0, 0, 1, 1] after [0, 1, 1, 1] : (tensor<1x7x4x4xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x8x6x6xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

//===----------------------------------------------------------------------===//
// Operators that do nothing
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @nothing
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @nothing(%x: tensor<2x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = uma.graph.pad %x before [0, 0] after [0, 0] value 1.0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = uma.graph.reshape %x [-1, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = uma.graph.batch_flatten %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = uma.graph.transpose %x [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = uma.graph.concatenate %x axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = uma.graph.cast %x to f32 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5
      : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// The type alone does not make a transpose nothing.
// CHECK-LABEL: func @keep_square_transpose
// CHECK: uma.graph.transpose
func.func @keep_square_transpose(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = uma.graph.transpose %x [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: func @keep_others
// CHECK: uma.graph.pad
// CHECK: uma.graph.cast
// CHECK: uma.graph.concatenate
func.func @keep_others(%x: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x3xf16>, tensor<4x3xf32>) {
  %0 = uma.graph.pad %x before [0, 0] after [0, 1] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  %1 = uma.graph.cast %x to f16 : (tensor<2x3xf32>) -> tensor<2x3xf16>
  %2 = uma.graph.concatenate %x, %x axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<2x3xf16>, tensor<4x3xf32>
}

// CHECK-LABEL: func @relu_of_relu
// CHECK-NEXT: %[[R:.*]] = uma.graph.relu
// CHECK-NEXT: return %[[R]]
func.func @relu_of_relu(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = uma.graph.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  %1 = uma.graph.relu %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

//===----------------------------------------------------------------------===//
// bias_add of zeros
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @bias_of_zeros
// CHECK-SAME: %[[X:.*]]: tensor<1x8xf32>, %[[I:.*]]: tensor<1x8xi32>
// CHECK-NEXT: return %[[X]], %[[I]]
func.func @bias_of_zeros(%x: tensor<1x8xf32>, %i: tensor<1x8xi32>) -> (tensor<1x8xf32>, tensor<1x8xi32>) {
  %f = uma.graph.constant dense<0.0> : tensor<8xf32>
  %z = uma.graph.constant dense<0> : tensor<8xi32>
  %0 = uma.graph.bias_add %x, %f : (tensor<1x8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
  %1 = uma.graph.bias_add %i, %z : (tensor<1x8xi32>, tensor<8xi32>) -> tensor<1x8xi32>
  return %0, %1 : tensor<1x8xf32>, tensor<1x8xi32>
}

// Weights are not searched for zeros.
// CHECK-LABEL: func @keep_bias
// CHECK-COUNT-3: uma.graph.bias_add
func.func @keep_bias(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %one = uma.graph.constant dense<1.0> : tensor<2xf32>
  %mixed = uma.graph.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %weights = uma.graph.constant dense_resource<zeros> : tensor<2xf32>
  %0 = uma.graph.bias_add %x, %one : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.bias_add %0, %mixed : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.bias_add %1, %weights : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}

//===----------------------------------------------------------------------===//
// reshape and transpose
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @reshape_of_reshape
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT: %[[R:.*]] = uma.graph.reshape %[[X]] [4, -1] : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape_of_reshape(%x: tensor<2x3x4xf32>) -> tensor<4x6xf32> {
  %0 = uma.graph.reshape %x [24] : (tensor<2x3x4xf32>) -> tensor<24xf32>
  %1 = uma.graph.reshape %0 [4, -1] : (tensor<24xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// CHECK-LABEL: func @reshape_back
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT: return %[[X]]
func.func @reshape_back(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.batch_flatten %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %1 = uma.graph.reshape %0 [2, 3, 4] : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @reshape_of_constant
// CHECK-DAG: uma.graph.constant dense<{{\[}}[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// CHECK-DAG: uma.graph.constant dense_resource<zeros> : tensor<1x2xf32>
// CHECK-DAG: uma.graph.constant dense<3> : tensor<2x2xi8>
// CHECK-NOT: reshape
func.func @reshape_of_constant() -> (tensor<2x1xf32>, tensor<1x2xf32>, tensor<2x2xi8>) {
  %c = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %w = uma.graph.constant dense_resource<zeros> : tensor<2xf32>
  %s = uma.graph.constant dense<3> : tensor<4xi8>
  %0 = uma.graph.reshape %c [2, 1] : (tensor<2xf32>) -> tensor<2x1xf32>
  %1 = uma.graph.reshape %w [1, 2] : (tensor<2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.reshape %s [2, 2] : (tensor<4xi8>) -> tensor<2x2xi8>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<1x2xf32>, tensor<2x2xi8>
}

// CHECK-LABEL: func @transpose_of_transpose
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4x5xf32>
// CHECK-NEXT: %[[T:.*]] = uma.graph.transpose %[[X]] [3, 1, 0, 2] : (tensor<2x3x4x5xf32>) -> tensor<5x3x2x4xf32>
// CHECK-NEXT: return %[[T]]
func.func @transpose_of_transpose(%x: tensor<2x3x4x5xf32>) -> tensor<5x3x2x4xf32> {
  %0 = uma.graph.transpose %x [0, 2, 3, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
  %1 = uma.graph.transpose %0 [2, 3, 0, 1] : (tensor<2x4x5x3xf32>) -> tensor<5x3x2x4xf32>
  return %1 : tensor<5x3x2x4xf32>
}

// CHECK-LABEL: func @transpose_back
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[X]]
func.func @transpose_back(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = uma.graph.transpose %x [0, 2, 3, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
  %1 = uma.graph.transpose %0 [0, 3, 1, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x3x4x5xf32>
  return %1 : tensor<2x3x4x5xf32>
}

// CHECK-LABEL: func @transpose_of_unit_dims
// CHECK-NEXT: %[[R:.*]] = uma.graph.reshape %{{.*}} [1, 1, 8, 4] : (tensor<8x1x1x4xf32>) -> tensor<1x1x8x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @transpose_of_unit_dims(%x: tensor<8x1x1x4xf32>) -> tensor<1x1x8x4xf32> {
  %0 = uma.graph.transpose %x [2, 1, 0, 3] : (tensor<8x1x1x4xf32>) -> tensor<1x1x8x4xf32>
  return %0 : tensor<1x1x8x4xf32>
}

// CHECK-LABEL: func @keep_transpose
// CHECK: uma.graph.transpose
func.func @keep_transpose(%x: tensor<8x1x1x4xf32>) -> tensor<1x1x4x8xf32> {
  %0 = uma.graph.transpose %x [2, 1, 3, 0] : (tensor<8x1x1x4xf32>) -> tensor<1x1x4x8xf32>
  return %0 : tensor<1x1x4x8xf32>
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

// Commutative operators take their constant on the right; constants are joined,
// weights by the name of their resource.
// CHECK-LABEL: func @constants
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>
// CHECK-DAG: %[[C:.*]] = uma.graph.constant dense<1.000000e+00>
// CHECK-DAG: %[[W:.*]] = uma.graph.constant dense_resource<zeros>
// CHECK: %[[A:.*]] = uma.graph.add %[[X]], %[[C]]
// CHECK: %[[B:.*]] = uma.graph.multiply %[[A]], %[[W]]
// CHECK: uma.graph.subtract %[[W]], %[[B]]
func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = uma.graph.constant dense<1.0> : tensor<2xf32>
  %w0 = uma.graph.constant dense_resource<zeros> : tensor<2xf32>
  %w1 = uma.graph.constant dense_resource<zeros> : tensor<2xf32>
  %0 = uma.graph.add %c, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = uma.graph.multiply %w0, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = uma.graph.subtract %w1, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// Folding stops at the isolated body of a composite, and works inside it.
// CHECK-LABEL: func @composite
// CHECK-NEXT: %[[R:.*]] = uma.graph.relu
// CHECK-NEXT: uma.graph.composite @vanilla::@relu (%[[A:.*]] = %[[R]] : tensor<2xf32>)
// CHECK-NEXT:   %[[S:.*]] = uma.graph.relu %[[A]]
// CHECK-NEXT:   uma.graph.yield %[[S]]
func.func @composite(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = uma.graph.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  %1 = uma.graph.composite @vanilla::@relu (%a = %0 : tensor<2xf32>) -> tensor<2xf32> {
    %2 = uma.graph.relu %a : (tensor<2xf32>) -> tensor<2xf32>
    %3 = uma.graph.relu %2 : (tensor<2xf32>) -> tensor<2xf32>
    uma.graph.yield %3 : tensor<2xf32>
  }
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func @dead
// CHECK-NEXT: return
func.func @dead(%x: tensor<2xf32>) {
  %0 = uma.graph.composite @vanilla::@relu (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    uma.graph.yield %a : tensor<2xf32>
  }
  return
}

// CHECK-LABEL: func @einsum_to_batch_matmul
func.func @einsum_to_batch_matmul(%x: tensor<2x3x4xf32>, %y: tensor<2x5x4xf32>, %i: tensor<3x3xi32>, %b: tensor<3x3xi8>)
    -> (tensor<2x3x5xf32>, tensor<3x3xi32>, tensor<3x3xi8>, tensor<3x3xi32>) {
  // CHECK-DAG: %[[A:.*]] = uma.graph.batch_matmul %arg0, %arg1 transpose_b true :
  %0 = uma.graph.einsum "bij,bkj->bik" %x, %y : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  // CHECK-DAG: %[[B:.*]] = uma.graph.batch_matmul %arg2, %arg2 transpose_a true out_dtype i32 :
  %1 = uma.graph.einsum "ji,jk->ik" %i, %i : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi32>
  // Narrow integers wrap, and the result of a matrix product is not transposed.
  // CHECK-DAG: %[[C:.*]] = uma.graph.einsum "ij,jk->ik"
  %2 = uma.graph.einsum "ij,jk->ik" %b, %b : (tensor<3x3xi8>, tensor<3x3xi8>) -> tensor<3x3xi8>
  // CHECK-DAG: %[[D:.*]] = uma.graph.einsum "ij,jk->ki"
  %3 = uma.graph.einsum "ij,jk->ki" %i, %i : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  return %0, %1, %2, %3 : tensor<2x3x5xf32>, tensor<3x3xi32>, tensor<3x3xi8>, tensor<3x3xi32>
}

{-#
  dialect_resources: {
    builtin: {
      zeros: "0x040000000000000000000000"
    }
  }
#-}

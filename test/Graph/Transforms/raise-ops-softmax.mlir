// Softmax.
// RUN: uma-opt %s --uma-graph-raise-ops --split-input-file | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK-NEXT: %[[R:.*]] = uma.graph.softmax %arg0 axis -2
// CHECK-NEXT: return %[[R]]
func.func @softmax(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = uma.graph.max %x axis [1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x1x8xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.exp %1 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.sum %2 axis [-2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x1x8xf32>
  %r = uma.graph.divide %2, %3 : (tensor<2x3x8xf32>, tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// With the inverse of the sum.

// CHECK-LABEL: func @inverse
// CHECK-NEXT: %[[R:.*]] = uma.graph.softmax %arg0 :
// CHECK-NEXT: return %[[R]]
func.func @inverse(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %0 = uma.graph.max %x axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.exp %1 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.sum %2 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.divide %one, %3 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %r = uma.graph.multiply %4, %2 : (tensor<2x3x1xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// Without the largest element, exp overflows where a softmax does not.

// CHECK-LABEL: func @overflow
// CHECK-NOT: uma.graph.softmax
// CHECK: return
func.func @overflow(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %2 = uma.graph.exp %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.sum %2 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %r = uma.graph.divide %2, %3 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// Of rows, divided by the sums of columns.

// CHECK-LABEL: func @other_axis
// CHECK-NOT: uma.graph.softmax
// CHECK: return
func.func @other_axis(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = uma.graph.max %x axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.exp %1 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.sum %2 axis [1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x1x8xf32>
  %r = uma.graph.divide %2, %3 : (tensor<2x3x8xf32>, tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// Over two axes; and the exponentials of another tensor.

// CHECK-LABEL: func @several_axes
// CHECK-NOT: uma.graph.softmax
// CHECK: return
func.func @several_axes(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = uma.graph.max %x axis [1, 2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x1x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x1x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.exp %1 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.sum %2 axis [1, 2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x1x1xf32>
  %4 = uma.graph.divide %2, %3 : (tensor<2x3x8xf32>, tensor<2x1x1xf32>) -> tensor<2x3x8xf32>
  %5 = uma.graph.max %4 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.subtract %x, %5 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.exp %6 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %8 = uma.graph.sum %7 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %r = uma.graph.divide %7, %8 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

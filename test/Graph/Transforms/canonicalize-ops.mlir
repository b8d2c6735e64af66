// RUN: uma-opt %s --uma-graph-canonicalize-ops --split-input-file | FileCheck %s

// CHECK-LABEL: func @add
// CHECK-DAG: %[[W:.*]] = uma.graph.constant dense<1.000000e+00>
// CHECK-DAG: %[[B:.*]] = uma.graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[CONV:.*]] = uma.graph.conv2d %{{.*}}, %[[W]]
// CHECK: %[[SUM:.*]] = uma.graph.bias_add %[[CONV]], %[[B]] :
// CHECK: return %[[SUM]]
func.func @add(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<2x2x1x1xf32>
  %b = uma.graph.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = uma.graph.add %0, %b : (tensor<1x2x2x2xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  return %1 : tensor<1x2x2x2xf32>
}

// -----

// Channels last, the constant on the left, behind a multiplication and a pool.

// CHECK-LABEL: func @channels_last
// CHECK: uma.graph.multiply
// CHECK: uma.graph.bias_add %{{.*}}, %{{.*}} axis 3 : (tensor<1x2x2x2xf32>, tensor<2xf32>)
// CHECK-NOT: uma.graph.add
func.func @channels_last(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %b = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2] layout "NHWC" : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = uma.graph.multiply %b, %0 : (tensor<2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = uma.graph.add %b, %1 : (tensor<2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %2 : tensor<1x2x2x2xf32>
}

// -----

// Three additions become one bias.

// CHECK-LABEL: func @merge
// CHECK-DAG: %[[B:.*]] = uma.graph.constant dense<[1.110000e+02, 2.220000e+02]> : tensor<2xf32>
// CHECK-DAG: %[[DENSE:.*]] = uma.graph.dense
// CHECK: %[[SUM:.*]] = uma.graph.bias_add %[[DENSE]], %[[B]] axis -1 :
// CHECK: return %[[SUM]]
func.func @merge(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b0 = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b1 = uma.graph.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %b2 = uma.graph.constant dense<[100.0, 200.0]> : tensor<2xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.bias_add %0, %b0 axis -1 : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.add %1, %b1 : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %3 = uma.graph.bias_add %2, %b2 : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %3 : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: func @merge_integers
// CHECK: uma.graph.constant dense<[-2147483648, 5]> : tensor<2xi32>
func.func @merge_integers(%x: tensor<1x2xi32>) -> tensor<1x2xi32> {
  %b0 = uma.graph.constant dense<[2147483647, 2]> : tensor<2xi32>
  %b1 = uma.graph.constant dense<[1, 3]> : tensor<2xi32>
  %0 = uma.graph.bias_add %x, %b0 : (tensor<1x2xi32>, tensor<2xi32>) -> tensor<1x2xi32>
  %1 = uma.graph.bias_add %0, %b1 : (tensor<1x2xi32>, tensor<2xi32>) -> tensor<1x2xi32>
  return %1 : tensor<1x2xi32>
}

// -----

// No bias: along the width, one value for all, no layer before it, a tensor
// that is not constant, a result of another shape.

// CHECK-LABEL: func @stays
// CHECK-COUNT-5: uma.graph.add
// CHECK-NOT: uma.graph.bias_add
func.func @stays(%x: tensor<1x2x2x2xf32>, %y: tensor<2x1x1xf32>)
    -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>) {
  %w = uma.graph.constant dense<1.0> : tensor<2x2x1x1xf32>
  %v = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = uma.graph.constant dense<1.0> : tensor<2x1x1xf32>
  %s = uma.graph.constant dense<1.0> : tensor<f32>
  %r = uma.graph.constant dense<1.0> : tensor<3x1x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = uma.graph.add %0, %v : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %2 = uma.graph.add %0, %s : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %3 = uma.graph.add %x, %c : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %4 = uma.graph.add %0, %y : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %5 = uma.graph.add %0, %r : (tensor<1x2x2x2xf32>, tensor<3x1x1x1xf32>) -> tensor<3x2x2x2xf32>
  return %1, %2, %3, %4, %5 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>
}

// -----

// The first sum is somebody else's too; the second pair has different axes.

// CHECK-LABEL: func @no_merge
// CHECK-COUNT-4: uma.graph.bias_add
func.func @no_merge(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %b = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = uma.graph.bias_add %x, %b : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = uma.graph.bias_add %x, %b axis 0 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %3 = uma.graph.bias_add %2, %b axis 1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %0, %1, %3 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

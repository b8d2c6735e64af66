// RUN: uma-opt %s --uma-graph-combine-parallel-conv2d --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-graph-combine-parallel-conv2d=min-branches=2 --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: not uma-opt %s --uma-graph-combine-parallel-conv2d=min-branches=1 --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: uma-graph-combine-parallel-conv2d: min-branches is 1, expected 2 or more

// Three branches with biases and activations, then different operators. The 3x3 convolution is of another kind.

// CHECK-LABEL: func @inception
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<1x2x4x4xf32>, %[[W0:[a-z0-9]*]]: tensor<1x2x1x1xf32>, %[[W1:[a-z0-9]*]]: tensor<2x2x1x1xf32>
// CHECK: %[[W2:.*]] = uma.graph.constant dense<3.000000e+00> : tensor<3x2x1x1xf32>
// CHECK: %[[W:.*]] = uma.graph.concatenate %[[W0]], %[[W1]], %[[W2]] axis 0
// CHECK: %[[CONV:.*]] = uma.graph.conv2d %[[X]], %[[W]] : (tensor<1x2x4x4xf32>, tensor<6x2x1x1xf32>) -> tensor<1x6x4x4xf32>
// CHECK: %[[B0:.*]] = uma.graph.constant dense<1.000000e+00> : tensor<1xf32>
// CHECK: %[[B1:.*]] = uma.graph.constant dense<2.000000e+00> : tensor<2xf32>
// CHECK: %[[B2:.*]] = uma.graph.constant dense<3.000000e+00> : tensor<3xf32>
// CHECK: %[[B:.*]] = uma.graph.concatenate %[[B0]], %[[B1]], %[[B2]] axis 0
// CHECK: %[[SUM:.*]] = uma.graph.bias_add %[[CONV]], %[[B]]
// CHECK: %[[RELU:.*]] = uma.graph.relu %[[SUM]]
// CHECK: %[[R0:.*]] = uma.graph.strided_slice %[[RELU]] [0, 0, 0, 0] size [1, 1, 4, 4] strides [1, 1, 1, 1]
// CHECK: %[[R1:.*]] = uma.graph.strided_slice %[[RELU]] [0, 1, 0, 0] size [1, 2, 4, 4] strides [1, 1, 1, 1]
// CHECK: %[[R2:.*]] = uma.graph.strided_slice %[[RELU]] [0, 3, 0, 0] size [1, 3, 4, 4] strides [1, 1, 1, 1]
// CHECK-NOT: uma.graph.bias_add
// CHECK-DAG: uma.graph.conv2d %[[X]], %{{.*}} padding
// CHECK-DAG: uma.graph.exp %[[R0]]
// CHECK-DAG: uma.graph.log %[[R1]]
// CHECK-DAG: return %{{.*}}, %{{.*}}, %[[R2]], %{{.*}}
func.func @inception(%x: tensor<1x2x4x4xf32>, %w0: tensor<1x2x1x1xf32>, %w1: tensor<2x2x1x1xf32>)
    -> (tensor<1x1x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x1x4x4xf32>) {
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %b0 = uma.graph.constant dense<1.0> : tensor<1xf32>
  %1 = uma.graph.bias_add %0, %b0 : (tensor<1x1x4x4xf32>, tensor<1xf32>) -> tensor<1x1x4x4xf32>
  %2 = uma.graph.relu %1 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %3 = uma.graph.exp %2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %w3 = uma.graph.constant dense<1.0> : tensor<1x2x3x3xf32>
  %4 = uma.graph.conv2d %x, %w3 padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<1x2x3x3xf32>) -> tensor<1x1x4x4xf32>
  %5 = uma.graph.conv2d %x, %w1 strides [1, 1] : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %b1 = uma.graph.constant dense<2.0> : tensor<2xf32>
  %6 = uma.graph.bias_add %5, %b1 : (tensor<1x2x4x4xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %7 = uma.graph.relu %6 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %8 = uma.graph.log %7 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %w2 = uma.graph.constant dense<3.0> : tensor<3x2x1x1xf32>
  %9 = uma.graph.conv2d %x, %w2 : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %b2 = uma.graph.constant dense<3.0> : tensor<3xf32>
  %10 = uma.graph.bias_add %9, %b2 axis -3 : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %11 = uma.graph.relu %10 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %3, %8, %11, %4 : tensor<1x1x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x1x4x4xf32>
}

// -----

// Two branches are too few by default. Channels last: O of HWIO, C of NHWC. Arithmetic with one constant for all
// channels and with one per channel; the end of a branch with several users.

// CHECK-LABEL: func @channels_last
// CHECK-NOT: uma.graph.concatenate

// TWO-LABEL: func @channels_last
// TWO: %[[TWO:.*]] = uma.graph.constant dense<2.000000e+00> : tensor<f32>
// TWO-NOT: uma.graph.constant dense<2.000000e+00>
// TWO: %[[W:.*]] = uma.graph.concatenate %{{.*}}, %{{.*}} axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x4xf32>
// TWO: %[[CONV:.*]] = uma.graph.conv2d %{{.*}}, %[[W]] layout "NHWC" kernel_layout "HWIO"
// TWO: %[[SCALED:.*]] = uma.graph.multiply %[[CONV]], %[[TWO]] : (tensor<1x4x4x4xf32>, tensor<f32>)
// TWO: %[[S:.*]] = uma.graph.concatenate %{{.*}}, %{{.*}} axis 1 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
// TWO: %[[DIFF:.*]] = uma.graph.subtract %[[S]], %[[SCALED]]
// TWO: %[[R0:.*]] = uma.graph.strided_slice %[[DIFF]] [0, 0, 0, 0] size [1, 4, 4, 2]
// TWO: uma.graph.strided_slice %[[DIFF]] [0, 0, 0, 2] size [1, 4, 4, 2]
// TWO: uma.graph.exp %[[R0]]
// TWO: uma.graph.exp %[[R0]]
func.func @channels_last(%x: tensor<1x4x4x2xf32>, %w0: tensor<1x1x2x2xf32>, %w1: tensor<1x1x2x2xf32>)
    -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %t0 = uma.graph.constant dense<2.0> : tensor<f32>
  %t1 = uma.graph.constant dense<2.0> : tensor<f32>
  %s0 = uma.graph.constant dense<3.0> : tensor<1x2xf32>
  %s1 = uma.graph.constant dense<4.0> : tensor<1x2xf32>
  %0 = uma.graph.conv2d %x, %w0 layout "NHWC" kernel_layout "HWIO" : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = uma.graph.multiply %0, %t0 : (tensor<1x4x4x2xf32>, tensor<f32>) -> tensor<1x4x4x2xf32>
  %2 = uma.graph.subtract %s0, %1 : (tensor<1x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = uma.graph.exp %2 : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = uma.graph.exp %2 : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = uma.graph.conv2d %x, %w1 layout "NHWC" kernel_layout "HWIO" : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = uma.graph.multiply %5, %t1 : (tensor<1x4x4x2xf32>, tensor<f32>) -> tensor<1x4x4x2xf32>
  %7 = uma.graph.subtract %s1, %6 : (tensor<1x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %3, %4, %7 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// Groups, other strides, other data, and weights that are computed from a branch.

// TWO-LABEL: func @different
// TWO-NOT: uma.graph.concatenate
// TWO-NOT: uma.graph.strided_slice
func.func @different(%x: tensor<1x2x4x4xf32>, %y: tensor<1x2x4x4xf32>, %g: tensor<2x1x1x1xf32>, %h: tensor<2x1x1x1xf32>,
                     %w: tensor<1x2x1x1xf32>, %v: tensor<1x2x2x2xf32>)
    -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) {
  %0 = uma.graph.conv2d %x, %g groups 2 : (tensor<1x2x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = uma.graph.conv2d %x, %h groups 2 : (tensor<1x2x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %3 = uma.graph.conv2d %x, %w strides [2, 2] : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x2x2xf32>
  %4 = uma.graph.conv2d %y, %w : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %5 = uma.graph.conv2d %x, %v : (tensor<1x2x4x4xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x3x3xf32>
  %late = uma.graph.relu %v : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %6 = uma.graph.conv2d %x, %late : (tensor<1x2x4x4xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x3x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>
}

// -----

// Followers that are not alike: another constant for all channels, other attributes, branches that meet.

// TWO-LABEL: func @unlike_constant
// TWO: uma.graph.conv2d %{{.*}} -> tensor<1x2x4x4xf32>
// TWO: uma.graph.strided_slice
// TWO: uma.graph.strided_slice
// TWO: uma.graph.multiply %{{.*}} -> tensor<1x1x4x4xf32>
// TWO: uma.graph.multiply %{{.*}} -> tensor<1x1x4x4xf32>
func.func @unlike_constant(%x: tensor<1x2x4x4xf32>, %w: tensor<1x2x1x1xf32>, %v: tensor<1x2x1x1xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %a = uma.graph.constant dense<2.0> : tensor<f32>
  %b = uma.graph.constant dense<3.0> : tensor<f32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %1 = uma.graph.conv2d %x, %v : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %2 = uma.graph.multiply %0, %a : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %3 = uma.graph.multiply %1, %b : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  return %2, %3 : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// TWO-LABEL: func @unlike_attributes
// TWO: uma.graph.conv2d %{{.*}} -> tensor<1x2x4x4xf32>
// TWO: uma.graph.leaky_relu %{{.*}} alpha 1.000000e-01 : (tensor<1x1x4x4xf32>)
// TWO: uma.graph.leaky_relu %{{.*}} alpha 2.000000e-01 : (tensor<1x1x4x4xf32>)
func.func @unlike_attributes(%x: tensor<1x2x4x4xf32>, %w: tensor<1x2x1x1xf32>, %v: tensor<1x2x1x1xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %1 = uma.graph.conv2d %x, %v : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %2 = uma.graph.leaky_relu %0 alpha 0.1 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %3 = uma.graph.leaky_relu %1 alpha 0.2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %2, %3 : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// TWO-LABEL: func @meet
// TWO: uma.graph.conv2d %{{.*}} -> tensor<1x2x4x4xf32>
// TWO: %[[A:.*]] = uma.graph.strided_slice
// TWO: %[[B:.*]] = uma.graph.strided_slice
// TWO: uma.graph.add %[[A]], %[[B]]
func.func @meet(%x: tensor<1x2x4x4xf32>, %w: tensor<1x2x1x1xf32>, %v: tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %1 = uma.graph.conv2d %x, %v : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %2 = uma.graph.add %0, %1 : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}

// Factors of channels move to the next layer.

// RUN: uma-opt %s --uma-graph-equalize | FileCheck %s

// Channel 0: 16 and 1 become 4 and 4. Channel 1 differs by less than 4. Channel 2 has no weights.

// CHECK-LABEL: @dense
// CHECK-DAG: constant dense<{{\[\[}}4.000000e+00], [3.000000e+00], [0.000000e+00]]> : tensor<3x1xf32>
// CHECK-DAG: constant dense<[2.000000e+00, 8.000000e+00, 8.000000e+00]> : tensor<3xf32>
// CHECK-DAG: constant dense<{{\[\[}}4.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<1x3xf32>
func.func @dense(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %v = uma.graph.constant dense<[[16.0], [3.0], [0.0]]> : tensor<3x1xf32>
  %b = uma.graph.constant dense<8.0> : tensor<3xf32>
  %w = uma.graph.constant dense<1.0> : tensor<1x3xf32>
  %0 = uma.graph.dense %x, %v : (tensor<1x1xf32>, tensor<3x1xf32>) -> tensor<1x3xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  %2 = uma.graph.relu %1 : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %3 = uma.graph.dense %2, %w : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x1xf32>
  return %3 : tensor<1x1xf32>
}

// A depthwise convolution: channel 1 is 1 and 64, which become 8 and 8.

// CHECK-LABEL: @depthwise
// CHECK-DAG: constant dense<{{\[\[\[\[}}1.000000e+00]]], {{\[\[\[}}8.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK: uma.graph.conv2d
// CHECK-DAG: constant dense<{{\[\[\[\[}}1.000000e+00]]], {{\[\[\[}}8.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK: uma.graph.conv2d
func.func @depthwise(%x: tensor<1x1x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %v = uma.graph.constant dense<1.0> : tensor<2x1x1x1xf32>
  %w = uma.graph.constant dense<[[[[1.0]]], [[[64.0]]]]> : tensor<2x1x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = uma.graph.conv2d %0, %w groups 2 : (tensor<1x2x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  return %1 : tensor<1x2x2x2xf32>
}

// Bounds other than 0 do not scale, and another user needs the result as it is.

// CHECK-LABEL: @stays
// CHECK-COUNT-2: constant dense<1.600000e+01>
// CHECK-NOT: 4.000000e+00
func.func @stays(%x: tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %v = uma.graph.constant dense<[[16.0]]> : tensor<1x1xf32>
  %v2 = uma.graph.constant dense<[[16.0]]> : tensor<1x1xf32>
  %w = uma.graph.constant dense<1.0> : tensor<1x1xf32>
  %0 = uma.graph.dense %x, %v : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = uma.graph.clip %0 min 0.0 max 6.0 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %2 = uma.graph.dense %1, %w : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %3 = uma.graph.dense %x, %v2 : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %4 = uma.graph.dense %3, %w : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %2, %3, %4 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

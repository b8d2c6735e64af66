// RUN: uma-opt %s --uma-graph-simplify-inference --split-input-file | FileCheck %s

// scale = gamma / sqrt(variance + epsilon), shift = beta - mean * scale.

// CHECK-LABEL: func @batch_norm
// CHECK-DAG: %[[SCALE:.*]] = uma.graph.constant dense<{{\[\[\[}}5.000000e-01]], {{\[\[}}4.000000e+00]]]> : tensor<2x1x1xf32>
// CHECK-DAG: %[[SHIFT:.*]] = uma.graph.constant dense<[-5.000000e-01, -1.000000e+01]> : tensor<2xf32>
// CHECK: %[[PRODUCT:.*]] = uma.graph.multiply %{{.*}}, %[[SCALE]]
// CHECK: %[[SUM:.*]] = uma.graph.bias_add %[[PRODUCT]], %[[SHIFT]] :
// CHECK: return %[[SUM]]
func.func @batch_norm(%x: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %gamma = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %beta = uma.graph.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %mean = uma.graph.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %variance = uma.graph.constant dense<[3.75, 0.0]> : tensor<2xf32>
  %0 = uma.graph.batch_norm %x, %gamma, %beta, %mean, %variance epsilon 0.25
      : (tensor<1x2x3x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// -----

// Channels last: the scale is a vector and the bias has another axis.

// CHECK-LABEL: func @channels_last
// CHECK: uma.graph.multiply %{{.*}}, %{{.*}} : (tensor<1x3x3x2xf16>, tensor<2xf16>)
// CHECK: uma.graph.bias_add %{{.*}}, %{{.*}} axis 3 :
func.func @channels_last(%x: tensor<1x3x3x2xf16>) -> tensor<1x3x3x2xf16> {
  %v = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %0 = uma.graph.batch_norm %x, %v, %v, %v, %v axis -1
      : (tensor<1x3x3x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<1x3x3x2xf16>
  return %0 : tensor<1x3x3x2xf16>
}

// -----

// Statistics that are not constant stay, and so do those whose scale overflows:
// 1 / sqrt(1e-10) is 1e5, above f16's 65504.

// CHECK-LABEL: func @stays
// CHECK-COUNT-2: uma.graph.batch_norm
func.func @stays(%x: tensor<1x2xf32>, %mean: tensor<2xf32>, %y: tensor<1x2xf16>) -> (tensor<1x2xf32>, tensor<1x2xf16>) {
  %v = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = uma.graph.batch_norm %x, %v, %v, %mean, %v
      : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %one = uma.graph.constant dense<1.0> : tensor<2xf16>
  %zero = uma.graph.constant dense<0.0> : tensor<2xf16>
  %1 = uma.graph.batch_norm %y, %one, %zero, %zero, %zero epsilon 1.0e-10
      : (tensor<1x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<1x2xf16>
  return %0, %1 : tensor<1x2xf32>, tensor<1x2xf16>
}

// -----

// CHECK-LABEL: func @identities
// CHECK-SAME: (%[[X:.*]]: tensor<1x2x3x3xf32>)
// CHECK-NEXT: %[[RELU:.*]] = uma.graph.relu %[[X]]
// CHECK-NEXT: return %[[RELU]]
func.func @identities(%x: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %one = uma.graph.constant dense<1.0> : tensor<2x1x1xf32>
  %zero = uma.graph.constant dense<0.0> : tensor<f32>
  %0 = uma.graph.multiply %one, %x : (tensor<2x1x1xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %1 = uma.graph.divide %0, %one : (tensor<1x2x3x3xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %2 = uma.graph.add %1, %zero : (tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %3 = uma.graph.subtract %2, %zero : (tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %4 = uma.graph.max_pool2d %3 size [1, 1] : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %5 = uma.graph.avg_pool2d %4 size [1, 1] : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %6 = uma.graph.clip %5 min 0xFFF0000000000000 max 0x7FF0000000000000 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %7 = uma.graph.relu %6 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %8 = uma.graph.relu %7 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %8 : tensor<1x2x3x3xf32>
}

// -----

// 0 - x and 1 / x, a neutral constant that broadcasts, and a pool that strides
// are no identities.

// CHECK-LABEL: func @no_identities
// CHECK: uma.graph.subtract
// CHECK: uma.graph.divide
// CHECK: uma.graph.add
// CHECK: uma.graph.max_pool2d
// CHECK: uma.graph.clip
func.func @no_identities(%x: tensor<1x2x3x3xf32>)
    -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>, tensor<4x2x3x3xf32>, tensor<1x2x2x2xf32>, tensor<1x2x3x3xf32>) {
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %zero = uma.graph.constant dense<0.0> : tensor<4x1x1x1xf32>
  %zero0 = uma.graph.constant dense<0.0> : tensor<f32>
  %0 = uma.graph.subtract %zero0, %x : (tensor<f32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %1 = uma.graph.divide %one, %x : (tensor<f32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %2 = uma.graph.add %x, %zero : (tensor<1x2x3x3xf32>, tensor<4x1x1x1xf32>) -> tensor<4x2x3x3xf32>
  %3 = uma.graph.max_pool2d %x size [1, 1] strides [2, 2] : (tensor<1x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  %4 = uma.graph.clip %x min 0.0 max 0x7FF0000000000000 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %0, %1, %2, %3, %4 : tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>, tensor<4x2x3x3xf32>, tensor<1x2x2x2xf32>, tensor<1x2x3x3xf32>
}

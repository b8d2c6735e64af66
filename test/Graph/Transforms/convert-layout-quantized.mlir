// Quantized layers are converted as others are. The integers of weights are transposed, and the axis of their scales moves along.

// RUN: uma-opt %s --uma-graph-convert-layout='data-layout=NCHW kernel-layout=OIHW' --uma-graph-fold-constant --canonicalize | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!b = !quant.uniform<i32:f32:0, {0.25, 0.125}>
!s = !quant.uniform<i32:f32:3, {0.25, 0.125}>

// CHECK-LABEL: @net
// CHECK-DAG: %[[W:.*]] = uma.graph.storage_cast %{{.*}} : (tensor<2x3x1x1xi8>) -> tensor<2x3x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
// CHECK-DAG: %[[T:.*]] = uma.graph.transpose %arg0 [0, 3, 1, 2] : (tensor<1x4x5x3xi8>)
// CHECK-DAG: %[[X:.*]] = uma.graph.storage_cast %[[T]]
// CHECK: %[[S:.*]] = uma.graph.conv2d %[[X]], %[[W]] : {{.*}} -> tensor<1x2x4x5x!quant.uniform<i32:f32:1, {2.500000e-01,1.250000e-01}>>
// CHECK: %[[B:.*]] = uma.graph.bias_add %[[S]], %{{[^ ]*}} :
// CHECK: %[[R:.*]] = uma.graph.requantize %[[B]]
// CHECK: %[[A:.*]] = uma.graph.quantized_add %[[R]], %[[R]]
// CHECK: %[[F:.*]] = uma.graph.dequantize %[[A]]
// CHECK: uma.graph.transpose %[[F]] [0, 2, 3, 1]
func.func @net(%stored: tensor<1x4x5x3xi8>) -> tensor<1x4x5x2xf32> {
  %x = uma.graph.storage_cast %stored : (tensor<1x4x5x3xi8>) -> tensor<1x4x5x3x!x>
  %wi = uma.graph.constant dense<[[[[1, 2, 3]]], [[[4, 5, 6]]]]> : tensor<2x1x1x3xi8>
  %bi = uma.graph.constant dense<[100, -100]> : tensor<2xi32>
  %w = uma.graph.storage_cast %wi : (tensor<2x1x1x3xi8>) -> tensor<2x1x1x3x!w>
  %b = uma.graph.storage_cast %bi : (tensor<2xi32>) -> tensor<2x!b>
  %0 = uma.graph.conv2d %x, %w layout "NHWC" kernel_layout "OHWI" : (tensor<1x4x5x3x!x>, tensor<2x1x1x3x!w>) -> tensor<1x4x5x2x!s>
  %1 = uma.graph.bias_add %0, %b axis 3 : (tensor<1x4x5x2x!s>, tensor<2x!b>) -> tensor<1x4x5x2x!s>
  %2 = uma.graph.requantize %1 : (tensor<1x4x5x2x!s>) -> tensor<1x4x5x2x!x>
  %3 = uma.graph.quantized_add %2, %2 : (tensor<1x4x5x2x!x>, tensor<1x4x5x2x!x>) -> tensor<1x4x5x2x!x>
  %4 = uma.graph.dequantize %3 : (tensor<1x4x5x2x!x>) -> tensor<1x4x5x2xf32>
  return %4 : tensor<1x4x5x2xf32>
}

// An interpolation that enlarges an image keeps blocks of channels only for a layer that reads them.
// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts | FileCheck %s

// CHECK-LABEL: func private @read_interpolate(
// CHECK-SAME:  -> (tensor<1x16x8x4xf32> {uma.layout = #uma.layout<NCHW16c>})
// CHECK-LABEL: func private @returned_interpolate(
// CHECK-SAME:  -> tensor<1x16x8x4xf32> attributes
func.func @main(%x: tensor<1x16x4x4xf32>) -> (tensor<1x16x8x4xf32>, tensor<1x16x8x4xf32>) {
  %w = uma.graph.constant dense<1.0> : tensor<16x16x1x1xf32>
  %i = uma.graph.constant dense<1> : tensor<8x2xi64>
  %f = uma.graph.constant dense<0.5> : tensor<8x2xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = uma.graph.interpolate %0, %i, %f axis 2 : (tensor<1x16x4x4xf32>, tensor<8x2xi64>, tensor<8x2xf32>) -> tensor<1x16x8x4xf32> loc("read")
  %2 = uma.graph.conv2d %1, %w : (tensor<1x16x8x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x4xf32>
  %3 = uma.graph.conv2d %x, %w : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %4 = uma.graph.interpolate %3, %i, %f axis 2 : (tensor<1x16x4x4xf32>, tensor<8x2xi64>, tensor<8x2xf32>) -> tensor<1x16x8x4xf32> loc("returned")
  return %2, %4 : tensor<1x16x8x4xf32>, tensor<1x16x8x4xf32>
}

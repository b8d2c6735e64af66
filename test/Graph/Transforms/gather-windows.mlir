// RUN: uma-opt %s --uma-graph-gather-windows | FileCheck %s

// CHECK-LABEL: func.func @kernel
// CHECK: %[[P:.*]] = uma.graph.pad %arg0 before [0, 0, 1, 0] after [0, 0, 2, 3] : (tensor<2x3x7x6xf32>) -> tensor<2x3x10x9xf32>
// CHECK: %[[A:.*]] = uma.graph.strided_slice %[[P]] [0, 0, 0, 0] size [2, 3, 4, 2] strides [1, 1, 2, 3]
// CHECK: %[[B:.*]] = uma.graph.strided_slice %[[P]] [0, 0, 0, 4] size [2, 3, 4, 2] strides [1, 1, 2, 3]
// CHECK: %[[C:.*]] = uma.graph.strided_slice %[[P]] [0, 0, 3, 0] size [2, 3, 4, 2] strides [1, 1, 2, 3]
// CHECK: %[[D:.*]] = uma.graph.strided_slice %[[P]] [0, 0, 3, 4] size [2, 3, 4, 2] strides [1, 1, 2, 3]
// CHECK: %[[X:.*]] = uma.graph.concatenate %[[A]], %[[B]], %[[C]], %[[D]] axis 1
// CHECK: %[[T:.*]] = uma.graph.transpose %arg1 [0, 2, 3, 1]
// CHECK: %[[W:.*]] = uma.graph.reshape %[[T]] [5, 12, 1, 1]
// CHECK: uma.graph.conv2d %[[X]], %[[W]] : (tensor<2x12x4x2xf32>, tensor<5x12x1x1xf32>) -> tensor<2x5x4x2xf32>
func.func @kernel(%x: tensor<2x3x7x6xf32>, %w: tensor<5x3x2x2xf32>) -> tensor<2x5x4x2xf32> {
  %0 = uma.graph.conv2d %x, %w strides [2, 3] padding [1, 0, 2, 3] dilations [3, 4]
      : (tensor<2x3x7x6xf32>, tensor<5x3x2x2xf32>) -> tensor<2x5x4x2xf32>
  return %0 : tensor<2x5x4x2xf32>
}

// A pointwise one with strides has one slice.
// CHECK-LABEL: func.func @strides
// CHECK: %[[X:.*]] = uma.graph.strided_slice %arg0 [0, 0, 0, 0] size [1, 3, 4, 3] strides [1, 1, 2, 2]
// CHECK-NOT: concatenate
// CHECK: uma.graph.conv2d %[[X]]
func.func @strides(%x: tensor<1x3x7x6xf32>, %w: tensor<5x3x1x1xf32>) -> tensor<1x5x4x3xf32> {
  %0 = uma.graph.conv2d %x, %w strides [2, 2] : (tensor<1x3x7x6xf32>, tensor<5x3x1x1xf32>) -> tensor<1x5x4x3xf32>
  return %0 : tensor<1x5x4x3xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-NOT: strided_slice
func.func @others(%x: tensor<1x4x7x6xf32>, %w: tensor<5x4x1x1xf32>, %d: tensor<4x1x3x3xf32>, %h: tensor<1x7x6x4xf32>, %o: tensor<3x3x4x2xf32>)
    -> (tensor<1x5x7x6xf32>, tensor<1x4x5x4xf32>, tensor<1x5x4x2xf32>) {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x4x7x6xf32>, tensor<5x4x1x1xf32>) -> tensor<1x5x7x6xf32>
  %1 = uma.graph.conv2d %x, %d groups 4 : (tensor<1x4x7x6xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x5x4xf32>
  %2 = uma.graph.conv2d %h, %o layout "NHWC" kernel_layout "HWIO" : (tensor<1x7x6x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x5x4x2xf32>
  return %0, %1, %2 : tensor<1x5x7x6xf32>, tensor<1x4x5x4xf32>, tensor<1x5x4x2xf32>
}

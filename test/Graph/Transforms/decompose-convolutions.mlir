// Convolutions of three dimensions and transposed ones as conv2d.
// RUN: uma-opt %s --uma-graph-decompose-convolutions | FileCheck %s

// The planes under a window become channels; bias and relu are computed before the order of dimensions is restored.

// CHECK-LABEL: func @planes
// CHECK-DAG: %[[B:.*]] = uma.graph.constant {{.*}} : tensor<4xf32>
// CHECK-DAG: %[[I:.*]] = uma.graph.constant {{.*}} : tensor<6xi64>
// CHECK-DAG: %[[W:.*]] = uma.graph.constant {{.*}} : tensor<4x6x3x3xf32>
// CHECK: %[[T:.*]] = uma.graph.transpose %arg0 [0, 2, 1, 3, 4]
// CHECK: %[[P:.*]] = uma.graph.pad %[[T]] {{.*}} : (tensor<1x4x2x5x5xf32>) -> tensor<1x6x2x5x5xf32>
// CHECK: %[[G:.*]] = uma.graph.take %[[P]], %[[I]] axis 1 : (tensor<1x6x2x5x5xf32>, tensor<6xi64>) -> tensor<1x6x2x5x5xf32>
// CHECK: %[[D:.*]] = uma.graph.reshape %[[G]] [2, 6, 5, 5]
// CHECK: %[[C:.*]] = uma.graph.conv2d %[[D]], %[[W]] padding [1, 1, 1, 1] : {{.*}} -> tensor<2x4x5x5xf32>
// CHECK: %[[A:.*]] = uma.graph.bias_add %[[C]], %[[B]]
// CHECK: %[[R:.*]] = uma.graph.relu %[[A]] : (tensor<2x4x5x5xf32>)
// CHECK: %[[S:.*]] = uma.graph.reshape %[[R]] [1, 2, 4, 5, 5]
// CHECK: uma.graph.transpose %[[S]] [0, 2, 1, 3, 4] : (tensor<1x2x4x5x5xf32>) -> tensor<1x4x2x5x5xf32>
func.func @planes(%x: tensor<1x2x4x5x5xf32>) -> tensor<1x4x2x5x5xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<4x2x3x3x3xf32>
  %b = uma.graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = uma.graph.conv3d %x, %w strides [2, 1, 1] padding [1, 1, 1, 1, 1, 1]
      : (tensor<1x2x4x5x5xf32>, tensor<4x2x3x3x3xf32>) -> tensor<1x4x2x5x5xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x4x2x5x5xf32>, tensor<4xf32>) -> tensor<1x4x2x5x5xf32>
  %2 = uma.graph.relu %1 : (tensor<1x4x2x5x5xf32>) -> tensor<1x4x2x5x5xf32>
  return %2 : tensor<1x4x2x5x5xf32>
}

// Between two convolutions, no order is restored.

// CHECK-LABEL: func @chain
// CHECK: conv2d
// CHECK-NOT: transpose
// CHECK: conv2d
func.func @chain(%x: tensor<1x4x2x5x5xf32>, %w: tensor<4x4x1x3x3xf32>) -> tensor<1x4x2x1x1xf32> {
  %0 = uma.graph.conv3d %x, %w : (tensor<1x4x2x5x5xf32>, tensor<4x4x1x3x3xf32>) -> tensor<1x4x2x3x3xf32>
  %1 = uma.graph.conv3d %0, %w : (tensor<1x4x2x3x3xf32>, tensor<4x4x1x3x3xf32>) -> tensor<1x4x2x1x1xf32>
  return %1 : tensor<1x4x2x1x1xf32>
}

// Windows of one row and column: planes are rows, without a copy.

// CHECK-LABEL: func @depth
// CHECK: %[[D:.*]] = uma.graph.reshape %arg0 [1, 4, 6, 9]
// CHECK: %[[W:.*]] = uma.graph.reshape %arg1 [8, 2, 3, 1]
// CHECK: %[[C:.*]] = uma.graph.conv2d %[[D]], %[[W]] strides [2, 1] padding [1, 0, 1, 0] groups 2
// CHECK: uma.graph.reshape %[[C]] [1, 8, 3, 3, 3]
func.func @depth(%x: tensor<1x4x6x3x3xf32>, %w: tensor<8x2x3x1x1xf32>) -> tensor<1x8x3x3x3xf32> {
  %0 = uma.graph.conv3d %x, %w strides [2, 1, 1] padding [1, 0, 0, 1, 0, 0] groups 2
      : (tensor<1x4x6x3x3xf32>, tensor<8x2x3x1x1xf32>) -> tensor<1x8x3x3x3xf32>
  return %0 : tensor<1x8x3x3x3xf32>
}

// The channels of a group would not stay together.

// CHECK-LABEL: func @groups
// CHECK: uma.graph.conv3d
func.func @groups(%x: tensor<1x4x3x3x3xf32>, %w: tensor<4x1x3x3x3xf32>) -> tensor<1x4x1x1x1xf32> {
  %0 = uma.graph.conv3d %x, %w groups 4 : (tensor<1x4x3x3x3xf32>, tensor<4x1x3x3x3xf32>) -> tensor<1x4x1x1x1xf32>
  return %0 : tensor<1x4x1x1x1xf32>
}

// A transposed convolution is one of stride 1 with a channel for each place between two elements, which are interleaved; what its padding
// cuts off is cut off at the end.

// CHECK-LABEL: func @transposed
// CHECK-DAG: %[[W:.*]] = uma.graph.constant {{.*}} : tensor<50x2x2x2xf32>
// CHECK: %[[C:.*]] = uma.graph.conv2d %arg0, %[[W]] padding [1, 1, 1, 1] : (tensor<1x2x3x3xf32>, tensor<50x2x2x2xf32>) -> tensor<1x50x4x4xf32>
// CHECK: %[[S:.*]] = uma.graph.reshape %[[C]] [1, 2, 5, 5, 4, 4]
// CHECK: %[[T:.*]] = uma.graph.transpose %[[S]] [0, 1, 4, 2, 5, 3]
// CHECK: %[[R:.*]] = uma.graph.reshape %[[T]] [1, 2, 20, 20]
// CHECK: uma.graph.strided_slice %[[R]] {{.*}}[0, 0, 1, 1]{{.*}}[1, 2, 14, 14]
func.func @transposed(%x: tensor<1x2x3x3xf32>) -> tensor<1x2x14x14xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<2x2x6x6xf32>
  %0 = uma.graph.conv2d_transpose %x, %w strides [5, 5] padding [1, 1, 1, 1]
      : (tensor<1x2x3x3xf32>, tensor<2x2x6x6xf32>) -> tensor<1x2x14x14xf32>
  return %0 : tensor<1x2x14x14xf32>
}

// Few phases have kernels; weights that are no constant cannot be interleaved.

// CHECK-LABEL: func @kept
// CHECK: uma.graph.conv2d_transpose
// CHECK: uma.graph.conv2d_transpose
func.func @kept(%x: tensor<1x4x3x3xf32>, %v: tensor<4x4x5x5xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x15x15xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<4x4x2x2xf32>
  %0 = uma.graph.conv2d_transpose %x, %w strides [2, 2] : (tensor<1x4x3x3xf32>, tensor<4x4x2x2xf32>) -> tensor<1x4x6x6xf32>
  %1 = uma.graph.conv2d_transpose %x, %v strides [5, 5] : (tensor<1x4x3x3xf32>, tensor<4x4x5x5xf32>) -> tensor<1x4x15x15xf32>
  return %0, %1 : tensor<1x4x6x6xf32>, tensor<1x4x15x15xf32>
}

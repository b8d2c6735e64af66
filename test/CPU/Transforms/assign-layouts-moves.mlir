// Concatenations and shuffles of channels read and write any blocks, so that convolutions on both sides have vectors as wide as they fit.
// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --split-input-file | FileCheck %s

// A block of 16 channels for the result, whose 72 channels of a group do not fit it, and the data.

// CHECK-LABEL: func private @group_conv2d(
// CHECK-SAME:    -> (tensor<1x216x4x4xf32> {uma.layout = #uma.layout<NCHW216c>})
// CHECK-LABEL: func private @side_concatenate_relu(
// CHECK-SAME:    tensor<1x24x4x4xf32> {uma.layout = #uma.layout<NCHW24c>}, %{{.*}}: tensor<1x216x4x4xf32> {uma.layout = #uma.layout<NCHW216c>})
// CHECK-SAME:    -> (tensor<1x240x4x4xf32> {uma.layout = #uma.layout<NCHW16c>})
// CHECK-LABEL: func private @shuffle_reshape_transpose_reshape(
// CHECK-SAME:    tensor<1x240x4x4xf32> {uma.layout = #uma.layout<NCHW16c>})
// CHECK-SAME:    -> (tensor<1x240x4x4xf32> {uma.layout = #uma.layout<NCHW16c, pad = [1, 1, 1, 1]>})
func.func @stage(%x: tensor<1x24x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<24x24x1x1xf32>
  %w = uma.graph.constant dense<0.5> : tensor<216x8x1x1xf32>
  %u = uma.graph.constant dense<0.5> : tensor<16x240x3x3xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x24x4x4xf32>, tensor<24x24x1x1xf32>) -> tensor<1x24x4x4xf32>
  %1 = uma.graph.conv2d %x, %w groups 3 : (tensor<1x24x4x4xf32>, tensor<216x8x1x1xf32>) -> tensor<1x216x4x4xf32> loc("group")
  %2 = uma.graph.concatenate %0, %1 axis 1 : (tensor<1x24x4x4xf32>, tensor<1x216x4x4xf32>) -> tensor<1x240x4x4xf32> loc("side")
  %3 = uma.graph.relu %2 : (tensor<1x240x4x4xf32>) -> tensor<1x240x4x4xf32>
  %4 = uma.graph.reshape %3 [1, 3, 80, 4, 4] : (tensor<1x240x4x4xf32>) -> tensor<1x3x80x4x4xf32>
  %5 = uma.graph.transpose %4 [0, 2, 1, 3, 4] : (tensor<1x3x80x4x4xf32>) -> tensor<1x80x3x4x4xf32>
  %6 = uma.graph.reshape %5 [1, 240, 4, 4] : (tensor<1x80x3x4x4xf32>) -> tensor<1x240x4x4xf32> loc("shuffle")
  %7 = uma.graph.conv2d %6, %u padding [1, 1, 1, 1] : (tensor<1x240x4x4xf32>, tensor<16x240x3x3xf32>) -> tensor<1x16x4x4xf32>
  return %7 : tensor<1x16x4x4xf32>
}

// -----

// Tensors that have a wide block in common keep it.

// CHECK-LABEL: func private @side_concatenate(
// CHECK-SAME:    tensor<1x16x4x4xf32> {uma.layout = #uma.layout<NCHW16c>}, %{{.*}}: tensor<1x16x4x4xf32> {uma.layout = #uma.layout<NCHW16c>})
// CHECK-SAME:    -> (tensor<1x32x4x4xf32> {uma.layout = #uma.layout<NCHW16c>})
func.func @common(%x: tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<16x16x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = uma.graph.conv2d %0, %v : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %2 = uma.graph.concatenate %0, %1 axis 1 : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32> loc("side")
  return %2 : tensor<1x32x4x4xf32>
}

// -----

// A slice of the result of a convolution, in blocks of its own.

// CHECK-LABEL: func private @half_strided_slice(
// CHECK-SAME:    tensor<1x24x4x4xf32> {uma.layout = #uma.layout<NCHW24c>})
// CHECK-SAME:    -> (tensor<1x16x4x4xf32> {uma.layout = #uma.layout<NCHW16c>})
func.func @slice(%x: tensor<1x16x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<24x16x1x1xf32>
  %w = uma.graph.constant dense<0.5> : tensor<8x16x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x16x4x4xf32>, tensor<24x16x1x1xf32>) -> tensor<1x24x4x4xf32>
  %1 = uma.graph.strided_slice %0 [0, 5, 0, 0] size [1, 16, 4, 4] strides [1, 1, 1, 1] : (tensor<1x24x4x4xf32>) -> tensor<1x16x4x4xf32> loc("half")
  %2 = uma.graph.conv2d %1, %w : (tensor<1x16x4x4xf32>, tensor<8x16x1x1xf32>) -> tensor<1x8x4x4xf32>
  return %2 : tensor<1x8x4x4xf32>
}

// -----

// Data that no convolution writes, moves of rows, and slices that no layer reads have no blocks.

// CHECK-LABEL: func private @data_reshape_transpose_reshape(
// CHECK-NOT:     uma.layout
// CHECK:         return
// CHECK-LABEL: func private @rows_reshape_transpose_reshape(
// CHECK-NOT:     uma.layout
// CHECK:         return
// CHECK-LABEL: func private @tail_strided_slice(
// CHECK-NOT:     uma.layout
// CHECK:         return
func.func @plain(%x: tensor<1x16x4x4xf32>) -> (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>, tensor<1x8x4x4xf32>) {
  %v = uma.graph.constant dense<0.5> : tensor<16x16x1x1xf32>
  %0 = uma.graph.reshape %x [1, 2, 8, 4, 4] : (tensor<1x16x4x4xf32>) -> tensor<1x2x8x4x4xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x2x8x4x4xf32>) -> tensor<1x8x2x4x4xf32>
  %2 = uma.graph.reshape %1 [1, 16, 4, 4] : (tensor<1x8x2x4x4xf32>) -> tensor<1x16x4x4xf32> loc("data")
  %3 = uma.graph.conv2d %x, %v : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %4 = uma.graph.reshape %3 [1, 16, 2, 2, 4] : (tensor<1x16x4x4xf32>) -> tensor<1x16x2x2x4xf32>
  %5 = uma.graph.transpose %4 [0, 1, 3, 2, 4] : (tensor<1x16x2x2x4xf32>) -> tensor<1x16x2x2x4xf32>
  %6 = uma.graph.reshape %5 [1, 16, 4, 4] : (tensor<1x16x2x2x4xf32>) -> tensor<1x16x4x4xf32> loc("rows")
  %7 = uma.graph.relu %6 : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %8 = uma.graph.strided_slice %3 [0, 8, 0, 0] size [1, 8, 4, 4] strides [1, 1, 1, 1] : (tensor<1x16x4x4xf32>) -> tensor<1x8x4x4xf32> loc("tail")
  return %2, %7, %8 : tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>, tensor<1x8x4x4xf32>
}

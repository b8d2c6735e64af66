// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-assign-layouts --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --split-input-file --remarks-filter=uma-cpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: [Passed] layout | Category:uma-cpu | Function=first_conv2d | Remark="layer 'first' reads #uma.layout<NCHW, pad = [1, 1, 1, 1]> and writes #uma.layout<NCHW16c, pad = [1, 1, 1, 1]>"

// What convolutions write has its channels in blocks; what they read has a border of zeros. The input lies as the caller has it: a copy gets the border.

// CHECK-LABEL: func private @first_conv2d(
// CHECK-SAME: %{{.*}}: tensor<1x3x8x8xf32> {uma.layout = #uma.layout<NCHW, pad = [1, 1, 1, 1]>}, %{{.*}}: tensor<32x3x3x3xf32>)
// CHECK-SAME: -> (tensor<1x32x8x8xf32> {uma.layout = #uma.layout<NCHW16c, pad = [1, 1, 1, 1]>})
// CHECK-LABEL: func private @second_conv2d(
// CHECK-SAME: %{{.*}}: tensor<1x32x8x8xf32> {uma.layout = #uma.layout<NCHW16c, pad = [1, 1, 1, 1]>}, %{{.*}}: tensor<24x32x3x3xf32>)
// CHECK-SAME: -> (tensor<1x24x8x8xf32> {uma.layout = #uma.layout<NCHW24c>})

// All tensors of an addition lie in one order.

// CHECK-LABEL: func private @sum_conv2d_add(
// CHECK-SAME: %{{.*}}: tensor<1x24x8x8xf32> {uma.layout = #uma.layout<NCHW24c>}, %{{.*}}: tensor<24x24x1x1xf32>, %{{.*}}: tensor<1x24x8x8xf32> {uma.layout = #uma.layout<NCHW24c>})
// CHECK-SAME: -> (tensor<1x24x8x8xf32> {uma.layout = #uma.layout<NCHW24c>})

// Products of matrices have no layout.

// CHECK-LABEL: func private @dense(
// CHECK-NOT: uma.layout
// CHECK: return
func.func @chain(%x: tensor<1x3x8x8xf32>) -> tensor<1x8xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<32x3x3x3xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<24x32x3x3xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<24x24x1x1xf32>
  %w3 = uma.graph.constant dense<0.5> : tensor<8x1536xf32>
  %0 = uma.graph.conv2d %x, %w0 padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<32x3x3x3xf32>) -> tensor<1x32x8x8xf32> loc("first")
  %1 = uma.graph.conv2d %0, %w1 padding [1, 1, 1, 1] : (tensor<1x32x8x8xf32>, tensor<24x32x3x3xf32>) -> tensor<1x24x8x8xf32> loc("second")
  %2 = uma.graph.conv2d %1, %w2 : (tensor<1x24x8x8xf32>, tensor<24x24x1x1xf32>) -> tensor<1x24x8x8xf32> loc("sum")
  %3 = uma.graph.add %2, %1 : (tensor<1x24x8x8xf32>, tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32> loc("sum")
  %4 = uma.graph.reshape %3 [1, 1536] : (tensor<1x24x8x8xf32>) -> tensor<1x1536xf32>
  %5 = uma.graph.dense %4, %w3 : (tensor<1x1536xf32>, tensor<8x1536xf32>) -> tensor<1x8xf32>
  return %5 : tensor<1x8xf32>
}

// -----

// By hand: blocks of 8 instead of 16 stay, and the reader follows them. The border of what is given stays, too, so that the reader gets a copy.

// CHECK-LABEL: func private @mine(
// CHECK-SAME: -> (tensor<1x32x8x8xf32> {uma.layout = #uma.layout<NCHW8c>})
// CHECK-LABEL: func private @reader_conv2d(
// CHECK-SAME: %{{.*}}: tensor<1x32x8x8xf32> {uma.layout = #uma.layout<NCHW8c, pad = [1, 1, 1, 1]>}
// CHECK-SAME: -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>})
func.func @by_hand(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<32x16x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<16x32x3x3xf32>
  %0 = call @mine(%x, %w0) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  %1 = uma.graph.conv2d %0, %w1 padding [1, 1, 1, 1] : (tensor<1x32x8x8xf32>, tensor<16x32x3x3xf32>) -> tensor<1x16x8x8xf32> loc("reader")
  return %1 : tensor<1x16x8x8xf32>
}
func.func private @mine(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x1x1xf32>) -> (tensor<1x32x8x8xf32> {uma.layout = #uma.layout<NCHW8c>}) attributes {uma.primitive} {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}

// -----

// A convolution of another data layout reads a copy without the blocks of the first one.

// CHECK-LABEL: func private @conv2d(
// CHECK-SAME: -> (tensor<1x33x7x3xf32> {uma.layout = #uma.layout<NCHW33c>})
// CHECK-LABEL: func private @conv2d_0(
// CHECK-SAME: %{{.*}}: tensor<1x33x7x3xf32> {uma.layout = #uma.layout<NHWC>}
func.func @layouts(%x: tensor<1x4x8x5xf32>) -> tensor<1x33x2x4xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<33x4x3x1xf32>
  %v = uma.graph.constant dense<0.5> : tensor<4x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w strides [1, 2] padding [0, 0, 1, 0] : (tensor<1x4x8x5xf32>, tensor<33x4x3x1xf32>) -> tensor<1x33x7x3xf32>
  %1 = uma.graph.conv2d %0, %v strides [1, 3] padding [0, 0, 0, 1] layout "NHWC" kernel_layout "OHWI" : (tensor<1x33x7x3xf32>, tensor<4x1x3x3xf32>) -> tensor<1x33x2x4xf32>
  return %1 : tensor<1x33x2x4xf32>
}

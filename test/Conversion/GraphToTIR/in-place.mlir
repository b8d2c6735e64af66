// A depthwise convolution may write its result a row of blocks ahead of its data, and the plan lets it.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %s
// RUN: uma-opt %s --uma-lower=overlap=declared | FileCheck %s --check-prefix=PLAN
// RUN: uma-opt %s --uma-lower | FileCheck %s --check-prefix=PROVEN
// RUN: uma-opt %s --uma-lower=overlap=none | FileCheck %s --check-prefix=APART

// CHECK:      uma.tir.func private @one_row_conv2d(
// CHECK-SAME:   %{{.*}}: memref<1x2x14x34x16xf32>, %{{.*}}: memref<1x2x12x32x16xf32> {uma.in_place = array<i64: 0, 2048>}
// Rows of the result are shorter with a stride.
// CHECK:      uma.tir.func private @stride_conv2d(
// CHECK-SAME:   memref<1x2x6x16x16xf32> {uma.in_place = array<i64: 0, 1024>}
// PLAN:       uma.tir.func @depthwise({{.*}}uma.workspace_size = 62976 : i64
// PROVEN:     uma.tir.func @depthwise({{.*}}uma.workspace_size = 61568 : i64
// APART:      uma.tir.func @depthwise({{.*}}uma.workspace_size = 110080 : i64
func.func @depthwise(%x: tensor<1x3x12x32xf32>) -> tensor<1x8x6x16xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<32x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<32x1x3x3xf32>
  %w2 = uma.graph.constant dense<0.125> : tensor<32x1x1x1xf32>
  %w3 = uma.graph.constant dense<0.5> : tensor<8x32x1x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x12x32xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x12x32xf32>
  %1 = uma.graph.conv2d %0, %w1 padding [1, 1, 1, 1] groups 32 : (tensor<1x32x12x32xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x12x32xf32> loc("one_row")
  %2 = uma.graph.conv2d %1, %w2 strides [2, 2] groups 32 : (tensor<1x32x12x32xf32>, tensor<32x1x1x1xf32>) -> tensor<1x32x6x16xf32> loc("stride")
  %3 = uma.graph.conv2d %2, %w3 : (tensor<1x32x6x16xf32>, tensor<8x32x1x1xf32>) -> tensor<1x8x6x16xf32>
  return %3 : tensor<1x8x6x16xf32>
}

// Two rows ahead without a border, the first row being data.
// CHECK:      uma.tir.func private @no_border_conv2d(
// CHECK-SAME:   %{{.*}}: memref<1x2x12x20x16xf32>, %{{.*}}: memref<1x2x12x20x16xf32> {uma.in_place = array<i64: 0, 2560>}
func.func @small(%x: tensor<1x3x12x20xf32>) -> tensor<1x8x12x20xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<32x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<32x1x3x3xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<8x32x1x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x12x20xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x12x20xf32>
  %1 = uma.graph.conv2d %0, %w1 padding [1, 1, 1, 1] groups 32 : (tensor<1x32x12x20xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x12x20xf32> loc("no_border")
  %2 = uma.graph.conv2d %1, %w2 : (tensor<1x32x12x20xf32>, tensor<8x32x1x1xf32>) -> tensor<1x8x12x20xf32>
  return %2 : tensor<1x8x12x20xf32>
}

// Not where the result has a border of zeros, which would be written first, nor where blocks are no divisor of 64 bytes.
// CHECK:      uma.tir.func private @border_conv2d(
// CHECK-NOT:    uma.in_place
// CHECK-LABEL: uma.tir.func private @last_conv2d(
// CHECK:      uma.tir.func private @block_of_12_conv2d(
// CHECK-NOT:    uma.in_place
func.func @without(%x: tensor<1x16x8x32xf32>, %y: tensor<1x12x8x32xf32>) -> (tensor<1x16x8x32xf32>, tensor<1x12x8x32xf32>) {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x1x3x3xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<12x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w0 padding [1, 1, 1, 1] groups 16 : (tensor<1x16x8x32xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x8x32xf32> loc("border")
  %1 = uma.graph.conv2d %0, %w0 padding [1, 1, 1, 1] groups 16 : (tensor<1x16x8x32xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x8x32xf32> loc("last")
  %2 = uma.graph.conv2d %y, %w1 padding [1, 1, 1, 1] groups 12 : (tensor<1x12x8x32xf32>, tensor<12x1x3x3xf32>) -> tensor<1x12x8x32xf32> loc("block_of_12")
  return %1, %2 : tensor<1x16x8x32xf32>, tensor<1x12x8x32xf32>
}

// A depthwise convolution of a small image reads no border: rows and tiles that see padding are loops of their own.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %s

// CHECK-LABEL: uma.tir.func private @small_conv2d(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x1x5x8x16xf32>
// A tile is a row, whose first and last windows see two columns each.
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       uma.tir.for %{{.*}} = 0 to 1 {
// CHECK:       uma.tir.block "depthwise_conv2d"
// CHECK-NEXT:    reads(%[[X]][#{{.*}}, [1, 1, 2, 8, 16]]
// CHECK:       uma.tir.for %{{.*}} = 0 to 3 {
// CHECK:       uma.tir.block "depthwise_conv2d"
// CHECK-NEXT:    reads(%[[X]][#{{.*}}, [1, 1, 3, 8, 16]]
// CHECK:       uma.tir.for %{{.*}} = 0 to 1 {
// CHECK:       uma.tir.block "depthwise_conv2d"
// CHECK-NEXT:    reads(%[[X]][#{{.*}}, [1, 1, 2, 8, 16]]
// Two tiles of four.
// CHECK:       } lanes(8) {
// CHECK:       uma.tir.block "depthwise_conv2d"
// CHECK-NEXT:    reads(%[[X]][#{{.*}}, [1, 1, 2, 5, 8]]
// CHECK:       uma.tir.block "depthwise_conv2d"
// CHECK-NEXT:    reads(%[[X]][#{{.*}}, [1, 1, 2, 5, 8]]
// CHECK:       uma.tir.block "depthwise_conv2d"
// CHECK-NEXT:    reads(%[[X]][#{{.*}}, [1, 1, 3, 5, 8]]
func.func @main(%x: tensor<1x3x5x8xf32>) -> tensor<1x16x5x8xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<16x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x5x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x5x8xf32>
  %1 = uma.graph.conv2d %0, %w1 padding [1, 1, 1, 1] groups 16 : (tensor<1x16x5x8xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x5x8xf32> loc("small")
  return %1 : tensor<1x16x5x8xf32>
}

// The border where there is a stride, more than 28 results in a row, or a window that sees padding alone.
// CHECK-LABEL: uma.tir.func private @stride_conv2d(
// CHECK-SAME:    memref<1x1x7x7x16xf32>
// CHECK-LABEL: uma.tir.func private @wide_conv2d(
// CHECK-SAME:    memref<1x1x7x31x16xf32>
// CHECK-LABEL: uma.tir.func private @alone_conv2d(
// CHECK-SAME:    memref<1x1x9x5x16xf32>
func.func @border(%x: tensor<1x3x5x5xf32>, %y: tensor<1x3x5x29xf32>) -> (tensor<1x16x3x3xf32>, tensor<1x16x5x29xf32>, tensor<1x16x8x5xf32>) {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<16x1x3x3xf32>
  %w2 = uma.graph.constant dense<0.25> : tensor<16x1x2x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x5x5xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x5x5xf32> loc("a")
  %1 = uma.graph.conv2d %y, %w0 : (tensor<1x3x5x29xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x5x29xf32> loc("b")
  %2 = uma.graph.conv2d %x, %w0 : (tensor<1x3x5x5xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x5x5xf32> loc("c")
  %3 = uma.graph.conv2d %0, %w1 strides [2, 2] padding [1, 1, 1, 1] groups 16 : (tensor<1x16x5x5xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x3x3xf32> loc("stride")
  %4 = uma.graph.conv2d %1, %w1 padding [1, 1, 1, 1] groups 16 : (tensor<1x16x5x29xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x5x29xf32> loc("wide")
  %5 = uma.graph.conv2d %2, %w2 padding [2, 0, 2, 0] groups 16 : (tensor<1x16x5x5xf32>, tensor<16x1x2x1xf32>) -> tensor<1x16x8x5xf32> loc("alone")
  return %3, %4, %5 : tensor<1x16x3x3xf32>, tensor<1x16x5x29xf32>, tensor<1x16x8x5xf32>
}

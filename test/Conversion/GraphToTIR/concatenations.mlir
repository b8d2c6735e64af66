// Channels of one image are written to their places in the result of a concatenation, in blocks or not.
// RUN: uma-opt %s --uma-cpu-plan=tile-producers=false --convert-uma-graph-to-uma-tir=vectorize --split-input-file | FileCheck %s

// A concatenation of a concatenation is one buffer. The first convolution writes the first block of it, and a layer between reads what is there.

// CHECK-LABEL: uma.tir.func @chain(
// CHECK:         %[[ALL:.*]] = uma.tir.alloc workspace label "all" : memref<1x3x8x8x16xf32>
// CHECK-DAG:     %[[SOME:.*]] = uma.tir.view %[[ALL]][0] : {{.*}} as memref<1x2x8x8x16xf32>
// CHECK-DAG:     %[[FIRST:.*]] = uma.tir.view %[[ALL]][0] : {{.*}} as memref<1x1x8x8x16xf32>
// CHECK:         uma.tir.call @first_conv2d(%arg0, %[[FIRST]],
// CHECK:         %[[SECOND:.*]] = uma.tir.view %[[ALL]][1024] : {{.*}} as memref<1x1x8x8x16xf32>
// CHECK:         uma.tir.call @second_conv2d(%[[FIRST]], %[[SECOND]],
// CHECK:         uma.tir.call @relu(%[[SOME]],
// CHECK:         %[[THIRD:.*]] = uma.tir.view %[[ALL]][2048] : {{.*}} as memref<1x1x8x8x16xf32>
// CHECK:         uma.tir.call @third_conv2d(%{{.*}}, %[[THIRD]],
// CHECK-NOT:     concatenate
// CHECK:         uma.tir.call @fourth_conv2d(%[[ALL]],
func.func @chain(%x: tensor<1x3x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<16x16x1x1xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<16x32x1x1xf32>
  %w3 = uma.graph.constant dense<0.5> : tensor<16x48x1x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32> loc("first")
  %1 = uma.graph.conv2d %0, %w1 : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> loc("second")
  %2 = uma.graph.concatenate %0, %1 axis 1 : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x32x8x8xf32> loc("some")
  %3 = uma.graph.relu %2 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %4 = uma.graph.conv2d %3, %w2 : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32> loc("third")
  %5 = uma.graph.concatenate %2, %4 axis 1 : (tensor<1x32x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x48x8x8xf32> loc("all")
  %6 = uma.graph.conv2d %5, %w3 : (tensor<1x48x8x8xf32>, tensor<16x48x1x1xf32>) -> tensor<1x16x8x8xf32> loc("fourth")
  return %6 : tensor<1x16x8x8xf32>
}

// -----

// An operand of two concatenations is in one of them, and copied to the other one.

// CHECK-LABEL: uma.tir.func @twice(
// CHECK:         %[[LEFT:.*]] = uma.tir.alloc workspace label "left" : memref<1x2x8x8x16xf32>
// CHECK:         %[[FIRST:.*]] = uma.tir.view %[[LEFT]][0]
// CHECK:         uma.tir.call @first_conv2d(%arg0, %[[FIRST]],
// CHECK:         %[[RIGHT:.*]] = uma.tir.alloc workspace label "right" : memref<1x2x8x8x16xf32>
// CHECK:         %[[PLACE:.*]] = uma.tir.view %[[RIGHT]][1024]
// CHECK-NEXT:    uma.tir.call @right(%[[FIRST]], %[[PLACE]]) : memref<1x1x8x8x16xf32>, memref<1x1x8x8x16xf32>
func.func @twice(%x: tensor<1x3x8x8xf32>) -> (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<16x16x1x1xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<16x32x1x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32> loc("first")
  %1 = uma.graph.conv2d %0, %w1 : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> loc("second")
  %2 = uma.graph.conv2d %0, %w1 padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> loc("third")
  %3 = uma.graph.concatenate %0, %1 axis 1 : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x32x8x8xf32> loc("left")
  %4 = uma.graph.concatenate %2, %0 axis 1 : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x32x8x8xf32> loc("right")
  %5 = uma.graph.conv2d %3, %w2 : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32>
  %6 = uma.graph.conv2d %4, %w2 : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %5, %6 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>
}

// -----

// Two images are not contiguous parts, and the border of the result is not in the operands.

// CHECK-LABEL: uma.tir.func @apart(
// CHECK:         uma.tir.call @batch_concatenate(
// CHECK:         uma.tir.call @border_concatenate(
func.func @apart(%x: tensor<2x3x8x8xf32>, %y: tensor<1x3x8x8xf32>) -> (tensor<2x16x8x8xf32>, tensor<1x16x8x8xf32>) {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<16x32x1x1xf32>
  %w2 = uma.graph.constant dense<0.25> : tensor<16x32x3x3xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<2x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<2x16x8x8xf32>
  %1 = uma.graph.relu %0 : (tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  %2 = uma.graph.concatenate %0, %1 axis 1 : (tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>) -> tensor<2x32x8x8xf32> loc("batch")
  %3 = uma.graph.conv2d %2, %w1 : (tensor<2x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<2x16x8x8xf32>
  %4 = uma.graph.conv2d %y, %w0 : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32>
  %5 = uma.graph.relu %4 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %6 = uma.graph.concatenate %4, %5 axis 1 : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x32x8x8xf32> loc("border")
  %7 = uma.graph.conv2d %6, %w2 padding [1, 1, 1, 1] : (tensor<1x32x8x8xf32>, tensor<16x32x3x3xf32>) -> tensor<1x16x8x8xf32>
  return %3, %7 : tensor<2x16x8x8xf32>, tensor<1x16x8x8xf32>
}

// -----

// The small first operand would keep room for the large one while a larger tensor is computed.

// CHECK-LABEL: uma.tir.func @peak(
// CHECK:         uma.tir.call @late_concatenate(
func.func @peak(%x: tensor<1x3x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<160x16x1x1xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<96x160x1x1xf32>
  %w3 = uma.graph.constant dense<0.25> : tensor<16x112x1x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32>
  %1 = uma.graph.conv2d %0, %w1 : (tensor<1x16x8x8xf32>, tensor<160x16x1x1xf32>) -> tensor<1x160x8x8xf32>
  %2 = uma.graph.max_pool2d %1 size [3, 3] padding [1, 1, 1, 1] : (tensor<1x160x8x8xf32>) -> tensor<1x160x8x8xf32>
  %3 = uma.graph.conv2d %2, %w2 : (tensor<1x160x8x8xf32>, tensor<96x160x1x1xf32>) -> tensor<1x96x8x8xf32>
  %4 = uma.graph.concatenate %0, %3 axis 1 : (tensor<1x16x8x8xf32>, tensor<1x96x8x8xf32>) -> tensor<1x112x8x8xf32> loc("late")
  %5 = uma.graph.conv2d %4, %w3 : (tensor<1x112x8x8xf32>, tensor<16x112x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %5 : tensor<1x16x8x8xf32>
}

// -----

// Where a block is all channels, blocks are in row-major order, but the result of a concatenation has no channels.

// CHECK-LABEL: uma.tir.func @rows(
// CHECK-SAME:    %[[OUT:arg[0-9]+]]: memref<1x80x16xf32>
// CHECK:         %[[FIRST:.*]] = uma.tir.view %[[OUT]][0] : memref<1x80x16xf32> as memref<1x1x8x8x16xf32>
// CHECK:         uma.tir.call @first_conv2d(%{{.*}}, %[[FIRST]],
// CHECK:         %[[SECOND:.*]] = uma.tir.view %[[OUT]][1024] : memref<1x80x16xf32> as memref<1x1x4x4x16xf32>
// CHECK:         uma.tir.call @second_conv2d(%{{.*}}, %[[SECOND]],
func.func @rows(%x: tensor<1x8x8x32xf32>) -> tensor<1x80x16xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x32x1x1xf32>
  %0 = uma.graph.conv2d %x, %w layout "NHWC" : (tensor<1x8x8x32xf32>, tensor<16x32x1x1xf32>) -> tensor<1x8x8x16xf32> loc("first")
  %1 = uma.graph.reshape %0 [1, 64, 16] : (tensor<1x8x8x16xf32>) -> tensor<1x64x16xf32>
  %2 = uma.graph.conv2d %x, %w strides [2, 2] layout "NHWC" : (tensor<1x8x8x32xf32>, tensor<16x32x1x1xf32>) -> tensor<1x4x4x16xf32> loc("second")
  %3 = uma.graph.reshape %2 [1, 16, 16] : (tensor<1x4x4x16xf32>) -> tensor<1x16x16xf32>
  %4 = uma.graph.concatenate %1, %3 axis 1 : (tensor<1x64x16xf32>, tensor<1x16x16xf32>) -> tensor<1x80x16xf32>
  return %4 : tensor<1x80x16xf32>
}

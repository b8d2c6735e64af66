// A convolution and the depthwise one with a stride behind it are computed tile by tile: the buffer between them holds one tile.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %s
// RUN: uma-opt %s --uma-lower | FileCheck %s --check-prefix=PLAN
// RUN: uma-opt %s --uma-lower=tile-pairs=false | FileCheck %s --check-prefix=APART

// Packs of 32 channels, each in slabs of 14 rows of the result, 28 of the data, and one that is read again.
// CHECK-LABEL: uma.tir.func @slabs(
// CHECK:      %[[BETWEEN:.*]] = uma.tir.alloc workspace label "between" : memref<1x2x29x57x16xf32>
// CHECK:      uma.tir.for %[[PACK:.*]] = 0 to 3 {
// CHECK-NEXT:   uma.tir.for %[[SLAB:.*]] = 0 to 2 {
// CHECK-NEXT:     uma.tir.call @between_conv2d_bias_add({{.*}}, %[[BETWEEN]], {{.*}}, %[[PACK]], %[[SLAB]])
// CHECK-NEXT:     uma.tir.call @read_conv2d(%[[BETWEEN]], {{.*}}, %[[PACK]], %[[SLAB]])
// PLAN:       uma.tir.func @slabs({{.*}}uma.workspace_size = 512640 : i64
// APART:      uma.tir.func @slabs({{.*}}uma.workspace_size = 1248448 : i64
func.func @slabs(%x: tensor<1x3x56x56xf32>) -> tensor<1x96x28x28xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<96x3x1x1xf32>
  %b = uma.graph.constant dense<0.25> : tensor<96xf32>
  %d = uma.graph.constant dense<0.25> : tensor<96x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x56x56xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32> loc("between")
  %1 = uma.graph.bias_add %0, %b : (tensor<1x96x56x56xf32>, tensor<96xf32>) -> tensor<1x96x56x56xf32> loc("between")
  %2 = uma.graph.conv2d %1, %d strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x56x56xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x28x28xf32> loc("read")
  return %2 : tensor<1x96x28x28xf32>
}

// Small images have packs alone; so have those with the border at the end, where a slab reads a row of the next one.
// CHECK-LABEL: uma.tir.func @packs(
// CHECK:      uma.tir.alloc workspace label "first" : memref<1x2x15x15x16xf32>
// CHECK:      uma.tir.for %{{.*}} = 0 to 3 {
// CHECK-NEXT:   uma.tir.call @first_conv2d(
// CHECK-NEXT:   uma.tir.call @small_conv2d(
// CHECK-NEXT: }
// CHECK:      uma.tir.alloc workspace label "second" : memref<1x2x57x57x16xf32>
// CHECK:      uma.tir.for %{{.*}} = 0 to 3 {
// CHECK-NEXT:   uma.tir.call @second_conv2d(
// CHECK-NEXT:   uma.tir.call @at_end_conv2d(
// CHECK-NEXT: }
func.func @packs(%x: tensor<1x3x14x14xf32>, %y: tensor<1x3x56x56xf32>) -> (tensor<1x96x7x7xf32>, tensor<1x96x28x28xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<96x3x1x1xf32>
  %d = uma.graph.constant dense<0.25> : tensor<96x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x14x14xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x14x14xf32> loc("first")
  %1 = uma.graph.conv2d %0, %d strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x14x14xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x7x7xf32> loc("small")
  %2 = uma.graph.conv2d %y, %w : (tensor<1x3x56x56xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32> loc("second")
  %3 = uma.graph.conv2d %2, %d strides [2, 2] padding [0, 0, 1, 1] groups 96 : (tensor<1x96x56x56xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x28x28xf32> loc("at_end")
  return %1, %3 : tensor<1x96x7x7xf32>, tensor<1x96x28x28xf32>
}

// Not where something else reads the data, where the result is no smaller, or has a border.
// CHECK-LABEL: uma.tir.func @apart(
// CHECK-NOT:  uma.tir.for
// CHECK:      uma.tir.func private
func.func @apart(%x: tensor<1x3x16x16xf32>) -> (tensor<1x96x16x16xf32>, tensor<1x96x8x8xf32>, tensor<1x96x8x8xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<96x3x1x1xf32>
  %d = uma.graph.constant dense<0.25> : tensor<96x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x16x16xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x16x16xf32> loc("returned")
  %1 = uma.graph.conv2d %0, %d strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x16x16xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x8x8xf32>
  %2 = uma.graph.relu %x : (tensor<1x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %3 = uma.graph.conv2d %2, %w : (tensor<1x3x16x16xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x16x16xf32>
  %4 = uma.graph.conv2d %3, %d padding [1, 1, 1, 1] groups 96 : (tensor<1x96x16x16xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x16x16xf32>
  %w5 = uma.graph.constant dense<0.5> : tensor<96x96x1x1xf32>
  %5 = uma.graph.conv2d %4, %w5 : (tensor<1x96x16x16xf32>, tensor<96x96x1x1xf32>) -> tensor<1x96x16x16xf32>
  %6 = uma.graph.conv2d %5, %d strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x16x16xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x8x8xf32>
  %7 = uma.graph.conv2d %6, %d padding [1, 1, 1, 1] groups 96 : (tensor<1x96x8x8xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x8x8xf32>
  return %0, %1, %7 : tensor<1x96x16x16xf32>, tensor<1x96x8x8xf32>, tensor<1x96x8x8xf32>
}

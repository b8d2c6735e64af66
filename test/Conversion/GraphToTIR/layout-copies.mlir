// Copies between planes of pixels and blocks of channels transpose squares in registers, at any offset in a buffer with a border.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize --mlir-print-local-scope --split-input-file | FileCheck %s

// From planes of 63 pixels to blocks of 16 channels, whose rows have a border: a row is transposed for each block, behind 11 * 16 + 16 elements.
// In the other direction, pixels of all rows are together.

// CHECK-LABEL: uma.tir.func private @{{.*}}_layout(
// CHECK-SAME:    %{{.*}}: memref<1x32x7x9xf32>, %{{.*}}: memref<1x2x9x11x16xf32>)
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:         uma.tir.block "transpose"
// CHECK:           %[[BORDER:.*]] = arith.constant 192 : index
// CHECK-NEXT:      %[[PLACE:.*]] = arith.addi %{{.*}}, %[[BORDER]] : index
// CHECK-NEXT:      uma.tir.transpose %{{.*}}[%{{.*}}] stride 63 to %{{.*}}[%[[PLACE]]] stride 16 size 8
// CHECK:       } lanes(4) {
// CHECK:           uma.tir.transpose {{.*}} stride 63 to {{.*}} stride 16 size 4
// CHECK:       } default {
// CHECK-NOT:     uma.tir.transpose
// CHECK:           memref.load
// CHECK:           memref.store
// CHECK-LABEL: uma.tir.func private @{{.*}}_layout(
// CHECK-SAME:    %{{.*}}: memref<1x2x7x9x16xf32>, %{{.*}}: memref<1x32x7x9xf32>)
// CHECK:           uma.tir.transpose {{.*}} stride 16 to {{.*}} stride 63 size 8
func.func @main(%x: tensor<1x32x7x9xf32>) -> tensor<1x32x7x9xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<32x32x3x3xf32>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x32x7x9xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x7x9xf32>
  return %0 : tensor<1x32x7x9xf32>
}

// -----

// Too few pixels for a square.

// CHECK-LABEL: uma.tir.func private @{{.*}}_layout(
// CHECK-SAME:    %{{.*}}: memref<1x1x1x3x16xf32>, %{{.*}}: memref<1x16x1x3xf32>)
// CHECK-NOT:     uma.tir.transpose
// CHECK:         uma.tir.block "copy"
func.func @few(%x: tensor<1x3x1x3xf32>) -> tensor<1x16x1x3xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x1x3xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x1x3xf32>
  return %0 : tensor<1x16x1x3xf32>
}

// Images between convolutions stay in blocks of channels where they are put side by side or interpolated.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize --mlir-print-local-scope --split-input-file | FileCheck %s

// CHECK-LABEL: uma.tir.func @main(
// CHECK:         uma.tir.call @interpolate({{.*}}) : memref<1x2x4x6x16xf32>, memref<8x1xi64>, memref<8x1xf32>, memref<1x2x8x6x16xf32>
// CHECK-NEXT:    %[[ALL:.*]] = uma.tir.alloc workspace label "concatenate" : memref<1x3x10x8x16xf32>
// CHECK-NEXT:    uma.tir.call @concatenate({{.*}}, %[[ALL]]) : memref<1x1x8x6x16xf32>, memref<1x2x8x6x16xf32>, memref<1x3x10x8x16xf32>
// CHECK-LABEL: uma.tir.func private @interpolate(
// CHECK-SAME:    %[[DATA:.*]]: memref<1x2x4x6x16xf32>, %[[INDICES:.*]]: memref<8x1xi64>
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:         uma.tir.block "interpolate"
// CHECK-SAME:      spatial %[[ROW:[a-z0-9_]+]] = %{{[^ ]+}} in 8,
// CHECK:           reads(
// CHECK-SAME:        %[[INDICES]][affine_map<(d0, d1, d2, d3, d4) -> (d2, 0)>, [1, 1]]
// CHECK:           %[[I:.*]] = memref.load %[[INDICES]][%[[ROW]], %{{.*}}]
// CHECK:           arith.index_cast %[[I]]
// CHECK:           %[[CLAMPED:.*]] = arith.minsi
// CHECK:           uma.tir.for vectorized
// CHECK:             memref.load %[[DATA]][%{{.*}}, %{{.*}}, %[[CLAMPED]], %{{.*}}, %{{.*}}]
// Behind the zeros around it; the second part begins with the second block.
// CHECK-LABEL: uma.tir.func private @concatenate(
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:         writes(%{{.*}}[affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 + 1, d3 + 1, d4)>, [1, 1, 1, 1, 16]]
// CHECK:         writes(%{{.*}}[affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + 1, d2 + 1, d3 + 1, d4)>, [1, 1, 1, 1, 16]]
func.func @main(%x: tensor<1x3x8x6xf32>, %y: tensor<1x3x4x6xf32>) -> tensor<1x16x8x6xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<16x3x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<32x3x1x1xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<16x48x3x3xf32>
  %i = uma.graph.constant dense<[[0], [0], [1], [1], [2], [2], [3], [3]]> : tensor<8x1xi64>
  %f = uma.graph.constant dense<1.0> : tensor<8x1xf32>
  %a = uma.graph.conv2d %x, %w0 : (tensor<1x3x8x6xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x6xf32>
  %b = uma.graph.conv2d %y, %w1 : (tensor<1x3x4x6xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x4x6xf32>
  %c = uma.graph.interpolate %b, %i, %f axis 2 : (tensor<1x32x4x6xf32>, tensor<8x1xi64>, tensor<8x1xf32>) -> tensor<1x32x8x6xf32>
  %d = uma.graph.concatenate %a, %c axis 1 : (tensor<1x16x8x6xf32>, tensor<1x32x8x6xf32>) -> tensor<1x48x8x6xf32>
  %e = uma.graph.conv2d %d, %w2 padding [1, 1, 1, 1] : (tensor<1x48x8x6xf32>, tensor<16x48x3x3xf32>) -> tensor<1x16x8x6xf32>
  return %e : tensor<1x16x8x6xf32>
}

// Shuffles and concatenations between other blocks of channels put the vectors of the result together from those of the data.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize --mlir-print-local-scope --split-input-file | FileCheck %s

// The vectors of a pixel of three groups in three blocks, whose lanes differ.

// CHECK:       uma.tir.call @shuffle_reshape_transpose_reshape({{.*}}) : memref<1x3x5x9x16xf32>, memref<1x3x5x9x16xf32>
// CHECK-LABEL: uma.tir.func private @shuffle_reshape_transpose_reshape(
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:         uma.tir.block "move"
// CHECK:           uma.tir.for %{{.*}} = 0 to 45 {
// CHECK:             %[[A:.*]] = vector.load
// CHECK:             %[[B:.*]] = vector.load
// CHECK:             %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5]
// CHECK:             %[[C:.*]] = vector.load
// CHECK:             %[[ALL:.*]] = vector.shuffle %[[AB]], %[[C]] [0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15]
// CHECK:             vector.store %[[ALL]]
// CHECK:           uma.tir.for %{{.*}} = 0 to 45 {
// CHECK:             vector.shuffle {{.*}} [5, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10]
// CHECK:           uma.tir.for %{{.*}} = 0 to 45 {
// CHECK:             vector.shuffle {{.*}} [10, 27, 0, 11, 28, 0, 12, 29, 0, 13, 30, 0, 14, 31, 0, 15]
// CHECK:       } lanes(8) {
// CHECK:             vector.shuffle {{.*}} : vector<8xf32>, vector<8xf32>
// CHECK:       } default {
// CHECK-NOT:     vector.
// CHECK:           uma.tir.for %{{.*}} = 0 to 45 {
func.func @main(%x: tensor<1x8x5x9xf32>) -> tensor<1x16x5x9xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<48x8x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<16x48x1x1xf32>
  %a = uma.graph.conv2d %x, %w0 : (tensor<1x8x5x9xf32>, tensor<48x8x1x1xf32>) -> tensor<1x48x5x9xf32>
  %0 = uma.graph.reshape %a [1, 3, 16, 5, 9] : (tensor<1x48x5x9xf32>) -> tensor<1x3x16x5x9xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x3x16x5x9xf32>) -> tensor<1x16x3x5x9xf32>
  %2 = uma.graph.reshape %1 [1, 48, 5, 9] : (tensor<1x16x3x5x9xf32>) -> tensor<1x48x5x9xf32> loc("shuffle")
  %e = uma.graph.conv2d %2, %w1 : (tensor<1x48x5x9xf32>, tensor<16x48x1x1xf32>) -> tensor<1x16x5x9xf32>
  return %e : tensor<1x16x5x9xf32>
}

// -----

// 2 groups of 64 channels: vectors of 16 channels have the same lanes, at the same distance. They share a loop.

// CHECK-LABEL: uma.tir.func private @shuffle_reshape_transpose_reshape(
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:         uma.tir.block "move"
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 {
// CHECK-NEXT:        uma.tir.for %{{.*}} = 0 to 45 {
// CHECK:               vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 {
// CHECK-NEXT:        uma.tir.for %{{.*}} = 0 to 45 {
// CHECK:               vector.shuffle {{.*}} [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31]
// CHECK-NOT:         vector.shuffle
// CHECK:       } lanes(8) {
func.func @loops(%x: tensor<1x8x5x9xf32>) -> tensor<1x16x5x9xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<128x8x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<16x128x1x1xf32>
  %a = uma.graph.conv2d %x, %w0 : (tensor<1x8x5x9xf32>, tensor<128x8x1x1xf32>) -> tensor<1x128x5x9xf32>
  %0 = uma.graph.reshape %a [1, 2, 64, 5, 9] : (tensor<1x128x5x9xf32>) -> tensor<1x2x64x5x9xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x2x64x5x9xf32>) -> tensor<1x64x2x5x9xf32>
  %2 = uma.graph.reshape %1 [1, 128, 5, 9] : (tensor<1x64x2x5x9xf32>) -> tensor<1x128x5x9xf32> loc("shuffle")
  %e = uma.graph.conv2d %2, %w1 : (tensor<1x128x5x9xf32>, tensor<16x128x1x1xf32>) -> tensor<1x16x5x9xf32>
  return %e : tensor<1x16x5x9xf32>
}

// -----

// Many groups: the scalar version has a loop over the channels, whose places are in a table, around the one over pixels.

// CHECK:       memref.global "private" constant @[[TABLE:.*]] : memref<112x2xi32> = dense<"0x000000000000000001000000D002000002000000A0050000
// CHECK:       %[[PLACES:.*]] = memref.get_global @[[TABLE]]
// CHECK:       uma.tir.call @shuffle_reshape_transpose_reshape(%{{.*}}, %{{.*}}, %[[PLACES]])
// CHECK-LABEL: uma.tir.func private @shuffle_reshape_transpose_reshape(
// CHECK:       } default {
// CHECK-NOT:     vector.
// CHECK:         uma.tir.for %{{.*}} = 0 to 112 {
// CHECK:           memref.load %{{.*}} : memref<112x2xi32>
// CHECK:           memref.load %{{.*}} : memref<112x2xi32>
// CHECK:           uma.tir.for %{{.*}} = 0 to 45 {
func.func @table(%x: tensor<1x8x5x9xf32>) -> tensor<1x16x5x9xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<112x8x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<16x112x1x1xf32>
  %a = uma.graph.conv2d %x, %w0 : (tensor<1x8x5x9xf32>, tensor<112x8x1x1xf32>) -> tensor<1x112x5x9xf32>
  %0 = uma.graph.reshape %a [1, 7, 16, 5, 9] : (tensor<1x112x5x9xf32>) -> tensor<1x7x16x5x9xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x7x16x5x9xf32>) -> tensor<1x16x7x5x9xf32>
  %2 = uma.graph.reshape %1 [1, 112, 5, 9] : (tensor<1x16x7x5x9xf32>) -> tensor<1x112x5x9xf32> loc("shuffle")
  %e = uma.graph.conv2d %2, %w1 : (tensor<1x112x5x9xf32>, tensor<16x112x1x1xf32>) -> tensor<1x16x5x9xf32>
  return %e : tensor<1x16x5x9xf32>
}

// -----

// Channels that are no whole blocks. A vector of one operand is a copy; one of both operands is put together before the activation. There are few
// single channels in a row, so that there is no table.

// CHECK:       uma.tir.call @parts_concatenate_relu({{.*}}) : memref<1x1x9x8x12xf32>, memref<1x1x9x8x20xf32>, memref<1x2x9x8x16xf32>
// CHECK-LABEL: uma.tir.func private @parts_concatenate_relu(
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:         uma.tir.block "move" (spatial %{{.*}} = %{{.*}} in 1, spatial %{{.*}} = %{{.*}} in 9)
// CHECK-NOT:       vector.
// CHECK:           uma.tir.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:        uma.tir.for vectorized %{{.*}} = 0 to 8 {
// CHECK:               memref.load
// CHECK:               arith.select
// CHECK:               memref.store
// CHECK:           vector.shuffle {{.*}} [4, 5, 6, 7, 8, 9, 10, 11]
// CHECK:           vector.store %{{.*}}, %[[MOVED:.*]][%{{.*}}] : memref<8xf32>
// CHECK-NEXT:      uma.tir.for vectorized
// CHECK-NEXT:        memref.load %[[MOVED]]
// CHECK:             arith.select
// CHECK:             memref.store
func.func @parts(%x: tensor<1x8x9x8xf32>) -> tensor<1x32x9x8xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<12x8x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<20x8x1x1xf32>
  %a = uma.graph.conv2d %x, %w0 : (tensor<1x8x9x8xf32>, tensor<12x8x1x1xf32>) -> tensor<1x12x9x8xf32>
  %b = uma.graph.conv2d %x, %w1 : (tensor<1x8x9x8xf32>, tensor<20x8x1x1xf32>) -> tensor<1x20x9x8xf32>
  %c = uma.graph.concatenate %a, %b axis 1 : (tensor<1x12x9x8xf32>, tensor<1x20x9x8xf32>) -> tensor<1x32x9x8xf32> loc("parts")
  %d = uma.graph.relu %c : (tensor<1x32x9x8xf32>) -> tensor<1x32x9x8xf32>
  return %d : tensor<1x32x9x8xf32>
}

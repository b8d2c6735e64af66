// Threads share the rows of large images, and the blocks of channels of small ones.
// RUN: uma-opt %s --split-input-file --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %s

// CHECK-LABEL: func private @large_conv2d(
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       uma.tir.for %{{.*}} = 0 to 2 {
// CHECK-NOT:   uma.tir.prefetch
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 56 {
func.func @main(%x: tensor<1x3x28x28xf32>) -> tensor<1x64x28x28xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<64x3x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x3x28x28xf32>, tensor<64x3x1x1xf32>) -> tensor<1x64x28x28xf32> loc("first")
  %w = uma.graph.constant dense<0.5> : tensor<64x64x1x1xf32>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x64x28x28xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x28x28xf32> loc("large")
  return %1 : tensor<1x64x28x28xf32>
}

// -----

// Tiles of channels read what other threads wrote: a line of each of their pixels comes two blocks of channels ahead.

// CHECK-LABEL: func private @small_conv2d(%arg0: memref<1x8x14x14x16xf32>
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 4 {
// CHECK-NOT:   uma.tir.for parallel
// CHECK:       %[[BLOCK:.*]] = arith.minsi %{{.*}}, %c7
// CHECK:       uma.tir.for unrolled %{{.*}} = 0 to 14 {
// CHECK:       uma.tir.block "conv2d_prefetch" ({{.*}} = %[[BLOCK]] in 8
// CHECK:       uma.tir.prefetch %{{.*}} : memref<1x8x1x196x16xf32>
// CHECK:       } lanes(8) {
func.func @main(%x: tensor<1x3x14x14xf32>) -> tensor<1x128x14x14xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<128x3x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x3x14x14xf32>, tensor<128x3x1x1xf32>) -> tensor<1x128x14x14xf32> loc("first")
  %w = uma.graph.constant dense<0.5> : tensor<128x128x1x1xf32>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x128x14x14xf32>, tensor<128x128x1x1xf32>) -> tensor<1x128x14x14xf32> loc("small")
  return %1 : tensor<1x128x14x14xf32>
}

// -----

// A pool of large images adds the elements of each row first. The sum of these is divided.

// CHECK-LABEL: func private @pool_global_avg_pool2d(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x2x32x32x16xf32>, %[[Y:[a-z0-9]+]]: memref<1x2x1x1x16xf32>, %[[ROWS:[a-z0-9]+]]: memref<1x2x32x1x16xf32>)
// CHECK:       uma.tir.for %{{.*}} = 0 to 2 {
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 32 {
// CHECK:       memref.load %[[X]]
// CHECK-NOT:   arith.divf
// CHECK:       memref.store %{{.*}}, %[[ROWS]]
// CHECK:       memref.load %[[ROWS]]
// CHECK:       %[[COUNT:.*]] = arith.constant 1.024000e+03 : f32
// CHECK:       arith.divf %{{.*}}, %[[COUNT]]
// CHECK:       memref.store %{{.*}}, %[[Y]]
func.func @main(%x: tensor<1x3x32x32xf32>) -> tensor<1x32x1x1xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<32x3x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x3x32x32xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x32x32xf32> loc("first")
  %1 = uma.graph.global_avg_pool2d %0 : (tensor<1x32x32x32xf32>) -> tensor<1x32x1x1xf32> loc("pool")
  return %1 : tensor<1x32x1x1xf32>
}

// -----

// A small image is pooled at once; so are other types than f32.

// CHECK-LABEL: func private @pool_global_max_pool2d(%{{.*}}: memref<1x2x16x16x16xf32>, %{{.*}}: memref<1x2x1x1x16xf32>)
func.func @main(%x: tensor<1x3x16x16xf32>) -> tensor<1x32x1x1xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<32x3x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x3x16x16xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x16x16xf32> loc("first")
  %1 = uma.graph.global_max_pool2d %0 : (tensor<1x32x16x16xf32>) -> tensor<1x32x1x1xf32> loc("pool")
  return %1 : tensor<1x32x1x1xf32>
}

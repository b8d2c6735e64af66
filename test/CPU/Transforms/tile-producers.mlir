// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels --uma-cpu-tile-producers --remarks-filter=uma-cpu 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=tile-producer < %t.txt
// RUN: uma-opt %s --uma-cpu-plan=threads | FileCheck %s --check-prefix=THREADS
// RUN: uma-opt %s --uma-cpu-plan=tile-producers=false | FileCheck %s --check-prefix=OFF --implicit-check-not=uma.tile_producer
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %s --check-prefix=TIR

// A pool reads %0 later, so that the activation does not work in place.
// CHECK-LABEL: func private @before_multiply_relu(
// CHECK-NOT:     uma.tile_producer
// CHECK-LABEL: func private @reader_conv2d(
// CHECK-SAME:    uma.tile_producer
// REMARK:      tile-producer {{.*}}layer 'reader' computes its producer 'before' in tiles of 3 kB

// The elementwise layer gets no function and no buffer; the convolution has a loop over tiles, which computes the data first.
// TIR-LABEL:   uma.tir.func @main(
// TIR-NOT:       @before
// TIR:           uma.tir.call @reader_conv2d(%[[POOLED:[0-9a-z_]+]], %{{[0-9a-z_]+}}, %[[RESULT:[0-9a-z_]+]], {{.*}}) : memref<1x4x28x28x16xf32>, memref<64x1x1xf32>, memref<1x2x28x28x16xf32>
// TIR-LABEL:   uma.tir.func private @reader_conv2d(
// TIR-SAME:      uma.layers = ["scaled", "before", "reader"]
// TIR:           uma.tir.multiversion lanes(16
// TIR:             uma.tir.for parallel %{{.*}} = 0 to 56 {
// TIR:               %[[DATA:.*]] = uma.tir.alloc local label "data" : memref<4x14x16xf32>
// TIR:               uma.tir.block "conv2d_data" (
// TIR-NEXT:            reads(
// TIR-NEXT:            writes(%[[DATA]][
// TIR:               uma.tir.block "conv2d" (
// TIR-NEXT:            reads(%[[DATA]][

// Here the product may overwrite what it reads, which is as good on one thread.
// CHECK-LABEL: func private @in_place_multiply(
// CHECK-LABEL: func private @last_conv2d(
// CHECK-NOT:     uma.tile_producer
// CHECK-LABEL: func private @few_pixels
// THREADS:     func private @last_conv2d({{.*}}uma.tile_producer

// Fewer pixels than channels: the weights pass the cache once, not for each tile.
// CHECK-LABEL: func private @wide_conv2d(
// CHECK-NOT:     uma.tile_producer
// THREADS:     func private @wide_conv2d(
// THREADS-NOT:   uma.tile_producer
// OFF:         func private @wide_conv2d(
func.func @main(%x: tensor<1x64x28x28xf32>, %g: tensor<64x1x1xf32>) -> (tensor<1x32x28x28xf32>, tensor<1x64x28x28xf32>, tensor<1x32x28x28xf32>, tensor<1x256x4x4xf32>) {
  %w0 = uma.graph.constant dense<0.5> : tensor<64x64x1x1xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<32x64x1x1xf32>
  %w2 = uma.graph.constant dense<0.25> : tensor<256x64x1x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x64x28x28xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x28x28xf32> loc("data")
  %1 = uma.graph.multiply %0, %g : (tensor<1x64x28x28xf32>, tensor<64x1x1xf32>) -> tensor<1x64x28x28xf32> loc("scaled")
  %2 = uma.graph.relu %1 : (tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> loc("before")
  %3 = uma.graph.conv2d %2, %w1 : (tensor<1x64x28x28xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x28x28xf32> loc("reader")
  %4 = uma.graph.max_pool2d %0 size [3, 3] padding [1, 1, 1, 1] : (tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> loc("pool")

  %5 = uma.graph.max_pool2d %4 size [3, 3] padding [1, 1, 1, 1] : (tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> loc("second")
  %6 = uma.graph.multiply %5, %g : (tensor<1x64x28x28xf32>, tensor<64x1x1xf32>) -> tensor<1x64x28x28xf32> loc("in_place")
  %7 = uma.graph.conv2d %6, %w1 : (tensor<1x64x28x28xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x28x28xf32> loc("last")

  %8 = uma.graph.max_pool2d %0 size [7, 7] strides [7, 7] : (tensor<1x64x28x28xf32>) -> tensor<1x64x4x4xf32> loc("few_pixels")
  %9 = uma.graph.relu %8 : (tensor<1x64x4x4xf32>) -> tensor<1x64x4x4xf32> loc("few")
  %10 = uma.graph.conv2d %9, %w2 : (tensor<1x64x4x4xf32>, tensor<256x64x1x1xf32>) -> tensor<1x256x4x4xf32> loc("wide")
  return %3, %4, %7, %10 : tensor<1x32x28x28xf32>, tensor<1x64x28x28xf32>, tensor<1x32x28x28xf32>, tensor<1x256x4x4xf32>
}

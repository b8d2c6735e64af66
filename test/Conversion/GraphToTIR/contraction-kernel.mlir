// Where the weights of a tile do not fit the nearest cache, all rows go through a slice of them before the next one, and
// the result keeps the sums: it begins with the bias, and the epilogue comes with the last slice.
// RUN: split-file %s %t
// RUN: uma-opt %t/deep.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/deep.mlir
// RUN: uma-opt %t/whole.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/whole.mlir --check-prefixes=CHECK,MODEL
// RUN: uma-opt %t/whole.mlir --uma-cpu-plan="tuning=%t/ragged.json" --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/whole.mlir --check-prefixes=CHECK,TUNED

//--- deep.mlir
// CHECK-LABEL: uma.tir.func private @deep_conv2d_bias_add_add_clip(
// CHECK-SAME:    %{{.*}}: memref<1x20x80x8x16xf32>, %[[BIAS:.*]]: memref<32xf32>, %[[RESIDUAL:.*]]: memref<1x2x40x4x16xf32>, %[[Y:.*]]: memref<1x2x40x4x16xf32>,
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 40 {
// CHECK-NEXT:  uma.tir.for %{{.*}} = 0 to 4 {
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    reads(%[[BIAS]]
// CHECK-NEXT:    writes(%[[Y]]

// All slices but the last one.
// CHECK:       uma.tir.for %[[SLICE:.*]] = 0 to 4 {
// CHECK:       %[[FIRST:.*]] = arith.muli %[[SLICE]], %c4
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 40 {
// CHECK:       %[[SUMS:.*]] = uma.tir.alloc local label "sum"
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    reads(%[[Y]]
// CHECK-NEXT:    writes(%[[SUMS]]
// CHECK:       uma.tir.for %[[BLOCK:.*]] = 0 to 4 {
// CHECK-NEXT:    %[[STEP:.*]] = arith.addi %[[FIRST]], %[[BLOCK]] : index
// CHECK:       uma.tir.block "conv2d" ({{.*}}, reduce %{{.*}} = %[[STEP]] in 20,
// CHECK:       uma.tir.block "conv2d_result"
// CHECK-NEXT:    reads(%[[SUMS]]
// CHECK-NOT:     %[[RESIDUAL]]
// CHECK:         writes(%[[Y]]

// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 40 {
// CHECK:       %[[SUMS:.*]] = uma.tir.alloc local label "sum"
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    reads(%[[Y]]
// CHECK-NEXT:    writes(%[[SUMS]]
// CHECK:       uma.tir.for %[[BLOCK:.*]] = 0 to 4 {
// CHECK-NEXT:    %[[STEP:.*]] = arith.addi %c16{{.*}}, %[[BLOCK]] : index
// CHECK:       uma.tir.block "conv2d_result"
// CHECK-NEXT:    reads(%[[SUMS]]{{.*}}%[[RESIDUAL]]
// CHECK-NEXT:    writes(%[[Y]]
// CHECK:         arith.cmpf

// Each version decides for itself.
// CHECK:       } lanes(8) {
// CHECK-COUNT-3: uma.tir.block "conv2d_start"
// CHECK:       } lanes(4) {
// CHECK-COUNT-3: uma.tir.block "conv2d_start"
// CHECK:       } default {
// CHECK-COUNT-3: uma.tir.block "conv2d_start"
func.func @main(%x: tensor<1x3x80x8xf32>, %r: tensor<1x32x40x4xf32>) -> tensor<1x32x40x4xf32> {
  %p = uma.graph.constant dense<0.5> : tensor<320x3x1x1xf32>
  %d = uma.graph.conv2d %x, %p : (tensor<1x3x80x8xf32>, tensor<320x3x1x1xf32>) -> tensor<1x320x80x8xf32> loc("front")
  %w = uma.graph.constant dense<0.5> : tensor<32x320x1x1xf32>
  %b = uma.graph.constant dense<0.25> : tensor<32xf32>
  %0 = uma.graph.conv2d %d, %w strides [2, 2] : (tensor<1x320x80x8xf32>, tensor<32x320x1x1xf32>) -> tensor<1x32x40x4xf32> loc("deep")
  %1 = uma.graph.bias_add %0, %b : (tensor<1x32x40x4xf32>, tensor<32xf32>) -> tensor<1x32x40x4xf32>
  %2 = uma.graph.add %1, %r : (tensor<1x32x40x4xf32>, tensor<1x32x40x4xf32>) -> tensor<1x32x40x4xf32>
  %3 = uma.graph.clip %2 min 0.0 max 6.0 : (tensor<1x32x40x4xf32>) -> tensor<1x32x40x4xf32>
  return %3 : tensor<1x32x40x4xf32>
}

//--- whole.mlir
// No slices: packs of 32 of 80 channels overlap, and would both add to the same sums, unlike those of 16 that the model
// chooses; a small image has all blocks of channels near each other; rows of matrices are read ahead.

// CHECK-LABEL: uma.tir.func private @ragged_conv2d(
// TUNED-SAME:    memref<6x320x16xf32>)
// CHECK:       lanes(8) {
// MODEL:       uma.tir.block "conv2d_start"
// TUNED-NOT:   _start"
// CHECK:       uma.tir.alloc local label "sum"
// CHECK-LABEL: uma.tir.func private @small_conv2d(
// CHECK:       lanes(8) {
// CHECK-NOT:   _start"
// CHECK:       uma.tir.alloc local label "sum"
// CHECK-LABEL: uma.tir.func private @matrix_dense(
// CHECK:       lanes(8) {
// CHECK-NOT:   _start"
// CHECK:       uma.tir.alloc local label "sum"
func.func @main(%x: tensor<1x3x40x4xf32>, %y: tensor<1x3x8x4xf32>, %z: tensor<160x320xf32>) -> (tensor<1x80x40x4xf32>, tensor<1x32x8x4xf32>, tensor<160x32xf32>) {
  %p = uma.graph.constant dense<0.5> : tensor<320x3x1x1xf32>
  %x0 = uma.graph.conv2d %x, %p : (tensor<1x3x40x4xf32>, tensor<320x3x1x1xf32>) -> tensor<1x320x40x4xf32> loc("front")
  %w0 = uma.graph.constant dense<0.5> : tensor<80x320x1x1xf32>
  %0 = uma.graph.conv2d %x0, %w0 : (tensor<1x320x40x4xf32>, tensor<80x320x1x1xf32>) -> tensor<1x80x40x4xf32> loc("ragged")
  %y0 = uma.graph.conv2d %y, %p : (tensor<1x3x8x4xf32>, tensor<320x3x1x1xf32>) -> tensor<1x320x8x4xf32> loc("front")
  %w1 = uma.graph.constant dense<0.5> : tensor<32x320x1x1xf32>
  %1 = uma.graph.conv2d %y0, %w1 : (tensor<1x320x8x4xf32>, tensor<32x320x1x1xf32>) -> tensor<1x32x8x4xf32> loc("small")
  %w2 = uma.graph.constant dense<0.5> : tensor<32x320xf32>
  %2 = uma.graph.dense %z, %w2 : (tensor<160x320xf32>, tensor<32x320xf32>) -> tensor<160x32xf32> loc("matrix")
  return %0, %1, %2 : tensor<1x80x40x4xf32>, tensor<1x32x8x4xf32>, tensor<160x32xf32>
}

//--- ragged.json
{
  "format": "uma-tuning", "version": 2, "lanes": 8, "processor": "any", "compiler": "cc -O3",
  "layers": [
    {
      "workload": {"operator":"conv2d","outer":[1],"rows":160,"channels":80,"channel_block":16,"reduce":[20,1,1,16],"strides":[1,1],"dilations":[1,1]},
      "kernel": "#uma.cpu.kernel<direct>",
      "schedules": ["#uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 6x2x16>, <avx2, tile = 6x2x8>, <scalar, tile = 2x4x1>]>"],
      "microseconds": 1, "analytic_microseconds": 2
    }
  ]
}

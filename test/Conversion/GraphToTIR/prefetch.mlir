// Each tile of rows asks for a share of the weights that the next tile's channels need, some in each block of the data,
// where few tiles go through many weights.
// RUN: split-file %s %t
// RUN: uma-opt %t/few-rows.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/few-rows.mlir
// RUN: uma-opt %t/matrix.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/matrix.mlir
// RUN: uma-opt %t/one-tile.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/one-tile.mlir
// RUN: uma-opt %t/none.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/none.mlir

//--- few-rows.mlir
// 512 steps in 14 tiles of 32 blocks: 37 in a tile, 2 in a block, of the two panels behind those of the tile.
// CHECK-LABEL: uma.tir.func private @few_rows_conv2d(
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<32x512x16xf32>)
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       %[[PANEL:.*]] = arith.minsi %{{.*}}, %c30
// CHECK:       %[[LAST:.*]] = arith.constant 475 : index
// CHECK-NEXT:  %[[FIRST:.*]] = arith.minsi %{{.*}}, %[[LAST]]
// CHECK:       uma.tir.for %{{.*}} = 0 to 32 {
// CHECK:       uma.tir.for %{{.*}} = 0 to 2 {
// CHECK:       %[[REST:.*]] = arith.minsi %{{.*}}, %c36
// CHECK-NEXT:  %[[STEP:.*]] = arith.addi %[[FIRST]], %[[REST]]
// CHECK-NEXT:  uma.tir.block "conv2d_prefetch" (spatial %{{.*}} = %[[PANEL]] in 31, spatial %{{.*}} = %[[STEP]] in 512)
// CHECK:       uma.tir.prefetch %[[W]]
// CHECK:       uma.tir.block "conv2d_prefetch" (spatial %{{.*}} = %[[PANEL]] in 31,
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK:       uma.tir.alloc local label "weight"

// A core without vectors does not fetch in advance.
// CHECK:       } lanes(4) {
// CHECK:       } {
// CHECK-NOT:   uma.tir.prefetch
func.func @main(%x: tensor<1x3x14x14xf32>) -> tensor<1x512x14x14xf32> {
  %p = uma.graph.constant dense<0.5> : tensor<512x3x1x1xf32>
  %d = uma.graph.conv2d %x, %p : (tensor<1x3x14x14xf32>, tensor<512x3x1x1xf32>) -> tensor<1x512x14x14xf32> loc("front")
  %w = uma.graph.constant dense<0.5> : tensor<512x512x1x1xf32>
  %0 = uma.graph.conv2d %d, %w : (tensor<1x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<1x512x14x14xf32> loc("few_rows")
  return %0 : tensor<1x512x14x14xf32>
}

//--- matrix.mlir
// Two tiles. A loop of many steps is one over chunks of them.
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       uma.tir.for %[[CHUNK:.*]] = 0 to 32 {
// CHECK:       uma.tir.for %{{.*}} = 0 to 8 {
// CHECK:       uma.tir.prefetch
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK-NEXT:    %{{.*}} = arith.constant 16
// CHECK-NEXT:    %[[FIRST:.*]] = arith.muli %[[CHUNK]], %{{.*}}
// CHECK-NEXT:    arith.addi %[[FIRST]], %{{.*}}
func.func @main(%x: tensor<28x512xf32>) -> tensor<28x512xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<512x512xf32>
  %0 = uma.graph.dense %x, %w : (tensor<28x512xf32>, tensor<512x512xf32>) -> tensor<28x512xf32> loc("matrix")
  return %0 : tensor<28x512xf32>
}

//--- one-tile.mlir
// The only tile of each panel asks for all of the next one, 16 steps in a chunk of 16.
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       uma.tir.for %{{.*}} = 0 to 32 {
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK:       uma.tir.prefetch
func.func @main(%x: tensor<20x512xf32>) -> tensor<20x512xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<512x512xf32>
  %0 = uma.graph.dense %x, %w : (tensor<20x512xf32>, tensor<512x512xf32>) -> tensor<20x512xf32> loc("one_tile")
  return %0 : tensor<20x512xf32>
}

//--- none.mlir
// A tile of few rows reads them as fast as it could ask for them.
// CHECK:       uma.tir.multiversion
// CHECK-NOT:   uma.tir.prefetch
func.func @main(%x: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<512x512xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x512xf32>, tensor<512x512xf32>) -> tensor<1x512xf32> loc("one_row")
  return %0 : tensor<1x512xf32>
}

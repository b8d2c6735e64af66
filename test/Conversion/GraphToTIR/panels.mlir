// Targets without fused multiply-add have a version whose data is broadcast to a panel for a tile of rows, which go on in
// the next line. Slices of the sums: the first ones wait in the result. In C that version is for SSE alone.
// RUN: split-file %s %t
// RUN: uma-opt %t/slices.mlir --uma-convert-graph-to-tir=vectorize | FileCheck %t/slices.mlir
// RUN: uma-opt %t/few.mlir --uma-convert-graph-to-tir=vectorize | FileCheck %t/few.mlir
// RUN: uma compile %t/slices.mlir -o %t/package && FileCheck %t/slices.mlir --check-prefix=C < %t/package/net.c

//--- slices.mlir
// CHECK-LABEL: uma.tir.func private @slices_conv2d(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x8x11x9x16xf32>, %[[Y:[a-z0-9]+]]: memref<1x4x9x7x16xf32>, %[[W:[a-z0-9]+]]:
// CHECK:       } lanes(8) {
// CHECK-NOT:   "conv2d_panel"
// CHECK:       } lanes(4) unfused {
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    writes(%[[Y]]

// All slices but the last one: 63 rows are 10 tiles of 6 and one of 3.
// CHECK:       uma.tir.for %{{.*}} = 0 to 1 {
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 10 {
// CHECK:       %[[PANEL:.*]] = uma.tir.alloc local label "panel" : memref<576x6x4xf32>
// CHECK:       uma.tir.block "conv2d_panel"
// CHECK-NEXT:    reads(%[[X]]
// CHECK-NEXT:    writes(%[[PANEL]]
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    reads(%[[Y]]
// CHECK:       uma.tir.for %{{.*}} = 0 to 576 {
// CHECK:       uma.tir.block "conv2d_weights"
// CHECK:       uma.tir.block "conv2d_data"
// CHECK-NEXT:    reads(%[[PANEL]]
// CHECK:       } {uma.unroll}
// CHECK:       uma.tir.alloc local label "panel" : memref<576x3x4xf32>
// CHECK:       uma.tir.for parallel
// CHECK:       uma.tir.alloc local label "panel" : memref<576x6x4xf32>
// CHECK:       } lanes(4) {
// CHECK-NOT:   "conv2d_panel"

// C:       #elif UMA_LANES >= 8
// C:       #elif UMA_LANES >= 4 && defined(UMA_SSE)
// C:       float v{{[0-9]+}}[13824];
// C:       UMA_UNROLL
// C-NEXT:  for (ptrdiff_t [[STEP:[a-z0-9]+]] = 0; [[STEP]] < 576;
// C:       #elif UMA_LANES >= 4{{$}}
// C-NOT:   [13824]
func.func @main(%x: tensor<1x3x9x7xf32>) -> tensor<1x64x9x7xf32> attributes {uma.network = "net"} {
  %p = uma.graph.constant dense<0.5> : tensor<128x3x1x1xf32>
  %d = uma.graph.conv2d %x, %p : (tensor<1x3x9x7xf32>, tensor<128x3x1x1xf32>) -> tensor<1x128x9x7xf32> loc("front")
  %w = uma.graph.constant dense<0.5> : tensor<64x128x3x3xf32>
  %0 = uma.graph.conv2d %d, %w padding [1, 1, 1, 1] : (tensor<1x128x9x7xf32>, tensor<64x128x3x3xf32>) -> tensor<1x64x9x7xf32> loc("slices")
  return %0 : tensor<1x64x9x7xf32>
}

//--- few.mlir
// The copy is worth it for 32 channels and more, and for as many rows as a tile has.
// CHECK-NOT: unfused
func.func @main(%x: tensor<1x8x16x16xf32>, %y: tensor<5x64xf32>) -> (tensor<1x16x16x16xf32>, tensor<5x64xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<16x8x3x3xf32>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x8x16x16xf32>, tensor<16x8x3x3xf32>) -> tensor<1x16x16x16xf32>
  %v = uma.graph.constant dense<0.5> : tensor<64x64xf32>
  %1 = uma.graph.dense %y, %v : (tensor<5x64xf32>, tensor<64x64xf32>) -> tensor<5x64xf32>
  return %0, %1 : tensor<1x16x16x16xf32>, tensor<5x64xf32>
}

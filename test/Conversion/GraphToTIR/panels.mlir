// The data of a tile of rows, which go on in the next line, is copied to a panel; slices of the sums, of which the first
// ones wait in the result. Targets without fused multiply-add have a version whose panels are broadcast, in C for SSE.
// RUN: split-file %s %t
// RUN: uma-opt %t/slices.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/slices.mlir
// RUN: uma-opt %t/few.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/few.mlir
// RUN: uma-opt %t/many.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/many.mlir
// RUN: uma-opt %t/next.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/next.mlir
// RUN: uma-opt %t/pixels.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/pixels.mlir
// RUN: uma-opt %t/matrix.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/matrix.mlir
// RUN: uma compile %t/slices.mlir -o %t/package && FileCheck %t/slices.mlir --check-prefix=C < %t/package/net.c

//--- slices.mlir
// CHECK-LABEL: uma.tir.func private @slices_conv2d(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x8x11x9x16xf32>, %[[Y:[a-z0-9]+]]: memref<1x4x9x7x16xf32>, %[[W:[a-z0-9]+]]:
// Rows of 7 are shorter than a tile of 14 with the widest vectors: 63 are 3 tiles of 13 and 2 of 12.
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 5 {
// CHECK:       scf.if
// CHECK:       uma.tir.alloc local label "panel" : memref<18x13x16xf32>
// CHECK:       } else {
// CHECK:       uma.tir.alloc local label "panel" : memref<18x12x16xf32>
// CHECK:       } lanes(8) {
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    writes(%[[Y]]

// All slices but the last one: 63 rows are 8 tiles of 6 and 3 of 5. A chunk is what lies together in the data.
// CHECK:       uma.tir.for %{{.*}} = 0 to 1 {
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 11 {
// CHECK:       %[[PANEL:.*]] = uma.tir.alloc local label "panel" : memref<36x6x16xf32>
// CHECK:       uma.tir.block "conv2d_panel"
// CHECK-NEXT:    reads(%[[X]][#{{.*}}, [1, 1, 1, 1, 8]]
// CHECK-NEXT:    writes(%[[PANEL]][#{{.*}}, [1, 1, 8]]
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    reads(%[[Y]]
// CHECK:       uma.tir.for %{{.*}} = 0 to 36 {
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK:       uma.tir.block "conv2d_weights"
// CHECK:       uma.tir.block "conv2d" (
// CHECK-NEXT:    reads(%[[PANEL]]
// CHECK:       } else {
// CHECK:       uma.tir.alloc local label "panel" : memref<36x5x16xf32>

// The same, broadcast.
// CHECK:       } lanes(4) guard("UMA_SSE") {
// CHECK:       uma.tir.for %{{.*}} = 0 to 1 {
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 11 {
// CHECK:       %[[BROADCAST:.*]] = uma.tir.alloc local label "panel" : memref<576x6x4xf32>
// CHECK:       uma.tir.block "conv2d_panel"
// CHECK-NEXT:    reads(%[[X]]
// CHECK-NEXT:    writes(%[[BROADCAST]]
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    reads(%[[Y]]
// CHECK:       uma.tir.for %{{.*}} = 0 to 576 {
// CHECK:       uma.tir.block "conv2d_weights"
// CHECK:       uma.tir.block "conv2d_data"
// CHECK-NEXT:    reads(%[[BROADCAST]]
// CHECK:       } {uma.unroll}
// CHECK:       } else {
// CHECK:       uma.tir.alloc local label "panel" : memref<576x5x4xf32>
// CHECK:       } lanes(4) {
// CHECK-NOT:   "conv2d_panel"

// C:       #elif UMA_LANES >= 8
// C:       float v{{[0-9]+}}[3456];
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
// CHECK-NOT: UMA_SSE
// CHECK-NOT: _panel
func.func @main(%x: tensor<1x8x16x16xf32>, %y: tensor<5x64xf32>) -> (tensor<1x16x16x16xf32>, tensor<5x64xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<16x8x3x3xf32>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x8x16x16xf32>, tensor<16x8x3x3xf32>) -> tensor<1x16x16x16xf32>
  %v = uma.graph.constant dense<0.5> : tensor<64x64xf32>
  %1 = uma.graph.dense %y, %v : (tensor<5x64xf32>, tensor<64x64xf32>) -> tensor<5x64xf32>
  return %0, %1 : tensor<1x16x16x16xf32>, tensor<5x64xf32>
}

//--- many.mlir
// Where much of what a large window sees is padding, a panel would have it all.
// CHECK-LABEL: uma.tir.func private @padding_conv2d(
// CHECK-NOT:   UMA_SSE
// CHECK-NOT:   _panel
// Many rows use the weights that are near, unless a stride leaves gaps in the data.
// CHECK-LABEL: uma.tir.func private @many_conv2d(
// CHECK:       } lanes(8) {
// CHECK-NOT:   "conv2d_panel"
// CHECK:       } lanes(4) guard("UMA_SSE") {
// CHECK-LABEL: uma.tir.func private @gaps_conv2d(
// CHECK:       } lanes(8) {
// CHECK:       "conv2d_panel"
// CHECK:       } lanes(4) guard("UMA_SSE") {
func.func @main(%x: tensor<1x64x48x48xf32>, %y: tensor<1x64x9x9xf32>) -> (tensor<1x64x48x48xf32>, tensor<1x64x24x24xf32>, tensor<1x64x9x9xf32>) {
  %v = uma.graph.constant dense<0.5> : tensor<64x64x3x3xf32>
  %2 = uma.graph.conv2d %y, %v padding [4, 4, 4, 4] dilations [4, 4] : (tensor<1x64x9x9xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x9x9xf32> loc("padding")
  %w = uma.graph.constant dense<0.5> : tensor<64x64x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x64x48x48xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x48x48xf32> loc("many")
  %1 = uma.graph.conv2d %x, %w strides [2, 2] : (tensor<1x64x48x48xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x24x24xf32> loc("gaps")
  return %0, %1, %2 : tensor<1x64x48x48xf32>, tensor<1x64x24x24xf32>, tensor<1x64x9x9xf32>
}

//--- next.mlir
// Each chunk of a tile asks for some lines of what comes next, so that none waits for many; where data is broadcast, a
// tile for all of its share.
// CHECK-LABEL: uma.tir.func private @next_conv2d(
// CHECK:       } lanes(8) {
// CHECK:       local label "panel"
// CHECK:       uma.tir.block "conv2d_start"
// CHECK:       uma.tir.for %{{.*}} = 0 to 36 {
// CHECK-NEXT:  uma.tir.for %{{.*}} = 0 to 2 {
// CHECK:       uma.tir.prefetch
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK:       uma.tir.block "conv2d" (
// CHECK:       } lanes(4) guard("UMA_SSE") {
// CHECK:       local label "panel"
// CHECK:       uma.tir.prefetch
// CHECK:       uma.tir.block "conv2d_start"
func.func @main(%x: tensor<1x3x7x7xf32>) -> tensor<1x128x7x7xf32> {
  %p = uma.graph.constant dense<0.5> : tensor<256x3x1x1xf32>
  %d = uma.graph.conv2d %x, %p : (tensor<1x3x7x7xf32>, tensor<256x3x1x1xf32>) -> tensor<1x256x7x7xf32> loc("front")
  %w = uma.graph.constant dense<0.5> : tensor<128x256x3x3xf32>
  %0 = uma.graph.conv2d %d, %w padding [1, 1, 1, 1] : (tensor<1x256x7x7xf32>, tensor<128x256x3x3xf32>) -> tensor<1x128x7x7xf32> loc("next")
  return %0 : tensor<1x128x7x7xf32>
}

//--- matrix.mlir
// Rows of a matrix are in order: they are read where they are, all of them for the channels of a tile before the next
// ones, the weights of which are asked for meanwhile.
// CHECK-LABEL: uma.tir.func private @rows_dense(
// CHECK:       } lanes(8) {
// CHECK-NOT:   local label "panel"
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to 8 {
// CHECK:       uma.tir.for %{{.*}} = 0 to 2 {
// CHECK:       uma.tir.for %{{.*}} = 0 to 2 {
// CHECK:       uma.tir.block "dense_start"
// CHECK-NEXT:    writes(%{{.*}} : memref<6x16xf32>
// CHECK:       uma.tir.for %{{.*}} = 0 to 48 {
// CHECK:       uma.tir.prefetch {{.*}} : memref<16x769x16xf32>
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK:       uma.tir.block "dense" (
// CHECK-NEXT:    reads(%{{.*}}, [1, 1, 1]] : memref<1x32x768xf32>
// CHECK:       uma.tir.for %{{.*}} = 0 to 4 {
// CHECK:       local label "sum" : memref<5x16xf32>
// CHECK:       } lanes(4) guard("UMA_SSE") {
func.func @main(%x: tensor<32x768xf32>) -> tensor<32x256xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<256x768xf32>
  %0 = uma.graph.dense %x, %w : (tensor<32x768xf32>, tensor<256x768xf32>) -> tensor<32x256xf32> loc("rows")
  return %0 : tensor<32x256xf32>
}

//--- pixels.mlir
// So are the pixels of a block of channels, on from one line to the next, where the result has a border between lines.
// The first one of two slices begins with 0.
// CHECK-LABEL: uma.tir.func private @pixels_conv2d(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x32x7x5x16xf32>, %[[Y:[a-z0-9]+]]: memref<1x16x9x7x16xf32>
// CHECK:       } lanes(8) {
// CHECK-NOT:   local label "panel"
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to {{[0-9]+}} {
// CHECK:       uma.tir.for %{{.*}} = 0 to 5 {
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    writes(%{{.*}} : memref<6x16xf32>
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK:       uma.tir.for %{{.*}} = 0 to 16 {
// CHECK:       uma.tir.block "conv2d" (
// CHECK-NEXT:    reads(%{{.*}}, [1, 1, 1, 1, 1]] : memref<1x32x1x35x16xf32>
// CHECK:       uma.tir.block "conv2d_result"
// CHECK-NEXT:    reads
// CHECK-NEXT:    writes(%[[Y]]
// CHECK:       uma.tir.for parallel %{{.*}} = 0 to {{[0-9]+}} {
// CHECK:       uma.tir.block "conv2d_start"
// CHECK-NEXT:    reads(%[[Y]]
// CHECK:       } lanes(4) guard("UMA_SSE") {
// CHECK:       local label "panel"
func.func @main(%x: tensor<1x3x7x5xf32>) -> tensor<1x64x7x5xf32> {
  %p = uma.graph.constant dense<0.5> : tensor<512x3x1x1xf32>
  %d = uma.graph.conv2d %x, %p : (tensor<1x3x7x5xf32>, tensor<512x3x1x1xf32>) -> tensor<1x512x7x5xf32> loc("front")
  %w = uma.graph.constant dense<0.5> : tensor<256x512x1x1xf32>
  %0 = uma.graph.conv2d %d, %w : (tensor<1x512x7x5xf32>, tensor<256x512x1x1xf32>) -> tensor<1x256x7x5xf32> loc("pixels")
  %v = uma.graph.constant dense<0.5> : tensor<64x256x3x3xf32>
  %1 = uma.graph.conv2d %0, %v padding [1, 1, 1, 1] : (tensor<1x256x7x5xf32>, tensor<64x256x3x3xf32>) -> tensor<1x64x7x5xf32> loc("back")
  return %1 : tensor<1x64x7x5xf32>
}

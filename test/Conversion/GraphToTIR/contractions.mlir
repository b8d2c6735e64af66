// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// Strides, padding in front of rows and behind columns: a row may lie in front
// of the data or behind it, a column only behind it.

// CHECK-LABEL: uma.tir.func private @conv2d(
// CHECK-SAME:  %[[X:.*]]: memref<1x4x9x8xf32>, %[[W:.*]]: memref<6x4x3x2xf32>, %[[Y:.*]]: memref<1x6x5x9xf32>)
// CHECK:       %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT:  for %[[N:.*]] = 0 to 1 {
// CHECK-NEXT:  for %[[O:.*]] = 0 to 6 {
// CHECK-NEXT:  for %[[H:.*]] = 0 to 5 {
// CHECK-NEXT:  for %[[V:.*]] = 0 to 9 {
// CHECK-NEXT:  %[[ACC:.*]] = uma.tir.alloc local {{.*}} : memref<f32>
// CHECK-NEXT:  for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:  for %[[KH:.*]] = 0 to 3 {
// CHECK-NEXT:  for %[[KW:.*]] = 0 to 2 {
// CHECK-NEXT:  uma.tir.block "conv2d" (spatial %{{.*}} = %[[N]] in 1, spatial %{{.*}} = %[[O]] in 6,
// CHECK-SAME:    spatial %[[BH:.*]] = %[[H]] in 5, spatial %[[BW:.*]] = %[[V]] in 9,
// CHECK-SAME:    reduce %{{.*}} = %[[I]] in 4, reduce %{{.*}} = %[[KH]] in 3, reduce %{{.*}} = %[[KW]] in 2)
// CHECK-NEXT:  reads(%[[X]][affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5 - 1, d3 + d6)>, [1, 1, 1, 1]]
// CHECK-SAME:    %[[W]][affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, [1, 1, 1, 1]]
// CHECK-NEXT:  writes(%[[ACC]][
// CHECK-NEXT:  init
// CHECK-NEXT:    memref.store %[[ZERO]], %[[ACC]][]
// CHECK:       arith.cmpi sge, %[[ROW:.*]], %c0
// CHECK:       arith.cmpi slt, %[[ROW]], %c9
// CHECK-NOT:   arith.cmpi sge
// CHECK:       arith.cmpi slt, %{{.*}}, %c8
// CHECK:       scf.if
// CHECK:         memref.load %[[X]]
// CHECK-NEXT:    memref.load %[[W]]
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.addf
// CHECK:       } else {
// CHECK:       uma.tir.block "conv2d_result" (spatial {{.*}} in 1, spatial {{.*}} in 6, spatial {{.*}} in 5, spatial {{.*}} in 9)
// CHECK-NEXT:  reads(%[[ACC]][
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, [1, 1, 1, 1]]
func.func @main(%x: tensor<1x4x9x8xf32>, %w: tensor<6x4x3x2xf32>) -> tensor<1x6x5x9xf32> {
  %0 = uma.graph.conv2d %x, %w strides [2, 1] padding [1, 0, 1, 2]
      : (tensor<1x4x9x8xf32>, tensor<6x4x3x2xf32>) -> tensor<1x6x5x9xf32>
  return %0 : tensor<1x6x5x9xf32>
}

// -----

// NHWC, HWIO, dilation and groups: group o / 3 reads its own two channels. No
// window sticks out, so nothing is guarded.

// CHECK-LABEL: uma.tir.func private @conv2d(
// CHECK:       uma.tir.block "conv2d" (spatial {{.*}} in 2, spatial {{.*}} in 4, spatial {{.*}} in 4, spatial {{.*}} in 6,
// CHECK-SAME:    reduce {{.*}} in 2, reduce {{.*}} in 3, reduce {{.*}} in 3)
// CHECK-NEXT:  -> (d0, d1 + d5 * 2, d2 + d6 * 2, (d3 floordiv 3) * 2 + d4)>
// CHECK-SAME:  -> (d5, d6, d4, d3)>
// CHECK-NOT:   scf.if
func.func @main(%x: tensor<2x8x8x4xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<2x4x4x6xf32> {
  %0 = uma.graph.conv2d %x, %w dilations [2, 2] groups 2 layout "NHWC" kernel_layout "HWIO"
      : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x4x6xf32>
  return %0 : tensor<2x4x4x6xf32>
}

// -----

// Depthwise: every channel is a group of its own.

// CHECK-LABEL: uma.tir.func private @conv2d(
// CHECK:       uma.tir.block "conv2d" ({{.*}} spatial {{.*}} in 6, {{.*}} reduce {{.*}} in 1, reduce {{.*}} in 3, reduce {{.*}} in 3)
// CHECK-NEXT:  -> (d0, d1 + d4, d2 + d5, d3 + d6)>
// CHECK-SAME:  -> (d1, d4, d5, d6)>
func.func @main(%x: tensor<1x6x5x5xf32>, %w: tensor<6x1x3x3xf32>) -> tensor<1x6x3x3xf32> {
  %0 = uma.graph.conv2d %x, %w groups 6 : (tensor<1x6x5x5xf32>, tensor<6x1x3x3xf32>) -> tensor<1x6x3x3xf32>
  return %0 : tensor<1x6x3x3xf32>
}

// -----

// Integers are widened to the accumulator by their sign in the model, which the
// buffers do not have.

// CHECK-LABEL: uma.tir.func @main(
// CHECK-SAME:  memref<1x2x2x4xi8> {uma.type = tensor<1x2x2x4xui8>}
// CHECK-LABEL: uma.tir.func private @conv2d(
// CHECK-SAME:  %[[X:.*]]: memref<1x2x2x4xi8>, %[[W:.*]]: memref<6x1x1x4xi8>, %[[Y:.*]]: memref<1x2x2x6xi32>)
// CHECK:       %[[ACC:.*]] = uma.tir.alloc local {{.*}} : memref<i32>
// CHECK:       -> (d0, d1 + d5, d2 + d6, d4)>
// CHECK-SAME:  -> (d3, d5, d6, d4)>
// CHECK:       %[[A:.*]] = memref.load %[[X]]
// CHECK-NEXT:  %[[AW:.*]] = arith.extui %[[A]] : i8 to i32
// CHECK:       %[[B:.*]] = memref.load %[[W]]
// CHECK-NEXT:  %[[BW:.*]] = arith.extsi %[[B]] : i8 to i32
// CHECK-NEXT:  arith.muli %[[AW]], %[[BW]] : i32
func.func @main(%x: tensor<1x2x2x4xui8>, %w: tensor<6x1x1x4xi8>) -> tensor<1x2x2x6xi32> {
  %0 = uma.graph.conv2d %x, %w layout "NHWC" kernel_layout "OHWI" out_dtype i32
      : (tensor<1x2x2x4xui8>, tensor<6x1x1x4xi8>) -> tensor<1x2x2x6xi32>
  return %0 : tensor<1x2x2x6xi32>
}

// -----

// Half precision is what memory holds; sums are f32 and rounded once.

// CHECK-LABEL: uma.tir.func private @conv2d(
// CHECK:       %[[ACC:.*]] = uma.tir.alloc local {{.*}} : memref<f32>
// CHECK:       arith.extf {{.*}} : f16 to f32
// CHECK:       arith.extf {{.*}} : f16 to f32
// CHECK:       arith.mulf {{.*}} : f32
// CHECK:       arith.addf {{.*}} : f32
// CHECK:       uma.tir.block "conv2d_result"
// CHECK:       %[[SUM:.*]] = memref.load %[[ACC]]
// CHECK-NEXT:  %[[HALF:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK-NEXT:  memref.store %[[HALF]], {{.*}} : memref<1x6x2x4xf16>
func.func @main(%x: tensor<1x2x2x4xf16>, %w: tensor<6x2x1x1xf16>) -> tensor<1x6x2x4xf16> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x2x4xf16>, tensor<6x2x1x1xf16>) -> tensor<1x6x2x4xf16>
  return %0 : tensor<1x6x2x4xf16>
}

// -----

// CHECK-LABEL: uma.tir.func private @dense(
// CHECK-SAME:  %[[X:.*]]: memref<5x2x16xbf16>, %[[W:.*]]: memref<10x16xbf16>, %[[Y:.*]]: memref<5x2x10xbf16>)
// CHECK:       for %{{.*}} = 0 to 5 {
// CHECK-NEXT:  for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  for %{{.*}} = 0 to 10 {
// CHECK-NEXT:  %[[ACC:.*]] = uma.tir.alloc local {{.*}} : memref<f32>
// CHECK-NEXT:  for %{{.*}} = 0 to 16 {
// CHECK-NEXT:  uma.tir.block "dense" (spatial {{.*}} in 5, spatial {{.*}} in 2, spatial {{.*}} in 10, reduce {{.*}} in 16)
// CHECK-NEXT:  reads(%[[X]][affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>,
// CHECK-SAME:        %[[W]][affine_map<(d0, d1, d2, d3) -> (d2, d3)>,
// CHECK:       uma.tir.block "dense_result"
// CHECK:       arith.truncf {{.*}} : f32 to bf16
func.func @entry(%x: tensor<5x2x16xbf16>, %w: tensor<10x16xbf16>) -> tensor<5x2x10xbf16> {
  %0 = uma.graph.dense %x, %w : (tensor<5x2x16xbf16>, tensor<10x16xbf16>) -> tensor<5x2x10xbf16>
  return %0 : tensor<5x2x10xbf16>
}

// -----

// f64 stays f64, and unsigned times unsigned is so on both sides.

// CHECK-LABEL: uma.tir.func private @dense(
// CHECK:       uma.tir.alloc local {{.*}} : memref<f64>
// CHECK-LABEL: uma.tir.func private @dense_{{[0-9]+}}(
// CHECK:       uma.tir.alloc local {{.*}} : memref<i32>
// CHECK-NOT:   arith.extsi
// CHECK:       arith.extui
// CHECK-NOT:   arith.extsi
// CHECK:       arith.extui
// CHECK-NOT:   arith.extsi
func.func @main(%x: tensor<1x4xf64>, %w: tensor<3x4xf64>, %a: tensor<1x4xui8>, %b: tensor<2x4xui8>)
    -> (tensor<1x3xf64>, tensor<1x2xui32>) {
  %0 = uma.graph.dense %x, %w : (tensor<1x4xf64>, tensor<3x4xf64>) -> tensor<1x3xf64>
  %1 = uma.graph.dense %a, %b out_dtype ui32 : (tensor<1x4xui8>, tensor<2x4xui8>) -> tensor<1x2xui32>
  return %0, %1 : tensor<1x3xf64>, tensor<1x2xui32>
}

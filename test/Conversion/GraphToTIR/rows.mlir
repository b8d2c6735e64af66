// Operators along one axis on vectors: along rows where the axis is the last one, else across columns.
// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir=vectorize --mlir-print-local-scope | FileCheck %s

// Four accumulators of 16 lanes; behind full vectors narrower ones, then single elements.
// CHECK-LABEL: uma.tir.func private @sum(
// CHECK:       uma.tir.multiversion lanes(16) {
// CHECK:         uma.tir.block "sum"
// CHECK:           %[[ACCS:.*]] = uma.tir.alloc local label "sum" : memref<64xf32>
// CHECK:           uma.tir.for %{{.*}} = 0 to 2 {
// CHECK-COUNT-4:     uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK:           %[[LANES:.*]] = vector.load %[[ACCS]]{{.*}} vector<16xf32>
// CHECK:           vector.reduction <add>, %[[LANES]]
// CHECK:           %[[PIECE:.*]] = uma.tir.alloc local label "sum" : memref<4xf32>
// CHECK:           uma.tir.for vectorized %{{.*}} = 0 to 4 {
// CHECK:           vector.load %[[PIECE]]
// CHECK:       } lanes(8) {
// CHECK:       } default {
func.func @main(%x: tensor<3x133xf32>) -> tensor<3xf32> {
  %0 = uma.graph.sum %x axis [1] : (tensor<3x133xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Columns have an accumulator in each lane.
// CHECK-LABEL: uma.tir.func private @softmax(
// CHECK:         uma.tir.block "softmax"
// CHECK:           uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK:             uma.tir.alloc local label "largest" : memref<f32>
// CHECK:             uma.tir.for %{{.*}} = 0 to 5 {
// CHECK-NOT:       vector.reduction
// CHECK:             math.exp
func.func @main(%x: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
  %0 = uma.graph.softmax %x axis 1 : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
  return %0 : tensor<2x5x16xf32>
}

// -----

// Groups of dimensions that are apart, short rows and other types keep their plain loops.
// CHECK-NOT:     multiversion
func.func @main(%x: tensor<4x3x8xf32>, %y: tensor<4x3xf32>, %z: tensor<4x16xf64>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<4xf64>) {
  %0 = uma.graph.sum %x axis [0, 2] : (tensor<4x3x8xf32>) -> tensor<3xf32>
  %1 = uma.graph.softmax %y : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = uma.graph.sum %z axis [1] : (tensor<4x16xf64>) -> tensor<4xf64>
  return %0, %1, %2 : tensor<3xf32>, tensor<4x3xf32>, tensor<4xf64>
}

// -----

// Neighbours that stay neighbours are one dimension, and those of one element none: here rows of 64 are copied.
// CHECK-LABEL: uma.tir.func private @transpose(
// CHECK-DAG:     memref.reinterpret_cast {{.*}} to offset: [0], sizes: [128, 12, 64]
// CHECK-DAG:     memref.reinterpret_cast {{.*}} to offset: [0], sizes: [12, 128, 64]
func.func @main(%x: tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32> {
  %0 = uma.graph.transpose %x [0, 2, 1, 3] : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
  return %0 : tensor<1x12x128x64xf32>
}

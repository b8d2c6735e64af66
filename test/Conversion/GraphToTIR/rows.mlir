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

// Of two groups of dimensions, the last one is a row, and the accumulators stay for all rows.
// CHECK-LABEL: uma.tir.func private @sum(
// CHECK:         uma.tir.block "sum"
// CHECK:           uma.tir.alloc local label "sum" : memref<16xf32>
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 {
// CHECK:             uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK:           vector.reduction <add>
func.func @main(%x: tensor<4x3x16xf32>) -> tensor<3xf32> {
  %0 = uma.graph.sum %x axis [0, 2] : (tensor<4x3x16xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A pool of whole images is a row for each channel. NaN does not start a maximum.
// CHECK-LABEL: uma.tir.func private @global_max_pool2d(
// CHECK:         uma.tir.block "pool2d"
// CHECK:           uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK:           vector.reduction <maximumf>
func.func @main(%x: tensor<1x3x4x8xf32>) -> tensor<1x3x1x1xf32> {
  %0 = uma.graph.global_max_pool2d %x : (tensor<1x3x4x8xf32>) -> tensor<1x3x1x1xf32>
  return %0 : tensor<1x3x1x1xf32>
}

// -----

// A cumulative sum of rows adds each to the result before.
// CHECK-LABEL: uma.tir.func private @cumsum(
// CHECK:         uma.tir.block "cumsum"
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 {
// CHECK:             uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK-DAG:           memref.load %{{.*}} : memref<1x5x16xf32>
// CHECK-DAG:           memref.load %{{.*}} : memref<1x5x16xf32>
func.func @main(%x: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %0 = uma.graph.cumsum %x axis 0 : (tensor<5x16xf32>) -> tensor<5x16xf32>
  return %0 : tensor<5x16xf32>
}

// -----

// Each lane has its best element and the index, in 32 bits; a loop of the C compiler widens the indices.
// CHECK-LABEL: uma.tir.func private @argmax(
// CHECK:         uma.tir.block "argmax"
// CHECK:           uma.tir.alloc local label "best" : memref<16xf32>
// CHECK:           uma.tir.alloc local label "index" : memref<16xi32>
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 {
// CHECK:             uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK:               arith.cmpf olt
// CHECK:               arith.select {{.*}} : f32
// CHECK:               arith.select {{.*}} : i32
// CHECK:           arith.extsi
func.func @main(%x: tensor<5x16xf32>) -> tensor<16xi64> {
  %0 = uma.graph.argmax %x axis 0 : (tensor<5x16xf32>) -> tensor<16xi64>
  return %0 : tensor<16xi64>
}

// -----

// The limit is bisected, at first its values, then its bits: elements that are not below it are counted. Those above it are ranked.
// CHECK-LABEL: uma.tir.func private @topk(
// CHECK:         uma.tir.block "topk"
// CHECK:           uma.tir.for %{{.*}} = 0 to 44 {
// CHECK:             scf.if
// CHECK:               arith.bitcast {{.*}} : i32 to f32
// CHECK:               arith.cmpf uge
// CHECK:           uma.tir.alloc local label "element" : memref<3xf32>
// CHECK:           uma.tir.for %{{.*}} = 0 to 40 {
func.func @main(%x: tensor<2x40xf32>) -> tensor<2x3xi64> {
  %0 = uma.graph.topk %x k 3 axis 1 : (tensor<2x40xf32>) -> tensor<2x3xi64>
  return %0 : tensor<2x3xi64>
}

// -----

// In columns, each lane keeps its elements in order; the smallest elements keep plain loops.
// CHECK-LABEL: uma.tir.func private @topk(
// CHECK:           uma.tir.alloc local label "element" : memref<32xf32>
// CHECK:           uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK-LABEL: uma.tir.func private @topk_1(
// CHECK-NOT:     multiversion
func.func @main(%x: tensor<40x16xf32>) -> (tensor<2x16xi64>, tensor<2x16xi64>) {
  %0 = uma.graph.topk %x k 2 axis 0 : (tensor<40x16xf32>) -> tensor<2x16xi64>
  %1 = uma.graph.topk %x k 2 axis 0 is_ascend true : (tensor<40x16xf32>) -> tensor<2x16xi64>
  return %0, %1 : tensor<2x16xi64>, tensor<2x16xi64>
}

// -----

// Rows of an image are weighted as vectors; elements of a row share what the table says with other rows.
// CHECK-LABEL: uma.tir.func private @interpolate(
// CHECK:       uma.tir.multiversion
// CHECK:         uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK-LABEL: uma.tir.func private @interpolate_1(
// CHECK-NOT:     multiversion
// CHECK-COUNT-4: memref.store
func.func @main(%x: tensor<4x16xf32>, %i: tensor<7x2xi64>, %w: tensor<7x2xf32>) -> (tensor<7x16xf32>, tensor<4x7xf32>) {
  %0 = uma.graph.interpolate %x, %i, %w axis 0 : (tensor<4x16xf32>, tensor<7x2xi64>, tensor<7x2xf32>) -> tensor<7x16xf32>
  %1 = uma.graph.interpolate %x, %i, %w axis 1 : (tensor<4x16xf32>, tensor<7x2xi64>, tensor<7x2xf32>) -> tensor<4x7xf32>
  return %0, %1 : tensor<7x16xf32>, tensor<4x7xf32>
}

// -----

// Squares of the lanes of 32 bits, or of 16 bytes, in blocks of 64.
// CHECK-LABEL: uma.tir.func private @transpose(
// CHECK:       multiversion lanes(16) {
// CHECK:         uma.tir.transpose %{{.*}} stride 100 to %{{.*}} stride 200 size 8 : memref<20000xf32>, memref<20000xf32>
// CHECK:       } lanes(4) {
// CHECK:         uma.tir.transpose %{{.*}} stride 100 to %{{.*}} stride 200 size 4
// CHECK-LABEL: uma.tir.func private @transpose_1(
// CHECK:         uma.tir.transpose %{{.*}} stride 100 to %{{.*}} stride 200 size 16 : memref<20000xi8>, memref<20000xi8>
func.func @main(%x: tensor<200x100xf32>, %y: tensor<200x100xi8>) -> (tensor<100x200xf32>, tensor<100x200xi8>) {
  %0 = uma.graph.transpose %x [1, 0] : (tensor<200x100xf32>) -> tensor<100x200xf32>
  %1 = uma.graph.transpose %y [1, 0] : (tensor<200x100xi8>) -> tensor<100x200xi8>
  return %0, %1 : tensor<100x200xf32>, tensor<100x200xi8>
}

// -----

// More groups of dimensions, short rows and other types keep their plain loops.
// CHECK-NOT:     multiversion
func.func @main(%x: tensor<2x4x2x3x8xf32>, %y: tensor<4x3xf32>, %z: tensor<4x16xf64>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xf64>) {
  %0 = uma.graph.sum %x axis [0, 2, 4] : (tensor<2x4x2x3x8xf32>) -> tensor<4x3xf32>
  %1 = uma.graph.softmax %y : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = uma.graph.sum %z axis [1] : (tensor<4x16xf64>) -> tensor<4xf64>
  return %0, %1, %2 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xf64>
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

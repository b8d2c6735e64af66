// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// Indices that are data are clamped before they address anything.

// CHECK-LABEL: uma.tir.func private @take(
// CHECK-SAME:  %[[X:.*]]: memref<4x8xf32>, %[[I:.*]]: memref<3xi64>
// CHECK:       reads(%[[X]][affine_map<(d0, d1) -> (d0, 0)>, [1, 8]] : memref<4x8xf32>, %[[I]][affine_map<(d0, d1) -> (d1)>, [1]] : memref<3xi64>)
// CHECK:       arith.index_cast
// CHECK:       arith.maxsi
// CHECK:       arith.minsi
// CHECK:       memref.load %[[X]]
func.func @main(%x: tensor<4x8xf32>, %i: tensor<3xi64>) -> tensor<4x3xf32> {
  %0 = uma.graph.take %x, %i axis 1 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Constant ones that are in range are not.

// CHECK-LABEL: uma.tir.func private @take(
// CHECK:       arith.index_cast
// CHECK-NOT:   arith.maxsi
// CHECK:       memref.store
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %i = uma.graph.constant dense<[7, 0, 3]> : tensor<3xi64>
  %0 = uma.graph.take %x, %i axis 1 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: uma.tir.func private @take(
// CHECK:       arith.maxsi
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %i = uma.graph.constant dense<[7, 0, -1]> : tensor<3xi64>
  %0 = uma.graph.take %x, %i axis 1 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Data first, then the updates in their order: reductions, which no schedule reorders.

// CHECK-LABEL: uma.tir.func private @scatter_nd(
// CHECK:       block "copy"
// CHECK:       block "scatter_nd"
// CHECK-SAME:  reduce
// CHECK:       arith.addf
func.func @main(%x: tensor<4x8xf16>, %i: tensor<3x1xi64>, %u: tensor<3x8xf16>) -> tensor<4x8xf16> {
  %0 = uma.graph.scatter_nd %x, %i, %u reduction "add"
      : (tensor<4x8xf16>, tensor<3x1xi64>, tensor<3x8xf16>) -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// -----

// CHECK-LABEL: uma.tir.func private @strided_slice(
// CHECK:       reads(%{{.*}}[affine_map<(d0, d1) -> (d0, d1 * -2 + 7)>, [1, 1]]
func.func @main(%x: tensor<4x8xi8>) -> tensor<4x4xi8> {
  %0 = uma.graph.strided_slice %x [0, 7] size [4, 4] strides [1, -2] : (tensor<4x8xi8>) -> tensor<4x4xi8>
  return %0 : tensor<4x4xi8>
}

// -----

// CHECK-LABEL: uma.tir.func private @interpolate(
// CHECK:       block "interpolate"
// CHECK:       arith.mulf
// CHECK:       arith.addf
func.func @main(%x: tensor<4xf32>, %i: tensor<8x2xi64>, %w: tensor<8x2xf32>) -> tensor<8xf32> {
  %0 = uma.graph.interpolate %x, %i, %w axis 0 : (tensor<4xf32>, tensor<8x2xi64>, tensor<8x2xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

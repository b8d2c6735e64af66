// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// Batches broadcast, transposed matrices are read with swapped indices, bytes are widened by their sign.

// CHECK-LABEL: uma.tir.func private @batch_matmul(
// CHECK-SAME:  %[[A:.*]]: memref<5x1x3x2xi8>, %[[B:.*]]: memref<7x4x3xi8>, %[[Y:.*]]: memref<5x7x2x4xi32>)
// CHECK:       uma.tir.block "batch_matmul" (spatial %{{.*}}, spatial %{{.*}}, spatial %{{.*}}, spatial %{{.*}}, reduce %{{.*}})
// CHECK-NEXT:  reads(%[[A]][affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d4, d2)>, [1, 1, 1, 1]] : memref<5x1x3x2xi8>, %[[B]][affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>,
// CHECK:       arith.extsi
// CHECK:       arith.extui
// CHECK:       arith.muli %{{.*}} : i32
func.func @main(%a: tensor<5x1x3x2xi8>, %b: tensor<7x4x3xui8>) -> tensor<5x7x2x4xi32> {
  %0 = uma.graph.batch_matmul %a, %b transpose_a true transpose_b true out_dtype i32
      : (tensor<5x1x3x2xi8>, tensor<7x4x3xui8>) -> tensor<5x7x2x4xi32>
  return %0 : tensor<5x7x2x4xi32>
}

// -----

// A diagonal, and a dimension of size 1 that broadcasts.

// CHECK-LABEL: uma.tir.func private @einsum(
// CHECK:       uma.tir.block "einsum" (spatial %{{.*}}, reduce %{{.*}})
// CHECK-NEXT:  reads(%{{.*}}[affine_map<(d0, d1) -> (d0, d0, d1)>, {{.*}}[affine_map<(d0, d1) -> (d0, 0)>,
func.func @main(%x: tensor<2x2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2xf32> {
  %0 = uma.graph.einsum "iij,ij->i" %x, %y : (tensor<2x2x3xf32>, tensor<2x1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: uma.tir.func private @det(
// CHECK:       %[[M:.*]] = uma.tir.alloc local label "matrix" : memref<3x3xf32>
// CHECK:       uma.tir.block "det" (spatial
// CHECK-NEXT:  reads(%{{.*}}[affine_map<(d0) -> (d0, 0, 0)>, [1, 3, 3]]
// CHECK:       for %[[C:.*]] = 0 to 3 {
// CHECK:       for %{{.*}} = %{{.*}} to 3 {
// CHECK:       math.absf
// CHECK:       for %{{.*}} = %[[C]] to 3 {
func.func @main(%x: tensor<2x3x3xf32>) -> tensor<2xf32> {
  %0 = uma.graph.det %x : (tensor<2x3x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

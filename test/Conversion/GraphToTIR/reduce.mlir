// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// The result's dimensions outside, the reduced ones inside.

// CHECK-LABEL: uma.tir.func private @sum(
// CHECK-SAME:  %[[X:.*]]: memref<2x3x4xf32>, %[[Y:.*]]: memref<3xf32>)
// CHECK:       for %{{.*}} = 0 to 3 {
// CHECK:       %[[ACC:.*]] = uma.tir.alloc local label "sum" : memref<f32>
// CHECK-NEXT:  for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  for %{{.*}} = 0 to 4 {
// CHECK-NEXT:  uma.tir.block "sum" (spatial %{{.*}}, reduce %{{.*}}, reduce %{{.*}})
// CHECK-NEXT:  reads(%[[X]][affine_map<(d0, d1, d2) -> (d1, d0, d2)>,
// CHECK:       init
// CHECK:       arith.addf
// CHECK:       uma.tir.block "sum_result"
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %0 = uma.graph.sum %x axis [0, -1] : (tensor<2x3x4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Half precision accumulates in f32; the mean of integers in 64 bits, by the sign of the data.

// CHECK-LABEL: uma.tir.func private @mean(
// CHECK:       %[[N:.*]] = arith.constant 2.0
// CHECK:       arith.extf
// CHECK:       arith.addf %{{.*}} : f32
// CHECK:       arith.divf %{{.*}}, %[[N]] : f32
// CHECK:       arith.truncf
// CHECK-LABEL: uma.tir.func private @mean_{{[0-9]+}}(
// CHECK:       arith.extui %{{.*}} : i8 to i64
// CHECK:       arith.addi %{{.*}} : i64
// CHECK:       arith.divui %{{.*}} : i64
// CHECK:       arith.trunci %{{.*}} : i64 to i8
func.func @main(%x: tensor<2xf16>, %u: tensor<2xui8>) -> (tensor<f16>, tensor<ui8>) {
  %0 = uma.graph.mean %x : (tensor<2xf16>) -> tensor<f16>
  %1 = uma.graph.mean %u : (tensor<2xui8>) -> tensor<ui8>
  return %0, %1 : tensor<f16>, tensor<ui8>
}

// -----

// NaN wins; the start is what every element beats.

// CHECK-LABEL: uma.tir.func private @max(
// CHECK:       arith.constant 0xFF800000 : f32
// CHECK:       arith.maximumf
// CHECK-LABEL: uma.tir.func private @min(
// CHECK:       arith.constant -1 : i8
// CHECK:       arith.minui
// CHECK-LABEL: uma.tir.func private @max_{{[0-9]+}}(
// CHECK:       arith.constant false
// CHECK:       arith.ori
func.func @main(%x: tensor<2xf32>, %u: tensor<2xui8>, %b: tensor<2xi1>) -> (tensor<f32>, tensor<ui8>, tensor<i1>) {
  %0 = uma.graph.max %x : (tensor<2xf32>) -> tensor<f32>
  %1 = uma.graph.min %u : (tensor<2xui8>) -> tensor<ui8>
  %2 = uma.graph.max %b : (tensor<2xi1>) -> tensor<i1>
  return %0, %1, %2 : tensor<f32>, tensor<ui8>, tensor<i1>
}

// -----

// The value and the index go side by side; the last of equal elements wins unless something is better.

// CHECK-LABEL: uma.tir.func private @argmax(
// CHECK-SAME:  %[[X:.*]]: memref<2x3xi32>, %[[Y:.*]]: memref<2x1xi64>)
// CHECK:       uma.tir.alloc local label "best" : memref<i32>
// CHECK:       uma.tir.alloc local label "index" : memref<i64>
// CHECK:       uma.tir.block "argmax" (spatial %{{.*}}, reduce %{{.*}})
// CHECK:       %[[NEW:.*]] = memref.load %[[X]]
// CHECK:       do
// CHECK:       %[[X2:.*]] = memref.load %[[X]]
// CHECK:       %[[OLD:.*]] = memref.load %{{.*}}[] : memref<i32>
// CHECK:       %[[LESS:.*]] = arith.cmpi slt, %[[X2]], %[[OLD]]
// CHECK:       arith.xori %[[LESS]]
// CHECK:       uma.tir.block "index"
// CHECK:       memref.store %{{.*}}, %[[Y]]
func.func @main(%x: tensor<2x3xi32>) -> tensor<2x1xi64> {
  %0 = uma.graph.argmax %x axis 1 keepdims true select_last_index true : (tensor<2x3xi32>) -> tensor<2x1xi64>
  return %0 : tensor<2x1xi64>
}

// -----

// A whole vector is one block.

// CHECK-LABEL: uma.tir.func private @topk(
// CHECK-SAME:  %[[X:.*]]: memref<2x8xf32>, %[[Y:.*]]: memref<2x3xi64>)
// CHECK:       uma.tir.block "topk" (spatial
// CHECK-NEXT:  reads(%[[X]][affine_map<(d0) -> (d0, 0)>, [1, 8]]
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0) -> (d0, 0)>, [1, 3]]
// CHECK:       for %{{.*}} = 0 to 3 {
// CHECK:       for %{{.*}} = 0 to 8 {
func.func @main(%x: tensor<2x8xf32>) -> tensor<2x3xi64> {
  %0 = uma.graph.topk %x k 3 : (tensor<2x8xf32>) -> tensor<2x3xi64>
  return %0 : tensor<2x3xi64>
}

// -----

// From the end, and each sum before its element.

// CHECK-LABEL: uma.tir.func private @cumsum(
// CHECK:       uma.tir.block "cumsum" (spatial %{{.*}}, reduce %{{.*}})
// CHECK-NEXT:  reads(%{{.*}}[affine_map<(d0, d1) -> (d0, -d1 + 2)>,
// CHECK:       %[[BEFORE:.*]] = memref.load %[[SUM:.*]][] : memref<f32>
// CHECK:       %[[AFTER:.*]] = arith.addf %[[BEFORE]],
// CHECK:       memref.store %[[AFTER]], %[[SUM]][]
// CHECK:       memref.store %[[BEFORE]], %{{.*}} : memref<2x3xf32>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.cumsum %x axis 1 exclusive true reverse true : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

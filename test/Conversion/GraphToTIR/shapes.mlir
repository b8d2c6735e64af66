// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: uma.tir.func private @transpose(
// CHECK-SAME:  %[[X:.*]]: memref<2x7x3xf16>, %[[Y:.*]]: memref<3x2x7xf16>)
// CHECK-NEXT:  for %{{.*}} = 0 to 3 {
// CHECK-NEXT:  for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  for %{{.*}} = 0 to 7 {
// CHECK:       reads(%[[X]][affine_map<(d0, d1, d2) -> (d1, d2, d0)>,
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
// Nothing is computed, so nothing is converted.
// CHECK-NOT:   arith.extf
// CHECK:       memref.store
func.func @main(%x: tensor<2x7x3xf16>) -> tensor<3x2x7xf16> {
  %0 = uma.graph.transpose %x [2, 0, 1] : (tensor<2x7x3xf16>) -> tensor<3x2x7xf16>
  return %0 : tensor<3x2x7xf16>
}

// -----

// One nest for each operand, each behind the one before.

// CHECK-LABEL: uma.tir.func private @concatenate(
// CHECK-SAME:  %[[A:.*]]: memref<2x4xi8>, %[[B:.*]]: memref<2x1xi8>, %[[C:.*]]: memref<2x3xi8>, %[[Y:.*]]: memref<2x8xi8>)
// CHECK:       spatial {{.*}} in 2, spatial {{.*}} in 4)
// CHECK-NEXT:  reads(%[[A]][affine_map<(d0, d1) -> (d0, d1)>,
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0, d1) -> (d0, d1)>,
// CHECK:       spatial {{.*}} in 2, spatial {{.*}} in 1)
// CHECK-NEXT:  reads(%[[B]][affine_map<(d0, d1) -> (d0, d1)>,
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0, d1) -> (d0, d1 + 4)>,
// CHECK:       spatial {{.*}} in 2, spatial {{.*}} in 3)
// CHECK-NEXT:  reads(%[[C]][affine_map<(d0, d1) -> (d0, d1)>,
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0, d1) -> (d0, d1 + 5)>,
func.func @main(%a: tensor<2x4xi8>, %b: tensor<2x1xi8>, %c: tensor<2x3xi8>) -> tensor<2x8xi8> {
  %0 = uma.graph.concatenate %a, %b, %c axis -1 : (tensor<2x4xi8>, tensor<2x1xi8>, tensor<2x3xi8>) -> tensor<2x8xi8>
  return %0 : tensor<2x8xi8>
}

// -----

// Only sides that are padded are asked about.

// CHECK-LABEL: uma.tir.func private @pad(
// CHECK-SAME:  %[[X:.*]]: memref<5x6xf32>, %[[Y:.*]]: memref<7x9xf32>)
// CHECK:       %[[VALUE:.*]] = arith.constant 5.000000e-01
// CHECK:       reads(%[[X]][affine_map<(d0, d1) -> (d0, d1 - 3)>,
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0, d1) -> (d0, d1)>,
// CHECK:       %[[ROW:.*]] = arith.cmpi slt, %{{.*}}, %c5
// CHECK:       %[[COLUMN:.*]] = arith.cmpi sge, %{{.*}}, %c0
// CHECK-NOT:   arith.cmpi
// CHECK:       %[[INSIDE:.*]] = arith.andi %[[ROW]], %[[COLUMN]]
// CHECK-NEXT:  %[[RESULT:.*]] = scf.if %[[INSIDE]]
// CHECK-NEXT:    memref.load %[[X]]
// CHECK:       } else {
// CHECK-NEXT:    scf.yield %[[VALUE]]
// CHECK:       memref.store %[[RESULT]], %[[Y]]
func.func @main(%x: tensor<5x6xf32>) -> tensor<7x9xf32> {
  %0 = uma.graph.pad %x before [0, 3] after [2, 0] value 0.5 : (tensor<5x6xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: uma.tir.func private @log_softmax(
// CHECK:       uma.tir.block "softmax_max"
// CHECK:       uma.tir.block "softmax_sum"
// CHECK:       math.exp
// CHECK:       uma.tir.block "log_sum"
// CHECK:       math.log
// CHECK:       uma.tir.block "log_softmax"
// CHECK:       %[[SHIFTED:.*]] = arith.subf
// CHECK:       arith.subf %[[SHIFTED]],
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.log_softmax %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Mean and scale once for each group; the variance is that of centred elements.

// CHECK-LABEL: uma.tir.func private @layer_norm(
// CHECK-SAME:  %[[X:.*]]: memref<2x3x4xf32>, %[[G:.*]]: memref<3x4xf32>, %[[B:.*]]: memref<3x4xf32>,
// CHECK-DAG:   %[[N:.*]] = arith.constant 1.200000e+01
// CHECK-DAG:   %[[EPS:.*]] = arith.constant 2.500000e-01
// CHECK:       for %{{.*}} = 0 to 2 {
// CHECK:       uma.tir.block "layer_norm_mean" (spatial %{{.*}}, reduce %{{.*}}, reduce %{{.*}})
// CHECK:       uma.tir.block "layer_norm_mean" (spatial %{{[^,]*}})
// CHECK:       arith.divf %{{.*}}, %[[N]]
// CHECK:       uma.tir.block "layer_norm_scale" (spatial %{{.*}}, reduce
// CHECK:       %[[D:.*]] = arith.subf
// CHECK:       arith.mulf %[[D]], %[[D]]
// CHECK:       uma.tir.block "layer_norm_scale" (spatial %{{[^,]*}})
// CHECK:       arith.addf %{{.*}}, %[[EPS]]
// CHECK:       math.sqrt
// CHECK:       uma.tir.block "layer_norm"
// CHECK-NEXT:  reads({{.*}}%[[G]][affine_map<(d0, d1, d2) -> (d1, d2)>,
// CHECK-NOT:   math.sqrt
func.func @main(%x: tensor<2x3x4xf32>, %g: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.layer_norm %x, %g, %g axis 1 epsilon 0.25
      : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: uma.tir.func private @rms_norm(
// CHECK-NOT:   "rms_norm_mean"
// CHECK:       uma.tir.block "rms_norm_scale"
// CHECK:       uma.tir.block "rms_norm"

// Channels of a group are neighbours.
// CHECK-LABEL: uma.tir.func private @group_norm(
// CHECK:       uma.tir.block "group_norm_mean"
// CHECK-NEXT:  reads(%{{.*}}[affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d2, d3)>,
// CHECK:       uma.tir.block "group_norm" (
// CHECK-NEXT:  reads({{.*}}[affine_map<(d0, d1, d2, d3) -> (d1 * 2 + d2)>,
func.func @main(%x: tensor<2x4x3xf32>, %g: tensor<3xf32>, %c: tensor<4xf32>) -> tensor<2x4x3xf32> {
  %0 = uma.graph.rms_norm %x, %g : (tensor<2x4x3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  %1 = uma.graph.group_norm %0, %c, %c groups 2
      : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  return %1 : tensor<2x4x3xf32>
}

// -----

// One more channel behind an element than before it; channels outside count nothing.

// CHECK-LABEL: uma.tir.func private @lrn(
// CHECK:       uma.tir.alloc local label "lrn_sum"
// CHECK-NEXT:  for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  uma.tir.block "lrn_sum"
// CHECK-NEXT:  reads(%{{.*}}[affine_map<(d0, d1, d2) -> (d0, d1 + d2)>,
// CHECK:       arith.cmpi slt
// CHECK:       scf.if
// CHECK:       math.powf
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = uma.graph.lrn %x size 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

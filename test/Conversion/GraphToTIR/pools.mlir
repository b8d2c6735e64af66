// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// Padding never wins: it starts from minus infinity and looks inside only.

// CHECK-LABEL: uma.tir.func private @max_pool2d(
// CHECK-SAME:  %[[X:.*]]: memref<1x2x5x6xf16>, %[[Y:.*]]: memref<1x2x3x5xf16>)
// CHECK:       %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK:       for %{{.*}} = 0 to 1 {
// CHECK-NEXT:  for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  for %{{.*}} = 0 to 3 {
// CHECK-NEXT:  for %{{.*}} = 0 to 5 {
// CHECK-NEXT:  %[[MAX:.*]] = uma.tir.alloc local {{.*}} : memref<f32>
// CHECK-NEXT:  for %{{.*}} = 0 to 3 {
// CHECK-NEXT:  for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  uma.tir.block "max_pool2d" (spatial {{.*}} in 1, spatial {{.*}} in 2, spatial {{.*}} in 3, spatial {{.*}} in 5,
// CHECK-SAME:    reduce {{.*}} in 3, reduce {{.*}} in 2)
// CHECK-NEXT:  reads(%[[X]][affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4 - 1, d3 + d5)>, [1, 1, 1, 1]]
// CHECK:       memref.store %[[LOWEST]], %[[MAX]][]
// CHECK:       arith.cmpi sge
// CHECK:       arith.cmpi slt, {{.*}}, %c5
// CHECK-NOT:   arith.cmpi
// CHECK:       scf.if
// CHECK:       %[[E:.*]] = arith.extf {{.*}} : f16 to f32
// CHECK-NEXT:  %[[LESS:.*]] = arith.cmpf olt, %[[OLD:.*]], %[[E]] : f32
// CHECK-NEXT:  arith.select %[[LESS]], %[[E]], %[[OLD]] : f32
// CHECK:       uma.tir.block "max_pool2d_result"
// CHECK:       arith.truncf {{.*}} : f32 to f16
func.func @main(%x: tensor<1x2x5x6xf16>) -> tensor<1x2x3x5xf16> {
  %0 = uma.graph.max_pool2d %x size [3, 2] strides [2, 1] padding [1, 0, 1, 0]
      : (tensor<1x2x5x6xf16>) -> tensor<1x2x3x5xf16>
  return %0 : tensor<1x2x3x5xf16>
}

// -----

// Integers start from the smallest of their sign and compare by it.

// CHECK-LABEL: uma.tir.func private @max_pool2d(
// CHECK:       arith.constant -128 : i8
// CHECK:       -> (d0, d1 + d4 * 3, d2 + d5, d3)>
// CHECK:       arith.cmpi slt, {{.*}} : i8
// CHECK-LABEL: uma.tir.func private @max_pool2d_{{[0-9]+}}(
// CHECK:       arith.constant 0 : i8
// CHECK:       arith.cmpi ult, {{.*}} : i8
func.func @main(%x: tensor<1x4x4x3xi8>, %y: tensor<1x1x4x4xui8>) -> (tensor<1x1x4x3xi8>, tensor<1x1x2x2xui8>) {
  %0 = uma.graph.max_pool2d %x size [2, 1] dilations [3, 1] layout "NHWC" : (tensor<1x4x4x3xi8>) -> tensor<1x1x4x3xi8>
  %1 = uma.graph.max_pool2d %y size [2, 2] strides [2, 2] : (tensor<1x1x4x4xui8>) -> tensor<1x1x2x2xui8>
  return %0, %1 : tensor<1x1x4x3xi8>, tensor<1x1x2x2xui8>
}

// -----

// Every window lies inside: the divisor is its size.

// CHECK-LABEL: uma.tir.func private @avg_pool2d(
// CHECK:       uma.tir.block "avg_pool2d" (spatial {{.*}} in 1, spatial {{.*}} in 2, spatial {{.*}} in 2, spatial {{.*}} in 3,
// CHECK-SAME:    reduce {{.*}} in 2, reduce {{.*}} in 2)
// CHECK-NEXT:  -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
// CHECK-NOT:   scf.if
// CHECK:       uma.tir.block "avg_pool2d_result"
// CHECK:       %[[SIZE:.*]] = arith.constant 4.0
// CHECK-NEXT:  arith.divf %{{.*}}, %[[SIZE]]
func.func @main(%x: tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32> {
  %0 = uma.graph.avg_pool2d %x size [2, 2] strides [2, 2] layout "NHWC" : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  return %0 : tensor<1x2x2x3xf32>
}

// -----

// Padding that does not count: the divisor is counted for each window.

// CHECK-LABEL: uma.tir.func private @avg_pool2d(
// CHECK:       -> (d0, d1, d2 + d4, d3 + d5 - 1)>
// CHECK:       scf.if
// CHECK:       uma.tir.block "avg_pool2d_result"
// CHECK:       %[[COUNT:.*]] = arith.muli {{.*}} : index
// CHECK-NEXT:  %[[INT:.*]] = arith.index_cast %[[COUNT]] : index to i64
// CHECK-NEXT:  %[[FLOAT:.*]] = arith.sitofp %[[INT]] : i64 to f32
// CHECK-NEXT:  arith.divf %{{.*}}, %[[FLOAT]]
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x5xf32> {
  %0 = uma.graph.avg_pool2d %x size [1, 2] padding [0, 1, 0, 1] : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x5xf32>
  return %0 : tensor<1x1x4x5xf32>
}

// -----

// Padding that counts: a constant again, though the window still looks inside.

// CHECK-LABEL: uma.tir.func private @avg_pool2d(
// CHECK:       scf.if
// CHECK:       uma.tir.block "avg_pool2d_result"
// CHECK:       %[[SIZE:.*]] = arith.constant 2.0
// CHECK-NEXT:  arith.divf %{{.*}}, %[[SIZE]]
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x5xf32> {
  %0 = uma.graph.avg_pool2d %x size [1, 2] padding [0, 1, 0, 1] count_include_pad true
      : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x5xf32>
  return %0 : tensor<1x1x4x5xf32>
}

// -----

// CHECK-LABEL: uma.tir.func private @global_avg_pool2d(
// CHECK:       %[[SIZE:.*]] = arith.constant 2.000000e+01
// CHECK:       uma.tir.block "global_avg_pool2d" (spatial {{.*}} in 1, spatial {{.*}} in 1, spatial {{.*}} in 1, spatial {{.*}} in 3,
// CHECK-SAME:    reduce {{.*}} in 4, reduce {{.*}} in 5)
// CHECK-NEXT:  -> (d0, d4, d5, d3)>
// CHECK:       arith.divf %{{.*}}, %[[SIZE]]
func.func @main(%x: tensor<1x4x5x3xf32>) -> tensor<1x1x1x3xf32> {
  %0 = uma.graph.global_avg_pool2d %x layout "NHWC" : (tensor<1x4x5x3xf32>) -> tensor<1x1x1x3xf32>
  return %0 : tensor<1x1x1x3xf32>
}

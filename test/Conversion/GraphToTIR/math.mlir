// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// Vectors lie along an axis, which may count from the end.

// CHECK-LABEL: uma.tir.func private @bias_add(
// CHECK-SAME:  %[[X:.*]]: memref<2x4x3xf32>, %[[B:.*]]: memref<4xf32>, %[[Y:.*]]: memref<2x4x3xf32>)
// CHECK-NEXT:  for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  for %{{.*}} = 0 to 4 {
// CHECK-NEXT:  for %{{.*}} = 0 to 3 {
// CHECK-NEXT:  uma.tir.block "bias_add"
// CHECK-NEXT:  reads(%[[X]][affine_map<(d0, d1, d2) -> (d0, d1, d2)>, {{.*}} %[[B]][affine_map<(d0, d1, d2) -> (d1)>,
// CHECK-NEXT:  writes(%[[Y]][affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
// CHECK:       arith.addf

// CHECK-LABEL: uma.tir.func private @batch_norm(
// CHECK-SAME:  %{{.*}}, %[[GAMMA:[^:]*]]: memref<3xf32>, %[[BETA:[^:]*]]: memref<3xf32>, %[[MEAN:[^:]*]]: memref<3xf32>, %[[VARIANCE:[^:]*]]: memref<3xf32>,
// CHECK-NEXT:  %[[EPS:.*]] = arith.constant 2.500000e-01
// CHECK:       reads({{.*}}%[[GAMMA]][affine_map<(d0, d1, d2) -> (d2)>
// CHECK:       %[[X:.*]] = memref.load
// CHECK:       %[[G:.*]] = memref.load %[[GAMMA]]
// CHECK:       %[[B:.*]] = memref.load %[[BETA]]
// CHECK:       %[[M:.*]] = memref.load %[[MEAN]]
// CHECK:       %[[V:.*]] = memref.load %[[VARIANCE]]
// CHECK:       %[[SAFE:.*]] = arith.addf %[[V]], %[[EPS]]
// CHECK:       %[[DEVIATION:.*]] = math.sqrt %[[SAFE]]
// CHECK:       %[[CENTRED:.*]] = arith.subf %[[X]], %[[M]]
// CHECK:       %[[NORMAL:.*]] = arith.divf %[[CENTRED]], %[[DEVIATION]]
// CHECK:       %[[SCALED:.*]] = arith.mulf %[[NORMAL]], %[[G]]
// CHECK:       arith.addf %[[SCALED]], %[[B]]
func.func @main(%x: tensor<2x4x3xf32>, %b: tensor<4xf32>, %s: tensor<3xf32>) -> tensor<2x4x3xf32> {
  %0 = uma.graph.bias_add %x, %b : (tensor<2x4x3xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  %1 = uma.graph.batch_norm %0, %s, %s, %s, %s axis -1 epsilon 0.25
      : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return %1 : tensor<2x4x3xf32>
}

// -----

// Comparisons are written so that NaN stays NaN.

// CHECK-LABEL: uma.tir.func private @relu(
// CHECK:       %[[ZERO:.*]] = arith.constant 0.0
// CHECK:       %[[LESS:.*]] = arith.cmpf olt, %[[X:.*]], %[[ZERO]]
// CHECK-NEXT:  arith.select %[[LESS]], %[[ZERO]], %[[X]]

// CHECK-LABEL: uma.tir.func private @clip(
// CHECK-DAG:   %[[LOW:.*]] = arith.constant -1.0
// CHECK-DAG:   %[[HIGH:.*]] = arith.constant 6.0
// CHECK:       %[[BELOW:.*]] = arith.cmpf olt, %[[X:.*]], %[[LOW]]
// CHECK-NEXT:  %[[Y:.*]] = arith.select %[[BELOW]], %[[LOW]], %[[X]]
// CHECK-NEXT:  %[[ABOVE:.*]] = arith.cmpf olt, %[[HIGH]], %[[Y]]
// CHECK-NEXT:  arith.select %[[ABOVE]], %[[HIGH]], %[[Y]]

// An infinity is no bound.
// CHECK-LABEL: uma.tir.func private @clip_{{[0-9]+}}(
// CHECK-NOT:   arith.constant 0x
// CHECK:       arith.cmpf olt
// CHECK-NOT:   arith.cmpf
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = uma.graph.clip %0 min -1.0 max 6.0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = uma.graph.clip %1 min -3.0 max 0x7FF0000000000000 : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Integers are compared and divided by their sign. Bounds at the limits of the
// type cut nothing off. Nobody divides by 0, nor by -1 where the quotient may not fit.

// CHECK-LABEL: uma.tir.func private @clip(
// CHECK:       arith.minsi {{.*}} : i8
// CHECK-NOT:   arith.m
// CHECK-LABEL: uma.tir.func private @clip_{{[0-9]+}}(
// CHECK-DAG:   %[[LOW:.*]] = arith.constant 3 : i8
// CHECK-DAG:   %[[HIGH:.*]] = arith.constant -56 : i8
// CHECK:       arith.cmpi ult, {{.*}}, %[[LOW]] : i8
// CHECK:       arith.cmpi ult, %[[HIGH]], {{.*}} : i8
// CHECK-LABEL: uma.tir.func private @divide(
// CHECK:       %[[Y:.*]] = memref.load %arg1
// CHECK:       %[[NONE:.*]] = arith.cmpi eq, %[[Y]], %{{.*}} : i8
// CHECK:       %[[SAFE:.*]] = arith.select %[[NONE]], %{{.*}}, %[[Y]] : i8
// CHECK:       %[[MINUS:.*]] = arith.cmpi eq, %[[Y]], %{{.*}} : i8
// CHECK:       %[[SAFER:.*]] = arith.select %[[MINUS]], %{{.*}}, %[[SAFE]] : i8
// CHECK:       %[[QUOTIENT:.*]] = arith.divsi %{{.*}}, %[[SAFER]] : i8
// CHECK:       arith.select %[[MINUS]], %{{.*}}, %[[QUOTIENT]] : i8
// CHECK-LABEL: uma.tir.func private @divide_{{[0-9]+}}(
// CHECK:       arith.divui
// CHECK-LABEL: uma.tir.func private @relu(
// CHECK:       arith.cmpi slt, {{.*}} : i8
// CHECK-LABEL: uma.tir.func private @relu_{{[0-9]+}}(
// CHECK-NOT:   arith.cmpi
func.func @main(%x: tensor<8xi8>, %y: tensor<8xui8>) -> (tensor<8xi8>, tensor<8xui8>) {
  %0 = uma.graph.clip %x min -128.0 max 100.0 : (tensor<8xi8>) -> tensor<8xi8>
  %1 = uma.graph.clip %y min 3.0 max 200.0 : (tensor<8xui8>) -> tensor<8xui8>
  %2 = uma.graph.divide %x, %0 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  %3 = uma.graph.divide %y, %1 : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xui8>
  %4 = uma.graph.relu %2 : (tensor<8xi8>) -> tensor<8xi8>
  %5 = uma.graph.relu %3 : (tensor<8xui8>) -> tensor<8xui8>
  return %4, %5 : tensor<8xi8>, tensor<8xui8>
}

// -----

// Broadcasting: dimensions of size 1 stay at 0, missing ones are in front.

// CHECK-LABEL: uma.tir.func private @add(
// CHECK:       reads(%arg0[affine_map<(d0, d1, d2) -> (d0, d1, d2)>, {{.*}} %arg1[affine_map<(d0, d1, d2) -> (d1, 0)>,
// CHECK:       arith.addf
// CHECK-LABEL: uma.tir.func private @subtract(
// CHECK:       reads(%arg0[affine_map<(d0, d1, d2) -> (d1, 0)>, {{.*}} %arg1[affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
// CHECK:       %[[A:.*]] = memref.load %arg0
// CHECK:       %[[B:.*]] = memref.load %arg1
// CHECK:       arith.subf %[[A]], %[[B]]
// CHECK-LABEL: uma.tir.func private @multiply(
// CHECK:       {{.*}} %arg1[affine_map<(d0, d1, d2) -> ()>, []]
// CHECK:       arith.mulf
// CHECK-LABEL: uma.tir.func private @divide(
// CHECK:       for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  for %{{.*}} = 0 to 4 {
// CHECK-NEXT:  for %{{.*}} = 0 to 3 {
// CHECK:       reads(%arg0[affine_map<(d0, d1, d2) -> (d0, d1, d2)>, {{.*}} %arg1[affine_map<(d0, d1, d2) -> (0, d1, 0)>,
// CHECK:       arith.divf
func.func @main(%x: tensor<2x4x3xf32>, %y: tensor<4x1xf32>, %s: tensor<f32>, %z: tensor<1x4x1xf32>) -> tensor<2x4x3xf32> {
  %0 = uma.graph.add %x, %y : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  %1 = uma.graph.subtract %y, %0 : (tensor<4x1xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %2 = uma.graph.multiply %1, %s : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x3xf32>
  %3 = uma.graph.divide %2, %z : (tensor<2x4x3xf32>, tensor<1x4x1xf32>) -> tensor<2x4x3xf32>
  return %3 : tensor<2x4x3xf32>
}

// -----

// Casts go by the sign of the integers among the two types.

// CHECK-LABEL: uma.tir.func private @cast(
// CHECK:       arith.fptosi {{.*}} : f32 to i8
// CHECK-LABEL: uma.tir.func private @cast_{{[0-9]+}}(
// CHECK:       arith.fptoui {{.*}} : f32 to i8
// CHECK-LABEL: uma.tir.func private @cast_{{[0-9]+}}(
// CHECK:       arith.extsi {{.*}} : i8 to i32
// CHECK-LABEL: uma.tir.func private @cast_{{[0-9]+}}(
// CHECK:       arith.extui {{.*}} : i8 to i32
// CHECK-LABEL: uma.tir.func private @cast_{{[0-9]+}}(
// CHECK:       arith.uitofp {{.*}} : i8 to f32
// CHECK-NEXT:  arith.truncf {{.*}} : f32 to f16
// CHECK-LABEL: uma.tir.func private @cast_{{[0-9]+}}(
// CHECK:       arith.cmpf une, {{.*}} : f32
// CHECK-LABEL: uma.tir.func private @cast_{{[0-9]+}}(
// CHECK:       arith.uitofp {{.*}} : i1 to f32
func.func @main(%x: tensor<8xf32>)
    -> (tensor<8xi32>, tensor<8xi32>, tensor<8xf16>, tensor<8xf32>) {
  %0 = uma.graph.cast %x to i8 : (tensor<8xf32>) -> tensor<8xi8>
  %1 = uma.graph.cast %x to ui8 : (tensor<8xf32>) -> tensor<8xui8>
  %2 = uma.graph.cast %0 to i32 : (tensor<8xi8>) -> tensor<8xi32>
  %3 = uma.graph.cast %1 to i32 : (tensor<8xui8>) -> tensor<8xi32>
  %4 = uma.graph.cast %1 to f16 : (tensor<8xui8>) -> tensor<8xf16>
  %5 = uma.graph.cast %x to i1 : (tensor<8xf32>) -> tensor<8xi1>
  %6 = uma.graph.cast %5 to f32 : (tensor<8xi1>) -> tensor<8xf32>
  return %2, %3, %4, %6 : tensor<8xi32>, tensor<8xi32>, tensor<8xf16>, tensor<8xf32>
}

// -----

// Softmax along an inner axis: the outer loops leave it out, and every block
// has it last. The maximum goes first so that exp stays in range. The result keeps
// the exponentials, which are computed once.

// CHECK-LABEL: uma.tir.func private @softmax(
// CHECK:       for %{{.*}} = 0 to 2 {
// CHECK-NEXT:  for %{{.*}} = 0 to 3 {
// CHECK-NEXT:  %[[MAX:.*]] = uma.tir.alloc local
// CHECK-NEXT:  for %{{.*}} = 0 to 4 {
// CHECK-NEXT:  uma.tir.block "softmax_max" (spatial {{.*}} in 2, spatial {{.*}} in 3, reduce {{.*}} in 4)
// CHECK-NEXT:  reads(%arg0[affine_map<(d0, d1, d2) -> (d0, d2, d1)>,
// CHECK:       uma.tir.block "softmax_exp" (spatial {{.*}} in 2, spatial {{.*}} in 3, spatial {{.*}} in 4)
// CHECK:       memref.load %[[MAX]][]
// CHECK-NEXT:  arith.subf
// CHECK-NEXT:  math.exp
// CHECK-NEXT:  memref.store %{{.*}}, %arg1
// CHECK:       %[[SUM:.*]] = uma.tir.alloc local
// CHECK-NEXT:  for %{{.*}} = 0 to 4 {
// CHECK-NEXT:  uma.tir.block "softmax_sum" (spatial {{.*}} in 2, spatial {{.*}} in 3, reduce {{.*}} in 4)
// CHECK:       memref.load %arg1
// CHECK-NEXT:  arith.addf
// CHECK:       for %{{.*}} = 0 to 4 {
// CHECK-NEXT:  uma.tir.block "softmax" (spatial {{.*}} in 2, spatial {{.*}} in 3, spatial {{.*}} in 4)
// CHECK-NEXT:  reads(%arg1[affine_map<(d0, d1, d2) -> (d0, d2, d1)>,
// CHECK-NEXT:  writes(%arg1[affine_map<(d0, d1, d2) -> (d0, d2, d1)>,
// CHECK:       %[[E:.*]] = memref.load %arg1
// CHECK-NEXT:  %[[S:.*]] = memref.load %[[SUM]][]
// CHECK-NEXT:  arith.divf %[[E]], %[[S]]
func.func @main(%x: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %0 = uma.graph.softmax %x axis 1 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

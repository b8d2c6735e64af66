// Matrices, reductions and normalisations: linalg computes what the interpreter does.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_runs.py interpreter '%to_llvm' '%runner_libs' %s %t | FileCheck %s

// CHECK: dense: 15 numbers equal
func.func @dense(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %0 = uma.graph.dense %x, %y : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-NEXT: dense_rank1: 5 numbers equal
func.func @dense_rank1(%x: tensor<4xf32>, %y: tensor<5x4xf32>) -> tensor<5xf32> {
  %0 = uma.graph.dense %x, %y : (tensor<4xf32>, tensor<5x4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-NEXT: dense_rank3: 30 numbers equal
func.func @dense_rank3(%x: tensor<2x3x4xf32>, %y: tensor<5x4xf32>) -> tensor<2x3x5xf32> {
  %0 = uma.graph.dense %x, %y : (tensor<2x3x4xf32>, tensor<5x4xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-NEXT: dense_i8: 15 numbers equal
func.func @dense_i8(%x: tensor<3x4xi8>, %y: tensor<5x4xi8>) -> tensor<3x5xi32> {
  %0 = uma.graph.dense %x, %y out_dtype i32 : (tensor<3x4xi8>, tensor<5x4xi8>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

// CHECK-NEXT: dense_bf16: 15 numbers equal
func.func @dense_bf16(%x: tensor<3x4xbf16>, %y: tensor<5x4xbf16>) -> tensor<3x5xbf16> {
  %0 = uma.graph.dense %x, %y : (tensor<3x4xbf16>, tensor<5x4xbf16>) -> tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}

// CHECK-NEXT: batch_matmul_named: 30 numbers equal
func.func @batch_matmul_named(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = uma.graph.batch_matmul %x, %y : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-NEXT: batch_matmul_i8: 30 numbers equal
func.func @batch_matmul_i8(%x: tensor<2x3x4xi8>, %y: tensor<2x4x5xi8>) -> tensor<2x3x5xi32> {
  %0 = uma.graph.batch_matmul %x, %y out_dtype i32 : (tensor<2x3x4xi8>, tensor<2x4x5xi8>) -> tensor<2x3x5xi32>
  return %0 : tensor<2x3x5xi32>
}

// CHECK-NEXT: batch_matmul_transposed: 30 numbers equal
func.func @batch_matmul_transposed(%x: tensor<2x4x3xf32>, %y: tensor<2x5x4xf32>) -> tensor<2x3x5xf32> {
  %0 = uma.graph.batch_matmul %x, %y transpose_a true transpose_b true : (tensor<2x4x3xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-NEXT: batch_matmul_broadcast: 90 numbers equal
func.func @batch_matmul_broadcast(%x: tensor<2x1x3x4xf32>, %y: tensor<3x4x5xf32>) -> tensor<2x3x3x5xf32> {
  %0 = uma.graph.batch_matmul %x, %y : (tensor<2x1x3x4xf32>, tensor<3x4x5xf32>) -> tensor<2x3x3x5xf32>
  return %0 : tensor<2x3x3x5xf32>
}

// CHECK-NEXT: batch_matmul_rank2: 15 numbers equal
func.func @batch_matmul_rank2(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %0 = uma.graph.batch_matmul %x, %y transpose_b true : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-NEXT: sum_axes: 3 numbers equal
func.func @sum_axes(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %0 = uma.graph.sum %x axis [0, 2] : (tensor<2x3x4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-NEXT: sum_all: 1 numbers equal
func.func @sum_all(%x: tensor<2x3xf32>) -> tensor<f32> {
  %0 = uma.graph.sum %x : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-NEXT: sum_keepdims: 2 numbers equal
func.func @sum_keepdims(%x: tensor<2x3xi32>) -> tensor<2x1xi32> {
  %0 = uma.graph.sum %x axis [-1] keepdims true : (tensor<2x3xi32>) -> tensor<2x1xi32>
  return %0 : tensor<2x1xi32>
}

// CHECK-NEXT: mean_f16: 2 numbers equal
func.func @mean_f16(%x: tensor<2x3xf16>) -> tensor<2xf16> {
  %0 = uma.graph.mean %x axis [1] : (tensor<2x3xf16>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// CHECK-NEXT: mean_i32: 4 numbers equal
func.func @mean_i32(%x: tensor<3x4xi32>) -> tensor<4xi32> {
  %0 = uma.graph.mean %x axis [0] : (tensor<3x4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-NEXT: prod: 3 numbers equal
func.func @prod(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %0 = uma.graph.prod %x axis [1] : (tensor<3x4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-NEXT: max_of: 3 numbers equal
func.func @max_of(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %0 = uma.graph.max %x axis [1] : (tensor<3x4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-NEXT: max_of_i8: 3 numbers equal
func.func @max_of_i8(%x: tensor<3x4xi8>) -> tensor<3xi8> {
  %0 = uma.graph.max %x axis [1] : (tensor<3x4xi8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// CHECK-NEXT: max_of_bool: 5 numbers equal
func.func @max_of_bool(%x: tensor<5x2xi1>) -> tensor<5xi1> {
  %0 = uma.graph.max %x axis [1] : (tensor<5x2xi1>) -> tensor<5xi1>
  return %0 : tensor<5xi1>
}

// CHECK-NEXT: min_of: 4 numbers equal
func.func @min_of(%x: tensor<3x4xf32>) -> tensor<1x4xf32> {
  %0 = uma.graph.min %x axis [0] keepdims true : (tensor<3x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// CHECK-NEXT: min_of_bool: 5 numbers equal
func.func @min_of_bool(%x: tensor<5x2xi1>) -> tensor<5xi1> {
  %0 = uma.graph.min %x axis [1] : (tensor<5x2xi1>) -> tensor<5xi1>
  return %0 : tensor<5xi1>
}

// CHECK-NEXT: argmax_first: 6 numbers equal
func.func @argmax_first(%x: tensor<6x5xi32>) -> tensor<6xi64> {
  %0 = uma.graph.argmax %x axis 1 : (tensor<6x5xi32>) -> tensor<6xi64>
  return %0 : tensor<6xi64>
}

// CHECK-NEXT: argmax_last: 6 numbers equal
func.func @argmax_last(%x: tensor<6x5xi32>) -> tensor<6x1xi64> {
  %0 = uma.graph.argmax %x axis 1 keepdims true select_last_index true : (tensor<6x5xi32>) -> tensor<6x1xi64>
  return %0 : tensor<6x1xi64>
}

// CHECK-NEXT: argmax_f32: 3 numbers equal
func.func @argmax_f32(%x: tensor<5x3xf32>) -> tensor<3xi64> {
  %0 = uma.graph.argmax %x axis 0 : (tensor<5x3xf32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// CHECK-NEXT: argmin_f32: 5 numbers equal
func.func @argmin_f32(%x: tensor<5x3xf32>) -> tensor<5xi64> {
  %0 = uma.graph.argmin %x axis -1 : (tensor<5x3xf32>) -> tensor<5xi64>
  return %0 : tensor<5xi64>
}

// CHECK-NEXT: argmin_last: 3 numbers equal
func.func @argmin_last(%x: tensor<5x3xi32>) -> tensor<3xi64> {
  %0 = uma.graph.argmin %x axis 0 select_last_index true : (tensor<5x3xi32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// CHECK-NEXT: softmax_last: 10 numbers equal
func.func @softmax_last(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = uma.graph.softmax %x : (tensor<2x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-NEXT: softmax_axis: 24 numbers equal
func.func @softmax_axis(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.softmax %x axis 1 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: softmax_f16: 10 numbers equal
func.func @softmax_f16(%x: tensor<2x5xf16>) -> tensor<2x5xf16> {
  %0 = uma.graph.softmax %x : (tensor<2x5xf16>) -> tensor<2x5xf16>
  return %0 : tensor<2x5xf16>
}

// CHECK-NEXT: log_softmax_axis: 12 numbers equal
func.func @log_softmax_axis(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = uma.graph.log_softmax %x axis 0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-NEXT: layer_norm_last: 24 numbers equal
func.func @layer_norm_last(%x: tensor<2x3x4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.layer_norm %x, %y, %z : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: layer_norm_axes: 24 numbers equal
func.func @layer_norm_axes(%x: tensor<2x3x4xf32>, %y: tensor<3x4xf32>, %z: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.layer_norm %x, %y, %z axis 1 epsilon 0.01 : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: rms_norm_last: 24 numbers equal
func.func @rms_norm_last(%x: tensor<2x3x4xf32>, %y: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.rms_norm %x, %y : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: group_norm_two: 72 numbers equal
func.func @group_norm_two(%x: tensor<2x4x3x3xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<2x4x3x3xf32> {
  %0 = uma.graph.group_norm %x, %y, %z groups 2 : (tensor<2x4x3x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3x3xf32>
  return %0 : tensor<2x4x3x3xf32>
}

// CHECK-NEXT: lrn_even: 24 numbers equal
func.func @lrn_even(%x: tensor<1x6x2x2xf32>) -> tensor<1x6x2x2xf32> {
  %0 = uma.graph.lrn %x size 4 bias 1.5 alpha 0.5 beta 0.75 : (tensor<1x6x2x2xf32>) -> tensor<1x6x2x2xf32>
  return %0 : tensor<1x6x2x2xf32>
}

// CHECK-NEXT: fixed_point: 24 numbers equal
func.func @fixed_point(%x: tensor<3x8xi32>) -> tensor<3x8xi32> {
  %k = uma.graph.constant dense<12345679> : tensor<i32>
  %m = uma.graph.constant dense<[1073741824, 2147483647, 1518500250, 0, 1073741824, 1234567890, 2000000000, 1073741825]> : tensor<8xi32>
  %s = uma.graph.constant dense<[0, 0, 1, 3, 7, 12, 24, 31]> : tensor<8xi32>
  %0 = uma.graph.multiply %x, %k : (tensor<3x8xi32>, tensor<i32>) -> tensor<3x8xi32>
  %1 = uma.graph.fixed_point_multiply %0, %m, %s : (tensor<3x8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<3x8xi32>
  return %1 : tensor<3x8xi32>
}

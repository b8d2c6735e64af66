// RUN: uma-opt %s --uma-graph-fold-constant --split-input-file | FileCheck %s

// What the reference interpreter computes: products of matrices and normalisations.

// CHECK-LABEL: func @matmul
func.func @matmul() -> (tensor<2x1x2xf32>, tensor<2x2xi32>) {
  %x = uma.graph.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %y = uma.graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>
  %a = uma.graph.constant dense<[[100, -100], [1, 2]]> : tensor<2x2xi8>
  %b = uma.graph.constant dense<[[200, 0], [3, 4]]> : tensor<2x2xui8>
  // CHECK-DAG: dense<{{\[\[\[}}7.000000e+00, 1.000000e+01]], {{\[\[}}2.000000e+00, 1.000000e+00]]]> : tensor<2x1x2xf32>
  %0 = uma.graph.batch_matmul %x, %y : (tensor<1x2xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
  // CHECK-DAG: dense<{{\[\[}}20000, 304], [-20000, -292]]> : tensor<2x2xi32>
  %1 = uma.graph.batch_matmul %a, %b transpose_a true transpose_b true out_dtype i32
      : (tensor<2x2xi8>, tensor<2x2xui8>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x1x2xf32>, tensor<2x2xi32>
}

// -----

// A diagonal, a broadcast dimension, three operands.

// CHECK-LABEL: func @einsum
func.func @einsum() -> (tensor<2xf32>, tensor<2x2xf32>, tensor<f32>) {
  %x = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = uma.graph.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  // CHECK-DAG: dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %0 = uma.graph.einsum "ii->i" %x : (tensor<2x2xf32>) -> tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[}}1.000000e+01, 3.000000e+01], [4.000000e+01, 8.000000e+01]]> : tensor<2x2xf32>
  %1 = uma.graph.einsum "ij,ij->ji" %x, %r : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  // CHECK-DAG: dense<1.550000e+02> : tensor<f32>
  %2 = uma.graph.einsum "ij,jk,ki->" %x, %x, %x : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// The first column of the first matrix needs its rows swapped; the second has no inverse.

// CHECK-LABEL: func @det
func.func @det() -> tensor<2xf32> {
  %x = uma.graph.constant dense<[[[0.0, 2.0, 1.0], [4.0, 1.0, 0.0], [0.0, 0.0, 3.0]],
                                 [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]]]> : tensor<2x3x3xf32>
  // CHECK: dense<[-2.400000e+01, {{-?}}0.000000e+00]> : tensor<2xf32>
  %0 = uma.graph.det %x : (tensor<2x3x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @norms
func.func @norms() -> (tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x4xf32>, tensor<1x3xf32>) {
  %x = uma.graph.constant dense<[[1.0, 3.0], [-5.0, 5.0]]> : tensor<2x2xf32>
  %y = uma.graph.constant dense<[[1.0, 7.0]]> : tensor<1x2xf32>
  %z = uma.graph.constant dense<[[1.0, 3.0, 10.0, 30.0]]> : tensor<1x4xf32>
  %l = uma.graph.constant dense<[[1.0, 1.0, 2.0]]> : tensor<1x3xf32>
  %g = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = uma.graph.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %c = uma.graph.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  // CHECK-DAG: dense<{{\[\[}}9.000000e+00, 2.200000e+01], [9.000000e+00, 2.200000e+01]]> : tensor<2x2xf32>
  %0 = uma.graph.layer_norm %x, %g, %b epsilon 0.0 : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  // CHECK-DAG: dense<{{\[\[}}2.000000e-01, 2.800000e+00]]> : tensor<1x2xf32>
  %1 = uma.graph.rms_norm %y, %g epsilon 0.0 : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  // CHECK-DAG: dense<{{\[\[}}0.000000e+00, 2.000000e+00, 0.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
  %2 = uma.graph.group_norm %z, %c, %c groups 2 epsilon 0.0
      : (tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  // CHECK-DAG: dense<{{\[\[}}0.333333343, 0.142857149, 0.333333343]]> : tensor<1x3xf32>
  %3 = uma.graph.lrn %l size 3 bias 1.0 alpha 3.0 beta 1.0 : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x4xf32>, tensor<1x3xf32>
}

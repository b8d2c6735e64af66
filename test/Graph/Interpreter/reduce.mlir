// RUN: uma-opt %s --uma-graph-fold-constant --split-input-file | FileCheck %s

// What the reference interpreter computes: reductions, orders and scans.

// CHECK-LABEL: func @reductions
func.func @reductions() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<f32>, tensor<3xf32>, tensor<2xf32>) {
  %x = uma.graph.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 0.5]]> : tensor<2x3xf32>
  // CHECK-DAG: dense<[6.000000e+00, 1.500000e+00]> : tensor<2xf32>
  %sum = uma.graph.sum %x axis [-1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[}}-1.500000e+00, 3.500000e+00, 1.750000e+00]]> : tensor<1x3xf32>
  %mean = uma.graph.mean %x axis [0] keepdims true : (tensor<2x3xf32>) -> tensor<1x3xf32>
  // CHECK-DAG: dense<-6.000000e+01> : tensor<f32>
  %prod = uma.graph.prod %x : (tensor<2x3xf32>) -> tensor<f32>
  // CHECK-DAG: dense<[1.000000e+00, 5.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %max = uma.graph.max %x axis [0] : (tensor<2x3xf32>) -> tensor<3xf32>
  // CHECK-DAG: dense<[1.000000e+00, -4.000000e+00]> : tensor<2xf32>
  %min = uma.graph.min %x axis [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return %sum, %mean, %prod, %max, %min
      : tensor<2xf32>, tensor<1x3xf32>, tensor<f32>, tensor<3xf32>, tensor<2xf32>
}

// -----

// Integers wrap, except in the sum behind a mean.

// CHECK-LABEL: func @integers
func.func @integers() -> (tensor<i8>, tensor<i8>, tensor<ui8>, tensor<ui8>, tensor<i8>) {
  %x = uma.graph.constant dense<[100, 100, -3]> : tensor<3xi8>
  %u = uma.graph.constant dense<[200, 100, 250]> : tensor<3xui8>
  // CHECK-DAG: dense<-59> : tensor<i8>
  %sum = uma.graph.sum %x : (tensor<3xi8>) -> tensor<i8>
  // CHECK-DAG: dense<65> : tensor<i8>
  %mean = uma.graph.mean %x : (tensor<3xi8>) -> tensor<i8>
  // CHECK-DAG: dense<183> : tensor<ui8>
  %umean = uma.graph.mean %u : (tensor<3xui8>) -> tensor<ui8>
  // CHECK-DAG: dense<250> : tensor<ui8>
  %max = uma.graph.max %u : (tensor<3xui8>) -> tensor<ui8>
  // CHECK-DAG: dense<-3> : tensor<i8>
  %min = uma.graph.min %x : (tensor<3xi8>) -> tensor<i8>
  return %sum, %mean, %umean, %max, %min : tensor<i8>, tensor<i8>, tensor<ui8>, tensor<ui8>, tensor<i8>
}

// -----

// NaN wins, and without elements there are neutral ones.

// CHECK-LABEL: func @special
func.func @special() -> (tensor<f32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi64>, tensor<i1>, tensor<i1>) {
  %x = uma.graph.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %e = uma.graph.constant dense<> : tensor<2x0xf32>
  %z = uma.graph.constant dense<> : tensor<2x0xi64>
  %b = uma.graph.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-DAG: dense<0x7FC00000> : tensor<f32>
  %max = uma.graph.max %x : (tensor<3xf32>) -> tensor<f32>
  // CHECK-DAG: dense<0x7F800000> : tensor<2xf32>
  %min = uma.graph.min %e axis [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  // CHECK-DAG: dense<1.000000e+00> : tensor<2xf32>
  %prod = uma.graph.prod %e axis [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  // CHECK-DAG: dense<0> : tensor<2xi64>
  %mean = uma.graph.mean %z axis [1] : (tensor<2x0xi64>) -> tensor<2xi64>
  // CHECK-DAG: dense<true> : tensor<i1>
  %any = uma.graph.max %b : (tensor<2xi1>) -> tensor<i1>
  // CHECK-DAG: dense<false> : tensor<i1>
  %all = uma.graph.min %b : (tensor<2xi1>) -> tensor<i1>
  return %max, %min, %prod, %mean, %any, %all
      : tensor<f32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi64>, tensor<i1>, tensor<i1>
}

// -----

// CHECK-LABEL: func @indices
func.func @indices() -> (tensor<2xi64>, tensor<2x1xi64>, tensor<i64>) {
  %x = uma.graph.constant dense<[[2.0, 5.0, 5.0], [1.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %n = uma.graph.constant dense<[2.0, 0x7FC00000, 5.0, 0x7FC00000]> : tensor<4xf32>
  // CHECK-DAG: dense<[1, 0]> : tensor<2xi64>
  %first = uma.graph.argmax %x axis 1 : (tensor<2x3xf32>) -> tensor<2xi64>
  // CHECK-DAG: dense<{{\[\[}}0], [2]]> : tensor<2x1xi64>
  %last = uma.graph.argmin %x axis 1 keepdims true select_last_index true : (tensor<2x3xf32>) -> tensor<2x1xi64>
  // CHECK-DAG: dense<1> : tensor<i64>
  %nan = uma.graph.argmin %n axis 0 : (tensor<4xf32>) -> tensor<i64>
  return %first, %last, %nan : tensor<2xi64>, tensor<2x1xi64>, tensor<i64>
}

// -----

// Equal elements stay in order; NaN is the largest.

// CHECK-LABEL: func @topk
func.func @topk() -> (tensor<5xi64>, tensor<5xi64>, tensor<1x2xi64>) {
  %x = uma.graph.constant dense<[3.0, 1.0, 0x7FC00000, 3.0, -2.0]> : tensor<5xf32>
  %u = uma.graph.constant dense<[[1, 200], [2, 100]]> : tensor<2x2xui8>
  // CHECK-DAG: dense<[2, 0, 3, 1, 4]> : tensor<5xi64>
  %0 = uma.graph.topk %x k 5 : (tensor<5xf32>) -> tensor<5xi64>
  // CHECK-DAG: dense<[4, 1, 0, 3, 2]> : tensor<5xi64>
  %1 = uma.graph.topk %x k 5 is_ascend true : (tensor<5xf32>) -> tensor<5xi64>
  // CHECK-DAG: dense<{{\[\[}}1, 0]]> : tensor<1x2xi64>
  %2 = uma.graph.topk %u k 1 axis 0 : (tensor<2x2xui8>) -> tensor<1x2xi64>
  return %0, %1, %2 : tensor<5xi64>, tensor<5xi64>, tensor<1x2xi64>
}

// -----

// CHECK-LABEL: func @cumsum
func.func @cumsum() -> (tensor<4xi8>, tensor<2x2xf32>) {
  %x = uma.graph.constant dense<[100, 20, 30, 4]> : tensor<4xi8>
  %y = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK-DAG: dense<[100, 120, -106, -102]> : tensor<4xi8>
  %0 = uma.graph.cumsum %x axis 0 : (tensor<4xi8>) -> tensor<4xi8>
  // CHECK-DAG: dense<{{\[\[}}3.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %1 = uma.graph.cumsum %y axis 0 exclusive true reverse true : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<4xi8>, tensor<2x2xf32>
}

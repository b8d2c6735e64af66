// RUN: uma-opt %s --verify-roundtrip | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt --verify-roundtrip | FileCheck %s

// Reductions, orders, scans, normalisations and products of matrices in every form of their attributes.

// CHECK-LABEL: func @reductions
func.func @reductions(%x: tensor<2x3x4xf32>, %s: tensor<f16>, %b: tensor<2x3xi1>) {
  // CHECK: uma.graph.sum %{{.*}} : (tensor<2x3x4xf32>) -> tensor<f32>
  %0 = uma.graph.sum %x : (tensor<2x3x4xf32>) -> tensor<f32>
  // CHECK: uma.graph.mean %{{.*}} axis [1, -1] : (tensor<2x3x4xf32>) -> tensor<2xf32>
  %1 = uma.graph.mean %x axis [1, -1] : (tensor<2x3x4xf32>) -> tensor<2xf32>
  // CHECK: uma.graph.prod %{{.*}} axis [1] keepdims true : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %2 = uma.graph.prod %x axis [1] keepdims true : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  // CHECK: uma.graph.max %{{.*}} : (tensor<f16>) -> tensor<f16>
  %3 = uma.graph.max %s : (tensor<f16>) -> tensor<f16>
  // CHECK: uma.graph.min %{{.*}} axis [0] : (tensor<2x3xi1>) -> tensor<3xi1>
  %4 = uma.graph.min %b axis [0] : (tensor<2x3xi1>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: func @indices
func.func @indices(%x: tensor<2x3xui8>) {
  // CHECK: uma.graph.argmax %{{.*}} axis 1 : (tensor<2x3xui8>) -> tensor<2xi64>
  %0 = uma.graph.argmax %x axis 1 : (tensor<2x3xui8>) -> tensor<2xi64>
  // CHECK: uma.graph.argmin %{{.*}} axis -2 keepdims true select_last_index true : (tensor<2x3xui8>) -> tensor<1x3xi64>
  %1 = uma.graph.argmin %x axis -2 keepdims true select_last_index true : (tensor<2x3xui8>) -> tensor<1x3xi64>
  // CHECK: uma.graph.topk %{{.*}} k 2 : (tensor<2x3xui8>) -> tensor<2x2xi64>
  %2 = uma.graph.topk %x k 2 : (tensor<2x3xui8>) -> tensor<2x2xi64>
  // CHECK: uma.graph.topk %{{.*}} k 0 axis 0 is_ascend true : (tensor<2x3xui8>) -> tensor<0x3xi64>
  %3 = uma.graph.topk %x k 0 axis 0 is_ascend true : (tensor<2x3xui8>) -> tensor<0x3xi64>
  return
}

// CHECK-LABEL: func @cumsum
func.func @cumsum(%x: tensor<2x3xi32>) {
  // CHECK: uma.graph.cumsum %{{.*}} axis 0 :
  %0 = uma.graph.cumsum %x axis 0 : (tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: uma.graph.cumsum %{{.*}} axis 1 exclusive true reverse true :
  %1 = uma.graph.cumsum %x axis 1 exclusive true reverse true : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: func @normalisations
func.func @normalisations(%x: tensor<2x4x3xf32>, %m: tensor<4x3xf32>, %v: tensor<3xf32>, %c: tensor<4xf32>) {
  // CHECK: uma.graph.log_softmax %{{.*}} :
  %0 = uma.graph.log_softmax %x : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: uma.graph.log_softmax %{{.*}} axis 0 :
  %1 = uma.graph.log_softmax %x axis 0 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: uma.graph.layer_norm %{{.*}}, %{{.*}}, %{{.*}} :
  %2 = uma.graph.layer_norm %x, %v, %v : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  // CHECK: uma.graph.layer_norm %{{.*}}, %{{.*}}, %{{.*}} axis 1 epsilon 2.500000e-01 :
  %3 = uma.graph.layer_norm %x, %m, %m axis 1 epsilon 0.25
      : (tensor<2x4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: uma.graph.rms_norm %{{.*}}, %{{.*}} axis -2 epsilon 0.000000e+00 :
  %4 = uma.graph.rms_norm %x, %m axis -2 epsilon 0.0 : (tensor<2x4x3xf32>, tensor<4x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: uma.graph.group_norm %{{.*}}, %{{.*}}, %{{.*}} groups 2 :
  %5 = uma.graph.group_norm %x, %c, %c groups 2
      : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  // CHECK: uma.graph.lrn %{{.*}} size 3 :
  %6 = uma.graph.lrn %x size 3 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: uma.graph.lrn %{{.*}} size 2 bias 2.000000e+00 alpha 1.000000e+00 beta 5.000000e-01 :
  %7 = uma.graph.lrn %x size 2 bias 2.0 alpha 1.0 beta 0.5 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}

// CHECK-LABEL: func @matrices
func.func @matrices(%x: tensor<5x1x2x3xf32>, %y: tensor<7x3x4xf32>, %a: tensor<3x2xi8>, %b: tensor<4x3xui8>) {
  // CHECK: uma.graph.batch_matmul %{{.*}}, %{{.*}} : (tensor<5x1x2x3xf32>, tensor<7x3x4xf32>) -> tensor<5x7x2x4xf32>
  %0 = uma.graph.batch_matmul %x, %y : (tensor<5x1x2x3xf32>, tensor<7x3x4xf32>) -> tensor<5x7x2x4xf32>
  // CHECK: uma.graph.batch_matmul %{{.*}}, %{{.*}} transpose_a true transpose_b true out_dtype i32 :
  %1 = uma.graph.batch_matmul %a, %b transpose_a true transpose_b true out_dtype i32
      : (tensor<3x2xi8>, tensor<4x3xui8>) -> tensor<2x4xi32>
  // CHECK: uma.graph.einsum "abij,cjk->bik" %{{.*}}, %{{.*}} : (tensor<5x1x2x3xf32>, tensor<7x3x4xf32>) -> tensor<1x2x4xf32>
  %2 = uma.graph.einsum "abij,cjk->bik" %x, %y : (tensor<5x1x2x3xf32>, tensor<7x3x4xf32>) -> tensor<1x2x4xf32>
  // CHECK: uma.graph.einsum "ij->" %{{.*}} : (tensor<3x2xi8>) -> tensor<i8>
  %3 = uma.graph.einsum "ij->" %a : (tensor<3x2xi8>) -> tensor<i8>
  return
}

// CHECK-LABEL: func @det
func.func @det(%x: tensor<5x2x2xf64>) -> tensor<5xf64> {
  // CHECK: uma.graph.det %{{.*}} : (tensor<5x2x2xf64>) -> tensor<5xf64>
  %0 = uma.graph.det %x : (tensor<5x2x2xf64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x1x6x3xf32>, %m: tensor<5x6xf32>) {
  // CHECK: uma.graph.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} scale 5.000000e-01 :
  // CHECK-SAME: -> tensor<2x4x5x3xf32>
  %0 = uma.graph.attention %q, %k, %v mask %m scale 0.5
      : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>, tensor<2x1x6x3xf32>, tensor<5x6xf32>) -> tensor<2x4x5x3xf32>
  // CHECK: uma.graph.attention %{{.*}}, %{{.*}}, %{{.*}} :
  %1 = uma.graph.attention %q, %k, %v
      : (tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>, tensor<2x1x6x3xf32>) -> tensor<2x4x5x3xf32>
  return
}

// Convolutions and pools of TOSA: uma.graph and linalg compute what upstream's tosa-to-linalg does.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_runs.py tosa '%to_llvm' '%runner_libs' %s %t | FileCheck %s
// RUN: %python %S/Inputs/compare_runs.py tosa '%to_llvm' '%runner_libs' %s %t --convert-tosa-to-uma-graph '--uma-graph-convert-layout=data-layout=NCHW kernel-layout=OIHW' | FileCheck %s

// CHECK: conv2d: 48 numbers equal
func.func @conv2d(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x4x4x3xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 1, 1, 2, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
      : (tensor<1x7x7x3xf32>, tensor<3x3x3x3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// CHECK-NEXT: conv2d_dilated: 80 numbers equal
func.func @conv2d_dilated(%x: tensor<2x6x6x1xf32>, %w: tensor<2x2x3x1xf32>, %b: tensor<1xf32>) -> tensor<2x4x5x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 0, 0, 2, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 2, 2>}
      : (tensor<2x6x6x1xf32>, tensor<2x2x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x5x2xf32>
  return %0 : tensor<2x4x5x2xf32>
}

// CHECK-NEXT: conv2d_i8: 32 numbers equal
func.func @conv2d_i8(%x: tensor<1x4x4x3xi8>, %w: tensor<2x3x3x3xi8>, %b: tensor<2xi32>) -> tensor<1x4x4x2xi32> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x3xi8>, tensor<2x3x3x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %0 : tensor<1x4x4x2xi32>
}

// CHECK-NEXT: depthwise: 96 numbers equal
func.func @depthwise(%x: tensor<1x4x4x3xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x4x4x6xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x3xf32>, tensor<3x3x3x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x6xf32>
  return %0 : tensor<1x4x4x6xf32>
}

// CHECK-NEXT: conv3d: 54 numbers equal
func.func @conv3d(%x: tensor<1x3x4x5x2xf32>, %w: tensor<3x2x2x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x2x3x3x3xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>}
      : (tensor<1x3x4x5x2xf32>, tensor<3x2x2x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x3x3xf32>
  return %0 : tensor<1x2x3x3x3xf32>
}

// Upstream takes no border that cuts off and none with strides.
// CHECK-NEXT: transpose_conv2d: 98 numbers equal
func.func @transpose_conv2d(%x: tensor<1x3x3x2xf32>, %w: tensor<2x3x3x2xf32>, %b: tensor<2xf32>) -> tensor<1x7x7x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x3x3x2xf32>, tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x7x2xf32>
  return %0 : tensor<1x7x7x2xf32>
}

// CHECK-NEXT: transpose_conv2d_border: 96 numbers equal
func.func @transpose_conv2d_border(%x: tensor<1x4x4x2xf32>, %w: tensor<2x3x3x2xf32>, %b: tensor<2xf32>) -> tensor<1x8x6x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: 1, 1, -1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x6x2xf32>
  return %0 : tensor<1x8x6x2xf32>
}

// CHECK-NEXT: max_pool2d: 27 numbers equal
func.func @max_pool2d(%x: tensor<1x5x5x3xf32>) -> tensor<1x3x3x3xf32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : (tensor<1x5x5x3xf32>) -> tensor<1x3x3x3xf32>
  return %0 : tensor<1x3x3x3xf32>
}

// CHECK-NEXT: max_pool2d_i8: 9 numbers equal
func.func @max_pool2d_i8(%x: tensor<1x4x4x1xi8>) -> tensor<1x3x3x1xi8> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x1xi8>) -> tensor<1x3x3x1xi8>
  return %0 : tensor<1x3x3x1xi8>
}

// CHECK-NEXT: avg_pool2d: 27 numbers equal
func.func @avg_pool2d(%x: tensor<1x5x5x3xf32>) -> tensor<1x3x3x3xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %zp, %zp {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, acc_type = f32}
      : (tensor<1x5x5x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x3xf32>
  return %0 : tensor<1x3x3x3xf32>
}

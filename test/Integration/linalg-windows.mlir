// Convolutions and pools: linalg computes what the interpreter does.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_runs.py interpreter '%to_llvm' '%runner_libs' %s %t | FileCheck %s

// CHECK: conv_nchw: 160 numbers equal
func.func @conv_nchw(%x: tensor<2x3x6x5xf32>, %y: tensor<4x3x3x2xf32>) -> tensor<2x4x4x5xf32> {
  %0 = uma.graph.conv2d %x, %y strides [2, 1] padding [1, 0, 2, 1] : (tensor<2x3x6x5xf32>, tensor<4x3x3x2xf32>) -> tensor<2x4x4x5xf32>
  return %0 : tensor<2x4x4x5xf32>
}

// CHECK-NEXT: conv_nchw_hwio: 32 numbers equal
func.func @conv_nchw_hwio(%x: tensor<1x3x4x4xf32>, %y: tensor<3x3x3x2xf32>) -> tensor<1x2x4x4xf32> {
  %0 = uma.graph.conv2d %x, %y padding [1, 1, 1, 1] kernel_layout "HWIO" : (tensor<1x3x4x4xf32>, tensor<3x3x3x2xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-NEXT: conv_nhwc_hwio: 64 numbers equal
func.func @conv_nhwc_hwio(%x: tensor<1x6x5x3xf32>, %y: tensor<2x2x3x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = uma.graph.conv2d %x, %y dilations [2, 1] layout "NHWC" kernel_layout "HWIO" : (tensor<1x6x5x3xf32>, tensor<2x2x3x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-NEXT: conv_nhwc_ohwi: 32 numbers equal
func.func @conv_nhwc_ohwi(%x: tensor<1x4x4x3xf32>, %y: tensor<2x3x3x3xf32>) -> tensor<1x4x4x2xf32> {
  %0 = uma.graph.conv2d %x, %y padding [1, 1, 1, 1] layout "NHWC" kernel_layout "OHWI" : (tensor<1x4x4x3xf32>, tensor<2x3x3x3xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// CHECK-NEXT: conv_nhwc_oihw: 8 numbers equal
func.func @conv_nhwc_oihw(%x: tensor<1x4x4x3xf32>, %y: tensor<2x3x3x3xf32>) -> tensor<1x2x2x2xf32> {
  %0 = uma.graph.conv2d %x, %y layout "NHWC" : (tensor<1x4x4x3xf32>, tensor<2x3x3x3xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// CHECK-NEXT: conv_groups: 96 numbers equal
func.func @conv_groups(%x: tensor<1x4x4x4xf32>, %y: tensor<6x2x3x3xf32>) -> tensor<1x6x4x4xf32> {
  %0 = uma.graph.conv2d %x, %y padding [1, 1, 1, 1] groups 2 : (tensor<1x4x4x4xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x4x4xf32>
  return %0 : tensor<1x6x4x4xf32>
}

// CHECK-NEXT: conv_groups_nhwc: 24 numbers equal
func.func @conv_groups_nhwc(%x: tensor<1x5x5x4xf32>, %y: tensor<6x3x3x2xf32>) -> tensor<1x2x2x6xf32> {
  %0 = uma.graph.conv2d %x, %y strides [2, 2] groups 2 layout "NHWC" kernel_layout "OHWI" : (tensor<1x5x5x4xf32>, tensor<6x3x3x2xf32>) -> tensor<1x2x2x6xf32>
  return %0 : tensor<1x2x2x6xf32>
}

// CHECK-NEXT: conv_depthwise: 96 numbers equal
func.func @conv_depthwise(%x: tensor<1x4x4x3xf32>, %y: tensor<3x3x1x6xf32>) -> tensor<1x4x4x6xf32> {
  %0 = uma.graph.conv2d %x, %y padding [1, 1, 1, 1] groups 3 layout "NHWC" kernel_layout "HWIO" : (tensor<1x4x4x3xf32>, tensor<3x3x1x6xf32>) -> tensor<1x4x4x6xf32>
  return %0 : tensor<1x4x4x6xf32>
}

// CHECK-NEXT: conv_i8: 32 numbers equal
func.func @conv_i8(%x: tensor<1x3x4x4xi8>, %y: tensor<2x3x3x3xi8>) -> tensor<1x2x4x4xi32> {
  %0 = uma.graph.conv2d %x, %y padding [1, 1, 1, 1] out_dtype i32 : (tensor<1x3x4x4xi8>, tensor<2x3x3x3xi8>) -> tensor<1x2x4x4xi32>
  return %0 : tensor<1x2x4x4xi32>
}

// CHECK-NEXT: conv_i8_groups: 12 numbers equal
func.func @conv_i8_groups(%x: tensor<1x3x4x4xi8>, %y: tensor<3x1x3x3xi8>) -> tensor<1x3x2x2xi32> {
  %0 = uma.graph.conv2d %x, %y groups 3 out_dtype i32 : (tensor<1x3x4x4xi8>, tensor<3x1x3x3xi8>) -> tensor<1x3x2x2xi32>
  return %0 : tensor<1x3x2x2xi32>
}

// CHECK-NEXT: conv_f16: 32 numbers equal
func.func @conv_f16(%x: tensor<1x3x4x4xf16>, %y: tensor<2x3x3x3xf16>) -> tensor<1x2x4x4xf16> {
  %0 = uma.graph.conv2d %x, %y padding [1, 1, 1, 1] : (tensor<1x3x4x4xf16>, tensor<2x3x3x3xf16>) -> tensor<1x2x4x4xf16>
  return %0 : tensor<1x2x4x4xf16>
}

// CHECK-NEXT: conv_out_f32: 8 numbers equal
func.func @conv_out_f32(%x: tensor<1x3x4x4xf16>, %y: tensor<2x3x3x3xf16>) -> tensor<1x2x2x2xf32> {
  %0 = uma.graph.conv2d %x, %y out_dtype f32 : (tensor<1x3x4x4xf16>, tensor<2x3x3x3xf16>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// CHECK-NEXT: conv3d: 72 numbers equal
func.func @conv3d(%x: tensor<1x2x3x4x4xf32>, %y: tensor<3x2x2x3x3xf32>) -> tensor<1x3x3x2x4xf32> {
  %0 = uma.graph.conv3d %x, %y strides [1, 2, 1] padding [1, 0, 1, 0, 1, 1] : (tensor<1x2x3x4x4xf32>, tensor<3x2x2x3x3xf32>) -> tensor<1x3x3x2x4xf32>
  return %0 : tensor<1x3x3x2x4xf32>
}

// CHECK-NEXT: conv3d_ndhwc: 36 numbers equal
func.func @conv3d_ndhwc(%x: tensor<1x3x4x4x2xf32>, %y: tensor<3x2x2x3x2xf32>) -> tensor<1x2x3x2x3xf32> {
  %0 = uma.graph.conv3d %x, %y layout "NDHWC" kernel_layout "ODHWI" : (tensor<1x3x4x4x2xf32>, tensor<3x2x2x3x2xf32>) -> tensor<1x2x3x2x3xf32>
  return %0 : tensor<1x2x3x2x3xf32>
}

// CHECK-NEXT: conv3d_groups: 32 numbers equal
func.func @conv3d_groups(%x: tensor<1x2x3x3x3xf32>, %y: tensor<4x1x2x2x2xf32>) -> tensor<1x4x2x2x2xf32> {
  %0 = uma.graph.conv3d %x, %y groups 2 : (tensor<1x2x3x3x3xf32>, tensor<4x1x2x2x2xf32>) -> tensor<1x4x2x2x2xf32>
  return %0 : tensor<1x4x2x2x2xf32>
}

// CHECK-NEXT: conv_transpose: 154 numbers equal
func.func @conv_transpose(%x: tensor<1x3x3x4xf32>, %y: tensor<3x2x3x2xf32>) -> tensor<1x2x7x11xf32> {
  %0 = uma.graph.conv2d_transpose %x, %y strides [2, 3] : (tensor<1x3x3x4xf32>, tensor<3x2x3x2xf32>) -> tensor<1x2x7x11xf32>
  return %0 : tensor<1x2x7x11xf32>
}

// CHECK-NEXT: conv_transpose_padding: 72 numbers equal
func.func @conv_transpose_padding(%x: tensor<1x2x3x3xf32>, %y: tensor<2x2x3x3xf32>) -> tensor<1x2x6x6xf32> {
  %0 = uma.graph.conv2d_transpose %x, %y strides [2, 2] padding [1, 2, 1, 0] output_padding [1, 1] : (tensor<1x2x3x3xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x6x6xf32>
  return %0 : tensor<1x2x6x6xf32>
}

// CHECK-NEXT: conv_transpose_groups: 180 numbers equal
func.func @conv_transpose_groups(%x: tensor<1x4x3x3xf32>, %y: tensor<4x3x2x2xf32>) -> tensor<1x6x6x5xf32> {
  %0 = uma.graph.conv2d_transpose %x, %y strides [2, 2] padding [0, 1, 1, 0] dilations [2, 1] groups 2 : (tensor<1x4x3x3xf32>, tensor<4x3x2x2xf32>) -> tensor<1x6x6x5xf32>
  return %0 : tensor<1x6x6x5xf32>
}

// CHECK-NEXT: conv_transpose_cut: 49 numbers equal
func.func @conv_transpose_cut(%x: tensor<1x1x4x4xf32>, %y: tensor<1x1x2x2xf32>) -> tensor<1x1x7x7xf32> {
  %0 = uma.graph.conv2d_transpose %x, %y strides [3, 3] padding [3, 3, 3, 3] output_padding [2, 2] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x7x7xf32>
  return %0 : tensor<1x1x7x7xf32>
}

// CHECK-NEXT: conv3d_transpose: 192 numbers equal
func.func @conv3d_transpose(%x: tensor<1x2x2x3x2xf32>, %y: tensor<2x3x2x2x2xf32>) -> tensor<1x3x4x4x4xf32> {
  %0 = uma.graph.conv3d_transpose %x, %y strides [2, 1, 2] : (tensor<1x2x2x3x2xf32>, tensor<2x3x2x2x2xf32>) -> tensor<1x3x4x4x4xf32>
  return %0 : tensor<1x3x4x4x4xf32>
}

// CHECK-NEXT: max_nchw: 18 numbers equal
func.func @max_nchw(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x3x3xf32> {
  %0 = uma.graph.max_pool2d %x size [3, 3] strides [2, 2] padding [1, 1, 1, 1] : (tensor<1x2x5x6xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// CHECK-NEXT: max_nhwc: 12 numbers equal
func.func @max_nhwc(%x: tensor<1x5x5x2xf32>) -> tensor<1x3x2x2xf32> {
  %0 = uma.graph.max_pool2d %x size [2, 3] strides [1, 2] dilations [2, 1] layout "NHWC" : (tensor<1x5x5x2xf32>) -> tensor<1x3x2x2xf32>
  return %0 : tensor<1x3x2x2xf32>
}

// CHECK-NEXT: max_ceil: 18 numbers equal
func.func @max_ceil(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32> {
  %0 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2] ceil_mode true : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// CHECK-NEXT: max_i8: 18 numbers equal
func.func @max_i8(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x3x3xi8> {
  %0 = uma.graph.max_pool2d %x size [2, 2] : (tensor<1x2x4x4xi8>) -> tensor<1x2x3x3xi8>
  return %0 : tensor<1x2x3x3xi8>
}

// CHECK-NEXT: max3d: 64 numbers equal
func.func @max3d(%x: tensor<1x2x4x3x3xf32>) -> tensor<1x2x2x4x4xf32> {
  %0 = uma.graph.max_pool3d %x size [2, 2, 2] strides [2, 1, 1] padding [0, 1, 1, 0, 1, 1] : (tensor<1x2x4x3x3xf32>) -> tensor<1x2x2x4x4xf32>
  return %0 : tensor<1x2x2x4x4xf32>
}

// CHECK-NEXT: max3d_ndhwc: 16 numbers equal
func.func @max3d_ndhwc(%x: tensor<1x3x3x3x2xf32>) -> tensor<1x2x2x2x2xf32> {
  %0 = uma.graph.max_pool3d %x size [2, 2, 2] layout "NDHWC" : (tensor<1x3x3x3x2xf32>) -> tensor<1x2x2x2x2xf32>
  return %0 : tensor<1x2x2x2x2xf32>
}

// CHECK-NEXT: avg_nchw: 18 numbers equal
func.func @avg_nchw(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32> {
  %0 = uma.graph.avg_pool2d %x size [3, 3] strides [2, 2] padding [1, 1, 1, 1] : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// CHECK-NEXT: avg_count_padding: 32 numbers equal
func.func @avg_count_padding(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %0 = uma.graph.avg_pool2d %x size [3, 2] padding [1, 1, 1, 0] count_include_pad true layout "NHWC" : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// CHECK-NEXT: avg_ceil: 16 numbers equal
func.func @avg_ceil(%x: tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32> {
  %0 = uma.graph.avg_pool2d %x size [3, 3] strides [2, 2] padding [1, 1, 1, 1] ceil_mode true count_include_pad true : (tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// CHECK-NEXT: avg_f16: 18 numbers equal
func.func @avg_f16(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x3x3xf16> {
  %0 = uma.graph.avg_pool2d %x size [2, 2] : (tensor<1x2x4x4xf16>) -> tensor<1x2x3x3xf16>
  return %0 : tensor<1x2x3x3xf16>
}

// CHECK-NEXT: avg3d: 72 numbers equal
func.func @avg3d(%x: tensor<1x2x3x4x4xf32>) -> tensor<1x2x3x4x3xf32> {
  %0 = uma.graph.avg_pool3d %x size [2, 3, 2] padding [0, 1, 0, 1, 1, 0] : (tensor<1x2x3x4x4xf32>) -> tensor<1x2x3x4x3xf32>
  return %0 : tensor<1x2x3x4x3xf32>
}

// CHECK-NEXT: global_avg: 3 numbers equal
func.func @global_avg(%x: tensor<1x3x4x5xf32>) -> tensor<1x3x1x1xf32> {
  %0 = uma.graph.global_avg_pool2d %x : (tensor<1x3x4x5xf32>) -> tensor<1x3x1x1xf32>
  return %0 : tensor<1x3x1x1xf32>
}

// CHECK-NEXT: global_avg_nhwc: 6 numbers equal
func.func @global_avg_nhwc(%x: tensor<2x4x5x3xf32>) -> tensor<2x1x1x3xf32> {
  %0 = uma.graph.global_avg_pool2d %x layout "NHWC" : (tensor<2x4x5x3xf32>) -> tensor<2x1x1x3xf32>
  return %0 : tensor<2x1x1x3xf32>
}

// CHECK-NEXT: global_max: 3 numbers equal
func.func @global_max(%x: tensor<1x3x4x5xf32>) -> tensor<1x3x1x1xf32> {
  %0 = uma.graph.global_max_pool2d %x : (tensor<1x3x4x5xf32>) -> tensor<1x3x1x1xf32>
  return %0 : tensor<1x3x1x1xf32>
}

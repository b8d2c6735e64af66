// RUN: uma-opt %s | uma-opt | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt | FileCheck %s

// Convolutions and pools of every rank, and what they share their windows with.

// CHECK-LABEL: @convolutions
func.func @convolutions(%x3: tensor<1x2x4x4x4xf32>, %w3: tensor<3x2x3x3x3xf32>, %last: tensor<1x4x4x4x2xf32>,
                        %x2: tensor<1x4x5x5xf32>, %wt2: tensor<4x8x2x2xf32>, %wt3: tensor<2x4x2x2x2xf32>) {
  // CHECK: uma.graph.conv3d %{{.*}}, %{{.*}} padding [1, 1, 1, 1, 1, 1] : (tensor<1x2x4x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x4x4x4xf32>
  %0 = uma.graph.conv3d %x3, %w3 padding [1, 1, 1, 1, 1, 1]
      : (tensor<1x2x4x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x4x4x4xf32>
  // CHECK: uma.graph.conv3d %{{.*}}, %{{.*}} layout "NDHWC" : {{.*}} -> tensor<1x2x2x2x3xf32>
  %1 = uma.graph.conv3d %last, %w3 layout "NDHWC"
      : (tensor<1x4x4x4x2xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x2x2x2x3xf32>
  // CHECK: uma.graph.conv2d_transpose %{{.*}}, %{{.*}} strides [2, 3] padding [1, 0, 0, 0] output_padding [1, 2] : {{.*}} -> tensor<1x8x10x16xf32>
  %2 = uma.graph.conv2d_transpose %x2, %wt2 strides [2, 3] padding [1, 0, 0, 0] output_padding [1, 2]
      : (tensor<1x4x5x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x8x10x16xf32>
  // CHECK: uma.graph.conv2d_transpose %{{.*}}, %{{.*}} dilations [2, 2] groups 2 : {{.*}} -> tensor<1x16x7x7xf32>
  %3 = uma.graph.conv2d_transpose %x2, %wt2 dilations [2, 2] groups 2
      : (tensor<1x4x5x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x16x7x7xf32>
  // CHECK: uma.graph.conv3d_transpose %{{.*}}, %{{.*}} strides [2, 2, 2] : {{.*}} -> tensor<1x4x8x8x8xf32>
  %4 = uma.graph.conv3d_transpose %x3, %wt3 strides [2, 2, 2]
      : (tensor<1x2x4x4x4xf32>, tensor<2x4x2x2x2xf32>) -> tensor<1x4x8x8x8xf32>
  return
}

// CHECK-LABEL: @moved
func.func @moved(%x: tensor<1x2x3x3xf32>, %offset: tensor<1x16x2x2xf32>, %mask: tensor<1x8x2x2xf32>,
                 %w: tensor<4x1x2x2xf32>, %columns: tensor<2x10x5xi8>) {
  // CHECK: uma.graph.deformable_conv2d %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} groups 2 offset_groups 2 :
  %0 = uma.graph.deformable_conv2d %x, %offset, %w mask %mask groups 2 offset_groups 2
      : (tensor<1x2x3x3xf32>, tensor<1x16x2x2xf32>, tensor<4x1x2x2xf32>, tensor<1x8x2x2xf32>) -> tensor<1x4x2x2xf32>
  // CHECK: uma.graph.deformable_conv2d %{{.*}}, %{{.*}}, %{{.*}} groups 2 offset_groups 2 :
  %1 = uma.graph.deformable_conv2d %x, %offset, %w groups 2 offset_groups 2
      : (tensor<1x2x3x3xf32>, tensor<1x16x2x2xf32>, tensor<4x1x2x2xf32>) -> tensor<1x4x2x2xf32>
  // CHECK: uma.graph.col2im %{{.*}} image [5, 5] block [1, 5] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] : {{.*}} -> tensor<2x2x5x5xi8>
  %2 = uma.graph.col2im %columns image [5, 5] block [1, 5] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1]
      : (tensor<2x10x5xi8>) -> tensor<2x2x5x5xi8>
  return
}

// CHECK-LABEL: @pools
func.func @pools(%x1: tensor<1x2x7xf32>, %x2: tensor<1x2x7x7xui8>, %x3: tensor<1x2x7x7x7xf32>) {
  // CHECK: uma.graph.max_pool3d %{{.*}} size [2, 2, 2] strides [2, 2, 2] ceil_mode true : {{.*}} -> tensor<1x2x4x4x4xf32>
  %0 = uma.graph.max_pool3d %x3 size [2, 2, 2] strides [2, 2, 2] ceil_mode true
      : (tensor<1x2x7x7x7xf32>) -> tensor<1x2x4x4x4xf32>
  // CHECK: uma.graph.avg_pool3d %{{.*}} size [3, 3, 3] padding [1, 1, 1, 1, 1, 1] count_include_pad true : {{.*}} -> tensor<1x2x7x7x7xf32>
  %1 = uma.graph.avg_pool3d %x3 size [3, 3, 3] padding [1, 1, 1, 1, 1, 1] count_include_pad true
      : (tensor<1x2x7x7x7xf32>) -> tensor<1x2x7x7x7xf32>
  // CHECK: uma.graph.max_pool_indices %{{.*}} size [2, 2] strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1] column_major true : {{.*}} -> tensor<1x2x3x3xi64>
  %2 = uma.graph.max_pool_indices %x2 size [2, 2] strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1] column_major true
      : (tensor<1x2x7x7xui8>) -> tensor<1x2x3x3xi64>
  // CHECK: uma.graph.lp_pool %{{.*}} size [3] strides [2] padding [1, 1] dilations [1] p 3 : {{.*}} -> tensor<1x2x4xf32>
  %3 = uma.graph.lp_pool %x1 size [3] strides [2] padding [1, 1] dilations [1] p 3
      : (tensor<1x2x7xf32>) -> tensor<1x2x4xf32>
  // CHECK: uma.graph.global_max_pool2d %{{.*}} : {{.*}} -> tensor<1x2x1x1xui8>
  %4 = uma.graph.global_max_pool2d %x2 : (tensor<1x2x7x7xui8>) -> tensor<1x2x1x1xui8>
  return
}

// CHECK-LABEL: @signals
func.func @signals(%x: tensor<3x8x2xf64>, %t: tensor<10x2xf64>) {
  // CHECK: uma.graph.dft %{{.*}}, %{{.*}} axis -2 onesided true : {{.*}} -> tensor<3x6x2xf64>
  %0 = uma.graph.dft %x, %t axis -2 onesided true : (tensor<3x8x2xf64>, tensor<10x2xf64>) -> tensor<3x6x2xf64>
  return
}

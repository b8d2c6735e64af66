// What stands around matches of devices with layouts, padding outside and limits; the composite holds the inverse.

// RUN: uma-opt %s --split-input-file --uma-accel-merge-composite | FileCheck %s

uma.accel.accelerator @npu {
  uma.accel.pattern @conv {
    %c = uma.accel.dim "c"
    %h = uma.accel.dim "h"
    %w = uma.accel.dim "w"
    %oc = uma.accel.dim "oc"
    %oh = uma.accel.dim "oh"
    %x = uma.accel.input "x" f32 [1, %c, %h, %w] as affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
    %k = uma.accel.input "k" f32 [%oc, %c, 3, 3]
    %y = uma.accel.op "conv2d"(%x, %k) as "y" {padding = "outside"}
    uma.accel.result %y f32 [1, %oc, %oh, ?] as affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
    uma.accel.call "npu_conv"(%x, %k, %y, %c, %h, %w, %oc, %oh)
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index, index, index, index, index
  }
}

// The second convolution gets what the first one writes: nothing is transposed between them.
// CHECK-LABEL: func.func @chain
// CHECK: %[[X:.*]] = uma.graph.transpose %arg0 [0, 2, 3, 1] {uma.border} : (tensor<1x2x6x5xf32>) -> tensor<1x6x5x2xf32>
// CHECK: %[[P:.*]] = uma.graph.pad %[[X]] before [0, 1, 1, 0] after [0, 1, 1, 0] {uma.border} : (tensor<1x6x5x2xf32>) -> tensor<1x8x7x2xf32>
// CHECK: %[[A:.*]] = uma.graph.composite @npu::@conv (%[[I:.*]] = %[[P]] : tensor<1x8x7x2xf32>, %{{.*}} = %arg1 : tensor<4x2x3x3xf32>) -> tensor<1x6x5x4xf32> {
// CHECK:   %[[T:.*]] = uma.graph.transpose %[[I]] [0, 3, 1, 2] {uma.border}
// CHECK:   %[[C:.*]] = uma.graph.conv2d %[[T]], %{{.*}} : (tensor<1x2x8x7xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x6x5xf32>
// CHECK:   %[[Y:.*]] = uma.graph.transpose %[[C]] [0, 2, 3, 1] {uma.border}
// CHECK:   uma.graph.yield %[[Y]]
// CHECK: %[[B:.*]] = uma.graph.composite @npu::@conv (%{{.*}} = %[[A]] : tensor<1x6x5x4xf32>, %{{.*}} = %arg2 : tensor<3x4x3x3xf32>) -> tensor<1x4x3x3xf32> {
// CHECK: %[[R:.*]] = uma.graph.transpose %[[B]] [0, 3, 1, 2] {uma.border}
// CHECK: return %[[R]]
func.func @chain(%x: tensor<1x2x6x5xf32>, %k: tensor<4x2x3x3xf32>, %l: tensor<3x4x3x3xf32>) -> tensor<1x3x4x3xf32> {
  %0 = uma.graph.conv2d %x, %k padding [1, 1, 1, 1] : (tensor<1x2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x6x5xf32>
  %1 = uma.graph.conv2d %0, %l : (tensor<1x4x6x5xf32>, tensor<3x4x3x3xf32>) -> tensor<1x3x4x3xf32>
  return %1 : tensor<1x3x4x3xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @dense {
    %m = uma.accel.dim "m"
    %n = uma.accel.dim "n"
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x" f32 [%m, %k]
    %w = uma.accel.input "w" f32 [%n, %k] as affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>
    %b = uma.accel.input "b" f32 [%n]
    %d = uma.accel.op "dense"(%x, %w)
    %t = uma.accel.op "bias_add"(%d, %b)
    %y = uma.accel.choice(%t) else %d as "y"
    uma.accel.split %n by 6
    uma.accel.split %m by 2
    uma.accel.call "npu_dense"(%x, %w, %b, %y, %m, %n, %k)
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index, index, index
  }
}

// Two pieces of the columns and of the rows; the last blocks of weights are filled.
// CHECK-LABEL: func.func @pieces
// CHECK: uma.graph.strided_slice %arg0 [0, 0] size [2, 5] strides [1, 1] {uma.border}
// CHECK: uma.graph.strided_slice %arg1 [0, 0] size [6, 5] strides [1, 1] {uma.border}
// CHECK: uma.graph.pad %{{.*}} before [0, 0] after [2, 0] {uma.border} : (tensor<6x5xf32>) -> tensor<8x5xf32>
// CHECK: uma.graph.reshape %{{.*}} [2, 4, 5] {uma.border}
// CHECK: uma.graph.transpose %{{.*}} [0, 2, 1] {uma.border}
// CHECK: uma.graph.strided_slice %arg2 [0] size [6] strides [1] {uma.border}
// CHECK: %[[A:.*]] = uma.graph.composite @npu::@dense {{.*}} -> tensor<2x6xf32> {
// CHECK:   uma.graph.strided_slice %{{.*}} [0, 0] size [6, 5] strides [1, 1] {uma.border}
// CHECK: uma.graph.strided_slice %arg0 [2, 0] size [1, 5] strides [1, 1] {uma.border}
// CHECK: %[[B:.*]] = uma.graph.composite @npu::@dense {{.*}} -> tensor<1x6xf32> {
// CHECK: uma.graph.strided_slice %arg1 [6, 0] size [3, 5] strides [1, 1] {uma.border}
// CHECK: %[[C:.*]] = uma.graph.composite @npu::@dense {{.*}} -> tensor<2x3xf32> {
// CHECK: %[[D:.*]] = uma.graph.composite @npu::@dense {{.*}} -> tensor<1x3xf32> {
// CHECK: %[[L:.*]] = uma.graph.concatenate %[[A]], %[[B]] axis 0 {uma.border}
// CHECK: %[[R:.*]] = uma.graph.concatenate %[[C]], %[[D]] axis 0 {uma.border}
// CHECK: %[[Y:.*]] = uma.graph.concatenate %[[L]], %[[R]] axis 1 {uma.border}
// CHECK: return %[[Y]]
func.func @pieces(%x: tensor<3x5xf32>, %w: tensor<9x5xf32>, %b: tensor<9xf32>) -> tensor<3x9xf32> {
  %0 = uma.graph.dense %x, %w : (tensor<3x5xf32>, tensor<9x5xf32>) -> tensor<3x9xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<3x9xf32>, tensor<9xf32>) -> tensor<3x9xf32>
  return %1 : tensor<3x9xf32>
}

// RUN: uma-opt %s --uma-graph-split-rows --split-input-file --mlir-print-local-scope | FileCheck %s
// RUN: uma-opt %s --uma-graph-split-rows --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=NAMES
// RUN: uma-opt %s --uma-graph-split-rows=report --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// Each stripe reads a row more on either side, which is padding at the edges of the image.
// CHECK-LABEL: func.func @halo(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x6x2xf32>
// CHECK-NEXT:    %[[X0:.*]] = uma.graph.strided_slice %[[X]] [0, 0, 0, 0] size [1, 6, 6, 2]
// CHECK-NEXT:    %[[A0:.*]] = uma.graph.conv2d %[[X0]], %{{.*}} padding [1, 1, 0, 1] {{.*}} -> tensor<1x5x6x2xf32>
// CHECK-NEXT:    %[[B0:.*]] = uma.graph.conv2d %[[A0]], %{{.*}} padding [1, 1, 0, 1] {{.*}} -> tensor<1x4x6x2xf32>
// CHECK-NEXT:    %[[X1:.*]] = uma.graph.strided_slice %[[X]] [0, 2, 0, 0] size [1, 6, 6, 2]
// CHECK-NEXT:    %[[A1:.*]] = uma.graph.conv2d %[[X1]], %{{.*}} padding [0, 1, 1, 1] {{.*}} -> tensor<1x5x6x2xf32>
// CHECK-NEXT:    %[[B1:.*]] = uma.graph.conv2d %[[A1]], %{{.*}} padding [0, 1, 1, 1] {{.*}} -> tensor<1x4x6x2xf32>
// CHECK-NEXT:    %[[Y:.*]] = uma.graph.concatenate %[[B0]], %[[B1]] axis 1
// CHECK-NEXT:    return %[[Y]]
// NAMES: loc("conv1 [rows 0..5)"
// NAMES: loc("conv2 [rows 4..8)"
// REPORT: split-rows.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: runs in 2 stripes of 4 of 8 rows, with the layers from 'conv1' on; recomputes 12.5 % of all multiply-accumulates
func.func @halo(%x: tensor<1x8x6x2xf32>, %w: tensor<3x3x2x2xf32>) -> tensor<1x8x6x2xf32> {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] layout "NHWC" kernel_layout "HWIO" : (tensor<1x8x6x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x8x6x2xf32> loc("conv1")
  %1 = uma.graph.conv2d %0, %w padding [1, 1, 1, 1] layout "NHWC" kernel_layout "HWIO" {uma.stripe_rows = 4 : i64} : (tensor<1x8x6x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x8x6x2xf32> loc(fused["conv2", "split-rows.mlir":1:1])
  return %1 : tensor<1x8x6x2xf32>
}

// -----

// Strides and dilations: 3 rows, the last stripe has one. The last row of the data is in no window.
// CHECK-LABEL: func.func @strides(
// CHECK-SAME:    %[[X:.*]]: tensor<1x13x4x2xf32>
// CHECK-NEXT:    uma.graph.strided_slice %[[X]] [0, 0, 0, 0] size [1, 9, 4, 2]
// CHECK-NEXT:    uma.graph.relu %{{.*}} -> tensor<1x9x4x2xf32>
// CHECK-NEXT:    uma.graph.conv2d {{.*}} strides [3, 1] padding [1, 0, 0, 0] dilations [3, 1] groups 2 {{.*}} -> tensor<1x2x4x2xf32>
// CHECK-NEXT:    uma.graph.strided_slice %[[X]] [0, 5, 0, 0] size [1, 7, 4, 2]
// CHECK-NEXT:    uma.graph.relu
// CHECK-NEXT:    uma.graph.conv2d {{.*}} strides [3, 1] dilations [3, 1] groups 2 {{.*}} -> tensor<1x1x4x2xf32>
func.func @strides(%x: tensor<1x13x4x2xf32>, %w: tensor<3x1x1x2xf32>) -> tensor<1x3x4x2xf32> {
  %0 = uma.graph.relu %x : (tensor<1x13x4x2xf32>) -> tensor<1x13x4x2xf32>
  %1 = uma.graph.conv2d %0, %w strides [3, 1] padding [1, 0, 0, 0] dilations [3, 1] groups 2 layout "NHWC" kernel_layout "HWIO" {uma.stripe_rows = 2 : i64} : (tensor<1x13x4x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x3x4x2xf32>
  return %1 : tensor<1x3x4x2xf32>
}

// -----

// The addition needs fewer rows of %0 than the convolution. Operands without rows are used as they are.
// CHECK-LABEL: func.func @residual(
// CHECK:         %[[A0:.*]] = uma.graph.relu %{{.*}} -> tensor<1x5x2x2xf32>
// CHECK-NEXT:    %[[C0:.*]] = uma.graph.conv2d %[[A0]], {{.*}} -> tensor<1x4x2x2xf32>
// CHECK-NEXT:    %[[D0:.*]] = uma.graph.bias_add %[[C0]], %{{.*}} axis 3
// CHECK-NEXT:    %[[S0:.*]] = uma.graph.strided_slice %[[A0]] [0, 0, 0, 0] size [1, 4, 2, 2]
// CHECK-NEXT:    %[[E0:.*]] = uma.graph.add %[[D0]], %[[S0]]
// CHECK-NEXT:    uma.graph.multiply %[[E0]], %arg3 : (tensor<1x4x2x2xf32>, tensor<1x2x2xf32>)
// CHECK-NEXT:    uma.graph.strided_slice %arg0 [0, 3, 0, 0] size [1, 6, 2, 2]
// CHECK-NEXT:    %[[A1:.*]] = uma.graph.relu
// CHECK:         uma.graph.strided_slice %[[A1]] [0, 1, 0, 0] size [1, 4, 2, 2]
// REPORT: remark: runs in 3 stripes of 4 of 10 rows, with the layers from 'conv2d' on; recomputes 0.0 % of all multiply-accumulates
func.func @residual(%x: tensor<1x10x2x2xf32>, %w: tensor<3x3x2x2xf32>, %b: tensor<2xf32>, %f: tensor<1x2x2xf32>) -> tensor<1x10x2x2xf32> {
  %0 = uma.graph.relu %x : (tensor<1x10x2x2xf32>) -> tensor<1x10x2x2xf32>
  %1 = uma.graph.conv2d %0, %w padding [1, 1, 1, 1] layout "NHWC" kernel_layout "HWIO" : (tensor<1x10x2x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x10x2x2xf32>
  %2 = uma.graph.bias_add %1, %b axis 3 : (tensor<1x10x2x2xf32>, tensor<2xf32>) -> tensor<1x10x2x2xf32>
  %3 = uma.graph.add %2, %0 : (tensor<1x10x2x2xf32>, tensor<1x10x2x2xf32>) -> tensor<1x10x2x2xf32>
  %4 = uma.graph.multiply %3, %f {uma.stripe_rows = 4 : i64} : (tensor<1x10x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x10x2x2xf32>
  return %4 : tensor<1x10x2x2xf32>
}

// -----

// A pool is kept that is marked, and one that another operator reads. What converts it is copied all the same.
// CHECK-LABEL: func.func @begins(
// CHECK:         %[[A:.*]] = uma.graph.max_pool2d %arg0 {{.*}} layout "NHWC" : {{.*}} -> tensor<1x6x4x2xf32>
// CHECK-NEXT:    %[[B:.*]] = uma.graph.relu %[[A]] : (tensor<1x6x4x2xf32>)
// CHECK-NEXT:    %[[C:.*]] = uma.graph.max_pool2d %[[A]] {{.*}} -> tensor<1x6x4x2xf32>
// CHECK-NEXT:    uma.graph.strided_slice %[[A]] [0, 0, 0, 0] size [1, 3, 4, 2]
// CHECK-NEXT:    uma.graph.relu %{{.*}} -> tensor<1x3x4x2xf32>
// CHECK-NEXT:    uma.graph.strided_slice %[[C]] [0, 0, 0, 0] size [1, 3, 4, 2]
// CHECK-NEXT:    uma.graph.concatenate {{.*}} axis 3 : (tensor<1x3x4x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:    uma.graph.strided_slice %[[A]] [0, 3, 0, 0] size [1, 3, 4, 2]
// CHECK:         return %[[B]], %[[C]], %{{.*}} :
func.func @begins(%x: tensor<1x6x4x2xf32>) -> (tensor<1x6x4x2xf32>, tensor<1x6x4x2xf32>, tensor<1x6x4x4xf32>) {
  %a = uma.graph.max_pool2d %x size [3, 3] padding [1, 1, 1, 1] layout "NHWC" {uma.keep_whole} : (tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  %b = uma.graph.relu %a : (tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  %c = uma.graph.max_pool2d %a size [3, 3] padding [1, 1, 1, 1] layout "NHWC" : (tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  %d = uma.graph.concatenate %b, %c axis 3 {uma.stripe_rows = 3 : i64} : (tensor<1x6x4x2xf32>, tensor<1x6x4x2xf32>) -> tensor<1x6x4x4xf32>
  return %b, %c, %d : tensor<1x6x4x2xf32>, tensor<1x6x4x2xf32>, tensor<1x6x4x4xf32>
}

// -----

// Chains end where the next one begins. One with too few rows stays.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[A:.*]] = uma.graph.concatenate %{{.*}}, %{{.*}}, %{{.*}} axis 1
// CHECK-NEXT:    uma.graph.strided_slice %[[A]] [0, 0, 0, 0] size [1, 4, 4, 2]
// CHECK:         %[[B:.*]] = uma.graph.concatenate %{{.*}}, %{{.*}} axis 1
// CHECK-NEXT:    uma.graph.avg_pool2d %[[B]] {{.*}} -> tensor<1x3x4x2xf32>
func.func @two(%x: tensor<1x6x4x2xf32>) -> tensor<1x3x4x2xf32> {
  %a = uma.graph.max_pool2d %x size [3, 3] padding [1, 1, 1, 1] layout "NHWC" {uma.stripe_rows = 2 : i64} : (tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  %b = uma.graph.max_pool2d %a size [3, 3] padding [1, 1, 1, 1] layout "NHWC" {uma.stripe_rows = 3 : i64} : (tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  %c = uma.graph.avg_pool2d %b size [2, 1] strides [2, 1] layout "NHWC" {uma.stripe_rows = 3 : i64} : (tensor<1x6x4x2xf32>) -> tensor<1x3x4x2xf32>
  return %c : tensor<1x3x4x2xf32>
}

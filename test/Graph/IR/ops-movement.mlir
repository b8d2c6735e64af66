// RUN: uma-opt %s --verify-roundtrip | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt --verify-roundtrip | FileCheck %s
// RUN: uma-opt %s --emit-bytecode | uma-opt | FileCheck %s

// Slices, gathers, scatters and samples, in every form of their attributes.

// CHECK-LABEL: func @movement
func.func @movement(%x: tensor<3x8xf32>, %n: tensor<3xi64>) {
  // CHECK: uma.graph.strided_slice %{{.*}} [0, 7] size [2, 4] strides [1, -2] :
  %0 = uma.graph.strided_slice %x [0, 7] size [2, 4] strides [1, -2] : (tensor<3x8xf32>) -> tensor<2x4xf32>
  // CHECK: uma.graph.broadcast_to %{{.*}} [2, 3, 8] :
  %1 = uma.graph.broadcast_to %x [2, 3, 8] : (tensor<3x8xf32>) -> tensor<2x3x8xf32>
  // CHECK: uma.graph.trilu %{{.*}} k -1 upper true :
  %2 = uma.graph.trilu %x k -1 upper true : (tensor<3x8xf32>) -> tensor<3x8xf32>
  // CHECK: uma.graph.reverse_sequence %{{.*}}, %{{.*}} seq_axis 1 batch_axis 0 :
  %3 = uma.graph.reverse_sequence %x, %n seq_axis 1 batch_axis 0 : (tensor<3x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  // CHECK: uma.graph.pad %{{.*}} before [1, 0] after [0, 2] mode "reflect" :
  %4 = uma.graph.pad %x before [1, 0] after [0, 2] mode "reflect" : (tensor<3x8xf32>) -> tensor<4x10xf32>
  return
}

// CHECK-LABEL: func @index
func.func @index(%x: tensor<3x8xf32>, %i: tensor<2x1xi32>, %u: tensor<2x1xf32>, %v: tensor<2x8xf32>, %s: tensor<f32>) {
  // CHECK: uma.graph.take %{{.*}}, %{{.*}} axis 0 : (tensor<256xi8>, tensor<2x1xui8>) -> tensor<2x1xi8>
  %bytes = uma.graph.constant dense<1> : tensor<2x1xui8>
  %table = uma.graph.constant dense<1> : tensor<256xi8>
  %looked_up = uma.graph.take %table, %bytes axis 0 : (tensor<256xi8>, tensor<2x1xui8>) -> tensor<2x1xi8>
  // CHECK: uma.graph.take %{{.*}}, %{{.*}} axis 1 :
  %0 = uma.graph.take %x, %i axis 1 : (tensor<3x8xf32>, tensor<2x1xi32>) -> tensor<3x2x1xf32>
  // CHECK: uma.graph.gather %{{.*}}, %{{.*}} axis 0 :
  %1 = uma.graph.gather %x, %i axis 0 : (tensor<3x8xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  // CHECK: uma.graph.gather_nd %{{.*}}, %{{.*}} batch_dims 0 :
  %2 = uma.graph.gather_nd %x, %i batch_dims 0 : (tensor<3x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  // CHECK: uma.graph.scatter_elements %{{.*}}, %{{.*}}, %{{.*}} axis 0 :
  %3 = uma.graph.scatter_elements %x, %i, %u axis 0 reduction "none"
      : (tensor<3x8xf32>, tensor<2x1xi32>, tensor<2x1xf32>) -> tensor<3x8xf32>
  // CHECK: uma.graph.scatter_nd %{{.*}}, %{{.*}}, %{{.*}} reduction "max" :
  %4 = uma.graph.scatter_nd %x, %i, %v reduction "max"
      : (tensor<3x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<3x8xf32>
  // CHECK: uma.graph.one_hot %{{.*}}, %{{.*}}, %{{.*}} depth 4 axis -1 :
  %5 = uma.graph.one_hot %i, %s, %s depth 4 axis -1 : (tensor<2x1xi32>, tensor<f32>, tensor<f32>) -> tensor<2x1x4xf32>
  return
}

// CHECK-LABEL: func @image
func.func @image(%x: tensor<1x2x4x5xf32>, %g: tensor<1x3x3x2xf32>, %i: tensor<6x2xi64>, %w: tensor<6x2xf32>,
                 %r: tensor<7x4xf32>, %b: tensor<7xi64>, %scores: tensor<2x7xf32>) {
  // CHECK: uma.graph.interpolate %{{.*}}, %{{.*}}, %{{.*}} axis 2 :
  %0 = uma.graph.interpolate %x, %i, %w axis 2
      : (tensor<1x2x4x5xf32>, tensor<6x2xi64>, tensor<6x2xf32>) -> tensor<1x2x6x5xf32>
  // CHECK: uma.graph.grid_sample %{{.*}}, %{{.*}} : (
  %1 = uma.graph.grid_sample %x, %g method "bilinear" padding "zeros" align_corners false
      : (tensor<1x2x4x5xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x3x3xf32>
  // CHECK: uma.graph.grid_sample %{{.*}}, %{{.*}} method "bicubic" padding "border" align_corners true :
  %2 = uma.graph.grid_sample %x, %g method "bicubic" padding "border" align_corners true
      : (tensor<1x2x4x5xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x3x3xf32>
  // CHECK: uma.graph.non_max_suppression %{{.*}}, %{{.*}} k 3 iou_threshold 5.000000e-01 score_threshold 1.000000e-01 :
  %nms = uma.graph.non_max_suppression %r, %scores k 3 iou_threshold 0.5 score_threshold 0.1
      : (tensor<7x4xf32>, tensor<2x7xf32>) -> tensor<2x3xi64>
  // CHECK: uma.graph.roi_align %{{.*}}, %{{.*}}, %{{.*}} pooled_size [2, 3] spatial_scale 5.000000e-01 sample_ratio 2 mode "max" aligned false :
  %3 = uma.graph.roi_align %x, %r, %b pooled_size [2, 3] spatial_scale 0.5 sample_ratio 2 mode "max" aligned false
      : (tensor<1x2x4x5xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x2x2x3xf32>
  return
}

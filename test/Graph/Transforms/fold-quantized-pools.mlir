// Global average pools between dequantize and quantize: sums of integers and one factor.

// RUN: uma-opt %s --split-input-file --uma-graph-fold-quantized-pools | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-graph-requantize-fixed-point --uma-graph-fold-quantized-pools | FileCheck %s --check-prefix=FIXED

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<i8:f32, 0.25:-3>

// Four elements, whose zero points add up to 28. The factor is 0.5 / (0.25 * 4).

// CHECK-LABEL: @nchw
// CHECK: %[[I:.*]] = uma.graph.storage_cast %{{.*}} -> tensor<1x3x2x2xui8>
// CHECK: %[[W:.*]] = uma.graph.cast %[[I]] to i32
// CHECK: %[[S:.*]] = uma.graph.sum %[[W]] axis [2, 3] keepdims true : (tensor<1x3x2x2xi32>) -> tensor<1x3x1x1xi32>
// CHECK: %[[Z:.*]] = uma.graph.constant dense<28> : tensor<i32>
// CHECK: %[[D:.*]] = uma.graph.subtract %[[S]], %[[Z]]
// CHECK: %[[Q:.*]] = uma.graph.storage_cast %[[D]] : (tensor<1x3x1x1xi32>) -> tensor<1x3x1x1x!quant.uniform<i32:f32, 1.250000e-01>>
// CHECK: uma.graph.requantize %[[Q]] : {{.*}} -> tensor<1x3x1x1x!quant.uniform<i8:f32, 2.500000e-01:-3>>
// CHECK-NOT: uma.graph.global_avg_pool2d
// CHECK: return
// FIXED-LABEL: @nchw
// FIXED: uma.graph.requantize %{{.*}} rounding "tflite"
func.func @nchw(%q: tensor<1x3x2x2x!x>) -> tensor<1x3x1x1x!y> {
  %0 = uma.graph.dequantize %q : (tensor<1x3x2x2x!x>) -> tensor<1x3x2x2xf32>
  %1 = uma.graph.global_avg_pool2d %0 : (tensor<1x3x2x2xf32>) -> tensor<1x3x1x1xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1x!y>
  return %2 : tensor<1x3x1x1x!y>
}

// -----

!x = !quant.uniform<i8:f32, 0.3>
!w = !quant.uniform<i16:f32, 0.3>

// Nine elements in NHWC: the scale of the sums is the one whose quotient in f32 is the factor. 16 bits and a pool of floats stay.

// CHECK-LABEL: @others
// CHECK: uma.graph.sum %{{.*}} axis [1, 2] keepdims true
// CHECK-NOT: uma.graph.subtract
// CHECK: uma.graph.requantize
// CHECK: uma.graph.global_avg_pool2d
// CHECK: uma.graph.global_avg_pool2d
// FIXED-LABEL: @others
func.func @others(%q: tensor<1x3x3x2x!x>, %w: tensor<1x3x3x2x!w>, %f: tensor<1x3x3x2xf32>)
    -> (tensor<1x1x1x2x!x>, tensor<1x1x1x2x!w>, tensor<1x1x1x2x!x>) {
  %0 = uma.graph.dequantize %q : (tensor<1x3x3x2x!x>) -> tensor<1x3x3x2xf32>
  %1 = uma.graph.global_avg_pool2d %0 layout "NHWC" : (tensor<1x3x3x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2x!x>
  %3 = uma.graph.dequantize %w : (tensor<1x3x3x2x!w>) -> tensor<1x3x3x2xf32>
  %4 = uma.graph.global_avg_pool2d %3 layout "NHWC" : (tensor<1x3x3x2xf32>) -> tensor<1x1x1x2xf32>
  %5 = uma.graph.quantize %4 : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2x!w>
  %6 = uma.graph.global_avg_pool2d %f layout "NHWC" : (tensor<1x3x3x2xf32>) -> tensor<1x1x1x2xf32>
  %7 = uma.graph.quantize %6 : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2x!x>
  return %2, %5, %7 : tensor<1x1x1x2x!x>, tensor<1x1x1x2x!w>, tensor<1x1x1x2x!x>
}

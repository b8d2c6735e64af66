// Average pools and softmax between dequantize and quantize of bytes: rounded as ONNX Runtime's quantized kernels do.

// RUN: uma-opt %s --split-input-file --uma-graph-fold-quantized-functions | FileCheck %s

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<u8:f32, 0.25:3>

// The zero point is added before the sum is rounded.

// CHECK-LABEL: @pool
// CHECK: %[[M:.*]] = uma.graph.avg_pool2d
// CHECK: %[[S:.*]] = uma.graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK: %[[D:.*]] = uma.graph.divide %[[M]], %[[S]]
// CHECK: %[[Z:.*]] = uma.graph.constant dense<3.000000e+00> : tensor<f32>
// CHECK: %[[A:.*]] = uma.graph.add %[[D]], %[[Z]]
// CHECK: %[[R:.*]] = uma.graph.round %[[A]]
// CHECK: %[[I:.*]] = uma.graph.cast %[[R]] to ui8
// CHECK: %[[Q:.*]] = uma.graph.storage_cast %[[I]] : {{.*}} -> tensor<1x3x2x2x!quant.uniform<u8:f32, 2.500000e-01:3>>
// CHECK: return %[[Q]]
func.func @pool(%q: tensor<1x3x4x4x!x>) -> tensor<1x3x2x2x!y> {
  %0 = uma.graph.dequantize %q : (tensor<1x3x4x4x!x>) -> tensor<1x3x4x4xf32>
  %1 = uma.graph.avg_pool2d %0 size [2, 2] strides [2, 2] : (tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x2x!y>
  return %2 : tensor<1x3x2x2x!y>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<u8:f32, 0.25:0>

// Reshapes around the pool, and an activation that changes no number of the result: no number below 0 can be stored.

// CHECK-LABEL: @reshaped
// CHECK: uma.graph.avg_pool2d
// CHECK-NOT: uma.graph.relu
// CHECK: uma.graph.round
// CHECK: uma.graph.cast %{{.*}} to ui8 : (tensor<1x3x2x1xf32>)
// CHECK: uma.graph.reshape %{{.*}} -> tensor<1x3x2xui8>
// CHECK-NOT: uma.graph.quantize
// CHECK: return
func.func @reshaped(%q: tensor<1x3x4x!x>) -> tensor<1x3x2x!y> {
  %0 = uma.graph.dequantize %q : (tensor<1x3x4x!x>) -> tensor<1x3x4xf32>
  %1 = uma.graph.reshape %0 [1, 3, 4, 1] : (tensor<1x3x4xf32>) -> tensor<1x3x4x1xf32>
  %2 = uma.graph.avg_pool2d %1 size [2, 1] strides [2, 1] : (tensor<1x3x4x1xf32>) -> tensor<1x3x2x1xf32>
  %3 = uma.graph.reshape %2 [1, 3, 2] : (tensor<1x3x2x1xf32>) -> tensor<1x3x2xf32>
  %4 = uma.graph.relu %3 : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  %5 = uma.graph.quantize %4 : (tensor<1x3x2xf32>) -> tensor<1x3x2x!y>
  return %5 : tensor<1x3x2x!y>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<u8:f32, 0.00390625>

// The difference from the largest integer of a row selects an exponential.

// CHECK-LABEL: @softmax
// CHECK-NOT: uma.graph.dequantize
// CHECK: %[[I:.*]] = uma.graph.storage_cast %arg0 : {{.*}} -> tensor<2x3xui8>
// CHECK: %[[W:.*]] = uma.graph.cast %[[I]] to i32
// CHECK: %[[L:.*]] = uma.graph.max %[[W]] axis [1] keepdims true : (tensor<2x3xi32>) -> tensor<2x1xi32>
// CHECK: %[[D:.*]] = uma.graph.subtract %[[W]], %[[L]]
// CHECK: %[[N:.*]] = uma.graph.add %[[D]], %{{.*}}
// CHECK: %[[E:.*]] = uma.graph.take %{{.*}}, %[[N]] axis 0 : (tensor<256xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
// CHECK: uma.graph.sum %[[E]] axis [1] keepdims true
// CHECK: uma.graph.divide
// CHECK: uma.graph.cast %{{.*}} to ui8
// CHECK-NOT: uma.graph.softmax
// CHECK: return
func.func @softmax(%q: tensor<2x3x!x>) -> tensor<2x3x!y> {
  %0 = uma.graph.dequantize %q : (tensor<2x3x!x>) -> tensor<2x3xf32>
  %1 = uma.graph.softmax %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = uma.graph.quantize %1 : (tensor<2x3xf32>) -> tensor<2x3x!y>
  return %2 : tensor<2x3x!y>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:7>
!s = !quant.uniform<i8:f32, 0.5:7>
!w = !quant.uniform<u16:f32, 0.5:7>

// A change from signed to unsigned bytes, 16 bits, other uses as floats, activations that change numbers, gaps in the window and TensorFlow Lite's rounding stay.

// CHECK-LABEL: @others
// CHECK-NOT: uma.graph.round
// CHECK-COUNT-6: uma.graph.quantize
// CHECK-NOT: uma.graph.round
// CHECK: return
func.func @others(%q: tensor<1x1x4x4x!x>, %i: tensor<1x1x4x4x!s>, %l: tensor<1x1x4x4x!w>)
    -> (tensor<1x1x4x4x!x>, tensor<1x1x4x4x!x>, tensor<1x1x4x4x!x>, tensor<1x1x4x4xf32>, tensor<1x1x3x3x!x>, tensor<1x1x2x2x!x>, tensor<1x1x3x3x!x>) {
  %0 = uma.graph.dequantize %q : (tensor<1x1x4x4x!x>) -> tensor<1x1x4x4xf32>
  %1 = uma.graph.dequantize %i : (tensor<1x1x4x4x!s>) -> tensor<1x1x4x4xf32>
  %2 = uma.graph.dequantize %l : (tensor<1x1x4x4x!w>) -> tensor<1x1x4x4xf32>
  %3 = uma.graph.softmax %1 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %4 = uma.graph.quantize %3 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4x!x>
  %5 = uma.graph.softmax %2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %6 = uma.graph.quantize %5 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4x!x>
  %7 = uma.graph.softmax %0 axis 1 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %8 = uma.graph.quantize %7 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4x!x>
  %9 = uma.graph.avg_pool2d %0 size [2, 2] : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32>
  %10 = uma.graph.relu %9 : (tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %11 = uma.graph.quantize %10 : (tensor<1x1x3x3xf32>) -> tensor<1x1x3x3x!x>
  %12 = uma.graph.avg_pool2d %0 size [2, 2] dilations [2, 2] : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  %13 = uma.graph.quantize %12 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2x!x>
  %14 = uma.graph.avg_pool2d %0 size [2, 2] : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32>
  %15 = uma.graph.quantize %14 rounding "tflite" : (tensor<1x1x3x3xf32>) -> tensor<1x1x3x3x!x>
  return %4, %6, %8, %7, %11, %13, %15
      : tensor<1x1x4x4x!x>, tensor<1x1x4x4x!x>, tensor<1x1x4x4x!x>, tensor<1x1x4x4xf32>, tensor<1x1x3x3x!x>, tensor<1x1x2x2x!x>, tensor<1x1x3x3x!x>
}

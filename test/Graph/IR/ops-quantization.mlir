// Quantized tensors and the operators that take them, printed and parsed again.

// RUN: uma-opt %s | uma-opt | FileCheck %s

!i8 = !quant.uniform<i8:f32, 0.05:3>
!u8 = !quant.uniform<u8:f32, 0.0123456789:128>
!weights = !quant.uniform<i8<-127:127>:f32:0, {0.5, 0.25}>
!sums = !quant.uniform<i32:f32:1, {0.025, 0.0125}>
!bias = !quant.uniform<i32:f32:0, {0.025, 0.0125}>

// CHECK-LABEL: @conversions
func.func @conversions(%x: tensor<1x8xf32>, %s: tensor<1x8xui8>) -> (tensor<1x8xf32>, tensor<1x8xi8>) {
  // CHECK: uma.graph.quantize %{{.*}} : (tensor<1x8xf32>) -> tensor<1x8x!quant.uniform<i8:f32, 5.000000e-02:3>>
  %0 = uma.graph.quantize %x : (tensor<1x8xf32>) -> tensor<1x8x!i8>
  // CHECK: uma.graph.storage_cast %{{.*}} : (tensor<1x8xui8>) -> tensor<1x8x!quant.uniform<u8:f32, 0.0123456789:128>>
  %1 = uma.graph.storage_cast %s : (tensor<1x8xui8>) -> tensor<1x8x!u8>
  // CHECK: uma.graph.requantize %{{.*}} clamp [128, 255]
  %2 = uma.graph.requantize %0 clamp [128, 255] : (tensor<1x8x!i8>) -> tensor<1x8x!u8>
  // CHECK: uma.graph.dequantize
  %3 = uma.graph.dequantize %2 : (tensor<1x8x!u8>) -> tensor<1x8xf32>
  %4 = uma.graph.requantize %1 : (tensor<1x8x!u8>) -> tensor<1x8x!i8>
  %5 = uma.graph.storage_cast %4 : (tensor<1x8x!i8>) -> tensor<1x8xi8>
  return %3, %5 : tensor<1x8xf32>, tensor<1x8xi8>
}

// CHECK-LABEL: @layers
func.func @layers(%x: tensor<1x3x4x4x!i8>, %w: tensor<2x3x1x1x!weights>, %b: tensor<2x!bias>) -> tensor<1x2x2x2x!i8> {
  // CHECK: uma.graph.conv2d {{.*}} -> tensor<1x2x4x4x!quant.uniform<i32:f32:1, {2.500000e-02,1.250000e-02}>>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x4x4x!i8>, tensor<2x3x1x1x!weights>) -> tensor<1x2x4x4x!sums>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2x4x4x!sums>, tensor<2x!bias>) -> tensor<1x2x4x4x!sums>
  %2 = uma.graph.requantize %1 : (tensor<1x2x4x4x!sums>) -> tensor<1x2x4x4x!i8>
  %3 = uma.graph.max_pool2d %2 size [2, 2] strides [2, 2] : (tensor<1x2x4x4x!i8>) -> tensor<1x2x2x2x!i8>
  return %3 : tensor<1x2x2x2x!i8>
}

// CHECK-LABEL: @quantized_add
// CHECK: uma.graph.quantized_add %arg0, %arg1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 7.500000e-01:-8>>
func.func @quantized_add(%x: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.75:-8>> {
  %0 = uma.graph.quantized_add %x, %y : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.75:-8>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.75:-8>>
}

// CHECK-LABEL: @rounding
func.func @rounding(%x: tensor<8xf32>) -> tensor<8x!u8> {
  // CHECK: uma.graph.quantize %arg0 rounding "tflite" :
  %0 = uma.graph.quantize %x rounding "tflite" : (tensor<8xf32>) -> tensor<8x!i8>
  // CHECK: uma.graph.requantize %{{.*}} clamp [128, 255] rounding "tflite" :
  %1 = uma.graph.requantize %0 clamp [128, 255] rounding "tflite" : (tensor<8x!i8>) -> tensor<8x!u8>
  // CHECK: uma.graph.requantize %{{[0-9]+}} :
  %2 = uma.graph.requantize %1 rounding "float" : (tensor<8x!u8>) -> tensor<8x!u8>
  return %2 : tensor<8x!u8>
}

// CHECK-LABEL: @fixed_point_multiply
// CHECK: uma.graph.fixed_point_multiply %arg0, %arg1, %arg2 : (tensor<2x8xi32>, tensor<8xi32>, tensor<i32>) -> tensor<2x8xi32>
func.func @fixed_point_multiply(%x: tensor<2x8xi32>, %m: tensor<8xi32>, %s: tensor<i32>) -> tensor<2x8xi32> {
  %0 = uma.graph.fixed_point_multiply %x, %m, %s : (tensor<2x8xi32>, tensor<8xi32>, tensor<i32>) -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// CHECK-LABEL: @quantized_add_rounding
// CHECK: uma.graph.quantized_add %arg0, %arg0 rounding "tflite" : (
func.func @quantized_add_rounding(%x: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.75:-8>> {
  %0 = uma.graph.quantized_add %x, %x rounding "tflite" : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.75:-8>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.75:-8>>
}

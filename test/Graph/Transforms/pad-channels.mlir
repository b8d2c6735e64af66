// Odd numbers of channels are padded to words, with the padding of the window.

// RUN: uma-opt %s --uma-graph-pad-channels | FileCheck %s
// RUN: uma-opt %s --uma-graph-pad-channels --uma-graph-shift-zero-points --uma-graph-legalize-quantization=arithmetic=dot | FileCheck %s --check-prefix=STEPS
// RUN: uma-opt %s --uma-graph-pad-channels=floats=true | FileCheck %s --check-prefix=FLOATS

!x = !quant.uniform<u8:f32, 0.5:7>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>

// Real numbers are padded with 0 and then quantized.

// CHECK-LABEL: @real
// CHECK: %[[P:.*]] = uma.graph.pad %arg0 before [0, 0, 1, 2] after [0, 1, 3, 4] : (tensor<1x3x4x4xf32>) -> tensor<1x4x8x10xf32>
// CHECK: %[[Q:.*]] = uma.graph.quantize %[[P]]
// CHECK: %[[C:.*]] = uma.graph.constant {{.*}} : tensor<8x4x3x3xi8>
// CHECK: %[[W:.*]] = uma.graph.storage_cast %[[C]]
// CHECK: uma.graph.conv2d %[[Q]], %[[W]] :

// STEPS-LABEL: @real
// STEPS: uma.graph.conv2d %{{.*}} out_dtype i32 : (tensor<1x4x8x10xui8>, tensor<8x4x3x3xi8>)
func.func @real(%x: tensor<1x3x4x4xf32>) -> tensor<1x8x6x8xf32> {
  %wi = uma.graph.constant dense<1> : tensor<8x3x3x3xi8>
  %w = uma.graph.storage_cast %wi : (tensor<8x3x3x3xi8>) -> tensor<8x3x3x3x!w>
  %q = uma.graph.quantize %x : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4x!x>
  %0 = uma.graph.conv2d %q, %w padding [1, 2, 3, 4] : (tensor<1x3x4x4x!x>, tensor<8x3x3x3x!w>) -> tensor<1x8x6x8x!s>
  %1 = uma.graph.dequantize %0 : (tensor<1x8x6x8x!s>) -> tensor<1x8x6x8xf32>
  return %1 : tensor<1x8x6x8xf32>
}

// Stored integers are padded with the zero point; the added weights are 0.

// CHECK-LABEL: @stored
// CHECK: %[[I:.*]] = uma.graph.storage_cast %{{.*}} -> tensor<1x2x2x5xui8>
// CHECK: %[[P:.*]] = uma.graph.pad %[[I]] before [0, 0, 0, 0] after [0, 0, 0, 3] value 7.000000e+00 : (tensor<1x2x2x5xui8>) -> tensor<1x2x2x8xui8>
// CHECK: uma.graph.storage_cast %[[P]] : {{.*}} -> tensor<1x2x2x8x!quant
// CHECK: uma.graph.constant dense_resource<[[RESOURCE:.*]]> : tensor<32x1x1x8xi8>
func.func @stored(%x: tensor<1x2x2x5xui8>) -> tensor<1x2x2x32xf32> {
  %wi = uma.graph.constant dense<1> : tensor<32x1x1x5xi8>
  %w = uma.graph.storage_cast %wi : (tensor<32x1x1x5xi8>) -> tensor<32x1x1x5x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x2x2x5xui8>) -> tensor<1x2x2x5x!x>
  %0 = uma.graph.conv2d %q, %w layout "NHWC" kernel_layout "OHWI" : (tensor<1x2x2x5x!x>, tensor<32x1x1x5x!w>) -> tensor<1x2x2x32x!s>
  %1 = uma.graph.dequantize %0 : (tensor<1x2x2x32x!s>) -> tensor<1x2x2x32xf32>
  return %1 : tensor<1x2x2x32xf32>
}

// One channel, even numbers and few products stay.

// CHECK-LABEL: @others
// CHECK-NOT: uma.graph.pad
func.func @others(%x: tensor<1x1x4x4xui8>, %y: tensor<1x6x4x4xui8>, %z: tensor<1x3x4x4xui8>) -> (tensor<1x32x4x4xf32>, tensor<1x32x4x4xf32>, tensor<1x2x4x4xf32>) {
  %ai = uma.graph.constant dense<1> : tensor<32x1x1x1xi8>
  %bi = uma.graph.constant dense<1> : tensor<32x6x1x1xi8>
  %ci = uma.graph.constant dense<1> : tensor<2x3x1x1xi8>
  %a = uma.graph.storage_cast %ai : (tensor<32x1x1x1xi8>) -> tensor<32x1x1x1x!w>
  %b = uma.graph.storage_cast %bi : (tensor<32x6x1x1xi8>) -> tensor<32x6x1x1x!w>
  %c = uma.graph.storage_cast %ci : (tensor<2x3x1x1xi8>) -> tensor<2x3x1x1x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x1x4x4xui8>) -> tensor<1x1x4x4x!x>
  %r = uma.graph.storage_cast %y : (tensor<1x6x4x4xui8>) -> tensor<1x6x4x4x!x>
  %t = uma.graph.storage_cast %z : (tensor<1x3x4x4xui8>) -> tensor<1x3x4x4x!x>
  %0 = uma.graph.conv2d %q, %a : (tensor<1x1x4x4x!x>, tensor<32x1x1x1x!w>) -> tensor<1x32x4x4x!s>
  %1 = uma.graph.dequantize %0 : (tensor<1x32x4x4x!s>) -> tensor<1x32x4x4xf32>
  %2 = uma.graph.conv2d %r, %b : (tensor<1x6x4x4x!x>, tensor<32x6x1x1x!w>) -> tensor<1x32x4x4x!s>
  %3 = uma.graph.dequantize %2 : (tensor<1x32x4x4x!s>) -> tensor<1x32x4x4xf32>
  %4 = uma.graph.conv2d %t, %c : (tensor<1x3x4x4x!x>, tensor<2x3x1x1x!w>) -> tensor<1x2x4x4x!s>
  %5 = uma.graph.dequantize %4 : (tensor<1x2x4x4x!s>) -> tensor<1x2x4x4xf32>
  return %1, %3, %5 : tensor<1x32x4x4xf32>, tensor<1x32x4x4xf32>, tensor<1x2x4x4xf32>
}

// With `floats`, words of bf16 need them.

// FLOATS-LABEL: @floats
// FLOATS: %[[PADDED:.+]] = uma.graph.pad %arg0 before [0, 0, 1, 1] after [0, 1, 1, 1] : (tensor<1x3x8x8xf32>) -> tensor<1x4x10x10xf32>
// FLOATS: %[[W:.+]] = uma.graph.constant
// FLOATS-SAME: tensor<16x4x3x3xf32>
// FLOATS: uma.graph.conv2d %[[PADDED]], %[[W]] :
// CHECK-LABEL: @floats
// CHECK-NOT: uma.graph.pad
func.func @floats(%x: tensor<1x3x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x3x3x3xf32>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// CHECK: [[RESOURCE]]: "0x{{[0-9A-F]+}}0101010101000000010101010100000001010101010000000101010101000000

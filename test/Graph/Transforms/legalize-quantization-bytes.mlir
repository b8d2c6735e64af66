// Tensors of 8 bits are kept as bytes. Each reader subtracts the zero point by operators of its own.

// RUN: uma-opt %s --uma-graph-legalize-quantization=arithmetic=bytes | FileCheck %s
// RUN: uma-opt %s --uma-graph-legalize-quantization=arithmetic=bytes | uma-opt | FileCheck %s

!relu = !quant.uniform<i8:f32, 0.5:-128>
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!u = !quant.uniform<u8:f32, 0.25:7>
!s = !quant.uniform<i32:f32, 0.125>

// Arguments are kept as they are. Steps that cannot be negative need no zero point; other results keep theirs.

// CHECK-LABEL: @layers
// CHECK: %[[I:.*]] = uma.graph.cast %arg0 to i16 : (tensor<1x5x5x3xi8>)
// CHECK: %[[Z:.*]] = uma.graph.constant dense<-3> : tensor<i16>
// CHECK: %[[X:.*]] = uma.graph.add %[[I]], %[[Z]]
// CHECK: uma.graph.conv2d %[[X]], %{{.*}} out_dtype i32 : (tensor<1x5x5x3xi16>, tensor<4x1x1x3xi8>) -> tensor<1x5x5x4xi32>
// CHECK: uma.graph.clip {{.*}} min 0.000000e+00 max 2.550000e+02
// CHECK: %[[R:.*]] = uma.graph.round
// CHECK: %[[U:.*]] = uma.graph.cast %[[R]] to ui8 {uma.in_range}
// CHECK: %[[V:.*]] = uma.graph.cast %[[U]] to i16
// CHECK: uma.graph.conv2d %[[V]], {{.*}} groups 4 {{.*}} out_dtype i32 : (tensor<1x5x5x4xi16>, tensor<3x3x1x4xi8>)
// CHECK: %[[Q:.*]] = uma.graph.round
// CHECK: %[[THREE:.*]] = uma.graph.constant dense<3.000000e+00>
// CHECK: %[[S:.*]] = uma.graph.add %[[Q]], %[[THREE]]
// CHECK: %[[B:.*]] = uma.graph.cast %[[S]] to i8 {uma.in_range}
// CHECK: return %[[B]]
func.func @layers(%x: tensor<1x5x5x3xi8>) -> tensor<1x5x5x4xi8> {
  %wi = uma.graph.constant dense<-127> : tensor<4x1x1x3xi8>
  %vi = uma.graph.constant dense<5> : tensor<3x3x1x4xi8>
  %w = uma.graph.storage_cast %wi : (tensor<4x1x1x3xi8>) -> tensor<4x1x1x3x!w>
  %v = uma.graph.storage_cast %vi : (tensor<3x3x1x4xi8>) -> tensor<3x3x1x4x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x5x5x3xi8>) -> tensor<1x5x5x3x!x>
  %0 = uma.graph.conv2d %q, %w layout "NHWC" kernel_layout "OHWI" : (tensor<1x5x5x3x!x>, tensor<4x1x1x3x!w>) -> tensor<1x5x5x4x!s>
  %1 = uma.graph.requantize %0 : (tensor<1x5x5x4x!s>) -> tensor<1x5x5x4x!relu>
  %2 = uma.graph.conv2d %1, %v padding [1, 1, 1, 1] groups 4 layout "NHWC" kernel_layout "HWIO" : (tensor<1x5x5x4x!relu>, tensor<3x3x1x4x!w>) -> tensor<1x5x5x4x!s>
  %3 = uma.graph.requantize %2 : (tensor<1x5x5x4x!s>) -> tensor<1x5x5x4x!x>
  %4 = uma.graph.storage_cast %3 : (tensor<1x5x5x4x!x>) -> tensor<1x5x5x4xi8>
  return %4 : tensor<1x5x5x4xi8>
}

// Readers do not share the conversion, and what moves bytes keeps them.

// CHECK-LABEL: @readers
// CHECK: %[[P:.*]] = uma.graph.max_pool2d %arg0 {{.*}} : (tensor<1x4x4x4xi8>) -> tensor<1x2x2x4xi8>
// CHECK-COUNT-2: uma.graph.cast %[[P]] to i16
func.func @readers(%x: tensor<1x4x4x4xi8>) -> (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) {
  %wi = uma.graph.constant dense<1> : tensor<4x1x1x4xi8>
  %w = uma.graph.storage_cast %wi : (tensor<4x1x1x4xi8>) -> tensor<4x1x1x4x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4x!x>
  %p = uma.graph.max_pool2d %q size [2, 2] strides [2, 2] layout "NHWC" : (tensor<1x4x4x4x!x>) -> tensor<1x2x2x4x!x>
  %0 = uma.graph.conv2d %p, %w layout "NHWC" kernel_layout "OHWI" : (tensor<1x2x2x4x!x>, tensor<4x1x1x4x!w>) -> tensor<1x2x2x4x!s>
  %1 = uma.graph.conv2d %p, %w layout "NHWC" kernel_layout "OHWI" : (tensor<1x2x2x4x!x>, tensor<4x1x1x4x!w>) -> tensor<1x2x2x4x!s>
  %2 = uma.graph.dequantize %0 : (tensor<1x2x2x4x!s>) -> tensor<1x2x2x4xf32>
  %3 = uma.graph.dequantize %1 : (tensor<1x2x2x4x!s>) -> tensor<1x2x2x4xf32>
  return %2, %3 : tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>
}

// Steps of weights that exceed a byte, and sums that exceed i32: as with arithmetic=float.

// CHECK-LABEL: @wide
// CHECK: uma.graph.dense {{.*}} : (tensor<1x4xf32>, tensor<2x4xf32>)
// CHECK: uma.graph.dense {{.*}} : (tensor<1x80000xi32>, tensor<1x80000xi32>)
func.func @wide(%x: tensor<1x4xi8>, %y: tensor<1x80000xi8>) -> (tensor<1x2xf32>, tensor<1x1xf32>) {
  %wi = uma.graph.constant dense<255> : tensor<2x4xui8>
  %w = uma.graph.storage_cast %wi : (tensor<2x4xui8>) -> tensor<2x4x!u>
  %q = uma.graph.storage_cast %x : (tensor<1x4xi8>) -> tensor<1x4x!x>
  %0 = uma.graph.dense %q, %w : (tensor<1x4x!x>, tensor<2x4x!u>) -> tensor<1x2x!s>
  %1 = uma.graph.dequantize %0 : (tensor<1x2x!s>) -> tensor<1x2xf32>
  %vi = uma.graph.constant dense<127> : tensor<1x80000xi8>
  %v = uma.graph.storage_cast %vi : (tensor<1x80000xi8>) -> tensor<1x80000x!w>
  %r = uma.graph.storage_cast %y : (tensor<1x80000xi8>) -> tensor<1x80000x!x>
  %2 = uma.graph.dense %r, %v : (tensor<1x80000x!x>, tensor<1x80000x!w>) -> tensor<1x1x!s>
  %3 = uma.graph.dequantize %2 : (tensor<1x1x!s>) -> tensor<1x1xf32>
  return %1, %3 : tensor<1x2xf32>, tensor<1x1xf32>
}

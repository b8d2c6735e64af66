// Layers with several channels are dot products of words, everything else is computed in f32.

// RUN: uma-opt %s --uma-graph-legalize-quantization=arithmetic=dot | FileCheck %s
// RUN: uma-opt %s --uma-graph-legalize-quantization=arithmetic=pairs | FileCheck %s --check-prefix=PAIRS

!relu = !quant.uniform<i8:f32, 0.5:-128>
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>

// No step is negative: four integers in a word. The bias is added in i32.

// CHECK-LABEL: @quads
// CHECK-DAG: %[[W:.*]] = uma.graph.constant {{.*}} : tensor<8x4x1x1xi8>
// CHECK-DAG: %[[B:.*]] = uma.graph.constant {{.*}} : tensor<8xi32>
// CHECK-DAG: %[[F:.*]] = uma.graph.cast %arg0 to f32
// CHECK: %[[D:.*]] = uma.graph.subtract %[[F]], %{{.*}} : (tensor<1x4x5x5xf32>, tensor<f32>)
// CHECK: %[[X:.*]] = uma.graph.cast %[[D]] to ui8 {uma.in_range}
// CHECK: %[[S:.*]] = uma.graph.conv2d %[[X]], %[[W]] out_dtype i32 : (tensor<1x4x5x5xui8>, tensor<8x4x1x1xi8>)
// CHECK: %[[A:.*]] = uma.graph.bias_add %[[S]], %[[B]]
// CHECK: uma.graph.cast %[[A]] to f32
// PAIRS-LABEL: @quads
// PAIRS: uma.graph.conv2d %{{.*}} out_dtype i32 : (tensor<1x4x5x5xi16>, tensor<8x4x1x1xi16>)
func.func @quads(%x: tensor<1x4x5x5xi8>) -> tensor<1x8x5x5xi8> {
  %wi = uma.graph.constant dense<-128> : tensor<8x4x1x1xi8>
  %bi = uma.graph.constant dense<[1, 2, 3, 4, 5, 6, 7, 2000000000]> : tensor<8xi32>
  %w = uma.graph.storage_cast %wi : (tensor<8x4x1x1xi8>) -> tensor<8x4x1x1x!w>
  %b = uma.graph.storage_cast %bi : (tensor<8xi32>) -> tensor<8x!s>
  %q = uma.graph.storage_cast %x : (tensor<1x4x5x5xi8>) -> tensor<1x4x5x5x!relu>
  %0 = uma.graph.conv2d %q, %w : (tensor<1x4x5x5x!relu>, tensor<8x4x1x1x!w>) -> tensor<1x8x5x5x!s>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x8x5x5x!s>, tensor<8x!s>) -> tensor<1x8x5x5x!s>
  %2 = uma.graph.requantize %1 : (tensor<1x8x5x5x!s>) -> tensor<1x8x5x5x!x>
  %3 = uma.graph.storage_cast %2 : (tensor<1x8x5x5x!x>) -> tensor<1x8x5x5xi8>
  return %3 : tensor<1x8x5x5xi8>
}

// Two readers of one tensor, one of which needs pairs (6 channels are no quads): both read pairs. Steps may be negative.

// CHECK-LABEL: @pairs
// CHECK: %[[X:.*]] = uma.graph.cast %{{.*}} to i16 {uma.in_range} : (tensor<1x6xf32>) -> tensor<1x6xi16>
// CHECK: uma.graph.dense %[[X]], %{{.*}} out_dtype i32 : (tensor<1x6xi16>, tensor<8x6xi16>) -> tensor<1x8xi32>
// CHECK: uma.graph.dense %[[X]], %{{.*}} out_dtype i32 : (tensor<1x6xi16>, tensor<8x6xi16>) -> tensor<1x8xi32>
func.func @pairs(%x: tensor<1x6xi8>) -> (tensor<1x8xf32>, tensor<1x8xf32>) {
  %wi = uma.graph.constant dense<-128> : tensor<8x6xi8>
  %w = uma.graph.storage_cast %wi : (tensor<8x6xi8>) -> tensor<8x6x!w>
  %v = uma.graph.storage_cast %wi : (tensor<8x6xi8>) -> tensor<8x6x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x6xi8>) -> tensor<1x6x!x>
  %0 = uma.graph.dense %q, %w : (tensor<1x6x!x>, tensor<8x6x!w>) -> tensor<1x8x!s>
  %1 = uma.graph.dense %q, %v : (tensor<1x6x!x>, tensor<8x6x!w>) -> tensor<1x8x!s>
  %2 = uma.graph.dequantize %0 : (tensor<1x8x!s>) -> tensor<1x8xf32>
  %3 = uma.graph.dequantize %1 : (tensor<1x8x!s>) -> tensor<1x8xf32>
  return %2, %3 : tensor<1x8xf32>, tensor<1x8xf32>
}

// One channel has nothing to pair, a group neither, and few results fill no vector: f32.

// CHECK-LABEL: @others
// CHECK-COUNT-3: {uma.exact_sums}
func.func @others(%x: tensor<1x1x5x5xi8>, %y: tensor<1x8x5x5xi8>) -> (tensor<1x8x5x5xf32>, tensor<1x8x5x5xf32>, tensor<1x4x5x5xf32>) {
  %wi = uma.graph.constant dense<1> : tensor<8x1x1x1xi8>
  %vi = uma.graph.constant dense<1> : tensor<4x8x1x1xi8>
  %w = uma.graph.storage_cast %wi : (tensor<8x1x1x1xi8>) -> tensor<8x1x1x1x!w>
  %v = uma.graph.storage_cast %vi : (tensor<4x8x1x1xi8>) -> tensor<4x8x1x1x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x1x5x5xi8>) -> tensor<1x1x5x5x!x>
  %p = uma.graph.storage_cast %y : (tensor<1x8x5x5xi8>) -> tensor<1x8x5x5x!x>
  %0 = uma.graph.conv2d %q, %w : (tensor<1x1x5x5x!x>, tensor<8x1x1x1x!w>) -> tensor<1x8x5x5x!s>
  %1 = uma.graph.conv2d %p, %w groups 8 : (tensor<1x8x5x5x!x>, tensor<8x1x1x1x!w>) -> tensor<1x8x5x5x!s>
  %2 = uma.graph.conv2d %p, %v : (tensor<1x8x5x5x!x>, tensor<4x8x1x1x!w>) -> tensor<1x4x5x5x!s>
  %3 = uma.graph.dequantize %0 : (tensor<1x8x5x5x!s>) -> tensor<1x8x5x5xf32>
  %4 = uma.graph.dequantize %1 : (tensor<1x8x5x5x!s>) -> tensor<1x8x5x5xf32>
  %5 = uma.graph.dequantize %2 : (tensor<1x4x5x5x!s>) -> tensor<1x4x5x5xf32>
  return %3, %4, %5 : tensor<1x8x5x5xf32>, tensor<1x8x5x5xf32>, tensor<1x4x5x5xf32>
}

// What several readers want in different types is converted once.

// CHECK-LABEL: @mixed
// CHECK: %[[X:.*]] = uma.graph.cast %{{.*}} to ui8
// CHECK: %[[F:.*]] = uma.graph.cast %[[X]] to f32
// CHECK: uma.graph.conv2d %[[X]]
// CHECK: uma.graph.max_pool2d %[[F]]
func.func @mixed(%x: tensor<1x4x5x5xf32>) -> (tensor<1x8x5x5xf32>, tensor<1x4x2x2xf32>) {
  %wi = uma.graph.constant dense<1> : tensor<8x4x1x1xi8>
  %w = uma.graph.storage_cast %wi : (tensor<8x4x1x1xi8>) -> tensor<8x4x1x1x!w>
  %q = uma.graph.quantize %x : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5x!relu>
  %0 = uma.graph.conv2d %q, %w : (tensor<1x4x5x5x!relu>, tensor<8x4x1x1x!w>) -> tensor<1x8x5x5x!s>
  %1 = uma.graph.max_pool2d %q size [2, 2] strides [2, 2] : (tensor<1x4x5x5x!relu>) -> tensor<1x4x2x2x!relu>
  %2 = uma.graph.dequantize %0 : (tensor<1x8x5x5x!s>) -> tensor<1x8x5x5xf32>
  %3 = uma.graph.dequantize %1 : (tensor<1x4x2x2x!relu>) -> tensor<1x4x2x2xf32>
  return %2, %3 : tensor<1x8x5x5xf32>, tensor<1x4x2x2xf32>
}

// The largest of some words is a word: a pool that only a layer reads takes bytes. Stored integers of a requantized sum are in range, those of a
// quotient of floats, which may be NaN, are converted with care.

// CHECK-LABEL: @pooled
// CHECK: uma.graph.max_pool2d %{{.*}} size [2, 2] strides [2, 2] : (tensor<1x4x4x4xui8>) -> tensor<1x4x2x2xui8>
// CHECK-NEXT: uma.graph.conv2d %{{.*}} : (tensor<1x4x2x2xui8>, tensor<8x4x1x1xi8>)
// CHECK: uma.graph.cast %{{.*}} to i8 {uma.in_range} : (tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xi8>
// CHECK-LABEL: @quotient
// CHECK: uma.graph.cast %{{.*}} to i8 : (tensor<4xf32>) -> tensor<4xi8>
func.func @pooled(%x: tensor<1x4x4x4xi8>) -> tensor<1x8x2x2xi8> {
  %wi = uma.graph.constant dense<3> : tensor<8x4x1x1xi8>
  %w = uma.graph.storage_cast %wi : (tensor<8x4x1x1xi8>) -> tensor<8x4x1x1x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4x!relu>
  %0 = uma.graph.max_pool2d %q size [2, 2] strides [2, 2] : (tensor<1x4x4x4x!relu>) -> tensor<1x4x2x2x!relu>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x4x2x2x!relu>, tensor<8x4x1x1x!w>) -> tensor<1x8x2x2x!s>
  %2 = uma.graph.requantize %1 : (tensor<1x8x2x2x!s>) -> tensor<1x8x2x2x!x>
  %3 = uma.graph.storage_cast %2 : (tensor<1x8x2x2x!x>) -> tensor<1x8x2x2xi8>
  return %3 : tensor<1x8x2x2xi8>
}
func.func @quotient(%x: tensor<4xf32>) -> tensor<4xi8> {
  %0 = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!x>
  %1 = uma.graph.storage_cast %0 : (tensor<4x!x>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

// Quantized tensors become their steps, as integers or as floats that hold the same integers.

// RUN: uma-opt %s --uma-graph-legalize-quantization | FileCheck %s
// RUN: uma-opt %s --uma-graph-legalize-quantization=arithmetic=float | FileCheck %s --check-prefix=FLOAT

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>

// CHECK-LABEL: @dense
// CHECK: %[[C:.*]] = uma.graph.cast %arg0 to i16
// CHECK: %[[X:.*]] = uma.graph.subtract %[[C]], %{{.*}} : (tensor<1x4xi16>, tensor<i16>)
// CHECK: %[[S:.*]] = uma.graph.dense %[[X]], %{{.*}} out_dtype i32 : (tensor<1x4xi16>, tensor<2x4xi16>) -> tensor<1x2xi32>
// CHECK: %[[F:.*]] = uma.graph.cast %[[S]] to f32
// CHECK: %[[P:.*]] = uma.graph.multiply %[[F]], %{{.*}} : (tensor<1x2xf32>, tensor<f32>)
// CHECK: %[[L:.*]] = uma.graph.clip %[[P]] min 0.000000e+00 max 1.240000e+02
// CHECK: %[[R:.*]] = uma.graph.round %[[L]]
// CHECK: %[[I:.*]] = uma.graph.cast %[[R]] to i16 {uma.in_range}
// CHECK: %[[A:.*]] = uma.graph.add %[[I]], %{{.*}}
// CHECK: uma.graph.cast %[[A]] to i8

// FLOAT-LABEL: @dense
// FLOAT: %[[X:.*]] = uma.graph.subtract %{{.*}} : (tensor<1x4xf32>, tensor<f32>)
// FLOAT: uma.graph.dense %[[X]], %{{.*}} {uma.exact_sums} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
// FLOAT-NOT: cast
// FLOAT: uma.graph.clip
func.func @dense(%x: tensor<1x4xi8>) -> tensor<1x2xi8> {
  %wi = uma.graph.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %w = uma.graph.storage_cast %wi : (tensor<2x4xi8>) -> tensor<2x4x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x4xi8>) -> tensor<1x4x!x>
  %0 = uma.graph.dense %q, %w : (tensor<1x4x!x>, tensor<2x4x!w>) -> tensor<1x2x!s>
  %1 = uma.graph.requantize %0 clamp [3, 127] : (tensor<1x2x!s>) -> tensor<1x2x!x>
  %2 = uma.graph.storage_cast %1 : (tensor<1x2x!x>) -> tensor<1x2xi8>
  return %2 : tensor<1x2xi8>
}

// 1,024 products of 127 and at most 131 exceed 2^24: no float holds the sum.

// FLOAT-LABEL: @long
// FLOAT: uma.graph.dense %{{.*}} out_dtype i32 : (tensor<1x1024xi32>, tensor<1x1024xi32>) -> tensor<1x1xi32>
func.func @long(%x: tensor<1x1024xi8>) -> tensor<1x1xf32> {
  %wi = uma.graph.constant dense<127> : tensor<1x1024xi8>
  %w = uma.graph.storage_cast %wi : (tensor<1x1024xi8>) -> tensor<1x1024x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x1024xi8>) -> tensor<1x1024x!x>
  %0 = uma.graph.dense %q, %w : (tensor<1x1024x!x>, tensor<1x1024x!w>) -> tensor<1x1x!s>
  %1 = uma.graph.dequantize %0 : (tensor<1x1x!s>) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// A bias that no float holds has two parts, of which the first keeps the sums exact.

// FLOAT-LABEL: @large_bias
// FLOAT: %[[SUMS:.*]] = uma.graph.dense {{.*}} {uma.exact_sums}
// FLOAT: %[[LOW:.*]] = uma.graph.constant dense<[7.000000e+00, -7.000000e+00]> : tensor<2xf32>
// FLOAT: %[[FIRST:.*]] = uma.graph.bias_add %[[SUMS]], %[[LOW]]
// FLOAT: %[[HIGH:.*]] = uma.graph.constant dense<[0x4D000000, 0xCD000000]> : tensor<2xf32>
// FLOAT: uma.graph.bias_add %[[FIRST]], %[[HIGH]]
func.func @large_bias(%x: tensor<1x4xi8>) -> tensor<1x2xf32> {
  %wi = uma.graph.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %bi = uma.graph.constant dense<[134217735, -134217735]> : tensor<2xi32>
  %w = uma.graph.storage_cast %wi : (tensor<2x4xi8>) -> tensor<2x4x!w>
  %b = uma.graph.storage_cast %bi : (tensor<2xi32>) -> tensor<2x!s>
  %q = uma.graph.storage_cast %x : (tensor<1x4xi8>) -> tensor<1x4x!x>
  %0 = uma.graph.dense %q, %w : (tensor<1x4x!x>, tensor<2x4x!w>) -> tensor<1x2x!s>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2x!s>, tensor<2x!s>) -> tensor<1x2x!s>
  %2 = uma.graph.dequantize %1 : (tensor<1x2x!s>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}

// TensorFlow Lite's rounding: 0.125 / 0.5 is 2^30 * 2^(-1 - 31).

// CHECK-LABEL: @fixed_point
// CHECK: %[[S:.*]] = uma.graph.dense {{.*}} -> tensor<1x2xi32>
// CHECK: %[[M:.*]] = uma.graph.constant dense<1073741824> : tensor<i32>
// CHECK: %[[SHIFT:.*]] = uma.graph.constant dense<1> : tensor<i32>
// CHECK: %[[U:.*]] = uma.graph.fixed_point_multiply %[[S]], %[[M]], %[[SHIFT]]
// CHECK: uma.graph.clip %[[U]] min 0.000000e+00 max 1.240000e+02
// FLOAT-LABEL: @fixed_point
// FLOAT: uma.graph.dense {{.*}} -> tensor<1x2xf32>
// FLOAT: uma.graph.cast %{{.*}} to i32 {uma.in_range}
// FLOAT: uma.graph.fixed_point_multiply
func.func @fixed_point(%x: tensor<1x4xi8>) -> tensor<1x2xi8> {
  %wi = uma.graph.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %w = uma.graph.storage_cast %wi : (tensor<2x4xi8>) -> tensor<2x4x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x4xi8>) -> tensor<1x4x!x>
  %0 = uma.graph.dense %q, %w : (tensor<1x4x!x>, tensor<2x4x!w>) -> tensor<1x2x!s>
  %1 = uma.graph.requantize %0 clamp [3, 127] rounding "tflite" : (tensor<1x2x!s>) -> tensor<1x2x!x>
  %2 = uma.graph.storage_cast %1 : (tensor<1x2x!x>) -> tensor<1x2xi8>
  return %2 : tensor<1x2xi8>
}

// Factors of 1 and more: 0.125 / 0.03125 is 2^30 * 2^(3 - 31). What a shift to the left would overflow saturates.

// CHECK-LABEL: @left_shift
// CHECK: %[[LOW:.*]] = uma.graph.constant dense<[-268435456, -2147483648]> : tensor<2xi32>
// CHECK: %[[HIGH:.*]] = uma.graph.constant dense<[268435455, 2147483647]> : tensor<2xi32>
// CHECK: %[[POWER:.*]] = uma.graph.constant dense<[8, 1]> : tensor<2xi32>
// CHECK: %[[A:.*]] = uma.graph.maximum %{{.*}}, %[[LOW]]
// CHECK: %[[B:.*]] = uma.graph.minimum %[[A]], %[[HIGH]]
// CHECK: %[[C:.*]] = uma.graph.multiply %[[B]], %[[POWER]]
// CHECK: %[[SHIFT:.*]] = uma.graph.constant dense<[0, 1]> : tensor<2xi32>
// CHECK: uma.graph.fixed_point_multiply %[[C]], %{{.*}}, %[[SHIFT]]
func.func @left_shift(%x: tensor<1x2xi32>) -> tensor<1x2xi8> {
  %q = uma.graph.storage_cast %x : (tensor<1x2xi32>) -> tensor<1x2x!quant.uniform<i32:f32:1, {0.125, 0.0078125}>>
  %0 = uma.graph.requantize %q rounding "tflite" : (tensor<1x2x!quant.uniform<i32:f32:1, {0.125, 0.0078125}>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.03125>>
  %1 = uma.graph.storage_cast %0 : (tensor<1x2x!quant.uniform<i8:f32, 0.03125>>) -> tensor<1x2xi8>
  return %1 : tensor<1x2xi8>
}

// Halves away from zero.

// FLOAT-LABEL: @away
// FLOAT: %[[A:.*]] = uma.graph.abs
// FLOAT: %[[F:.*]] = uma.graph.floor %[[A]]
// FLOAT: %[[D:.*]] = uma.graph.subtract %[[A]], %[[F]]
// FLOAT: uma.graph.greater_equal %[[D]], %{{.*}}
// FLOAT: uma.graph.sign
func.func @away(%x: tensor<4xf32>) -> tensor<4xi8> {
  %0 = uma.graph.quantize %x rounding "tflite" : (tensor<4xf32>) -> tensor<4x!x>
  %1 = uma.graph.storage_cast %0 : (tensor<4x!x>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

!u = !quant.uniform<u8:f32, 0.5:131>

// Numbers that the result holds at the same scale keep their steps. Narrower bounds do not.

// CHECK-LABEL: @exact
// CHECK: %[[S:.*]] = uma.graph.subtract
// CHECK: uma.graph.constant dense<131>
// CHECK-NEXT: %[[A:.*]] = uma.graph.add %[[S]],
// CHECK-NEXT: uma.graph.cast %[[A]] to ui8
// CHECK: uma.graph.clip %{{.*}} min -1.280000e+02 max 1.240000e+02
// CHECK: return

// FLOAT-LABEL: @exact
// FLOAT: %[[S:.*]] = uma.graph.subtract
// FLOAT-NEXT: uma.graph.constant dense<1.310000e+02>
// FLOAT-NEXT: %[[A:.*]] = uma.graph.add %[[S]],
// FLOAT-NEXT: uma.graph.cast %[[A]] to ui8
func.func @exact(%x: tensor<4xi8>) -> (tensor<4xui8>, tensor<4xui8>) {
  %q = uma.graph.storage_cast %x : (tensor<4xi8>) -> tensor<4x!x>
  %0 = uma.graph.requantize %q : (tensor<4x!x>) -> tensor<4x!u>
  %1 = uma.graph.storage_cast %0 : (tensor<4x!u>) -> tensor<4xui8>
  %2 = uma.graph.requantize %q clamp [3, 255] : (tensor<4x!x>) -> tensor<4x!u>
  %3 = uma.graph.storage_cast %2 : (tensor<4x!u>) -> tensor<4xui8>
  return %1, %3 : tensor<4xui8>, tensor<4xui8>
}

// The bits of a wide integer may exceed what the formula in f32 keeps.

// CHECK-LABEL: @wide
// CHECK: uma.graph.multiply
// CHECK: uma.graph.round
func.func @wide(%x: tensor<4xi32>) -> tensor<4xi32> {
  %q = uma.graph.storage_cast %x : (tensor<4xi32>) -> tensor<4x!s>
  %0 = uma.graph.requantize %q : (tensor<4x!s>) -> tensor<4x!s>
  %1 = uma.graph.storage_cast %0 : (tensor<4x!s>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// The steps of a NaN are no integer: no cast may rely on that.

// FLOAT-LABEL: @not_a_number
// FLOAT-NOT: uma.in_range
// FLOAT: return
func.func @not_a_number(%x: tensor<4xf32>) -> tensor<4xui8> {
  %q = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!x>
  %0 = uma.graph.requantize %q : (tensor<4x!x>) -> tensor<4x!u>
  %1 = uma.graph.storage_cast %0 : (tensor<4x!u>) -> tensor<4xui8>
  return %1 : tensor<4xui8>
}

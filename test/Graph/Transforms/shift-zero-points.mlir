// Layers read the same integers with the least zero point, padded with their own one.

// RUN: uma-opt %s --split-input-file --uma-graph-shift-zero-points | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-graph-shift-zero-points --uma-graph-legalize-quantization=arithmetic=dot | FileCheck %s --check-prefix=STEPS

!x = !quant.uniform<u8:f32, 0.5:7>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>

// Weights of the channels sum to 10 and -4: the biases are 100 - 7 * 10 and 200 + 7 * 4. Both layers read one shifted tensor.

// CHECK-LABEL: @bias
// CHECK: %[[Q:.*]] = uma.graph.storage_cast %arg0 : (tensor<1x4x2x2xui8>) -> tensor<1x4x2x2x!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK-NEXT: %[[I:.*]] = uma.graph.storage_cast %[[Q]]
// CHECK-NEXT: %[[X:.*]] = uma.graph.storage_cast %[[I]] : (tensor<1x4x2x2xui8>) -> tensor<1x4x2x2x!quant.uniform<u8:f32, 5.000000e-01>>
// CHECK: %[[S:.*]] = uma.graph.conv2d %[[X]],
// CHECK: uma.graph.constant dense<[30, 228, 0, 0, 0, 0, 0, 0]> : tensor<8xi32>
// CHECK: uma.graph.bias_add %[[S]], %{{.*}}
// CHECK: %[[T:.*]] = uma.graph.conv2d %[[X]],
// CHECK: uma.graph.constant dense<[-70, 28, 0, 0, 0, 0, 0, 0]> : tensor<8xi32>
// CHECK: uma.graph.bias_add %[[T]], %{{.*}}

// The stored integers are the words; the reader of real numbers subtracts the distance.

// STEPS-LABEL: @bias
// STEPS: uma.graph.conv2d %{{.*}} out_dtype i32 : (tensor<1x4x2x2xui8>, tensor<8x4x1x1xi8>)
// STEPS: uma.graph.conv2d %{{.*}} out_dtype i32 : (tensor<1x4x2x2xui8>, tensor<8x4x1x1xi8>)
func.func @bias(%x: tensor<1x4x2x2xui8>) -> (tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>, tensor<1x4x2x2xf32>) {
  %wi = uma.graph.constant dense<[[[[1]], [[2]], [[3]], [[4]]], [[[-1]], [[-1]], [[-1]], [[-1]]], [[[1]], [[-1]], [[0]], [[0]]], [[[0]], [[0]], [[0]], [[0]]], [[[0]], [[0]], [[0]], [[0]]], [[[0]], [[0]], [[0]], [[0]]], [[[0]], [[0]], [[0]], [[0]]], [[[0]], [[0]], [[0]], [[0]]]]> : tensor<8x4x1x1xi8>
  %bi = uma.graph.constant dense<[100, 200, 0, 0, 0, 0, 0, 0]> : tensor<8xi32>
  %w = uma.graph.storage_cast %wi : (tensor<8x4x1x1xi8>) -> tensor<8x4x1x1x!w>
  %v = uma.graph.storage_cast %wi : (tensor<8x4x1x1xi8>) -> tensor<8x4x1x1x!w>
  %b = uma.graph.storage_cast %bi : (tensor<8xi32>) -> tensor<8x!s>
  %q = uma.graph.storage_cast %x : (tensor<1x4x2x2xui8>) -> tensor<1x4x2x2x!x>
  %0 = uma.graph.conv2d %q, %w : (tensor<1x4x2x2x!x>, tensor<8x4x1x1x!w>) -> tensor<1x8x2x2x!s>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x8x2x2x!s>, tensor<8x!s>) -> tensor<1x8x2x2x!s>
  %2 = uma.graph.dequantize %1 : (tensor<1x8x2x2x!s>) -> tensor<1x8x2x2xf32>
  %3 = uma.graph.conv2d %q, %v : (tensor<1x4x2x2x!x>, tensor<8x4x1x1x!w>) -> tensor<1x8x2x2x!s>
  %4 = uma.graph.dequantize %3 : (tensor<1x8x2x2x!s>) -> tensor<1x8x2x2xf32>
  %5 = uma.graph.dequantize %q : (tensor<1x4x2x2x!x>) -> tensor<1x4x2x2xf32>
  return %2, %4, %5 : tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:7>
!least = !quant.uniform<i8:f32, 0.5:-128>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>

// The least zero point, six channels and a bias that would not fit stay.

// CHECK-LABEL: @others
// CHECK-NOT: uma.graph.storage_cast %{{.*}} : (tensor<1x{{.*}}x!quant{{.*}}>) -> tensor<1x{{.*}}xi8>
// CHECK: return
func.func @others(%x: tensor<1x4x2x2xi8>, %y: tensor<1x6xi8>, %z: tensor<1x8xi8>) -> (tensor<1x8x2x2xf32>, tensor<1x8xf32>, tensor<1x8xf32>) {
  %vi = uma.graph.constant dense<127> : tensor<8x4x1x1xi8>
  %di = uma.graph.constant dense<127> : tensor<8x6xi8>
  %ei = uma.graph.constant dense<127> : tensor<8x8xi8>
  %bi = uma.graph.constant dense<-2147483000> : tensor<8xi32>
  %v = uma.graph.storage_cast %vi : (tensor<8x4x1x1xi8>) -> tensor<8x4x1x1x!w>
  %d = uma.graph.storage_cast %di : (tensor<8x6xi8>) -> tensor<8x6x!w>
  %e = uma.graph.storage_cast %ei : (tensor<8x8xi8>) -> tensor<8x8x!w>
  %b = uma.graph.storage_cast %bi : (tensor<8xi32>) -> tensor<8x!s>
  %l = uma.graph.storage_cast %x : (tensor<1x4x2x2xi8>) -> tensor<1x4x2x2x!least>
  %r = uma.graph.storage_cast %y : (tensor<1x6xi8>) -> tensor<1x6x!x>
  %t = uma.graph.storage_cast %z : (tensor<1x8xi8>) -> tensor<1x8x!x>
  %2 = uma.graph.conv2d %l, %v : (tensor<1x4x2x2x!least>, tensor<8x4x1x1x!w>) -> tensor<1x8x2x2x!s>
  %3 = uma.graph.dequantize %2 : (tensor<1x8x2x2x!s>) -> tensor<1x8x2x2xf32>
  %4 = uma.graph.dense %r, %d : (tensor<1x6x!x>, tensor<8x6x!w>) -> tensor<1x8x!s>
  %5 = uma.graph.dequantize %4 : (tensor<1x8x!s>) -> tensor<1x8xf32>
  %6 = uma.graph.dense %t, %e : (tensor<1x8x!x>, tensor<8x8x!w>) -> tensor<1x8x!s>
  %7 = uma.graph.bias_add %6, %b : (tensor<1x8x!s>, tensor<8x!s>) -> tensor<1x8x!s>
  %8 = uma.graph.dequantize %7 : (tensor<1x8x!s>) -> tensor<1x8xf32>
  return %3, %5, %8 : tensor<1x8x2x2xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:7>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>

// One padded tensor for two layers with the same padding, in either data layout: the padding stays the number 7, which is the step 135.

// CHECK-LABEL: @padded
// CHECK: %[[I:.*]] = uma.graph.storage_cast %{{.*}} -> tensor<1x4x2x2xi8>
// CHECK-NEXT: %[[P:.*]] = uma.graph.pad %[[I]] before [0, 0, 1, 0] after [0, 0, 1, 2] value 7.0{{.*}} -> tensor<1x4x4x4xi8>
// CHECK-NEXT: %[[X:.*]] = uma.graph.storage_cast %[[P]] : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4x!quant.uniform<i8:f32, 5.000000e-01:-128>>
// CHECK: uma.graph.pad %{{.*}} before [0, 1, 0, 0] after [0, 1, 2, 0] value 7.0{{.*}} -> tensor<1x4x4x4xi8>
// CHECK: uma.graph.conv2d %[[X]], %{{[a-z0-9]+}} : {{.*}} -> tensor<1x8x2x2x!quant
// The weights of each channel sum to 36 * 127.
// CHECK: uma.graph.constant dense<-617220> : tensor<8xi32>
// CHECK: uma.graph.conv2d %[[X]], %{{[a-z0-9]+}} :
// CHECK: uma.graph.conv2d %{{.*}}, %{{[a-z0-9]+}} layout "NHWC"
func.func @padded(%x: tensor<1x4x2x2xi8>) -> (tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>, tensor<1x2x2x8xf32>) {
  %wi = uma.graph.constant dense<127> : tensor<8x4x3x3xi8>
  %w = uma.graph.storage_cast %wi : (tensor<8x4x3x3xi8>) -> tensor<8x4x3x3x!w>
  %v = uma.graph.storage_cast %wi : (tensor<8x4x3x3xi8>) -> tensor<8x4x3x3x!w>
  %mi = uma.graph.constant dense<127> : tensor<8x3x3x4xi8>
  %m = uma.graph.storage_cast %mi : (tensor<8x3x3x4xi8>) -> tensor<8x3x3x4x!w>
  %q = uma.graph.storage_cast %x : (tensor<1x4x2x2xi8>) -> tensor<1x4x2x2x!x>
  %t = uma.graph.transpose %x [0, 2, 3, 1] : (tensor<1x4x2x2xi8>) -> tensor<1x2x2x4xi8>
  %n = uma.graph.storage_cast %t : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4x!x>
  %0 = uma.graph.conv2d %q, %w padding [1, 0, 1, 2] : (tensor<1x4x2x2x!x>, tensor<8x4x3x3x!w>) -> tensor<1x8x2x2x!s>
  %1 = uma.graph.dequantize %0 : (tensor<1x8x2x2x!s>) -> tensor<1x8x2x2xf32>
  %2 = uma.graph.conv2d %q, %v padding [1, 0, 1, 2] : (tensor<1x4x2x2x!x>, tensor<8x4x3x3x!w>) -> tensor<1x8x2x2x!s>
  %3 = uma.graph.dequantize %2 : (tensor<1x8x2x2x!s>) -> tensor<1x8x2x2xf32>
  %4 = uma.graph.conv2d %n, %m padding [1, 0, 1, 2] layout "NHWC" kernel_layout "OHWI" : (tensor<1x2x2x4x!x>, tensor<8x3x3x4x!w>) -> tensor<1x2x2x8x!s>
  %5 = uma.graph.dequantize %4 : (tensor<1x2x2x8x!s>) -> tensor<1x2x2x8xf32>
  return %1, %3, %5 : tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>, tensor<1x2x2x8xf32>
}

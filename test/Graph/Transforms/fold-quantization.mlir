// Layers between dequantize and quantize are computed on integers.

// RUN: uma-opt %s --uma-graph-fold-quantization | FileCheck %s
// RUN: uma-opt %s --uma-graph-fold-quantization --remarks-filter=uma-graph --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!b = !quant.uniform<i32:f32:0, {0.25, 0.125}>
!y = !quant.uniform<i8:f32, 0.125:-8>

// relu becomes the lower bound, the zero point of the result.

// CHECK-LABEL: @conv
// CHECK: %[[SUMS:.*]] = uma.graph.conv2d %arg0, %{{.*}} padding [1, 1, 1, 1]
// CHECK-SAME: -> tensor<1x2x4x4x!quant.uniform<i32:f32:1, {2.500000e-01,1.250000e-01}>>
// CHECK: %[[BIASED:.*]] = uma.graph.bias_add %[[SUMS]], %{{.*}} : {{.*}}tensor<2x!quant.uniform<i32:f32:0
// CHECK: uma.graph.requantize %[[BIASED]] clamp [-8, 127]
// CHECK-NOT: uma.graph.dequantize
// CHECK: return
func.func @conv(%x: tensor<1x1x4x4x!x>) -> tensor<1x2x4x4x!y> {
  %wi = uma.graph.constant dense<[[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]], [[[9, 8, 7], [6, 5, 4], [3, 2, 1]]]]> : tensor<2x1x3x3xi8>
  %bi = uma.graph.constant dense<[100, -100]> : tensor<2xi32>
  %wq = uma.graph.storage_cast %wi : (tensor<2x1x3x3xi8>) -> tensor<2x1x3x3x!w>
  %bq = uma.graph.storage_cast %bi : (tensor<2xi32>) -> tensor<2x!b>
  %xf = uma.graph.dequantize %x : (tensor<1x1x4x4x!x>) -> tensor<1x1x4x4xf32>
  %wf = uma.graph.dequantize %wq : (tensor<2x1x3x3x!w>) -> tensor<2x1x3x3xf32>
  %bf = uma.graph.dequantize %bq : (tensor<2x!b>) -> tensor<2xf32>
  %0 = uma.graph.conv2d %xf, %wf padding [1, 1, 1, 1] : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  %1 = uma.graph.bias_add %0, %bf : (tensor<1x2x4x4xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.relu %1 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = uma.graph.quantize %2 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4x!y>
  return %3 : tensor<1x2x4x4x!y>
}

// The transpose of Gemm's weights moves to the integers, and a reshape of the data, too.

// CHECK-LABEL: @dense
// CHECK-DAG: %[[W:.*]] = uma.graph.transpose %{{.*}} [1, 0] : (tensor<4x2xi8>) -> tensor<2x4xi8>
// CHECK-DAG: %[[X:.*]] = uma.graph.reshape %arg0 [1, 4] : (tensor<1x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>)
// CHECK: uma.graph.dense %[[X]], %{{.*}}
// CHECK: uma.graph.requantize
// CHECK-NOT: clamp
// CHECK: return
func.func @dense(%x: tensor<1x2x2x!x>) -> tensor<1x2x!y> {
  %wi = uma.graph.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %wq = uma.graph.storage_cast %wi : (tensor<4x2xi8>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %wf = uma.graph.dequantize %wq : (tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x2xf32>
  %wt = uma.graph.transpose %wf [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %xf = uma.graph.dequantize %x : (tensor<1x2x2x!x>) -> tensor<1x2x2xf32>
  %xr = uma.graph.reshape %xf [1, 4] : (tensor<1x2x2xf32>) -> tensor<1x4xf32>
  %0 = uma.graph.dense %xr, %wt : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.quantize %0 : (tensor<1x2xf32>) -> tensor<1x2x!y>
  return %1 : tensor<1x2x!y>
}

// CHECK-LABEL: @moves
// CHECK: %[[POOL:.*]] = uma.graph.max_pool2d %arg0
// CHECK-NEXT: return %[[POOL]]
func.func @moves(%x: tensor<1x2x4x4x!x>) -> tensor<1x2x2x2x!x> {
  %0 = uma.graph.dequantize %x : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4xf32>
  %1 = uma.graph.max_pool2d %0 size [2, 2] strides [2, 2] : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  return %2 : tensor<1x2x2x2x!x>
}

// Another scale rounds.

// CHECK-LABEL: @other_scale
// CHECK: uma.graph.dequantize
// CHECK: uma.graph.reshape %{{.*}}xf32
// CHECK: uma.graph.quantize
func.func @other_scale(%x: tensor<2x2x!x>) -> tensor<4x!y> {
  %0 = uma.graph.dequantize %x : (tensor<2x2x!x>) -> tensor<2x2xf32>
  %1 = uma.graph.reshape %0 [4] : (tensor<2x2xf32>) -> tensor<4xf32>
  %2 = uma.graph.quantize %1 : (tensor<4xf32>) -> tensor<4x!y>
  return %2 : tensor<4x!y>
}

// CHECK-LABEL: @float_bias
// CHECK: uma.graph.dense {{.*}} -> tensor<1x2xf32>
// REMARK: computed in f32: the bias is no constant of i32
func.func @float_bias(%x: tensor<1x4x!x>, %b: tensor<2xf32>) -> tensor<1x2x!y> {
  %wi = uma.graph.constant dense<1> : tensor<2x4xi8>
  %wq = uma.graph.storage_cast %wi : (tensor<2x4xi8>) -> tensor<2x4x!w>
  %wf = uma.graph.dequantize %wq : (tensor<2x4x!w>) -> tensor<2x4xf32>
  %xf = uma.graph.dequantize %x : (tensor<1x4x!x>) -> tensor<1x4xf32>
  %0 = uma.graph.dense %xf, %wf : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x2xf32>) -> tensor<1x2x!y>
  return %2 : tensor<1x2x!y>
}

// CHECK-LABEL: @shared
// CHECK: uma.graph.dense {{.*}} -> tensor<1x2xf32>
// REMARK: computed in f32: its result is also used as a float
func.func @shared(%x: tensor<1x4x!x>) -> (tensor<1x2xf32>, tensor<1x2x!y>) {
  %wi = uma.graph.constant dense<1> : tensor<2x4xi8>
  %wq = uma.graph.storage_cast %wi : (tensor<2x4xi8>) -> tensor<2x4x!w>
  %wf = uma.graph.dequantize %wq : (tensor<2x4x!w>) -> tensor<2x4xf32>
  %xf = uma.graph.dequantize %x : (tensor<1x4x!x>) -> tensor<1x4xf32>
  %0 = uma.graph.dense %xf, %wf : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.quantize %0 : (tensor<1x2xf32>) -> tensor<1x2x!y>
  return %0, %1 : tensor<1x2xf32>, tensor<1x2x!y>
}

// The rounding goes to the layer. The bound of relu6, 24.5 steps, is rounded as the quantize does: 25, while half to even gives 24.

!w1 = !quant.uniform<i8:f32, 0.25>
!r = !quant.uniform<i8:f32, 0.24489796>

// CHECK-LABEL: @rounding
// CHECK: uma.graph.requantize %{{.*}} clamp [0, 25] rounding "tflite"
// CHECK: uma.graph.requantize %{{.*}} clamp [0, 24] :
func.func @rounding(%x: tensor<1x4x!x>) -> (tensor<1x2x!r>, tensor<1x2x!r>) {
  %wi = uma.graph.constant dense<1> : tensor<2x4xi8>
  %wq = uma.graph.storage_cast %wi : (tensor<2x4xi8>) -> tensor<2x4x!w1>
  %wf = uma.graph.dequantize %wq : (tensor<2x4x!w1>) -> tensor<2x4xf32>
  %xf = uma.graph.dequantize %x : (tensor<1x4x!x>) -> tensor<1x4xf32>
  %0 = uma.graph.dense %xf, %wf : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.clip %0 min 0.0 max 6.0 : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.quantize %1 rounding "tflite" : (tensor<1x2xf32>) -> tensor<1x2x!r>
  %3 = uma.graph.dense %xf, %wf : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %4 = uma.graph.clip %3 min 0.0 max 6.0 : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %5 = uma.graph.quantize %4 : (tensor<1x2xf32>) -> tensor<1x2x!r>
  return %2, %5 : tensor<1x2x!r>, tensor<1x2x!r>
}

// A convolution along one axis is one of images of height 1: stored integers are reshaped, in front of it and behind it.

// CHECK-LABEL: @along_one_axis
// CHECK: %[[X:.*]] = uma.graph.reshape %arg0 [1, 1, 1, 4] : (tensor<1x1x4xi8>) -> tensor<1x1x1x4xi8>
// CHECK-NEXT: %[[S:.*]] = uma.graph.storage_cast %[[X]]
// CHECK: uma.graph.conv2d %[[S]], %{{.*}}!quant.uniform<i32:f32
// CHECK-NEXT: %[[Q:.*]] = uma.graph.requantize
// CHECK-NEXT: %[[Y:.*]] = uma.graph.storage_cast %[[Q]] : {{.*}} -> tensor<1x2x1x4xi8>
// CHECK-NEXT: %[[R:.*]] = uma.graph.reshape %[[Y]] [1, 2, 4]
// CHECK-NEXT: return %[[R]]
func.func @along_one_axis(%xi: tensor<1x1x4xi8>) -> tensor<1x2x4xi8> {
  %wi = uma.graph.constant dense<[[[[1]]], [[[9]]]]> : tensor<2x1x1x1xi8>
  %wq = uma.graph.storage_cast %wi : (tensor<2x1x1x1xi8>) -> tensor<2x1x1x1x!w>
  %x = uma.graph.storage_cast %xi : (tensor<1x1x4xi8>) -> tensor<1x1x4x!x>
  %xf = uma.graph.dequantize %x : (tensor<1x1x4x!x>) -> tensor<1x1x4xf32>
  %wf = uma.graph.dequantize %wq : (tensor<2x1x1x1x!w>) -> tensor<2x1x1x1xf32>
  %xr = uma.graph.reshape %xf [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %0 = uma.graph.conv2d %xr, %wf : (tensor<1x1x1x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x1x4xf32>
  %1 = uma.graph.reshape %0 [1, 2, 4] : (tensor<1x2x1x4xf32>) -> tensor<1x2x4xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x2x4xf32>) -> tensor<1x2x4x!y>
  %3 = uma.graph.storage_cast %2 : (tensor<1x2x4x!y>) -> tensor<1x2x4xi8>
  return %3 : tensor<1x2x4xi8>
}

// A bias near the limit of i32: the sums could wrap, floats do not.

// CHECK-LABEL: @may_wrap
// CHECK: uma.graph.conv2d {{.*}} {uma.in_floats = "its sums may exceed 32 bits"}
// CHECK-NOT: uma.graph.requantize
// CHECK: return
func.func @may_wrap(%x: tensor<1x1x4x4x!x>) -> tensor<1x1x4x4x!y> {
  %wi = uma.graph.constant dense<100> : tensor<1x1x1x1xi8>
  %bi = uma.graph.constant dense<-2147483000> : tensor<1xi32>
  %wq = uma.graph.storage_cast %wi : (tensor<1x1x1x1xi8>) -> tensor<1x1x1x1x!quant.uniform<i8:f32, 0.5>>
  %bq = uma.graph.storage_cast %bi : (tensor<1xi32>) -> tensor<1x!quant.uniform<i32:f32, 0.25>>
  %xf = uma.graph.dequantize %x : (tensor<1x1x4x4x!x>) -> tensor<1x1x4x4xf32>
  %wf = uma.graph.dequantize %wq : (tensor<1x1x1x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1x1x1xf32>
  %bf = uma.graph.dequantize %bq : (tensor<1x!quant.uniform<i32:f32, 0.25>>) -> tensor<1xf32>
  %0 = uma.graph.conv2d %xf, %wf : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %1 = uma.graph.bias_add %0, %bf : (tensor<1x1x4x4xf32>, tensor<1xf32>) -> tensor<1x1x4x4xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4x!y>
  return %2 : tensor<1x1x4x4x!y>
}

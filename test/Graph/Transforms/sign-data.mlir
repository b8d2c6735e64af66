// Quantized tensors of u8 become i8 with the same scale: stored integers and zero points are lower by 128. A second run changes nothing.

// RUN: uma-opt %s --split-input-file --uma-graph-sign-data | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-graph-sign-data --uma-graph-sign-data | FileCheck %s

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<u8:f32, 4.0:3>
!w = !quant.uniform<u8:f32:0, {0.5:128, 0.25:130}>
!b = !quant.uniform<i32:f32:0, {0.25, 0.125}>
!s = !quant.uniform<i32:f32:1, {0.25, 0.125}>

// A layer: the weights of each channel have zero points of their own. Biases and sums do not change.

// CHECK-LABEL: @layer
// CHECK-DAG: %[[WI:.*]] = uma.graph.constant dense<{{\[\[}}-128, 0], [127, -126]]> : tensor<2x2xi8>
// CHECK-DAG: %[[BI:.*]] = uma.graph.constant dense<[5, 6]> : tensor<2xi32>
// CHECK: %[[W:.*]] = uma.graph.storage_cast %[[WI]] : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:2}>>
// CHECK: %[[B:.*]] = uma.graph.storage_cast %[[BI]]
// CHECK: %[[X:.*]] = uma.graph.quantize %arg0 : (tensor<1x2xf32>) -> tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK: %[[S:.*]] = uma.graph.dense %[[X]], %[[W]] : {{.*}} -> tensor<1x2x!quant.uniform<i32:f32:1, {2.500000e-01,1.250000e-01}>>
// CHECK: %[[A:.*]] = uma.graph.bias_add %[[S]], %[[B]]
// CHECK: %[[Y:.*]] = uma.graph.requantize %[[A]] clamp [-125, 72] : {{.*}} -> tensor<1x2x!quant.uniform<i8:f32, 4.000000e+00:-125>>
// CHECK: %[[F:.*]] = uma.graph.dequantize %[[Y]]
// CHECK: return %[[F]]
func.func @layer(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %wi = uma.graph.constant dense<[[0, 128], [255, 2]]> : tensor<2x2xui8>
  %bi = uma.graph.constant dense<[5, 6]> : tensor<2xi32>
  %w = uma.graph.storage_cast %wi : (tensor<2x2xui8>) -> tensor<2x2x!w>
  %b = uma.graph.storage_cast %bi : (tensor<2xi32>) -> tensor<2x!b>
  %q = uma.graph.quantize %x : (tensor<1x2xf32>) -> tensor<1x2x!x>
  %0 = uma.graph.dense %q, %w : (tensor<1x2x!x>, tensor<2x2x!w>) -> tensor<1x2x!s>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2x!s>, tensor<2x!b>) -> tensor<1x2x!s>
  %2 = uma.graph.requantize %1 clamp [3, 200] : (tensor<1x2x!s>) -> tensor<1x2x!y>
  %3 = uma.graph.dequantize %2 : (tensor<1x2x!y>) -> tensor<1x2xf32>
  return %3 : tensor<1x2xf32>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<u8:f32, 4.0:3>
!w = !quant.uniform<u8:f32, 0.5:128>
!s = !quant.uniform<i32:f32, 0.25>

// The network's stored integers stay ui8, between exact conversions: one for both readers of an argument, one for both results.

// CHECK-LABEL: @border
// CHECK-SAME: (%[[I:.*]]: tensor<1x2x4x4xui8>, %[[J:.*]]: tensor<1x2x4x4x4xui8>) -> (tensor<1x2x4x4xui8>, tensor<1x2x4x4xui8>, tensor<1x2x4x4x4xui8>)
// CHECK: %[[U:.*]] = uma.graph.storage_cast %[[I]] : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4x!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK-NEXT: %[[X:.*]] = uma.graph.requantize %[[U]] : {{.*}} -> tensor<1x2x4x4x!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK: uma.graph.conv2d %[[X]],
// CHECK-NEXT: %[[Y:.*]] = uma.graph.requantize {{.*}} -> tensor<1x2x4x4x!quant.uniform<i8:f32, 4.000000e+00:-125>>
// CHECK-NEXT: %[[V:.*]] = uma.graph.requantize %[[Y]] : {{.*}} -> tensor<1x2x4x4x!quant.uniform<u8:f32, 4.000000e+00:3>>
// CHECK-NEXT: %[[R:.*]] = uma.graph.storage_cast %[[V]] : {{.*}} -> tensor<1x2x4x4xui8>
// CHECK-NEXT: %[[T:.*]] = uma.graph.storage_cast %[[V]]
// CHECK-NOT: uma.graph.requantize %[[U]]
// CHECK: uma.graph.conv2d %[[X]],
// CHECK: uma.graph.conv3d {{.*}}!quant.uniform<i8:f32, 5.000000e-01:-121>>, {{.*}}!quant.uniform<i8:f32, 5.000000e-01>>)
// CHECK: return %[[R]], %[[T]], %{{.*}}
func.func @border(%i: tensor<1x2x4x4xui8>, %j: tensor<1x2x4x4x4xui8>)
    -> (tensor<1x2x4x4xui8>, tensor<1x2x4x4xui8>, tensor<1x2x4x4x4xui8>) {
  %wi = uma.graph.constant dense<129> : tensor<2x2x1x1xui8>
  %vi = uma.graph.constant dense<127> : tensor<2x2x1x1x1xui8>
  %w = uma.graph.storage_cast %wi : (tensor<2x2x1x1xui8>) -> tensor<2x2x1x1x!w>
  %v = uma.graph.storage_cast %vi : (tensor<2x2x1x1x1xui8>) -> tensor<2x2x1x1x1x!w>
  %x = uma.graph.storage_cast %i : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4x!x>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4x!x>, tensor<2x2x1x1x!w>) -> tensor<1x2x4x4x!s>
  %1 = uma.graph.requantize %0 : (tensor<1x2x4x4x!s>) -> tensor<1x2x4x4x!y>
  %2 = uma.graph.storage_cast %1 : (tensor<1x2x4x4x!y>) -> tensor<1x2x4x4xui8>
  %3 = uma.graph.storage_cast %1 : (tensor<1x2x4x4x!y>) -> tensor<1x2x4x4xui8>
  %4 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4x!x>, tensor<2x2x1x1x!w>) -> tensor<1x2x4x4x!s>
  %5 = uma.graph.requantize %4 : (tensor<1x2x4x4x!s>) -> tensor<1x2x4x4x!x>
  %z = uma.graph.storage_cast %j : (tensor<1x2x4x4x4xui8>) -> tensor<1x2x4x4x4x!x>
  %6 = uma.graph.conv3d %z, %v : (tensor<1x2x4x4x4x!x>, tensor<2x2x1x1x1x!w>) -> tensor<1x2x4x4x4x!s>
  %7 = uma.graph.requantize %6 : (tensor<1x2x4x4x4x!s>) -> tensor<1x2x4x4x4x!y>
  %8 = uma.graph.storage_cast %7 : (tensor<1x2x4x4x4x!y>) -> tensor<1x2x4x4x4xui8>
  return %2, %3, %8 : tensor<1x2x4x4xui8>, tensor<1x2x4x4xui8>, tensor<1x2x4x4x4xui8>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:7>

// Arguments, results and calls keep their types.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x!quant.uniform<u8:f32, 5.000000e-01:7>>) -> (tensor<1x4x!quant.uniform<u8:f32, 5.000000e-01:7>>, tensor<4x1x!quant.uniform<u8:f32, 5.000000e-01:7>>)
// CHECK-NEXT: %[[S:.*]] = uma.graph.requantize %[[X]] : {{.*}} -> tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK-NEXT: %[[T:.*]] = uma.graph.transpose %[[S]] [1, 0] : {{.*}} -> tensor<4x1x!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK-NEXT: %[[U:.*]] = uma.graph.requantize %[[T]] : {{.*}} -> tensor<4x1x!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK-NEXT: %[[C:.*]] = call @device(%[[U]])
// CHECK-NEXT: %[[D:.*]] = uma.graph.requantize %[[C]] : {{.*}} -> tensor<4x1x!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK-NEXT: %[[R:.*]] = uma.graph.reshape %[[D]] [1, 4]
// CHECK-NEXT: %[[V:.*]] = uma.graph.requantize %[[R]] : {{.*}} -> tensor<1x4x!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK-NEXT: return %[[V]], %[[C]]
func.func @main(%x: tensor<1x4x!x>) -> (tensor<1x4x!x>, tensor<4x1x!x>) {
  %0 = uma.graph.transpose %x [1, 0] : (tensor<1x4x!x>) -> tensor<4x1x!x>
  %1 = call @device(%0) : (tensor<4x1x!x>) -> tensor<4x1x!x>
  %2 = uma.graph.reshape %1 [1, 4] : (tensor<4x1x!x>) -> tensor<1x4x!x>
  return %2, %1 : tensor<1x4x!x>, tensor<4x1x!x>
}

// What an accelerator has taken does not change.

// CHECK-LABEL: func.func private @device
// CHECK-NOT: i8:f32
// CHECK: return
func.func private @device(%x: tensor<4x1x!x>) -> tensor<4x1x!x> attributes {uma.target = #uma.target<"device">} {
  %0 = uma.graph.composite @device::@move (%a = %x : tensor<4x1x!x>) -> tensor<4x1x!x> {
    %1 = uma.graph.transpose %a [0, 1] : (tensor<4x1x!x>) -> tensor<4x1x!x>
    uma.graph.yield %1 : tensor<4x1x!x>
  }
  return %0 : tensor<4x1x!x>
}

// CHECK-LABEL: @composite
// CHECK: %[[Q:.*]] = uma.graph.quantize {{.*}} -> tensor<4x1x!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK-NEXT: %[[U:.*]] = uma.graph.requantize %[[Q]] : {{.*}} -> tensor<4x1x!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK-NEXT: %[[C:.*]] = uma.graph.composite @device::@move (%{{.*}} = %[[U]] : tensor<4x1x!quant.uniform<u8:f32, 5.000000e-01:7>>)
// CHECK: %[[S:.*]] = uma.graph.requantize %[[C]]
// CHECK: uma.graph.dequantize %[[S]] : (tensor<4x1x!quant.uniform<i8:f32, 5.000000e-01:-121>>)
func.func @composite(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = uma.graph.quantize %x : (tensor<4x1xf32>) -> tensor<4x1x!x>
  %1 = uma.graph.composite @device::@move (%a = %0 : tensor<4x1x!x>) -> tensor<4x1x!x> {
    %3 = uma.graph.transpose %a [0, 1] : (tensor<4x1x!x>) -> tensor<4x1x!x>
    uma.graph.yield %3 : tensor<4x1x!x>
  }
  %2 = uma.graph.dequantize %1 : (tensor<4x1x!x>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// -----

!x = !quant.uniform<u8<1:250>:f32, 0.5:7>

// Operators that move or select elements. A narrower range of stored integers moves, too.

// CHECK-LABEL: @moves
// CHECK: uma.graph.quantize %{{.*}} -> tensor<1x2x4x4x!quant.uniform<i8<-127:122>:f32, 5.000000e-01:-121>>
// CHECK-NOT: u8
// CHECK: uma.graph.max_pool2d
// CHECK-NOT: u8
// CHECK: uma.graph.strided_slice
// CHECK-NOT: u8
// CHECK: uma.graph.concatenate
// CHECK-NOT: u8
// CHECK: uma.graph.batch_flatten
// CHECK-NOT: u8
// CHECK: uma.graph.reshape
// CHECK-NOT: u8
// CHECK: uma.graph.max_pool3d
// CHECK-NOT: u8
// CHECK: return
func.func @moves(%x: tensor<1x2x4x4xf32>) -> tensor<1x1x1x1x31xf32> {
  %0 = uma.graph.quantize %x : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4x!x>
  %1 = uma.graph.max_pool2d %0 size [3, 3] strides [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4x!x>
  %2 = uma.graph.strided_slice %0 [0, 0, 0, 0] size [1, 2, 4, 4] strides [1, 1, 1, 1] : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4x!x>
  %3 = uma.graph.concatenate %1, %2 axis 1 : (tensor<1x2x4x4x!x>, tensor<1x2x4x4x!x>) -> tensor<1x4x4x4x!x>
  %4 = uma.graph.batch_flatten %3 : (tensor<1x4x4x4x!x>) -> tensor<1x64x!x>
  %5 = uma.graph.reshape %4 [1, 1, 1, 1, 64] : (tensor<1x64x!x>) -> tensor<1x1x1x1x64x!x>
  %6 = uma.graph.max_pool3d %5 size [1, 1, 3] strides [1, 1, 2] : (tensor<1x1x1x1x64x!x>) -> tensor<1x1x1x1x31x!x>
  %7 = uma.graph.dequantize %6 : (tensor<1x1x1x1x31x!x>) -> tensor<1x1x1x1x31xf32>
  return %7 : tensor<1x1x1x1x31xf32>
}

// -----

!a = !quant.uniform<u8:f32, 0.08:128>
!b = !quant.uniform<u8:f32, 0.23:5>
!c = !quant.uniform<u8:f32, 0.24>
!x = !quant.uniform<u8:f32, 0.5:128>
!y = !quant.uniform<u8:f32, 0.25:5>
!z = !quant.uniform<u8:f32, 1.0>

// Sums in f32: a zero point of i8 rounds some of the first kind to the other side, none of the second. In integers, none depends on it.

// CHECK-LABEL: @sums
// CHECK: %[[A:.*]] = uma.graph.quantize {{.*}}!quant.uniform<i8:f32, 8.000000e-02>>
// CHECK-NEXT: %[[UA:.*]] = uma.graph.requantize %[[A]] : {{.*}}!quant.uniform<u8:f32, 8.000000e-02:128>>
// CHECK: %[[B:.*]] = uma.graph.quantize {{.*}}!quant.uniform<i8:f32, 2.300000e-01:-123>>
// CHECK-NEXT: %[[UB:.*]] = uma.graph.requantize %[[B]] : {{.*}}!quant.uniform<u8:f32, 2.300000e-01:5>>
// CHECK: %[[U:.*]] = uma.graph.quantized_add %[[UA]], %[[UB]]
// CHECK-NEXT: %[[S:.*]] = uma.graph.requantize %[[U]] : {{.*}}!quant.uniform<i8:f32, 2.400000e-01:-128>>
// CHECK: uma.graph.dequantize %[[S]]
// CHECK: uma.graph.quantized_add %[[A]], %[[B]] rounding "tflite" : {{.*}} -> tensor<4x!quant.uniform<i8:f32, 2.400000e-01:-128>>
// CHECK: uma.graph.quantized_add {{.*}} -> tensor<4x!quant.uniform<i8:f32, 1.000000e+00:-128>>
func.func @sums(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!a>
  %b = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!b>
  %0 = uma.graph.quantized_add %a, %b : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!c>
  %1 = uma.graph.dequantize %0 : (tensor<4x!c>) -> tensor<4xf32>
  %2 = uma.graph.quantized_add %a, %b rounding "tflite" : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!c>
  %3 = uma.graph.dequantize %2 : (tensor<4x!c>) -> tensor<4xf32>
  %c = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!x>
  %d = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!y>
  %4 = uma.graph.quantized_add %c, %d : (tensor<4x!x>, tensor<4x!y>) -> tensor<4x!z>
  %5 = uma.graph.dequantize %4 : (tensor<4x!z>) -> tensor<4xf32>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<u8:f32, 0.25:3>
!p = !quant.uniform<u8:f32, 0.00390625>
!i = !quant.uniform<i8:f32, 0.5:7>

// Average pools round after they add the zero point, global ones do not; softmax has no fractions then.

// CHECK-LABEL: @functions
// CHECK: %[[Q:.*]] = uma.graph.quantize %arg0 : {{.*}}!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK-NEXT: %[[U:.*]] = uma.graph.requantize %[[Q]] : {{.*}}!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK-NEXT: %[[F:.*]] = uma.graph.dequantize %[[U]]
// CHECK-NEXT: %[[P:.*]] = uma.graph.avg_pool2d %[[F]]
// CHECK-NEXT: %[[R:.*]] = uma.graph.quantize %[[P]] : {{.*}}!quant.uniform<u8:f32, 2.500000e-01:3>>
// CHECK-NEXT: %[[S:.*]] = uma.graph.requantize %[[R]] : {{.*}}!quant.uniform<i8:f32, 2.500000e-01:-125>>
// CHECK-NEXT: %[[G:.*]] = uma.graph.dequantize %[[S]]
// CHECK-NEXT: %[[M:.*]] = uma.graph.global_avg_pool2d %[[G]]
// CHECK-NEXT: uma.graph.quantize %[[M]] : {{.*}}!quant.uniform<i8:f32, 2.500000e-01:-125>>
// CHECK: %[[D:.*]] = uma.graph.dequantize %[[Q]]
// CHECK: %[[X:.*]] = uma.graph.softmax %[[D]]
// CHECK: uma.graph.quantize %[[X]] : {{.*}}!quant.uniform<i8:f32, 3.906250e-03:-128>>
func.func @functions(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) {
  %0 = uma.graph.quantize %x : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4x!x>
  %1 = uma.graph.dequantize %0 : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.avg_pool2d %1 size [2, 2] : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xf32>
  %3 = uma.graph.quantize %2 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3x!y>
  %4 = uma.graph.dequantize %3 : (tensor<1x2x3x3x!y>) -> tensor<1x2x3x3xf32>
  %5 = uma.graph.global_avg_pool2d %4 : (tensor<1x2x3x3xf32>) -> tensor<1x2x1x1xf32>
  %6 = uma.graph.quantize %5 : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1x!y>
  %7 = uma.graph.dequantize %6 : (tensor<1x2x1x1x!y>) -> tensor<1x2x1x1xf32>
  %8 = uma.graph.dequantize %0 : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4xf32>
  %9 = uma.graph.softmax %8 axis 1 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %10 = uma.graph.quantize %9 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4x!p>
  %11 = uma.graph.dequantize %10 : (tensor<1x2x4x4x!p>) -> tensor<1x2x4x4xf32>
  return %7, %11 : tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>
}

// Tensors of u8 and i8 keep a function in f32. With equal types, it would be rounded by other rules.

// CHECK-LABEL: @mixed
// CHECK: uma.graph.dequantize %{{.*}} : (tensor<1x2x4x4x!quant.uniform<u8:f32, 5.000000e-01:7>>)
// CHECK: uma.graph.softmax
// CHECK: uma.graph.quantize {{.*}}!quant.uniform<i8:f32, 5.000000e-01:7>>
// CHECK: uma.graph.dequantize %{{.*}} : (tensor<1x2x4x4x!quant.uniform<i8:f32, 5.000000e-01:7>>)
// CHECK: uma.graph.avg_pool2d
// CHECK: %[[R:.*]] = uma.graph.quantize {{.*}}!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK-NEXT: uma.graph.storage_cast %[[R]]
func.func @mixed(%i: tensor<1x2x4x4xui8>) -> tensor<1x2x3x3xui8> {
  %0 = uma.graph.storage_cast %i : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4x!x>
  %1 = uma.graph.dequantize %0 : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.softmax %1 axis 1 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = uma.graph.quantize %2 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4x!i>
  %4 = uma.graph.dequantize %3 : (tensor<1x2x4x4x!i>) -> tensor<1x2x4x4xf32>
  %5 = uma.graph.avg_pool2d %4 size [2, 2] : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xf32>
  %6 = uma.graph.quantize %5 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3x!x>
  %7 = uma.graph.storage_cast %6 : (tensor<1x2x3x3x!x>) -> tensor<1x2x3x3xui8>
  return %7 : tensor<1x2x3x3xui8>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:7>
!y = !quant.uniform<u8:f32:1, {0.25:3, 0.5:4}>

// Operators on the stored integers get them: a table, and its result. Constants have both forms if both are read.

// CHECK-LABEL: @integers
// CHECK: %[[C:.*]] = uma.graph.constant dense<[-128, 127]> : tensor<2xi8>
// CHECK: %[[S:.*]] = uma.graph.storage_cast %[[C]] : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK: %[[K:.*]] = uma.graph.storage_cast %{{.*}} : (tensor<2xui8>) -> tensor<2x!quant.uniform<u8:f32, 5.000000e-01:7>>
// CHECK: uma.graph.storage_cast %[[K]] : {{.*}} -> tensor<2xui8>
// CHECK: uma.graph.dequantize %[[S]]
// CHECK: %[[Q:.*]] = uma.graph.quantize {{.*}}!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK-NEXT: %[[U:.*]] = uma.graph.requantize %[[Q]]
// CHECK-NEXT: %[[I:.*]] = uma.graph.storage_cast %[[U]] : {{.*}} -> tensor<2xui8>
// CHECK-NEXT: uma.graph.cast %[[I]] to i32
// CHECK: %[[T:.*]] = uma.graph.take {{.*}} -> tensor<2xui8>
// CHECK-NEXT: %[[R:.*]] = uma.graph.storage_cast %[[T]]
// CHECK-NEXT: %[[V:.*]] = uma.graph.requantize %[[R]] : {{.*}}!quant.uniform<i8:f32, 5.000000e-01:-121>>
// CHECK-NEXT: uma.graph.dequantize %[[V]]
func.func @integers(%x: tensor<2xf32>, %table: tensor<256xui8>) -> (tensor<2xui8>, tensor<2xf32>, tensor<2xf32>) {
  %c = uma.graph.constant dense<[0, 255]> : tensor<2xui8>
  %k = uma.graph.storage_cast %c : (tensor<2xui8>) -> tensor<2x!x>
  %0 = uma.graph.storage_cast %k : (tensor<2x!x>) -> tensor<2xui8>
  %1 = uma.graph.dequantize %k : (tensor<2x!x>) -> tensor<2xf32>
  %2 = uma.graph.quantize %x : (tensor<2xf32>) -> tensor<2x!x>
  %3 = uma.graph.storage_cast %2 : (tensor<2x!x>) -> tensor<2xui8>
  %4 = uma.graph.cast %3 to i32 : (tensor<2xui8>) -> tensor<2xi32>
  %5 = uma.graph.take %table, %4 axis 0 : (tensor<256xui8>, tensor<2xi32>) -> tensor<2xui8>
  %6 = uma.graph.storage_cast %5 : (tensor<2xui8>) -> tensor<2x!x>
  %7 = uma.graph.dequantize %6 : (tensor<2x!x>) -> tensor<2xf32>
  return %0, %1, %7 : tensor<2xui8>, tensor<2xf32>, tensor<2xf32>
}

// Several scales, but no constant: nothing converts these.

// CHECK-LABEL: @axis
// CHECK-NOT: i8:f32
// CHECK: return
func.func @axis(%x: tensor<3x2xf32>, %i: tensor<3x2xui8>) -> (tensor<3x2xui8>, tensor<3x2xf32>) {
  %0 = uma.graph.quantize %x : (tensor<3x2xf32>) -> tensor<3x2x!y>
  %1 = uma.graph.storage_cast %0 : (tensor<3x2x!y>) -> tensor<3x2xui8>
  %2 = uma.graph.storage_cast %i : (tensor<3x2xui8>) -> tensor<3x2x!y>
  %3 = uma.graph.dequantize %2 : (tensor<3x2x!y>) -> tensor<3x2xf32>
  return %1, %3 : tensor<3x2xui8>, tensor<3x2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:7>
!y = !quant.uniform<i16:f32, 0.5>
!z = !quant.uniform<u16:f32, 0.25:7>
!a = !quant.uniform<i8:f32, 0.08:12>
!c = !quant.uniform<i8:f32, 0.24>

// Signed data, other widths and bytes that are not quantized stay.

// CHECK-LABEL: @others
// CHECK-NEXT: uma.graph.quantize {{.*}}!quant.uniform<i8:f32, 5.000000e-01:7>>
// CHECK-NEXT: uma.graph.requantize %{{.*}} clamp [0, 9] : {{.*}}!quant.uniform<i16:f32, 5.000000e-01>>
// CHECK-NEXT: uma.graph.requantize {{.*}}!quant.uniform<u16:f32, 2.500000e-01:7>>
// CHECK-NEXT: uma.graph.dequantize
// CHECK-NEXT: uma.graph.max_pool2d {{.*}} -> tensor<1x1x1x1xui8>
// CHECK-NEXT: uma.graph.storage_cast {{.*}}!quant.uniform<i8:f32, 8.000000e-02:12>>
// CHECK-NEXT: uma.graph.quantized_add {{.*}}!quant.uniform<i8:f32, 2.400000e-01>>
// CHECK-NEXT: uma.graph.storage_cast
// CHECK-NEXT: return
func.func @others(%x: tensor<4xf32>, %i: tensor<1x1x2x2xui8>, %j: tensor<4xi8>) -> (tensor<4xf32>, tensor<1x1x1x1xui8>, tensor<4xi8>) {
  %0 = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!x>
  %1 = uma.graph.requantize %0 clamp [0, 9] : (tensor<4x!x>) -> tensor<4x!y>
  %2 = uma.graph.requantize %1 : (tensor<4x!y>) -> tensor<4x!z>
  %3 = uma.graph.dequantize %2 : (tensor<4x!z>) -> tensor<4xf32>
  %4 = uma.graph.max_pool2d %i size [2, 2] : (tensor<1x1x2x2xui8>) -> tensor<1x1x1x1xui8>
  %5 = uma.graph.storage_cast %j : (tensor<4xi8>) -> tensor<4x!a>
  %6 = uma.graph.quantized_add %5, %5 : (tensor<4x!a>, tensor<4x!a>) -> tensor<4x!c>
  %7 = uma.graph.storage_cast %6 : (tensor<4x!c>) -> tensor<4xi8>
  return %3, %4, %7 : tensor<4xf32>, tensor<1x1x1x1xui8>, tensor<4xi8>
}

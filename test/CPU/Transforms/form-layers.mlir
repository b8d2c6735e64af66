// RUN: uma-opt %s --uma-cpu-form-layers --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-cpu-form-layers=max-depth=2 --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-inline-layers --split-input-file > %t.mlir
// RUN: uma-opt %s --uma-cpu-inline-layers --split-input-file | diff - %t.mlir
// RUN: uma-opt %s --uma-cpu-form-layers --split-input-file > %t.once.mlir
// RUN: uma-opt %t.once.mlir --uma-cpu-form-layers --split-input-file | diff %t.once.mlir -
// RUN: uma-opt %s --uma-cpu-form-layers --split-input-file --remarks-filter=uma-cpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not uma-opt %s --uma-cpu-form-layers=max-depth=0 2>&1 | FileCheck %s --check-prefix=ZERO

// REMARK: [Passed] layer | Category:uma-cpu | Function=conv2d_conv2d_bias_add_add_relu | Remark="layer 'conv2d' computes conv2d, bias_add, add, relu"
// ZERO: error: uma-cpu-form-layers: max-depth is 0, expected 1 or more

// A convolution takes the elementwise work on its result; constants are operands of the call. A pool is a layer of its own.

// CHECK-LABEL: func @conv(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x4x4xf32>, %[[Y:.*]]: tensor<1x4x4x4xf32>)
// CHECK: %[[W:.*]] = uma.graph.constant
// CHECK: %[[B:.*]] = uma.graph.constant
// CHECK-NEXT: %[[CALL:.*]] = call @conv2d_conv2d_bias_add_add_relu(%[[X]], %[[W]], %[[B]], %[[Y]])
// CHECK-NEXT: %[[POOL:.*]] = call @max_pool2d(%[[CALL]])
// CHECK-NEXT: return %[[POOL]]
// CHECK-LABEL: func private @conv2d_conv2d_bias_add_add_relu(
// CHECK-SAME: %[[A0:.*]]: tensor<1x2x4x4xf32>, %[[A1:.*]]: tensor<4x2x1x1xf32>, %[[A2:.*]]: tensor<4xf32>, %[[A3:.*]]: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> attributes {uma.primitive}
// CHECK-NEXT: %[[CONV:.*]] = uma.graph.conv2d %[[A0]], %[[A1]]
// CHECK-NEXT: %[[BIAS:.*]] = uma.graph.bias_add %[[CONV]], %[[A2]]
// CHECK-NEXT: %[[ADD:.*]] = uma.graph.add %[[A3]], %[[BIAS]]
// CHECK-NEXT: %[[RELU:.*]] = uma.graph.relu %[[ADD]]
// CHECK-NEXT: return %[[RELU]]

// No layer of more than two; the first ones win.

// TWO-LABEL: func @conv(
// TWO: call @conv2d_conv2d_bias_add(
// TWO: call @relu_add_relu(
func.func @conv(%x: tensor<1x2x4x4xf32>, %y: tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<4x2x1x1xf32>
  %b = uma.graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %2 = uma.graph.add %y, %1 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = uma.graph.relu %2 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %4 = uma.graph.max_pool2d %3 size [2, 2] strides [2, 2] : (tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32>
  return %4 : tensor<1x4x2x2xf32>
}

// -----

// The post-dominator rule: hard-swish reads its operand twice, and both paths meet; a value that the function
// returns ends a layer.

// CHECK-LABEL: func @diamond(
// CHECK: %[[SWISH:.*]] = call @dense_dense_clip_multiply(
// CHECK-NEXT: %[[EXP:.*]] = call @exp(%[[SWISH]])
// CHECK-NEXT: return %[[SWISH]], %[[EXP]]
func.func @diamond(%x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %w = uma.graph.constant dense<1.0> : tensor<4x4xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %1 = uma.graph.clip %0 min 0.0 max 6.0 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = uma.graph.multiply %0, %1 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %3 = uma.graph.exp %2 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %2, %3 : tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// Of two convolutions that meet in an addition one gets it: a layer has one loop nest. Data of the convolution that is also
// added comes as two arguments, which may lie in two layouts.

// CHECK-LABEL: func @branches(
// CHECK: %[[A:.*]] = call @conv2d_conv2d_relu(
// CHECK: call @conv2d_conv2d_add_relu(%[[A]], %{{.*}}, %[[A]])
func.func @branches(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<4x4x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = uma.graph.relu %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = uma.graph.conv2d %1, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %3 = uma.graph.add %1, %2 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %4 = uma.graph.relu %3 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %4 : tensor<1x4x4x4xf32>
}

// -----

// What has no kernel stays in the network: reductions, what moves elements, weights of run time, integers.

// CHECK-LABEL: func @others(
// CHECK: %[[EXP:.*]] = call @relu_exp_relu(
// CHECK-NEXT: %[[SUM:.*]] = uma.graph.sum %[[EXP]]
// CHECK-NEXT: %[[T:.*]] = uma.graph.transpose %[[EXP]]
// CHECK-NEXT: %[[D:.*]] = uma.graph.dense %[[T]]
// CHECK-NEXT: %[[I:.*]] = uma.graph.relu %{{.*}} : (tensor<4xi32>)
// CHECK-NEXT: return
func.func @others(%x: tensor<2x4xf32>, %w: tensor<4x2xf32>, %i: tensor<4xi32>) -> (tensor<2xf32>, tensor<4x4xf32>, tensor<4xi32>) {
  %0 = uma.graph.exp %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = uma.graph.relu %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = uma.graph.sum %1 axis [1] : (tensor<2x4xf32>) -> tensor<2xf32>
  %3 = uma.graph.transpose %1 [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %4 = uma.graph.dense %3, %w : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %5 = uma.graph.relu %i : (tensor<4xi32>) -> tensor<4xi32>
  return %2, %4, %5 : tensor<2xf32>, tensor<4x4xf32>, tensor<4xi32>
}

// -----

// A layer that is there stays, and nothing joins it; so does what an accelerator does.

// CHECK-LABEL: func @given(
// CHECK: %[[A:.*]] = call @mine(
// CHECK-NEXT: %[[B:.*]] = call @device(%[[A]])
// CHECK-NEXT: %[[C:.*]] = call @abs(%[[B]])
// CHECK: func private @mine
// CHECK-NEXT: uma.graph.exp
// CHECK-NEXT: uma.graph.relu
// CHECK: func private @device
// CHECK-NEXT: uma.graph.exp
func.func @given(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @mine(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @device(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = uma.graph.abs %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @mine(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive} {
  %0 = uma.graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = uma.graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @device(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"a">} {
  %0 = uma.graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A table of bytes is a layer of its own, whatever writes its data. A sum of bytes has the conversion to wider integers inside.

// CHECK-LABEL: func @bytes(
// CHECK: call @cast{{.*}} -> tensor<1x3x4x4xui8>
// CHECK-NEXT: call @take(%{{.*}}) : (tensor<256xui8>, tensor<1x3x4x4xui8>) -> tensor<1x3x4x4xui8>
// CHECK-NEXT: call @sum_cast_sum(%{{.*}}) : (tensor<1x3x4x4xui8>) -> tensor<1x3xi32>
// CHECK-LABEL: func private @sum_cast_sum(
// CHECK-NEXT: uma.graph.cast
// CHECK-NEXT: uma.graph.sum
// CHECK-NEXT: return
func.func @bytes(%x: tensor<1x3x4x4xf32>) -> tensor<1x3xi32> {
  %table = uma.graph.constant dense<7> : tensor<256xui8>
  %0 = uma.graph.cast %x to ui8 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xui8>
  %1 = uma.graph.take %table, %0 axis 0 : (tensor<256xui8>, tensor<1x3x4x4xui8>) -> tensor<1x3x4x4xui8>
  %2 = uma.graph.cast %1 to i32 : (tensor<1x3x4x4xui8>) -> tensor<1x3x4x4xi32>
  %3 = uma.graph.sum %2 axis [2, 3] : (tensor<1x3x4x4xi32>) -> tensor<1x3xi32>
  return %3 : tensor<1x3xi32>
}

// -----

// Others are no such layers: tables of other sizes and that are no constants, sums of dimensions that are not adjacent.

// CHECK-LABEL: func @other_bytes(
// CHECK-COUNT-2: uma.graph.take
// CHECK: call @cast
// CHECK: uma.graph.sum
// CHECK: return
func.func @other_bytes(%x: tensor<1x3x4x4xui8>, %i: tensor<4xi8>, %any: tensor<256xui8>) -> (tensor<4xui8>, tensor<4xui8>, tensor<1x4xi32>) {
  %few = uma.graph.constant dense<7> : tensor<128xui8>
  %0 = uma.graph.take %few, %i axis 0 : (tensor<128xui8>, tensor<4xi8>) -> tensor<4xui8>
  %1 = uma.graph.take %any, %i axis 0 : (tensor<256xui8>, tensor<4xi8>) -> tensor<4xui8>
  %2 = uma.graph.cast %x to i32 : (tensor<1x3x4x4xui8>) -> tensor<1x3x4x4xi32>
  %3 = uma.graph.sum %2 axis [1, 3] : (tensor<1x3x4x4xi32>) -> tensor<1x4xi32>
  return %0, %1, %3 : tensor<4xui8>, tensor<4xui8>, tensor<1x4xi32>
}

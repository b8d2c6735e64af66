// RUN: uma-opt %s --uma-graph-fuse-ops --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-graph-fuse-ops=max-depth=2 --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: uma-opt %s --uma-graph-fuse-ops=max-depth=1 --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: uma-opt %s --uma-graph-fuse-ops --uma-graph-defuse-ops --split-input-file > %t.mlir
// RUN: uma-opt %s --split-input-file | diff - %t.mlir

// ONE-NOT: uma.primitive

// A convolution takes the elementwise work on its result, and its constants along.

// CHECK-LABEL: func @conv(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x4x4xf32>, %[[Y:.*]]: tensor<1x3x4x4xf32>)
// CHECK-NEXT: %[[CALL:.*]] = call @fused_conv2d_bias_add_add_relu(%[[X]], %[[Y]])
// CHECK-NEXT: %[[POOL:.*]] = uma.graph.max_pool2d %[[CALL]]
// CHECK-NEXT: return %[[POOL]]
// CHECK-LABEL: func private @fused_conv2d_bias_add_add_relu(
// CHECK-SAME: %[[A:.*]]: tensor<1x2x4x4xf32>, %[[B:.*]]: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> attributes {uma.primitive}
// CHECK-NEXT: %[[W:.*]] = uma.graph.constant
// CHECK-NEXT: %[[CONV:.*]] = uma.graph.conv2d %[[A]], %[[W]]
// CHECK-NEXT: %[[C:.*]] = uma.graph.constant
// CHECK-NEXT: %[[BIAS:.*]] = uma.graph.bias_add %[[CONV]], %[[C]]
// CHECK-NEXT: %[[ADD:.*]] = uma.graph.add %[[B]], %[[BIAS]]
// CHECK-NEXT: %[[RELU:.*]] = uma.graph.relu %[[ADD]]
// CHECK-NEXT: return %[[RELU]]

// No group of more than two; the first ones win.

// TWO-LABEL: func @conv(
// TWO: call @fused_conv2d_bias_add(
// TWO: call @fused_add_relu(
func.func @conv(%x: tensor<1x2x4x4xf32>, %y: tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<3x2x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %b = uma.graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %2 = uma.graph.add %y, %1 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %3 = uma.graph.relu %2 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %4 = uma.graph.max_pool2d %3 size [2, 2] strides [2, 2] : (tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32>
  return %4 : tensor<1x3x2x2xf32>
}

// -----

// The post-dominator rule: hard-swish reads its operand twice, and both paths meet; a value that the function
// returns ends a group.

// CHECK-LABEL: func @diamond(
// CHECK: %[[SWISH:.*]] = call @fused_dense_clip_multiply(
// CHECK-NEXT: %[[EXP:.*]] = uma.graph.exp %[[SWISH]]
// CHECK-NEXT: return %[[SWISH]], %[[EXP]]
// CHECK: func private @fused_dense_clip_multiply
func.func @diamond(%x: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %0 = uma.graph.dense %x, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %1 = uma.graph.clip %0 min 0.0 max 6.0 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = uma.graph.multiply %0, %1 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %3 = uma.graph.exp %2 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %2, %3 : tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// Of two convolutions that meet in an addition one gets it: a group has one loop nest.

// CHECK-LABEL: func @branches(
// CHECK: call @fused_conv2d_relu(
// CHECK: call @fused_conv2d_add_relu(
// CHECK: func private @fused_conv2d_relu(
// CHECK: func private @fused_conv2d_add_relu(
func.func @branches(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = uma.graph.relu %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.conv2d %1, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = uma.graph.add %1, %2 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = uma.graph.relu %3 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %4 : tensor<1x2x4x4xf32>
}

// -----

// Elementwise work goes into the reduction behind it and not the other way round; a convolution's result that
// broadcasts is no elementwise use.

// CHECK-LABEL: func @kinds(
// CHECK: %[[SUM:.*]] = call @fused_exp_sum(
// CHECK-NEXT: %[[LOG:.*]] = uma.graph.log %[[SUM]]
// CHECK-NEXT: %[[DENSE:.*]] = uma.graph.dense
// CHECK-NEXT: %[[ADD:.*]] = uma.graph.add %[[DENSE]], %{{.*}} : (tensor<4xf32>, tensor<2x4xf32>)
// CHECK-NEXT: return %[[LOG]], %[[ADD]]
func.func @kinds(%x: tensor<2x4xf32>, %v: tensor<4xf32>, %w: tensor<4x4xf32>) -> (tensor<2xf32>, tensor<2x4xf32>) {
  %0 = uma.graph.exp %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = uma.graph.sum %0 axis [1] : (tensor<2x4xf32>) -> tensor<2xf32>
  %2 = uma.graph.log %1 : (tensor<2xf32>) -> tensor<2xf32>
  %3 = uma.graph.dense %v, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %4 = uma.graph.add %3, %x : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2, %4 : tensor<2xf32>, tensor<2x4xf32>
}

// -----

// What moves elements is fused with arithmetic, but not into a convolution and not behind one.

// CHECK-LABEL: func @moving(
// CHECK: %[[A:.*]] = call @fused_transpose_relu_pad(
// CHECK-NEXT: %[[CONV:.*]] = uma.graph.conv2d %[[A]]
// CHECK-NEXT: uma.graph.reshape %[[CONV]]
func.func @moving(%x: tensor<1x4x4x2xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x50xf32> {
  %0 = uma.graph.transpose %x [0, 3, 1, 2] : (tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32>
  %1 = uma.graph.relu %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.pad %1 before [0, 0, 1, 0] after [0, 0, 0, 1] : (tensor<1x2x4x4xf32>) -> tensor<1x2x5x5xf32>
  %3 = uma.graph.conv2d %2, %w : (tensor<1x2x5x5xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x5x5xf32>
  %4 = uma.graph.reshape %3 [1, 50] : (tensor<1x2x5x5xf32>) -> tensor<1x50xf32>
  return %4 : tensor<1x50xf32>
}

// -----

// Nothing is fused across what an accelerator does, nor inside of it.

// CHECK-LABEL: func @partitioned(
// CHECK: %[[A:.*]] = call @fused_exp_relu(
// CHECK-NEXT: %[[B:.*]] = call @device(%[[A]])
// CHECK-NEXT: %[[C:.*]] = call @fused_exp_add(%[[B]], %[[A]])
// CHECK-NEXT: %[[D:.*]] = uma.graph.composite
// CHECK: uma.graph.abs %[[D]]
// CHECK-LABEL: func private @device(
// CHECK-NEXT: uma.graph.exp
// CHECK-NEXT: uma.graph.exp
func.func @partitioned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uma.graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = uma.graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @device(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = uma.graph.exp %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = uma.graph.add %3, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = uma.graph.composite @a::@p (%a = %4 : tensor<4xf32>) -> tensor<4xf32> {
    %7 = uma.graph.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    %8 = uma.graph.exp %7 : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %8 : tensor<4xf32>
  }
  %6 = uma.graph.abs %5 : (tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}
func.func private @device(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"a">} {
  %0 = uma.graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = uma.graph.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Opaque operators, several results and dead ones are left alone; names are unique.

// CHECK-LABEL: func @others(
// CHECK: call @fused_exp_relu(
// CHECK-NEXT: uma.graph.cumsum
// CHECK-NEXT: call @fused_exp_relu_0(
// CHECK: uma.graph.gru
// CHECK-NEXT: uma.graph.relu
func.func @others(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>) -> tensor<5x1x1x3xf32> {
  %0 = uma.graph.exp %x : (tensor<5x1x2xf32>) -> tensor<5x1x2xf32>
  %1 = uma.graph.relu %0 : (tensor<5x1x2xf32>) -> tensor<5x1x2xf32>
  %2 = uma.graph.cumsum %1 axis 0 : (tensor<5x1x2xf32>) -> tensor<5x1x2xf32>
  %3 = uma.graph.exp %2 : (tensor<5x1x2xf32>) -> tensor<5x1x2xf32>
  %4 = uma.graph.relu %3 : (tensor<5x1x2xf32>) -> tensor<5x1x2xf32>
  %5 = uma.graph.abs %4 : (tensor<5x1x2xf32>) -> tensor<5x1x2xf32>
  %6:2 = uma.graph.gru %4, %w, %r : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  %7 = uma.graph.relu %6#0 : (tensor<5x1x1x3xf32>) -> tensor<5x1x1x3xf32>
  return %7 : tensor<5x1x1x3xf32>
}

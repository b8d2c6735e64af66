// RUN: uma-opt %s --uma-graph-sink-reshapes --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-graph-sink-reshapes --uma-graph-sink-reshapes --split-input-file | FileCheck %s

// Two convolutions of one dimension: what is between them has their shape, and no reshape is left there.

// CHECK-LABEL: func @between
// CHECK-SAME: (%[[X:.*]]: tensor<1x2x1x8xf32>
// CHECK: %[[FIRST:.*]] = uma.graph.conv2d %[[X]]
// CHECK-NEXT: %[[TANH:.*]] = uma.graph.tanh %[[FIRST]] : (tensor<1x2x1x8xf32>) -> tensor<1x2x1x8xf32>
// CHECK-NEXT: %[[SUM:.*]] = uma.graph.add %[[TANH]], %[[FIRST]] : (tensor<1x2x1x8xf32>, tensor<1x2x1x8xf32>)
// CHECK-NEXT: %[[SECOND:.*]] = uma.graph.conv2d %[[SUM]]
// CHECK-NEXT: %[[RESULT:.*]] = uma.graph.reshape %[[SECOND]] [1, 2, 8]
// CHECK-NEXT: return %[[RESULT]]
func.func @between(%x: tensor<1x2x1x8xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x8xf32> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x1x8xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x1x8xf32>
  %1 = uma.graph.reshape %0 [1, 2, 8] : (tensor<1x2x1x8xf32>) -> tensor<1x2x8xf32>
  %2 = uma.graph.tanh %1 : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %3 = uma.graph.add %2, %1 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %4 = uma.graph.reshape %3 [1, 2, 1, 8] : (tensor<1x2x8xf32>) -> tensor<1x2x1x8xf32>
  %5 = uma.graph.conv2d %4, %w : (tensor<1x2x1x8xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x1x8xf32>
  %6 = uma.graph.reshape %5 [1, 2, 8] : (tensor<1x2x1x8xf32>) -> tensor<1x2x8xf32>
  return %6 : tensor<1x2x8xf32>
}

// -----

// Constants of more than one value get the dimensions that are missing; the element type may change.

// CHECK-LABEL: func @constants
// CHECK-DAG: %[[FACTORS:.*]] = uma.graph.constant dense<{{.*}}2.000000e+00{{.*}}3.000000e+00{{.*}}> : tensor<1x2x1x1xf32>
// CHECK-DAG: %[[LIMIT:.*]] = uma.graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[POOL:.*]] = uma.graph.max_pool2d
// CHECK: %[[PRODUCT:.*]] = uma.graph.multiply %[[POOL]], %[[FACTORS]] : (tensor<1x2x1x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[IS_LESS:.*]] = uma.graph.less %[[PRODUCT]], %[[LIMIT]] : {{.*}} -> tensor<1x2x1x4xi1>
// CHECK: uma.graph.reshape %[[IS_LESS]] [1, 2, 4] : (tensor<1x2x1x4xi1>)
func.func @constants(%x: tensor<1x2x1x8xf32>) -> tensor<1x2x4xi1> {
  %c = uma.graph.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %s = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.max_pool2d %x size [1, 2] strides [1, 2] : (tensor<1x2x1x8xf32>) -> tensor<1x2x1x4xf32>
  %1 = uma.graph.reshape %0 [1, 2, 4] : (tensor<1x2x1x4xf32>) -> tensor<1x2x4xf32>
  %2 = uma.graph.multiply %c, %1 : (tensor<2x1xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %3 = uma.graph.less %2, %s : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<1x2x4xi1>
  return %3 : tensor<1x2x4xi1>
}

// -----

// Not where another operand would need a reshape, where a reshape does more than drop, adds dimensions or follows no
// window, or where the result is larger than what it comes from.

// CHECK-LABEL: func @stays
// CHECK: uma.graph.add {{.*}} -> tensor<1x2x8xf32>
// CHECK: uma.graph.tanh {{.*}} -> tensor<1x16xf32>
// CHECK: uma.graph.tanh {{.*}} -> tensor<1x1x2x1x8xf32>
// CHECK: uma.graph.tanh {{.*}} -> tensor<2x8xf32>
// CHECK: uma.graph.multiply {{.*}} -> tensor<3x2x8xf32>
// CHECK-NEXT: return
func.func @stays(%x: tensor<1x2x1x8xf32>, %y: tensor<1x2x8xf32>, %w: tensor<2x2x1x1xf32>)
    -> (tensor<1x2x8xf32>, tensor<1x16xf32>, tensor<1x1x2x1x8xf32>, tensor<2x8xf32>, tensor<3x2x8xf32>) {
  %c = uma.graph.constant dense<2.0> : tensor<3x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x1x8xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x1x8xf32>
  %1 = uma.graph.reshape %0 [1, 2, 8] : (tensor<1x2x1x8xf32>) -> tensor<1x2x8xf32>
  %2 = uma.graph.add %1, %y : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %3 = uma.graph.reshape %0 [1, 16] : (tensor<1x2x1x8xf32>) -> tensor<1x16xf32>
  %4 = uma.graph.tanh %3 : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %5 = uma.graph.reshape %0 [1, 1, 2, 1, 8] : (tensor<1x2x1x8xf32>) -> tensor<1x1x2x1x8xf32>
  %6 = uma.graph.tanh %5 : (tensor<1x1x2x1x8xf32>) -> tensor<1x1x2x1x8xf32>
  %7 = uma.graph.reshape %x [2, 8] : (tensor<1x2x1x8xf32>) -> tensor<2x8xf32>
  %8 = uma.graph.tanh %7 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %9 = uma.graph.multiply %1, %c : (tensor<1x2x8xf32>, tensor<3x1x1xf32>) -> tensor<3x2x8xf32>
  return %2, %4, %6, %8, %9 : tensor<1x2x8xf32>, tensor<1x16xf32>, tensor<1x1x2x1x8xf32>, tensor<2x8xf32>, tensor<3x2x8xf32>
}

// -----

// The body of a composite stays as its pattern matches it.

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %w = uma.accel.input "w" f32
    %c = uma.accel.op "conv2d"(%x, %w)
    %r = uma.accel.op "reshape"(%c) {newshape = [1, 2, 8]}
    %y = uma.accel.op "tanh"(%r) as "y"
    uma.accel.call "f"(%x, %w, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func @composite
// CHECK: uma.graph.reshape
// CHECK-NEXT: uma.graph.tanh {{.*}} -> tensor<1x2x8xf32>
// CHECK-NEXT: uma.graph.yield
func.func @composite(%a: tensor<1x2x1x8xf32>, %b: tensor<2x2x1x1xf32>) -> tensor<1x2x8xf32> {
  %0 = uma.graph.composite @npu::@p (%x = %a : tensor<1x2x1x8xf32>, %w = %b : tensor<2x2x1x1xf32>) -> tensor<1x2x8xf32> {
    %1 = uma.graph.conv2d %x, %w : (tensor<1x2x1x8xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x1x8xf32>
    %2 = uma.graph.reshape %1 [1, 2, 8] : (tensor<1x2x1x8xf32>) -> tensor<1x2x8xf32>
    %3 = uma.graph.tanh %2 : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    uma.graph.yield %3 : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

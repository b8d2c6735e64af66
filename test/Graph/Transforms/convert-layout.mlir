// RUN: uma-opt %s --uma-graph-convert-layout=data-layout=NHWC --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-graph-convert-layout="data-layout=NHWC kernel-layout=HWIO" --uma-graph-fold-constant --canonicalize --split-input-file | FileCheck %s --check-prefix=KERNEL
// RUN: uma-opt %s --uma-graph-convert-layout=data-layout=NCHW --canonicalize --split-input-file | FileCheck %s --check-prefix=BACK
// RUN: uma-opt %s --uma-graph-convert-layout="data-layout=NHWC ops=max_pool2d,avg_pool2d" --split-input-file | FileCheck %s --check-prefix=SOME

// Transposes at the borders only; constants of lower rank get the data's.

// CHECK-LABEL: func @chain(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x4x4xf32>)
// CHECK-DAG: %[[B:.*]] = uma.graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK-DAG: %[[S:.*]] = uma.graph.constant {{.*}} : tensor<3x1x1xf32>
// CHECK-DAG: %[[XT:.*]] = uma.graph.transpose %[[X]] [0, 2, 3, 1] : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
// CHECK: %[[CONV:.*]] = uma.graph.conv2d %[[XT]], %{{.*}} padding [1, 0, 0, 1] layout "NHWC" : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>) -> tensor<1x4x4x3xf32>
// CHECK: %[[BIAS:.*]] = uma.graph.bias_add %[[CONV]], %[[B]] axis 3
// CHECK: %[[RELU:.*]] = uma.graph.relu %[[BIAS]]
// CHECK: %[[S4:.*]] = uma.graph.reshape %[[S]] [1, 3, 1, 1]
// CHECK: %[[ST:.*]] = uma.graph.transpose %[[S4]] [0, 2, 3, 1] : (tensor<1x3x1x1xf32>) -> tensor<1x1x1x3xf32>
// CHECK: %[[SCALED:.*]] = uma.graph.multiply %[[RELU]], %[[ST]]
// CHECK: %[[POOL:.*]] = uma.graph.max_pool2d %[[SCALED]] size [2, 2] strides [2, 2] layout "NHWC"
// CHECK: %[[OUT:.*]] = uma.graph.transpose %[[POOL]] [0, 3, 1, 2] : (tensor<1x2x2x3xf32>) -> tensor<1x3x2x2xf32>
// CHECK: return %[[OUT]]

// KERNEL-LABEL: func @chain(
// KERNEL-DAG: uma.graph.constant {{.*}} : tensor<2x2x2x3xf32>
// KERNEL-DAG: %[[S:.*]] = uma.graph.constant {{.*}} : tensor<1x1x1x3xf32>
// KERNEL: uma.graph.conv2d {{.*}} layout "NHWC" kernel_layout "HWIO"
// KERNEL: uma.graph.multiply %{{.*}}, %[[S]]

// BACK-LABEL: func @chain(
// BACK-NOT: transpose
// BACK: return

// Pools ask for it alone, and what computes their data stays: convolutions do not go along.

// SOME-LABEL: func @chain(
// SOME-NOT: transpose
// SOME: uma.graph.conv2d {{.*}} padding [1, 0, 0, 1] : (tensor<1x2x4x4xf32>
// SOME: uma.graph.transpose
// SOME: uma.graph.max_pool2d {{.*}} layout "NHWC"
func.func @chain(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x2x2xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<3x2x2x2xf32>
  %b = uma.graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %s = uma.graph.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
  %0 = uma.graph.conv2d %x, %w padding [1, 0, 0, 1] : (tensor<1x2x4x4xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x4x4xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %2 = uma.graph.relu %1 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %3 = uma.graph.multiply %2, %s : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %4 = uma.graph.max_pool2d %3 size [2, 2] strides [2, 2] : (tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32>
  return %4 : tensor<1x3x2x2xf32>
}

// -----

// A network whose exporter wrapped NCHW into transposes, with arithmetic between: nothing is left of them.

// CHECK-LABEL: func @wrapped(
// CHECK-NOT: transpose
// CHECK: uma.graph.subtract %{{.*}}, %{{.*}} : (tensor<1x4x4x2xf32>, tensor<f32>)
// CHECK-NOT: transpose
// CHECK: uma.graph.pad %{{.*}} before [0, 0, 1, 0] after [0, 1, 0, 0]
// CHECK-NOT: transpose
// CHECK: uma.graph.avg_pool2d {{.*}} layout "NHWC"
// CHECK: %[[SOFTMAX:.*]] = uma.graph.softmax %{{.*}} axis 3
// CHECK-NEXT: return %[[SOFTMAX]]

// BACK-LABEL: func @wrapped(
// BACK: uma.graph.transpose
// BACK: uma.graph.subtract
// BACK: uma.graph.transpose %{{.*}} [0, 2, 3, 1]
// BACK-NEXT: return
func.func @wrapped(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %mean = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.transpose %x [0, 3, 1, 2] : (tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32>
  %1 = uma.graph.subtract %0, %mean : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.pad %1 before [0, 0, 0, 1] after [0, 0, 1, 0] : (tensor<1x2x4x4xf32>) -> tensor<1x2x5x5xf32>
  %3 = uma.graph.avg_pool2d %2 size [2, 2] strides [2, 2] : (tensor<1x2x5x5xf32>) -> tensor<1x2x2x2xf32>
  %4 = uma.graph.softmax %3 axis 1 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %5 = uma.graph.transpose %4 [0, 2, 3, 1] : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %5 : tensor<1x2x2x2xf32>
}

// -----

// A residual block: one transpose of the input for both branches, one of the result.

// CHECK-LABEL: func @residual(
// CHECK-COUNT-1: uma.graph.transpose
// CHECK-NOT: transpose
// CHECK: uma.graph.concatenate {{.*}} axis 3
// CHECK: uma.graph.transpose
// CHECK-NOT: transpose
// CHECK: return
func.func @residual(%x: tensor<1x2x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<2x2x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = uma.graph.add %0, %x : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.global_avg_pool2d %1 : (tensor<1x2x4x4xf32>) -> tensor<1x2x1x1xf32>
  %3 = uma.graph.sigmoid %2 : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  %4 = uma.graph.multiply %3, %1 : (tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %5 = uma.graph.concatenate %4, %0, %x axis -3 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  return %5 : tensor<1x6x4x4xf32>
}

// -----

// Reductions: what is left of the dimensions may be in order again, or not.

// CHECK-LABEL: func @reductions(
// CHECK: %[[POOL:.*]] = uma.graph.max_pool2d
// CHECK: %[[MEAN:.*]] = uma.graph.mean %[[POOL]] axis [1, 2] : (tensor<1x5x3x2xf32>) -> tensor<1x2xf32>
// CHECK: %[[SUM:.*]] = uma.graph.sum %[[POOL]] axis [1] : (tensor<1x5x3x2xf32>) -> tensor<1x3x2xf32>
// CHECK: %[[ARGMAX:.*]] = uma.graph.argmax %[[POOL]] axis 3 keepdims true : (tensor<1x5x3x2xf32>) -> tensor<1x5x3x1xi64>
// CHECK: %[[ALL:.*]] = uma.graph.max %[[POOL]] : (tensor<1x5x3x2xf32>) -> tensor<f32>
// CHECK: %[[SUMT:.*]] = uma.graph.transpose %[[SUM]] [0, 2, 1] : (tensor<1x3x2xf32>) -> tensor<1x2x3xf32>
// CHECK: %[[ARGMAXT:.*]] = uma.graph.transpose %[[ARGMAX]] [0, 3, 1, 2]
// CHECK: return %[[MEAN]], %[[SUMT]], %[[ARGMAXT]], %[[ALL]]
func.func @reductions(%x: tensor<1x2x5x3xf32>) -> (tensor<1x2xf32>, tensor<1x2x3xf32>, tensor<1x1x5x3xi64>, tensor<f32>) {
  %0 = uma.graph.max_pool2d %x size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %1 = uma.graph.mean %0 axis [-1, 2] : (tensor<1x2x5x3xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.sum %0 axis [2] : (tensor<1x2x5x3xf32>) -> tensor<1x2x3xf32>
  %3 = uma.graph.argmax %0 axis 1 keepdims true : (tensor<1x2x5x3xf32>) -> tensor<1x1x5x3xi64>
  %4 = uma.graph.max %0 : (tensor<1x2x5x3xf32>) -> tensor<f32>
  return %1, %2, %3, %4 : tensor<1x2xf32>, tensor<1x2x3xf32>, tensor<1x1x5x3xi64>, tensor<f32>
}

// -----

// The other operators that go along, with all that counts dimensions.

// CHECK-LABEL: func @along(
// CHECK: %[[POOL:.*]] = uma.graph.max_pool2d
// CHECK: uma.graph.strided_slice %[[POOL]] [0, 1, 2, 0] size [1, 2, 1, 2] strides [1, 2, -1, 1] : (tensor<1x5x3x2xf32>) -> tensor<1x2x1x2xf32>
// CHECK: uma.graph.broadcast_to %{{.*}} [1, 2, 7, 2] : (tensor<1x2x1x2xf32>)
// CHECK: uma.graph.topk %{{.*}} k 2 axis 1
// CHECK: uma.graph.cumsum %[[POOL]] axis 2
// CHECK: uma.graph.interpolate %{{.*}}, %{{.*}}, %{{.*}} axis 1 : (tensor<1x5x3x2xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<1x2x3x2xf32>
// CHECK: uma.graph.take %{{.*}}, %{{.*}} axis 3 : (tensor<1x2x3x2xf32>, tensor<3xi64>) -> tensor<1x2x3x3xf32>
// CHECK: uma.graph.batch_norm %{{.*}} axis 3
// CHECK: uma.graph.log_softmax %{{.*}} axis 2
// CHECK: uma.graph.where %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x1x3x1xi1>, tensor<1x2x3x3xf32>, tensor<f32>)
func.func @along(%x: tensor<1x2x5x3xf32>, %i: tensor<2x1xi64>, %f: tensor<2x1xf32>, %t: tensor<3xi64>, %v: tensor<3xf32>, %c: tensor<3xi1>, %s: tensor<f32>)
    -> (tensor<1x2x2x7xi64>, tensor<1x3x2x3xf32>) {
  %0 = uma.graph.max_pool2d %x size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %1 = uma.graph.strided_slice %0 [0, 0, 1, 2] size [1, 2, 2, 1] strides [1, 1, 2, -1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x2x1xf32>
  %2 = uma.graph.broadcast_to %1 [1, 2, 2, 7] : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x7xf32>
  %3 = uma.graph.topk %2 k 2 axis 2 : (tensor<1x2x2x7xf32>) -> tensor<1x2x2x7xi64>
  %4 = uma.graph.cumsum %0 axis -1 : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %5 = uma.graph.interpolate %4, %i, %f axis 2 : (tensor<1x2x5x3xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<1x2x2x3xf32>
  %6 = uma.graph.take %5, %t axis 1 : (tensor<1x2x2x3xf32>, tensor<3xi64>) -> tensor<1x3x2x3xf32>
  %7 = uma.graph.batch_norm %6, %v, %v, %v, %v : (tensor<1x3x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x2x3xf32>
  %8 = uma.graph.log_softmax %7 : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %9 = uma.graph.where %c, %8, %s : (tensor<3xi1>, tensor<1x3x2x3xf32>, tensor<f32>) -> tensor<1x3x2x3xf32>
  return %3, %9 : tensor<1x2x2x7xi64>, tensor<1x3x2x3xf32>
}

// -----

// What has one layout only gets its own, and is between two transposes; a reshape, a new rank and indices of
// another rank end the layout.

// CHECK-LABEL: func @borders(
// CHECK: %[[POOL:.*]] = uma.graph.max_pool2d {{.*}} layout "NHWC"
// CHECK: %[[T:.*]] = uma.graph.transpose %[[POOL]] [0, 3, 1, 2]
// CHECK: %[[LRN:.*]] = uma.graph.lrn %[[T]]
// CHECK: %[[LRNT:.*]] = uma.graph.transpose %[[LRN]] [0, 2, 3, 1]
// CHECK: uma.graph.max_pool2d %[[LRNT]] {{.*}} layout "NHWC"
// CHECK: uma.graph.batch_flatten %{{.*}} : (tensor<1x2x5x3xf32>) -> tensor<1x30xf32>
// CHECK: uma.graph.take %[[T]], %{{.*}} axis 1 : (tensor<1x2x5x3xf32>, tensor<i64>)
// CHECK: uma.graph.broadcast_to %[[T]] [2, 1, 2, 5, 3]
// CHECK: uma.graph.add %[[T]], %{{.*}} : (tensor<1x2x5x3xf32>, tensor<2x1x1x1x1xf32>)
func.func @borders(%x: tensor<1x2x5x3xf32>, %i: tensor<i64>, %five: tensor<2x1x1x1x1xf32>)
    -> (tensor<1x30xf32>, tensor<1x5x3xf32>, tensor<2x1x2x5x3xf32>, tensor<2x1x2x5x3xf32>) {
  %0 = uma.graph.max_pool2d %x size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %1 = uma.graph.lrn %0 size 3 : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %2 = uma.graph.max_pool2d %1 size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %3 = uma.graph.batch_flatten %2 : (tensor<1x2x5x3xf32>) -> tensor<1x30xf32>
  %4 = uma.graph.take %0, %i axis 1 : (tensor<1x2x5x3xf32>, tensor<i64>) -> tensor<1x5x3xf32>
  %5 = uma.graph.broadcast_to %0 [2, 1, 2, 5, 3] : (tensor<1x2x5x3xf32>) -> tensor<2x1x2x5x3xf32>
  %6 = uma.graph.add %0, %five : (tensor<1x2x5x3xf32>, tensor<2x1x1x1x1xf32>) -> tensor<2x1x2x5x3xf32>
  return %3, %4, %5, %6 : tensor<1x30xf32>, tensor<1x5x3xf32>, tensor<2x1x2x5x3xf32>, tensor<2x1x2x5x3xf32>
}

// -----

// Three dimensions have layouts of their own names; weights that are shared are transposed once.

// KERNEL-LABEL: func @three(
// KERNEL-SAME: %[[X:.*]]: tensor<1x2x4x4x4xf32>, %[[W:.*]]: tensor
// KERNEL-DAG: %[[WT:.*]] = uma.graph.transpose %[[W]] [2, 3, 4, 1, 0]
// KERNEL-DAG: %[[XT:.*]] = uma.graph.transpose %[[X]] [0, 2, 3, 4, 1]
// KERNEL: %[[CONV:.*]] = uma.graph.conv3d %[[XT]], %[[WT]] layout "NDHWC" kernel_layout "DHWIO"
// KERNEL: %[[CONV2:.*]] = uma.graph.conv3d %[[CONV]], %[[WT]] layout "NDHWC" kernel_layout "DHWIO"
// KERNEL: uma.graph.max_pool3d %[[CONV2]] size [2, 2, 2] layout "NDHWC"
// KERNEL: uma.graph.transpose %{{.*}} [0, 4, 1, 2, 3]
func.func @three(%x: tensor<1x2x4x4x4xf32>, %w: tensor<2x2x1x1x1xf32>) -> tensor<1x2x3x3x3xf32> {
  %0 = uma.graph.conv3d %x, %w : (tensor<1x2x4x4x4xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x2x4x4x4xf32>
  %1 = uma.graph.conv3d %0, %w : (tensor<1x2x4x4x4xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x2x4x4x4xf32>
  %2 = uma.graph.max_pool3d %1 size [2, 2, 2] : (tensor<1x2x4x4x4xf32>) -> tensor<1x2x3x3x3xf32>
  return %2 : tensor<1x2x3x3x3xf32>
}

// -----

// A network in NHWC already, and its way back.

// CHECK-LABEL: func @already(
// CHECK-NOT: transpose
// CHECK: return
// BACK-LABEL: func @already(
// BACK-SAME: %[[X:.*]]: tensor<1x5x3x2xf32>
// BACK-DAG: %[[XT:.*]] = uma.graph.transpose %[[X]] [0, 3, 1, 2]
// BACK-DAG: uma.graph.conv2d %[[XT]], %{{.*}} kernel_layout "HWIO" : (tensor<1x2x5x3xf32>, tensor<1x1x2x4xf32>) -> tensor<1x4x5x3xf32>
// BACK: uma.graph.max_pool2d %{{.*}} size [2, 2] : (tensor<1x4x5x3xf32>) -> tensor<1x4x4x2xf32>
// BACK: uma.graph.transpose %{{.*}} [0, 2, 3, 1]
// SOME-LABEL: func @already(
// SOME-NOT: transpose
// SOME: return
func.func @already(%x: tensor<1x5x3x2xf32>) -> tensor<1x4x2x4xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<1x1x2x4xf32>
  %0 = uma.graph.conv2d %x, %w layout "NHWC" kernel_layout "HWIO" : (tensor<1x5x3x2xf32>, tensor<1x1x2x4xf32>) -> tensor<1x5x3x4xf32>
  %1 = uma.graph.max_pool2d %0 size [2, 2] layout "NHWC" : (tensor<1x5x3x4xf32>) -> tensor<1x4x2x4xf32>
  return %1 : tensor<1x4x2x4xf32>
}

// -----

// With `ops`, the others that have a layout go along where their data are converted.

// SOME-LABEL: func @pools(
// SOME: uma.graph.max_pool2d {{.*}} layout "NHWC"
// SOME-NEXT: %[[G:.*]] = uma.graph.global_avg_pool2d {{.*}} layout "NHWC" : (tensor<1x5x3x2xf32>) -> tensor<1x1x1x2xf32>
// SOME-NEXT: uma.graph.transpose %[[G]]
// SOME-NEXT: uma.graph.conv2d {{.*}} : (tensor<1x2x1x1xf32>
func.func @pools(%x: tensor<1x2x5x3xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x1x1xf32> {
  %0 = uma.graph.max_pool2d %x size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %1 = uma.graph.global_avg_pool2d %0 : (tensor<1x2x5x3xf32>) -> tensor<1x2x1x1xf32>
  %2 = uma.graph.conv2d %1, %w : (tensor<1x2x1x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  return %2 : tensor<1x2x1x1xf32>
}

// -----

// Calls and what an accelerator matched see the original layout; an accelerator's function stays.

// CHECK-LABEL: func @regions(
// CHECK: uma.graph.max_pool2d {{.*}} layout "NHWC"
// CHECK-NEXT: %[[T:.*]] = uma.graph.transpose
// CHECK-NEXT: uma.graph.composite @a::@p (%{{.*}} = %[[T]] : tensor<1x2x5x3xf32>)
// CHECK-NEXT: uma.graph.max_pool2d %{{.*}} size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
// CHECK: call @device(%[[T]])
// CHECK-LABEL: func private @device(
// CHECK-NEXT: uma.graph.max_pool2d %{{.*}} size [1, 1] : (tensor<1x2x5x3xf32>)
func.func @regions(%x: tensor<1x2x5x3xf32>) -> (tensor<1x2x5x3xf32>, tensor<1x2x5x3xf32>) {
  %0 = uma.graph.max_pool2d %x size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %1 = uma.graph.composite @a::@p (%a = %0 : tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32> {
    %3 = uma.graph.max_pool2d %a size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
    uma.graph.yield %3 : tensor<1x2x5x3xf32>
  }
  %2 = call @device(%0) : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  return %1, %2 : tensor<1x2x5x3xf32>, tensor<1x2x5x3xf32>
}
func.func private @device(%x: tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32> attributes {uma.target = #uma.target<"a">} {
  %0 = uma.graph.max_pool2d %x size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  return %0 : tensor<1x2x5x3xf32>
}

// -----

// What other dialects take from outside of their regions is the original value.

// CHECK-LABEL: func @captured(
// CHECK: uma.graph.max_pool2d {{.*}} layout "NHWC"
// CHECK-NEXT: %[[T:.*]] = uma.graph.transpose
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.yield %[[T]]
func.func @captured(%x: tensor<1x2x5x3xf32>, %c: i1) -> tensor<1x2x5x3xf32> {
  %0 = uma.graph.max_pool2d %x size [1, 1] : (tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %1 = scf.if %c -> tensor<1x2x5x3xf32> {
    scf.yield %0 : tensor<1x2x5x3xf32>
  } else {
    scf.yield %x : tensor<1x2x5x3xf32>
  }
  return %1 : tensor<1x2x5x3xf32>
}

// -----

// A transpose that is no change of layout stays one: nothing is moved through it.

// CHECK-LABEL: func @attention(
// CHECK: %[[T:.*]] = uma.graph.transpose %{{.*}} [0, 2, 1, 3]
// CHECK-NEXT: uma.graph.softmax %[[T]]
func.func @attention(%x: tensor<1x2x5x3xf32>) -> tensor<1x5x2x3xf32> {
  %0 = uma.graph.transpose %x [0, 2, 1, 3] : (tensor<1x2x5x3xf32>) -> tensor<1x5x2x3xf32>
  %1 = uma.graph.softmax %0 : (tensor<1x5x2x3xf32>) -> tensor<1x5x2x3xf32>
  return %1 : tensor<1x5x2x3xf32>
}

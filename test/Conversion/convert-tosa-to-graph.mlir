// RUN: uma-opt %s --convert-tosa-to-uma-graph | FileCheck %s --implicit-check-not=tosa.
// RUN: uma-opt %s --convert-tosa-to-uma-graph -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOCATION
// What the operators compute is compared with upstream in test/Integration/tosa-*.mlir.

// The signature stays, with its attributes.
// CHECK-LABEL: func.func @conv2d(%arg0: tensor<1x5x5x3xf32> {uma.name = "image"}
func.func @conv2d(%x: tensor<1x5x5x3xf32> {uma.name = "image"}, %w: tensor<4x3x2x3xf32>, %b: tensor<4xf32>) -> tensor<1x3x5x4xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // CHECK: %[[CONV:.*]] = uma.graph.conv2d %arg0, %arg1 strides [2, 1] padding [1, 1, 1, 0] layout "NHWC" kernel_layout "OHWI"
  // CHECK-NEXT: uma.graph.bias_add %[[CONV]], %arg2 axis 3
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 1, 1, 1, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x5x5x3xf32>, tensor<4x3x2x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5x4xf32>
  return %0 : tensor<1x3x5x4xf32>
}

// A bias of one element goes to every channel; integers need the type of their sums.
// CHECK-LABEL: func.func @depthwise(
func.func @depthwise(%x: tensor<1x4x4x3xi8>, %w: tensor<3x3x3x2xi8>, %b: tensor<1xi32>) -> tensor<1x2x2x6xi32> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // CHECK: uma.graph.reshape %arg1 [3, 3, 1, 6]
  // CHECK: uma.graph.conv2d {{.*}} groups 3 {{.*}}out_dtype i32
  // CHECK: %[[B:.*]] = uma.graph.broadcast_to %arg2 [6]
  // CHECK: uma.graph.bias_add %{{.*}}, %[[B]]
  %0 = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x3xi8>, tensor<3x3x3x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x6xi32>
  return %0 : tensor<1x2x2x6xi32>
}

// What TOSA adds around the result is padding of zeros before the bias, what it cuts off is `padding`.
// CHECK-LABEL: func.func @transpose_conv2d(
func.func @transpose_conv2d(%x: tensor<1x4x4x2xf32>, %w: tensor<2x3x3x2xf32>, %b: tensor<2xf32>) -> tensor<1x8x6x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // CHECK: %[[CONV:.*]] = uma.graph.conv2d_transpose {{.*}} padding [0, 1, 0, 0]
  // CHECK-NEXT: %[[PAD:.*]] = uma.graph.pad %[[CONV]] before [0, 0, 1, 0] after [0, 0, 1, 1]
  // CHECK-NEXT: uma.graph.bias_add %[[PAD]], %arg2
  %0 = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: 1, 1, -1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x6x2xf32>
  return %0 : tensor<1x8x6x2xf32>
}

// CHECK-LABEL: func.func @clamps(
func.func @clamps(%x: tensor<4xf32>, %i: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi8>) {
  // CHECK-NEXT: uma.graph.relu %arg0
  %0 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: uma.graph.relu %arg0
  %1 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: uma.graph.clip %arg0 min 0.000000e+00 max 6.000000e+00
  %2 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: uma.graph.relu %arg1
  %3 = tosa.clamp %i {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi8>
}

// TOSA rounds to the nearest integer, uma.graph.cast towards zero.
// CHECK-LABEL: func.func @casts(
func.func @casts(%x: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xi1>) {
  // CHECK-NEXT: %[[ROUND:.*]] = uma.graph.round %arg0
  // CHECK-NEXT: uma.graph.cast %[[ROUND]] to i8
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  // CHECK-NEXT: uma.graph.cast %arg0 to i1
  %1 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi8>, tensor<4xi1>
}

// CHECK-LABEL: func.func @scatter(
func.func @scatter(%x: tensor<2x4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x1x3xf32>) -> tensor<2x4x3xf32> {
  // CHECK: %[[N:.*]] = uma.graph.constant dense<{{\[\[}}[0]], {{\[\[}}1]]]> : tensor<2x1x1xi32>
  // CHECK: %[[I:.*]] = uma.graph.reshape %arg1 [2, 1, 1]
  // CHECK: %[[AT:.*]] = uma.graph.concatenate %[[N]], %[[I]] axis 2
  // CHECK: uma.graph.scatter_nd %arg0, %[[AT]], %arg2
  %0 = tosa.scatter %x, %i, %u : (tensor<2x4x3xf32>, tensor<2x1xi32>, tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// Weights stay what they are, and layers keep their names.
// CHECK-LABEL: func.func @weights(
func.func @weights(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: uma.graph.constant dense_resource<w> : tensor<2xf32>
  // LOCATION: uma.graph.add {{.*}} loc("sum")
  %w = "tosa.const"() <{values = dense_resource<w> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = tosa.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc("sum")
  return %0 : tensor<2xf32>
}

// What is no TOSA stays.
// CHECK-LABEL: func.func @other(
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: arith.addf
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-#
  dialect_resources: { builtin: { w: "0x040000000000803F00000040" } }
#-}

// RUN: uma-opt %s --uma-graph-fold-scale-axis --split-input-file | FileCheck %s

// Output channel o is scaled by 10^o, bias included.

// CHECK-LABEL: func @nchw
// CHECK-DAG: %[[W:.*]] = uma.graph.constant dense<{{\[\[\[\[}}1.000000e+00, 2.000000e+00]]], {{\[\[\[}}3.000000e+01, 4.000000e+01]]]]> : tensor<2x1x1x2xf32>
// CHECK-DAG: %[[B:.*]] = uma.graph.constant dense<[5.000000e+00, 6.000000e+01]> : tensor<2xf32>
// CHECK-DAG: %[[CONV:.*]] = uma.graph.conv2d %{{.*}}, %[[W]] :
// CHECK: %[[SUM:.*]] = uma.graph.bias_add %[[CONV]], %[[B]] :
// CHECK: %[[RELU:.*]] = uma.graph.relu %[[SUM]]
// CHECK: return %[[RELU]]
func.func @nchw(%x: tensor<1x1x2x2xf32>) -> tensor<1x2x2x1xf32> {
  %w = uma.graph.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %b = uma.graph.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %s = uma.graph.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x1x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2x2x1xf32>, tensor<2xf32>) -> tensor<1x2x2x1xf32>
  %2 = uma.graph.multiply %1, %s : (tensor<1x2x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x1xf32>
  %3 = uma.graph.relu %2 : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}

// -----

// The constant may be on either side; O is the last dimension of HWIO.

// CHECK-LABEL: func @nhwc_hwio
// CHECK: uma.graph.constant dense<{{\[\[\[\[}}1.000000e+00, 2.000000e+01], [3.000000e+00, 4.000000e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NOT: uma.graph.multiply
func.func @nhwc_hwio(%x: tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> {
  %w = uma.graph.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %s = uma.graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %0 = uma.graph.conv2d %x, %w layout "NHWC" kernel_layout "HWIO" : (tensor<1x3x3x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x3x3x2xf32>
  %1 = uma.graph.multiply %s, %0 : (tensor<2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %1 : tensor<1x3x3x2xf32>
}

// -----

// CHECK-LABEL: func @nhwc_ohwi
// CHECK: uma.graph.constant dense<{{\[\[\[\[}}1.000000e+00, 2.000000e+00]]], {{\[\[\[}}3.000000e+01, 4.000000e+01]]]]> : tensor<2x1x1x2xf32>
// CHECK-NOT: uma.graph.multiply
func.func @nhwc_ohwi(%x: tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> {
  %w = uma.graph.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %s = uma.graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %0 = uma.graph.conv2d %x, %w layout "NHWC" kernel_layout "OHWI" : (tensor<1x3x3x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x3x3x2xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<1x3x3x2xf32>, tensor<2xf32>) -> tensor<1x3x3x2xf32>
  return %1 : tensor<1x3x3x2xf32>
}

// -----

// Depthwise: O runs over the channels of all groups. Two factors fold one after the other.

// CHECK-LABEL: func @depthwise
// CHECK: uma.graph.constant dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}4.000000e+01]]]]> : tensor<2x1x1x1xf32>
// CHECK-NOT: uma.graph.multiply
func.func @depthwise(%x: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %w = uma.graph.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %s = uma.graph.constant dense<[[[[1.0]], [[10.0]]]]> : tensor<1x2x1x1xf32>
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %0 = uma.graph.conv2d %x, %w groups 2 : (tensor<1x2x3x3xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x3x3xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %2 = uma.graph.multiply %1, %two : (tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  return %2 : tensor<1x2x3x3xf32>
}

// -----

// The weights of another layer that shares them stay what they are.

// CHECK-LABEL: func @dense_shared
// CHECK-DAG: %[[W:.*]] = uma.graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]>
// CHECK-DAG: %[[SCALED:.*]] = uma.graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+01, 4.000000e+01]]>
// CHECK-DAG: uma.graph.dense %{{.*}}, %[[SCALED]]
// CHECK-DAG: uma.graph.dense %{{.*}}, %[[W]]
func.func @dense_shared(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = uma.graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.dense %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %1, %2 : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// Computed in double and rounded once: 3 * (1/3 rounded to f32) is 1 in f32.

// CHECK-LABEL: func @rounding
// CHECK: uma.graph.constant dense<1.000000e+00> : tensor<1x1xf32>
func.func @rounding(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %w = uma.graph.constant dense<0x3EAAAAAB> : tensor<1x1xf32>
  %s = uma.graph.constant dense<3.0> : tensor<1xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<1x1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func @second_use
// CHECK: uma.graph.multiply
func.func @second_use(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = uma.graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %0, %1 : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// A factor along the width is none of the channels', one that broadcasts is no
// factor of the layer, a factor that is computed is unknown.

// CHECK-LABEL: func @no_factor
// CHECK-COUNT-3: uma.graph.multiply
func.func @no_factor(%x: tensor<1x2x2x2xf32>, %f: tensor<2x1x1xf32>)
    -> (tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %w = uma.graph.constant dense<1.0> : tensor<2x2x1x1xf32>
  %s = uma.graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %r = uma.graph.constant dense<2.0> : tensor<3x1x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = uma.graph.multiply %0, %s : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %2 = uma.graph.conv2d %x, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %3 = uma.graph.multiply %2, %r : (tensor<1x2x2x2xf32>, tensor<3x1x1x1xf32>) -> tensor<3x2x2x2xf32>
  %4 = uma.graph.conv2d %x, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %5 = uma.graph.multiply %4, %f : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
  return %1, %3, %5 : tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>, tensor<1x2x2x2xf32>
}

// -----

// 60000 * 2 is no f16, although the layer's result times 2 may be one; integers
// wrap; f16 weights have not the precision of the f32 factor.

// CHECK-LABEL: func @numbers
// CHECK-COUNT-3: uma.graph.multiply
func.func @numbers(%x: tensor<1x1xf16>, %y: tensor<1x1xi32>) -> (tensor<1x1xf16>, tensor<1x1xi32>, tensor<1x1xf32>) {
  %w = uma.graph.constant dense<6.0e4> : tensor<1x1xf16>
  %s = uma.graph.constant dense<2.0> : tensor<1xf16>
  %0 = uma.graph.dense %x, %w : (tensor<1x1xf16>, tensor<1x1xf16>) -> tensor<1x1xf16>
  %1 = uma.graph.multiply %0, %s : (tensor<1x1xf16>, tensor<1xf16>) -> tensor<1x1xf16>
  %wi = uma.graph.constant dense<3> : tensor<1x1xi32>
  %si = uma.graph.constant dense<2> : tensor<1xi32>
  %2 = uma.graph.dense %y, %wi out_dtype i32 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
  %3 = uma.graph.multiply %2, %si : (tensor<1x1xi32>, tensor<1xi32>) -> tensor<1x1xi32>
  %sf = uma.graph.constant dense<2.0> : tensor<1xf32>
  %w2 = uma.graph.constant dense<2.0> : tensor<1x1xf16>
  %4 = uma.graph.dense %x, %w2 out_dtype f32 : (tensor<1x1xf16>, tensor<1x1xf16>) -> tensor<1x1xf32>
  %5 = uma.graph.multiply %4, %sf : (tensor<1x1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
  return %1, %3, %5 : tensor<1x1xf16>, tensor<1x1xi32>, tensor<1x1xf32>
}

// -----

// Behind the factor: input channel c is scaled by 10^c, in every group its own; both layers that read the product are.

// CHECK-LABEL: func @forward(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x2x2xf32>)
// CHECK-DAG: %[[W:.*]] = uma.graph.constant dense<{{\[\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+01]]], {{\[\[\[}}3.000000e+02]], {{\[\[}}4.000000e+03]]]]> : tensor<2x2x1x1xf32>
// CHECK-DAG: %[[V:.*]] = uma.graph.constant dense<{{\[\[\[\[}}1.000000e+00]], {{\[\[}}1.000000e+01]], {{\[\[}}1.000000e+02]], {{\[\[}}1.000000e+03]]]]> : tensor<1x4x1x1xf32>
// CHECK-DAG: uma.graph.conv2d %[[X]], %[[W]] padding [1, 1, 1, 1] groups 2
// CHECK-DAG: uma.graph.conv2d %[[X]], %[[V]] :
// CHECK-NOT: uma.graph.multiply
func.func @forward(%x: tensor<1x4x2x2xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x1x2x2xf32>) {
  %w = uma.graph.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %v = uma.graph.constant dense<1.0> : tensor<1x4x1x1xf32>
  %s = uma.graph.constant dense<[[[1.0]], [[10.0]], [[100.0]], [[1000.0]]]> : tensor<4x1x1xf32>
  %0 = uma.graph.multiply %x, %s : (tensor<1x4x2x2xf32>, tensor<4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %1 = uma.graph.conv2d %0, %w padding [1, 1, 1, 1] groups 2 : (tensor<1x4x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = uma.graph.conv2d %0, %v : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x2x2xf32>
  return %1, %2 : tensor<1x2x4x4xf32>, tensor<1x1x2x2xf32>
}

// -----

// I is the third dimension of HWIO, and the second of a dense layer's weights.

// CHECK-LABEL: func @forward_layouts(
// CHECK-DAG: uma.graph.constant dense<{{\[\[\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+01, 4.000000e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-DAG: uma.graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+01], [3.000000e+00, 4.000000e+01]]> : tensor<2x2xf32>
// CHECK-NOT: uma.graph.multiply
func.func @forward_layouts(%x: tensor<1x3x3x2xf32>, %y: tensor<1x2xf32>) -> (tensor<1x3x3x2xf32>, tensor<1x2xf32>) {
  %w = uma.graph.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %v = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = uma.graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %0 = uma.graph.multiply %s, %x : (tensor<2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %1 = uma.graph.conv2d %0, %w layout "NHWC" kernel_layout "HWIO" : (tensor<1x3x3x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x3x3x2xf32>
  %2 = uma.graph.multiply %y, %s : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %3 = uma.graph.dense %2, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %1, %3 : tensor<1x3x3x2xf32>, tensor<1x2xf32>
}

// -----

// Somebody else reads the product, weights are no constants, the product is the weights, a weight overflows.

// CHECK-LABEL: func @no_forward(
// CHECK-COUNT-4: uma.graph.multiply
func.func @no_forward(%x: tensor<2x2xf32>, %h: tensor<1x1xf16>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1xf16>) {
  %w = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = uma.graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %0 = uma.graph.multiply %x, %s : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = uma.graph.dense %0, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = uma.graph.multiply %x, %s : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %3 = uma.graph.dense %2, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = uma.graph.multiply %x, %s : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %5 = uma.graph.dense %w, %4 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %wh = uma.graph.constant dense<6.0e4> : tensor<1x1xf16>
  %sh = uma.graph.constant dense<2.0> : tensor<1xf16>
  %6 = uma.graph.multiply %h, %sh : (tensor<1x1xf16>, tensor<1xf16>) -> tensor<1x1xf16>
  %7 = uma.graph.dense %6, %wh : (tensor<1x1xf16>, tensor<1x1xf16>) -> tensor<1x1xf16>
  return %0, %1, %3, %5, %7 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1xf16>
}

// -----

// Weights that another layer has, too, keep their elements; those that nothing has any more are given back.

// CHECK-LABEL: func @shared_resource
// CHECK: %[[SCALED:.*]] = uma.graph.constant dense_resource<layer_weight> : tensor<1x8x2x2xf32>
// CHECK: uma.graph.conv2d %{{.*}}, %[[SCALED]] :
// CHECK: %[[KEPT:.*]] = uma.graph.constant dense_resource<shared> : tensor<1x8x2x2xf32>
// CHECK: uma.graph.conv2d %{{.*}}, %[[KEPT]] :
// CHECK: %[[OWN:.*]] = uma.graph.constant dense_resource<layer_weight_{{[0-9]+}}> : tensor<1x8x2x2xf32>
// CHECK: uma.graph.conv2d %{{.*}}, %[[OWN]] :
// CHECK-NOT: own:
// CHECK-DAG: layer_weight: "0x40000000000000400000004000000040
// CHECK-DAG: layer_weight_{{[0-9]+}}: "0x40000000000040400000404000004040
// CHECK-DAG: shared: "0x040000000000803F0000803F0000803F
// CHECK-NOT: own:
func.func @shared_resource(%x: tensor<1x8x2x2xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %two = uma.graph.constant dense<2.0> : tensor<1x1x1x1xf32>
  %three = uma.graph.constant dense<3.0> : tensor<1x1x1x1xf32>
  %w = uma.graph.constant dense_resource<shared> : tensor<1x8x2x2xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>) -> tensor<1x1x1x1xf32> loc("layer")
  %1 = uma.graph.multiply %0, %two : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %v = uma.graph.constant dense_resource<shared> : tensor<1x8x2x2xf32>
  %2 = uma.graph.conv2d %x, %v : (tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>) -> tensor<1x1x1x1xf32> loc("layer")
  %u = uma.graph.constant dense_resource<own> : tensor<1x8x2x2xf32>
  %3 = uma.graph.conv2d %x, %u : (tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>) -> tensor<1x1x1x1xf32> loc("layer")
  %4 = uma.graph.multiply %3, %three : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %1, %2, %4 : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

{-#
  dialect_resources: {
    builtin: {
      shared: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      own: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"
    }
  }
#-}

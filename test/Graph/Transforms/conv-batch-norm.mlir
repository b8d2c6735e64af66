// RUN: uma-opt %s --uma-graph-simplify-inference --uma-graph-canonicalize-ops --uma-graph-fold-scale-axis \
// RUN:   --uma-graph-canonicalize-ops --uma-graph-fold-constant --uma-graph-verify \
// RUN:   --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// What exporters write for Conv with a bias, BatchNormalization, Relu is one
// convolution with one bias: w * gamma / sqrt(var + eps) and
// (bias - mean) * gamma / sqrt(var + eps) + beta, of the layer's name.

// CHECK-LABEL: func @main
// CHECK-NEXT: %[[W:.*]] = uma.graph.constant dense<{{\[\[\[\[}}5.000000e-01]]], {{\[\[\[}}4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT: %[[CONV:.*]] = uma.graph.conv2d %{{.*}}, %[[W]] : {{.*}} loc("n0_Conv")
// CHECK-NEXT: %[[B:.*]] = uma.graph.constant dense<[4.500000e+00, 3.400000e+01]> : tensor<2xf32>
// CHECK-NEXT: %[[SUM:.*]] = uma.graph.bias_add %[[CONV]], %[[B]] : {{.*}} loc("n0_Conv")
// CHECK-NEXT: %[[RELU:.*]] = uma.graph.relu %[[SUM]]
// CHECK-NEXT: return %[[RELU]]
func.func @main(%x: tensor<1x1x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = uma.graph.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = uma.graph.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %gamma = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %beta = uma.graph.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %mean = uma.graph.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %variance = uma.graph.constant dense<[3.75, 0.75]> : tensor<2xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32> loc("n0_Conv")
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32> loc("n0_Conv")
  %2 = uma.graph.batch_norm %1, %gamma, %beta, %mean, %variance epsilon 0.25
      : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32> loc("n1_BatchNormalization")
  %3 = uma.graph.relu %2 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> loc("n2_Relu")
  return %3 : tensor<1x2x2x2xf32>
}

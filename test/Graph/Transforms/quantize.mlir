// Layers with known ranges get quantize and dequantize. The scales are computed by hand.

// RUN: uma-opt %s --uma-graph-quantize | FileCheck %s
// RUN: uma-opt %s --uma-graph-quantize --uma-graph-fold-quantization | FileCheck %s --check-prefix=FOLDED
// RUN: uma-opt %s --uma-graph-quantize --remarks-filter=uma-graph --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Data: 2.55 / 255 = 0.01, zero point -128 - (-1 / 0.01) = -28. Weights: 1.27 / 127 = 0.01 and 2.54 / 127 = 0.02.
// Bias: 0.5 / (0.01 * 0.01) = 5000, -0.5 / (0.01 * 0.02) = -2500. The result of relu: 5.1 / 255 = 0.02.

// CHECK-LABEL: @conv
// CHECK-NOT: uma.range
// CHECK: %[[Q:.*]] = uma.graph.quantize %arg0 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2x!quant.uniform<i8:f32, 0.0099999{{[0-9]*}}:-28>>
// CHECK: %[[X:.*]] = uma.graph.dequantize %[[Q]]
// CHECK-DAG: uma.graph.constant dense<{{\[\[\[\[}}127]]], {{\[\[\[}}-127]]]]> : tensor<2x1x1x1xi8>
// CHECK-DAG: uma.graph.constant dense<[5000, -2500]> : tensor<2xi32>
// CHECK-DAG: uma.graph.dequantize %{{.*}} : (tensor<2x1x1x1x!quant.uniform<i8:f32:0, {0.0099999{{.*}},0.0199999{{.*}}}>>)
// CHECK: uma.graph.conv2d %[[X]]
// CHECK: uma.graph.relu
// CHECK-NEXT: uma.graph.quantize %{{.*}} -> tensor<1x2x2x2x!quant.uniform<i8:f32, 0.0199999{{[0-9]*}}:-128>>
// FOLDED-LABEL: @conv
// FOLDED: uma.graph.requantize
// FOLDED-NOT: uma.graph.relu
// FOLDED: return
func.func @conv(%x: tensor<1x1x2x2xf32> {uma.range = array<f64: -1.0, 1.55>}) -> tensor<1x2x2x2xf32> {
  %w = uma.graph.constant dense<[[[[1.27]]], [[[-2.54]]]]> : tensor<2x1x1x1xf32>
  %b = uma.graph.constant dense<[0.5, -0.5]> : tensor<2xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %2 = uma.graph.relu %1 {uma.range = array<f64: 0.0, 5.1>} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %2 : tensor<1x2x2x2xf32>
}

// A channel without weights whose bias would not fit i32: 2 / (1 * 2^30).

// CHECK-LABEL: @dead_channel
// CHECK: uma.graph.constant dense<1073741824> : tensor<1xi32>
func.func @dead_channel(%x: tensor<1x1xf32> {uma.range = array<f64: 0.0, 255.0>}) -> tensor<1x1xf32> {
  %w = uma.graph.constant dense<0.0> : tensor<1x1xf32>
  %b = uma.graph.constant dense<2.0> : tensor<1xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = uma.graph.bias_add %0, %b {uma.range = array<f64: 0.0, 2.0>} : (tensor<1x1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// The scales of data and weights multiply to infinity: the layer computes in f32 between its neighbors.

// REMARK: remark: [Missed] quantize {{.*}}stays in f32: f32 cannot hold the scales of its sums"
// CHECK-LABEL: @large_scales
// CHECK: %[[W:.*]] = uma.graph.constant dense<{{.*}}> : tensor<1x2xf32>
// CHECK: uma.graph.dense %{{.*}}, %[[W]]
func.func @large_scales(%x: tensor<1x2xf32> {uma.range = array<f64: 0.0, 1.0e+30>}) -> tensor<1x1xf32> {
  %w = uma.graph.constant dense<[[0.0, 1.0e+30]]> : tensor<1x2xf32>
  %0 = uma.graph.dense %x, %w {uma.range = array<f64: 0.0, 1.0>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// The operands and the result of a concatenate share one type: -1 to 1.55.

// FOLDED-LABEL: @sum
// FOLDED: uma.graph.quantized_add
// FOLDED: uma.graph.concatenate {{.*}} -> tensor<1x4x!quant.uniform<i8:f32, 0.0099999{{[0-9]*}}:-28>>
func.func @sum(%x: tensor<1x2xf32> {uma.range = array<f64: -0.5, 0.5>},
               %y: tensor<1x2xf32> {uma.range = array<f64: -0.5, 1.0>}) -> tensor<1x4xf32> {
  %0 = uma.graph.add %x, %y {uma.range = array<f64: -1.0, 1.5>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %1 = uma.graph.add %0, %y {uma.range = array<f64: -1.0, 1.55>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.concatenate %0, %1 axis 1 {uma.range = array<f64: -1.0, 1.55>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}

// A layer that is kept, one without a range, one whose weight is no constant, and weights that are not finite.

// REMARK: remark: [Missed] quantize {{.*}}stays in f32: it is kept"
// REMARK: remark: [Missed] quantize {{.*}}stays in f32: the range of its data is not known"
// REMARK: remark: [Missed] quantize {{.*}}stays in f32: its weight is no constant"
// REMARK: remark: [Missed] quantize {{.*}}stays in f32: its weight has an element that is not finite"
// CHECK-LABEL: @kept
// CHECK-NOT: uma.graph.quantize
// CHECK-NOT: uma.keep_float
func.func @kept(%x: tensor<1x1xf32> {uma.range = array<f64: 0.0, 1.0>}) -> tensor<1x1xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<1x1xf32>
  %0 = uma.graph.dense %x, %w {uma.keep_float, uma.range = array<f64: 0.0, 1.0>} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

func.func @no_range(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<1x1xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

func.func @no_constant(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = uma.graph.dense %x, %x : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

func.func @not_finite(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %w = uma.graph.constant dense<0x7F800000> : tensor<1x1xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

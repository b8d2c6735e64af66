// RUN: uma-opt %s --uma-graph-quantize --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 0: uma.range is 1 : i64, expected array<f64: low, high> for each of 1 tensors}}
func.func @no_array(%x: tensor<1xf32> {uma.range = 1}) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}

// -----

func.func @too_short(%x: tensor<1xf32>) -> tensor<1xf32> {
  // expected-error @+1 {{uma.range is array<f64: 1.000000e+00>, expected array<f64: low, high> for each of 1 tensors}}
  %0 = uma.graph.relu %x {uma.range = array<f64: 1.0>} : (tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @reversed(%x: tensor<1xf32>) -> tensor<1xf32> {
  // expected-error @+1 {{expected two finite numbers of at most 1.701412e+38, the lower bound first}}
  %0 = uma.graph.relu %x {uma.range = array<f64: 1.0, -1.0>} : (tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @nan(%x: tensor<1xf32>) -> tensor<1xf32> {
  // expected-error @+1 {{expected two finite numbers of at most 1.701412e+38, the lower bound first}}
  %0 = uma.graph.relu %x {uma.range = array<f64: 0.0, 0x7FF8000000000000>} : (tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

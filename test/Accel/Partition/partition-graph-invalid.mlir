// RUN: uma-opt %s -uma-accel-partition-graph -split-input-file -verify-diagnostics

// A region by hand that is not convex.
func.func @cycle(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{is in region 0, which cannot be one function: something outside depends on it and is needed by it}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 0 : i64} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  %1 = uma.graph.softmax %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = uma.graph.composite @npu::@relu (%a = %1 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 0 : i64} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  return %2 : tensor<8xf32>
}

// -----

func.func @targets(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 0 : i64} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  // expected-error @+1 {{is in region 0, whose first operation has another target}}
  %1 = uma.graph.composite @dsp::@relu (%a = %0 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"dsp">, uma.region = 0 : i64} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  return %1 : tensor<8xf32>
}

// -----

func.func @no_target(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a uma.region, but no uma.target}}
  %0 = uma.graph.relu %x {uma.region = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @wrong_target(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a uma.target that is no #uma.target<...>}}
  %0 = uma.graph.relu %x {uma.target = "npu"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// RUN: uma-opt %s --uma-lower --split-input-file --verify-diagnostics

// Verification comes before any pass.
func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf64>) -> tensor<4x4xf32> {
  // expected-error @below {{rhs has element type 'f64', expected 'f32' as lhs}}
  %0 = uma.graph.add %x, %y : (tensor<4x4xf32>, tensor<4x4xf64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{is not outlined to its accelerator; run 'uma-accel-partition-graph' first}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 has type 'tensor<?xf32>', expected a tensor of integers or floats whose shape is known}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// A pass of a description that stops ends the pipeline.

uma.accel.accelerator @npu {
  uma.accel.pipeline "TIR_PHASE_0" "uma-tir-verify{stage=plain}"
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{is not allowed in plain TIR}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
  // expected-error @below {{cannot parse the passes of TIR_PHASE_2: 'uma-tir-unrol-loop' does not refer to a registered pass or pass pipeline}}
  uma.accel.pipeline "TIR_PHASE_2" "uma-tir-unrol-loop"
}

// -----

uma.accel.accelerator @npu {
  // expected-error @below {{of TIR_PHASE_3 needs the dialect 'spirv', which passes hooked into phases cannot build; run them beside 'uma-partition' and 'uma-lower' instead}}
  uma.accel.pipeline "TIR_PHASE_3" "convert-gpu-to-spirv"
}

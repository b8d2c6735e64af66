// RUN: uma-opt %s -uma-accel-merge-composite -split-input-file -verify-diagnostics

uma.accel.accelerator @npu {
  // expected-note @+1 {{it is pinned here}}
  uma.accel.pin "layer"
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f16
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func @cannot(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @unknown {{relu 'layer' is pinned to 'npu', which cannot take it: relu 'layer': x is f32, the pattern wants f16}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("layer")
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
}
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{relu is pinned to 'npu', which cannot take it: no pattern for 'relu'}}
  %0 = uma.graph.relu %x {uma.pin = "npu"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @strawberry {
}
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{uma.pin names the unknown accelerator 'strawbery'; did you mean 'strawberry'?}}
  %0 = uma.graph.relu %x {uma.pin = "strawbery"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
}
func.func @types(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{uma.keep_off is 3 : i64, expected nothing, a string or an array of strings}}
  %0 = uma.graph.relu %x {uma.keep_off = 3 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{uma.pin is true, expected the name of an accelerator}}
  %1 = uma.graph.relu %0 {uma.pin = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

uma.accel.accelerator @one {
  // expected-note @+1 {{the first pin is here}}
  uma.accel.pin "relu"
}
uma.accel.accelerator @two {
  // expected-note @+1 {{the second one is here}}
  uma.accel.pin "re*"
}
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{relu is pinned to 'one' and to 'two'}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Kept off and pinned: it cannot be both.

uma.accel.accelerator @npu {
  uma.accel.keep_off "layer"
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func @contradiction(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @unknown {{relu 'layer' is pinned to 'npu', which cannot take it: relu 'layer': keep_off "layer" keeps it off 'npu'}}
  %0 = uma.graph.relu %x {uma.pin = "npu"} : (tensor<4xf32>) -> tensor<4xf32> loc("layer")
  return %0 : tensor<4xf32>
}

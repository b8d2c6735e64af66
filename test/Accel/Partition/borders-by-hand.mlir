// Composites whose conversions somebody has changed are refused; none crashes.

// RUN: uma-opt %s --split-input-file --uma-accel-annotate-target --uma-accel-merge-compiler-regions \
// RUN:   --uma-accel-partition-graph --uma-lower --verify-diagnostics -o /dev/null

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "npu_relu"(%x, %y, %n, %m) : !uma.accel.tensor, !uma.accel.tensor, index, index
  }
}

// The layout in front is missing.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{converts tensors in another way than the layouts of pattern 'relu' say}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = uma.graph.relu %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = uma.graph.transpose %1 [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    uma.graph.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "npu_relu"(%x, %y, %n, %m) : !uma.accel.tensor, !uma.accel.tensor, index, index
  }
}

// The layout behind is missing.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{converts tensors in another way than the layouts of pattern 'relu' say}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = uma.graph.transpose %a [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = uma.graph.relu %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    uma.graph.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "npu_relu"(%x, %y, %n, %m) : !uma.accel.tensor, !uma.accel.tensor, index, index
  }
}

// Another transposition.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{converts tensors in another way than the layouts of pattern 'relu' say}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = uma.graph.transpose %a [0, 1] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = uma.graph.relu %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = uma.graph.transpose %2 [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    uma.graph.yield %3 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "npu_relu"(%x, %y, %n, %m) : !uma.accel.tensor, !uma.accel.tensor, index, index
  }
}

// One too many.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{converts tensors in another way than the layouts of pattern 'relu' say}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = uma.graph.transpose %a [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = uma.graph.transpose %1 [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = uma.graph.relu %2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = uma.graph.transpose %3 [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    uma.graph.yield %4 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "npu_relu"(%x, %y, %n, %m) : !uma.accel.tensor, !uma.accel.tensor, index, index
  }
}

// Not marked as conversions.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has a body that is not what pattern 'relu' matches: transpose: is a transpose, the pattern wants a relu}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = uma.graph.transpose %a [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = uma.graph.relu %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = uma.graph.transpose %2 [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    uma.graph.yield %3 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "npu_relu"(%x, %y, %n, %m) : !uma.accel.tensor, !uma.accel.tensor, index, index
  }
}

// The mark on what is no conversion means nothing.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = uma.graph.transpose %a [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = uma.graph.relu %1 {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = uma.graph.transpose %2 [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    uma.graph.yield %3 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "npu_relu"(%x, %y, %n, %m) : !uma.accel.tensor, !uma.accel.tensor, index, index
  }
}

// What the composite computes is not converted last.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has a body that is not what pattern 'relu' matches: relu: it is not all that the composite holds or gives}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = uma.graph.transpose %a [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = uma.graph.relu %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = uma.graph.transpose %2 [1, 0] {uma.border} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = uma.graph.relu %3 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    uma.graph.yield %4 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

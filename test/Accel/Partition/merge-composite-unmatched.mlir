// RUN: uma-opt %s -uma-accel-merge-composite -split-input-file -verify-diagnostics

// A pattern that takes nothing is a warning with the closest operator.

uma.accel.accelerator @npu {
  // expected-warning @+1 {{pattern 'conv2d' of accelerator 'npu' matched nothing: closest is conv2d 'n1_Conv', but strides is [2, 2], the pattern wants its default [1, 1]}}
  uma.accel.pattern @conv2d {
    %x = uma.accel.input "ifmap" f32
    %w = uma.accel.input "weights" f32
    %y = uma.accel.op "conv2d"(%x, %w) as "result" {padding = "same"}
    uma.accel.call "npu_conv2d"(%x, %w, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// The second convolution fails two constraints, the first only one.
func.func @main(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x1x1xf32> {
  %0 = uma.graph.conv2d %x, %w strides [2, 2] : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x2x2xf32> loc("n1_Conv")
  %1 = uma.graph.conv2d %0, %w strides [3, 3] padding [0, 0, 1, 1] : (tensor<1x8x2x2xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x1x1xf32> loc("n2_Conv")
  return %1 : tensor<1x8x1x1xf32>
}

// -----

uma.accel.accelerator @npu {
  // expected-warning @+1 {{pattern 'conv2d' of accelerator 'npu' matched nothing: the graph has no 'conv2d'}}
  uma.accel.pattern @conv2d {
    %x = uma.accel.input "ifmap" f32
    %w = uma.accel.input "weights" f32
    %y = uma.accel.op "conv2d"(%x, %w) as "result"
    uma.accel.call "npu_conv2d"(%x, %w, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An earlier pattern leaves nothing for a later one.
uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x"
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
  // expected-warning @+1 {{pattern 'relu_f32' of accelerator 'npu' matched nothing: closest is relu 'act', but pattern 'relu' of 'npu' comes first and takes it}}
  uma.accel.pattern @relu_f32 {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu_f32"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("act")
  return %0 : tensor<8xf32>
}

// -----

// The root's kind is nowhere in the graph, but the rest of the pattern is.
uma.accel.accelerator @npu {
  // expected-warning @+1 {{pattern 'conv_relu' of accelerator 'npu' matched nothing: closest is conv2d 'n1', but the result goes to clip 'n2', the pattern wants a relu there}}
  uma.accel.pattern @conv_relu {
    %x = uma.accel.input "x" f32
    %w = uma.accel.input "w" f32
    %t = uma.accel.op "conv2d"(%x, %w)
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "npu_conv_relu"(%x, %w, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @main(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> loc("n1")
  %1 = uma.graph.clip %0 min 0.0 max 6.0 : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("n2")
  return %1 : tensor<1x8x4x4xf32>
}

// -----

// A device whose other patterns match needs no operator for each pattern, and no pattern for an operator that it computes.

uma.accel.accelerator @npu {
  uma.accel.pattern @conv2d {
    %x = uma.accel.input "x" f32
    %w = uma.accel.input "w" f32
    %y = uma.accel.op "conv2d"(%x, %w) as "y"
    uma.accel.call "npu_conv2d"(%x, %w, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @strided {
    %x = uma.accel.input "x" f32
    %w = uma.accel.input "w" f32
    %y = uma.accel.op "conv2d"(%x, %w) as "y" {strides = [2, 2]}
    uma.accel.call "npu_conv2d"(%x, %w, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @sigmoid {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "sigmoid"(%x) as "y"
    uma.accel.call "npu_sigmoid"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
  // The layer stays on the CPU, so that the pattern may be wrong.
  // expected-warning @+1 {{pattern 'relu' of accelerator 'npu' matched nothing: closest is relu 'act', but}}
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32 [1]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @main(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> loc("conv")
  %1 = uma.graph.relu %0 : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("act")
  return %1 : tensor<1x8x4x4xf32>
}

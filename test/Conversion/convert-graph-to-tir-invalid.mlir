// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --verify-diagnostics

// expected-error @below {{argument 1 ('image') has type 'tensor<?x4xf32>', expected a tensor of integers or floats whose shape is known}}
func.func @main(%x: tensor<4xf32>, %y: tensor<?x4xf32> {uma.name = "image"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 has type 'tensor<*xf32>', expected a tensor of integers or floats whose shape is known}}
func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

// expected-error @below {{result 0 has type 'f32', expected a tensor of integers or floats whose shape is known}}
func.func @main() -> f32 {
  %x = arith.constant 0.0 : f32
  return %x : f32
}

// -----

// expected-error @below {{argument 0 has type 'tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>', expected a tensor of integers or floats whose shape is known}}
func.func @main(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  return %x : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has a tensor without elements, 'tensor<0xf32>', and cannot run on the CPU}}
  %0 = uma.graph.strided_slice %x [0] size [0] strides [1] : (tensor<4xf32>) -> tensor<0xf32>
  %1 = uma.graph.concatenate %x, %0 axis 0 : (tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// An input that nothing uses is an argument of the C all the same.
// expected-error @below {{argument 0 ('image') has type 'tensor<0x4xf32>', expected at least one element: C has no empty arrays}}
func.func @main(%x: tensor<0x4xf32> {uma.name = "image"}, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'math.absf' op cannot run on the CPU: it has no operator strategy}}
  %0 = math.absf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{has no body; the graph of every function must be in the module}}
func.func private @main(%x: tensor<4xf32>)

// -----

// expected-error @below {{branches; a graph is one block of operators}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{is private and has no uma.target; inline it first (pass 'inline') or partition the graph}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls '@f', which is no function with a uma.target; inline it first (pass 'inline')}}
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
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

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @below {{names the pattern @npu::@relu, but the module has none of that name; load the description of accelerator 'npu'}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The description has changed since the graph was partitioned.

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32 [8]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @below {{has a body that is not what pattern 'relu' matches: relu: x has size 4 in dimension 0, the pattern wants 8}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @below {{returns one of its inputs or one value twice; an accelerator's function returns what its composites compute, each once}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @below {{is in a function with a uma.target, which holds composites and constants only}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @bias {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %b = uma.accel.input "b" f32 [%n]
    %y = uma.accel.op "add"(%x, %b) as "y"
    uma.accel.call "npu_bias"(%x, %b, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@bias (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{is inside of a composite whose device takes it as an input; make it an operand of the composite}}
    %b = uma.graph.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
    %1 = uma.graph.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @below {{has a 'uma.target' that is no #uma.target}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = "npu"} {
  return %x : tensor<4xf32>
}

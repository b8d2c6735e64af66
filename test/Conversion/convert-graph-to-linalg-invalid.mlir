// Every operator that cannot be converted is reported, in one run.
// RUN: uma-opt %s --convert-uma-graph-to-linalg --split-input-file -verify-diagnostics

func.func @all_of_them(%x: tensor<2x8xf32>, %u: tensor<4xui8>) -> (tensor<2x3xi64>, tensor<2x8xf32>, tensor<4xui8>) {
  // expected-error @below {{'uma.graph.topk' op cannot be converted to linalg: there is no rule for this operator}}
  %0 = uma.graph.topk %x k 3 axis 1 : (tensor<2x8xf32>) -> tensor<2x3xi64>
  %1 = uma.graph.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // expected-error @below {{'uma.graph.cumsum' op cannot be converted to linalg: there is no rule for this operator}}
  %2 = uma.graph.cumsum %1 axis 1 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // expected-error @below {{its type 'tensor<4xui8>' has integers with a sign; linalg computes signless ones}}
  %3 = uma.graph.add %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %0, %2, %3 : tensor<2x3xi64>, tensor<2x8xf32>, tensor<4xui8>
}

// -----

func.func @nothing(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expected-error @below {{its type 'tensor<0x4xf32>' has no elements}}
  %0 = uma.graph.relu %x : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

func.func @not_outlined(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'uma.graph.composite' op is not outlined to its accelerator; run 'uma-accel-partition-graph' first}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    %scale = arith.constant 0.5 : f32
    uma.accel.call "npu_relu"(%x, %y, %n, %scale) : !uma.accel.tensor, !uma.accel.tensor, index, f32
  }
}

func.func private @main_npu_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @below {{'npu_relu' gets 5.000000e-01 : f32, whose type in C the description does not tell; only integers can be passed}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    %key = arith.constant 8589934592 : i64
    uma.accel.call "npu_unlock"(%key) : i64
    uma.accel.call "npu_relu"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

func.func private @main_npu_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @below {{'npu_unlock' gets 8589934592, which is too large for an int}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

func.func private @npu_relu(tensor<4xf32>)

func.func private @main_npu_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @below {{it calls 'npu_relu' as '(!llvm.ptr, !llvm.ptr, i32) -> i32', but the module has it as '(tensor<4xf32>) -> ()'}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// RUN: uma-opt %s --convert-uma-graph-to-linalg -split-input-file -verify-diagnostics | FileCheck %s

// A match that is lowered is what any other operators are; configuration is a call like others.

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.lower
  }
  uma.accel.pattern @tanh {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "tanh"(%x) as "y"
    uma.accel.configure "npu_length"(%n) : index
    uma.accel.call "npu_tanh"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
// CHECK-LABEL: func.func private @f(
// CHECK: linalg.generic
// CHECK: arith.cmpf olt
// CHECK: call @npu_length(
// CHECK: call @npu_tanh(
// CHECK-NOT: uma.
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  %2 = uma.graph.composite @npu::@tanh (%b = %0 : tensor<4xf32>) -> tensor<4xf32> {
    %3 = uma.graph.tanh %b : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %3 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
  // expected-note @+1 {{described here}}
  uma.accel.prologue "LOCK();"
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @+1 {{cannot be converted to linalg: accelerator 'npu' has prologue, which stands in C only}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram" {
    %size = arith.constant 64 : index
    uma.accel.yield %size
  }
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.path "main" to "sram" on "core" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%to, %from, %row_bytes) : index, !uma.accel.tensor, index
    %one = arith.constant 1 : index
    uma.accel.yield %one, %one
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.tile %n by 4
    uma.accel.place %x in "sram"
    uma.accel.call "npu_relu"(%x, %y, %n) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor, index
  }
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @+1 {{cannot be converted to linalg: its pattern computes it in tiles; uma-lower takes it}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

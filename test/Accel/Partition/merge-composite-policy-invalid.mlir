// RUN: uma-opt %s -uma-accel-merge-composite="policy=cost report=true" -split-input-file -verify-diagnostics
// RUN: not uma-opt %s -split-input-file -uma-accel-merge-composite="policy=cheap" 2>&1 | FileCheck %s

// CHECK: --policy option: Cannot find option named 'cheap'

uma.accel.accelerator @npu {
  // expected-error @+1 {{cycles divides by zero with bytes = 32}}
  uma.accel.transfer {
  ^bb0(%bytes: index):
    %c32 = arith.constant 32 : index
    %rest = arith.subi %bytes, %c32 : index
    %cycles = arith.divsi %bytes, %rest : index
    uma.accel.yield %cycles
  }
}
func.func @transfer(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{overhead is -10, expected 0 or more}}
  uma.accel.region {
    %c = arith.constant -10 : index
    uma.accel.yield %c
  }
}
func.func @region(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// A match whose cost has no value is none, under either policy.

uma.accel.accelerator @npu {
  // expected-warning @+1 {{matched nothing: closest is relu 'r', but cycles of the cost divides by zero with n = 8}}
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    %c8 = arith.constant 8 : index
    %rest = arith.subi %n, %c8 : index
    %cycles = arith.divsi %n, %rest : index
    uma.accel.cost %cycles
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
  // expected-warning @+1 {{matched nothing: closest is sigmoid 's', but bytes of the cost is -8 with n = 8}}
  uma.accel.pattern @sigmoid {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "sigmoid"(%x) as "y"
    %c0 = arith.constant 0 : index
    %bytes = arith.subi %c0, %n : index
    uma.accel.cost %n bytes %bytes
    uma.accel.call "npu_sigmoid"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func @cost(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @unknown {{cycles of the cost divides by zero with n = 8}}
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  // expected-remark @unknown {{bytes of the cost is -8 with n = 8}}
  %1 = uma.graph.sigmoid %0 : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  return %1 : tensor<8xf32>
}

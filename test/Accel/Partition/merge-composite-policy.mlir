// The cost policy, and its reasons.

// RUN: uma-opt %s -uma-accel-merge-composite="policy=cost report=true" -split-input-file -verify-diagnostics | FileCheck %s
// RUN: uma-opt %s -uma-accel-merge-composite="policy=greedy" -split-input-file 2>/dev/null | FileCheck %s --check-prefix=GREEDY

// Moving 8 numbers (32 bytes) there and back is dearer than what the device saves on one operator, and cheaper than
// what it saves on two.

uma.accel.accelerator @npu {
  uma.accel.transfer {
  ^bb0(%bytes: index):
    %c8 = arith.constant 8 : index
    %cycles = arith.divsi %bytes, %c8 : index
    uma.accel.yield %cycles
  }
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    %c1 = arith.constant 1 : index
    uma.accel.cost %c1
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @one
// CHECK-NOT: composite
// GREEDY-LABEL: func.func @one
// GREEDY: composite
func.func @one(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @unknown {{relu 'r' does not run on 'npu': relu 'r': runs on 'cpu': 8 cycles there against 1 + 2 transfers of 32 bytes (8) on 'npu'}}
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @two
// CHECK-COUNT-2: composite @npu::@relu
func.func @two(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  %1 = uma.graph.relu %0 : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  return %1 : tensor<8xf32>
}

// A value that is needed in two places moves once to each.
// CHECK-LABEL: func.func @multi_use
// CHECK-NOT: composite
func.func @multi_use(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-remark @unknown {{relu 'm': runs on 'cpu': 8 cycles there against 1 + 2 transfers of 32 bytes (8) on 'npu'}}
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("m")
  // expected-remark @unknown {{no pattern for 'sigmoid'}}
  %1 = uma.graph.sigmoid %0 : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Constants move with the code.
// CHECK-LABEL: func.func @constant
// CHECK: composite @npu::@relu
func.func @constant() -> tensor<8xf32> {
  %k = uma.graph.constant dense<1.0> : tensor<8xf32>
  %0 = uma.graph.relu %k : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  return %0 : tensor<8xf32>
}

// -----

// The overhead of a region, and the least size of one.

uma.accel.accelerator @npu {
  uma.accel.region min_operators 2 {
    %c10 = arith.constant 10 : index
    uma.accel.yield %c10
  }
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    %c1 = arith.constant 1 : index
    uma.accel.cost %c1
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @too_small
// CHECK-NOT: composite
func.func @too_small(%x: tensor<800xf32>) -> tensor<800xf32> {
  // expected-remark @unknown {{runs on 'cpu': a region of 1 operator is too small, the least of 'npu' is 2}}
  %0 = uma.graph.relu %x : (tensor<800xf32>) -> tensor<800xf32> loc("r")
  return %0 : tensor<800xf32>
}

// CHECK-LABEL: func.func @large_enough
// CHECK-COUNT-2: composite @npu::@relu
func.func @large_enough(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  %1 = uma.graph.relu %0 : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  return %1 : tensor<8xf32>
}

// -----

// Two devices: where it is cheaper, not where it comes first. A pattern that is too dear everywhere is no mistake of
// the description and gets no warning.

uma.accel.accelerator @slow {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    %c7 = arith.constant 7 : index
    uma.accel.cost %c7
    uma.accel.call "slow_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
uma.accel.accelerator @fast {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    %c2 = arith.constant 2 : index
    uma.accel.cost %c2
    uma.accel.call "fast_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @cheaper
// CHECK: composite @fast::@relu
// GREEDY-LABEL: func.func @cheaper
// GREEDY: composite @slow::@relu
func.func @cheaper(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @unknown {{does not run on 'slow': relu 'r': runs on 'fast': 2 cycles there against 7 on 'slow'}}
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  return %0 : tensor<8xf32>
}

// -----

// A larger match is worth it or not as a whole.

uma.accel.accelerator @npu {
  uma.accel.pattern @add_relu {
    %a = uma.accel.input "a" f32
    %b = uma.accel.input "b" f32
    %s = uma.accel.op "add"(%a, %b) as "s"
    %y = uma.accel.op "relu"(%s) as "y"
    %c20 = arith.constant 20 : index
    uma.accel.cost %c20
    uma.accel.call "npu_add_relu"(%a, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @add {
    %a = uma.accel.input "a" f32
    %b = uma.accel.input "b" f32
    %s = uma.accel.op "add"(%a, %b) as "s"
    %c3 = arith.constant 3 : index
    uma.accel.cost %c3
    uma.accel.call "npu_add"(%a, %b, %s) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @parts
// CHECK: composite @npu::@add (
// CHECK: uma.graph.relu
// GREEDY-LABEL: func.func @parts
// GREEDY: composite @npu::@add_relu
func.func @parts(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.add %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("a")
  // expected-remark @unknown {{relu 'r': runs on 'cpu': 11 cycles there against 20 on 'npu'}}
  %1 = uma.graph.relu %0 : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  return %1 : tensor<8xf32>
}

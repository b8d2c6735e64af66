// RUN: uma-opt %s -uma-accel-merge-composite=report=true -split-input-file -verify-diagnostics

// What a pattern places in a memory must fit it.

uma.accel.accelerator @npu {
  uma.accel.attribute "bytes" = 48 : i64
  uma.accel.memory "sram" {
    %size = uma.accel.target_attribute "bytes" : index
    uma.accel.yield %size
  }
  uma.accel.memory "dram"
  uma.accel.pattern @add {
    %x = uma.accel.input "x" f32
    %b = uma.accel.input "b" f32
    %y = uma.accel.op "add"(%x, %b) as "y"
    uma.accel.place %x, %b in "sram"
    uma.accel.place %y in "sram"
    uma.accel.place %x in "dram"
    uma.accel.call "npu_add"(%x, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @sizes(%x: tensor<4xf32>, %l: tensor<5xf32>) {
  // 3 * 16 bytes fit exactly.
  %0 = uma.graph.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("twice")
  %1 = uma.graph.add %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("fits")
  // One tensor that stands for two inputs is there once: 2 * 20 bytes.
  %2 = uma.graph.add %l, %l : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32> loc("once")
  // expected-remark @unknown {{add 'large' does not run on 'npu': add 'large': needs 60 bytes of memory 'sram' (x 20, b 20, y 20), which has 48}}
  %3 = uma.graph.add %l, %2 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32> loc("large")
  return
}

// -----

// Gaps of the alignment count.

uma.accel.accelerator @npu {
  uma.accel.memory "sram" align 32 {
    %size = arith.constant 47 : index
    uma.accel.yield %size
  }
  // expected-warning @+1 {{matched nothing: closest is relu 'padded', but needs 48 bytes of memory 'sram' (x 16, y 16), which has 47}}
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.place %x, %y in "sram"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func @alignment(%x: tensor<4xf32>) {
  // expected-remark @unknown {{needs 48 bytes}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("padded")
  return
}

// -----

uma.accel.accelerator @npu {
  uma.accel.attribute "banks" = 0 : i64
  uma.accel.memory "sram" {
    %c1024 = arith.constant 1024 : index
    %banks = uma.accel.target_attribute "banks" : index
    %size = arith.divsi %c1024, %banks : index
    uma.accel.yield %size
  }
  // expected-warning @+1 {{matched nothing: closest is relu 'layer', but the size of memory 'sram' divides by zero}}
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.place %x in "sram"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
func.func @problem(%x: tensor<4xf32>) {
  // expected-remark @unknown {{divides by zero}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("layer")
  return
}

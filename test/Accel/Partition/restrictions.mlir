// RUN: uma-opt %s -uma-accel-merge-composite=report=true -split-input-file -verify-diagnostics
// RUN: uma-opt %s -uma-accel-merge-composite -split-input-file 2>/dev/null | FileCheck %s

// Layers that are kept off a device, by its description and by the graph.

uma.accel.accelerator @npu {
  uma.accel.keep_off "first*"
  // expected-warning @+1 {{keep_off "embedding*": no layer has such a name}}
  uma.accel.keep_off "embedding*"
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @kept_off
func.func @kept_off(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: uma.graph.relu %arg0 :
  // expected-remark @unknown {{relu 'first_one' does not run on 'npu': relu 'first_one': keep_off "first*" keeps it off 'npu'}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("first_one")
  // CHECK: uma.graph.composite
  %1 = uma.graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32> loc("second")
  // CHECK: uma.graph.relu %{{.*}} {uma.keep_off}
  // expected-remark @unknown {{relu 'third': its attribute uma.keep_off keeps it off 'npu'}}
  %2 = uma.graph.relu %1 {uma.keep_off} : (tensor<4xf32>) -> tensor<4xf32> loc("third")
  // CHECK: uma.graph.relu %{{.*}} {uma.keep_off = "npu"}
  // expected-remark @unknown {{relu 'fourth': its attribute uma.keep_off keeps it off 'npu'}}
  %3 = uma.graph.relu %2 {uma.keep_off = "npu"} : (tensor<4xf32>) -> tensor<4xf32> loc("fourth")
  // CHECK: uma.graph.composite
  %4 = uma.graph.relu %3 {uma.keep_off = ["gpu", "dsp"]} : (tensor<4xf32>) -> tensor<4xf32> loc("fifth")
  // CHECK: return
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @function_kept_off
func.func @function_kept_off(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.keep_off} {
  // CHECK-NEXT: uma.graph.relu
  // expected-remark @unknown {{uma.keep_off of function 'function_kept_off' keeps it off 'npu'}}
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("alone")
  return %0 : tensor<4xf32>
}

// -----

// A pinned layer goes to its device although another one comes first, and takes what it needs with it.

uma.accel.accelerator @first {
  // expected-warning @+1 {{matched nothing: closest is relu 'pinned', but it is pinned to 'second'}}
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "first_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @tanh {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "tanh"(%x) as "y"
    uma.accel.call "first_tanh"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
uma.accel.accelerator @second {
  uma.accel.pin "pinned"
  uma.accel.pattern @tanh_relu {
    %x = uma.accel.input "x" f32
    %t = uma.accel.op "tanh"(%x) as "t"
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "second"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @pinned
func.func @pinned(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: uma.graph.composite @second::@tanh_relu
  // expected-remark @unknown {{tanh 'before' does not run on 'first': tanh 'before': pattern 'tanh_relu' of 'second' comes first and takes it}}
  %0 = uma.graph.tanh %x : (tensor<4xf32>) -> tensor<4xf32> loc("before")
  // expected-remark @unknown {{relu 'pinned' does not run on 'first': relu 'pinned': it is pinned to 'second'}}
  %1 = uma.graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32> loc("pinned")
  // CHECK: uma.graph.composite @first::@tanh
  // expected-remark @unknown {{tanh 'after' does not run on 'second': tanh 'after': the result is one of the graph's, the pattern wants a relu there}}
  %2 = uma.graph.tanh %1 : (tensor<4xf32>) -> tensor<4xf32> loc("after")
  return %2 : tensor<4xf32>
}

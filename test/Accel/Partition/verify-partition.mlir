// RUN: uma-opt %s -uma-accel-verify-partition -split-input-file -verify-diagnostics

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @main_npu_0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @main_npu_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">} {
  %k = uma.graph.constant dense<1.0> : tensor<8xf32>
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{after partitioning: stands in a function without a uma.target; uma-accel-partition-graph outlines composites}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{after partitioning: is in region 3, which is not outlined}}
  %0 = uma.graph.relu %x {uma.region = 3 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

uma.accel.accelerator @vanilla {
  uma.accel.include "vanilla.h"
}

// expected-error @+1 {{after partitioning: has the target 'vanila', but the module describes no accelerator of that name; did you mean 'vanilla'?}}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"vanila">} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @+1 {{after partitioning: has a uma.target that is not #uma.target<...>}}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = "npu"} {
  return %x : tensor<8xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}

// expected-error @+1 {{after partitioning: must have a body of one block}}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}

func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @+1 {{after partitioning: stands in 'f', which runs on 'npu' and holds only composites, constants and its return}}
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}

func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @+1 {{after partitioning: is of accelerator 'dsp', but stands in a function that runs on 'npu'}}
  %0 = uma.graph.composite @dsp::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}

func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">} {
  // expected-error @+1 {{after partitioning: names the pattern @npu::@relu, which the module does not describe}}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

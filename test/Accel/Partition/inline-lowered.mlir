// A match that is only lowered is the CPU's; matches with calls around it are outlined again, in two functions.
// RUN: uma-opt %s --uma-accel-inline-lowered | FileCheck %s
// RUN: uma-opt %s --uma-accel-inline-lowered --uma-accel-merge-compiler-regions --uma-accel-partition-graph | FileCheck %s --check-prefix=AGAIN
// RUN: uma-opt %s --uma-lower | FileCheck %s --check-prefix=LOWERED
// RUN: uma-opt %s --uma-lower=vectorize=false | FileCheck %s --check-prefix=PLAIN

uma.accel.accelerator @npu {
  uma.accel.pattern @exp {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "exp"(%x) as "y"
    uma.accel.call "npu_exp"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @tanh {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "tanh"(%x) as "y"
    uma.accel.lower
  }
}

// A pass of a phase before the loops changes none.
uma.accel.accelerator @early {
  uma.accel.pipeline "POST_PARTITIONING_0" "canonicalize"
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.lower
  }
}

// The strategy of a device may be for any of its patterns.
uma.accel.accelerator @strategic {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.lower
  }
  uma.accel.strategy 10 {
    uma.accel.pattern @sigmoid {
      %x = uma.accel.input "x" f32
      %y = uma.accel.op "sigmoid"(%x) as "y"
      uma.accel.call "npu_sigmoid"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
    }
  }
}

// CHECK-LABEL: func.func @main
// CHECK-SAME:      (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[E:.*]] = uma.graph.composite @npu::@exp (%{{.*}} = %[[X]] : tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">}
// CHECK:         %[[T:.*]] = uma.graph.tanh %[[E]]
// CHECK-NEXT:    %[[F:.*]] = uma.graph.composite @npu::@exp (%{{.*}} = %[[T]] : tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">}
// CHECK:         %[[R:.*]] = uma.graph.relu %[[F]]
// CHECK-NEXT:    %[[S:.*]] = call @main_strategic_0(%[[R]])
// CHECK-NEXT:    return %[[T]], %[[S]]
// CHECK-NOT:   @main_npu_0
// CHECK-NOT:   @main_early_0
// CHECK:       func.func private @main_strategic_0

// AGAIN-LABEL: func.func @main
// AGAIN:         %[[E:.*]] = call @main_npu_0(
// AGAIN-NEXT:    %[[T:.*]] = uma.graph.tanh %[[E]]
// AGAIN-NEXT:    %[[F:.*]] = call @main_npu_1(%[[T]])
// AGAIN:       func.func private @main_npu_0({{.*}}attributes {uma.target = #uma.target<"npu">}
// AGAIN:       func.func private @main_npu_1({{.*}}attributes {uma.target = #uma.target<"npu">}

// LOWERED:     uma.tir.func private @main_npu_0(
// LOWERED-NEXT:  uma.tir.call_extern "npu_exp"
// LOWERED:     uma.tir.func private @tanh(
// LOWERED-NEXT:  uma.tir.multiversion lanes(16)
// LOWERED:     uma.tir.func private @main_npu_1(
// LOWERED-NEXT:  uma.tir.call_extern "npu_exp"

// PLAIN:       uma.tir.func private @main_npu_0(
// PLAIN:       uma.tir.call_extern "npu_exp"
// PLAIN:       math.tanh
// PLAIN:       uma.tir.call_extern "npu_exp"

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @main_npu_0(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = call @main_early_0(%0#1) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @main_strategic_0(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %2 : tensor<4xf32>, tensor<4xf32>
}
func.func private @main_npu_0(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@exp (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %3 = uma.graph.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %3 : tensor<4xf32>
  }
  %1 = uma.graph.composite @npu::@tanh (%a = %0 : tensor<4xf32>) -> tensor<4xf32> {
    %3 = uma.graph.tanh %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %3 : tensor<4xf32>
  } loc("tanh")
  %2 = uma.graph.composite @npu::@exp (%a = %1 : tensor<4xf32>) -> tensor<4xf32> {
    %3 = uma.graph.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %3 : tensor<4xf32>
  }
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
func.func private @main_early_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"early">} {
  %0 = uma.graph.composite @early::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func private @main_strategic_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"strategic">} {
  %0 = uma.graph.composite @strategic::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

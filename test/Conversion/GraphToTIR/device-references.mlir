// The option device-references adds an attribute that describes each match, for 'uma run --compare'.
// RUN: uma-opt %s --convert-uma-graph-to-uma-tir=device-references=true | FileCheck %s
// RUN: uma-opt %s --uma-lower=device-references=true | FileCheck %s --check-prefix=LOWER
// RUN: uma-opt %s --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=WITHOUT --implicit-check-not=uma.references
// RUN: uma-opt %s --uma-lower | FileCheck %s --check-prefix=WITHOUT --implicit-check-not=uma.references
// RUN: not uma-opt %s --convert-uma-graph-to-uma-tir=device-references=maybe 2>&1 | FileCheck %s --check-prefix=INVALID

// INVALID: for the --device-references option: 'maybe' is invalid value for boolean argument! Try 0 or 1
// INVALID-NOT: uma.tir.func

// WITHOUT: uma.tir.func private @dense_npu(

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
  uma.accel.await {
    uma.accel.call "npu_wait"()
  }
  uma.accel.pattern @dense_relu {
    %n = uma.accel.dim "n"
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x" f32 [1, %k]
    %w = uma.accel.input "w" const f32 [%n, %k]
    %d = uma.accel.op "dense"(%x, %w) as "d"
    %y = uma.accel.op "relu"(%d) as "y"
    uma.accel.configure "npu_rows"(%n) : index
    uma.accel.call "npu_dense"(%x, %w, %y, %k) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  } loc("folder/npu.uma":3:1)
  uma.accel.pattern @halve {
    %top = uma.accel.dim "top" : f64
    %x = uma.accel.input "x" f32
    %half = uma.accel.splat 0.5
    %m = uma.accel.op "multiply"(%x, %half) as "m"
    %c = uma.accel.op "clip"(%m) as "c" {a_max = @top, a_min = 0.0}
    %b = uma.accel.input "b" f32
    %a = uma.accel.op "add"(%c, %b)
    %y = uma.accel.choice(%a) else %c as "y"
    uma.accel.call "npu_halve"(%x, %b, %y, %top) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, f64
  } loc("npu.uma":12:1)
  uma.accel.pattern @both {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    %z = uma.accel.op "exp"(%x) as "z"
    uma.accel.return %z, %y
    uma.accel.call "npu_both"(%x, %y, %z) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  } loc(unknown)
  uma.accel.pattern @tanh {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "tanh"(%x) as "y"
    uma.accel.lower
  } loc("npu.uma":30:1)
}

// The CPU's functions have no reference, and neither has the entry function.
// CHECK:      uma.tir.func @main(
// CHECK-NOT:  uma.references

func.func @main(%x: tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %0 = call @main_npu_0(%x) : (tensor<1x4xf32>) -> tensor<1x2xf32> loc("dense")
  %1 = uma.graph.sigmoid %0 : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %2 = call @main_npu_1(%1) : (tensor<1x2xf32>) -> tensor<1x2xf32> loc("halves")
  %3:2 = call @main_npu_2(%2) : (tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) loc("pair")
  return %3#0, %3#1 : tensor<1x2xf32>, tensor<1x2xf32>
}

// A pattern of several operators gives one function. A constant operand is an argument; its elements are not repeated. The position has
// no folder.
// CHECK:      uma.tir.func private @dense_npu(
// CHECK-SAME: uma.references = [{at = "npu.uma:3", calls = ["npu_rows(n=2)", "npu_dense(x=f32[1, 4], w=f32[2, 4], y=f32[1, 2], k=4)"],
// CHECK-SAME: function = "func.func @reference(%arg0: tensor<1x4xf32>, %arg1: tensor<2x4xf32>) -> tensor<1x2xf32> {
// CHECK-SAME:   %0 = uma.graph.dense %arg0, %arg1 : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>\0A
// CHECK-SAME:   %1 = uma.graph.relu %0 : (tensor<1x2xf32>) -> tensor<1x2xf32>\0A
// CHECK-SAME:   return %1 : tensor<1x2xf32>\0A}",
// CHECK-SAME: layer = "dense", operand_names = ["x", "w"], operands = array<i64: 0, 1>, pattern = "dense_relu", result_names = ["y"], results = array<i64: 2>}],
// CHECK-SAME: uma.target = #uma.target<"npu">}

// Flattening changes no position.
// LOWER:      uma.tir.func private @dense_npu(%{{.*}}: memref<4xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: memref<2xf32>)
// LOWER-SAME: uma.references = [{at = "npu.uma:3",
// LOWER-SAME: operands = array<i64: 0, 1>, pattern = "dense_relu", result_names = ["y"], results = array<i64: 2>}]
func.func private @main_npu_0(%x: tensor<1x4xf32>) -> tensor<1x2xf32> attributes {uma.target = #uma.target<"npu">} {
  %w = uma.graph.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf32>
  %0 = uma.graph.composite @npu::@dense_relu (%a = %x : tensor<1x4xf32>, %b = %w : tensor<2x4xf32>) -> tensor<1x2xf32> {
    %1 = uma.graph.dense %a, %b : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
    %2 = uma.graph.relu %1 : (tensor<1x2xf32>) -> tensor<1x2xf32>
    uma.graph.yield %2 : tensor<1x2xf32>
  } loc("dense")
  return %0 : tensor<1x2xf32>
}

// Three matches in one function give three entries. The tensors between them are arguments behind the others. A constant of the pattern
// stays in the function and prints as one element if all are equal. An absent operand is NULL in the call.
// CHECK:      uma.tir.func private @halves_npu(
// CHECK-SAME: uma.references = [{at = "npu.uma:12", calls = ["npu_halve(x=f32[1, 2], b=NULL, y=f32[1, 2], top=6)"],
// CHECK-SAME: function = "func.func @reference(%arg0: tensor<1x2xf32>) -> tensor<1x2xf32> {
// CHECK-SAME:   %0 = uma.graph.constant dense<5.000000e-01> : tensor<1x2xf32>\0A
// CHECK-SAME:   %1 = uma.graph.multiply %arg0, %0 : {{[^\\]*}}\0A
// CHECK-SAME:   %2 = uma.graph.clip %1 min 0.000000e+00 max 6.000000e+00 : {{[^\\]*}}\0A
// CHECK-SAME:   return %2 : tensor<1x2xf32>\0A}",
// CHECK-SAME: layer = "first", operand_names = ["x"], operands = array<i64: 0>, pattern = "halve", result_names = ["y"], results = array<i64: 2>},
// CHECK-SAME: {at = "npu.uma:12", calls = ["npu_halve(x=f32[1, 2], b=f32[1, 2], y=f32[1, 2], top=0.25)"],
// CHECK-SAME:   %3 = uma.graph.add %2, %arg1 :
// CHECK-SAME: layer = "second", operand_names = ["x", "b"], operands = array<i64: 2, 0>, pattern = "halve", result_names = ["y"], results = array<i64: 3>},

// A match that the compiler lowers has no calls.
// CHECK-SAME: {at = "npu.uma:30", calls = [], function = "func.func @reference(
// CHECK-SAME: uma.graph.tanh %arg0
// CHECK-SAME: layer = "third", operand_names = ["x"], operands = array<i64: 3>, pattern = "tanh", result_names = ["y"], results = array<i64: 1>}],
// CHECK:      uma.tir.call_extern "npu_halve"
// CHECK:      uma.tir.call_extern "npu_wait"
func.func private @main_npu_1(%x: tensor<1x2xf32>) -> tensor<1x2xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@halve (%a = %x : tensor<1x2xf32>) -> tensor<1x2xf32> {
    %h = uma.graph.constant dense<[[0.5, 0.5]]> : tensor<1x2xf32>
    %1 = uma.graph.multiply %a, %h : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = uma.graph.clip %1 min 0.0 max 6.0 : (tensor<1x2xf32>) -> tensor<1x2xf32>
    uma.graph.yield %2 : tensor<1x2xf32>
  } loc("first")
  %3 = uma.graph.composite @npu::@halve (%a = %0 : tensor<1x2xf32>, %b = %x : tensor<1x2xf32>) -> tensor<1x2xf32> {
    %h = uma.graph.constant dense<0.5> : tensor<1x2xf32>
    %1 = uma.graph.multiply %a, %h : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = uma.graph.clip %1 min 0.0 max 0.25 : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %4 = uma.graph.add %2, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    uma.graph.yield %4 : tensor<1x2xf32>
  } loc("second")
  %5 = uma.graph.composite @npu::@tanh (%a = %3 : tensor<1x2xf32>) -> tensor<1x2xf32> {
    %1 = uma.graph.tanh %a : (tensor<1x2xf32>) -> tensor<1x2xf32>
    uma.graph.yield %1 : tensor<1x2xf32>
  } loc("third")
  return %5 : tensor<1x2xf32>
}

// Results keep the order of the match. A pattern without a position has an empty 'at'. A match without a name takes its pattern's.
// CHECK:      uma.tir.func private @pair_npu(
// CHECK-SAME: uma.references = [{at = "", calls = ["npu_both(x=f32[1, 2], y=f32[1, 2], z=f32[1, 2])"],
// CHECK-SAME: -> (tensor<1x2xf32>, tensor<1x2xf32>) {
// CHECK-SAME:   return %1, %0 : tensor<1x2xf32>, tensor<1x2xf32>\0A}",
// CHECK-SAME: layer = "both", operand_names = ["x"], operands = array<i64: 0>, pattern = "both", result_names = ["z", "y"], results = array<i64: 2, 1>}],
func.func private @main_npu_2(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) attributes {uma.target = #uma.target<"npu">} {
  %0:2 = uma.graph.composite @npu::@both (%a = %x : tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
    %1 = uma.graph.relu %a : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = uma.graph.exp %a : (tensor<1x2xf32>) -> tensor<1x2xf32>
    uma.graph.yield %2, %1 : tensor<1x2xf32>, tensor<1x2xf32>
  }
  return %0#1, %0#0 : tensor<1x2xf32>, tensor<1x2xf32>
}

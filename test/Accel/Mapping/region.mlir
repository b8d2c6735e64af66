// The layers of a region are one program of the host: no wait for all engines between them.

// RUN: uma-opt %s --uma-accel-map --convert-uma-graph-to-uma-tir | FileCheck %s

uma.accel.accelerator @npu {
  uma.accel.memory "sram" align 16 {
    %size = arith.constant 1024 : index
    uma.accel.yield %size
  }
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait_dma"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait_core"(%commands) : index
    %macs = arith.constant 4 : index
    uma.accel.yield %macs
  }
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%to, %from, %rows, %row_bytes, %stride)
        : index, !uma.accel.tensor, index, index, index
    %setup = arith.constant 10 : index
    %bandwidth = arith.constant 4 : index
    uma.accel.yield %setup, %bandwidth
  }
  uma.accel.pattern @add {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %w = uma.accel.input "w" f32 [%n]
    %y = uma.accel.op "add"(%x, %w) as "y"
    uma.accel.result %y f32 [%n]
    uma.accel.tile %n by 16
    uma.accel.place %x, %w in "sram"
    uma.accel.call "npu_add"(%x, %w, %y, %n) on "core" cycles %n
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
  uma.accel.pattern @tanh {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "tanh"(%x) as "y"
    uma.accel.call "npu_tanh"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// CHECK-LABEL: uma.tir.func private @layers
// CHECK-SAME: %[[A:arg[0-9]]]: memref<16xf32>, %[[V:[a-z0-9]+]]: {{.*}}, %[[W:arg2]]: {{.*}}, %[[RESULT:arg3]]: {{.*}}, %[[FIRST:arg4]]: {{.*}}, %[[SECOND:arg5]]: {{.*}}, %[[TANH:arg6]]:
// CHECK: uma.tir.call_extern "npu_load"({{.*}}, %[[A]], {{.*}} uma.layer = "first"
// CHECK: uma.tir.call_extern "npu_load"({{.*}}, %[[V]], {{.*}} uma.layer = "first"
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT: uma.tir.call_extern "npu_wait_dma"(%[[C2]])
// CHECK: uma.tir.call_extern "npu_add"({{.*}}, %[[FIRST]], {{.*}} uma.layer = "first"
//
// While the core computes the first layer, the constant of the second one is loaded, to the end of the memory.
// CHECK: %[[C960:.*]] = arith.constant 960 : index
// CHECK: uma.tir.call_extern "npu_load"(%[[C960]], %[[W]], {{.*}} uma.layer = "second"
//
// Its other input is the first layer's result.
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT: uma.tir.call_extern "npu_wait_core"(%[[C1]]) {{.*}} uma.layer = "second"
// CHECK: %[[C896:.*]] = arith.constant 896 : index
// CHECK: uma.tir.call_extern "npu_load"(%[[C896]], %[[FIRST]], {{.*}} uma.layer = "second"
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT: uma.tir.call_extern "npu_wait_dma"(%[[C4]])
// CHECK: uma.tir.call_extern "npu_add"({{.*}}, %[[SECOND]], {{.*}} uma.layer = "second"
//
// A composite without tiles waits for all engines; commands are counted from the start of the region.
// CHECK: %[[N:.*]] = arith.constant 2 : index
// CHECK-NEXT: uma.tir.call_extern "npu_wait_core"(%[[N]])
// CHECK: uma.tir.call_extern "npu_tanh"(%[[SECOND]], %[[TANH]],
// CHECK-NOT: "npu_wait
// CHECK: uma.tir.call_extern "npu_load"({{.*}}, %[[TANH]], {{.*}} uma.layer = "last"
// CHECK: uma.tir.call_extern "npu_load"({{.*}}, %[[W]], {{.*}} uma.layer = "last"
// CHECK: %[[C6:.*]] = arith.constant 6 : index
// CHECK-NEXT: uma.tir.call_extern "npu_wait_dma"(%[[C6]])
// CHECK: uma.tir.call_extern "npu_add"({{.*}}, %[[RESULT]], {{.*}} uma.layer = "last"
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT: uma.tir.call_extern "npu_wait_core"(%[[C3]])
func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  %0 = call @layers(%a) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func private @layers(%a: tensor<16xf32>) -> tensor<16xf32> attributes {uma.target = #uma.target<"npu">} {
  %v = uma.graph.constant dense<1.0> : tensor<16xf32>
  %w = uma.graph.constant dense<2.0> : tensor<16xf32>
  %0 = uma.graph.composite @npu::@add (%x = %a : tensor<16xf32>, %c = %v : tensor<16xf32>) -> tensor<16xf32> {
    %1 = uma.graph.add %x, %c : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    uma.graph.yield %1 : tensor<16xf32>
  } loc("first")
  %2 = uma.graph.composite @npu::@add (%x = %0 : tensor<16xf32>, %c = %w : tensor<16xf32>) -> tensor<16xf32> {
    %3 = uma.graph.add %x, %c : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    uma.graph.yield %3 : tensor<16xf32>
  } loc("second")
  %4 = uma.graph.composite @npu::@tanh (%x = %2 : tensor<16xf32>) -> tensor<16xf32> {
    %5 = uma.graph.tanh %x : (tensor<16xf32>) -> tensor<16xf32>
    uma.graph.yield %5 : tensor<16xf32>
  } loc("tanh")
  %6 = uma.graph.composite @npu::@add (%x = %4 : tensor<16xf32>, %c = %w : tensor<16xf32>) -> tensor<16xf32> {
    %7 = uma.graph.add %x, %c : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    uma.graph.yield %7 : tensor<16xf32>
  } loc("last")
  return %6 : tensor<16xf32>
}

// A function with uma.references calls hooks at its start, before each of several device calls and at its end.
// RUN: split-file %s %t
// RUN: uma-opt %t/hooks.mlir --convert-uma-tir-to-emitc > %t/hooks.emitc.mlir
// RUN: FileCheck %s --check-prefix=EMITC < %t/hooks.emitc.mlir
// RUN: uma-translate --uma-to-c %t/hooks.emitc.mlir | FileCheck %s
// RUN: uma-opt %t/none.mlir --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s --check-prefix=NONE --implicit-check-not=UMA_DEVICE
// RUN: uma-opt %t/graph.mlir --uma-lower=device-references=true --uma-emit-c | uma-translate --uma-to-c | FileCheck %s --check-prefix=GRAPH
// RUN: uma-opt %t/graph.mlir --uma-lower --uma-emit-c | uma-translate --uma-to-c | FileCheck %s --check-prefix=NONE --implicit-check-not=UMA_DEVICE

//--- hooks.mlir
uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}

// The hooks are empty by default and defined once.
// CHECK:      /* Hooks around what runs on a device,
// CHECK:      #ifdef UMA_HOOKS
// CHECK-NEXT: #include "uma_hooks.h"
// CHECK-NEXT: #endif
// CHECK-NEXT: #ifndef UMA_DEVICE_BEGIN
// CHECK-NEXT: #define UMA_DEVICE_BEGIN(...) ((void)0)
// CHECK-NEXT: #endif
// CHECK-NEXT: #ifndef UMA_DEVICE_CALL
// CHECK-NEXT: #define UMA_DEVICE_CALL(layer, function) ((void)0)
// CHECK-NEXT: #endif
// CHECK-NEXT: #ifndef UMA_DEVICE_END
// CHECK-NEXT: #define UMA_DEVICE_END(...) ((void)0)
// CHECK-NEXT: #endif
// CHECK-NOT:  #define UMA_DEVICE

// The hooks get the addresses of the parameters, outside of the description's prologue and epilogue. No hook announces a single call.
// CHECK:      static int32_t net_single(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2) {
// CHECK-NEXT: UMA_DEVICE_BEGIN(&v1, &v2);
// CHECK-NEXT: LOCK();
// CHECK-NEXT: int32_t [[S:v[0-9]+]] = npu_relu((float*) v1, v2);
// CHECK-NEXT: if ([[S]] != 0) {
// CHECK-NEXT: UMA_ON_ERROR("single", [[S]]);
// CHECK-NEXT: UNLOCK();
// CHECK-NEXT: return [[S]];
// CHECK-NEXT: }
// CHECK-NEXT: UNLOCK();
// CHECK-NEXT: UMA_DEVICE_END(&v1, &v2);
// CHECK-NEXT: return 0;

// EMITC:      emitc.func @net_single(%[[X:[a-z0-9]+]]: {{[^,]*}}, %[[Y:[a-z0-9]+]]:
// EMITC-NEXT: verbatim "UMA_DEVICE_BEGIN(&{}, &{});" args %[[X]], %[[Y]] :
// EMITC:      verbatim "UMA_DEVICE_END(&{}, &{});" args %[[X]], %[[Y]] :
// EMITC-NOT:  UMA_DEVICE_CALL
// EMITC:      emitc.func @net_several(
uma.tir.func private @single(%x: memref<4xf32>, %y: memref<4xf32>)
    attributes {layer = "single", uma.target = #uma.target<"npu">, uma.references = [], uma.prologue = ["LOCK();"], uma.epilogue = ["UNLOCK();"]} {
  uma.tir.call_extern "npu_relu"(%x, %y) writes [1] : memref<4xf32>, memref<4xf32>
}

// A hook announces each of several calls, with its layer and its function. That includes configuration, calls without a status and
// calls that the description replaces with its own C.
// CHECK:      static int32_t net_several(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2) {
// CHECK-NEXT: UMA_DEVICE_BEGIN(&v1, &v2);
// CHECK-NEXT: UMA_DEVICE_CALL("several", "npu_mode");
// CHECK-NEXT: int32_t [[M:v[0-9]+]] = npu_mode(1);
// CHECK:      UMA_DEVICE_CALL("a\042b{}/c", "npu_relu");
// CHECK-NEXT: npu_relu(v{{[0-9]+}}, v2);
// CHECK-NEXT: UMA_DEVICE_CALL("several", "npu_flush");
// CHECK-NEXT: FLUSH(v2);
// CHECK-NEXT: UMA_DEVICE_CALL("several", "npu_wait");
// CHECK-NEXT: int32_t [[W:v[0-9]+]] = 0;
// CHECK-NEXT: [[W]] = WAIT();
// CHECK:      UMA_DEVICE_END(&v1, &v2);
// CHECK-NEXT: return 0;
uma.tir.func private @several(%x: memref<4xf32>, %y: memref<4xf32>)
    attributes {layer = "several", uma.target = #uma.target<"npu">, uma.references = []} {
  %c1 = arith.constant 1 : index
  uma.tir.call_extern "npu_mode"(%c1) {uma.configure} : index
  uma.tir.call_extern "npu_relu"(%x, %y) writes [1] no_status {uma.layer = "a\"b{}\\c"} : memref<4xf32>, memref<4xf32>
  uma.tir.call_extern "npu_flush"(%y) no_status {uma.code = "FLUSH({0});"} : memref<4xf32>
  uma.tir.call_extern "npu_wait"() {uma.code = "WAIT()"}
}

// The hooks get unused parameters too.
// CHECK:      static void net_unused(
// CHECK-NEXT: UMA_DEVICE_BEGIN(&v1);
// CHECK-NEXT: (void)v1;
// CHECK-NEXT: UMA_DEVICE_END(&v1);
// CHECK-NEXT: return;
uma.tir.func private @unused(%x: memref<4xf32>) attributes {uma.target = #uma.target<"npu">, uma.references = []} {
}

// A function without the attribute calls no hook.
// CHECK:      static int32_t net_plain(
// CHECK-NOT:  UMA_DEVICE
uma.tir.func private @plain(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.target = #uma.target<"npu">} {
  uma.tir.call_extern "npu_relu"(%x, %y) writes [1] : memref<4xf32>, memref<4xf32>
  uma.tir.call_extern "npu_relu"(%x, %y) writes [1] : memref<4xf32>, memref<4xf32>
}
uma.tir.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.network = "net", uma.workspace_size = 0 : i64} {
  uma.tir.call @single(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @several(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @unused(%x) : memref<4xf32>
  uma.tir.call @plain(%x, %y) : memref<4xf32>, memref<4xf32>
}

//--- none.mlir
// NONE: npu_relu(
uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  uma.tir.call_extern "npu_relu"(%x, %y) writes [1] : memref<4xf32>, memref<4xf32>
}

//--- graph.mlir
uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
// The tensor between two matches is a parameter as well.
// GRAPH:      static int32_t relu_npu(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2, float *UMA_RESTRICT v3) {
// GRAPH-NEXT: UMA_DEVICE_BEGIN(&v1, &v2, &v3);
// GRAPH-NEXT: UMA_DEVICE_CALL("first", "npu_relu");
// GRAPH-NEXT: npu_relu((float*) v1, v3);
// GRAPH:      UMA_DEVICE_CALL("second", "npu_relu");
// GRAPH-NEXT: npu_relu(v3, v2);
// GRAPH:      UMA_DEVICE_END(&v1, &v2, &v3);
// GRAPH-NEXT: return 0;
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @main_npu_0(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("relu")
  return %0 : tensor<4xf32>
}
func.func private @main_npu_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  } loc("first")
  %2 = uma.graph.composite @npu::@relu (%a = %0 : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  } loc("second")
  return %2 : tensor<4xf32>
}

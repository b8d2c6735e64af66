// The whole of a module: what becomes of constants, layers, devices and the
// entry point. Expressions and errors are in TIRToEmitC/.
// RUN: uma-opt %s --convert-uma-tir-to-emitc | FileCheck %s

// EmitC is converted to itself, and upstream's printer takes it too.
// RUN: uma-opt %s --convert-uma-tir-to-emitc > %t.once
// RUN: uma-opt %t.once --convert-uma-tir-to-emitc > %t.twice
// RUN: diff %t.once %t.twice
// RUN: mlir-translate --mlir-to-cpp %t.once | FileCheck %s --check-prefix=CPP

// CHECK:       emitc.verbatim "/* Network tiny,
// CHECK-DAG:   emitc.include <"stddef.h">
// CHECK-DAG:   emitc.include <"stdint.h">
// CHECK-NOT:   math.h
// CHECK:       emitc.include "npu.h"
uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}

// Constants are flat, and carry the network's name.
// CHECK:       emitc.global static const @tiny_w : !emitc.array<4xf32> = dense<[5.000000e-01, 1.000000e+00, -2.000000e+00, 3.250000e+00]>
// CHECK-NOT:   emitc.global
memref.global "private" constant @w : memref<4xf32> = dense<[0.5, 1.0, -2.0, 3.25]>
memref.global "private" constant @unused : memref<4xf32> = dense<0.0>

// A layer that cannot fail returns nothing. What it only reads is const.
// CHECK:       emitc.func @tiny_scale(%[[X:.*]]: !emitc.opaque<"const float *UMA_RESTRICT">, %[[W:.*]]: !emitc.opaque<"const float *UMA_RESTRICT">, %[[Y:.*]]: !emitc.opaque<"float *UMA_RESTRICT">) attributes {specifiers = ["static"]} {
// CHECK:         for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : !emitc.ptrdiff_t {
// CHECK:           subscript %[[X]][%[[I]]]
// CHECK:           subscript %[[W]][%[[I]]]
// CHECK:           mul
// CHECK:           %[[E:.*]] = subscript %[[Y]][%[[I]]]
// CHECK:           assign %{{.*}} : f32 to %[[E]]
// CHECK:         return
uma.tir.func private @scale(%x: memref<4xf32>, %w: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "block/scale"} {
  uma.tir.for %i = 0 to 4 {
    %a = memref.load %x[%i] : memref<4xf32>
    %b = memref.load %w[%i] : memref<4xf32>
    %c = arith.mulf %a, %b : f32
    memref.store %c, %y[%i] : memref<4xf32>
  }
}

// One that calls a device returns its status.
// CHECK:       emitc.func @tiny_relu({{.*}}) -> i32 attributes {specifiers = ["static"]} {
// CHECK:         call_opaque "npu_relu"
// CHECK:         verbatim "if ({} != 0) {{{{.*}}UMA_ON_ERROR(\22relu\22, {}){{.*}}return {};
// CHECK:         return %{{.*}} : i32
uma.tir.func private @relu(%x: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "relu", uma.target = #uma.target<"npu">} {
  %n = arith.constant 4 : index
  uma.tir.call_extern "npu_relu"(%x, %y, %n) writes [1] {uma.layer = "relu"} : memref<4xf32>, memref<4xf32>, index
}

// The entry point gets the workspace last.
// CHECK:       emitc.func @tiny_run(%[[X:.*]]: !emitc.opaque<"const float *UMA_RESTRICT">, %[[Y:.*]]: !emitc.opaque<"float *UMA_RESTRICT">, %[[WORKSPACE:.*]]: !emitc.opaque<"void *UMA_RESTRICT">) -> i32 {
// CHECK:         %[[W:.*]] = get_global @tiny_w
// CHECK:         verbatim "float *scale = (float *)((unsigned char *){} + 64);" args %[[WORKSPACE]]
// CHECK:         %[[T:.*]] = literal "scale"
// CHECK:         call_opaque "tiny_scale"(%[[X]], %[[W]], %[[T]])
// CHECK:         call_opaque "tiny_relu"(%[[T]], %[[Y]])
// CHECK:         verbatim "if ({} != 0)
// CHECK-NOT:   uma.
// CPP:         int32_t tiny_run(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2, void *UMA_RESTRICT v3) {
// CPP-NEXT:      float *scale = (float *)((unsigned char *)v3 + 64);
// CPP-NEXT:      UMA_PROFILE_BEGIN(0, "block/scale");
// CPP-NEXT:      tiny_scale(v1, tiny_w, scale);
// CPP-NEXT:      UMA_PROFILE_END(0, "block/scale");
// CPP-NEXT:      UMA_PROFILE_BEGIN(1, "relu");
// CPP-NEXT:      int32_t v4 = tiny_relu(scale, v2);
// CPP-NEXT:      if (v4 != 0) {
// CPP-NEXT:        return v4;
// CPP-NEXT:      }
// CPP-NEXT:      UMA_PROFILE_END(1, "relu");
// CPP-NEXT:      return 0;
uma.tir.func @main(%x: memref<4xf32> {uma.name = "x"}, %y: memref<4xf32> {uma.name = "y", uma.output})
    attributes {uma.network = "tiny", uma.workspace_size = 80 : i64} {
  %w = memref.get_global @w : memref<4xf32>
  %t = uma.tir.alloc workspace offset 64 label "scale" : memref<4xf32>
  uma.tir.call @scale(%x, %w, %t) : memref<4xf32>, memref<4xf32>, memref<4xf32>
  uma.tir.call @relu(%t, %y) : memref<4xf32>, memref<4xf32>
}

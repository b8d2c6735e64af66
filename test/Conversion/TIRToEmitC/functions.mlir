// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s

// CHECK: /* Network my net/v1.0, compiled to C99 by uma. Generated; edit the model instead. */
// CHECK-NOT: math.h
// CHECK: #include <stdint.h>
// CHECK: #define UMA_RESTRICT restrict
// CHECK: #define UMA_RESTRICT __restrict
// CHECK-NOT: UMA_ON_ERROR

// Unreachable functions are not emitted.
// CHECK-NOT: unused
// CHECK: /* Layer relu/1. */
// CHECK-NEXT: static void my_net_v1_0_relu(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2) {
// CHECK-NEXT: for (ptrdiff_t [[I:i[0-9]+]] = 0; [[I]] < 4; [[I]] += 1) {
// CHECK-NEXT: float [[V:v[0-9]+]] = v1[[[I]]];
// CHECK-NEXT: v2[[[I]]] = [[V]] > 0.0f || [[V]] != [[V]] ? [[V]] : 0.0f;
// CHECK: return;

// CHECK: /* Entry point. */
// CHECK-NEXT: /* v1: input x* */
// CHECK-NEXT: /* v2: output y */
// CHECK-NEXT: /* v3: workspace of 128 bytes, aligned to 64 */
// CHECK-NEXT: #ifdef __cplusplus
// CHECK-NEXT: extern "C"
// CHECK-NEXT: #endif
// CHECK-NEXT: int32_t my_net_v1_0_run(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2, void *UMA_RESTRICT v3) {
// CHECK-NEXT: float *relu = (float *)((unsigned char *)v3 + 64);
// CHECK-NEXT: UMA_PROFILE_BEGIN(0, "relu/1");
// CHECK-NEXT: my_net_v1_0_relu(v1, relu);
// CHECK-NEXT: UMA_PROFILE_END(0, "relu/1");
// CHECK-NEXT: UMA_PROFILE_BEGIN(1, "relu/1");
// CHECK-NEXT: my_net_v1_0_relu(relu, v2);
// CHECK-NEXT: UMA_PROFILE_END(1, "relu/1");
// CHECK-NEXT: return 0;
uma.tir.func private @relu(%x: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "relu/1"} {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    %m = arith.maximumf %v, %zero : f32
    memref.store %m, %y[%i] : memref<4xf32>
  }
}
uma.tir.func private @unused() {
}
uma.tir.func @main(%x: memref<4xf32> {uma.name = "x*"}, %y: memref<4xf32> {uma.name = "y", uma.output})
    attributes {uma.network = "my net/v1.0", uma.workspace_size = 128 : i64} {
  %a = uma.tir.alloc workspace offset 64 label "relu" : memref<4xf32>
  uma.tir.call @relu(%x, %a) : memref<4xf32>, memref<4xf32>
  uma.tir.call @relu(%a, %y) : memref<4xf32>, memref<4xf32>
}

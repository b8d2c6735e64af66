// A call with a body is a static function in front of the others: its parameters are the call's arguments.
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s
// RUN: uma-opt %s --convert-uma-tir-to-emitc=line-directives=true | uma-translate --uma-to-c | FileCheck %s --check-prefix=LINE

// CHECK:      #include <string.h>
// CHECK:      static inline int32_t call_npu_run(int64_t n, double value, float *x, uint8_t *y, int64_t n_2) {
// CHECK-NEXT:   npu_cfg uma_arg0; memset(&uma_arg0, 0, sizeof uma_arg0);
// CHECK-NEXT:   uma_arg0.n = n; { uma_arg0.m = n_2; }
// CHECK-NEXT:   return npu_run(&uma_arg0, value, x, y, n);
// CHECK-NEXT: }
// CHECK-NOT:  static inline int32_t call_
// CHECK:      call_npu_run(4, 0.5, (float*) v1, (uint8_t*) v2, 8)
// CHECK:      call_npu_run(2, 0.5, (float*) v1, (uint8_t*) v2, 8)

// LINE:      static inline int32_t call_npu_run(
// LINE-NEXT: #line 7 "npu.uma"
// LINE-NEXT:   npu_cfg uma_arg0;
// LINE:      {{^}}}
// LINE-NEXT: /* uma: own lines */
uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @f(%x: memref<4xf32>, %y: memref<4xi8>) {
  %n = arith.constant 4 : index
  %m = arith.constant 2 : index
  %k = arith.constant 8 : index
  %half = arith.constant 0.5 : f64
  uma.tir.call_extern "npu_run"(%n, %half, %x, %y, %k) writes [3]
      {uma.body = "  npu_cfg uma_arg0; memset(&uma_arg0, 0, sizeof uma_arg0);\0A  uma_arg0.n = {0}; {{ uma_arg0.m = {4}; }}\0A  return npu_run(&uma_arg0, {1}, {2}, {3}, {0});",
       uma.parameters = ["n", "", "x", "y", "n"], uma.unsigned = array<i64: 3>}
      : index, f64, memref<4xf32>, memref<4xi8>, index loc(#loc)
  // Another size is the same function.
  uma.tir.call_extern "npu_run"(%m, %half, %x, %y, %k) writes [3]
      {uma.body = "  npu_cfg uma_arg0; memset(&uma_arg0, 0, sizeof uma_arg0);\0A  uma_arg0.n = {0}; {{ uma_arg0.m = {4}; }}\0A  return npu_run(&uma_arg0, {1}, {2}, {3}, {0});",
       uma.parameters = ["n", "", "x", "y", "n"], uma.unsigned = array<i64: 3>}
      : index, f64, memref<4xf32>, memref<4xi8>, index loc(#loc)
}
#line = loc("npu.uma":7:3)
#loc = loc(fused<"uma.described">["layer", #line])

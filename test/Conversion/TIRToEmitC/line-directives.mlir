// The option line-directives prints a #line before each call that a description asks for, and a mark behind it. The writer of packages
// replaces the mark by a #line of its own file (test/Integration/line-directives.test).
// RUN: uma-opt %s --convert-uma-tir-to-emitc=line-directives=true | FileCheck %s --check-prefix=EMITC
// RUN: uma-opt %s --convert-uma-tir-to-emitc=line-directives=true | uma-translate --uma-to-c | FileCheck %s
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s --check-prefix=WITHOUT --implicit-check-not="#line" --implicit-check-not="own lines"
// RUN: uma-opt %s --uma-emit-c | uma-translate --uma-to-c | FileCheck %s --check-prefix=WITHOUT --implicit-check-not="#line" --implicit-check-not="own lines"
// RUN: not uma-opt %s --convert-uma-tir-to-emitc=line-directives=maybe 2>&1 | FileCheck %s --check-prefix=INVALID

// INVALID: for the --line-directives option: 'maybe' is invalid value for boolean argument! Try 0 or 1
// INVALID-NOT: emitc.func

// WITHOUT: = npu_relu(
// WITHOUT: npu_flush();

// A file name is a string of C: quotes, '?' and bytes beyond ASCII become escape sequences, a backslash becomes a slash.
// RUN: sed 's|"npu.uma":7:3|"a\\22b\\5Cc {} ?\\C3\\A9.uma":7:3|' %s | uma-opt --convert-uma-tir-to-emitc=line-directives=true | uma-translate --uma-to-c | FileCheck %s --check-prefix=NAME
// NAME:      #line 7 "a\042b/c {} \077\303\251.uma"
// NAME-NEXT: int32_t v3 = npu_relu(

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}

// EMITC:      verbatim "#line 7 \22npu.uma\22"
// EMITC-NEXT: %[[S:[0-9]+]] = expression
// EMITC-NOT:  verbatim
// EMITC:      call_opaque "npu_relu"
// EMITC-NOT:  verbatim
// EMITC:      verbatim "/* uma: own lines */"
// EMITC-NEXT: verbatim "if ({} != 0) {{{.*}}" args %[[S]],

// The check of the status comes behind the mark.
// CHECK:      static int32_t net_relu(
// CHECK-NEXT: {{^ +}}#line 7 "npu.uma"
// CHECK-NEXT: int32_t [[S:v[0-9]+]] = npu_relu((float*) v1, v2);
// CHECK-NEXT: {{^ +}}/* uma: own lines */
// CHECK-NEXT: if ([[S]] != 0) {
// CHECK:      }
// CHECK-NEXT: #line 8 "npu.uma"
// CHECK-NEXT: npu_flush();
// CHECK-NEXT: /* uma: own lines */

// C that replaces the call stands between the two as well.
// CHECK-NEXT: #line 9 "npu.uma"
// CHECK-NEXT: FLUSH(v2);
// CHECK-NEXT: /* uma: own lines */
// CHECK-NEXT: int32_t [[W:v[0-9]+]] = 0;
// CHECK-NEXT: #line 10 "npu.uma"
// CHECK-NEXT: [[W]] = WAIT();
// CHECK-NEXT: /* uma: own lines */
// CHECK-NEXT: if ([[W]] != 0) {

// A call with any other location has no #line.
// CHECK:      }
// CHECK-NEXT: npu_other();
// CHECK-NEXT: npu_fused();
// CHECK-NEXT: return 0;
// CHECK-NOT:  #line
// CHECK-NOT:  own lines
uma.tir.func private @relu(%x: memref<16xf32>, %y: memref<16xf32>)
    attributes {layer = "relu", uma.target = #uma.target<"npu">} {
  uma.tir.call_extern "npu_relu"(%x, %y) writes [1] : memref<16xf32>, memref<16xf32> loc(fused<"uma.described">["relu", "npu.uma":7:3])
  uma.tir.call_extern "npu_flush"() no_status loc(fused<"uma.described">["relu", "npu.uma":8:3])
  uma.tir.call_extern "npu_flush"(%y) no_status {uma.code = "FLUSH({0});"} : memref<16xf32> loc(fused<"uma.described">["relu", "npu.uma":9:3])
  uma.tir.call_extern "npu_wait"() {uma.code = "WAIT()"} loc(fused<"uma.described">["relu", "npu.uma":10:3])
  uma.tir.call_extern "npu_other"() no_status loc("npu.uma":11:3)
  uma.tir.call_extern "npu_fused"() no_status loc(fused<"other">["relu", "npu.uma":12:3])
}
uma.tir.func @main(%x: memref<16xf32>, %y: memref<16xf32>) attributes {uma.network = "net", uma.workspace_size = 0 : i64} {
  uma.tir.call @relu(%x, %y) : memref<16xf32>, memref<16xf32>
}

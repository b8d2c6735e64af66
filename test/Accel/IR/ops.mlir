// Round trip of every operation of the family, custom and generic syntax.

// RUN: uma-opt %s | uma-opt | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt | FileCheck %s

// What nothing uses constrains the match all the same: no cleanup removes it.
// RUN: uma-opt %s --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: uma.accel.accelerator @empty {
// CHECK-NEXT: }
uma.accel.accelerator @empty {
}

// CHECK-LABEL: uma.accel.accelerator @npu attributes {source = "npu.uma"} {
uma.accel.accelerator @npu attributes {source = "npu.uma"} {
  // CHECK-NEXT: uma.accel.include "npu.h"
  uma.accel.include "npu.h"
  // CHECK-NEXT: uma.accel.model "runtime/npu.c"
  uma.accel.model "runtime/npu.c"
  // CHECK-NEXT: uma.accel.link "npudriver"
  uma.accel.link "npudriver"
  // CHECK-NEXT: uma.accel.pipeline "PRE_PARTITIONING" "canonicalize,cse"
  uma.accel.pipeline "PRE_PARTITIONING" "canonicalize,cse"
  // CHECK-NEXT: uma.accel.pipeline "TIR_PHASE_3" ""
  uma.accel.pipeline "TIR_PHASE_3" ""

  // CHECK-LABEL: uma.accel.pattern @conv2d_relu {
  // KEPT-LABEL: uma.accel.pattern @conv2d_relu {
  uma.accel.pattern @conv2d_relu {
    // CHECK: %ic = uma.accel.dim "ic"
    %0 = uma.accel.dim "ic"
    // CHECK: %s = uma.accel.dim "s"
    // KEPT: uma.accel.dim "s"
    %1 = uma.accel.dim "s"
    // CHECK: %x = uma.accel.input "x" f32 [1, %ic, 14, %ic]
    %2 = uma.accel.input "x" f32 [1, %0, 14, %0]
    // CHECK: %w = uma.accel.input "w" [8, %ic, 1, 1]
    %3 = uma.accel.input "w" [8, %0, 1, 1]
    // CHECK: %b = uma.accel.input "b" bf16
    // CHECK-SAME: {note = "free"}
    %4 = uma.accel.input "b" bf16 {note = "free"}
    // CHECK: %c = uma.accel.op "conv2d"(%x, %w) as "c" {data_layout = "any", groups = 1 : i64, out_dtype = f32, padding = "same", strides = [@s, 1]}
    %5 = uma.accel.op "conv2d"(%2, %3) as "c"
        {strides = [@s, 1], padding = "same", data_layout = "any", groups = 1, out_dtype = f32}
    // CHECK: %[[SUM:.*]] = uma.accel.op "bias_add"(%c, %b) {axis = @ic}
    %6 = uma.accel.op "bias_add"(%5, %4) {axis = @ic}
    // CHECK: %y = uma.accel.op "relu"(%[[SUM]]) as "y"
    %7 = uma.accel.op "relu"(%6) as "y"
    // CHECK: %[[OK:.*]] = arith.cmpi ult, %ic, %c64
    %c64 = arith.constant 64 : index
    %8 = arith.cmpi ult, %0, %c64 : index
    // CHECK: uma.accel.require %[[OK]], "few channels" source "ic < 64"
    uma.accel.require %8, "few channels" source "ic < 64"
    // CHECK: uma.accel.require %[[OK]], "again"
    uma.accel.require %8, "again"
    // CHECK: %[[HALF:.*]] = arith.constant 5.0
    %half = arith.constant 0.5 : f64
    // CHECK: uma.accel.call "npu_start"()
    uma.accel.call "npu_start"()
    // CHECK: uma.accel.call "npu_conv"(%x, %y, %ic, %[[HALF]]) : !uma.accel.tensor, !uma.accel.tensor, index, f64
    uma.accel.call "npu_conv"(%2, %7, %0, %half) : !uma.accel.tensor, !uma.accel.tensor, index, f64
  }

  // CHECK-LABEL: uma.accel.pattern @scalar {
  uma.accel.pattern @scalar {
    // CHECK: %x = uma.accel.input "x" ui8 []
    %x = uma.accel.input "x" ui8 []
    // CHECK: %b = uma.accel.input "b"{{$}}
    %b = uma.accel.input "b"
    %y = uma.accel.op "add"(%x, %b)
    uma.accel.call "npu_add"(%y) : !uma.accel.tensor
  }

  // CHECK-LABEL: uma.accel.pattern @borders {
  uma.accel.pattern @borders {
    %n = uma.accel.dim "n"
    %k = uma.accel.dim "k"
    // CHECK: %x = uma.accel.input "x" f32|f16 [%n, %k] as affine_map<(d0, d1) -> (d1, d0)>
    %x = uma.accel.input "x" f32|f16 [%n, %k] as affine_map<(d0, d1) -> (d1, d0)>
    // CHECK: %w = uma.accel.input "w" const [16, %k] as affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>
    %w = uma.accel.input "w" const [16, %k] as affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>
    // CHECK: %t = uma.accel.scratch "t" f32 [%k] {note = "free"}
    %t = uma.accel.scratch "t" f32 [%k] {note = "free"}
    %y = uma.accel.op "dense"(%x, %w) as "y"
    // CHECK: uma.accel.result %y f32 [%n, ?] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.result %y f32 [%n, ?] as affine_map<(d0, d1) -> (d1, d0)>
    // CHECK: uma.accel.split %k by 8
    uma.accel.split %k by 8
    // CHECK: uma.accel.call "borders"(%x, %w, %t, %y) code "f({0}, {1}, {2}, {3});" : !uma.accel.tensor
    uma.accel.call "borders"(%x, %w, %t, %y) code "f({0}, {1}, {2}, {3});"
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

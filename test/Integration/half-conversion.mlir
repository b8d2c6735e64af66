// Every f16 and bf16 value through the emitted helpers, against the
// compiler's own _Float16 and against arithmetic on bit patterns.
// REQUIRES: clang
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c > %t.c
// RUN: %clang %strict -O1 -fsanitize=undefined -fno-sanitize-recover=all -c %t.c -o %t.o
// RUN: %clang -O1 -fsanitize=undefined -fno-sanitize-recover=all %S/Inputs/half-conversion.c %t.o -lm -o %t.exe
// RUN: %t.exe | FileCheck %s

// CHECK: 65536 f16 values widen
// CHECK: f16 rounding agrees
// CHECK: f64 to f16 rounds once
// CHECK: 65536 bf16 values widen
// CHECK: bf16 rounding agrees
// CHECK: f64 to bf16 rounds once

uma.tir.func @widen_f16(%x: memref<1xf16>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf16>
  %b = arith.extf %a : f16 to f32
  memref.store %b, %y[%c0] : memref<1xf32>
}
uma.tir.func @narrow_f16(%x: memref<1xf32>, %y: memref<1xf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf32>
  %b = arith.truncf %a : f32 to f16
  memref.store %b, %y[%c0] : memref<1xf16>
}
uma.tir.func @widen_bf16(%x: memref<1xbf16>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xbf16>
  %b = arith.extf %a : bf16 to f32
  memref.store %b, %y[%c0] : memref<1xf32>
}
uma.tir.func @narrow_bf16(%x: memref<1xf32>, %y: memref<1xbf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf32>
  %b = arith.truncf %a : f32 to bf16
  memref.store %b, %y[%c0] : memref<1xbf16>
}
uma.tir.func @narrow_f64_f16(%x: memref<1xf64>, %y: memref<1xf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf64>
  %b = arith.truncf %a : f64 to f16
  memref.store %b, %y[%c0] : memref<1xf16>
}
uma.tir.func @narrow_f64_bf16(%x: memref<1xf64>, %y: memref<1xbf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf64>
  %b = arith.truncf %a : f64 to bf16
  memref.store %b, %y[%c0] : memref<1xbf16>
}

// What uma-translate prints: constants whose literals read back as the same
// value, names that C can have, comments that end where they should.
// REQUIRES: gcc, clang
// RUN: uma-opt %s --convert-uma-tir-to-emitc > %t.mlir
// RUN: uma-translate --uma-to-c %t.mlir -o %t.c
// RUN: FileCheck %s < %t.c
// RUN: %gcc %strict -c %t.c -o %t.o
// RUN: %clang %strict -c %t.c -o %t.o
// RUN: %clang -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -c %t.c -o %t.o

// Printing is deterministic.
// RUN: uma-translate --uma-to-c %t.mlir | diff %t.c -

// CHECK:      /* Network a* /b?, compiled to C99 by uma.
// CHECK:      #include <math.h>

// CHECK:      static const float a_b_if[4] = {
// CHECK-NEXT:   0.1f, (-INFINITY), NAN, -0.0f
// CHECK-NEXT: };
memref.global "private" constant @if : memref<4xf32> = dense<[0.1, 0xFF800000, 0x7FC00000, -0.0]>
// Two names that are one in C.
// CHECK:      static const double a_b_x_y[2] = {
// CHECK-NEXT:   0.1, 1e+300
// CHECK:      static const float a_b_x_y_2[1] = {
memref.global "private" constant @"x/y" : memref<2xf64> = dense<[0.1, 1.0e+300]>
memref.global "private" constant @"x.y" : memref<1xf32> = dense<16777216.0>
// Bytes are 16 in a line.
// CHECK:      static const int8_t a_b_bytes[18] = {
// CHECK-NEXT:   -128, 127, -128, 127, -128, 127, -128, 127, -128, 127, -128, 127, -128, 127, -128, 127,
// CHECK-NEXT:   -128, 127
// CHECK-NEXT: };
memref.global "private" constant @bytes : memref<18xi8> = dense<[-128, 127, -128, 127, -128, 127, -128, 127, -128, 127, -128, 127, -128, 127, -128, 127, -128, 127]>
// The smallest integer has no literal of its own.
// CHECK:      static const int64_t a_b_9[2] = {
// CHECK-NEXT:   (-9223372036854775807 - 1), 9223372036854775807
memref.global "private" constant @"9" : memref<2xi64> = dense<[-9223372036854775808, 9223372036854775807]>
// f16 is its bits, a bool a byte.
// CHECK:      static const uint16_t a_b_half[2] = {
// CHECK-NEXT:   15360u, 49152u
memref.global "private" constant @half : memref<2xf16> = dense<[1.0, -2.0]>
// CHECK:      static const uint8_t a_b_flags[3] = {
// CHECK-NEXT:   1u, 0u, 1u
memref.global "private" constant @flags : memref<3xi1> = dense<[true, false, true]>
// CHECK:      static const int32_t a_b_big[2] = {
// CHECK-NEXT:   1, -1
memref.global "private" constant @big : memref<2xi32> = dense_resource<big>

// CHECK:      /* Layer * / # " / ? ?/ .. */
// CHECK-NEXT: static void a_b_while(
uma.tir.func private @while(%x: memref<4xf32>, %w: memref<4xf32>, %b: memref<18xi8>) attributes {layer = "*/ # \" \\ ??/ \n."} {
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %w[%i] : memref<4xf32>
    memref.store %v, %x[%i] : memref<4xf32>
  }
}

// Workspace buffers have names of their own beside keywords, functions and each
// other.
// CHECK:      /* v1: output y* /. */
// CHECK:      int32_t a_b_run(
// CHECK-DAG:    float *for_ =
// CHECK-DAG:    float *a_b_while_2 =
// CHECK-DAG:    float *x_y =
// CHECK-DAG:    float *x_y_2 =
// CHECK-DAG:    float *buffer =
uma.tir.func @main(%y: memref<4xf32> {uma.name = "y*/.", uma.output}) attributes {uma.network = "a*/b?", uma.workspace_size = 320 : i64} {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @if : memref<4xf32>
  %d = memref.get_global @"x/y" : memref<2xf64>
  %e = memref.get_global @"x.y" : memref<1xf32>
  %b = memref.get_global @bytes : memref<18xi8>
  %n = memref.get_global @"9" : memref<2xi64>
  %h = memref.get_global @half : memref<2xf16>
  %f = memref.get_global @flags : memref<3xi1>
  %r = memref.get_global @big : memref<2xi32>
  uma.tir.call @use(%d, %e, %n, %h, %f, %r) : memref<2xf64>, memref<1xf32>, memref<2xi64>, memref<2xf16>, memref<3xi1>, memref<2xi32>
  %0 = uma.tir.alloc workspace offset 0 label "for" : memref<4xf32>
  %1 = uma.tir.alloc workspace offset 64 label "a_b_while" : memref<4xf32>
  %2 = uma.tir.alloc workspace offset 128 label "x/y" : memref<4xf32>
  %3 = uma.tir.alloc workspace offset 192 label "x:y" : memref<4xf32>
  %4 = uma.tir.alloc workspace offset 256 : memref<4xf32>
  uma.tir.call @while(%0, %w, %b) : memref<4xf32>, memref<4xf32>, memref<18xi8>
  uma.tir.call @while(%1, %0, %b) : memref<4xf32>, memref<4xf32>, memref<18xi8>
  uma.tir.call @while(%2, %1, %b) : memref<4xf32>, memref<4xf32>, memref<18xi8>
  uma.tir.call @while(%3, %2, %b) : memref<4xf32>, memref<4xf32>, memref<18xi8>
  uma.tir.call @while(%4, %3, %b) : memref<4xf32>, memref<4xf32>, memref<18xi8>
  uma.tir.call @while(%y, %4, %b) : memref<4xf32>, memref<4xf32>, memref<18xi8>
}
uma.tir.func private @use(%a: memref<2xf64>, %b: memref<1xf32>, %c: memref<2xi64>, %d: memref<2xf16>, %e: memref<3xi1>, %f: memref<2xi32>) {
}
{-# dialect_resources: { builtin: { big: "0x0400000001000000FFFFFFFF" } } #-}

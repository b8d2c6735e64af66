// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s

// CHECK: #include <math.h>
// CHECK: #include <string.h>

// Arithmetic that may wrap around is unsigned, what surely fits is plain.
// CHECK-LABEL: int32_t integers(
uma.tir.func @integers(%x: memref<8xi32>, %s: memref<8xi8>, %y: memref<8xi32>, %z: memref<8xi8>, %i: index) {
  %a = memref.load %x[%i] : memref<8xi32>
  // CHECK: int32_t [[A:v[0-9]+]] = v1[v5];
  %n = memref.load %s[%i] : memref<8xi8>
  // CHECK: int8_t [[N:v[0-9]+]] = v2[v5];
  %c0 = arith.constant 0 : index
  %add = arith.addi %a, %a : i32
  // CHECK: v3[0] = (int32_t) ((uint32_t) [[A]] + (uint32_t) [[A]]);
  memref.store %add, %y[%c0] : memref<8xi32>
  %wide = arith.extsi %n : i8 to i32
  %sq = arith.muli %wide, %wide : i32
  // CHECK: int32_t [[W:v[0-9]+]] = (int32_t) [[N]];
  // CHECK: v3[0] = [[W]] * [[W]];
  memref.store %sq, %y[%c0] : memref<8xi32>
  %nn = arith.addi %n, %n : i8
  // CHECK: v4[0] = (int8_t) ([[N]] + [[N]]);
  memref.store %nn, %z[%c0] : memref<8xi8>
  %divu = arith.divui %a, %wide : i32
  // CHECK: v3[0] = (int32_t) ((uint32_t) [[A]] / (uint32_t) [[W]]);
  memref.store %divu, %y[%c0] : memref<8xi32>
  %shr = arith.shrui %a, %wide : i32
  // CHECK: v3[0] = (int32_t) ((uint32_t) [[A]] >> [[W]]);
  memref.store %shr, %y[%c0] : memref<8xi32>
  %shl = arith.shli %n, %n : i8
  // CHECK: v4[0] = (int8_t) ((uint32_t) [[N]] << [[N]]);
  memref.store %shl, %z[%c0] : memref<8xi8>
  %max = arith.maxsi %a, %wide : i32
  // CHECK: v3[0] = [[A]] > [[W]] ? [[A]] : [[W]];
  memref.store %max, %y[%c0] : memref<8xi32>
  %minu = arith.minui %a, %wide : i32
  // CHECK: v3[0] = (uint32_t) [[A]] < (uint32_t) [[W]] ? [[A]] : [[W]];
  memref.store %minu, %y[%c0] : memref<8xi32>
  %intMin = arith.constant -2147483648 : i32
  // CHECK: v3[0] = (-2147483647 - 1);
  memref.store %intMin, %y[%c0] : memref<8xi32>
  %extu = arith.extui %n : i8 to i32
  // CHECK: v3[0] = (int32_t) ((uint8_t) [[N]]);
  memref.store %extu, %y[%c0] : memref<8xi32>
  %and = arith.andi %a, %wide : i32
  %or = arith.ori %and, %a : i32
  // An expression of both would need parentheses that are not printed.
  // CHECK: int32_t [[AND:v[0-9]+]] = [[A]] & [[W]];
  // CHECK: v3[0] = [[AND]] | [[A]];
  memref.store %or, %y[%c0] : memref<8xi32>
}

// CHECK-LABEL: int32_t floats(
uma.tir.func @floats(%x: memref<8xf32>, %y: memref<8xf32>, %q: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %tenth = arith.constant 0.1 : f32
  %inf = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %a = memref.load %x[%c0] : memref<8xf32>
  // CHECK: float [[A:v[0-9]+]] = v1[0];
  %m = arith.mulf %a, %tenth : f32
  %s = arith.subf %m, %a : f32
  // CHECK: v2[0] = [[A]] * 0.1f - [[A]];
  memref.store %s, %y[%c0] : memref<8xf32>
  // CHECK: v2[0] = (-INFINITY);
  memref.store %inf, %y[%c0] : memref<8xf32>
  // CHECK: v2[0] = NAN;
  memref.store %nan, %y[%c0] : memref<8xf32>
  %e = math.exp %a : f32
  // CHECK: float [[E:v[0-9]+]] = uma_exp_f32([[A]]);
  %r = math.rsqrt %e : f32
  // CHECK: float [[R:v[0-9]+]] = sqrtf([[E]]);
  // CHECK: v2[0] = 1.0f / [[R]];
  memref.store %r, %y[%c0] : memref<8xf32>
  %lt = arith.cmpf ult, %a, %tenth : f32
  %sel = arith.select %lt, %a, %tenth : f32
  // CHECK: v2[0] = !([[A]] >= 0.1f) ? [[A]] : 0.1f;
  memref.store %sel, %y[%c0] : memref<8xf32>
  %i = arith.fptosi %a : f32 to i8
  // CHECK: v3[0] = (int8_t) [[A]];
  memref.store %i, %q[%c0] : memref<8xi8>
  %neg = arith.negf %a : f32
  // CHECK: v2[0] = -[[A]];
  memref.store %neg, %y[%c0] : memref<8xf32>
}

// CHECK-LABEL: int32_t half(const uint16_t *UMA_RESTRICT v1, uint16_t *UMA_RESTRICT v2)
uma.tir.func @half(%x: memref<8xf16>, %y: memref<8xbf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<8xf16>
  // CHECK: uint16_t [[A:v[0-9]+]] = v1[0];
  // CHECK: float [[W:v[0-9]+]] = uma_f16_to_f32([[A]]);
  // CHECK: uint16_t [[B:v[0-9]+]] = uma_f32_to_bf16([[W]]);
  // CHECK: v2[0] = [[B]];
  %w = arith.extf %a : f16 to f32
  %b = arith.truncf %w : f32 to bf16
  memref.store %b, %y[%c0] : memref<8xbf16>
}

// CHECK-LABEL: int32_t float8(const uint8_t *UMA_RESTRICT v1, uint8_t *UMA_RESTRICT v2)
uma.tir.func @float8(%x: memref<8xf8E5M2>, %y: memref<8xf8E4M3FNUZ>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<8xf8E5M2>
  // CHECK: uint8_t [[A:v[0-9]+]] = v1[0];
  // CHECK: float [[W:v[0-9]+]] = uma_f8e5m2_to_f32([[A]]);
  // CHECK: uint8_t [[B:v[0-9]+]] = uma_f32_to_f8e4m3fnuz([[W]]);
  // CHECK: v2[0] = [[B]];
  %w = arith.extf %a : f8E5M2 to f32
  %b = arith.truncf %w : f32 to f8E4M3FNUZ
  memref.store %b, %y[%c0] : memref<8xf8E4M3FNUZ>
}

// C converts narrow floats through f32.
// CHECK-LABEL: int32_t narrow(const uint16_t *UMA_RESTRICT v1, uint8_t *UMA_RESTRICT v2, uint16_t *UMA_RESTRICT v3)
uma.tir.func @narrow(%x: memref<8xf16>, %y: memref<8xf8E5M2>, %z: memref<8xbf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<8xf16>
  // CHECK: float [[W:v[0-9]+]] = uma_f16_to_f32(
  // CHECK: uint8_t [[B:v[0-9]+]] = uma_f32_to_f8e5m2([[W]]);
  %b = arith.truncf %a : f16 to f8E5M2
  memref.store %b, %y[%c0] : memref<8xf8E5M2>
  // CHECK: float [[V:v[0-9]+]] = uma_f8e5m2_to_f32([[B]]);
  // CHECK: uint16_t [[C:v[0-9]+]] = uma_f32_to_bf16([[V]]);
  %c = arith.extf %b : f8E5M2 to bf16
  memref.store %c, %z[%c0] : memref<8xbf16>
}

// i1 in memory is a byte that may hold anything.
// CHECK-LABEL: int32_t bools(const uint8_t *UMA_RESTRICT v1, uint8_t *UMA_RESTRICT v2)
uma.tir.func @bools(%x: memref<8xi1>, %y: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<8xi1>
  // CHECK: uint8_t [[A:v[0-9]+]] = v1[0];
  %t = arith.constant true
  %not = arith.xori %a, %t : i1
  // CHECK: v2[0] = (uint8_t) (!([[A]] != 0));
  memref.store %not, %y[%c0] : memref<8xi1>
}

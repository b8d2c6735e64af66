// Integers in lanes of 32 bits, and dot products of words: instructions where there are some, arithmetic elsewhere.
// RUN: uma-opt %s --uma-tir-vectorize-loop --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s

// CHECK: #if UMA_LANES > 1 && defined(__SSE2__)
// CHECK-NEXT: #ifdef __AVX__
// CHECK-NEXT: #include <immintrin.h>
// CHECK-NEXT: #else
// CHECK-NEXT: #include <smmintrin.h>
// CHECK-NEXT: #endif
// CHECK: UMA_INLINE int32_t uma_load_word(const void *data, ptrdiff_t index) {
// CHECK: UMA_INLINE int32_t uma_dot_u8(int32_t x, int32_t y, int32_t sum) {
// CHECK: UMA_INLINE uma_i32x8 uma_load_i16x8(const int16_t *data, ptrdiff_t first) {
// CHECK-NEXT: #if defined(__AVX2__)
// CHECK: _mm256_cvtepi16_epi32(
// CHECK: typedef int16_t narrow __attribute__((vector_size(16)));
// CHECK: UMA_INLINE uma_i32x8 uma_dot_u8x8(uma_i32x8 x, uma_i32x8 y, uma_i32x8 sum) {
// CHECK-NEXT: #if defined(__AVX512VNNI__) && defined(__AVX512VL__)
// CHECK-NEXT: return (uma_i32x8)_mm256_dpbusd_epi32((__m256i)sum, (__m256i)x, (__m256i)y);
// CHECK-NEXT: #elif defined(__AVXVNNI__)
// CHECK-NEXT: return (uma_i32x8)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)x, (__m256i)y);
// CHECK-NEXT: #elif defined(__AVX2__)
// CHECK: #else

// Words are loaded from the same pointer.

// CHECK-LABEL: int32_t vectors(
// CHECK-DAG: uma_i32x8 [[W:v[0-9]+]] = uma_load_wordsx8(v2, 0);
// CHECK-DAG: uma_i32x8 [[X:v[0-9]+]] = uma_splat_wordx8(v1, v5);
// CHECK-DAG: uma_i32x8 [[S:v[0-9]+]] = uma_load_i32x8(v3, 0);
// CHECK: uma_dot_u8x8([[X]], [[W]], [[S]])
// CHECK: uma_to_f32x8(
// CHECK: uma_round_i32x8(
// CHECK: uma_store_i8x8(v4, 0,
uma.tir.func @vectors(%x: memref<16xi8>, %w: memref<32xi8>, %sum: memref<8xi32>, %y: memref<8xi8>, %i: index) {
  %xs = uma.tir.words %x : memref<16xi8> as memref<4xi32>
  %ws = uma.tir.words %w : memref<32xi8> as memref<8xi32>
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %ws[%l] : memref<8xi32>
    %b = memref.load %xs[%i] : memref<4xi32>
    %s = memref.load %sum[%l] : memref<8xi32>
    %d = uma.tir.dot %b, %a, %s elements ui8, i8 : i32
    %f = arith.sitofp %d : i32 to f32
    %r = math.roundeven %f : f32
    %n = arith.fptoui %r : f32 to i8
    memref.store %n, %y[%l] : memref<8xi8>
  }
}

// The sign of what is loaded is known, that of other narrow lanes is not.

// CHECK-LABEL: int32_t conversions(
// CHECK: uma_i32x8 [[A:v[0-9]+]] = uma_load_i16x8(v1, 0);
// CHECK: uma_to_f32x8([[A]])
// CHECK: uma_zext16x8([[A]])
// CHECK: uma_sext8x8([[A]])
uma.tir.func @conversions(%x: memref<8xi16>, %f: memref<8xf32>, %u: memref<8xi32>, %s: memref<8xi32>) {
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %x[%l] : memref<8xi16>
    %0 = arith.sitofp %a : i16 to f32
    memref.store %0, %f[%l] : memref<8xf32>
    %1 = arith.extui %a : i16 to i32
    memref.store %1, %u[%l] : memref<8xi32>
    %2 = arith.trunci %a : i16 to i8
    %3 = arith.extsi %2 : i8 to i32
    memref.store %3, %s[%l] : memref<8xi32>
  }
}

// CHECK-LABEL: int32_t unsigned_loads(
// CHECK: uma_i32x8 [[A:v[0-9]+]] = uma_load_u8x8(v1, 0);
// CHECK: uma_to_f32x8([[A]])
uma.tir.func @unsigned_loads(%x: memref<8xi8>, %f: memref<8xf32>) {
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %x[%l] : memref<8xi8>
    %0 = arith.uitofp %a : i8 to f32
    memref.store %0, %f[%l] : memref<8xf32>
  }
}

// CHECK-LABEL: int32_t scalars(
// CHECK-NEXT: int32_t [[A:v[0-9]+]] = uma_load_word(v1, 0);
// CHECK-NEXT: int32_t [[B:v[0-9]+]] = uma_load_word(v1, 1);
// CHECK-NEXT: {{.*}} = uma_dot_u8([[A]], [[B]], v2);
uma.tir.func @scalars(%x: memref<8xi8>, %sum: i32, %y: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %words = uma.tir.words %x : memref<8xi8> as memref<2xi32>
  %a = memref.load %words[%c0] : memref<2xi32>
  %b = memref.load %words[%c1] : memref<2xi32>
  %d = uma.tir.dot %a, %b, %sum elements ui8, i8 : i32
  memref.store %d, %y[%c0] : memref<1xi32>
}

// CHECK-LABEL: int32_t fixed_point(
// CHECK: uma_i32x8 [[P:v[0-9]+]] = uma_fixed_point_multiplyx8(
// CHECK: [[Q:v[0-9]+]] = uma_max_i32x8([[P]], {{.*}});
// CHECK: uma_min_i32x8([[Q]],
// CHECK: = uma_fixed_point_multiply(v2, v3, v4);
uma.tir.func @fixed_point(%x: memref<8xi32>, %a: i32, %m: i32, %s: i32, %y: memref<8xi32>) {
  %low = arith.constant -100 : i32
  %high = arith.constant 100 : i32
  uma.tir.for vectorized %l = 0 to 8 {
    %v = memref.load %x[%l] : memref<8xi32>
    %p = uma.tir.fixed_point_multiply %v, %m, %s : i32
    %q = arith.maxsi %p, %low : i32
    %r = arith.minsi %q, %high : i32
    memref.store %r, %y[%l] : memref<8xi32>
  }
  %c0 = arith.constant 0 : index
  %0 = uma.tir.fixed_point_multiply %a, %m, %s : i32
  memref.store %0, %y[%c0] : memref<8xi32>
}

// Unsigned integers are loaded by instructions, whose header is included for them alone.
// RUN: uma-opt %s --uma-tir-vectorize-loop --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s

// CHECK: #include <immintrin.h>
// CHECK: UMA_INLINE uma_i32x8 uma_load_u8x8(const int8_t *data, ptrdiff_t first) {
// CHECK-NEXT: #if defined(__AVX2__)
// CHECK: _mm256_cvtepu8_epi32(
// CHECK: #else
// CHECK-NEXT: return uma_load_i8x8(data, first) & ((1 << 8) - 1);
// CHECK-LABEL: int32_t load(
// CHECK: uma_to_f32x8(
uma.tir.func @load(%x: memref<8xi8>, %f: memref<8xf32>) {
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %x[%l] : memref<8xi8>
    %0 = arith.uitofp %a : i8 to f32
    memref.store %0, %f[%l] : memref<8xf32>
  }
}

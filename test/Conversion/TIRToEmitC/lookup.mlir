// A lookup is a function of the prologue: it has the tables of several instruction sets in registers.
// RUN: uma-opt %s --uma-emit-c | uma-translate --uma-to-c | FileCheck %s

// CHECK:      #include <immintrin.h>
// CHECK:      void uma_lookup(const int8_t *source, const int8_t *table, int8_t *target, ptrdiff_t size) {
// CHECK:      #if UMA_LANES >= 16 && defined(__AVX512VBMI__)
// CHECK:      #elif UMA_LANES >= 4 && defined(__SSSE3__)
// CHECK:      #elif UMA_LANES >= 4 && defined(__aarch64__)
// CHECK:      #endif
// CHECK-NEXT:   for (; i < size; ++i) {
// CHECK-NEXT:     target[i] = table[(uint8_t)source[i]];
// CHECK:      bytes(const int8_t *{{.*}} [[X:v.*]], const int8_t *{{.*}} [[T:v.*]], int8_t *{{.*}} [[Y:v.*]])
// CHECK:        uma_lookup([[X]] + 1, [[T]], [[Y]] + 0, 79);
uma.tir.func @bytes(%x: memref<80xi8>, %table: memref<256xi8>, %y: memref<80xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  uma.tir.lookup %x[%c1] in %table to %y[%c0] size 79 : memref<80xi8>, memref<256xi8>, memref<80xi8>
}

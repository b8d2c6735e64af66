// Transposes of squares are functions of the prologue: their rows are vectors, which shuffles interleave.
// RUN: uma-opt %s --uma-emit-c | uma-translate --uma-to-c | FileCheck %s

// CHECK:      #if UMA_LANES >= 4
// CHECK:      #define UMA_SHUFFLE(row, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
// CHECK:      #define UMA_SHUFFLE(row, x, y, ...) \
// CHECK-NEXT:   __builtin_shuffle(x, y, __extension__(row){__VA_ARGS__})
// CHECK:      void uma_transpose_8x16(const void *source, ptrdiff_t rows, void *target, ptrdiff_t columns) {
// CHECK-NEXT:   typedef int8_t uma_row __attribute__((vector_size(16)));
// CHECK-COUNT-8: UMA_SHUFFLE
// CHECK-NOT:    UMA_SHUFFLE
// CHECK:        memcpy((int8_t *)target + i * columns, &x[i], sizeof(uma_row));
// CHECK:      void uma_transpose_32x4(
// CHECK-COUNT-4: UMA_SHUFFLE
// CHECK:      #if UMA_LANES >= 8
// CHECK:      void uma_transpose_32x8(
// CHECK:      squares(const float *{{.*}} [[X:v.*]], float *{{.*}} [[Y:v.*]], const int8_t *{{.*}} [[B:v.*]], int8_t *{{.*}} [[C:v.*]])
// CHECK:        uma_transpose_32x8([[X]] + 1, 9, [[Y]] + 0, 8);
// CHECK:        uma_transpose_32x4([[X]] + 1, 9, [[Y]] + 0, 8);
// CHECK:        uma_transpose_8x16([[B]] + 0, 16, [[C]] + 0, 16);
uma.tir.func @squares(%x: memref<80xf32>, %y: memref<64xf32>, %b: memref<256xi8>, %c: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  uma.tir.multiversion lanes(8) {
    uma.tir.transpose %x[%c1] stride 9 to %y[%c0] stride 8 size 8 : memref<80xf32>, memref<64xf32>
  } lanes(4) {
    uma.tir.transpose %x[%c1] stride 9 to %y[%c0] stride 8 size 4 : memref<80xf32>, memref<64xf32>
    uma.tir.transpose %b[%c0] stride 16 to %c[%c0] stride 16 size 16 : memref<256xi8>, memref<256xi8>
  } default {
  }
}

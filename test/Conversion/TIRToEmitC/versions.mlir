// A parameter that only some versions read has a use in the others, for C compilers that warn about parameters without one.
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c -o %t.c && FileCheck %s < %t.c
// RUN: %gcc %strict -O1 -c %t.c -o %t.o && %gcc %strict -O1 -mavx512f -c %t.c -o %t.o && %clang %strict -O1 -c %t.c -o %t.o

// CHECK-LABEL: int32_t table(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2, const int32_t *UMA_RESTRICT v3)
// CHECK-NEXT:    #if UMA_LANES >= 16
// CHECK-NEXT:    (void)v3;
// CHECK-NEXT:    uma_f32x16
// CHECK:         #else
// CHECK-NOT:     (void)
// CHECK:         = v3[
uma.tir.func @table(%x: memref<16xf32>, %y: memref<16xf32>, %places: memref<16xi32>) {
  uma.tir.multiversion lanes(16) {
    %c0 = arith.constant 0 : index
    %0 = vector.load %x[%c0] : memref<16xf32>, vector<16xf32>
    vector.store %0, %y[%c0] : memref<16xf32>, vector<16xf32>
  } default {
    uma.tir.for %i = 0 to 16 {
      %0 = memref.load %places[%i] : memref<16xi32>
      %1 = arith.index_cast %0 : i32 to index
      %2 = memref.load %x[%1] : memref<16xf32>
      memref.store %2, %y[%i] : memref<16xf32>
    }
  }
}

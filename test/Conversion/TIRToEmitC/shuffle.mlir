// Permutations of the lanes of two vectors are a builtin function of the compiler.
// RUN: uma-opt %s --uma-emit-c | uma-translate --uma-to-c | FileCheck %s

// CHECK:      #if UMA_LANES >= 8
// CHECK:      #define UMA_SHUFFLE(row, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
// CHECK:      #define UMA_SHUFFLE(row, x, y, ...) \
// CHECK-NEXT:   __builtin_shuffle(x, y, __extension__(row){__VA_ARGS__})
// CHECK:      interleave(
// CHECK:        uma_f32x8 [[A:v.*]] = uma_load_f32x8(
// CHECK:        uma_f32x8 [[B:v.*]] = uma_load_f32x8(
// CHECK:        UMA_SHUFFLE(uma_i32x8, [[A]], [[B]], 0, 8, 1, 9, 2, 10, 3, 11)
uma.tir.func @interleave(%x: memref<16xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  uma.tir.multiversion lanes(8) {
    %a = vector.load %x[%c0] : memref<16xf32>, vector<8xf32>
    %b = vector.load %x[%c8] : memref<16xf32>, vector<8xf32>
    %0 = vector.shuffle %a, %b [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xf32>, vector<8xf32>
    vector.store %0, %y[%c0] : memref<8xf32>, vector<8xf32>
  } default {
  }
}

// Prefetches and loops to unroll are macros of the prologue: nothing where the C compiler has no such thing.
// RUN: uma-opt %s --uma-tir-storage-flatten --uma-emit-c | uma-translate --uma-to-c | FileCheck %s

// CHECK:      #define UMA_UNROLL
// CHECK:      #define UMA_PREFETCH(address) __builtin_prefetch(address)
// CHECK:      #define UMA_PREFETCH(address) ((void)(address))
// CHECK:      UMA_UNROLL
// CHECK-NEXT: for (ptrdiff_t [[I:.*]] = 0; [[I]] < 4; [[I]] += 1) {
// CHECK:        UMA_PREFETCH({{.*}} + [[I]] * 8 + 1);
uma.tir.func @soon(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  uma.tir.for %i = 0 to 4 {
    uma.tir.prefetch %x[%i, %c1] : memref<4x8xf32>
    %v = memref.load %y[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32>
  } {uma.unroll}
}

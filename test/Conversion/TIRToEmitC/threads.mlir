// Threads share the outermost loop of kind parallel, but for functions that write where they read.
// RUN: uma-opt %s --convert-uma-tir-to-emitc=threads=openmp | uma-translate --uma-to-c | FileCheck %s
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s --check-prefix=NONE

// NONE-NOT: #pragma omp

// CHECK-LABEL: void apart(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2)
// CHECK:       #ifdef _OPENMP
// CHECK-NEXT:  #pragma omp parallel for
// CHECK-NEXT:  #endif
// CHECK-NEXT:  for (
// CHECK-NEXT:    /* parallel */
// CHECK-NEXT:    for (
uma.tir.func private @apart(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for parallel %i = 0 to 4 {
    uma.tir.for parallel %j = 0 to 4 {
      %0 = memref.load %x[%j] : memref<16xf32>
      memref.store %0, %y[%i] : memref<16xf32>
    }
  }
}

// CHECK-LABEL: void in_place(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2)
// CHECK-NOT:   #pragma
// CHECK:       /* parallel */
// CHECK-NEXT:  for (
uma.tir.func private @in_place(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for parallel %i = 0 to 16 {
    %0 = memref.load %x[%i] : memref<16xf32>
    memref.store %0, %y[%i] : memref<16xf32>
  }
}

uma.tir.func @main(%x: memref<16xf32>, %y: memref<16xf32>) attributes {uma.workspace_size = 128 : i64} {
  %0 = uma.tir.alloc workspace offset 64 : memref<16xf32>
  %1 = uma.tir.alloc workspace offset 0 : memref<16xf32>
  %2 = uma.tir.alloc workspace offset 32 : memref<16xf32>
  uma.tir.call @apart(%x, %0) : memref<16xf32>, memref<16xf32>
  uma.tir.call @in_place(%0, %2) : memref<16xf32>, memref<16xf32>
  uma.tir.call @apart(%2, %y) : memref<16xf32>, memref<16xf32>
}

// Threads share the outermost loop of kind parallel, but for functions that write where another thread may read.
// RUN: uma-opt %s --convert-uma-tir-to-emitc=threads=openmp | uma-translate --uma-to-c | FileCheck %s
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s --check-prefix=NONE

// NONE-NOT: #pragma omp

// CHECK-LABEL: void apart(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2)
// CHECK:       #ifdef _OPENMP
// CHECK-NEXT:  #pragma omp parallel for schedule(static)
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

// The result begins some bytes before the data.

// CHECK-LABEL: void ahead(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2)
// CHECK-NOT:   #pragma
// CHECK:       /* parallel */
// CHECK-NEXT:  for (
uma.tir.func private @ahead(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for parallel %i = 0 to 16 {
    %0 = memref.load %x[%i] : memref<16xf32>
    memref.store %0, %y[%i] : memref<16xf32>
  }
}

// Each iteration only accesses one element, which only this iteration writes.

// CHECK-LABEL: void in_place(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2)
// CHECK:       #pragma omp parallel for schedule(static)
// CHECK-NEXT:  #endif
// CHECK-NEXT:  for (
uma.tir.func private @in_place(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for parallel %i = 0 to 16 {
    %0 = memref.load %x[%i] : memref<16xf32>
    memref.store %0, %y[%i] : memref<16xf32>
  }
}

// Another iteration may have written the element.

// CHECK-LABEL: void reversed(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2)
// CHECK-NOT:   #pragma
// CHECK:       /* parallel */
// CHECK-NEXT:  for (
uma.tir.func private @reversed(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for parallel %i = 0 to 16 {
    %c15 = arith.constant 15 : index
    %at = arith.subi %c15, %i : index
    %0 = memref.load %x[%at] : memref<16xf32>
    memref.store %0, %y[%i] : memref<16xf32>
  }
}

// One call in place, another one ahead of its data.

// CHECK-LABEL: void both(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2)
// CHECK-NOT:   #pragma
// CHECK:       /* parallel */
// CHECK-NEXT:  for (
uma.tir.func private @both(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for parallel %i = 0 to 16 {
    %0 = memref.load %x[%i] : memref<16xf32>
    memref.store %0, %y[%i] : memref<16xf32>
  }
}

// Each thread runs the outer loop and takes its part of the loops inside. Vectors of constants are its own.

// CHECK-LABEL: void team(
// CHECK:       #pragma omp parallel
// CHECK-NEXT:  #endif
// CHECK-NEXT:  for (
// CHECK:         #pragma omp for schedule(static) nowait
// CHECK-NEXT:    #endif
// CHECK-NEXT:    for (
// CHECK-NEXT:      uma_f32x4 [[ZERO:v[0-9]+]] = uma_splat_f32x4(0.0f);
// CHECK:           uma_store_f32x4({{.*}}, [[ZERO]]);
// CHECK:         #pragma omp for schedule(static) nowait
uma.tir.func private @team(%y: memref<64xf32>) {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  uma.tir.for %i = 0 to 4 {
    uma.tir.for parallel %j = 0 to 4 {
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c4 : index
      %place = arith.addi %row, %column : index
      vector.store %zero, %y[%place] : memref<64xf32>, vector<4xf32>
    }
    uma.tir.for parallel %j = 0 to 2 {
      %one = arith.constant 1.0 : f32
      memref.store %one, %y[%j] : memref<64xf32>
    }
  } {uma.team}
}

uma.tir.func @main(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<64xf32>) attributes {uma.workspace_size = 128 : i64} {
  %0 = uma.tir.alloc workspace offset 64 : memref<16xf32>
  %1 = uma.tir.alloc workspace offset 16 : memref<16xf32>
  %2 = uma.tir.alloc workspace offset 32 : memref<16xf32>
  uma.tir.call @apart(%x, %0) : memref<16xf32>, memref<16xf32>
  uma.tir.call @ahead(%0, %2) : memref<16xf32>, memref<16xf32>
  uma.tir.call @in_place(%2, %2) : memref<16xf32>, memref<16xf32>
  uma.tir.call @reversed(%2, %2) : memref<16xf32>, memref<16xf32>
  uma.tir.call @both(%2, %2) : memref<16xf32>, memref<16xf32>
  uma.tir.call @both(%2, %1) : memref<16xf32>, memref<16xf32>
  uma.tir.call @apart(%1, %y) : memref<16xf32>, memref<16xf32>
  uma.tir.call @team(%z) : memref<64xf32>
}

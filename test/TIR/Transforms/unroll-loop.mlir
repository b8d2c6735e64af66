// RUN: uma-opt %s -uma-tir-unroll-loop | FileCheck %s
// RUN: uma-opt %s -uma-tir-unroll-loop=max-extent=2 | FileCheck %s --check-prefix=MAX

// CHECK-LABEL: uma.tir.func @three(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[V:.*]]: f32)
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    memref.store %[[V]], %[[X]][%[[C1]]]
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    memref.store %[[V]], %[[X]][%[[C2]]]
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    memref.store %[[V]], %[[X]][%[[C3]]]
// CHECK-NEXT:  }
// Three are more than two: a serial loop.
// MAX-LABEL: uma.tir.func @three(
// MAX-NEXT:    uma.tir.for %{{.*}} = 1 to 4 {
uma.tir.func @three(%x: memref<8xf32>, %v: f32) {
  uma.tir.for unrolled %i = 1 to 4 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
}

// Other kinds stay.
// CHECK-LABEL: uma.tir.func @kinds(
// CHECK-NEXT:    uma.tir.for %
// CHECK:         uma.tir.for parallel
// CHECK:         uma.tir.for vectorized
uma.tir.func @kinds(%x: memref<8xf32>, %v: f32) {
  uma.tir.for %i = 0 to 2 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  uma.tir.for parallel %i = 0 to 2 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  uma.tir.for vectorized %i = 0 to 2 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
}

// An unknown extent cannot be unrolled; what is inside can.
// CHECK-LABEL: uma.tir.func @unknown(
// CHECK-NEXT:    uma.tir.for %{{.*}} = 0 to %{{.*}} {
// CHECK-NOT:       uma.tir.for
// CHECK-COUNT-2:   memref.store
// CHECK:         }
uma.tir.func @unknown(%x: memref<8xf32>, %v: f32, %n: index) {
  uma.tir.for unrolled %i = 0 to %n {
    uma.tir.for unrolled %j = 0 to 2 {
      memref.store %v, %x[%j] : memref<8xf32>
    }
  }
}

// The inner bound is the outer variable: 0 + 1 + 2 copies.
// CHECK-LABEL: uma.tir.func @triangle(
// CHECK-NOT:     uma.tir.for
// CHECK-COUNT-3: memref.store
// CHECK-NOT:     memref.store
// CHECK:       }
uma.tir.func @triangle(%x: memref<8xf32>, %v: f32) {
  uma.tir.for unrolled %i = 0 to 3 {
    uma.tir.for unrolled %j = 0 to %i {
      memref.store %v, %x[%j] : memref<8xf32>
    }
  }
}

// Through a condition and a serial loop.
// CHECK-LABEL: uma.tir.func @nested(
// CHECK-COUNT-2: scf.if
// CHECK-NOT:     scf.if
// CHECK-LABEL: uma.tir.func @none(
// CHECK-NEXT:  }
uma.tir.func @nested(%x: memref<8xf32>, %v: f32, %c: i1) {
  uma.tir.for unrolled %i = 0 to 2 {
    scf.if %c {
      uma.tir.for %j = 0 to 8 {
        uma.tir.for unrolled %k = 0 to 2 {
          memref.store %v, %x[%k] : memref<8xf32>
        }
      }
    }
  }
}
uma.tir.func @none(%x: memref<8xf32>, %v: f32) {
  uma.tir.for unrolled %i = 4 to 2 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
}

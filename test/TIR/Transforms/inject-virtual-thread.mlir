// RUN: uma-opt %s -uma-tir-inject-virtual-thread | FileCheck %s

// Twice is once.
// RUN: uma-opt %s -uma-tir-inject-virtual-thread > %t.once
// RUN: uma-opt %s -uma-tir-inject-virtual-thread -uma-tir-inject-virtual-thread | diff %t.once -

// Statement by statement: both loads, then both computations; the loop over %k
// is the same for both threads.
// CHECK-LABEL: uma.tir.func @tiles(
// CHECK-SAME:    %[[X:[^:]*]]: memref<32xf32>, %[[Y:[^:]*]]: memref<8xf32>)
// CHECK-DAG:     %[[T0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[T1:.*]] = arith.constant 1 : index
// CHECK-NOT:     uma.tir.for
// CHECK:         %[[A0:.*]] = uma.tir.alloc local : memref<4xf32>
// CHECK-NEXT:    %[[A1:.*]] = uma.tir.alloc local : memref<4xf32>
// CHECK-NEXT:    uma.tir.for %[[K:.*]] = 0 to 4 label "k" {
// CHECK-NEXT:      uma.tir.call_extern "load"(%[[X]], %{{.*}}, %[[K]], %[[A0]]) writes [3]
// CHECK-NEXT:      uma.tir.call_extern "load"(%[[X]], %{{.*}}, %[[K]], %[[A1]]) writes [3]
// CHECK-NEXT:      arith.addi %[[K]], %[[K]]
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 4 {
// CHECK:             %[[V0:.*]] = memref.load %[[A0]][%[[J]]]
// CHECK-NEXT:        %[[V1:.*]] = memref.load %[[A1]][%[[J]]]
// CHECK-NEXT:        memref.store %[[V0]], %[[Y]]
// CHECK-NEXT:        memref.store %[[V1]], %[[Y]]
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
uma.tir.func @tiles(%x: memref<32xf32>, %y: memref<8xf32>) {
  %c4 = arith.constant 4 : index
  uma.tir.for %t = 0 to 2 {
    %a = uma.tir.alloc local : memref<4xf32>
    uma.tir.for %k = 0 to 4 label "k" {
      uma.tir.call_extern "load"(%x, %t, %k, %a) writes [3] : memref<32xf32>, index, index, memref<4xf32>
      %0 = arith.addi %k, %k : index
      uma.tir.for %j = 0 to 4 {
        %1 = arith.muli %t, %c4 : index
        %2 = arith.addi %1, %j : index
        %v = memref.load %a[%j] : memref<4xf32>
        memref.store %v, %y[%2] : memref<8xf32>
      }
    }
  } {uma.virtual_thread}
}

// What differs between the threads is there as often: a loop and a condition.
// CHECK-LABEL: uma.tir.func @differs(
// CHECK-COUNT-3: uma.tir.for
// CHECK-NOT:     uma.tir.for
// CHECK-COUNT-3: scf.if
// CHECK-NOT:     scf.if
// CHECK-LABEL: uma.tir.func @none(
// CHECK-NEXT:  }
uma.tir.func @differs(%y: memref<3x8xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  uma.tir.for parallel %t = 1 to 4 {
    %0 = arith.subi %t, %c1 : index
    uma.tir.for %j = %t to 4 {
      memref.store %v, %y[%0, %j] : memref<3x8xf32>
    }
    %1 = arith.cmpi sgt, %0, %c1 : index
    scf.if %1 {
      memref.store %v, %y[%0, %c1] : memref<3x8xf32>
    }
  } {uma.virtual_thread}
}
uma.tir.func @none(%y: memref<8xf32>, %v: f32) {
  uma.tir.for %t = 0 to 0 {
    memref.store %v, %y[%t] : memref<8xf32>
  } {uma.virtual_thread}
}

// Threads of threads; %b moves both alike. Loops without the attribute stay.
// CHECK-LABEL: uma.tir.func @nested(
// CHECK-NOT:     uma.tir.for
// CHECK-COUNT-4: memref.store
// CHECK-NOT:     memref.store
// CHECK:         uma.tir.for
// CHECK-NEXT:      memref.store
uma.tir.func @nested(%y: memref<8xf32>, %v: f32, %b: index) {
  %c2 = arith.constant 2 : index
  uma.tir.for %s = 0 to 2 {
    uma.tir.for %t = 0 to 2 {
      %0 = arith.muli %s, %c2 : index
      %1 = arith.addi %0, %t : index
      %2 = arith.addi %1, %b : index
      memref.store %v, %y[%2] : memref<8xf32>
    } {uma.virtual_thread}
  } {uma.virtual_thread}
  uma.tir.for %t = 0 to 2 {
    memref.store %v, %y[%t] : memref<8xf32>
  }
}

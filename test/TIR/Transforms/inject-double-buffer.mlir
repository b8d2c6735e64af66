// RUN: uma-opt %s -uma-tir-inject-double-buffer | FileCheck %s

// Twice is once.
// RUN: uma-opt %s -uma-tir-inject-double-buffer > %t.once
// RUN: uma-opt %s -uma-tir-inject-double-buffer -uma-tir-inject-double-buffer | diff %t.once -

// An odd number of iterations: 10 to 15 in pairs, then the last.
// CHECK-LABEL: uma.tir.func @odd(
// CHECK-SAME:    %[[X:[^:]*]]: memref<64xf32>, %[[Y:[^:]*]]: memref<64xf32>)
// CHECK:         %[[A:.*]] = uma.tir.alloc local label "tile" : memref<4xf32>
// CHECK-NEXT:    %[[B:.*]] = uma.tir.alloc local label "tile_next" : memref<4xf32>
// CHECK:         uma.tir.call_extern "load"(%[[X]], %{{.*}}, %[[A]]) writes [2]
// CHECK-NEXT:    uma.tir.for %[[P:.*]] = 0 to 3 label "loop" {
// CHECK:           %[[T:.*]] = arith.muli %[[P]]
// CHECK:           %[[EVEN:.*]] = arith.addi %[[T]]
// CHECK:           %[[ODD:.*]] = arith.addi %[[T]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[T]]
// CHECK-NEXT:      uma.tir.call_extern "load"(%[[X]], %[[ODD]], %[[B]]) writes [2]
// CHECK-NEXT:      uma.tir.call_extern "compute"(%[[A]], %[[EVEN]], %[[Y]]) writes [2]
// CHECK-NEXT:      uma.tir.call_extern "load"(%[[X]], %[[NEXT]], %[[A]]) writes [2]
// CHECK-NEXT:      uma.tir.call_extern "compute"(%[[B]], %[[ODD]], %[[Y]]) writes [2]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[LAST:.*]] = arith.constant 16 : index
// CHECK-NEXT:    uma.tir.call_extern "compute"(%[[A]], %[[LAST]], %[[Y]]) writes [2]
// CHECK-NEXT:  }
uma.tir.func @odd(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for %i = 10 to 17 label "loop" {
    %a = uma.tir.alloc local label "tile" {uma.double_buffer} : memref<4xf32>
    uma.tir.call_extern "load"(%x, %i, %a) writes [2] : memref<64xf32>, index, memref<4xf32>
    uma.tir.call_extern "compute"(%a, %i, %y) writes [2] : memref<4xf32>, index, memref<64xf32>
  }
}

// An even number, two buffers, loops and index arithmetic.
// CHECK-LABEL: uma.tir.func @even(
// CHECK-COUNT-4: uma.tir.alloc local
// CHECK-NOT:     uma.tir.alloc
// CHECK:         uma.tir.for %{{.*}} = 0 to 4 label "load"
// CHECK:         uma.tir.for %{{.*}} = 0 to 1 {
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 label "load"
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 label "compute"
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 label "load"
// CHECK:           uma.tir.for %{{.*}} = 0 to 4 label "compute"
// CHECK:         uma.tir.for %{{.*}} = 0 to 4 label "load"
// CHECK:         uma.tir.for %{{.*}} = 0 to 4 label "compute"
// CHECK:         uma.tir.for %{{.*}} = 0 to 4 label "compute"
// CHECK-NOT:     uma.tir.for
// CHECK-LABEL:   end
uma.tir.func @even(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c4 = arith.constant 4 : index
  uma.tir.for %i = 0 to 4 {
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    %b = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    %0 = arith.muli %i, %c4 : index
    uma.tir.for %j = 0 to 4 label "load" {
      %1 = arith.addi %0, %j : index
      %v = memref.load %x[%1] : memref<16xf32>
      memref.store %v, %a[%j] : memref<4xf32>
      memref.store %v, %b[%j] : memref<4xf32>
    }
    uma.tir.for %j = 0 to 4 label "compute" {
      %1 = arith.addi %0, %j : index
      %v = memref.load %a[%j] : memref<4xf32>
      %w = memref.load %b[%j] : memref<4xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %y[%1] : memref<16xf32>
    }
  }
  uma.tir.return {end}
}

// One iteration has no next one. Buffers that are not marked stay.
// CHECK-LABEL: uma.tir.func @stays(
// CHECK:         uma.tir.for %{{.*}} = 0 to 1 {
// CHECK-NEXT:      uma.tir.alloc local : memref<4xf32>
// CHECK:         uma.tir.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:      uma.tir.alloc local : memref<4xf32>
// CHECK-NOT:     uma.tir.for
uma.tir.func @stays(%x: memref<64xf32>) {
  uma.tir.for %i = 0 to 1 {
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    uma.tir.call_extern "load"(%x, %a) writes [1] : memref<64xf32>, memref<4xf32>
  }
  uma.tir.for %i = 0 to 8 {
    %a = uma.tir.alloc local : memref<4xf32>
    uma.tir.call_extern "load"(%x, %a) writes [1] : memref<64xf32>, memref<4xf32>
  }
}

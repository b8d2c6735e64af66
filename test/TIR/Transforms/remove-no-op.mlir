// RUN: uma-opt %s -uma-tir-remove-no-op | FileCheck %s

// CHECK-LABEL: uma.tir.func @empty_loops(
// CHECK-NEXT:  }
uma.tir.func @empty_loops(%x: memref<8xf32>, %n: index) {
  uma.tir.for %i = 0 to 8 {
    uma.tir.for parallel %j = 0 to %n {
      %v = memref.load %x[%j] : memref<8xf32>
      %w = arith.addf %v, %v : f32
    }
  }
}

// CHECK-LABEL: uma.tir.func @conditions(
// CHECK-NEXT:    uma.tir.call_extern "yes"()
// CHECK-NEXT:  }
uma.tir.func @conditions(%c: i1) {
  scf.if %c {
  }
  %true = arith.constant true
  scf.if %true {
    uma.tir.call_extern "yes"()
  } else {
    uma.tir.call_extern "no"()
  }
}

// What is written and never read, and the loop that did it.
// CHECK-LABEL: uma.tir.func @written_only(
// CHECK-NEXT:  }
uma.tir.func @written_only(%v: f32) {
  %a = uma.tir.alloc local : memref<8xf32>
  uma.tir.for %i = 0 to 8 {
    memref.store %v, %a[%i] : memref<8xf32>
  }
}

// Reads, arguments and callees keep a buffer alive.
// CHECK-LABEL: uma.tir.func @kept(
// CHECK:         uma.tir.alloc local
// CHECK:         uma.tir.for
// CHECK-NEXT:      memref.store
// CHECK:         memref.load
// CHECK-NEXT:    memref.store
// CHECK:         uma.tir.alloc local
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    uma.tir.call_extern "device"
// CHECK:         uma.tir.for
// CHECK-NEXT:      uma.tir.call_extern "tick"
uma.tir.func @kept(%x: memref<8xf32>, %v: f32, %i: index) {
  %a = uma.tir.alloc local : memref<8xf32>
  uma.tir.for %j = 0 to 8 {
    memref.store %v, %a[%j] : memref<8xf32>
  }
  %w = memref.load %a[%i] : memref<8xf32>
  memref.store %w, %x[%i] : memref<8xf32>
  %b = uma.tir.alloc local : memref<8xf32>
  memref.store %v, %b[%i] : memref<8xf32>
  uma.tir.call_extern "device"(%b) : memref<8xf32>
  uma.tir.for %j = 0 to 8 {
    uma.tir.call_extern "tick"()
  }
}

// What was just loaded is stored back, unless something may have changed it.
// CHECK-LABEL: uma.tir.func @store_back(
// CHECK-COUNT-1: memref.load
// CHECK-NEXT:    memref.store %arg1, %arg0[%arg2]
// CHECK-NEXT:    memref.store %0, %arg0[%arg3]
// CHECK-NEXT:  }
uma.tir.func @store_back(%x: memref<8xf32>, %v: f32, %i: index, %j: index) {
  %0 = memref.load %x[%i] : memref<8xf32>
  memref.store %0, %x[%i] : memref<8xf32>
  %1 = memref.load %x[%j] : memref<8xf32>
  memref.store %v, %x[%i] : memref<8xf32>
  memref.store %1, %x[%j] : memref<8xf32>
}

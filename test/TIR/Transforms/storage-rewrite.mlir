// RUN: uma-opt %s -uma-tir-storage-rewrite | FileCheck %s

// Twice is once.
// RUN: uma-opt %s -uma-tir-storage-rewrite > %t.once
// RUN: uma-opt %s -uma-tir-storage-rewrite -uma-tir-storage-rewrite | diff %t.once -

// A chain of elementwise loops computes in one buffer.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK:         %[[A:.*]] = uma.tir.alloc workspace label "a" : memref<32xf32>
// CHECK-NOT:     uma.tir.alloc
// CHECK:         memref.store %{{.*}}, %[[A]]
// CHECK:         memref.load %[[A]]
// CHECK:         memref.store %{{.*}}, %[[A]]
// CHECK:         memref.load %[[A]]
// CHECK:         memref.store %{{.*}}, %[[A]]
// CHECK:         memref.load %[[A]]
// CHECK:         memref.store %{{.*}}, %arg1
uma.tir.func @chain(%x: memref<32xf32>, %y: memref<32xf32>) {
  %c8 = arith.constant 8 : index
  %a = uma.tir.alloc workspace label "a" : memref<32xf32>
  uma.tir.for %i = 0 to 32 {
    %v = memref.load %x[%i] : memref<32xf32>
    memref.store %v, %a[%i] : memref<32xf32>
  }
  %b = uma.tir.alloc workspace label "b" : memref<32xf32>
  uma.tir.for %i = 0 to 4 {
    %0 = arith.muli %i, %c8 : index
    uma.tir.for %j = 0 to 8 {
      %1 = arith.addi %0, %j : index
      %v = memref.load %a[%1] : memref<32xf32>
      %w = arith.negf %v : f32
      %2 = arith.addi %j, %0 : index
      memref.store %w, %b[%2] : memref<32xf32>
    }
  }
  %c = uma.tir.alloc workspace label "c" : memref<32xf32>
  uma.tir.for %i = 0 to 32 {
    %v = memref.load %b[%i] : memref<32xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %c[%i] : memref<32xf32>
  }
  uma.tir.for %i = 0 to 32 {
    %v = memref.load %c[%i] : memref<32xf32>
    memref.store %v, %y[%i] : memref<32xf32>
  }
}

// Local buffers, one after the other; the larger one stands.
// CHECK-LABEL: uma.tir.func private @local(
// CHECK-NEXT:    %[[A:.*]] = uma.tir.alloc local label "a" : memref<16xf32>
// CHECK-NEXT:    uma.tir.call_extern "read"(%{{.*}}, %arg0)
// CHECK-NOT:     uma.tir.alloc
// CHECK-LABEL:   end
uma.tir.func private @local(%x: memref<16xf32>, %i: index, %v: f32) {
  %a = uma.tir.alloc local label "a" : memref<8xf32>
  uma.tir.call_extern "read"(%i, %x) : index, memref<16xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  %0 = memref.load %a[%i] : memref<8xf32>
  memref.store %0, %x[%i] : memref<16xf32>
  %b = uma.tir.alloc local label "b" : memref<16xf32>
  memref.store %v, %b[%i] : memref<16xf32>
  %1 = memref.load %b[%i] : memref<16xf32>
  memref.store %1, %x[%i] : memref<16xf32>
  uma.tir.return {end}
}

// What must not change in place: neighbours, transposes, elements written
// twice, elements read after they are written, inputs that live on, other
// sizes, and buffers with a place.
// CHECK-LABEL: uma.tir.func @stays(
// CHECK-COUNT-9: uma.tir.alloc
// CHECK-LABEL:   end
uma.tir.func @stays(%v: f32, %z: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.call_extern "fill"(%a) writes [0] : memref<16xf32>
  %b = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.for %i = 0 to 15 {
    %0 = arith.addi %i, %c1 : index
    %w = memref.load %a[%0] : memref<16xf32>
    memref.store %w, %b[%i] : memref<16xf32>
  }
  %c = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.for %i = 0 to 4 {
    uma.tir.for %j = 0 to 4 {
      %0 = arith.muli %i, %c4 : index
      %1 = arith.addi %0, %j : index
      %2 = arith.muli %j, %c4 : index
      %3 = arith.addi %2, %i : index
      %w = memref.load %b[%1] : memref<16xf32>
      memref.store %w, %c[%3] : memref<16xf32>
    }
  }
  %d = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.for %i = 0 to 4 {
    uma.tir.for %j = 0 to 8 {
      %0 = arith.muli %i, %c4 : index
      %1 = arith.addi %0, %j : index
      %w = memref.load %c[%1] : memref<16xf32>
      memref.store %w, %d[%1] : memref<16xf32>
    }
  }
  %e = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.for %i = 0 to 16 {
    %w = memref.load %d[%i] : memref<16xf32>
    memref.store %w, %e[%i] : memref<16xf32>
    %u = memref.load %d[%i] : memref<16xf32>
    memref.store %u, %z[%i] : memref<16xf32>
  }
  %f = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.for %i = 0 to 16 {
    %w = memref.load %e[%i] : memref<16xf32>
    memref.store %w, %f[%i] : memref<16xf32>
  }
  %g = uma.tir.alloc workspace : memref<20xf32>
  uma.tir.for %i = 0 to 16 {
    %w = memref.load %f[%i] : memref<16xf32>
    memref.store %w, %g[%i] : memref<20xf32>
  }
  %h = uma.tir.alloc workspace offset 0 : memref<20xf32>
  uma.tir.for %i = 0 to 16 {
    %w = memref.load %g[%i] : memref<20xf32>
    memref.store %w, %h[%i] : memref<20xf32>
  }
  %k = uma.tir.alloc workspace : memref<20xf32>
  uma.tir.for %i = 0 to 16 {
    uma.tir.for %j = 0 to 2 {
      %w = memref.load %h[%i] : memref<20xf32>
      memref.store %w, %k[%i] : memref<20xf32>
    }
  }
  uma.tir.call_extern "use"(%k, %e) : memref<20xf32>, memref<16xf32>
  uma.tir.return {end}
}

// Lives that overlap, also inside one loop, other elements, and scalars.
// CHECK-LABEL: uma.tir.func private @overlap(
// CHECK-COUNT-5: uma.tir.alloc
// CHECK-LABEL:   end
uma.tir.func private @overlap(%x: memref<8xf32>, %i: index, %v: f32, %n: i32) {
  %a = uma.tir.alloc local : memref<8xf32>
  %b = uma.tir.alloc local : memref<8xf32>
  uma.tir.for %j = 0 to 8 {
    %0 = memref.load %a[%j] : memref<8xf32>
    memref.store %0, %x[%j] : memref<8xf32>
    memref.store %v, %a[%i] : memref<8xf32>
    memref.store %v, %b[%i] : memref<8xf32>
    %1 = memref.load %b[%j] : memref<8xf32>
    memref.store %1, %x[%j] : memref<8xf32>
  }
  %c = uma.tir.alloc local : memref<8xi32>
  uma.tir.call_extern "f"(%c) writes [0] : memref<8xi32>
  %d = uma.tir.alloc local : memref<f32>
  memref.store %v, %d[] : memref<f32>
  %2 = memref.load %d[] : memref<f32>
  memref.store %2, %x[%i] : memref<8xf32>
  %e = uma.tir.alloc local : memref<f32>
  memref.store %v, %e[] : memref<f32>
  %3 = memref.load %e[] : memref<f32>
  memref.store %3, %x[%i] : memref<8xf32>
  uma.tir.return {end}
}

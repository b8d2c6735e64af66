// RUN: uma-opt %s -uma-tir-instrument-bound-checkers | FileCheck %s
// RUN: uma-opt %s -uma-tir-instrument-bound-checkers=skip-proven | FileCheck %s --check-prefix=SKIP

// Twice is once.
// RUN: uma-opt %s -uma-tir-instrument-bound-checkers > %t.once
// RUN: uma-opt %s -uma-tir-instrument-bound-checkers -uma-tir-instrument-bound-checkers | diff %t.once -

memref.global "private" constant @table : memref<4xf32> = dense<1.0>

// What the model calls the buffer, what uma calls it, or which argument it is.
// CHECK-LABEL: uma.tir.func @names(
// CHECK:         uma.tir.check_bounds %arg2 count 1 size 8 name "image"
// CHECK-NEXT:    memref.load %arg0[%arg2]
// CHECK-NEXT:    uma.tir.check_bounds %arg2 count 1 size 9 name "argument 1"
// CHECK-NEXT:    memref.store %{{.*}}, %arg1[%arg2]
// CHECK:         uma.tir.check_bounds %arg2 count 1 size 16 name "tile"
// CHECK-NEXT:    memref.store
// CHECK:         uma.tir.check_bounds %arg2 count 1 size 4 name "table"
// CHECK-NEXT:    memref.load
uma.tir.func @names(%x: memref<8xf32> {uma.name = "image"}, %y: memref<9xf32>, %i: index) {
  %v = memref.load %x[%i] : memref<8xf32>
  memref.store %v, %y[%i] : memref<9xf32>
  %t = uma.tir.alloc local label "tile" : memref<16xf32>
  memref.store %v, %t[%i] : memref<16xf32>
  %g = memref.get_global @table : memref<4xf32>
  %w = memref.load %g[%i] : memref<4xf32>
}

// Every dimension, all lanes of a vector; scalars have no index.
// CHECK-LABEL: uma.tir.func @dimensions(
// CHECK:         uma.tir.check_bounds %arg1 count 1 size 8
// CHECK-NEXT:    uma.tir.check_bounds %arg2 count 1 size 4
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    uma.tir.check_bounds %arg1 count 1 size 8
// CHECK-NEXT:    uma.tir.check_bounds %arg2 count 2 size 4
// CHECK-NEXT:    vector.load
// CHECK-NEXT:    uma.tir.check_bounds %arg1 count 1 size 8
// CHECK-NEXT:    uma.tir.check_bounds %arg2 count 2 size 4
// CHECK-NEXT:    vector.store
// CHECK-NEXT:    memref.store %{{.*}}, %arg3[]
uma.tir.func @dimensions(%x: memref<8x4xf32>, %i: index, %j: index, %s: memref<f32>) {
  %v = memref.load %x[%i, %j] : memref<8x4xf32>
  %w = vector.load %x[%i, %j] : memref<8x4xf32>, vector<2xf32>
  vector.store %w, %x[%i, %j] : memref<8x4xf32>, vector<2xf32>
  memref.store %v, %s[] : memref<f32>
}

// What the loop proves needs no check, if wanted: 0 to 7, but not 1 to 8.
// SKIP-LABEL: uma.tir.func @proven(
// SKIP-NOT:     uma.tir.check_bounds
// SKIP:         memref.load
// SKIP:         %[[J:.*]] = arith.addi
// SKIP-NEXT:    uma.tir.check_bounds %[[J]] count 1 size 8
// SKIP-NEXT:    memref.store
// CHECK-LABEL: uma.tir.func @proven(
// CHECK-COUNT-2: uma.tir.check_bounds
uma.tir.func @proven(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  uma.tir.for %i = 0 to 8 {
    %v = memref.load %x[%i] : memref<8xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %v, %x[%j] : memref<8xf32>
  }
}

// RUN: uma-opt %s -uma-tir-simplify | FileCheck %s

// Addresses leave the loops that they do not depend on, and are computed once.
// CHECK-LABEL: uma.tir.func @hoist(
// CHECK-SAME:    %[[X:.*]]: memref<32xf32>, %[[Y:.*]]: memref<32xf32>)
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      %[[ROW:.*]] = arith.muli %[[I]], %[[C8]] : index
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:        %[[AT:.*]] = arith.addi %[[ROW]], %[[J]] : index
// CHECK-NEXT:        %[[V:.*]] = memref.load %[[X]][%[[AT]]]
// CHECK-NEXT:        memref.store %[[V]], %[[Y]][%[[AT]]]
// CHECK-NEXT:      }
uma.tir.func @hoist(%x: memref<32xf32>, %y: memref<32xf32>) {
  uma.tir.for %i = 0 to 4 {
    uma.tir.for %j = 0 to 8 {
      %c8 = arith.constant 8 : index
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %v = memref.load %x[%at] : memref<32xf32>
      %c8_0 = arith.constant 8 : index
      %row_0 = arith.muli %i, %c8_0 : index
      %at_0 = arith.addi %row_0, %j : index
      memref.store %v, %y[%at_0] : memref<32xf32>
    }
  }
}

// Also those under a condition; accesses stay under it.
// CHECK-LABEL: uma.tir.func @condition(
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      %[[ROW:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:        %[[AT:.*]] = arith.addi %[[ROW]], %[[J]] : index
// CHECK-NEXT:        scf.if
// CHECK-NEXT:          memref.store %{{.*}}, %{{.*}}[%[[AT]]]
uma.tir.func @condition(%x: memref<32xf32>, %v: f32, %c: i1) {
  %c8 = arith.constant 8 : index
  uma.tir.for %i = 0 to 4 {
    uma.tir.for %j = 0 to 8 {
      scf.if %c {
        %row = arith.muli %i, %c8 : index
        %at = arith.addi %row, %j : index
        memref.store %v, %x[%at] : memref<32xf32>
      }
    }
  }
}

// Trivial loops, known conditions.
// CHECK-LABEL: uma.tir.func @fold(
// CHECK-NOT:     uma.tir.for
// CHECK-NOT:     scf.if
// CHECK:         memref.store
// CHECK-NOT:     memref.store
// CHECK:       }
uma.tir.func @fold(%x: memref<32xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  uma.tir.for %i = %c0 to %c1 {
    %is_first = arith.cmpi eq, %i, %c0 : index
    scf.if %is_first {
      memref.store %v, %x[%i] : memref<32xf32>
    } else {
      memref.store %v, %x[%c1] : memref<32xf32>
    }
  }
}

// A load after a store to the same buffer is not moved nor merged.
// CHECK-LABEL: uma.tir.func @memory(
// CHECK:         uma.tir.for
// CHECK-NEXT:      %[[A:.*]] = memref.load
// CHECK-NEXT:      %[[B:.*]] = arith.addf %[[A]]
// CHECK-NEXT:      memref.store %[[B]]
uma.tir.func @memory(%x: memref<32xf32>, %v: f32, %at: index) {
  uma.tir.for %i = 0 to 4 {
    %a = memref.load %x[%at] : memref<32xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %x[%at] : memref<32xf32>
  }
}

// An unsigned byte is at least 0 and at most 255; a signed one may be less than 0.
// CHECK-LABEL: uma.tir.func @ranges(
// CHECK:         %[[A:.*]] = memref.load
// CHECK-NEXT:    %[[F:.*]] = arith.uitofp %[[A]]
// CHECK-NEXT:    memref.store %[[F]], %arg1
// CHECK-NEXT:    %[[W:.*]] = arith.extui %[[A]]
// CHECK-NEXT:    memref.store %[[W]], %arg2
// CHECK-NEXT:    %[[S:.*]] = arith.sitofp %[[A]]
// CHECK-NEXT:    %[[M:.*]] = arith.maximumf %[[S]]
// CHECK-NEXT:    memref.store %[[M]], %arg1
uma.tir.func @ranges(%x: memref<4xi8>, %y: memref<4xf32>, %z: memref<4xi32>, %at: index) {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %none = arith.constant 0 : i32
  %a = memref.load %x[%at] : memref<4xi8>
  %f = arith.uitofp %a : i8 to f32
  %less = arith.cmpf olt, %f, %zero : f32
  %low = arith.select %less, %zero, %f : f32
  %more = arith.cmpf olt, %most, %low : f32
  %clip = arith.select %more, %most, %low : f32
  memref.store %clip, %y[%at] : memref<4xf32>
  %w = arith.extui %a : i8 to i32
  %n = arith.maxsi %w, %none : i32
  %below = arith.cmpi slt, %n, %none : i32
  %r = arith.select %below, %none, %n : i32
  memref.store %r, %z[%at] : memref<4xi32>
  %s = arith.sitofp %a : i8 to f32
  %m = arith.maximumf %s, %zero : f32
  memref.store %m, %y[%at] : memref<4xf32>
}

// Functions of others are none of its business.
// CHECK-LABEL: func.func @other
// CHECK:         %[[A:.*]] = arith.addi
// CHECK:         %[[B:.*]] = arith.addi
// CHECK:         return %[[A]], %[[B]]
func.func @other(%x: i32) -> (i32, i32) {
  %a = arith.addi %x, %x : i32
  %b = arith.addi %x, %x : i32
  return %a, %b : i32, i32
}

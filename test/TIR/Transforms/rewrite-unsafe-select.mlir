// RUN: uma-opt %s -uma-tir-rewrite-unsafe-select | FileCheck %s

// Twice is once.
// RUN: uma-opt %s -uma-tir-rewrite-unsafe-select > %t.once
// RUN: uma-opt %s -uma-tir-rewrite-unsafe-select -uma-tir-rewrite-unsafe-select | diff %t.once -

// The load of padding is outside the buffer; what only it uses goes with it.
// CHECK-LABEL: uma.tir.func @load(
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 10 {
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi slt, %[[I]]
// CHECK-NEXT:      %[[R:.*]] = scf.if %[[C]] -> (f32) {
// CHECK-NEXT:        %[[J:.*]] = arith.addi %[[I]]
// CHECK-NEXT:        %[[A:.*]] = memref.load %arg0[%[[J]]]
// CHECK-NEXT:        %[[B:.*]] = arith.negf %[[A]]
// CHECK-NEXT:        scf.yield %[[B]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %arg2
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.store %[[R]], %arg1[%[[I]]]
uma.tir.func @load(%x: memref<8xf32>, %y: memref<10xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  uma.tir.for %i = 0 to 10 {
    %j = arith.addi %i, %c1 : index
    %c = arith.cmpi slt, %i, %c7 : index
    %a = memref.load %x[%j] : memref<8xf32>
    %b = arith.negf %a : f32
    %r = arith.select %c, %b, %v : f32
    memref.store %r, %y[%i] : memref<10xf32>
  }
}

// CHECK-LABEL: uma.tir.func @division(
// CHECK:         scf.if
// CHECK-NEXT:      scf.yield %arg1
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[D:.*]] = arith.divsi %arg1, %arg2
// CHECK-NEXT:      scf.yield %[[D]]
// CHECK-NEXT:    }
uma.tir.func @division(%y: memref<i32>, %a: i32, %b: i32, %c: i1) {
  %0 = arith.divsi %a, %b : i32
  %1 = arith.select %c, %a, %0 : i32
  memref.store %1, %y[] : memref<i32>
}

// A select in the branch of another.
// CHECK-LABEL: uma.tir.func @nested(
// CHECK:         scf.if %arg2
// CHECK-NEXT:      scf.if %arg3
// CHECK-NEXT:        memref.load %arg0[%arg4]
// CHECK-NOT:     arith.select
// CHECK-LABEL:   end
uma.tir.func @nested(%x: memref<8xf32>, %v: f32, %c: i1, %d: i1, %i: index, %y: memref<f32>) {
  %0 = memref.load %x[%i] : memref<8xf32>
  %1 = arith.select %d, %0, %v : f32
  %2 = arith.select %c, %1, %v : f32
  memref.store %2, %y[] : memref<f32>
  uma.tir.return {end}
}

// What must not change: loads that are inside, divisions that cannot go wrong,
// values that somebody else uses, and loads that would cross a store.
// CHECK-LABEL: uma.tir.func @stays(
// CHECK-NOT:     scf.if
// CHECK-LABEL:   end
uma.tir.func @stays(%x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %v: f32, %i: index, %n: i32, %z: memref<i32>) {
  %c3 = arith.constant 3 : i32
  uma.tir.for %j = 0 to 8 {
    %0 = memref.load %x[%j] : memref<8xf32>
    %1 = arith.select %c, %0, %v : f32
    memref.store %1, %y[%j] : memref<8xf32>
  }
  %2 = memref.load %x[%i] : memref<8xf32>
  %3 = arith.select %c, %2, %v : f32
  memref.store %3, %y[%i] : memref<8xf32>
  memref.store %2, %y[%i] : memref<8xf32>
  %4 = arith.divsi %n, %c3 : i32
  %5 = arith.select %c, %4, %n : i32
  memref.store %5, %z[] : memref<i32>
  %6 = memref.load %x[%i] : memref<8xf32>
  memref.store %v, %x[%i] : memref<8xf32>
  %7 = arith.select %c, %6, %v : f32
  memref.store %7, %y[%i] : memref<8xf32>
  uma.tir.return {end}
}

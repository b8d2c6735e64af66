// RUN: uma-opt %s -split-input-file -uma-tir-hoist-if-then-else | FileCheck %s
// RUN: uma-opt %s -split-input-file -uma-tir-hoist-if-then-else=max-size=4 | FileCheck %s --check-prefix=MAX
// RUN: not uma-opt %s -split-input-file -uma-tir-hoist-if-then-else=max-size=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// Twice is once.
// RUN: uma-opt %s -split-input-file -uma-tir-hoist-if-then-else > %t.once
// RUN: uma-opt %s -split-input-file -uma-tir-hoist-if-then-else -uma-tir-hoist-if-then-else | diff %t.once -

// NEGATIVE: error: uma-tir-hoist-if-then-else: max-size is -1, expected 0 or more

// Out of both loops, whatever they cost: there is nothing else in them.
// CHECK-LABEL: uma.tir.func @only(
// CHECK-SAME:    %[[X:[^:]*]]: memref<64xf32>, %[[V:[^:]*]]: f32, %[[C:[^:]*]]: i1)
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      uma.tir.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:        uma.tir.for %[[J:.*]] = 0 to 8 label "inner" {
// CHECK-NEXT:          memref.store %[[V]], %[[X]][%[[I]]]
// CHECK-NEXT:          memref.store %[[V]], %[[X]][%[[J]]]
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// MAX-LABEL: uma.tir.func @only(
// MAX-NEXT:    scf.if
uma.tir.func @only(%x: memref<64xf32>, %v: f32, %c: i1) {
  uma.tir.for %i = 0 to 8 {
    uma.tir.for %j = 0 to 8 label "inner" {
      scf.if %c {
        memref.store %v, %x[%i] : memref<64xf32>
        memref.store %v, %x[%j] : memref<64xf32>
      }
    }
  }
}

// -----

// A part of the condition: rows of padding add nothing. (%c may be 1 for some
// %i only, so it stays in that loop.)
// CHECK-LABEL: uma.tir.func @part(
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi sgt, %[[I]]
// CHECK-NEXT:      scf.if %[[C]] {
// CHECK-NEXT:        uma.tir.for %[[J:.*]] = 0 to 3 {
// CHECK:               %[[D:.*]] = arith.cmpi slt, %[[J]]
// CHECK-NEXT:          scf.if %[[D]] -> (f32) {
// CHECK-NOT:     uma.tir.for
uma.tir.func @part(%x: memref<8xf32>, %v: f32) {
  %c2 = arith.constant 2 : index
  uma.tir.for %i = 0 to 8 {
    %c = arith.cmpi sgt, %i, %c2 : index
    uma.tir.for %j = 0 to 3 {
      %sum = memref.load %x[%i] : memref<8xf32>
      %d = arith.cmpi slt, %j, %c2 : index
      %e = arith.andi %c, %d : i1
      %0 = scf.if %e -> (f32) {
        %1 = arith.addf %sum, %v : f32
        scf.yield %1 : f32
      } else {
        scf.yield %sum : f32
      }
      memref.store %0, %x[%i] : memref<8xf32>
    }
  }
}

// -----

// Both copies have an effect: up to max-size.
// CHECK-LABEL: uma.tir.func @both(
// CHECK-NEXT:    scf.if %arg2 {
// CHECK-NEXT:      uma.tir.for parallel %[[I:.*]] = 0 to %arg3 {
// CHECK-NEXT:        memref.store %arg1, %arg0[%[[I]]]
// CHECK-NEXT:      } {tag}
// CHECK-NEXT:    } else {
// CHECK-NEXT:      uma.tir.for parallel %[[J:.*]] = 0 to %arg3 {
// CHECK-NEXT:        %[[N:.*]] = arith.negf %arg1
// CHECK-NEXT:        memref.store %[[N]], %arg0[%[[J]]]
// CHECK-NEXT:      } {tag}
// CHECK-NEXT:    }
// MAX-LABEL: uma.tir.func @both(
// MAX-NEXT:    uma.tir.for
// MAX-NEXT:      scf.if
// MAX-NOT:     uma.tir.for
// MAX-LABEL: uma.tir.func @outside(
uma.tir.func @both(%x: memref<8xf32>, %v: f32, %c: i1, %n: index) {
  uma.tir.for parallel %i = 0 to %n {
    scf.if %c {
      memref.store %v, %x[%i] : memref<8xf32>
    } else {
      %0 = arith.negf %v : f32
      memref.store %0, %x[%i] : memref<8xf32>
    }
  } {tag}
}

// -----

// The logical operation stands outside already: it is the condition.
// CHECK-LABEL: uma.tir.func @outside(
// CHECK-NEXT:    %[[E:.*]] = arith.andi %arg2, %arg3
// CHECK-NEXT:    scf.if %[[E]] {
// CHECK-NEXT:      uma.tir.for
// CHECK-NEXT:        memref.store
uma.tir.func @outside(%x: memref<8xf32>, %v: f32, %c: i1, %d: i1) {
  %e = arith.andi %c, %d : i1
  uma.tir.for %i = 0 to 8 {
    scf.if %e {
      memref.store %v, %x[%i] : memref<8xf32>
    }
  }
}

// -----

// What must not change: conditions that do, values that are chosen, and loops
// that would take memory twice.
// CHECK-LABEL: uma.tir.func @stays(
// CHECK-NOT:     scf.if
// CHECK:         uma.tir.for
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      scf.if
// CHECK:         uma.tir.for
// CHECK-NEXT:      arith.select
// CHECK:         uma.tir.for
// CHECK-NEXT:      uma.tir.alloc
// CHECK-NEXT:      scf.if
// CHECK-LABEL:   end
uma.tir.func @stays(%x: memref<8xi1>, %y: memref<8xf32>, %v: f32, %w: f32, %c: i1) {
  uma.tir.for %i = 0 to 8 {
    %0 = memref.load %x[%i] : memref<8xi1>
    scf.if %0 {
      memref.store %v, %y[%i] : memref<8xf32>
    }
  }
  uma.tir.for %i = 0 to 8 {
    %0 = arith.select %c, %v, %w : f32
    memref.store %0, %y[%i] : memref<8xf32>
  }
  uma.tir.for %i = 0 to 8 {
    %b = uma.tir.alloc workspace : memref<8xf32>
    scf.if %c {
      uma.tir.call_extern "f"(%b) writes [0] : memref<8xf32>
    }
  }
  uma.tir.return {end}
}

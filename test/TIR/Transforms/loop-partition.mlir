// RUN: uma-opt %s -split-input-file -uma-tir-loop-partition | FileCheck %s
// RUN: uma-opt %s -split-input-file -uma-tir-loop-partition=max-operations=10 | FileCheck %s --check-prefix=MAX
// RUN: not uma-opt %s -split-input-file -uma-tir-loop-partition=max-operations=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// Twice is once.
// RUN: uma-opt %s -split-input-file -uma-tir-loop-partition > %t.once
// RUN: uma-opt %s -split-input-file -uma-tir-loop-partition -uma-tir-loop-partition | diff %t.once -

// NEGATIVE: error: uma-tir-loop-partition: max-operations is -1, expected 0 or more

// Where 3 * i - 7 < 10, is 17 - 3 * i > 0: up to 5.
// CHECK-LABEL: uma.tir.func @copy(
// CHECK-SAME:    %[[X:[^:]*]]: memref<8xf32>, %[[Y:[^:]*]]: memref<8xf32>, %[[V:[^:]*]]: f32
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 6 label "loop" {
// CHECK-NEXT:      %[[A:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT:      memref.store %[[A]], %[[Y]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[J:.*]] = 6 to 8 label "loop" {
// CHECK-NEXT:      memref.store %[[V]], %[[Y]][%[[J]]]
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// MAX-LABEL: uma.tir.func @copy(
// MAX:         uma.tir.for %{{.*}} = 0 to 8 label "loop" {
// MAX:         scf.if
uma.tir.func @copy(%x: memref<8xf32>, %y: memref<8xf32>, %v: f32) {
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  uma.tir.for %i = 0 to 8 label "loop" {
    %0 = arith.muli %i, %c3 : index
    %1 = arith.subi %0, %c7 : index
    %2 = arith.cmpi slt, %1, %c10 : index
    scf.if %2 {
      %a = memref.load %x[%i] : memref<8xf32>
      memref.store %a, %y[%i] : memref<8xf32>
    } else {
      memref.store %v, %y[%i] : memref<8xf32>
    }
  }
}

// -----

// A convolution: rows at the boundary have two taps, the others three.
// CHECK-LABEL: uma.tir.func @taps(
// CHECK-NOT:     scf.if
// CHECK:         uma.tir.for %{{.*}} = 0 to 1 {
// CHECK-NEXT:      uma.tir.for %{{.*}} = 1 to 3 {
// CHECK-NOT:       uma.tir.for
// CHECK:         uma.tir.for %{{.*}} = 1 to 7 {
// CHECK-NEXT:      uma.tir.for %{{.*}} = 0 to 3 {
// CHECK-NOT:       uma.tir.for
// CHECK:         uma.tir.for %{{.*}} = 7 to 8 {
// CHECK-NEXT:      uma.tir.for %{{.*}} = 0 to 2 {
// CHECK-NOT:     uma.tir.for
// CHECK-NOT:     scf.if
// CHECK:       return
uma.tir.func @taps(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c-1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  uma.tir.for %i = 0 to 8 {
    uma.tir.for %k = 0 to 3 {
      %sum = memref.load %y[%i] : memref<8xf32>
      %0 = arith.addi %i, %k : index
      %1 = arith.addi %0, %c-1 : index
      %2 = arith.cmpi sge, %1, %c0 : index
      %3 = arith.cmpi slt, %1, %c8 : index
      %4 = arith.andi %2, %3 : i1
      %5 = scf.if %4 -> (f32) {
        %a = memref.load %x[%1] : memref<8xf32>
        %b = arith.addf %sum, %a : f32
        scf.yield %b : f32
      } else {
        scf.yield %sum : f32
      }
      memref.store %5, %y[%i] : memref<8xf32>
    }
  }
  uma.tir.return {end}
}

// -----

// Three rows at the boundary: their first tap is computed.
// CHECK-LABEL: uma.tir.func @wide(
// CHECK-NOT:     scf.if
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 3 {
// CHECK-DAG:       %[[M:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK:           %[[FIRST:.*]] = arith.addi %[[M]], %{{.*}} : index
// CHECK-NOT:       uma.tir.for
// CHECK:           uma.tir.for %{{.*}} = %[[FIRST]] to 7 {
// CHECK-NOT:       uma.tir.for
// CHECK:         uma.tir.for %{{.*}} = 3 to 20 {
// CHECK-NEXT:      uma.tir.for %{{.*}} = 0 to 7 {
// CHECK-NOT:     scf.if
// CHECK:       return
uma.tir.func @wide(%x: memref<32xf32>, %y: memref<20xf32>) {
  %c3 = arith.constant 3 : index
  uma.tir.for %i = 0 to 20 {
    uma.tir.for %k = 0 to 7 {
      %sum = memref.load %y[%i] : memref<20xf32>
      %0 = arith.addi %i, %k : index
      %2 = arith.cmpi sge, %0, %c3 : index
      scf.if %2 {
        %1 = arith.subi %0, %c3 : index
        %a = memref.load %x[%1] : memref<32xf32>
        %b = arith.addf %sum, %a : f32
        memref.store %b, %y[%i] : memref<20xf32>
      }
    }
  }
  uma.tir.return {end}
}

// -----

// A triangle: no boundary to peel, but the inner loop ends at the diagonal.
// CHECK-LABEL: uma.tir.func @causal(
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 8 {
// CHECK-NOT:       uma.tir.for
// CHECK:           %[[END:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to %[[END]] {
// CHECK:             memref.store %arg0
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[K:.*]] = %[[END]] to 8 {
// CHECK:             memref.store %arg1
// CHECK-NEXT:      }
// CHECK-NEXT:    }
uma.tir.func @causal(%v: f32, %w: f32, %y: memref<64xf32>) {
  %c8 = arith.constant 8 : index
  uma.tir.for %i = 0 to 8 {
    uma.tir.for %j = 0 to 8 {
      %0 = arith.muli %i, %c8 : index
      %1 = arith.addi %0, %j : index
      %2 = arith.cmpi sle, %j, %i : index
      %3 = arith.select %2, %v, %w : f32
      memref.store %3, %y[%1] : memref<64xf32>
    }
  }
}

// -----

// Rounded up: 2 * j + i >= 9 from (9 - i) / 2 on, and never before the loop.
// CHECK-LABEL: uma.tir.func @rounded(
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 16 {
// CHECK:           %[[N:.*]] = arith.muli %[[I]], %c-1{{.*}} : index
// CHECK:           %[[R:.*]] = arith.addi %[[N]], %c9{{.*}} : index
// CHECK:           %[[D:.*]] = arith.ceildivsi %[[R]], %c2{{.*}} : index
// CHECK:           %[[P:.*]] = arith.maxsi %[[D]], %c0{{.*}} : index
// CHECK-NOT:       minsi
// CHECK:           uma.tir.for %{{.*}} = %[[P]] to 8 {
// CHECK-NOT:       scf.if
uma.tir.func @rounded(%v: f32, %y: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  uma.tir.for %i = 0 to 16 {
    uma.tir.for %j = 0 to 8 {
      %0 = arith.muli %j, %c2 : index
      %1 = arith.addi %0, %i : index
      %2 = arith.cmpi sge, %1, %c9 : index
      scf.if %2 {
        memref.store %v, %y[%j] : memref<8xf32>
      }
    }
  }
}

// -----

// An equality holds in one iteration, which is peeled. 2 * i never is 7.
// CHECK-LABEL: uma.tir.func @equal(
// CHECK:         uma.tir.for %{{.*}} = 0 to 1 {
// CHECK-NEXT:      memref.store %arg0
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %{{.*}} = 1 to 8 {
// CHECK-NEXT:      memref.store %arg1
// CHECK-NEXT:    }
// CHECK:         memref.store %arg1
// CHECK-NOT:     memref.store %arg0
// CHECK:       return
uma.tir.func @equal(%v: f32, %w: f32, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  uma.tir.for %i = 0 to 8 {
    %0 = arith.cmpi eq, %i, %c0 : index
    %1 = arith.select %0, %v, %w : f32
    memref.store %1, %y[%i] : memref<8xf32>
  }
  uma.tir.for %i = 0 to 8 {
    %0 = arith.muli %i, %c2 : index
    %1 = arith.cmpi ne, %0, %c7 : index
    %2 = arith.select %1, %w, %v : f32
    memref.store %2, %y[%i] : memref<8xf32>
  }
  uma.tir.return {end}
}

// -----

// What must not change: loops that run otherwise than one by one, conditions on
// what nobody knows, on data and on remainders, and comparisons that are data.
// CHECK-LABEL: uma.tir.func @stays(
// CHECK-COUNT-2: arith.cmpi
// CHECK:         uma.tir.for parallel %{{.*}} = 0 to 8 {
// CHECK:           scf.if
// CHECK:         uma.tir.for vectorized %{{.*}} = 0 to 8 {
// CHECK:           scf.if
// CHECK:         uma.tir.for unrolled %{{.*}} = 0 to 8 {
// CHECK:           scf.if
// CHECK:         uma.tir.for %{{.*}} = 0 to 8 {
// CHECK:           scf.if
// CHECK:           arith.remsi
// CHECK:           scf.if
// CHECK:           arith.cmpi ult
// CHECK:           scf.if
// CHECK:           memref.store %{{.*}}, %{{.*}} : memref<8xi1>
// CHECK-NOT:     uma.tir.for
// CHECK-LABEL: end
uma.tir.func @stays(%v: f32, %y: memref<8xf32>, %z: memref<8xi1>, %n: index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %known = arith.cmpi sgt, %n, %c2 : index
  %none = arith.cmpi sgt, %n, %c3 : index
  uma.tir.for parallel %i = 0 to 8 {
    %0 = arith.cmpi slt, %i, %c3 : index
    scf.if %0 {
      memref.store %v, %y[%i] : memref<8xf32>
    }
  }
  uma.tir.for vectorized %i = 0 to 8 {
    %0 = arith.cmpi slt, %i, %c3 : index
    scf.if %0 {
      memref.store %v, %y[%i] : memref<8xf32>
    }
  }
  uma.tir.for unrolled %i = 0 to 8 {
    %0 = arith.cmpi slt, %i, %c3 : index
    scf.if %0 {
      memref.store %v, %y[%i] : memref<8xf32>
    }
  }
  uma.tir.for %i = 0 to 8 {
    %0 = arith.cmpi slt, %i, %n : index
    scf.if %0 {
      memref.store %v, %y[%i] : memref<8xf32>
    }
    %1 = arith.remsi %i, %c3 : index
    %2 = arith.cmpi eq, %1, %c2 : index
    scf.if %2 {
      memref.store %v, %y[%i] : memref<8xf32>
    }
    %3 = arith.cmpi ult, %i, %c3 : index
    scf.if %3 {
      memref.store %v, %y[%i] : memref<8xf32>
    }
    %4 = arith.cmpi slt, %i, %c3 : index
    memref.store %4, %z[%i] : memref<8xi1>
  }
  uma.tir.return {end}
}

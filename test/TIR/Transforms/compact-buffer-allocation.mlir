// RUN: uma-opt %s --uma-tir-compact-buffer-allocation -split-input-file --mlir-print-local-scope | FileCheck %s
// RUN: uma-opt %s --uma-tir-compact-buffer-allocation --uma-tir-compact-buffer-allocation -split-input-file --mlir-print-local-scope | FileCheck %s

// The accumulators of a tile: the block with the init region is the first that touches them.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    uma.tir.for %[[I_0:.*]] = 0 to 2 label "i_0" {
// CHECK-NEXT:      uma.tir.for %[[J_0:.*]] = 0 to 2 label "j_0" {
// CHECK-NEXT:        %[[N0:.*]] = uma.tir.alloc local label "arg2_local" : memref<4x2xf32>
// CHECK-NEXT:        uma.tir.for %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:          uma.tir.for %[[I_1:.*]] = 0 to 4 label "i_1" {
// CHECK-NEXT:            uma.tir.for %[[J_1:.*]] = 0 to 2 label "j_1" {
// CHECK-NEXT:              %[[N1:.*]] = arith.muli %[[I_0]], %[[C4]] : index
// CHECK-NEXT:              %[[N2:.*]] = arith.addi %[[N1]], %[[I_1]] : index
// CHECK-NEXT:              %[[N3:.*]] = arith.muli %[[J_0]], %[[C2]] : index
// CHECK-NEXT:              %[[N4:.*]] = arith.addi %[[N3]], %[[J_1]] : index
// CHECK-NEXT:              uma.tir.block "C" (spatial %[[V:.*]] = %[[N2]] in 8, spatial %[[V_0:.*]] = %[[N4]] in 4, reduce %[[V_1:.*]] = %[[K]] in 6)
// CHECK-NEXT:                  reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:                  writes(%[[N0]][affine_map<(d0, d1, d2) -> (0, 0)>, [4, 2]] : memref<4x2xf32>)
// CHECK-NEXT:              init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:                memref.store %[[CST]], %[[N0]][%[[I_1]], %[[J_1]]] : memref<4x2xf32>
// CHECK-NEXT:              } do {
// CHECK-NEXT:                %[[N5:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:                %[[N6:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:                %[[N7:.*]] = arith.mulf %[[N5]], %[[N6]] : f32
// CHECK-NEXT:                %[[N8:.*]] = memref.load %[[N0]][%[[I_1]], %[[J_1]]] : memref<4x2xf32>
// CHECK-NEXT:                %[[N9:.*]] = arith.addf %[[N8]], %[[N7]] : f32
// CHECK-NEXT:                memref.store %[[N9]], %[[N0]][%[[I_1]], %[[J_1]]] : memref<4x2xf32>
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        uma.tir.for %[[AX0:.*]] = 0 to 4 label "ax0" {
// CHECK-NEXT:          uma.tir.for %[[AX1:.*]] = 0 to 2 label "ax1" {
// CHECK-NEXT:            %[[N1:.*]] = arith.muli %[[I_0]], %[[C4]] : index
// CHECK-NEXT:            %[[N2:.*]] = arith.addi %[[N1]], %[[AX0]] : index
// CHECK-NEXT:            %[[N3:.*]] = arith.muli %[[J_0]], %[[C2]] : index
// CHECK-NEXT:            %[[N4:.*]] = arith.addi %[[N3]], %[[AX1]] : index
// CHECK-NEXT:            uma.tir.block "C_local" (spatial %[[V:.*]] = %[[N2]] in 8, spatial %[[V_0:.*]] = %[[N4]] in 4)
// CHECK-NEXT:                reads(%[[N0]][affine_map<(d0, d1) -> (0, 0)>, [4, 2]] : memref<4x2xf32>)
// CHECK-NEXT:                writes(%[[ARG2]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
// CHECK-NEXT:              %[[N5:.*]] = memref.load %[[N0]][%[[AX0]], %[[AX1]]] : memref<4x2xf32>
// CHECK-NEXT:              memref.store %[[N5]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
uma.tir.func @matmul(%arg0: memref<8x6xf32>, %arg1: memref<6x4xf32>, %arg2: memref<8x4xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %0 = uma.tir.alloc local label "arg2_local" : memref<8x4xf32>
  uma.tir.for %i_0 = 0 to 2 label "i_0" {
    uma.tir.for %j_0 = 0 to 2 label "j_0" {
      uma.tir.for %k = 0 to 6 label "k" {
        uma.tir.for %i_1 = 0 to 4 label "i_1" {
          uma.tir.for %j_1 = 0 to 2 label "j_1" {
            %1 = arith.muli %i_0, %c4 : index
            %2 = arith.addi %1, %i_1 : index
            %3 = arith.muli %j_0, %c2 : index
            %4 = arith.addi %3, %j_1 : index
            uma.tir.block "C" (spatial %v = %2 in 8, spatial %v_0 = %4 in 4, reduce %v_1 = %k in 6)
                reads(%arg0[affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %arg1[affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
                writes(%0[affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
            init (%v, %v_0, %v_1) {
              memref.store %cst, %0[%v, %v_0] : memref<8x4xf32>
            } do {
              %5 = memref.load %arg0[%v, %v_1] : memref<8x6xf32>
              %6 = memref.load %arg1[%v_1, %v_0] : memref<6x4xf32>
              %7 = arith.mulf %5, %6 : f32
              %8 = memref.load %0[%v, %v_0] : memref<8x4xf32>
              %9 = arith.addf %8, %7 : f32
              memref.store %9, %0[%v, %v_0] : memref<8x4xf32>
            }
          }
        }
      }
      uma.tir.for %ax0 = 0 to 4 label "ax0" {
        uma.tir.for %ax1 = 0 to 2 label "ax1" {
          %1 = arith.muli %i_0, %c4 : index
          %2 = arith.addi %1, %ax0 : index
          %3 = arith.muli %j_0, %c2 : index
          %4 = arith.addi %3, %ax1 : index
          uma.tir.block "C_local" (spatial %v = %2 in 8, spatial %v_0 = %4 in 4)
              reads(%0[affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
              writes(%arg2[affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
            %5 = memref.load %0[%v, %v_0] : memref<8x4xf32>
            memref.store %5, %arg2[%v, %v_0] : memref<8x4xf32>
          }
        }
      }
    }
  }
}

// -----

// Halves of 5 elements of 16 and their neighbours: the last tile reaches past the end, where nothing is touched.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[C14:.*]] = arith.constant 14 : index
// CHECK-NEXT:    %[[C16:.*]] = arith.constant 16 : index
// CHECK-NEXT:    uma.tir.for %[[J_0:.*]] = 0 to 3 label "j_0" {
// CHECK-NEXT:      %[[N0:.*]] = uma.tir.alloc local label "t" : memref<7xf32>
// CHECK-NEXT:      uma.tir.for %[[AX0:.*]] = 0 to 7 label "ax0" {
// CHECK-NEXT:        %[[N1:.*]] = arith.muli %[[J_0]], %[[C5]] : index
// CHECK-NEXT:        %[[N2:.*]] = arith.addi %[[N1]], %[[AX0]] : index
// CHECK-NEXT:        %[[N3:.*]] = arith.cmpi slt, %[[N2]], %[[C16]] : index
// CHECK-NEXT:        uma.tir.block "P" (spatial %[[V:.*]] = %[[N2]] in 16) where %[[N3]]
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0) -> (0)>, [7]] : memref<7xf32>) {
// CHECK-NEXT:          %[[N4:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N5:.*]] = arith.mulf %[[N4]], %[[CST]] : f32
// CHECK-NEXT:          memref.store %[[N5]], %[[N0]][%[[AX0]]] : memref<7xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[J_1:.*]] = 0 to 5 label "j_1" {
// CHECK-NEXT:        %[[N1:.*]] = arith.muli %[[J_0]], %[[C5]] : index
// CHECK-NEXT:        %[[N2:.*]] = arith.addi %[[N1]], %[[J_1]] : index
// CHECK-NEXT:        %[[N3:.*]] = arith.cmpi slt, %[[N2]], %[[C14]] : index
// CHECK-NEXT:        uma.tir.block "Q" (spatial %[[V:.*]] = %[[N2]] in 14) where %[[N3]]
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0) -> (0)>, [7]] : memref<7xf32>, %[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:          %[[N4:.*]] = memref.load %[[N0]][%[[J_1]]] : memref<7xf32>
// CHECK-NEXT:          %[[N5:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N6:.*]] = arith.addf %[[N4]], %[[N5]] : f32
// CHECK-NEXT:          memref.store %[[N6]], %[[ARG1]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
uma.tir.func @chain(%arg0: memref<16xf32>, %arg1: memref<16xf32>) {
  %cst = arith.constant 2.000000e+00 : f32
  %c5 = arith.constant 5 : index
  %c14 = arith.constant 14 : index
  %c16 = arith.constant 16 : index
  %0 = uma.tir.alloc local label "t" : memref<16xf32>
  uma.tir.for %j_0 = 0 to 3 label "j_0" {
    uma.tir.for %ax0 = 0 to 7 label "ax0" {
      %1 = arith.muli %j_0, %c5 : index
      %2 = arith.addi %1, %ax0 : index
      %3 = arith.cmpi slt, %2, %c16 : index
      uma.tir.block "P" (spatial %v = %2 in 16) where %3
          reads(%arg0[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%0[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %4 = memref.load %arg0[%v] : memref<16xf32>
        %5 = arith.mulf %4, %cst : f32
        memref.store %5, %0[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j_1 = 0 to 5 label "j_1" {
      %1 = arith.muli %j_0, %c5 : index
      %2 = arith.addi %1, %j_1 : index
      %3 = arith.cmpi slt, %2, %c14 : index
      uma.tir.block "Q" (spatial %v = %2 in 14) where %3
          reads(%0[affine_map<(d0) -> (d0)>, [3]] : memref<16xf32>, %arg0[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%arg1[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %4 = memref.load %0[%v] : memref<16xf32>
        %5 = memref.load %arg0[%v] : memref<16xf32>
        %6 = arith.addf %4, %5 : f32
        memref.store %6, %arg1[%v] : memref<16xf32>
      }
    }
  }
}

// -----

// A tile of 4, which moves into a parallel loop.
// CHECK-LABEL: uma.tir.func @tile(
// CHECK-NOT:     alloc
// CHECK:         uma.tir.for parallel
// CHECK:           uma.tir.alloc local : memref<4xf32>
uma.tir.func @tile(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %c4 = arith.constant 4 : index
  %t = uma.tir.alloc local : memref<16xf32>
  uma.tir.for parallel %o = 0 to 4 {
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "copy" (spatial %v = %n in 16)
          reads(%x[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        memref.store %e, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "out" (spatial %v = %n in 16)
          reads(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %t[%v] : memref<16xf32>
        memref.store %e, %y[%v] : memref<16xf32>
      }
    }
  }
}

// Three of the four elements are written: the fourth is one of an earlier iteration, or of nobody.
// CHECK-LABEL: uma.tir.func @some(
// CHECK:         uma.tir.alloc local : memref<16xf32>
// CHECK-NOT:     alloc
uma.tir.func @some(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %c4 = arith.constant 4 : index
  %t = uma.tir.alloc local : memref<16xf32>
  uma.tir.for %o = 0 to 4 {
    uma.tir.for %i = 0 to 3 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "copy" (spatial %v = %n in 16)
          reads(%x[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        memref.store %e, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "out" (spatial %v = %n in 16)
          reads(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %t[%v] : memref<16xf32>
        memref.store %e, %y[%v] : memref<16xf32>
      }
    }
  }
}

// Perhaps nothing is written.
// CHECK-LABEL: uma.tir.func @perhaps(
// CHECK:         uma.tir.alloc local : memref<16xf32>
// CHECK-NOT:     alloc
uma.tir.func @perhaps(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %c4 = arith.constant 4 : index
  %t = uma.tir.alloc local : memref<16xf32>
  uma.tir.for %o = 0 to 4 {
    scf.if %c {
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "copy" (spatial %v = %n in 16)
          reads(%x[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        memref.store %e, %t[%v] : memref<16xf32>
      }
    }
    }
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "out" (spatial %v = %n in 16)
          reads(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %t[%v] : memref<16xf32>
        memref.store %e, %y[%v] : memref<16xf32>
      }
    }
  }
}

// The workspace is planned for the whole function.
// CHECK-LABEL: uma.tir.func @workspace(
// CHECK:         uma.tir.alloc workspace : memref<16xf32>
// CHECK-NOT:     alloc
uma.tir.func @workspace(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %c4 = arith.constant 4 : index
  %t = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.for %o = 0 to 4 {
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "copy" (spatial %v = %n in 16)
          reads(%x[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        memref.store %e, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "out" (spatial %v = %n in 16)
          reads(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %t[%v] : memref<16xf32>
        memref.store %e, %y[%v] : memref<16xf32>
      }
    }
  }
}

// Lanes of a vector have no buffers of their own.
// CHECK-LABEL: uma.tir.func @lanes(
// CHECK:         uma.tir.alloc local : memref<16xf32>
// CHECK-NOT:     alloc
uma.tir.func @lanes(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %c4 = arith.constant 4 : index
  %t = uma.tir.alloc local : memref<16xf32>
  uma.tir.for vectorized %o = 0 to 4 {
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "copy" (spatial %v = %n in 16)
          reads(%x[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        memref.store %e, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %i = 0 to 4 {
      %m = arith.muli %o, %c4 : index
      %n = arith.addi %m, %i : index
      uma.tir.block "out" (spatial %v = %n in 16)
          reads(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
        %e = memref.load %t[%v] : memref<16xf32>
        memref.store %e, %y[%v] : memref<16xf32>
      }
    }
  }
}

// Sums that grow from one iteration to the next.
// CHECK-LABEL: uma.tir.func @sums(
// CHECK:         uma.tir.alloc local : memref<8xf32>
// CHECK-NOT:     alloc
uma.tir.func @sums(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = uma.tir.alloc local : memref<8xf32>
  uma.tir.for %k = 0 to 4 {
    uma.tir.for %i = 0 to 8 {
      uma.tir.block "add" (spatial %v = %i in 8, reduce %w = %k in 4)
          reads(%x[affine_map<(i, k) -> (k, i)>, [1, 1]] : memref<4x8xf32>)
          writes(%t[affine_map<(i, k) -> (i)>, [1]] : memref<8xf32>)
      init {
        memref.store %zero, %t[%v] : memref<8xf32>
      } do {
        %e = memref.load %x[%w, %v] : memref<4x8xf32>
        %s = memref.load %t[%v] : memref<8xf32>
        %a = arith.addf %s, %e : f32
        memref.store %a, %t[%v] : memref<8xf32>
      }
    }
    uma.tir.for %i = 0 to 8 {
      uma.tir.block "out" (spatial %v = %i in 8)
          reads(%t[affine_map<(i) -> (i)>, [1]] : memref<8xf32>)
          writes(%y[affine_map<(i) -> (i)>, [1]] : memref<8xf32>) {
        %e = memref.load %t[%v] : memref<8xf32>
        memref.store %e, %y[%v] : memref<8xf32>
      }
    }
  }
}

// A call sees the whole buffer.
// CHECK-LABEL: uma.tir.func @call(
// CHECK:         uma.tir.alloc local : memref<16xf32>
uma.tir.func @call(%y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = uma.tir.alloc local : memref<16xf32>
  uma.tir.for %i = 0 to 4 {
    uma.tir.block "fill" (spatial %v = %i in 4) writes(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
      memref.store %zero, %t[%v] : memref<16xf32>
    }
  }
  uma.tir.call_extern "device"(%t, %y) writes [1] : memref<16xf32>, memref<4xf32>
}

// The first four elements of sixteen; the buffer stays where it is.
// CHECK-LABEL: uma.tir.func @first(
// CHECK:         uma.tir.alloc workspace : memref<4xf32>
uma.tir.func @first(%y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.for %i = 0 to 4 {
    uma.tir.block "fill" (spatial %v = %i in 4) writes(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>) {
      memref.store %zero, %t[%v] : memref<16xf32>
    }
  }
  uma.tir.for %i = 0 to 4 {
    uma.tir.block "out" (spatial %v = %i in 4)
        reads(%t[affine_map<(i) -> (i)>, [1]] : memref<16xf32>)
        writes(%y[affine_map<(i) -> (i)>, [1]] : memref<4xf32>) {
      %e = memref.load %t[%v] : memref<16xf32>
      memref.store %e, %y[%v] : memref<4xf32>
    }
  }
}

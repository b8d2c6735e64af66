// Partial results of a reduction.
// RUN: uma-opt %s --transform-interpreter -split-input-file --mlir-print-local-scope | FileCheck %s

// The inner part of the sum counts them: four sums that a second block adds up.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x8xf32>, %[[ARG1:.*]]: memref<8x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "C_rf" : memref<4x8x4xf32>
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 8 label "i" {
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 4 label "j" {
// CHECK-NEXT:        uma.tir.for %[[K_0:.*]] = 0 to 2 label "k_0" {
// CHECK-NEXT:          uma.tir.for %[[K_1:.*]] = 0 to 4 label "k_1" {
// CHECK-NEXT:            %[[N1:.*]] = arith.muli %[[K_0]], %[[C4]] : index
// CHECK-NEXT:            %[[N2:.*]] = arith.addi %[[N1]], %[[K_1]] : index
// CHECK-NEXT:            uma.tir.block "C_rf" (spatial %[[V:.*]] = %[[I]] in 8, spatial %[[V_0:.*]] = %[[J]] in 4, spatial %[[V_1:.*]] = %[[K_1]] in 4, reduce %[[V_2:.*]] = %[[K_0]] in 2)
// CHECK-NEXT:                reads(%[[ARG0]][affine_map<(d0, d1, d2, d3) -> (d0, d3 * 4 + d2)>, [1, 1]] : memref<8x8xf32>, %[[ARG1]][affine_map<(d0, d1, d2, d3) -> (d3 * 4 + d2, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:                writes(%[[N0]][affine_map<(d0, d1, d2, d3) -> (d2, d0, d1)>, [1, 1, 1]] : memref<4x8x4xf32>)
// CHECK-NEXT:            init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]], %[[V_2:.*]]) {
// CHECK-NEXT:              %[[CST_3:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:              memref.store %[[CST_3]], %[[N0]][%[[V_1]], %[[V]], %[[V_0]]] : memref<4x8x4xf32>
// CHECK-NEXT:            } do {
// CHECK-NEXT:              %[[N3:.*]] = arith.muli %[[V_2]], %[[C4]] : index
// CHECK-NEXT:              %[[N4:.*]] = arith.addi %[[N3]], %[[V_1]] : index
// CHECK-NEXT:              %[[N5:.*]] = memref.load %[[ARG0]][%[[V]], %[[N4]]] : memref<8x8xf32>
// CHECK-NEXT:              %[[N6:.*]] = memref.load %[[ARG1]][%[[N4]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:              %[[N7:.*]] = arith.mulf %[[N5]], %[[N6]] : f32
// CHECK-NEXT:              %[[N8:.*]] = memref.load %[[N0]][%[[V_1]], %[[V]], %[[V_0]]] : memref<4x8x4xf32>
// CHECK-NEXT:              %[[N9:.*]] = arith.addf %[[N8]], %[[N7]] : f32
// CHECK-NEXT:              memref.store %[[N9]], %[[N0]][%[[V_1]], %[[V]], %[[V_0]]] : memref<4x8x4xf32>
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[AX0:.*]] = 0 to 8 label "ax0" {
// CHECK-NEXT:      uma.tir.for %[[AX1:.*]] = 0 to 4 label "ax1" {
// CHECK-NEXT:        uma.tir.for %[[AX2:.*]] = 0 to 4 label "ax2" {
// CHECK-NEXT:          uma.tir.block "C" (spatial %[[V:.*]] = %[[AX0]] in 8, spatial %[[V_0:.*]] = %[[AX1]] in 4, reduce %[[V_1:.*]] = %[[AX2]] in 4)
// CHECK-NEXT:              reads(%[[N0]][affine_map<(d0, d1, d2) -> (d2, d0, d1)>, [1, 1, 1]] : memref<4x8x4xf32>)
// CHECK-NEXT:              writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:          init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:            memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          } do {
// CHECK-NEXT:            %[[N1:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            %[[N2:.*]] = memref.load %[[N0]][%[[V_1]], %[[V]], %[[V_0]]] : memref<4x8x4xf32>
// CHECK-NEXT:            %[[N3:.*]] = arith.addf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:            memref.store %[[N3]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 8 label "k" {
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 8)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x8xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<8x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x8xf32>
            %y = memref.load %b[%vk, %vj] : memref<8x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    %k0, %k1 = transform.uma.split %k [?, 4]
    %rf = transform.uma.rfactor %b, %k1
    transform.yield
  }
}

// -----

// All of the sum; spatial loops that do not divide keep their predicate.
// CHECK-LABEL: uma.tir.func @softmax_like(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4x6xf32>, %[[ARG1:.*]]: memref<4x6xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "m" : memref<4xf32>
// CHECK-NEXT:    %[[N1:.*]] = uma.tir.alloc local label "P_rf" : memref<6x4xf32>
// CHECK-NEXT:    uma.tir.for %[[I_0:.*]] = 0 to 2 label "i_0" {
// CHECK-NEXT:      uma.tir.for %[[I_1:.*]] = 0 to 3 label "i_1" {
// CHECK-NEXT:        %[[N2:.*]] = arith.muli %[[I_0]], %[[C3]] : index
// CHECK-NEXT:        %[[N3:.*]] = arith.addi %[[N2]], %[[I_1]] : index
// CHECK-NEXT:        %[[N4:.*]] = arith.cmpi slt, %[[N3]], %[[C4]] : index
// CHECK-NEXT:        uma.tir.for %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:          uma.tir.block "P_rf" (spatial %[[V:.*]] = %[[N3]] in 4, spatial %[[V_0:.*]] = %[[K]] in 6) where %[[N4]]
// CHECK-NEXT:              reads(%[[ARG0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>)
// CHECK-NEXT:              writes(%[[N1]][affine_map<(d0, d1) -> (d1, d0)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:          init (%[[V:.*]], %[[V_0:.*]]) {
// CHECK-NEXT:            %[[CST_1:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:            memref.store %[[CST_1]], %[[N1]][%[[V_0]], %[[V]]] : memref<6x4xf32>
// CHECK-NEXT:          } do {
// CHECK-NEXT:            %[[N5:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:            %[[N6:.*]] = memref.load %[[N1]][%[[V_0]], %[[V]]] : memref<6x4xf32>
// CHECK-NEXT:            %[[N7:.*]] = arith.addf %[[N6]], %[[N5]] : f32
// CHECK-NEXT:            memref.store %[[N7]], %[[N1]][%[[V_0]], %[[V]]] : memref<6x4xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[AX0:.*]] = 0 to 4 label "ax0" {
// CHECK-NEXT:      uma.tir.for %[[AX1:.*]] = 0 to 6 label "ax1" {
// CHECK-NEXT:        uma.tir.block "P" (spatial %[[V:.*]] = %[[AX0]] in 4, reduce %[[V_0:.*]] = %[[AX1]] in 6)
// CHECK-NEXT:            reads(%[[N1]][affine_map<(d0, d1) -> (d1, d0)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0, d1) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:        init (%[[V:.*]], %[[V_0:.*]]) {
// CHECK-NEXT:          memref.store %[[CST]], %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        } do {
// CHECK-NEXT:          %[[N2:.*]] = memref.load %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:          %[[N3:.*]] = memref.load %[[N1]][%[[V_0]], %[[V]]] : memref<6x4xf32>
// CHECK-NEXT:          %[[N4:.*]] = arith.addf %[[N2]], %[[N3]] : f32
// CHECK-NEXT:          memref.store %[[N4]], %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 4 label "i" {
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 6 label "j" {
// CHECK-NEXT:        uma.tir.block "Q" (spatial %[[V:.*]] = %[[I]] in 4, spatial %[[V_0:.*]] = %[[J]] in 6)
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0, d1) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>) {
// CHECK-NEXT:          %[[N2:.*]] = memref.load %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:          memref.store %[[N2]], %[[ARG1]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @softmax_like(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {
    %zero = arith.constant 0.0 : f32
    %m = uma.tir.alloc local label "m" : memref<4xf32>
    uma.tir.for %i = 0 to 4 label "i" {
      uma.tir.for %k = 0 to 6 label "k" {
        uma.tir.block "P" (spatial %v = %i in 4, reduce %w = %k in 6)
            reads(%x[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>)
            writes(%m[affine_map<(a, b) -> (a)>, [1]] : memref<4xf32>)
        init {
          memref.store %zero, %m[%v] : memref<4xf32>
        } do {
          %e = memref.load %x[%v, %w] : memref<4x6xf32>
          %s = memref.load %m[%v] : memref<4xf32>
          %t = arith.addf %s, %e : f32
          memref.store %t, %m[%v] : memref<4xf32>
        }
      }
    }
    uma.tir.for %i = 0 to 4 label "i" {
      uma.tir.for %j = 0 to 6 label "j" {
        uma.tir.block "Q" (spatial %v = %i in 4, spatial %w = %j in 6)
            reads(%m[affine_map<(a, b) -> (a)>, [1]] : memref<4xf32>)
            writes(%y[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>) {
          %e = memref.load %m[%v] : memref<4xf32>
          memref.store %e, %y[%v, %w] : memref<4x6xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "P" in %root
    %i, %k = transform.uma.get_loops %b
    %i0, %i1 = transform.uma.split %i [?, 3]
    %rf = transform.uma.rfactor %b, %k
    transform.yield
  }
}

// Copies of what a block reads, and buffers of its own for what it writes.
// RUN: uma-opt %s --transform-interpreter -split-input-file --mlir-print-local-scope | FileCheck %s

// The copy is made before the loops; the block reads it.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "arg1_local" : memref<6x4xf32>
// CHECK-NEXT:    uma.tir.for %[[AX0:.*]] = 0 to 6 label "ax0" {
// CHECK-NEXT:      uma.tir.for %[[AX1:.*]] = 0 to 4 label "ax1" {
// CHECK-NEXT:        uma.tir.block "arg1_local" (spatial %[[V:.*]] = %[[AX0]] in 6, spatial %[[V_0:.*]] = %[[AX1]] in 4)
// CHECK-NEXT:            reads(%[[ARG1]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<6x4xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[ARG1]][%[[V]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:          memref.store %[[N1]], %[[N0]][%[[V]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 8 label "i" {
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 4 label "j" {
// CHECK-NEXT:        uma.tir.for %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:          uma.tir.block "C" (spatial %[[V:.*]] = %[[I]] in 8, spatial %[[V_0:.*]] = %[[J]] in 4, reduce %[[V_1:.*]] = %[[K]] in 6)
// CHECK-NEXT:              reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[N0]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:              writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:          init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:            memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          } do {
// CHECK-NEXT:            %[[N1:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:            %[[N2:.*]] = memref.load %[[N0]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:            %[[N3:.*]] = arith.mulf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:            %[[N4:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            %[[N5:.*]] = arith.addf %[[N4]], %[[N3]] : f32
// CHECK-NEXT:            memref.store %[[N5]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
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
    %r = transform.uma.cache_read %b[1] local
    transform.yield
  }
}

// -----

// The init region and the body write the copy, and read it there.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "arg2_workspace" : memref<8x4xf32>
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 8 label "i" {
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 4 label "j" {
// CHECK-NEXT:        uma.tir.for %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:          uma.tir.block "C" (spatial %[[V:.*]] = %[[I]] in 8, spatial %[[V_0:.*]] = %[[J]] in 4, reduce %[[V_1:.*]] = %[[K]] in 6)
// CHECK-NEXT:              reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:              writes(%[[N0]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:          init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:            memref.store %[[CST]], %[[N0]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          } do {
// CHECK-NEXT:            %[[N1:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:            %[[N2:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:            %[[N3:.*]] = arith.mulf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:            %[[N4:.*]] = memref.load %[[N0]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            %[[N5:.*]] = arith.addf %[[N4]], %[[N3]] : f32
// CHECK-NEXT:            memref.store %[[N5]], %[[N0]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[AX0:.*]] = 0 to 8 label "ax0" {
// CHECK-NEXT:      uma.tir.for %[[AX1:.*]] = 0 to 4 label "ax1" {
// CHECK-NEXT:        uma.tir.block "C_workspace" (spatial %[[V:.*]] = %[[AX0]] in 8, spatial %[[V_0:.*]] = %[[AX1]] in 4)
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:            writes(%[[ARG2]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[N0]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          memref.store %[[N1]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:        } {uma.note = 4 : i64}
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
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
    %w = transform.uma.cache_write %b[0] workspace
    transform.uma.set_scope %b[0] local
    transform.uma.annotate %w "uma.note" = 4
    transform.yield
  }
}

// Init regions as blocks of their own.
// RUN: uma-opt %s --transform-interpreter -split-input-file --mlir-print-local-scope | FileCheck %s

// Before the loop of the reduction, for what the loops inside compute.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C6:.*]] = arith.constant 6 : index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 8 label "i" {
// CHECK-NEXT:      uma.tir.for vectorized %[[J_INIT:.*]] = 0 to 4 label "j_init" {
// CHECK-NEXT:        uma.tir.block "C_init" (spatial %[[V:.*]] = %[[I]] in 8, spatial %[[V_0:.*]] = %[[J_INIT]] in 4)
// CHECK-NEXT:            writes(%[[ARG2]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
// CHECK-NEXT:          memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[K_0:.*]] = 0 to 2 label "k_0" {
// CHECK-NEXT:        uma.tir.for vectorized %[[J:.*]] = 0 to 4 label "j" {
// CHECK-NEXT:          uma.tir.for %[[K_1:.*]] = 0 to 4 label "k_1" {
// CHECK-NEXT:            %[[N0:.*]] = arith.muli %[[K_0]], %[[C4]] : index
// CHECK-NEXT:            %[[N1:.*]] = arith.addi %[[N0]], %[[K_1]] : index
// CHECK-NEXT:            %[[N2:.*]] = arith.cmpi slt, %[[N1]], %[[C6]] : index
// CHECK-NEXT:            uma.tir.block "C" (spatial %[[V:.*]] = %[[I]] in 8, spatial %[[V_0:.*]] = %[[J]] in 4, reduce %[[V_1:.*]] = %[[N1]] in 6) where %[[N2]]
// CHECK-NEXT:                reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:                writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
// CHECK-NEXT:              %[[N3:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:              %[[N4:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:              %[[N5:.*]] = arith.mulf %[[N3]], %[[N4]] : f32
// CHECK-NEXT:              %[[N6:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:              %[[N7:.*]] = arith.addf %[[N6]], %[[N5]] : f32
// CHECK-NEXT:              memref.store %[[N7]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            }
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
    %k0, %k1 = transform.uma.split %k [?, 4]
    transform.uma.reorder %k0, %j
    transform.uma.vectorize %j
    %n = transform.uma.decompose_reduction %b, %k0
    transform.yield
  }
}

// -----

// Outside of all loops, where they do not divide.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C6:.*]] = arith.constant 6 : index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    uma.tir.for %[[I_0_INIT:.*]] = 0 to 3 label "i_0_init" {
// CHECK-NEXT:      uma.tir.for %[[I_1_INIT:.*]] = 0 to 3 label "i_1_init" {
// CHECK-NEXT:        uma.tir.for %[[J_INIT:.*]] = 0 to 4 label "j_init" {
// CHECK-NEXT:          %[[N0:.*]] = arith.muli %[[I_0_INIT]], %[[C3]] : index
// CHECK-NEXT:          %[[N1:.*]] = arith.addi %[[N0]], %[[I_1_INIT]] : index
// CHECK-NEXT:          %[[N2:.*]] = arith.cmpi slt, %[[N1]], %[[C8]] : index
// CHECK-NEXT:          uma.tir.block "C_init" (spatial %[[V:.*]] = %[[N1]] in 8, spatial %[[V_0:.*]] = %[[J_INIT]] in 4) where %[[N2]]
// CHECK-NEXT:              writes(%[[ARG2]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
// CHECK-NEXT:            memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[I_0:.*]] = 0 to 3 label "i_0" {
// CHECK-NEXT:      uma.tir.for %[[I_1:.*]] = 0 to 3 label "i_1" {
// CHECK-NEXT:        %[[N0:.*]] = arith.muli %[[I_0]], %[[C3]] : index
// CHECK-NEXT:        %[[N1:.*]] = arith.addi %[[N0]], %[[I_1]] : index
// CHECK-NEXT:        %[[N2:.*]] = arith.cmpi slt, %[[N1]], %[[C8]] : index
// CHECK-NEXT:        uma.tir.for %[[J:.*]] = 0 to 4 label "j" {
// CHECK-NEXT:          uma.tir.for %[[K_0:.*]] = 0 to 2 label "k_0" {
// CHECK-NEXT:            uma.tir.for %[[K_1:.*]] = 0 to 4 label "k_1" {
// CHECK-NEXT:              %[[N3:.*]] = arith.muli %[[K_0]], %[[C4]] : index
// CHECK-NEXT:              %[[N4:.*]] = arith.addi %[[N3]], %[[K_1]] : index
// CHECK-NEXT:              %[[N5:.*]] = arith.cmpi slt, %[[N4]], %[[C6]] : index
// CHECK-NEXT:              %[[N6:.*]] = arith.andi %[[N2]], %[[N5]] : i1
// CHECK-NEXT:              uma.tir.block "C" (spatial %[[V:.*]] = %[[N1]] in 8, spatial %[[V_0:.*]] = %[[J]] in 4, reduce %[[V_1:.*]] = %[[N4]] in 6) where %[[N6]]
// CHECK-NEXT:                  reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:                  writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
// CHECK-NEXT:                %[[N7:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:                %[[N8:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:                %[[N9:.*]] = arith.mulf %[[N7]], %[[N8]] : f32
// CHECK-NEXT:                %[[N10:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:                %[[N11:.*]] = arith.addf %[[N10]], %[[N9]] : f32
// CHECK-NEXT:                memref.store %[[N11]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:              }
// CHECK-NEXT:            }
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
    %i0, %i1 = transform.uma.split %i [?, 3]
    %k0, %k1 = transform.uma.split %k [?, 4]
    %n = transform.uma.decompose_reduction %b, %i0
    transform.yield
  }
}

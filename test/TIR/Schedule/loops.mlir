// What becomes of loops: split, fuse, reorder and kinds.
// RUN: uma-opt %s --transform-interpreter -split-input-file --mlir-print-local-scope | FileCheck %s

// Factors that divide; one is inferred. The loop's attributes are the outer one's, and it does not start at 0.
// CHECK-LABEL: uma.tir.func @range(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    uma.tir.for %[[I_0:.*]] = 0 to 2 label "i_0" {
// CHECK-NEXT:      uma.tir.for %[[I_1:.*]] = 0 to 2 label "i_1" {
// CHECK-NEXT:        uma.tir.for %[[I_2:.*]] = 0 to 3 label "i_2" {
// CHECK-NEXT:          %[[N0:.*]] = arith.muli %[[I_0]], %[[C2]] : index
// CHECK-NEXT:          %[[N1:.*]] = arith.addi %[[N0]], %[[I_1]] : index
// CHECK-NEXT:          %[[N2:.*]] = arith.muli %[[N1]], %[[C3]] : index
// CHECK-NEXT:          %[[N3:.*]] = arith.addi %[[N2]], %[[I_2]] : index
// CHECK-NEXT:          %[[N4:.*]] = arith.addi %[[N3]], %[[C3]] : index
// CHECK-NEXT:          uma.tir.block "B" (spatial %[[V:.*]] = %[[N4]] in 16)
// CHECK-NEXT:              writes(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:            memref.store %[[CST]], %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    } {uma.note = 1 : i64}
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @range(%y: memref<16xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 3 to 15 label "i" {
      uma.tir.block "B" (spatial %v = %i in 16) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        memref.store %zero, %y[%v] : memref<16xf32>
      }
    } {uma.note = 1}
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i = transform.uma.get_loops %b
    %i0, %i1, %i2 = transform.uma.split %i [2, ?, 3]
    transform.yield
  }
}

// -----

// Factors that do not divide: the block leaves the excess out.
// CHECK-LABEL: uma.tir.func @range(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[C12:.*]] = arith.constant 12 : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    uma.tir.for %[[I_0:.*]] = 0 to 3 label "i_0" {
// CHECK-NEXT:      uma.tir.for %[[I_1_0:.*]] = 0 to 2 label "i_1_0" {
// CHECK-NEXT:        uma.tir.for %[[I_1_1:.*]] = 0 to 3 label "i_1_1" {
// CHECK-NEXT:          %[[N0:.*]] = arith.muli %[[I_1_0]], %[[C3]] : index
// CHECK-NEXT:          %[[N1:.*]] = arith.addi %[[N0]], %[[I_1_1]] : index
// CHECK-NEXT:          %[[N2:.*]] = arith.cmpi slt, %[[N1]], %[[C5]] : index
// CHECK-NEXT:          %[[N3:.*]] = arith.muli %[[I_0]], %[[C5]] : index
// CHECK-NEXT:          %[[N4:.*]] = arith.addi %[[N3]], %[[N1]] : index
// CHECK-NEXT:          %[[N5:.*]] = arith.cmpi slt, %[[N4]], %[[C12]] : index
// CHECK-NEXT:          %[[N6:.*]] = arith.addi %[[N4]], %[[C3]] : index
// CHECK-NEXT:          %[[N7:.*]] = arith.andi %[[N5]], %[[N2]] : i1
// CHECK-NEXT:          uma.tir.block "B" (spatial %[[V:.*]] = %[[N6]] in 16) where %[[N7]]
// CHECK-NEXT:              writes(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:            memref.store %[[CST]], %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    } {uma.note = 1 : i64}
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @range(%y: memref<16xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 3 to 15 label "i" {
      uma.tir.block "B" (spatial %v = %i in 16) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        memref.store %zero, %y[%v] : memref<16xf32>
      }
    } {uma.note = 1}
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i = transform.uma.get_loops %b
    %i0, %i1 = transform.uma.split %i [?, 5]
    %i2, %i3 = transform.uma.split %i1 [2, 3]
    transform.yield
  }
}

// -----

// Two loops become one, also where they do not start at 0.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    uma.tir.for %[[I_J:.*]] = 0 to 24 label "i_j" {
// CHECK-NEXT:      %[[N0:.*]] = arith.remsi %[[I_J]], %[[C4]] : index
// CHECK-NEXT:      %[[N1:.*]] = arith.divsi %[[I_J]], %[[C4]] : index
// CHECK-NEXT:      %[[N2:.*]] = arith.addi %[[N1]], %[[C2]] : index
// CHECK-NEXT:      uma.tir.for %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:        uma.tir.block "C" (spatial %[[V:.*]] = %[[N2]] in 8, spatial %[[V_0:.*]] = %[[N0]] in 4, reduce %[[V_1:.*]] = %[[K]] in 6)
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:            writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:        init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:          memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:        } do {
// CHECK-NEXT:          %[[N3:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:          %[[N4:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:          %[[N5:.*]] = arith.mulf %[[N3]], %[[N4]] : f32
// CHECK-NEXT:          %[[N6:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          %[[N7:.*]] = arith.addf %[[N6]], %[[N5]] : f32
// CHECK-NEXT:          memref.store %[[N7]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 2 to 8 label "i" {
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
    %f = transform.uma.fuse %i, %j
    transform.yield
  }
}

// -----

// Loops that are not named keep their place; index arithmetic goes inwards.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    uma.tir.for %[[J_1:.*]] = 0 to 2 label "j_1" {
// CHECK-NEXT:      uma.tir.for %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:        uma.tir.for %[[I:.*]] = 0 to 8 label "i" {
// CHECK-NEXT:          uma.tir.for %[[J_0:.*]] = 0 to 2 label "j_0" {
// CHECK-NEXT:            %[[N0:.*]] = arith.muli %[[J_0]], %[[C2]] : index
// CHECK-NEXT:            %[[N1:.*]] = arith.addi %[[N0]], %[[J_1]] : index
// CHECK-NEXT:            uma.tir.block "C" (spatial %[[V:.*]] = %[[I]] in 8, spatial %[[V_0:.*]] = %[[N1]] in 4, reduce %[[V_1:.*]] = %[[K]] in 6)
// CHECK-NEXT:                reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:                writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:            init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:              memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            } do {
// CHECK-NEXT:              %[[N2:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:              %[[N3:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:              %[[N4:.*]] = arith.mulf %[[N2]], %[[N3]] : f32
// CHECK-NEXT:              %[[N5:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:              %[[N6:.*]] = arith.addf %[[N5]], %[[N4]] : f32
// CHECK-NEXT:              memref.store %[[N6]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
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
    %j0, %j1 = transform.uma.split %j [2, 2]
    transform.uma.reorder %k, %j0
    transform.uma.reorder %j1, %i
    transform.yield
  }
}

// -----

// A reduction may be outside of what it is summed up for.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    uma.tir.for unrolled %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:      uma.tir.for parallel %[[J:.*]] = 0 to 4 label "j" {
// CHECK-NEXT:        uma.tir.for vectorized %[[I:.*]] = 0 to 8 label "i" {
// CHECK-NEXT:          uma.tir.block "C" (spatial %[[V:.*]] = %[[I]] in 8, spatial %[[V_0:.*]] = %[[J]] in 4, reduce %[[V_1:.*]] = %[[K]] in 6)
// CHECK-NEXT:              reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:              writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:          init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:            memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          } do {
// CHECK-NEXT:            %[[N0:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:            %[[N1:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:            %[[N2:.*]] = arith.mulf %[[N0]], %[[N1]] : f32
// CHECK-NEXT:            %[[N3:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            %[[N4:.*]] = arith.addf %[[N3]], %[[N2]] : f32
// CHECK-NEXT:            memref.store %[[N4]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
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
    transform.uma.reorder %k, %j, %i
    transform.uma.vectorize %i
    transform.uma.parallel %j
    transform.uma.unroll %k
    transform.yield
  }
}

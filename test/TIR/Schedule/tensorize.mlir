// Tiles that a device computes.
// RUN: uma-opt %s --transform-interpreter -split-input-file --mlir-print-local-scope | FileCheck %s

// The C function gets the buffers, where the tile starts in each and how far its rows are apart.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32>, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C12:.*]] = arith.constant 12 : index
// CHECK-NEXT:    %[[C6:.*]] = arith.constant 6 : index
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT:    uma.tir.for %[[I_0:.*]] = 0 to 4 label "i_0" {
// CHECK-NEXT:      uma.tir.for %[[J_0:.*]] = 0 to 2 label "j_0" {
// CHECK-NEXT:        uma.tir.for %[[I_1_INIT:.*]] = 0 to 2 label "i_1_init" {
// CHECK-NEXT:          uma.tir.for %[[J_1_INIT:.*]] = 0 to 2 label "j_1_init" {
// CHECK-NEXT:            %[[N0:.*]] = arith.muli %[[I_0]], %[[C2]] : index
// CHECK-NEXT:            %[[N1:.*]] = arith.addi %[[N0]], %[[I_1_INIT]] : index
// CHECK-NEXT:            %[[N2:.*]] = arith.muli %[[J_0]], %[[C2]] : index
// CHECK-NEXT:            %[[N3:.*]] = arith.addi %[[N2]], %[[J_1_INIT]] : index
// CHECK-NEXT:            uma.tir.block "C_init" (spatial %[[V:.*]] = %[[N1]] in 8, spatial %[[V_0:.*]] = %[[N3]] in 4)
// CHECK-NEXT:                writes(%[[ARG2]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>) {
// CHECK-NEXT:              memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        uma.tir.for %[[K_0:.*]] = 0 to 2 label "k_0" {
// CHECK-NEXT:          %[[N0:.*]] = arith.muli %[[I_0]], %[[C12]] : index
// CHECK-NEXT:          %[[N1:.*]] = arith.muli %[[K_0]], %[[C3]] : index
// CHECK-NEXT:          %[[N2:.*]] = arith.addi %[[N0]], %[[N1]] : index
// CHECK-NEXT:          %[[N3:.*]] = arith.muli %[[J_0]], %[[C2]] : index
// CHECK-NEXT:          %[[N4:.*]] = arith.muli %[[K_0]], %[[C12]] : index
// CHECK-NEXT:          %[[N5:.*]] = arith.addi %[[N3]], %[[N4]] : index
// CHECK-NEXT:          %[[N6:.*]] = arith.muli %[[I_0]], %[[C8]] : index
// CHECK-NEXT:          %[[N7:.*]] = arith.muli %[[J_0]], %[[C2]] : index
// CHECK-NEXT:          %[[N8:.*]] = arith.addi %[[N6]], %[[N7]] : index
// CHECK-NEXT:          uma.tir.call_extern "device_mma"(%[[ARG0]], %[[N2]], %[[C6]], %[[ARG1]], %[[N5]], %[[C4]], %[[ARG2]], %[[N8]], %[[C4]]) writes [6] : memref<8x6xf32>, index, index, memref<6x4xf32>, index, index, memref<8x4xf32>, index, index
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func private @mma(%a: memref<2x3xf32>, %b: memref<3x2xf32>, %c: memref<2x2xf32>) attributes {uma.intrinsic = "device_mma"} {
    uma.tir.for %i = 0 to 2 {
      uma.tir.for %j = 0 to 2 {
        uma.tir.for %k = 0 to 3 {
          uma.tir.block "mma" (spatial %vi = %i in 2, spatial %vj = %j in 2, reduce %vk = %k in 3)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<2x3xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<3x2xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<2x2xf32>) {
            %x = memref.load %a[%vi, %vk] : memref<2x3xf32>
            %y = memref.load %b[%vk, %vj] : memref<3x2xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<2x2xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<2x2xf32>
          }
        }
      }
    }
  }
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
    %i0, %i1 = transform.uma.split %i [?, 2]
    %j0, %j1 = transform.uma.split %j [?, 2]
    %k0, %k1 = transform.uma.split %k [?, 3]
    transform.uma.reorder %i0, %j0, %k0, %i1, %j1, %k1
    %n = transform.uma.decompose_reduction %b, %k0
    %call = transform.uma.tensorize %i1 @mma
    transform.yield
  }
}

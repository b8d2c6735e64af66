// Blocks from linalg, on tensors and on buffers.
// RUN: uma-opt %s --convert-linalg-to-uma-tir -split-input-file --mlir-print-local-scope | FileCheck %s

// A function on tensors: the result is an argument, and the fill the reduction's init region.
// CHECK-LABEL: uma.tir.func @matmul(
// CHECK-SAME:  %[[ARG0:.*]]: memref<8x6xf32> {uma.name = "a"}, %[[ARG1:.*]]: memref<6x4xf32>, %[[ARG2:.*]]: memref<8x4xf32> {uma.output}) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 8 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 4 label "d1" {
// CHECK-NEXT:        uma.tir.for %[[D2:.*]] = 0 to 6 label "d2" {
// CHECK-NEXT:          uma.tir.block "matmul" (spatial %[[V:.*]] = %[[D0]] in 8, spatial %[[V_0:.*]] = %[[D1]] in 4, reduce %[[V_1:.*]] = %[[D2]] in 6)
// CHECK-NEXT:              reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<8x6xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<6x4xf32>)
// CHECK-NEXT:              writes(%[[ARG2]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<8x4xf32>)
// CHECK-NEXT:          init (%[[V:.*]], %[[V_0:.*]], %[[V_1:.*]]) {
// CHECK-NEXT:            memref.store %[[CST]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          } do {
// CHECK-NEXT:            %[[N0:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<8x6xf32>
// CHECK-NEXT:            %[[N1:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<6x4xf32>
// CHECK-NEXT:            %[[N2:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:            %[[N3:.*]] = arith.mulf %[[N0]], %[[N1]] : f32
// CHECK-NEXT:            %[[N4:.*]] = arith.addf %[[N2]], %[[N3]] : f32
// CHECK-NEXT:            memref.store %[[N4]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<8x4xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @matmul(%a: tensor<8x6xf32> {uma.name = "a"}, %b: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %c : tensor<8x4xf32>
}

// -----

// On buffers: what is filled, and used by something else than a reduction, stays a block of its own.
// CHECK-LABEL: uma.tir.func @buffers(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4x6xf32>, %[[ARG1:.*]]: memref<4x6xf32>, %[[ARG2:.*]]: memref<4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc workspace : memref<4x6xf32>
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 6 label "d1" {
// CHECK-NEXT:        uma.tir.block "fill" (spatial %[[V:.*]] = %[[D0]] in 4, spatial %[[V_0:.*]] = %[[D1]] in 6)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>) {
// CHECK-NEXT:          memref.store %[[CST]], %[[N0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 6 label "d1" {
// CHECK-NEXT:        uma.tir.block "generic" (spatial %[[V:.*]] = %[[D0]] in 4, spatial %[[V_0:.*]] = %[[D1]] in 6)
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>, %[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:          %[[N2:.*]] = memref.load %[[N0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:          %[[N3:.*]] = arith.index_cast %[[V]] : index to i32
// CHECK-NEXT:          %[[N4:.*]] = arith.sitofp %[[N3]] : i32 to f32
// CHECK-NEXT:          %[[N5:.*]] = arith.mulf %[[N1]], %[[N4]] : f32
// CHECK-NEXT:          %[[N6:.*]] = arith.addf %[[N5]], %[[N2]] : f32
// CHECK-NEXT:          memref.store %[[N6]], %[[N0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 6 label "d1" {
// CHECK-NEXT:        uma.tir.block "reduce" (spatial %[[V:.*]] = %[[D0]] in 4, reduce %[[V_0:.*]] = %[[D1]] in 6)
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>)
// CHECK-NEXT:            writes(%[[ARG2]][affine_map<(d0, d1) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:        init (%[[V:.*]], %[[V_0:.*]]) {
// CHECK-NEXT:          memref.store %[[CST]], %[[ARG2]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        } do {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[N0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:          %[[N2:.*]] = memref.load %[[ARG2]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:          %[[N3:.*]] = arith.maximumf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:          memref.store %[[N3]], %[[ARG2]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 6 label "d1" {
// CHECK-NEXT:        uma.tir.block "copy" (spatial %[[V:.*]] = %[[D0]] in 4, spatial %[[V_0:.*]] = %[[D1]] in 6)
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[N0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:          memref.store %[[N1]], %[[ARG1]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @buffers(%x: memref<4x6xf32>, %y: memref<4x6xf32>, %s: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x6xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4x6xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x6xf32>) outs(%t : memref<4x6xf32>) {
  ^bb0(%e: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %m = arith.mulf %e, %f : f32
    %a = arith.addf %m, %o : f32
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%s : memref<4xf32>)
  linalg.reduce ins(%t : memref<4x6xf32>) outs(%s : memref<4xf32>) dimensions = [1]
      (%in: f32, %acc: f32) {
        %max = arith.maximumf %in, %acc : f32
        linalg.yield %max : f32
      }
  memref.copy %t, %y : memref<4x6xf32> to memref<4x6xf32>
  return
}

// -----

// Indices that are sums, as in convolutions; private functions have no workspace.
// CHECK-LABEL: uma.tir.func private @conv(
// CHECK-SAME:  %[[ARG0:.*]]: memref<1x6x6x2xf32>, %[[ARG1:.*]]: memref<3x3x2x4xf32>, %[[ARG2:.*]]: memref<1x4x4x4xf32>) {
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 1 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 4 label "d1" {
// CHECK-NEXT:        uma.tir.for %[[D2:.*]] = 0 to 4 label "d2" {
// CHECK-NEXT:          uma.tir.for %[[D3:.*]] = 0 to 4 label "d3" {
// CHECK-NEXT:            uma.tir.for %[[D4:.*]] = 0 to 3 label "d4" {
// CHECK-NEXT:              uma.tir.for %[[D5:.*]] = 0 to 3 label "d5" {
// CHECK-NEXT:                uma.tir.for %[[D6:.*]] = 0 to 2 label "d6" {
// CHECK-NEXT:                  uma.tir.block "conv_2d_nhwc_hwcf" (spatial %[[V:.*]] = %[[D0]] in 1, spatial %[[V_0:.*]] = %[[D1]] in 4, spatial %[[V_1:.*]] = %[[D2]] in 4, spatial %[[V_2:.*]] = %[[D3]] in 4, reduce %[[V_3:.*]] = %[[D4]] in 3, reduce %[[V_4:.*]] = %[[D5]] in 3, reduce %[[V_5:.*]] = %[[D6]] in 2)
// CHECK-NEXT:                      reads(%[[ARG0]][affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, [1, 1, 1, 1]] : memref<1x6x6x2xf32>, %[[ARG1]][affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, [1, 1, 1, 1]] : memref<3x3x2x4xf32>)
// CHECK-NEXT:                      writes(%[[ARG2]][affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>, [1, 1, 1, 1]] : memref<1x4x4x4xf32>) {
// CHECK-NEXT:                    %[[N0:.*]] = arith.addi %[[V_0]], %[[V_3]] : index
// CHECK-NEXT:                    %[[N1:.*]] = arith.addi %[[V_1]], %[[V_4]] : index
// CHECK-NEXT:                    %[[N2:.*]] = memref.load %[[ARG0]][%[[V]], %[[N0]], %[[N1]], %[[V_5]]] : memref<1x6x6x2xf32>
// CHECK-NEXT:                    %[[N3:.*]] = memref.load %[[ARG1]][%[[V_3]], %[[V_4]], %[[V_5]], %[[V_2]]] : memref<3x3x2x4xf32>
// CHECK-NEXT:                    %[[N4:.*]] = memref.load %[[ARG2]][%[[V]], %[[V_0]], %[[V_1]], %[[V_2]]] : memref<1x4x4x4xf32>
// CHECK-NEXT:                    %[[N5:.*]] = arith.mulf %[[N2]], %[[N3]] : f32
// CHECK-NEXT:                    %[[N6:.*]] = arith.addf %[[N4]], %[[N5]] : f32
// CHECK-NEXT:                    memref.store %[[N6]], %[[ARG2]][%[[V]], %[[V_0]], %[[V_1]], %[[V_2]]] : memref<1x4x4x4xf32>
// CHECK-NEXT:                  }
// CHECK-NEXT:                }
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func private @conv(%x: memref<1x6x6x2xf32>, %w: memref<3x3x2x4xf32>, %y: memref<1x4x4x4xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x6x6x2xf32>, memref<3x3x2x4xf32>) outs(%y : memref<1x4x4x4xf32>)
  return
}

// -----

// Two results, one of them given in place, and a constant.
// CHECK-LABEL: uma.tir.func @results(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4xf32>, %[[ARG1:.*]]: memref<4xf32> {uma.output}, %[[ARG2:.*]]: memref<2x2xf32> {uma.output}) {
// CHECK-NEXT:    %[[N0:.*]] = memref.get_global @__constant_4xf32 : memref<4xf32>
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.block "add" (spatial %[[V:.*]] = %[[D0]] in 4)
// CHECK-NEXT:          reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<4xf32>, %[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:          writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<4xf32>) {
// CHECK-NEXT:        %[[N1:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        %[[N2:.*]] = memref.load %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        %[[N3:.*]] = arith.addf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:        memref.store %[[N3]], %[[ARG1]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[EXPAND_SHAPE:.*]] = memref.expand_shape %[[ARG1]] {{\[\[}}0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 2 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 2 label "d1" {
// CHECK-NEXT:        uma.tir.block "copy" (spatial %[[V:.*]] = %[[D0]] in 2, spatial %[[V_0:.*]] = %[[D1]] in 2)
// CHECK-NEXT:            reads(%[[EXPAND_SHAPE]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<2x2xf32>)
// CHECK-NEXT:            writes(%[[ARG2]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<2x2xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[EXPAND_SHAPE]][%[[V]], %[[V_0]]] : memref<2x2xf32>
// CHECK-NEXT:          memref.store %[[N1]], %[[ARG2]][%[[V]], %[[V_0]]] : memref<2x2xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @results(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%x, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %s, %r : tensor<4xf32>, tensor<2x2xf32>
}

// -----

// What is filled is used through a view before the reduction: no init region.
// CHECK-LABEL: uma.tir.func @view(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4x4xf32>, %[[ARG1:.*]]: memref<4x4xf32>, %[[ARG2:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc workspace : memref<4x4xf32>
// CHECK-NEXT:    %[[COLLAPSE_SHAPE:.*]] = memref.collapse_shape %[[N0]] {{\[\[}}0, 1]] : memref<4x4xf32> into memref<16xf32>
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 4 label "d1" {
// CHECK-NEXT:        uma.tir.block "fill" (spatial %[[V:.*]] = %[[D0]] in 4, spatial %[[V_0:.*]] = %[[D1]] in 4)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x4xf32>) {
// CHECK-NEXT:          memref.store %[[CST]], %[[N0]][%[[V]], %[[V_0]]] : memref<4x4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 16 label "d0" {
// CHECK-NEXT:      uma.tir.block "copy" (spatial %[[V:.*]] = %[[D0]] in 16)
// CHECK-NEXT:          reads(%[[ARG2]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:          writes(%[[COLLAPSE_SHAPE]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:        %[[N1:.*]] = memref.load %[[ARG2]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        memref.store %[[N1]], %[[COLLAPSE_SHAPE]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 4 label "d1" {
// CHECK-NEXT:        uma.tir.for %[[D2:.*]] = 0 to 4 label "d2" {
// CHECK-NEXT:          uma.tir.block "matmul" (spatial %[[V:.*]] = %[[D0]] in 4, spatial %[[V_0:.*]] = %[[D1]] in 4, reduce %[[V_1:.*]] = %[[D2]] in 4)
// CHECK-NEXT:              reads(%[[ARG0]][affine_map<(d0, d1, d2) -> (d0, d2)>, [1, 1]] : memref<4x4xf32>, %[[ARG1]][affine_map<(d0, d1, d2) -> (d2, d1)>, [1, 1]] : memref<4x4xf32>)
// CHECK-NEXT:              writes(%[[N0]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<4x4xf32>) {
// CHECK-NEXT:            %[[N1:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_1]]] : memref<4x4xf32>
// CHECK-NEXT:            %[[N2:.*]] = memref.load %[[ARG1]][%[[V_1]], %[[V_0]]] : memref<4x4xf32>
// CHECK-NEXT:            %[[N3:.*]] = memref.load %[[N0]][%[[V]], %[[V_0]]] : memref<4x4xf32>
// CHECK-NEXT:            %[[N4:.*]] = arith.mulf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:            %[[N5:.*]] = arith.addf %[[N3]], %[[N4]] : f32
// CHECK-NEXT:            memref.store %[[N5]], %[[N0]][%[[V]], %[[V_0]]] : memref<4x4xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    uma.tir.for %[[D0:.*]] = 0 to 4 label "d0" {
// CHECK-NEXT:      uma.tir.for %[[D1:.*]] = 0 to 4 label "d1" {
// CHECK-NEXT:        uma.tir.block "copy_1" (spatial %[[V:.*]] = %[[D0]] in 4, spatial %[[V_0:.*]] = %[[D1]] in 4)
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x4xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x4xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[N0]][%[[V]], %[[V_0]]] : memref<4x4xf32>
// CHECK-NEXT:          memref.store %[[N1]], %[[ARG1]][%[[V]], %[[V_0]]] : memref<4x4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @view(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %z: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x4xf32>
  %v = memref.collapse_shape %t [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4x4xf32>)
  linalg.copy ins(%z : memref<16xf32>) outs(%v : memref<16xf32>)
  linalg.matmul ins(%x, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
  memref.copy %t, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}

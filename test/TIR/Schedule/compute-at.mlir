// Producers in the loops of their consumers, and consumers in those of their producers.
// RUN: uma-opt %s --transform-interpreter -split-input-file --mlir-print-local-scope | FileCheck %s

// One iteration needs one element.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "t" : memref<16xf32>
// CHECK-NEXT:    uma.tir.for %[[J:.*]] = 0 to 16 label "j" {
// CHECK-NEXT:      uma.tir.block "P" (spatial %[[V:.*]] = %[[J]] in 16)
// CHECK-NEXT:          reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:          writes(%[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:        %[[N1:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N2:.*]] = arith.mulf %[[N1]], %[[CST]] : f32
// CHECK-NEXT:        memref.store %[[N2]], %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.block "Q" (spatial %[[V:.*]] = %[[J]] in 16)
// CHECK-NEXT:          reads(%[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>, %[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:          writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:        %[[N1:.*]] = memref.load %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N2:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N3:.*]] = arith.addf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:        memref.store %[[N3]], %[[ARG1]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    transform.uma.compute_at %p, %j
    transform.yield
  }
}

// -----

// A tile of 5 of the consumer: the last one reaches past the end, and the excess is left out.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[C16:.*]] = arith.constant 16 : index
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "t" : memref<16xf32>
// CHECK-NEXT:    uma.tir.for %[[J_0:.*]] = 0 to 4 label "j_0" {
// CHECK-NEXT:      uma.tir.for %[[AX0:.*]] = 0 to 5 label "ax0" {
// CHECK-NEXT:        %[[N1:.*]] = arith.muli %[[J_0]], %[[C5]] : index
// CHECK-NEXT:        %[[N2:.*]] = arith.addi %[[N1]], %[[AX0]] : index
// CHECK-NEXT:        %[[N3:.*]] = arith.cmpi slt, %[[N2]], %[[C16]] : index
// CHECK-NEXT:        uma.tir.block "P" (spatial %[[V:.*]] = %[[N2]] in 16) where %[[N3]]
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:          %[[N4:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N5:.*]] = arith.mulf %[[N4]], %[[CST]] : f32
// CHECK-NEXT:          memref.store %[[N5]], %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[J_1:.*]] = 0 to 5 label "j_1" {
// CHECK-NEXT:        %[[N1:.*]] = arith.muli %[[J_0]], %[[C5]] : index
// CHECK-NEXT:        %[[N2:.*]] = arith.addi %[[N1]], %[[J_1]] : index
// CHECK-NEXT:        %[[N3:.*]] = arith.cmpi slt, %[[N2]], %[[C16]] : index
// CHECK-NEXT:        uma.tir.block "Q" (spatial %[[V:.*]] = %[[N2]] in 16) where %[[N3]]
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>, %[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:          %[[N4:.*]] = memref.load %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N5:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N6:.*]] = arith.addf %[[N4]], %[[N5]] : f32
// CHECK-NEXT:          memref.store %[[N6]], %[[ARG1]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    %j0, %j1 = transform.uma.split %j [?, 5]
    transform.uma.compute_at %p, %j0
    transform.yield
  }
}

// -----

// Three neighbours: elements are computed more than once.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "t" : memref<16xf32>
// CHECK-NEXT:    uma.tir.for %[[J:.*]] = 0 to 14 label "j" {
// CHECK-NEXT:      uma.tir.for %[[AX0:.*]] = 0 to 3 label "ax0" {
// CHECK-NEXT:        %[[N1:.*]] = arith.addi %[[J]], %[[AX0]] : index
// CHECK-NEXT:        uma.tir.block "P" (spatial %[[V:.*]] = %[[N1]] in 16)
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:          %[[N2:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N3:.*]] = arith.mulf %[[N2]], %[[CST]] : f32
// CHECK-NEXT:          memref.store %[[N3]], %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.block "Q" (spatial %[[V:.*]] = %[[J]] in 14)
// CHECK-NEXT:          reads(%[[N0]][affine_map<(d0) -> (d0)>, [3]] : memref<16xf32>, %[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:          writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:        %[[N1:.*]] = memref.load %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N2:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N3:.*]] = arith.addf %[[N1]], %[[N2]] : f32
// CHECK-NEXT:        memref.store %[[N3]], %[[ARG1]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 14 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 14)
          reads(%t[affine_map<(d0) -> (d0)>, [3]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    transform.uma.compute_at %p, %j
    transform.yield
  }
}

// -----

// A reduction moves with its loops.
// CHECK-LABEL: uma.tir.func @softmax_like(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4x6xf32>, %[[ARG1:.*]]: memref<4x6xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "m" : memref<4xf32>
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 4 label "i" {
// CHECK-NEXT:      uma.tir.for %[[AX1:.*]] = 0 to 6 label "ax1" {
// CHECK-NEXT:        uma.tir.block "P" (spatial %[[V:.*]] = %[[I]] in 4, reduce %[[V_0:.*]] = %[[AX1]] in 6)
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0, d1) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:        init (%[[V:.*]], %[[V_0:.*]]) {
// CHECK-NEXT:          memref.store %[[CST]], %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        } do {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:          %[[N2:.*]] = memref.load %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:          %[[N3:.*]] = arith.addf %[[N2]], %[[N1]] : f32
// CHECK-NEXT:          memref.store %[[N3]], %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 6 label "j" {
// CHECK-NEXT:        uma.tir.block "Q" (spatial %[[V:.*]] = %[[I]] in 4, spatial %[[V_0:.*]] = %[[J]] in 6)
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0, d1) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:          memref.store %[[N1]], %[[ARG1]][%[[V]], %[[V_0]]] : memref<4x6xf32>
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
    %p = transform.uma.get_block "P" in %root
    %q = transform.uma.get_block "Q" in %root
    %i, %k = transform.uma.get_loops %p
    %i2, %j = transform.uma.get_loops %q
    transform.uma.compute_at %p, %i2
    transform.yield
  }
}

// -----

// The consumer follows as soon as the reduction is complete.
// CHECK-LABEL: uma.tir.func @softmax_like(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4x6xf32>, %[[ARG1:.*]]: memref<4x6xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "m" : memref<4xf32>
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 4 label "i" {
// CHECK-NEXT:      uma.tir.for %[[K:.*]] = 0 to 6 label "k" {
// CHECK-NEXT:        uma.tir.block "P" (spatial %[[V:.*]] = %[[I]] in 4, reduce %[[V_0:.*]] = %[[K]] in 6)
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0, d1) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:        init (%[[V:.*]], %[[V_0:.*]]) {
// CHECK-NEXT:          memref.store %[[CST]], %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        } do {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[ARG0]][%[[V]], %[[V_0]]] : memref<4x6xf32>
// CHECK-NEXT:          %[[N2:.*]] = memref.load %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:          %[[N3:.*]] = arith.addf %[[N2]], %[[N1]] : f32
// CHECK-NEXT:          memref.store %[[N3]], %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[AX1:.*]] = 0 to 6 label "ax1" {
// CHECK-NEXT:        uma.tir.block "Q" (spatial %[[V:.*]] = %[[I]] in 4, spatial %[[V_0:.*]] = %[[AX1]] in 6)
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0, d1) -> (d0)>, [1]] : memref<4xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0, d1) -> (d0, d1)>, [1, 1]] : memref<4x6xf32>) {
// CHECK-NEXT:          %[[N1:.*]] = memref.load %[[N0]][%[[V]]] : memref<4xf32>
// CHECK-NEXT:          memref.store %[[N1]], %[[ARG1]][%[[V]], %[[V_0]]] : memref<4x6xf32>
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
    %p = transform.uma.get_block "P" in %root
    %q = transform.uma.get_block "Q" in %root
    %i, %k = transform.uma.get_loops %p
    %i2, %j = transform.uma.get_loops %q
    transform.uma.reverse_compute_at %q, %i
    transform.yield
  }
}

// -----

// Consumers of a tile of 5.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[C16:.*]] = arith.constant 16 : index
// CHECK-NEXT:    %[[N0:.*]] = uma.tir.alloc local label "t" : memref<16xf32>
// CHECK-NEXT:    uma.tir.for %[[I_0:.*]] = 0 to 4 label "i_0" {
// CHECK-NEXT:      uma.tir.for %[[I_1:.*]] = 0 to 5 label "i_1" {
// CHECK-NEXT:        %[[N1:.*]] = arith.muli %[[I_0]], %[[C5]] : index
// CHECK-NEXT:        %[[N2:.*]] = arith.addi %[[N1]], %[[I_1]] : index
// CHECK-NEXT:        %[[N3:.*]] = arith.cmpi slt, %[[N2]], %[[C16]] : index
// CHECK-NEXT:        uma.tir.block "P" (spatial %[[V:.*]] = %[[N2]] in 16) where %[[N3]]
// CHECK-NEXT:            reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:            writes(%[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:          %[[N4:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N5:.*]] = arith.mulf %[[N4]], %[[CST]] : f32
// CHECK-NEXT:          memref.store %[[N5]], %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[AX0:.*]] = 0 to 5 label "ax0" {
// CHECK-NEXT:        %[[N1:.*]] = arith.muli %[[I_0]], %[[C5]] : index
// CHECK-NEXT:        %[[N2:.*]] = arith.addi %[[N1]], %[[AX0]] : index
// CHECK-NEXT:        %[[N3:.*]] = arith.cmpi slt, %[[N2]], %[[C16]] : index
// CHECK-NEXT:        uma.tir.block "Q" (spatial %[[V:.*]] = %[[N2]] in 16) where %[[N3]]
// CHECK-NEXT:            reads(%[[N0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>, %[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:            writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:          %[[N4:.*]] = memref.load %[[N0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N5:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:          %[[N6:.*]] = arith.addf %[[N4]], %[[N5]] : f32
// CHECK-NEXT:          memref.store %[[N6]], %[[ARG1]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    %i0, %i1 = transform.uma.split %i [?, 5]
    transform.uma.reverse_compute_at %q, %i0
    transform.yield
  }
}

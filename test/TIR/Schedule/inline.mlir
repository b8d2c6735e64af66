// Blocks that vanish into those that use their elements, or give their operand.
// RUN: uma-opt %s --transform-interpreter -split-input-file --mlir-print-local-scope | FileCheck %s

// Into the consumer.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    uma.tir.for %[[J:.*]] = 0 to 16 label "j" {
// CHECK-NEXT:      uma.tir.block "Q" (spatial %[[V:.*]] = %[[J]] in 16)
// CHECK-NEXT:          reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:          writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:        %[[N0:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N1:.*]] = arith.mulf %[[N0]], %[[CST]] : f32
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
    transform.uma.compute_inline %p
    transform.yield
  }
}

// -----

// Into the producer.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 16 label "i" {
// CHECK-NEXT:      uma.tir.block "P" (spatial %[[V:.*]] = %[[I]] in 16)
// CHECK-NEXT:          reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:          writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:        %[[N0:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N1:.*]] = arith.mulf %[[N0]], %[[CST]] : f32
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
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    transform.uma.reverse_compute_inline %q
    transform.yield
  }
}

// -----

// The consumer reads three neighbours: so it does of the operand.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:  %[[ARG0:.*]]: memref<16xf32>, %[[ARG1:.*]]: memref<16xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    uma.tir.for %[[J:.*]] = 0 to 14 label "j" {
// CHECK-NEXT:      uma.tir.block "Q" (spatial %[[V:.*]] = %[[J]] in 14)
// CHECK-NEXT:          reads(%[[ARG0]][affine_map<(d0) -> (d0)>, [3]] : memref<16xf32>, %[[ARG0]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
// CHECK-NEXT:          writes(%[[ARG1]][affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
// CHECK-NEXT:        %[[N0:.*]] = memref.load %[[ARG0]][%[[V]]] : memref<16xf32>
// CHECK-NEXT:        %[[N1:.*]] = arith.mulf %[[N0]], %[[CST]] : f32
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
    transform.uma.compute_inline %p
    transform.yield
  }
}

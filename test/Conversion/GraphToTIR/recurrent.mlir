// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// The states of the present step are in the results; steps behind the end of a sequence give 0.

// CHECK-LABEL: uma.tir.func private @lstm(
// CHECK-SAME:  %[[LENS:[^:]*]]: memref<2xi32>, %[[Y:[^:]*]]: memref<5x1x2x3xf32>, %[[H:[^:]*]]: memref<1x2x3xf32>, %[[C:[^:]*]]: memref<1x2x3xf32>)
// CHECK:       memref.store %{{.*}}, %[[H]]
// CHECK:       memref.store %{{.*}}, %[[C]]
// CHECK:       memref.load %[[LENS]]
// CHECK:       arith.maxsi
// CHECK:       arith.minsi %{{.*}}, %c5
// CHECK:       for %{{.*}} = 0 to 5 {
// CHECK:       scf.if
// CHECK-COUNT-3: uma.tir.alloc local label "inputs"
// CHECK:       memref.store %{{.*}}, %[[C]]
// CHECK:       uma.tir.alloc local label "inputs"
// CHECK:       memref.store %{{.*}}, %[[Y]]
// CHECK:       memref.store %{{.*}}, %[[H]]
// CHECK:       } else {
// CHECK:       memref.store %{{.*}}, %[[Y]]
func.func @main(%x: tensor<5x2x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>, %lens: tensor<2xi32>)
    -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
  %y, %h, %c = uma.graph.lstm %x, %w, %r sequence_lens %lens
      : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<2xi32>)
      -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  return %y, %h, %c : tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>
}

// -----

// The candidate reads the reset states of all units, which need a place of their own; reset after the product does not.

// CHECK-LABEL: uma.tir.func private @gru(
// CHECK:       uma.tir.alloc local label "reset_states" : memref<3xf32>
// CHECK-LABEL: uma.tir.func private @gru_{{[0-9]+}}(
// CHECK-NOT:   reset_states
func.func @main(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>) {
  %y, %h = uma.graph.gru %x, %w, %r
      : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  %z, %i = uma.graph.gru %x, %w, %r linear_before_reset true
      : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return %y, %i : tensor<5x1x1x3xf32>, tensor<1x1x3xf32>
}

// -----

// The second direction runs backwards, with a function of its own.

// CHECK-LABEL: uma.tir.func private @rnn(
// CHECK:       math.tanh
// CHECK:       arith.subi %c5
// CHECK-NOT:   math.tanh
func.func @main(%x: tensor<5x1x2xf32>, %w: tensor<2x3x2xf32>, %r: tensor<2x3x3xf32>) -> tensor<5x2x1x3xf32> {
  %y, %h = uma.graph.rnn %x, %w, %r direction "bidirectional" activations ["tanh", "relu"]
      : (tensor<5x1x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>) -> (tensor<5x2x1x3xf32>, tensor<2x1x3xf32>)
  return %y : tensor<5x2x1x3xf32>
}

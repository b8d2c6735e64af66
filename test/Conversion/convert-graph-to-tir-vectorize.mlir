// Layers of the CPU with vectors: blocks of channels, borders of zeros, packed weights, fused epilogues.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-cpu-plan="winograd=true" --convert-uma-graph-to-uma-tir=vectorize --split-input-file | FileCheck %s --check-prefix=WINOGRAD

// The data of a model come row by row, and get a border; the first layer writes blocks of 16 channels with the border
// that the second one reads; the addition lies in the second layer's registers.

// CHECK-DAG: memref.global "private" constant @conv_0_packed : memref<2x27x16xf32>
// CHECK-DAG: memref.global "private" constant @conv_1_packed : memref<2x288x16xf32>
// CHECK-LABEL: uma.tir.func @chain(
// CHECK: %[[IN:.*]] = uma.tir.alloc workspace label "input" : memref<1x3x16x16xf32>
// CHECK: uma.tir.call @input_layout(%{{.*}}, %[[IN]])
// CHECK: %[[A:.*]] = uma.tir.alloc workspace label "relu_0" : memref<1x2x16x16x16xf32>
// CHECK: uma.tir.call @conv_0_conv2d_relu(%[[IN]], %[[A]], %{{.*}})
// CHECK: %[[B:.*]] = uma.tir.alloc workspace label "sum" : memref<1x2x14x14x16xf32>
// CHECK: uma.tir.call @conv_1_conv2d_add(%[[A]], %[[B]], %{{.*}})
// CHECK: uma.tir.call @sum_layout(%[[B]], %{{.*}})

// CHECK-LABEL: uma.tir.func private @conv_1_conv2d_add(
// CHECK-SAME: layer = "conv_1", uma.layers = ["conv_1", "sum"]
// CHECK-NEXT: uma.tir.multiversion lanes(16) {
// CHECK: uma.tir.alloc local label "sum" : memref<14x32xf32>
// CHECK: uma.tir.for unrolled %{{.*}} = 0 to 14 {
// CHECK: uma.tir.block "conv2d_start"
// CHECK: uma.tir.block "conv2d_weights"
// CHECK: uma.tir.block "conv2d"
// CHECK: uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK: uma.tir.block "conv2d_result"
// CHECK: lanes(8) {
// CHECK: lanes(4) {
// CHECK: default {

// With Winograd's algorithm the second layer is three steps in buffers of their own.

// WINOGRAD-DAG: memref.global "private" constant @conv_1_winograd : memref<36x{{.*}}xf32>
// WINOGRAD: uma.tir.block "winograd_data"
// WINOGRAD: uma.tir.block "winograd"
// WINOGRAD: uma.tir.block "winograd_result"
func.func @chain(%x: tensor<1x3x14x14xf32>) -> tensor<1x32x14x14xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<32x3x3x3xf32>
  %0 = uma.graph.conv2d %x, %w0 padding [1, 1, 1, 1] : (tensor<1x3x14x14xf32>, tensor<32x3x3x3xf32>) -> tensor<1x32x14x14xf32> loc("conv_0")
  %1 = uma.graph.relu %0 : (tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32> loc("relu_0")
  %w1 = uma.graph.constant dense<0.25> : tensor<32x32x3x3xf32>
  %2 = uma.graph.conv2d %1, %w1 padding [1, 1, 1, 1] : (tensor<1x32x14x14xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x14x14xf32> loc("conv_1")
  %3 = uma.graph.add %2, %1 : (tensor<1x32x14x14xf32>, tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32> loc("sum")
  return %3 : tensor<1x32x14x14xf32>
}

// -----

// A product with a matrix that is known only at run time is packed there, unless few rows use it.

// CHECK-LABEL: uma.tir.func @product(
// CHECK: %[[PACKED:.*]] = uma.tir.alloc workspace label "mm_packed" : memref<2x1x8x{{[0-9]+}}xf32>
// CHECK: uma.tir.call @mm_batch_matmul(
// CHECK: uma.tir.call @few_batch_matmul(
// CHECK-LABEL: uma.tir.func private @mm_batch_matmul(
// CHECK: uma.tir.block "pack"
// CHECK: uma.tir.multiversion
// CHECK-LABEL: uma.tir.func private @few_batch_matmul(
// CHECK-NOT: uma.tir.block "pack"
// CHECK: uma.tir.multiversion
func.func @product(%x: tensor<2x4x8xf32>, %y: tensor<2x16x8xf32>, %z: tensor<2x8x16xf32>) -> (tensor<2x4x16xf32>, tensor<2x4x16xf32>) {
  %0 = uma.graph.batch_matmul %x, %y transpose_b true : (tensor<2x4x8xf32>, tensor<2x16x8xf32>) -> tensor<2x4x16xf32> loc("mm")
  %1 = uma.graph.batch_matmul %x, %z : (tensor<2x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32> loc("few")
  return %0, %1 : tensor<2x4x16xf32>, tensor<2x4x16xf32>
}

// -----

// Nothing to gain: three channels, doubles, weights that are not known.

// CHECK-LABEL: uma.tir.func @plain(
// CHECK-NOT: uma.tir.multiversion
func.func @plain(%x: tensor<1x4x5x5xf32>, %w: tensor<8x4x3x3xf32>, %d: tensor<1x4x5x5xf64>) -> (tensor<1x3x3x3xf32>, tensor<1x8x3x3xf32>, tensor<1x4x5x5xf64>) {
  %w0 = uma.graph.constant dense<0.5> : tensor<3x4x3x3xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x4x5x5xf32>, tensor<3x4x3x3xf32>) -> tensor<1x3x3x3xf32>
  %1 = uma.graph.conv2d %x, %w : (tensor<1x4x5x5xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x3x3xf32>
  %2 = uma.graph.relu %d : (tensor<1x4x5x5xf64>) -> tensor<1x4x5x5xf64>
  return %0, %1, %2 : tensor<1x3x3x3xf32>, tensor<1x8x3x3xf32>, tensor<1x4x5x5xf64>
}

// -----

// A recurrent layer: a product for the inputs of all steps; in each step one for the states, then the gates' functions
// on vectors of units. Other threads do not come in for as little as a step.

// CHECK-DAG: memref.global "private" constant @lstm_weight_packed : memref<4x9x16xf32>
// CHECK-DAG: memref.global "private" constant @lstm_recurrence_packed : memref<4x17x16xf32>
// CHECK-LABEL: uma.tir.func @lstm(
// CHECK: uma.tir.alloc workspace label "lstm_inputs" : memref<10x64xf32>
// CHECK: uma.tir.alloc workspace label "lstm_states" : memref<2x64xf32>
// CHECK-LABEL: uma.tir.func private @lstm_{{[0-9]+}}(
// CHECK: uma.tir.multiversion lanes(16) {
// CHECK: uma.tir.block "inputs_result"
// CHECK: uma.tir.block "start"
// CHECK: uma.tir.for %{{.*}} = 0 to 5 {
// CHECK-NOT: uma.tir.for parallel
// CHECK: uma.tir.block "states_result"
// CHECK-NOT: uma.tir.for parallel
// CHECK: uma.tir.block "lstm"
// CHECK: uma.tir.for vectorized %{{.*}} = 0 to 16 {
// CHECK: math.exp
// CHECK: math.tanh
func.func @lstm(%x: tensor<5x2x8xf32>) -> tensor<5x1x2x16xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<1x64x8xf32>
  %r = uma.graph.constant dense<0.25> : tensor<1x64x16xf32>
  %y, %h, %c = uma.graph.lstm %x, %w, %r
      : (tensor<5x2x8xf32>, tensor<1x64x8xf32>, tensor<1x64x16xf32>)
      -> (tensor<5x1x2x16xf32>, tensor<1x2x16xf32>, tensor<1x2x16xf32>)
  return %y : tensor<5x1x2x16xf32>
}

// -----

// Where the states are reset before the product, the candidate's is a product of its own, in a buffer for them; each
// direction has weights of its own.

// CHECK-DAG: memref.global "private" constant @gru_weight_packed :
// CHECK-DAG: memref.global "private" constant @gru_recurrence_packed : memref<1x8x16xf32>
// CHECK-DAG: memref.global "private" constant @gru_recurrence_candidate_packed : memref<1x8x8xf32>
// CHECK-DAG: memref.global "private" constant @gru_recurrence_reverse_candidate_packed : memref<1x8x8xf32>
// CHECK-LABEL: uma.tir.func @gru(
// CHECK: uma.tir.alloc workspace label "gru_reset_states" : memref<1x8xf32>
// CHECK-LABEL: uma.tir.func private @gru_{{[0-9]+}}(
// CHECK: uma.tir.block "states_result"
// CHECK: uma.tir.block "reset"
// CHECK: uma.tir.block "states_result"
// CHECK: uma.tir.block "gru"
func.func @gru(%x: tensor<5x1x4xf32>) -> tensor<5x2x1x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<2x24x4xf32>
  %r = uma.graph.constant dense<0.25> : tensor<2x24x8xf32>
  %y, %h = uma.graph.gru %x, %w, %r direction "bidirectional"
      : (tensor<5x1x4xf32>, tensor<2x24x4xf32>, tensor<2x24x8xf32>) -> (tensor<5x2x1x8xf32>, tensor<2x1x8xf32>)
  return %y : tensor<5x2x1x8xf32>
}

// -----

// Sequences of different lengths keep their plain loops, lengths that say nothing do not count.

// CHECK-LABEL: uma.tir.func private @short_rnn(
// CHECK-NOT: uma.tir.multiversion
// CHECK: scf.if
// CHECK-LABEL: uma.tir.func private @full_rnn(
// CHECK: uma.tir.multiversion
func.func @rnn(%x: tensor<5x1x4xf32>) -> (tensor<1x1x8xf32>, tensor<1x1x8xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<1x8x4xf32>
  %r = uma.graph.constant dense<0.25> : tensor<1x8x8xf32>
  %four = uma.graph.constant dense<4> : tensor<1xi32>
  %0, %1 = uma.graph.rnn %x, %w, %r sequence_lens %four
      : (tensor<5x1x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>, tensor<1xi32>) -> (tensor<5x1x1x8xf32>, tensor<1x1x8xf32>) loc("short")
  %five = uma.graph.constant dense<5> : tensor<1xi32>
  %2, %3 = uma.graph.rnn %x, %w, %r sequence_lens %five
      : (tensor<5x1x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>, tensor<1xi32>) -> (tensor<5x1x1x8xf32>, tensor<1x1x8xf32>) loc("full")
  return %1, %3 : tensor<1x1x8xf32>, tensor<1x1x8xf32>
}

// -----

// Scalars that are known stand in the code, squares are products; what begins behind an operator that no nest of vectors
// computes is one layer, too.

// CHECK-LABEL: uma.tir.func @squares(
// CHECK: uma.tir.call @root_power_add_sqrt(
// CHECK-LABEL: uma.tir.func private @left_power(
// CHECK-NOT: math.powf
// CHECK: arith.mulf
// CHECK-LABEL: uma.tir.func private @root_power_add_sqrt(
// CHECK: arith.mulf
// CHECK: math.sqrt
func.func @squares(%x: tensor<16xf32>) -> tensor<8xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %0 = uma.graph.strided_slice %x [0] size [8] strides [1] : (tensor<16xf32>) -> tensor<8xf32>
  %1 = uma.graph.power %0, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> loc("left")
  %2 = uma.graph.strided_slice %x [8] size [8] strides [1] : (tensor<16xf32>) -> tensor<8xf32>
  %3 = uma.graph.power %2, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> loc("right")
  %4 = uma.graph.add %1, %3 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("sum")
  %5 = uma.graph.sqrt %4 : (tensor<8xf32>) -> tensor<8xf32> loc("root")
  return %5 : tensor<8xf32>
}

// Scripts change the loops of their layers; buffers between operators that are left are memory of the network.
// RUN: split-file %s %t
// RUN: uma-opt %t/net.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %t/net.mlir --check-prefix=LOOPS
// RUN: uma-opt %t/net.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir --uma-cpu-apply-scripts | FileCheck %t/net.mlir
// RUN: uma-opt %t/net.mlir --uma-lower --uma-emit-c | uma-translate --uma-to-c > %t/net.c
// RUN: cc -std=c99 -Wall -Wextra -Wpedantic -Werror -c %t/net.c -o %t/net.o
// RUN: uma run %t/net.mlir --trust-model --compare | FileCheck %t/net.mlir --check-prefix=RIGHT
// RUN: not uma-opt %t/wrong.mlir --uma-lower 2>&1 | FileCheck %t/wrong.mlir
// RUN: not uma-opt %t/nothing.mlir --uma-cpu-apply-scripts 2>&1 | FileCheck %t/nothing.mlir
// RUN: not uma-opt %t/through.mlir --uma-lower 2>&1 | FileCheck %t/through.mlir

//--- net.mlir
// Blocks of equal operators have labels of their own.
// LOOPS-LABEL: uma.tir.func private @layer({{.*}}) attributes {layer = "d", uma.layers = ["d", "relu", "exp", "relu"], uma.macs = 256 : i64, uma.script = @rows}
// LOOPS: uma.tir.alloc workspace label "d" : memref<4x8xf32>
// LOOPS: uma.tir.block "relu" (
// LOOPS: uma.tir.block "exp" (
// LOOPS: uma.tir.block "relu_1" (
// CHECK-NOT: transform
// CHECK: uma.tir.func @main(
// CHECK: %[[D:.*]] = uma.tir.alloc workspace label "exp" : memref<4x8xf32>
// CHECK: uma.tir.call @layer(%{{.*}}, %{{.*}}, %{{.*}}, %[[D]])
// CHECK: uma.tir.func private @layer(%{{.*}}, %{{.*}}, %{{.*}}: memref<4x8xf32>, %[[E:.*]]: memref<4x8xf32>)
// CHECK: uma.tir.multiversion lanes(4) {
// CHECK: memref.store %{{.*}}, %[[E]][
// CHECK: default
// CHECK: memref.store %{{.*}}, %[[E]][
// RIGHT: equal to the reference interpreter
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {uma.network = "net"} {
    %w = uma.graph.constant dense<0.5> : tensor<8x8xf32>
    %0 = call @layer(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<script, @rows>} {
    %0 = uma.graph.dense %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("d")
    %1 = uma.graph.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = uma.graph.exp %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = uma.graph.relu %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
  }
  transform.named_sequence @rows(%layer: !transform.any_op {transform.readonly}) {
    %copy = transform.uma.get_block "dense_result" in %layer
    transform.uma.reverse_compute_inline %copy
    %relu = transform.uma.get_block "relu" in %layer
    transform.uma.compute_inline %relu
    transform.uma.multiversion %layer [4]
    %dense = transform.uma.get_block "dense" in %layer lanes(4)
    transform.uma.set_scope %dense[0] local
    %last = transform.uma.get_block "dense" in %layer lanes(1)
    transform.uma.set_scope %last[0] local
    transform.yield
  }
}

//--- wrong.mlir
// CHECK: error: 'uma.tir.func' op has no block "dence"; did you mean 'dense'
// CHECK: note: wanted by the script
// CHECK: error: script @rows failed for layer 'd'
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
    %0 = call @layer(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<script, @rows>} {
    %0 = uma.graph.dense %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("d")
    return %0 : tensor<4x8xf32>
  }
  transform.named_sequence @rows(%layer: !transform.any_op {transform.readonly}) {
    %dense = transform.uma.get_block "dence" in %layer
    transform.yield
  }
}

//--- nothing.mlir
// CHECK: error: 'uma.tir.func' op has uma.script = @main, expected the name of a transform.named_sequence
uma.tir.func @main(%x: memref<4xf32>) attributes {uma.script = @main} {
}

//--- through.mlir
// CHECK: error: 'func.func' op of layer 'layer' is computed by a script, expected results that an operator in it computes, each for itself
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = call @layer(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func private @layer(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<script, @rows>} {
    return %x : tensor<4x8xf32>
  }
  transform.named_sequence @rows(%layer: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

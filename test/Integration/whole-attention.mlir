// Attention from the graph's operator and from what exporters write: both compute on the CPU, by the emitted C and by
// linalg, what the interpreter does. A device takes it whole.

// RUN: rm -rf %t && mkdir %t
// RUN: uma run %s --compare --cc %gcc | FileCheck %s
// RUN: uma-opt %s --uma-graph-default | FileCheck %s --check-prefix=RAISED
// RUN: uma-opt %s --uma-graph-default --convert-uma-graph-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: echo 'accelerator npu { pattern attention(q: f32[b, l, d], k: f32[b, s, d], v: f32[b, s, e], m: f32) { y = attention(q, k, v, m, scale=any); call npu_attention(q, k, v, m, y, b, l, s, d, e) } }' > %t/npu.uma
// RUN: uma explain %s -a %t/npu.uma | FileCheck %s --check-prefix=DEVICE
// REQUIRES: gcc

// CHECK: whole: equal to the reference interpreter
// CHECK: exported: equal to the reference interpreter
// RAISED-COUNT-2: uma.graph.attention
// LINALG-NOT: uma.graph
// DEVICE: npu: 2 of 2 operators
func.func @main(%q: tensor<2x5x8xf32> {uma.name = "q"}, %k: tensor<2x6x8xf32> {uma.name = "k"}, %v: tensor<2x6x3xf32> {uma.name = "v"}, %m: tensor<5x6xf32> {uma.name = "m"})
    -> (tensor<2x5x3xf32> {uma.name = "whole"}, tensor<2x5x3xf32> {uma.name = "exported"}) attributes {uma.network = "attention"} {
  %whole = uma.graph.attention %q, %k, %v mask %m scale 0.35355
      : (tensor<2x5x8xf32>, tensor<2x6x8xf32>, tensor<2x6x3xf32>, tensor<5x6xf32>) -> tensor<2x5x3xf32>
  %c = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.batch_matmul %q, %k transpose_b true : (tensor<2x5x8xf32>, tensor<2x6x8xf32>) -> tensor<2x5x6xf32>
  %1 = uma.graph.multiply %0, %c : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<2x5x6xf32>
  %2 = uma.graph.add %1, %m : (tensor<2x5x6xf32>, tensor<5x6xf32>) -> tensor<2x5x6xf32>
  %3 = uma.graph.softmax %2 : (tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %4 = uma.graph.batch_matmul %3, %v : (tensor<2x5x6xf32>, tensor<2x6x3xf32>) -> tensor<2x5x3xf32>
  return %whole, %4 : tensor<2x5x3xf32>, tensor<2x5x3xf32>
}

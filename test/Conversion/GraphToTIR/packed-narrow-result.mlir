// A layer that ends with bytes packs its second matrix in the elements of the product.

// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s

// CHECK: uma.tir.alloc workspace label "scores_packed" : memref<2x{{.*}}x16xf32>
func.func @main(%x: tensor<2x128x64xf32>, %y: tensor<2x128x64xf32>) -> tensor<2x128x128xui8> {
  %0 = uma.graph.batch_matmul %x, %y transpose_b true : (tensor<2x128x64xf32>, tensor<2x128x64xf32>) -> tensor<2x128x128xf32> loc("scores")
  %1 = uma.graph.clip %0 min 0.0 max 255.0 : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
  %2 = uma.graph.round %1 : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
  %3 = uma.graph.cast %2 to ui8 {uma.in_range} : (tensor<2x128x128xf32>) -> tensor<2x128x128xui8>
  return %3 : tensor<2x128x128xui8>
}

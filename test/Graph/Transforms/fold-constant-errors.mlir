// RUN: not uma-opt %s --uma-graph-fold-constant="max-bytes=-1" 2>&1 | FileCheck %s

// CHECK: error: uma-graph-fold-constant: max-bytes is -1, expected 0 or more
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

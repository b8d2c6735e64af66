// RUN: not uma-opt %s --uma-graph-fuse-ops=max-depth=0 2>&1 | FileCheck %s
// RUN: not uma-opt %s --uma-graph-fuse-ops=max-depth=-3 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// CHECK: error: uma-graph-fuse-ops: max-depth is 0, expected 1 or more
// NEGATIVE: error: uma-graph-fuse-ops: max-depth is -3, expected 1 or more
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

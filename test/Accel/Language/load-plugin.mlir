// An accelerator in a shared library: its predicate, in C++, looks at the values of weights, and `uma explain` prints
// its reason.

// RUN: uma-opt %s --uma-partition=%build/lib/Sparse24.so 2>&1 | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: uma explain %s -a %build/lib/Sparse24.so | FileCheck %s --check-prefix=EXPLAIN
// RUN: uma-opt %s --uma-partition=%build/lib/Sparse24.so --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=STRATEGY
// RUN: uma check %build/lib/Sparse24.so | FileCheck %s --check-prefix=VERIFY
// RUN: uma run %s -a %build/lib/Sparse24.so --compare | FileCheck %s --check-prefix=RESULT

// CHECK-DAG: uma.accel.accelerator @sparse24
// CHECK-DAG: call @main_sparse24_0(%{{.*}}) : (tensor<2x4xf32>) -> tensor<2x3xf32>
// CHECK-DAG: uma.graph.dense {{.*}} -> tensor<2x2xf32>
// EXPLAIN: sparse  {{ *}}dense {{ *}}sparse24
// EXPLAIN: full {{ *}}dense {{ *}}cpu {{.*}} dense 'full': 3 of the four weights from element 4 on are not zero, the unit multiplies by two
// VERIFY: Sparse24.so: accelerator 'sparse24', 2 patterns, no errors
// Its loops are those of the strategy that it adds, level 11, not the built-in ones of level 10.
// STRATEGY: uma.tir.block "sparse24_relu"
// STRATEGY-NOT: uma.tir.block "relu
// RESULT: output0: equal to the reference interpreter
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x2xf32> attributes {uma.network = "net"} {
  %w = uma.graph.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.5, 0.0], [0.0, 3.0, -1.0, 0.0]]> : tensor<3x4xf32>
  %y = uma.graph.dense %x, %w : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32> loc("sparse")
  %r = uma.graph.relu %y : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("relu")
  %p = uma.graph.pad %r before [0, 0] after [0, 1] : (tensor<2x3xf32>) -> tensor<2x4xf32> loc("pad")
  %v = uma.graph.constant dense<[[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 2.0, 3.0]]> : tensor<2x4xf32>
  %z = uma.graph.dense %p, %v : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x2xf32> loc("full")
  return %z : tensor<2x2xf32>
}

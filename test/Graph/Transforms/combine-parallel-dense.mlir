// RUN: uma-opt %s --uma-graph-combine-parallel-dense --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-graph-combine-parallel-dense --uma-graph-fold-constant --split-input-file | FileCheck %s --check-prefix=FOLDED
// RUN: not uma-opt %s --uma-graph-combine-parallel-dense=min-branches=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: uma-graph-combine-parallel-dense: min-branches is 0, expected 2 or more

// Queries, keys and values of an attention layer, of different sizes. Names of the layers survive.

// CHECK-LABEL: func @attention
// CHECK: %[[W:.*]] = uma.graph.concatenate %{{.*}}, %{{.*}}, %{{.*}} axis 0 : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<5x2xf32>
// CHECK: %[[D:.*]] = uma.graph.dense %{{.*}}, %[[W]] : (tensor<1x3x2xf32>, tensor<5x2xf32>) -> tensor<1x3x5xf32>
// CHECK: %[[B:.*]] = uma.graph.concatenate %{{.*}}, %{{.*}}, %{{.*}} axis 0 : (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<5xf32>
// CHECK: %[[S:.*]] = uma.graph.bias_add %[[D]], %[[B]] axis 2
// CHECK: %[[Q:.*]] = uma.graph.strided_slice %[[S]] [0, 0, 0] size [1, 3, 2]
// CHECK: %[[K:.*]] = uma.graph.strided_slice %[[S]] [0, 0, 2] size [1, 3, 2]
// CHECK: %[[V:.*]] = uma.graph.strided_slice %[[S]] [0, 0, 4] size [1, 3, 1]
// CHECK-NEXT: return %[[Q]], %[[K]], %[[V]]

// FOLDED-LABEL: func @attention
// FOLDED: %[[W:.*]] = uma.graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01]]> : tensor<5x2xf32>
// FOLDED: %[[D:.*]] = uma.graph.dense %{{.*}}, %[[W]]
// FOLDED: %[[B:.*]] = uma.graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<5xf32>
// FOLDED: uma.graph.bias_add %[[D]], %[[B]] axis 2
func.func @attention(%x: tensor<1x3x2xf32>) -> (tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x1xf32>) {
  %wq = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %bq = uma.graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = uma.graph.dense %x, %wq : (tensor<1x3x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
  %q = uma.graph.bias_add %0, %bq axis 2 : (tensor<1x3x2xf32>, tensor<2xf32>) -> tensor<1x3x2xf32>
  %wk = uma.graph.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %bk = uma.graph.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %1 = uma.graph.dense %x, %wk : (tensor<1x3x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
  %k = uma.graph.bias_add %1, %bk axis 2 : (tensor<1x3x2xf32>, tensor<2xf32>) -> tensor<1x3x2xf32>
  %wv = uma.graph.constant dense<[[9.0, 10.0]]> : tensor<1x2xf32>
  %bv = uma.graph.constant dense<[5.0]> : tensor<1xf32>
  %2 = uma.graph.dense %x, %wv : (tensor<1x3x2xf32>, tensor<1x2xf32>) -> tensor<1x3x1xf32>
  %v = uma.graph.bias_add %2, %bv axis 2 : (tensor<1x3x1xf32>, tensor<1xf32>) -> tensor<1x3x1xf32>
  return %q, %k, %v : tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x1xf32>
}

// -----

// Layers with another out_dtype, and those of a composite, are not parallel to the others.

// CHECK-LABEL: func @different
// CHECK-NOT: uma.graph.concatenate
func.func @different(%x: tensor<1x2xf16>, %w: tensor<2x2xf16>) -> (tensor<1x2xf16>, tensor<1x2xf16>, tensor<1x2xf32>, tensor<1x2xf16>) {
  %0 = uma.graph.dense %x, %w : (tensor<1x2xf16>, tensor<2x2xf16>) -> tensor<1x2xf16>
  %1 = uma.graph.dense %x, %w : (tensor<1x2xf16>, tensor<2x2xf16>) -> tensor<1x2xf16>
  %2 = uma.graph.dense %x, %w out_dtype f32 : (tensor<1x2xf16>, tensor<2x2xf16>) -> tensor<1x2xf32>
  %3 = uma.graph.composite @vanilla::@dense (%a = %x : tensor<1x2xf16>, %b = %w : tensor<2x2xf16>) -> tensor<1x2xf16> {
    %4 = uma.graph.dense %a, %b : (tensor<1x2xf16>, tensor<2x2xf16>) -> tensor<1x2xf16>
    uma.graph.yield %4 : tensor<1x2xf16>
  }
  return %0, %1, %2, %3 : tensor<1x2xf16>, tensor<1x2xf16>, tensor<1x2xf32>, tensor<1x2xf16>
}

// -----

// The combined layer has the names of all.

// RUN: uma-opt %s --uma-graph-combine-parallel-dense --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=NAMES

// NAMES: uma.graph.dense %{{.*}} loc(fused["q", "k", "v"])
// NAMES: uma.graph.strided_slice %{{.*}} loc("q")
// CHECK-LABEL: func @names
func.func @names(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %0 = uma.graph.dense %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32> loc("q")
  %1 = uma.graph.dense %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32> loc("k")
  %2 = uma.graph.dense %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32> loc("v")
  return %0, %1, %2 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}

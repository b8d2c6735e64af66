// RUN: uma-opt %s --uma-graph-fold-constant --mlir-print-debuginfo --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-graph-fold-constant="max-bytes=16" --split-input-file | FileCheck %s --check-prefix=LIMIT
// RUN: uma-opt %s --uma-graph-fold-constant --split-input-file | FileCheck %s --check-prefix=DATA

// A chain folds from its start to its end, and what it consumed is gone.

// CHECK-LABEL: func @chain
// CHECK-NEXT: %[[C:.*]] = uma.graph.constant dense<{{\[\[}}2.000000e+00, 6.000000e+00], [4.000000e+00, 8.000000e+00]]> : tensor<2x2xf32> loc("sum")
// CHECK-NEXT: return %[[C]]
func.func @chain() -> tensor<2x2xf32> {
  %c = uma.graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %t = uma.graph.transpose %c [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32> loc("transposed")
  %s = uma.graph.add %t, %t : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("sum")
  return %s : tensor<2x2xf32>
}

// -----

// Large results are resources, named after the layer, unique in the module.

// CHECK-LABEL: func @names
// CHECK-DAG: uma.graph.constant dense_resource<model_w_0> : tensor<20xf32>
// CHECK-DAG: uma.graph.constant dense_resource<model_w_0_1> : tensor<20xf32>
// CHECK-DAG: uma.graph.constant dense_resource<reshape> : tensor<5x4xf32>
// DATA-LABEL: func @names
// DATA: dialect_resources
// DATA-DAG: model_w_0: "0x4000000000004040
// DATA-DAG: model_w_0_1: "0x400000000000C0C0
// DATA-DAG: reshape: "0x400000000000803F
// LIMIT-LABEL: func @names
// LIMIT-DAG: dense_resource<reshape> : tensor<5x4xf32>
// LIMIT-DAG: dense_resource<model_w_0> : tensor<20xf32>
func.func @names() -> (tensor<20xf32>, tensor<20xf32>, tensor<5x4xf32>) {
  %a = uma.graph.constant dense<1.0> : tensor<20xf32>
  %b = uma.graph.constant dense<2.0> : tensor<20xf32>
  %c = uma.graph.constant dense<-8.0> : tensor<20xf32>
  %0 = uma.graph.add %a, %b : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32> loc("model/w:0")
  %1 = uma.graph.add %b, %c : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32> loc("model/w:0")
  %2 = uma.graph.reshape %a [5, 4] : (tensor<20xf32>) -> tensor<5x4xf32>
  return %0, %1, %2 : tensor<20xf32>, tensor<20xf32>, tensor<5x4xf32>
}

// -----

// Weights of layers become constants of any size, which kernels pack; other results do not.

// LIMIT-LABEL: func @weights
// LIMIT: uma.graph.dense %{{.*}}, %{{.*}} : (tensor<1x10xf32>, tensor<3x10xf32>)
// LIMIT-NEXT: uma.graph.pad
// LIMIT-NEXT: uma.graph.dense
// LIMIT-NEXT: uma.graph.add
func.func @weights(%x: tensor<1x10xf32>) -> (tensor<1x3xf32>, tensor<1x1xf32>, tensor<1x10xf32>) {
  %w = uma.graph.constant dense<1.0> : tensor<3x1xf32>
  %v = uma.graph.constant dense<1.0> : tensor<1x1xf32>
  %0 = uma.graph.pad %w before [0, 9] after [0, 0] : (tensor<3x1xf32>) -> tensor<3x10xf32>
  %1 = uma.graph.dense %x, %0 : (tensor<1x10xf32>, tensor<3x10xf32>) -> tensor<1x3xf32>
  %2 = uma.graph.pad %v before [0, 9] after [0, 0] : (tensor<1x1xf32>) -> tensor<1x10xf32>
  %3 = uma.graph.dense %x, %2 : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x1xf32>
  %4 = uma.graph.add %x, %2 : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
  return %1, %3, %4 : tensor<1x3xf32>, tensor<1x1xf32>, tensor<1x10xf32>
}

// -----

// 4 bytes are padded to 40: 36 more than there were.

// CHECK-LABEL: func @growth
// CHECK-NOT: uma.graph.pad
// LIMIT-LABEL: func @growth
// LIMIT: uma.graph.pad
func.func @growth() -> tensor<10xf32> {
  %c = uma.graph.constant dense<1.0> : tensor<1xf32>
  %p = uma.graph.pad %c before [4] after [5] : (tensor<1xf32>) -> tensor<10xf32>
  return %p : tensor<10xf32>
}

// -----

// What cannot be evaluated stays, without a word.

// CHECK-LABEL: func @stays
// CHECK: uma.graph.divide
// CHECK: uma.graph.add
func.func @stays(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %c = uma.graph.constant dense<[1, 0]> : tensor<2xi32>
  %q = uma.graph.divide %c, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %s = uma.graph.add %x, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %q, %s : tensor<2xi32>, tensor<2xi32>
}

// -----

// What an accelerator's pattern matched stays as it was matched.

// CHECK-LABEL: func @composite
// CHECK: uma.graph.composite
// CHECK: uma.graph.relu
func.func @composite() -> tensor<2xf32> {
  %c = uma.graph.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %0 = uma.graph.composite @vanilla::@relu (%a = %c : tensor<2xf32>) -> tensor<2xf32> {
    %d = uma.graph.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %1 = uma.graph.relu %d : (tensor<2xf32>) -> tensor<2xf32>
    %2 = uma.graph.add %1, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    uma.graph.yield %2 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

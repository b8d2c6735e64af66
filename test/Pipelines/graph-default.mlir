// RUN: uma-opt %s --uma-graph-default=opt-level=0 | FileCheck %s --check-prefixes=CHECK,L0
// RUN: uma-opt %s --uma-graph-default=opt-level=1 | FileCheck %s --check-prefixes=CHECK,L0
// RUN: uma-opt %s --uma-graph-default=opt-level=2 | FileCheck %s --check-prefixes=CHECK,L2
// RUN: uma-opt %s --uma-graph-default | FileCheck %s --check-prefixes=CHECK,L3
// RUN: uma-opt %s --uma-graph-default=opt-level=4 | FileCheck %s --check-prefixes=CHECK,L4
// RUN: not uma-opt %s --uma-graph-default=opt-level=5 2>&1 | FileCheck %s --check-prefix=HIGH
// RUN: not uma-opt %s --uma-graph-default=opt-level=-1 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: not uma-opt %s --uma-partition="opt-level=7" 2>&1 | FileCheck %s --check-prefix=PARTITION

// HIGH: error: uma-graph-default: opt-level is 5, expected 0 to 4
// LOW: error: uma-graph-default: opt-level is -1, expected 0 to 4
// PARTITION: error: uma-graph-default: opt-level is 7, expected 0 to 4

// What each level adds: at 0 batch_norm goes; at 2 constants are folded and operators raised; at 3 factors go into
// weights and what is written twice becomes one; at 4 branches are combined.

// CHECK-LABEL: func @network
// CHECK-NOT: uma.graph.batch_norm

// L0: uma.graph.sqrt
// L0: uma.graph.conv2d
// L0: uma.graph.multiply
// L0: uma.graph.bias_add
// L0-COUNT-2: uma.graph.sigmoid

// L2-NOT: uma.graph.sqrt
// L2: uma.graph.conv2d
// L2: uma.graph.multiply
// L2: uma.graph.bias_add
// L2-COUNT-2: uma.graph.silu
// L2-COUNT-3: uma.graph.dense

// L3: uma.graph.constant dense<1.000000e+00> : tensor<1x1x1x1xf32>
// L3: uma.graph.conv2d
// L3-NOT: uma.graph.multiply
// L3: uma.graph.bias_add
// L3: uma.graph.silu
// L3-NOT: uma.graph.silu
// L3-COUNT-3: uma.graph.dense
// L3-NOT: uma.graph.strided_slice

// L4: uma.graph.silu
// L4-NOT: uma.graph.silu
// L4-NOT: uma.graph.concatenate
// L4: uma.graph.dense {{.*}} -> tensor<1x6xf32>
// L4-NOT: uma.graph.dense
// L4-COUNT-3: uma.graph.strided_slice
func.func @network(%x: tensor<1x1x2x2xf32>) -> (tensor<1x4xf32>, tensor<1x1xf32>, tensor<1x2xf32>, tensor<1x3xf32>) {
  %four = uma.graph.constant dense<4.0> : tensor<1x1x1x1xf32>
  %w = uma.graph.sqrt %four : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %gamma = uma.graph.constant dense<1.0> : tensor<1xf32>
  %beta = uma.graph.constant dense<3.0> : tensor<1xf32>
  %variance = uma.graph.constant dense<4.0> : tensor<1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x2xf32>
  %1 = uma.graph.batch_norm %0, %gamma, %beta, %beta, %variance epsilon 0.0
      : (tensor<1x1x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2x2xf32>
  %2 = uma.graph.batch_flatten %1 : (tensor<1x1x2x2xf32>) -> tensor<1x4xf32>
  %3 = uma.graph.sigmoid %2 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %4 = uma.graph.multiply %2, %3 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %5 = uma.graph.sigmoid %2 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %6 = uma.graph.multiply %2, %5 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %w1 = uma.graph.constant dense<1.0> : tensor<1x4xf32>
  %w2 = uma.graph.constant dense<2.0> : tensor<2x4xf32>
  %w3 = uma.graph.constant dense<3.0> : tensor<3x4xf32>
  %7 = uma.graph.dense %4, %w1 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x1xf32>
  %8 = uma.graph.dense %4, %w2 : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %9 = uma.graph.dense %4, %w3 : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<1x3xf32>
  return %6, %7, %8, %9 : tensor<1x4xf32>, tensor<1x1xf32>, tensor<1x2xf32>, tensor<1x3xf32>
}

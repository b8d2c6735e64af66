// The plugin library partitions and lowers in upstream's mlir-opt.
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(uma-partition{accelerators=vanilla},uma-lower,uma-emit-c)' \
// RUN:   | FileCheck %s

// CHECK: call_opaque "vanilla_conv2dnchw"
func.func @main(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

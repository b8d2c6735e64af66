// From TOSA to LLVM in upstream's mlir-opt, the way through the graph being the plugin's: one pipeline.
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(convert-tosa-to-uma-graph,uma-graph-convert-layout{data-layout=NCHW kernel-layout=OIHW},uma-partition{accelerators=vanilla},convert-uma-graph-to-linalg,%to_llvm)' \
// RUN:   | FileCheck %s --implicit-check-not=uma. --implicit-check-not=tosa.

// CHECK: llvm.func @net(
// CHECK: llvm.call @vanilla_conv2dnchw(
func.func @net(%x: tensor<1x4x4x1xf32>, %w: tensor<2x3x3x1xf32>) -> tensor<1x4x4x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b = "tosa.const"() <{values = dense<[1.0, 0.5]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x1xf32>, tensor<2x3x3x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

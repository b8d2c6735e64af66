"""Layers give the numbers that their operators give alone, in the interpreter and in C, also beside an accelerator."""
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python -B %s > net.mlir
# RUN: uma-opt net.mlir --uma-cpu-form-layers -o layers.mlir
# RUN: grep -c uma.primitive layers.mlir | FileCheck %s --check-prefix=LAYERS
# RUN: uma run layers.mlir --compare --cc %gcc --seed 3 --output-dir layers
# RUN: uma run net.mlir --cc %gcc --seed 3 --output-dir net
# RUN: diff -r net layers
# RUN: uma run layers.mlir --kernels=loops --compare --cc %gcc --seed 3

# After partitioning, what the device does stays a call.
# RUN: uma-opt net.mlir --uma-partition=vanilla --uma-cpu-form-layers -o device.mlir
# RUN: grep -c 'uma.graph.composite @vanilla' device.mlir
# RUN: uma-opt net.mlir --uma-partition=vanilla --uma-lower -o lowered.mlir
# RUN: uma-opt device.mlir --uma-lower | diff - lowered.mlir
# REQUIRES: gcc

# LAYERS: 5

D = "tensor<1x8x6x6xf32>"
body = f"""
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : ({D}, tensor<8x8x3x3xf32>) -> {D}
  %1 = uma.graph.bias_add %0, %b : ({D}, tensor<8xf32>) -> {D}
  %2 = uma.graph.relu %1 : ({D}) -> {D}
  %3 = uma.graph.conv2d %2, %w padding [1, 1, 1, 1] : ({D}, tensor<8x8x3x3xf32>) -> {D}
  %4 = uma.graph.bias_add %3, %b : ({D}, tensor<8xf32>) -> {D}
  %5 = uma.graph.add %4, %2 : ({D}, {D}) -> {D}
  %6 = uma.graph.sigmoid %5 : ({D}) -> {D}
  %7 = uma.graph.multiply %6, %5 : ({D}, {D}) -> {D}
  %8 = uma.graph.transpose %7 [0, 2, 3, 1] : ({D}) -> tensor<1x6x6x8xf32>
  %9 = uma.graph.exp %8 : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %10 = uma.graph.sum %9 axis [1, 2] : (tensor<1x6x6x8xf32>) -> tensor<1x8xf32>
  %11 = uma.graph.dense %10, %v : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
  %12 = uma.graph.tanh %11 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %13 = uma.graph.softmax %12 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %14 = uma.graph.concatenate %13, %10 axis 1 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x16xf32>
  %15 = uma.graph.reshape %14 [4, 4] : (tensor<1x16xf32>) -> tensor<4x4xf32>
"""
print(f"""func.func @main(%x: {D} {{uma.name = "x"}}, %w: tensor<8x8x3x3xf32> {{uma.name = "w"}})
    -> (tensor<4x4xf32> {{uma.name = "y"}}, {D} {{uma.name = "z"}})
    attributes {{uma.network = "net"}} {{
  %b = uma.graph.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %v = uma.graph.constant dense<0.0625> : tensor<8x8xf32>{body}
  return %15, %5 : tensor<4x4xf32>, {D}
}}""")

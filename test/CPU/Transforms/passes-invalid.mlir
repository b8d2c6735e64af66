// Each pass refuses a plan that lacks what it builds on, and files and numbers that cannot be.

// RUN: not uma-opt %s --uma-cpu-schedule 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not uma-opt %s --uma-cpu-tile-pairs 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not uma-opt %s --uma-cpu-verify 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not uma-opt %s --convert-uma-graph-to-uma-tir 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: passes-invalid.mlir:[[#@LINE+19]]:1: error: 'func.func' op has no uma.kernel, which says how the layer is computed; run 'uma-cpu-select-kernels'

// RUN: not uma-opt %s --uma-cpu-select-kernels --uma-cpu-schedule=tuning=%t.missing.json 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not uma-opt %s --uma-cpu-select-kernels --uma-cpu-tile-pairs=tuning=%t.missing.json 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: {{.*}}.missing.json: No such file or directory

// RUN: not uma-opt %s --uma-cpu-select-kernels=weight-growth=-1 2>&1 | FileCheck %s --check-prefix=GROWTH
// GROWTH: '-1' value invalid for uint argument

// RUN: not uma-opt %s --uma-cpu-form-layers=max-depth=0 2>&1 | FileCheck %s --check-prefix=DEPTH
// DEPTH: error: uma-cpu-form-layers: max-depth is 0, expected 1 or more

// RUN: sed 's/%w: tensor<32x64xf32>/%w: tensor<32x64xf32> {uma.layout = 5}/' %s | not uma-opt --uma-cpu-assign-layouts 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: 'func.func' op has uma.layout = 5 : i64 on 'tensor<32x64xf32>', expected #uma.layout on a tensor of four dimensions
func.func @main(%y: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %v = uma.graph.constant dense<0.25> : tensor<32x64xf32>
  %0 = call @by_hand(%y, %v) : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
func.func private @by_hand(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32>
    attributes {uma.primitive} {
  %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

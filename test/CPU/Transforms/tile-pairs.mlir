// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels --uma-cpu-tile-pairs --remarks-filter=uma-cpu 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR

// By hand: halves of the rows instead of packs of channels.

// CHECK-LABEL: func private @by_hand(
// CHECK-SAME: uma.tile_pair = #uma.cpu.tile_pair<slabs = 2>

// Packs of 32 channels, each in slabs of 14 rows of the result.

// CHECK-LABEL: func private @between_conv2d_bias_add(
// CHECK-SAME: uma.tile_pair = #uma.cpu.tile_pair<packs = 3, slabs = 2>
// REMARK: layer 'between' and its reader 'read' are computed by #uma.cpu.tile_pair<packs = 3, slabs = 2>: {{[0-9]+}} kB between them instead of {{[0-9]+}}

// Not without a stride.

// CHECK-LABEL: func private @alone_conv2d(
// CHECK-NOT: uma.tile_pair

// TIR-LABEL: uma.tir.func @main
// TIR: uma.tir.for %{{.*}} = 0 to 3
// TIR-NEXT: uma.tir.for %{{.*}} = 0 to 2
// TIR-NEXT: uma.tir.call @between_conv2d_bias_add
// TIR: uma.tir.for %{{.*}} = 0 to 2 {
// TIR-NEXT: uma.tir.call @conv2d
// TIR-NEXT: uma.tir.call @second_conv2d
func.func @main(%x: tensor<1x3x56x56xf32>) -> (tensor<1x96x28x28xf32>, tensor<1x96x28x28xf32>, tensor<1x96x56x56xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<96x3x1x1xf32>
  %b = uma.graph.constant dense<0.25> : tensor<96xf32>
  %d = uma.graph.constant dense<0.25> : tensor<96x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x56x56xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32> loc("between")
  %1 = uma.graph.bias_add %0, %b : (tensor<1x96x56x56xf32>, tensor<96xf32>) -> tensor<1x96x56x56xf32> loc("between")
  %2 = uma.graph.conv2d %1, %d strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x56x56xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x28x28xf32> loc("read")
  %3 = call @by_hand(%x, %w) : (tensor<1x3x56x56xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32>
  %4 = uma.graph.conv2d %3, %d strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x56x56xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x28x28xf32> loc("second")
  %5 = uma.graph.conv2d %x, %w : (tensor<1x3x56x56xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32> loc("alone")
  %6 = uma.graph.conv2d %5, %d padding [1, 1, 1, 1] groups 96 : (tensor<1x96x56x56xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x56x56xf32> loc("third")
  return %2, %4, %6 : tensor<1x96x28x28xf32>, tensor<1x96x28x28xf32>, tensor<1x96x56x56xf32>
}
func.func private @by_hand(%x: tensor<1x3x56x56xf32>, %w: tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32>
    attributes {uma.primitive, uma.tile_pair = #uma.cpu.tile_pair<slabs = 2>} {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x56x56xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32>
  return %0 : tensor<1x96x56x56xf32>
}

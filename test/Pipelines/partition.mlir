// `--uma-partition=vanilla` is short for the option `accelerators`; so is the
// textual form, and other options may follow.
// RUN: uma-opt %s --uma-partition=vanilla | FileCheck %s --check-prefixes=CHECK,MERGED
// RUN: uma-opt %s --uma-partition=accelerators=vanilla | FileCheck %s --check-prefixes=CHECK,MERGED
// RUN: uma-opt %s --uma-partition=%dialects/vanilla/vanilla.uma | FileCheck %s --check-prefixes=CHECK,MERGED
// RUN: uma-opt %s --pass-pipeline='builtin.module(uma-partition{accelerators=vanilla})' | FileCheck %s --check-prefixes=CHECK,MERGED
// RUN: uma-opt %s --uma-partition="accelerators=vanilla merge-regions=false" | FileCheck %s --check-prefixes=CHECK,SINGLE
// RUN: uma-opt %s --uma-partition="vanilla merge-regions=false" | FileCheck %s --check-prefixes=CHECK,SINGLE
// RUN: env UMA_ACCELERATOR_PATH= uma-opt %s --uma-partition="vanilla accelerator-dir=%dialects" | FileCheck %s --check-prefixes=CHECK,MERGED

// Without accelerators the graph is simplified and stays on the CPU.
// RUN: uma-opt %s --uma-partition | FileCheck %s --check-prefix=CPU

// A second run finds nothing to give away.
// RUN: uma-opt %s --uma-partition=vanilla > %t.once
// RUN: uma-opt %t.once --uma-partition=vanilla > %t.twice
// RUN: diff %t.once %t.twice

// CHECK:        uma.accel.accelerator @vanilla
// CHECK-LABEL:  func.func @main(
// CHECK-SAME:     %[[X:.*]]: tensor<1x8x6x6xf32> {uma.name = "image"}) -> (tensor<1x8x3x3xf32> {uma.name = "probabilities"})
// CHECK-SAME:     attributes {uma.network = "net"}
// The batch_norm has gone into the weights and the bias before anything is
// matched. A stride of 2 is none of the device's.
// CHECK-NOT:      batch_norm
// MERGED:         %[[A:.*]] = call @main_vanilla_0(%[[X]])
// MERGED-NOT:     call
// SINGLE:         %[[T:.*]] = call @main_vanilla_0(%[[X]])
// SINGLE:         %[[A:.*]] = call @main_vanilla_1(%[[T]])
// SINGLE-NOT:     call
// CHECK:          %[[B:.*]] = uma.graph.bias_add %[[A]]
// CHECK-NEXT:     %[[R:.*]] = uma.graph.relu %[[B]]
// CHECK-NEXT:     %[[C:.*]] = uma.graph.conv2d %[[R]], %{{.*}} strides [2, 2] padding [1, 1, 1, 1]
// CHECK-NEXT:     %[[S:.*]] = call @main_vanilla_{{[12]}}(%[[C]])
// CHECK-NEXT:     return %[[S]]
// CHECK-LABEL:  func.func private @main_vanilla_0(
// CHECK-SAME:     uma.target = #uma.target<"vanilla">
// CHECK:          uma.graph.composite @vanilla::@conv2d
// MERGED:         uma.graph.composite @vanilla::@conv2d
// SINGLE-NOT:     uma.graph.composite
// MERGED-LABEL: func.func private @main_vanilla_1(
// MERGED:         uma.graph.composite @vanilla::@conv2d
// SINGLE-LABEL: func.func private @main_vanilla_1(
// SINGLE:         uma.graph.composite @vanilla::@conv2d
// SINGLE-LABEL: func.func private @main_vanilla_2(
// SINGLE:         uma.graph.composite @vanilla::@conv2d

// CPU-LABEL:    func.func @main(
// CPU-NOT:        batch_norm
// CPU-NOT:        call
// CPU-COUNT-4:    uma.graph.conv2d
func.func @main(%x: tensor<1x8x6x6xf32> {uma.name = "image"}) -> (tensor<1x8x3x3xf32> {uma.name = "probabilities"})
    attributes {uma.network = "net"} {
  %w0 = uma.graph.constant dense<0.5> : tensor<8x8x3x3xf32>
  %w1 = uma.graph.constant dense<0.25> : tensor<8x8x1x1xf32>
  %w2 = uma.graph.constant dense<0.125> : tensor<8x8x3x3xf32>
  %w3 = uma.graph.constant dense<2.0> : tensor<8x8x3x3xf32>
  %k = uma.graph.constant dense<1.0> : tensor<8xf32>
  %0 = uma.graph.conv2d %x, %w0 padding [1, 1, 1, 1] : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %0, %w1 : (tensor<1x8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x6x6xf32>
  %2 = uma.graph.batch_norm %1, %k, %k, %k, %k
      : (tensor<1x8x6x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x6x6xf32>
  %3 = uma.graph.relu %2 : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %4 = uma.graph.conv2d %3, %w2 strides [2, 2] padding [1, 1, 1, 1] : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x3x3xf32>
  %5 = uma.graph.conv2d %4, %w3 padding [1, 1, 1, 1] : (tensor<1x8x3x3xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x3x3xf32>
  return %5 : tensor<1x8x3x3xf32>
}

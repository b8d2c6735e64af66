// Products of f32 become products of bf16 where a kernel of words computes them.

// RUN: uma-opt %s --split-input-file --uma-cpu-narrow-products | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-cpu-narrow-products --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR
// RUN: not uma-opt %s --split-input-file --uma-cpu-plan=math=f16 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: uma-cpu-plan: math is 'f16', expected f32 or bf16

// Two layers read one tensor, which is converted once.

// CHECK-LABEL: func.func @shared(
// CHECK-NEXT: %[[X:.+]] = uma.graph.cast %arg0 to bf16
// CHECK-NEXT: %[[V:.+]] = uma.graph.constant dense<1.500000e+00> : tensor<8x4x1x1xbf16>
// CHECK-NEXT: uma.graph.conv2d %[[X]], %[[V]] out_dtype f32 : (tensor<1x4x6x6xbf16>, tensor<8x4x1x1xbf16>) -> tensor<1x8x6x6xf32>
// CHECK-NOT: uma.graph.cast
// CHECK: uma.graph.conv2d %[[X]], {{.*}} padding [1, 1, 1, 1] out_dtype f32
// TIR: uma.tir.words %{{.*}} : memref<{{.*}}xbf16> as memref<{{.*}}xi32>
// TIR: uma.tir.dot {{.*}} elements bf16, bf16 : f32
func.func @shared(%x: tensor<1x4x6x6xf32>) -> (tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) {
  %v = uma.graph.constant dense<1.5> : tensor<8x4x1x1xf32>
  %w = uma.graph.constant dense<0.1> : tensor<8x4x3x3xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x4x6x6xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  return %0, %1 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>
}

// -----

// An odd number of channels, groups, weights that are not constant, and f64 stay.

// CHECK-LABEL: func.func @stays(
// CHECK-NOT: bf16
func.func @stays(%x: tensor<1x3x6x6xf32>, %y: tensor<2x8xf32>, %w: tensor<8x8xf32>, %z: tensor<2x8xf64>)
    -> (tensor<1x8x6x6xf32>, tensor<1x3x6x6xf32>, tensor<2x8xf32>, tensor<2x8xf64>) {
  %a = uma.graph.constant dense<0.5> : tensor<8x3x1x1xf32>
  %b = uma.graph.constant dense<0.5> : tensor<3x1x1x1xf32>
  %c = uma.graph.constant dense<0.5> : tensor<8x8xf64>
  %0 = uma.graph.conv2d %x, %a : (tensor<1x3x6x6xf32>, tensor<8x3x1x1xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %x, %b groups 3 : (tensor<1x3x6x6xf32>, tensor<3x1x1x1xf32>) -> tensor<1x3x6x6xf32>
  %2 = uma.graph.dense %y, %w : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %3 = uma.graph.dense %z, %c : (tensor<2x8xf64>, tensor<8x8xf64>) -> tensor<2x8xf64>
  return %0, %1, %2, %3 : tensor<1x8x6x6xf32>, tensor<1x3x6x6xf32>, tensor<2x8xf32>, tensor<2x8xf64>
}

// Layers of f16 and bf16 compute in f32; what moves elements moves what is there, and casts of the model round.

// RUN: uma-opt %s --split-input-file --uma-cpu-widen-floats | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-cpu-widen-floats --uma-cpu-widen-floats | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR

// Two layers read one converted tensor, weights are converted at compile time, and nothing is rounded in between.

// CHECK-LABEL: func.func @layers(
// CHECK-DAG: %[[W:.+]] = uma.graph.constant dense_resource<weights_f32> : tensor<8x4x1x1xf32>
// CHECK-DAG: %[[X:.+]] = uma.graph.cast %arg0 to f32 : (tensor<1x4x6x6xf16>)
// CHECK-NOT: uma.graph.cast
// CHECK: %[[C:.+]] = uma.graph.conv2d %[[X]], %[[W]] out_dtype f32 : (tensor<1x4x6x6xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x6x6xf32>
// CHECK-NEXT: %[[R:.+]] = uma.graph.relu %[[C]]
// CHECK: %[[S:.+]] = uma.graph.cast %[[R]] to f16
// CHECK-NEXT: %[[P:.+]] = uma.graph.max_pool2d %[[X]]
// CHECK: uma.graph.cast %[[P]] to f16
// CHECK-NOT: uma.graph.cast
// CHECK: return %[[S]]
// TIR: uma.tir.multiversion
// TIR: arith.truncf %{{.*}} : f32 to f16
func.func @layers(%x: tensor<1x4x6x6xf16>) -> (tensor<1x8x6x6xf16>, tensor<1x4x3x3xf16>) {
  %w = uma.graph.constant dense<1.5> : tensor<8x4x1x1xf16> loc("weights")
  %0 = uma.graph.conv2d %x, %w out_dtype f16 : (tensor<1x4x6x6xf16>, tensor<8x4x1x1xf16>) -> tensor<1x8x6x6xf16>
  %1 = uma.graph.relu %0 : (tensor<1x8x6x6xf16>) -> tensor<1x8x6x6xf16>
  %2 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2] : (tensor<1x4x6x6xf16>) -> tensor<1x4x3x3xf16>
  return %1, %2 : tensor<1x8x6x6xf16>, tensor<1x4x3x3xf16>
}

// -----

// Moves of what is stored as f16 convert nothing, moves of computed numbers move f32.

// CHECK-LABEL: func.func @moves(
// CHECK-NEXT: %[[T:.+]] = uma.graph.transpose %arg0 [1, 0] : (tensor<2x3xf16>) -> tensor<3x2xf16>
// CHECK-NEXT: %[[W:.+]] = uma.graph.cast %[[T]] to f32
// CHECK-NEXT: %[[E:.+]] = uma.graph.exp %[[W]]
// CHECK-NEXT: %[[C:.+]] = uma.graph.concatenate %[[E]], %[[W]] axis 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
// CHECK-NEXT: %[[R:.+]] = uma.graph.cast %[[C]] to f16
// CHECK-NEXT: return %[[T]], %[[R]]
func.func @moves(%x: tensor<2x3xf16>) -> (tensor<3x2xf16>, tensor<6x2xf16>) {
  %0 = uma.graph.transpose %x [1, 0] : (tensor<2x3xf16>) -> tensor<3x2xf16>
  %1 = uma.graph.exp %0 : (tensor<3x2xf16>) -> tensor<3x2xf16>
  %2 = uma.graph.concatenate %1, %0 axis 0 : (tensor<3x2xf16>, tensor<3x2xf16>) -> tensor<6x2xf16>
  return %0, %2 : tensor<3x2xf16>, tensor<6x2xf16>
}

// -----

// A cast to f16 rounds; a cast of computed numbers from f16 does not. Comparisons read f32.

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: %[[H:.+]] = uma.graph.cast %arg0 to f16
// CHECK-NEXT: %[[W:.+]] = uma.graph.cast %[[H]] to f32
// CHECK-NEXT: %[[E:.+]] = uma.graph.exp %[[W]]
// CHECK-NEXT: %[[G:.+]] = uma.graph.greater %[[E]], %[[W]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[I:.+]] = uma.graph.cast %[[E]] to i32
// CHECK-NEXT: return %[[E]], %[[G]], %[[I]]
func.func @casts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>, tensor<4xi32>) {
  %0 = uma.graph.cast %x to f16 : (tensor<4xf32>) -> tensor<4xf16>
  %1 = uma.graph.exp %0 : (tensor<4xf16>) -> tensor<4xf16>
  %2 = uma.graph.cast %1 to f32 : (tensor<4xf16>) -> tensor<4xf32>
  %3 = uma.graph.greater %1, %0 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %4 = uma.graph.cast %1 to i32 : (tensor<4xf16>) -> tensor<4xi32>
  return %2, %3, %4 : tensor<4xf32>, tensor<4xi1>, tensor<4xi32>
}

// Sums and additions round in integers.

// RUN: uma-opt %s --uma-graph-requantize-fixed-point | FileCheck %s
// RUN: uma-opt %s --uma-graph-requantize-fixed-point --uma-graph-legalize-quantization | FileCheck %s --check-prefix=STEPS

!x = !quant.uniform<i8:f32, 0.5:3>
!s = !quant.uniform<i32:f32, 0.125>

// CHECK-LABEL: @layer
// CHECK: uma.graph.requantize %{{.*}} clamp [3, 127] rounding "tflite"
// CHECK: uma.graph.requantize %{{.*}} rounding "tflite"
// CHECK: uma.graph.quantized_add %{{.*}}, %{{.*}} rounding "tflite"

// Both operands are shifted by 20 bits and rescaled to twice the larger scale, 1.0; then their sum.

// STEPS-LABEL: @layer
// STEPS-COUNT-2: uma.graph.fixed_point_multiply
// STEPS: uma.graph.constant dense<1048576> : tensor<i32>
// STEPS-COUNT-2: uma.graph.fixed_point_multiply
// STEPS: %[[SUM:.*]] = uma.graph.add %{{.*}}, %{{.*}} : (tensor<1x8xi32>, tensor<1x8xi32>)
// STEPS: uma.graph.fixed_point_multiply %[[SUM]]
// STEPS-NOT: f32
func.func @layer(%x: tensor<1x8xi32>) -> tensor<1x8xi8> {
  %q = uma.graph.storage_cast %x : (tensor<1x8xi32>) -> tensor<1x8x!s>
  %0 = uma.graph.requantize %q clamp [3, 127] : (tensor<1x8x!s>) -> tensor<1x8x!x>
  %1 = uma.graph.requantize %q rounding "tflite" : (tensor<1x8x!s>) -> tensor<1x8x!x>
  %2 = uma.graph.quantized_add %0, %1 : (tensor<1x8x!x>, tensor<1x8x!x>) -> tensor<1x8x!x>
  %3 = uma.graph.storage_cast %2 : (tensor<1x8x!x>) -> tensor<1x8xi8>
  return %3 : tensor<1x8xi8>
}

// Sums of dequantized tensors are computed as ONNX Runtime's integer kernel does, in the stored integers.

// RUN: uma-opt %s --uma-graph-fold-quantization | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25>
!z = !quant.uniform<i8:f32, 0.125:-128>
!u = !quant.uniform<u8:f32, 0.125>

// relu changes nothing: no number below 0 can be stored.

// CHECK-LABEL: @folds
// CHECK: %[[Z:.*]] = uma.graph.quantized_add %arg0, %arg1
// CHECK-NEXT: return %[[Z]]
func.func @folds(%x: tensor<4x!x>, %y: tensor<4x!y>) -> tensor<4x!z> {
  %0 = uma.graph.dequantize %x : (tensor<4x!x>) -> tensor<4xf32>
  %1 = uma.graph.dequantize %y : (tensor<4x!y>) -> tensor<4xf32>
  %2 = uma.graph.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = uma.graph.relu %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = uma.graph.quantize %3 : (tensor<4xf32>) -> tensor<4x!z>
  return %4 : tensor<4x!z>
}

// An activation that the bounds do not imply, another storage type, a broadcast and a use as float have no such kernel.

// CHECK-LABEL: @stays
// CHECK-NOT: quantized_add
// CHECK: return
func.func @stays(%x: tensor<4x!x>, %y: tensor<4x!y>, %s: tensor<1x!y>) -> (tensor<4x!y>, tensor<4x!u>, tensor<4x!y>, tensor<4x!y>, tensor<4xf32>) {
  %0 = uma.graph.dequantize %x : (tensor<4x!x>) -> tensor<4xf32>
  %1 = uma.graph.dequantize %y : (tensor<4x!y>) -> tensor<4xf32>
  %2 = uma.graph.dequantize %s : (tensor<1x!y>) -> tensor<1xf32>
  %3 = uma.graph.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = uma.graph.relu %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = uma.graph.quantize %4 : (tensor<4xf32>) -> tensor<4x!y>
  %6 = uma.graph.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = uma.graph.quantize %6 : (tensor<4xf32>) -> tensor<4x!u>
  %8 = uma.graph.add %0, %2 : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %9 = uma.graph.quantize %8 : (tensor<4xf32>) -> tensor<4x!y>
  %10 = uma.graph.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %11 = uma.graph.quantize %10 : (tensor<4xf32>) -> tensor<4x!y>
  return %5, %7, %9, %11, %10 : tensor<4x!y>, tensor<4x!u>, tensor<4x!y>, tensor<4x!y>, tensor<4xf32>
}

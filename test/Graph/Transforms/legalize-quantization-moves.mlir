// Networks that move integers and return them with the same scale and zero point move no floats.
// RUN: uma-opt %s --uma-graph-legalize-quantization=arithmetic=float | FileCheck %s

!x = !quant.uniform<u8:f32, 0.5:128>
!y = !quant.uniform<u8:f32, 0.25:128>

// CHECK-LABEL: @same(
// CHECK-NEXT: %[[T:.*]] = uma.graph.transpose %arg0 [1, 0] : (tensor<2x3xui8>) -> tensor<3x2xui8>
// CHECK-NEXT: %[[C:.*]] = uma.graph.concatenate %[[T]], %[[T]] axis 0 : (tensor<3x2xui8>, tensor<3x2xui8>) -> tensor<6x2xui8>
// CHECK-NEXT: return %[[C]]
func.func @same(%x: tensor<2x3xui8>) -> tensor<6x2xui8> {
  %0 = uma.graph.storage_cast %x : (tensor<2x3xui8>) -> tensor<2x3x!x>
  %1 = uma.graph.dequantize %0 : (tensor<2x3x!x>) -> tensor<2x3xf32>
  %2 = uma.graph.transpose %1 [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = uma.graph.quantize %2 : (tensor<3x2xf32>) -> tensor<3x2x!x>
  %4 = uma.graph.concatenate %3, %3 axis 0 : (tensor<3x2x!x>, tensor<3x2x!x>) -> tensor<6x2x!x>
  %5 = uma.graph.storage_cast %4 : (tensor<6x2x!x>) -> tensor<6x2xui8>
  return %5 : tensor<6x2xui8>
}

// Another scale needs numbers.
// CHECK-LABEL: @other(
// CHECK: uma.graph.transpose {{.*}}f32>
// CHECK: uma.graph.round
func.func @other(%x: tensor<2x3xui8>) -> tensor<3x2xui8> {
  %0 = uma.graph.storage_cast %x : (tensor<2x3xui8>) -> tensor<2x3x!x>
  %1 = uma.graph.dequantize %0 : (tensor<2x3x!x>) -> tensor<2x3xf32>
  %2 = uma.graph.transpose %1 [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = uma.graph.quantize %2 : (tensor<3x2xf32>) -> tensor<3x2x!y>
  %4 = uma.graph.storage_cast %3 : (tensor<3x2x!y>) -> tensor<3x2xui8>
  return %4 : tensor<3x2xui8>
}

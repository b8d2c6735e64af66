// Products of dequantized tensors are computed as ONNX Runtime's QLinearMul does, on the stored integers.

// RUN: uma-opt %s --split-input-file --uma-graph-fold-quantization | FileCheck %s

!x = !quant.uniform<u8:f32, 0.5:3>
!y = !quant.uniform<u8:f32, 0.25>
!z = !quant.uniform<u8:f32, 0.5:128>

// The factor is 0.5 * 0.25 / 0.5. One tensor broadcasts; only the other one has a zero point.

// CHECK-LABEL: @folds
// CHECK-NOT: uma.graph.dequantize
// CHECK: %[[X:.*]] = uma.graph.storage_cast %arg0 : {{.*}} -> tensor<2x4xui8>
// CHECK: %[[V:.*]] = uma.graph.cast %[[X]] to i32
// CHECK: %[[C:.*]] = uma.graph.constant dense<3> : tensor<i32>
// CHECK: %[[D:.*]] = uma.graph.subtract %[[V]], %[[C]]
// CHECK: %[[Y:.*]] = uma.graph.storage_cast %arg1 : {{.*}} -> tensor<4xui8>
// CHECK: %[[W:.*]] = uma.graph.cast %[[Y]] to i32
// CHECK: %[[P:.*]] = uma.graph.multiply %[[D]], %[[W]] : (tensor<2x4xi32>, tensor<4xi32>) -> tensor<2x4xi32>
// CHECK: %[[N:.*]] = uma.graph.cast %[[P]] to f32
// CHECK: %[[F:.*]] = uma.graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK: %[[M:.*]] = uma.graph.multiply %[[N]], %[[F]]
// CHECK: %[[L:.*]] = uma.graph.clip %[[M]] min -1.280000e+02 max 1.270000e+02
// CHECK: %[[Z:.*]] = uma.graph.constant dense<1.280000e+02> : tensor<f32>
// CHECK: %[[A:.*]] = uma.graph.add %[[L]], %[[Z]]
// CHECK: %[[R:.*]] = uma.graph.round %[[A]]
// CHECK: %[[I:.*]] = uma.graph.cast %[[R]] to ui8
// CHECK: %[[Q:.*]] = uma.graph.storage_cast %[[I]] : {{.*}} -> tensor<2x4x!quant.uniform<u8:f32, 5.000000e-01:128>>
// CHECK: return %[[Q]]
func.func @folds(%x: tensor<2x4x!x>, %y: tensor<4x!y>) -> tensor<2x4x!z> {
  %0 = uma.graph.dequantize %x : (tensor<2x4x!x>) -> tensor<2x4xf32>
  %1 = uma.graph.dequantize %y : (tensor<4x!y>) -> tensor<4xf32>
  %2 = uma.graph.multiply %0, %1 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %3 = uma.graph.quantize %2 : (tensor<2x4xf32>) -> tensor<2x4x!z>
  return %3 : tensor<2x4x!z>
}

// -----

!x = !quant.uniform<u8:f32, 0.5:3>
!s = !quant.uniform<i8:f32, 0.5:3>
!e = !quant.uniform<u8:f32, 1.0e-30>
!r = !quant.uniform<u8:f32, 0.0039215689>

// Layers that stay in floats say why. A factor that is a float has no quantized kernel anyway.

// CHECK-LABEL: @stays
// CHECK: uma.graph.multiply {{.*}} {uma.in_floats = "its tensors are stored in different types"}
// CHECK: uma.graph.multiply {{.*}} {uma.in_floats = "its result is also used as a float"}
// CHECK: uma.graph.multiply {{.*}} {uma.in_floats = "the product of its scales is no normal number of f32"}
// CHECK: uma.graph.multiply %{{[^{]*$}}
// CHECK: uma.graph.softmax {{.*}} {uma.in_floats = "its tensors are stored in different types"}
// CHECK: uma.graph.softmax %{{.*}} {uma.in_floats = "ONNX Runtime's quantized kernel rounds the inverse of the scale of its result down"}
// CHECK: uma.graph.softmax %{{[^{]*$}}
// CHECK-NOT: uma.graph.round
// CHECK: return
func.func @stays(%x: tensor<4x!x>, %s: tensor<4x!s>, %e: tensor<4x!e>, %f: tensor<4xf32>)
    -> (tensor<4x!x>, tensor<4x!x>, tensor<4xf32>, tensor<4x!x>, tensor<4x!x>, tensor<4x!x>, tensor<4x!r>, tensor<4x!x>) {
  %0 = uma.graph.dequantize %x : (tensor<4x!x>) -> tensor<4xf32>
  %1 = uma.graph.dequantize %s : (tensor<4x!s>) -> tensor<4xf32>
  %2 = uma.graph.dequantize %e : (tensor<4x!e>) -> tensor<4xf32>
  %3 = uma.graph.multiply %1, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = uma.graph.quantize %3 : (tensor<4xf32>) -> tensor<4x!x>
  %5 = uma.graph.multiply %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = uma.graph.quantize %5 : (tensor<4xf32>) -> tensor<4x!x>
  %7 = uma.graph.multiply %2, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = uma.graph.quantize %7 : (tensor<4xf32>) -> tensor<4x!x>
  %9 = uma.graph.multiply %0, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %10 = uma.graph.quantize %9 : (tensor<4xf32>) -> tensor<4x!x>
  %11 = uma.graph.softmax %1 : (tensor<4xf32>) -> tensor<4xf32>
  %12 = uma.graph.quantize %11 : (tensor<4xf32>) -> tensor<4x!x>
  %13 = uma.graph.softmax %0 : (tensor<4xf32>) -> tensor<4xf32>
  %14 = uma.graph.quantize %13 : (tensor<4xf32>) -> tensor<4x!r>
  %15 = uma.graph.softmax %0 : (tensor<4xf32>) -> tensor<4xf32>
  %16 = uma.graph.quantize %15 : (tensor<4xf32>) -> tensor<4x!x>
  return %4, %6, %5, %8, %10, %12, %14, %16 : tensor<4x!x>, tensor<4x!x>, tensor<4xf32>, tensor<4x!x>, tensor<4x!x>, tensor<4x!x>, tensor<4x!r>, tensor<4x!x>
}

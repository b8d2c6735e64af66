// Sums of quantized tensors are products and sums of the stored integers in f32.

// RUN: uma-opt %s --uma-graph-legalize-quantization=arithmetic=dot | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25>
!z = !quant.uniform<i8:f32, 0.125:-128>

// 4 x + (2 y + c), where c = -128 - (4 * 3 + 0), and bounds before the rounding.

// CHECK-LABEL: @folds_stored
// CHECK: %[[C:.*]] = uma.graph.constant dense<-1.400000e+02> : tensor<f32>
// CHECK: %[[B:.*]] = uma.graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[Y:.*]] = uma.graph.multiply %{{.*}}, %[[B]]
// CHECK: %[[T:.*]] = uma.graph.add %[[Y]], %[[C]]
// CHECK: %[[A:.*]] = uma.graph.constant dense<4.000000e+00> : tensor<f32>
// CHECK: %[[X:.*]] = uma.graph.multiply %{{.*}}, %[[A]]
// CHECK: %[[S:.*]] = uma.graph.add %[[X]], %[[T]]
// CHECK: %[[L:.*]] = uma.graph.clip %[[S]] min -1.280000e+02 max 1.270000e+02
// CHECK: uma.graph.round %[[L]]
func.func @folds_stored(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %p = uma.graph.storage_cast %x : (tensor<4xi8>) -> tensor<4x!x>
  %q = uma.graph.storage_cast %y : (tensor<4xi8>) -> tensor<4x!y>
  %0 = uma.graph.quantized_add %p, %q : (tensor<4x!x>, tensor<4x!y>) -> tensor<4x!z>
  %1 = uma.graph.storage_cast %0 : (tensor<4x!z>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

!a = !quant.uniform<u8:f32, 0.14:243>
!b = !quant.uniform<u8:f32, 0.15:8>
!c = !quant.uniform<u8:f32, 0.22:36>

// Factors with which some sums depend on fused multiply-adds: 16 and 8 bits of each give exact products.

// CHECK-LABEL: @splits
// CHECK: %[[C:.*]] = uma.graph.constant dense<-124.{{[0-9]+}}> : tensor<f32>
// CHECK: %[[H:.*]] = uma.graph.multiply %[[Y:.*]], %{{.*}}
// CHECK: %[[L:.*]] = uma.graph.multiply %[[Y]], %{{.*}}
// CHECK: %[[S:.*]] = uma.graph.add %[[H]], %[[C]]
// CHECK: %[[P:.*]] = uma.graph.subtract %[[S]], %[[H]]
// CHECK-DAG: %[[Q:.*]] = uma.graph.subtract %[[S]], %[[P]]
// CHECK-DAG: %[[E:.*]] = uma.graph.subtract %[[H]], %[[Q]]
// CHECK-DAG: %[[F:.*]] = uma.graph.subtract %[[C]], %[[P]]
// CHECK: %[[G:.*]] = uma.graph.add %[[E]], %[[F]]
// CHECK: %[[R:.*]] = uma.graph.add %[[G]], %[[L]]
// CHECK: %[[T:.*]] = uma.graph.add %[[S]], %[[R]]
// CHECK: %[[X:.*]] = uma.graph.multiply
// CHECK: uma.graph.multiply
// CHECK: uma.graph.add %[[X]], %[[T]]
func.func @splits(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
  %p = uma.graph.storage_cast %x : (tensor<4xui8>) -> tensor<4x!a>
  %q = uma.graph.storage_cast %y : (tensor<4xui8>) -> tensor<4x!b>
  %0 = uma.graph.quantized_add %p, %q : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!c>
  %1 = uma.graph.storage_cast %0 : (tensor<4x!c>) -> tensor<4xui8>
  return %1 : tensor<4xui8>
}

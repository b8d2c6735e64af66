// RUN: uma-opt %s --uma-accel-storage-interface | FileCheck %s

// Functions of devices, and calls to them, have the stored integers; constants stay in the function.

!x = !quant.uniform<i8:f32, 0.5:3>
!u = !quant.uniform<u8:f32, 0.5:128>

uma.accel.accelerator @npu {}

// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]] = uma.graph.quantize
// CHECK: %[[S:.*]] = uma.graph.storage_cast %[[Q]] : {{.*}} -> tensor<1x8xi8>
// CHECK: %[[R:.*]] = call @main_npu_0(%[[S]]) : (tensor<1x8xi8>) -> tensor<1x8xui8>
// CHECK: %[[D:.*]] = uma.graph.storage_cast %[[R]] : (tensor<1x8xui8>) -> tensor<1x8x!quant.uniform<u8:f32, 5.000000e-01:128>>
// CHECK: uma.graph.dequantize %[[D]]
func.func @main(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = uma.graph.quantize %x : (tensor<1x8xf32>) -> tensor<1x8x!x>
  %1 = call @main_npu_0(%0) : (tensor<1x8x!x>) -> tensor<1x8x!u>
  %2 = uma.graph.dequantize %1 : (tensor<1x8x!u>) -> tensor<1x8xf32>
  return %2 : tensor<1x8xf32>
}

// CHECK-LABEL: func.func private @main_npu_0
// CHECK-SAME: (%[[X:.*]]: tensor<1x8xi8>) -> tensor<1x8xui8>
// CHECK: %[[Q:.*]] = uma.graph.storage_cast %[[X]]
// CHECK: %[[Y:.*]] = uma.graph.composite @npu::@p (%{{.*}} = %[[Q]] : {{.*}})
// CHECK: %[[S:.*]] = uma.graph.storage_cast %[[Y]] : {{.*}} -> tensor<1x8xui8>
// CHECK: return %[[S]]
func.func private @main_npu_0(%x: tensor<1x8x!x>) -> tensor<1x8x!u> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@p (%a = %x : tensor<1x8x!x>) -> tensor<1x8x!u> {
    %1 = uma.graph.requantize %a : (tensor<1x8x!x>) -> tensor<1x8x!u>
    uma.graph.yield %1 : tensor<1x8x!u>
  }
  return %0 : tensor<1x8x!u>
}

// Functions without quantized tensors, and of the CPU, stay.

// CHECK-LABEL: func.func private @cpu
// CHECK-SAME: !quant.uniform
func.func private @cpu(%x: tensor<1x8x!x>) -> tensor<1x8x!x> {
  return %x : tensor<1x8x!x>
}

// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels=winograd | FileCheck %s --check-prefixes=CHECK,WINOGRAD
// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels --remarks-filter=uma-cpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// By hand: the smaller tile stays.

// CHECK-LABEL: func private @by_hand(
// CHECK-SAME: uma.kernel = #uma.cpu.kernel<winograd, tile = 2>

// What no kernel computes together is computed operator by operator.

// CHECK-LABEL: func private @together(
// CHECK-SAME: uma.kernel = #uma.cpu.kernel<plain>

// A convolution of 3x3, one of few channels and a product of matrices.

// CHECK-LABEL: func private @three_conv2d(
// DEFAULT-SAME: uma.kernel = #uma.cpu.kernel<direct>
// WINOGRAD-SAME: uma.kernel = #uma.cpu.kernel<winograd, tile = 4>
// CHECK-LABEL: func private @few_conv2d(
// CHECK-SAME: uma.kernel = #uma.cpu.kernel<planar>
// CHECK-LABEL: func private @product_dense(
// DEFAULT-SAME: uma.kernel = #uma.cpu.kernel<direct>
// WINOGRAD-SAME: uma.kernel = #uma.cpu.kernel<strassen>

// REMARK: [Passed] kernel | Category:uma-cpu | Function=first_conv2d | Remark="layer 'first' is computed by #uma.cpu.kernel<direct>"
// REMARK: layer 'three' is computed by #uma.cpu.kernel<direct>; products in millions: #uma.cpu.kernel<direct> 116, #uma.cpu.kernel<winograd, tile = 2> {{[0-9.]+}}, #uma.cpu.kernel<winograd, tile = 4> {{[0-9.]+}}
// REMARK: layer 'product' is computed by #uma.cpu.kernel<direct>; products in millions: #uma.cpu.kernel<direct> 537, #uma.cpu.kernel<strassen> {{[0-9.]+}}
func.func @main(%x: tensor<1x64x56x56xf32>, %y: tensor<512x1024xf32>) -> (tensor<1x2x56x56xf32>, tensor<512x1024xf32>, tensor<1x64x56x56xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<64x64x1x1xf32>
  %w0 = uma.graph.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<2x64x3x3xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<1024x1024xf32>
  %a = uma.graph.conv2d %x, %w : (tensor<1x64x56x56xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x56x56xf32> loc("first")
  %0 = uma.graph.conv2d %a, %w0 padding [1, 1, 1, 1] : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> loc("three")
  %1 = call @by_hand(%0, %w0) : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %2 = uma.graph.conv2d %1, %w1 padding [1, 1, 1, 1] : (tensor<1x64x56x56xf32>, tensor<2x64x3x3xf32>) -> tensor<1x2x56x56xf32> loc("few")
  %3 = uma.graph.dense %y, %w2 : (tensor<512x1024xf32>, tensor<1024x1024xf32>) -> tensor<512x1024xf32> loc("product")
  %4 = call @together(%x) : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %2, %3, %4 : tensor<1x2x56x56xf32>, tensor<512x1024xf32>, tensor<1x64x56x56xf32>
}
func.func private @by_hand(%x: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<winograd, tile = 2>} {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}
func.func private @together(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> attributes {uma.primitive} {
  %0 = uma.graph.softmax %x axis 1 : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %1 = uma.graph.relu %0 : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %1 : tensor<1x64x56x56xf32>
}

// Integers in floats are exact only if products are added as they are.

// CHECK-LABEL: func private @exact_conv2d(
// CHECK-SAME: uma.kernel = #uma.cpu.kernel<direct>
func.func @integers(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<64x64x3x3xf32>
  %w1 = uma.graph.constant dense<2.0> : tensor<64x64x1x1xf32>
  %0 = uma.graph.conv2d %x, %w1 : (tensor<1x64x56x56xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x56x56xf32> loc("before")
  %1 = uma.graph.conv2d %0, %w padding [1, 1, 1, 1] {uma.exact_sums} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> loc("exact")
  return %1 : tensor<1x64x56x56xf32>
}

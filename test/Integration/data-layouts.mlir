// Layers of different data layouts read each other's results and one input: copies convert between blocks along different dimensions.

// RUN: uma run %s --compare | FileCheck %s

// RUN: rm -rf %t && uma compile %s -o %t && FileCheck %s --input-file=%t/layouts.c --check-prefix=OUTPUT

// The first output is in the order of its layer's layout: no copy.

// OUTPUT-NOT: layouts_copy(

// CHECK: plain: equal to the reference interpreter
// CHECK: words: equal to the reference interpreter, max error 0

!x = !quant.uniform<u8:f32, 0.5>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>
func.func @main(%x: tensor<1x4x8x5xf32> {uma.name = "x"}, %y: tensor<1x16x7x6xui8> {uma.name = "y"})
    -> (tensor<1x33x2x4xf32> {uma.name = "plain"}, tensor<1x33x9x6xui8> {uma.name = "words"}) attributes {uma.network = "layouts"} {
  %w = uma.graph.constant dense<0.5> : tensor<33x4x3x1xf32>
  %v = uma.graph.constant dense<0.5> : tensor<4x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w strides [1, 2] padding [0, 0, 1, 0] : (tensor<1x4x8x5xf32>, tensor<33x4x3x1xf32>) -> tensor<1x33x7x3xf32>
  %1 = uma.graph.conv2d %0, %v strides [1, 3] padding [0, 0, 0, 1] layout "NHWC" kernel_layout "OHWI" : (tensor<1x33x7x3xf32>, tensor<4x1x3x3xf32>) -> tensor<1x33x2x4xf32>

  %q = uma.graph.storage_cast %y : (tensor<1x16x7x6xui8>) -> tensor<1x16x7x6x!x>
  %di = uma.graph.constant dense<[[[[3, 1, -2, 4, 1, 2]]]]> : tensor<1x1x1x6xi8>
  %d = uma.graph.storage_cast %di : (tensor<1x1x1x6xi8>) -> tensor<1x1x1x6x!w>
  %2 = uma.graph.conv2d %q, %d groups 6 layout "NHWC" kernel_layout "HWIO" : (tensor<1x16x7x6x!x>, tensor<1x1x1x6x!w>) -> tensor<1x16x7x6x!s>
  %3 = uma.graph.requantize %2 : (tensor<1x16x7x6x!s>) -> tensor<1x16x7x6x!x>
  %ei = uma.graph.constant dense<1> : tensor<33x16x1x2xi8>
  %e = uma.graph.storage_cast %ei : (tensor<33x16x1x2xi8>) -> tensor<33x16x1x2x!w>
  %4 = uma.graph.conv2d %3, %e padding [1, 0, 1, 1] : (tensor<1x16x7x6x!x>, tensor<33x16x1x2x!w>) -> tensor<1x33x9x6x!s>
  %5 = uma.graph.requantize %4 : (tensor<1x33x9x6x!s>) -> tensor<1x33x9x6x!quant.uniform<u8:f32, 2.0>>
  %6 = uma.graph.storage_cast %5 : (tensor<1x33x9x6x!quant.uniform<u8:f32, 2.0>>) -> tensor<1x33x9x6xui8>
  return %1, %6 : tensor<1x33x2x4xf32>, tensor<1x33x9x6xui8>
}

// A network that the patterns of language.uma take.
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25, 0.5}>
!b = !quant.uniform<i32:f32:0, {0.25, 0.125, 0.25}>
!s = !quant.uniform<i32:f32:1, {0.25, 0.125, 0.25}>
func.func @main(%x: tensor<1x3x8x8xf32>) -> (tensor<1x5xf32>, tensor<1x5xf32>, tensor<1x3xi8>) {
  %k = uma.graph.constant dense<0.5> : tensor<5x3x3x3xf32>
  %b = uma.graph.constant dense<0.25> : tensor<5xf32>
  %w = uma.graph.constant dense<0.125> : tensor<5x80xf32>
  %half = uma.graph.constant dense<0.5> : tensor<1xf32>
  %0 = uma.graph.conv2d %x, %k padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<5x3x3x3xf32>) -> tensor<1x5x8x8xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x5x8x8xf32>, tensor<5xf32>) -> tensor<1x5x8x8xf32>
  %2 = uma.graph.relu %1 : (tensor<1x5x8x8xf32>) -> tensor<1x5x8x8xf32>
  %3 = uma.graph.max_pool2d %2 size [2, 2] strides [2, 2] : (tensor<1x5x8x8xf32>) -> tensor<1x5x4x4xf32>
  %4 = uma.graph.batch_flatten %3 : (tensor<1x5x4x4xf32>) -> tensor<1x80xf32>
  %5 = uma.graph.dense %4, %w : (tensor<1x80xf32>, tensor<5x80xf32>) -> tensor<1x5xf32>
  %6 = uma.graph.add %5, %5 : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<1x5xf32>
  %7 = uma.graph.multiply %6, %half : (tensor<1x5xf32>, tensor<1xf32>) -> tensor<1x5xf32>
  %8 = uma.graph.softmax %6 axis 1 : (tensor<1x5xf32>) -> tensor<1x5xf32>
  %qw = uma.graph.constant dense<7> : tensor<3x5xi8>
  %qb = uma.graph.constant dense<100> : tensor<3xi32>
  %9 = uma.graph.storage_cast %qw : (tensor<3x5xi8>) -> tensor<3x5x!w>
  %10 = uma.graph.storage_cast %qb : (tensor<3xi32>) -> tensor<3x!b>
  %11 = uma.graph.quantize %7 : (tensor<1x5xf32>) -> tensor<1x5x!x>
  %12 = uma.graph.dense %11, %9 : (tensor<1x5x!x>, tensor<3x5x!w>) -> tensor<1x3x!s>
  %13 = uma.graph.bias_add %12, %10 axis -1 : (tensor<1x3x!s>, tensor<3x!b>) -> tensor<1x3x!s>
  %14 = uma.graph.requantize %13 clamp [3, 127] : (tensor<1x3x!s>) -> tensor<1x3x!x>
  %15 = uma.graph.storage_cast %14 : (tensor<1x3x!x>) -> tensor<1x3xi8>
  return %7, %8, %15 : tensor<1x5xf32>, tensor<1x5xf32>, tensor<1x3xi8>
}

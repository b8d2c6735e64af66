// A convolution of 16 to 32 channels whose weights for 16 x 16 channels have 2,304 bytes.
!d = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>
func.func @main(%stored: tensor<1x16x8x8xi8> {uma.name = "x"}) -> (tensor<1x32x8x8xi8> {uma.name = "y"}) attributes {uma.network = "convolution"} {
  %k = uma.graph.constant dense<1> : tensor<32x16x3x3xi8>
  %w = uma.graph.storage_cast %k : (tensor<32x16x3x3xi8>) -> tensor<32x16x3x3x!w>
  %x = uma.graph.storage_cast %stored : (tensor<1x16x8x8xi8>) -> tensor<1x16x8x8x!d>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x16x8x8x!d>, tensor<32x16x3x3x!w>) -> tensor<1x32x8x8x!s> loc("conv")
  %1 = uma.graph.requantize %0 : (tensor<1x32x8x8x!s>) -> tensor<1x32x8x8x!d> loc("scaled")
  %y = uma.graph.storage_cast %1 : (tensor<1x32x8x8x!d>) -> tensor<1x32x8x8xi8>
  return %y : tensor<1x32x8x8xi8>
}

// Two equal depthwise convolutions and a product, in a network without names of tensors.
func.func @main(%image: tensor<1x16x12x12xf32>, %x: tensor<6x40xf32>) -> (tensor<1x16x12x12xf32>, tensor<6x64xf32>)
    attributes {uma.network = "tune"} {
  %taps = uma.graph.constant dense<0.5> : tensor<16x1x3x3xf32>
  %0 = uma.graph.conv2d %image, %taps strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups 16
    : (tensor<1x16x12x12xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x12x12xf32> loc("depthwise")
  %others = uma.graph.constant dense<0.25> : tensor<16x1x3x3xf32>
  %1 = uma.graph.conv2d %0, %others strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups 16
    : (tensor<1x16x12x12xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x12x12xf32> loc("depthwise_2")
  %w = uma.graph.constant dense<0.125> : tensor<64x40xf32>
  %2 = uma.graph.dense %x, %w : (tensor<6x40xf32>, tensor<64x40xf32>) -> tensor<6x64xf32> loc("product")
  return %1, %2 : tensor<1x16x12x12xf32>, tensor<6x64xf32>
}

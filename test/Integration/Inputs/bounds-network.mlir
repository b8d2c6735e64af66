func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32> attributes {uma.network = "net"} {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = uma.graph.max_pool2d %0 size [3, 3] strides [2, 2] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

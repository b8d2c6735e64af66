// A network that the patterns of language.uma take.
func.func @main(%x: tensor<1x3x8x8xf32>) -> (tensor<1x5xf32>, tensor<1x5xf32>) {
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
  return %7, %8 : tensor<1x5xf32>, tensor<1x5xf32>
}

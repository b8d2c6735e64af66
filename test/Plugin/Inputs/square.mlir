func.func @main(%x: tensor<1x8xf32>) -> tensor<1x8xf32> attributes {uma.network = "net"} {
  %two = uma.graph.constant dense<2.0> : tensor<1x1xf32>
  %0 = uma.graph.power %x, %two : (tensor<1x8xf32>, tensor<1x1xf32>) -> tensor<1x8xf32> loc("square")
  %1 = uma.graph.relu %0 : (tensor<1x8xf32>) -> tensor<1x8xf32> loc("relu")
  return %1 : tensor<1x8xf32>
}

// The smallest network.
func.func @main(%x: tensor<1x2xf32> {uma.name = "x"}) -> (tensor<1x2xf32> {uma.name = "y"}) attributes {uma.network = "tiny"} {
  %y = uma.graph.relu %x : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}

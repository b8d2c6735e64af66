// A product of matrices whose operands do not fit into small memories as a whole.
!d = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>
func.func @main(%stored: tensor<64x128xi8> {uma.name = "x"}) -> (tensor<64x96xi8> {uma.name = "y"}) attributes {uma.network = "product"} {
  %k = uma.graph.constant dense<1> : tensor<96x128xi8>
  %w = uma.graph.storage_cast %k : (tensor<96x128xi8>) -> tensor<96x128x!w>
  %x = uma.graph.storage_cast %stored : (tensor<64x128xi8>) -> tensor<64x128x!d>
  %0 = uma.graph.dense %x, %w : (tensor<64x128x!d>, tensor<96x128x!w>) -> tensor<64x96x!s> loc("dense")
  %1 = uma.graph.requantize %0 : (tensor<64x96x!s>) -> tensor<64x96x!d> loc("scaled")
  %y = uma.graph.storage_cast %1 : (tensor<64x96x!d>) -> tensor<64x96xi8>
  return %y : tensor<64x96xi8>
}

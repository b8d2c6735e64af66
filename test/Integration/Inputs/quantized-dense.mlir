// A quantized layer whose channels fill words.
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25}>
!y = !quant.uniform<i8:f32, 4.0:-8>
func.func @net(%x: tensor<1x64xi8>) -> tensor<1x8xi8> attributes {uma.network = "net"} {
  %xq = uma.graph.storage_cast %x : (tensor<1x64xi8>) -> tensor<1x64x!x>
  %xf = uma.graph.dequantize %xq : (tensor<1x64x!x>) -> tensor<1x64xf32>
  %wi = uma.graph.constant dense<2> : tensor<8x64xi8>
  %wq = uma.graph.storage_cast %wi : (tensor<8x64xi8>) -> tensor<8x64x!w>
  %wf = uma.graph.dequantize %wq : (tensor<8x64x!w>) -> tensor<8x64xf32>
  %0 = uma.graph.dense %xf, %wf : (tensor<1x64xf32>, tensor<8x64xf32>) -> tensor<1x8xf32> loc("quantized")
  %1 = uma.graph.quantize %0 : (tensor<1x8xf32>) -> tensor<1x8x!y>
  %2 = uma.graph.storage_cast %1 : (tensor<1x8x!y>) -> tensor<1x8xi8>
  return %2 : tensor<1x8xi8>
}

// A layer on integers, and one whose bias is a float.
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!y = !quant.uniform<i8:f32, 0.125:-8>
func.func @net(%x: tensor<1x4xi8>, %b: tensor<2xf32>) -> (tensor<1x2xi8>, tensor<1x2xi8>) attributes {uma.network = "net"} {
  %xq = uma.graph.storage_cast %x : (tensor<1x4xi8>) -> tensor<1x4x!x>
  %wi = uma.graph.constant dense<1> : tensor<2x4xi8>
  %wq = uma.graph.storage_cast %wi : (tensor<2x4xi8>) -> tensor<2x4x!w>
  %wf = uma.graph.dequantize %wq : (tensor<2x4x!w>) -> tensor<2x4xf32>
  %xf = uma.graph.dequantize %xq : (tensor<1x4x!x>) -> tensor<1x4xf32>
  %0 = uma.graph.dense %xf, %wf : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32> loc("float_bias")
  %1 = uma.graph.bias_add %0, %b : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %2 = uma.graph.quantize %1 : (tensor<1x2xf32>) -> tensor<1x2x!y>
  %3 = uma.graph.storage_cast %2 : (tensor<1x2x!y>) -> tensor<1x2xi8>
  %vi = uma.graph.constant dense<2> : tensor<2x4xi8>
  %vq = uma.graph.storage_cast %vi : (tensor<2x4xi8>) -> tensor<2x4x!w>
  %vf = uma.graph.dequantize %vq : (tensor<2x4x!w>) -> tensor<2x4xf32>
  %4 = uma.graph.dense %xf, %vf : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32> loc("quantized")
  %5 = uma.graph.quantize %4 : (tensor<1x2xf32>) -> tensor<1x2x!y>
  %6 = uma.graph.storage_cast %5 : (tensor<1x2x!y>) -> tensor<1x2xi8>
  return %3, %6 : tensor<1x2xi8>, tensor<1x2xi8>
}

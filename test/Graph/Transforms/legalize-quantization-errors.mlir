// RUN: uma-opt %s --split-input-file --verify-diagnostics --uma-graph-legalize-quantization
// RUN: not uma-opt %S/legalize-quantization.mlir --uma-graph-legalize-quantization=arithmetic=fixed 2>&1 | FileCheck %s

// CHECK: uma-graph-legalize-quantization: arithmetic is 'fixed', expected 'integer', 'float', 'dot', 'pairs' or 'bytes'

func.func @border(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32> {
  // expected-error @+1 {{which is an argument of the function or the result of an operation that quantized tensors cannot be lowered through}}
  %0 = uma.graph.dequantize %x : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @result(%x: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  // expected-error @+1 {{has a quantized tensor at its border; give it the stored integers with uma.graph.storage_cast}}
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

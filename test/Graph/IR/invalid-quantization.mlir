// RUN: uma-opt %s --split-input-file --verify-diagnostics

func.func @quantize_f16(%x: tensor<4xf16>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  // expected-error @+1 {{data has element type 'f16', expected f32; cast it first}}
  %0 = uma.graph.quantize %x : (tensor<4xf16>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @quantize_plain(%x: tensor<4xf32>) -> tensor<4xi8> {
  // expected-error @+1 {{result has element type 'i8', expected a quantized type such as !quant.uniform<i8:f32, 0.05:3>}}
  %0 = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @quantize_shape(%x: tensor<4xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5>> {
  // expected-error @+1 {{result has shape 5, expected 4 as data}}
  %0 = uma.graph.quantize %x : (tensor<4xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<5x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @dequantize_plain(%x: tensor<4xi8>) -> tensor<4xf32> {
  // expected-error @+1 {{data has element type 'i8', expected a quantized type}}
  %0 = uma.graph.dequantize %x : (tensor<4xi8>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @too_few_scales(%x: tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<4xf32> {
  // expected-error @+1 {{with 2 scales, expected one for each index of axis 0}}
  %0 = uma.graph.dequantize %x : (tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @requantize_axis(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>> {
  // expected-error @+1 {{result has one scale per index of an axis, expected one for the tensor}}
  %0 = uma.graph.requantize %x : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
}

// -----

func.func @clamp(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>> {
  // expected-error @+1 {{clamp is [0, 200], expected a lower and an upper bound from -128 to 127, the stored integers of the result}}
  %0 = uma.graph.requantize %x clamp [0, 200] : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25>>
}

// -----

func.func @storage(%x: tensor<2xi8>) -> tensor<2x!quant.uniform<u8:f32, 0.5>> {
  // expected-error @+1 {{expected the storage type 'ui8'}}
  %0 = uma.graph.storage_cast %x : (tensor<2xi8>) -> tensor<2x!quant.uniform<u8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<u8:f32, 0.5>>
}

// -----

func.func @no_quantized_side(%x: tensor<2xi8>) -> tensor<2xi8> {
  // expected-error @+1 {{expected a quantized type on one side and its storage type on the other}}
  %0 = uma.graph.storage_cast %x : (tensor<2xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----

func.func @float_weights(%x: tensor<1x4x!quant.uniform<i8:f32, 0.5>>, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  // expected-error @+1 {{expected both quantized or none}}
  %0 = uma.graph.dense %x, %w : (tensor<1x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

func.func @wrong_axis(%x: tensor<1x4x!quant.uniform<i8:f32, 0.5>>, %w: tensor<2x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0, 2.0}>>)
    -> tensor<1x2x!quant.uniform<i32:f32, 0.5>> {
  // expected-error @+1 {{weight has a scale for each index of axis 1, expected axis 0, its output channels}}
  %0 = uma.graph.dense %x, %w : (tensor<1x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0, 2.0}>>)
      -> tensor<1x2x!quant.uniform<i32:f32, 0.5>>
  return %0 : tensor<1x2x!quant.uniform<i32:f32, 0.5>>
}

// -----

func.func @wide_data(%x: tensor<1x4x!quant.uniform<i16:f32, 0.5>>, %w: tensor<2x4x!quant.uniform<i8:f32, 1.0>>)
    -> tensor<1x2x!quant.uniform<i32:f32, 0.5>> {
  // expected-error @+1 {{data has element type '!quant.uniform<i16:f32, 5.000000e-01>', expected a storage type of at most 8 bits}}
  %0 = uma.graph.dense %x, %w : (tensor<1x4x!quant.uniform<i16:f32, 0.5>>, tensor<2x4x!quant.uniform<i8:f32, 1.0>>)
      -> tensor<1x2x!quant.uniform<i32:f32, 0.5>>
  return %0 : tensor<1x2x!quant.uniform<i32:f32, 0.5>>
}

// -----

func.func @scales_of_bias(%x: tensor<1x2x!quant.uniform<i32:f32, 0.5>>, %b: tensor<2x!quant.uniform<i32:f32, 0.25>>)
    -> tensor<1x2x!quant.uniform<i32:f32, 0.5>> {
  // expected-error @+1 {{bias has element type '!quant.uniform<i32:f32, 2.500000e-01>', expected '!quant.uniform<i32:f32, 5.000000e-01>' as data}}
  %0 = uma.graph.bias_add %x, %b : (tensor<1x2x!quant.uniform<i32:f32, 0.5>>, tensor<2x!quant.uniform<i32:f32, 0.25>>)
      -> tensor<1x2x!quant.uniform<i32:f32, 0.5>>
  return %0 : tensor<1x2x!quant.uniform<i32:f32, 0.5>>
}

// -----

func.func @elementwise(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  // expected-error @+1 {{expected integers or floats; dequantize it first}}
  %0 = uma.graph.add %x, %x : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @quantized_add_axis(%x: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %y: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error @+1 {{lhs has one scale per index of an axis, expected one for the tensor}}
  %0 = uma.graph.quantized_add %x, %y : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @quantize_rounding(%x: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  // expected-error @+1 {{rounding is 'up', expected 'float' or 'tflite'}}
  %0 = uma.graph.quantize %x rounding "up" : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @quantized_add_wide(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x!quant.uniform<i16:f32, 0.25>>) {
  // expected-error @+1 {{rhs has element type '!quant.uniform<i16:f32, 2.500000e-01>', expected a storage type of at most 8 bits}}
  %0 = uma.graph.quantized_add %x, %y : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i16:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @quantized_add_floats(%x: tensor<2xf32>, %y: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error @+1 {{lhs has element type 'f32', expected a quantized type such as !quant.uniform<i8:f32, 0.05:3>}}
  %0 = uma.graph.quantized_add %x, %y : (tensor<2xf32>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @quantized_add_shapes(%x: tensor<1x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error @+1 {{failed to verify that all of {lhs, rhs, result} have same shape}}
  %0 = uma.graph.quantized_add %x, %y : (tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @requantize_rounding(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>> {
  // expected-error @+1 {{rounding is 'tensorflow', expected 'float' or 'tflite'}}
  %0 = uma.graph.requantize %x rounding "tensorflow" : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25>>
}

// -----

func.func @fixed_point_floats(%x: tensor<2xf32>, %m: tensor<i32>) {
  // expected-error @+1 {{data has element type 'f32', expected i32}}
  %0 = uma.graph.fixed_point_multiply %x, %m, %m : (tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<2xi32>
  return
}

// -----

func.func @fixed_point_shift(%x: tensor<2xi32>, %s: tensor<i64>) {
  // expected-error @+1 {{shift has element type 'i64', expected i32}}
  %0 = uma.graph.fixed_point_multiply %x, %x, %s : (tensor<2xi32>, tensor<2xi32>, tensor<i64>) -> tensor<2xi32>
  return
}

// -----

func.func @fixed_point_shapes(%x: tensor<2xi32>, %m: tensor<3xi32>) {
  // expected-error @+1 {{data has shape 2 and multiplier has shape 3, which do not broadcast}}
  %0 = uma.graph.fixed_point_multiply %x, %m, %m : (tensor<2xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @quantized_add_rounding(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{rounding is 'up', expected 'float' or 'tflite'}}
  %0 = uma.graph.quantized_add %x, %x rounding "up" : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

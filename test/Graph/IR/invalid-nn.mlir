// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of conv2d, dense, bias_add, batch_norm and the activations.

func.func @result_type(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{'uma.graph.conv2d' op result has type 'tensor<1x4x4x4xf32>', expected 'tensor<1x4x2x2xf32>' from the operands and attributes}}
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @dynamic(%x: tensor<?x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of floating-point or integer or quantized values, but got 'tensor<?x8x4x4xf32>'}}
  %0 = uma.graph.conv2d %x, %w : (tensor<?x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @data_layout(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{data_layout is "NHCW", expected "NCHW" or "NHWC"}}
  %0 = uma.graph.conv2d %x, %w layout "NHCW"
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @data_layout_close(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{data_layout is "NCHW4", expected "NCHW" or "NHWC"; did you mean 'NCHW'?}}
  %0 = uma.graph.conv2d %x, %w layout "NCHW4"
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @kernel_layout(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{kernel_layout is "oihw", expected "OIHW", "OHWI" or "HWIO"; did you mean 'OIHW'?}}
  %0 = uma.graph.conv2d %x, %w kernel_layout "oihw"
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @data_rank(%x: tensor<8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{data has shape 8x4x4 of rank 3, expected rank 4 (NCHW)}}
  %0 = uma.graph.conv2d %x, %w : (tensor<8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<4x2x2xf32>
  return
}

// -----

func.func @weight_rank(%x: tensor<1x8x4x4xf32>, %w: tensor<f32>) {
  // expected-error @+1 {{weight has shape scalar of rank 0, expected rank 4 (OIHW)}}
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<f32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @groups_zero(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{groups is 0, expected at least 1}}
  %0 = uma.graph.conv2d %x, %w groups 0
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @groups_negative(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{groups is -1, expected at least 1}}
  %0 = uma.graph.conv2d %x, %w groups -1
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @groups_divide_data(%x: tensor<1x8x4x4xf32>, %w: tensor<3x2x3x3xf32>) {
  // expected-error @+1 {{groups is 3, expected a divisor of the 8 channels of data}}
  %0 = uma.graph.conv2d %x, %w groups 3
      : (tensor<1x8x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32>
  return
}

// -----

func.func @groups_divide_weight(%x: tensor<1x8x4x4xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+1 {{weight has 5 output channels, expected a multiple of groups, which is 2}}
  %0 = uma.graph.conv2d %x, %w groups 2
      : (tensor<1x8x4x4xf32>, tensor<5x4x3x3xf32>) -> tensor<1x5x2x2xf32>
  return
}

// -----

func.func @channels(%x: tensor<1x8x4x4xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{weight has 3 input channels, expected 8, the channels of data; weight has shape 4x3x3x3 in layout OIHW}}
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @channels_per_group(%x: tensor<1x8x4x4xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{'uma.graph.conv2d' op weight has 3 input channels per group, expected 4 (8 channels of data / 2 groups); weight has shape 4x3x3x3 in layout OIHW}}
  %0 = uma.graph.conv2d %x, %w groups 2
      : (tensor<1x8x4x4xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @channels_layout(%x: tensor<1x4x4x8xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{weight has 3 input channels, expected 8, the channels of data; weight has shape 4x8x3x3 in layout OHWI}}
  %0 = uma.graph.conv2d %x, %w layout "NHWC" kernel_layout "OHWI"
      : (tensor<1x4x4x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x2x2x4xf32>
  return
}

// -----

func.func @kernel_size(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x0x3xf32>) {
  // expected-error @+1 {{weight has a kernel of 0x3, expected at least 1x1}}
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<4x8x0x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @float_weight(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf16>) {
  // expected-error @+1 {{weight has element type 'f16', expected 'f32' as data}}
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf16>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @float_out_dtype_narrow(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{out_dtype is 'f16', expected 'f32' or a wider float type for data of element type 'f32'}}
  %0 = uma.graph.conv2d %x, %w out_dtype f16
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf16>
  return
}

// -----

func.func @float_out_dtype_other(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{out_dtype is 'i32', expected 'f32' or a wider float type for data of element type 'f32'}}
  %0 = uma.graph.conv2d %x, %w out_dtype i32
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xi32>
  return
}

// -----

func.func @float_out_dtype_index(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{out_dtype is 'index', expected 'f32' or a wider float type}}
  %0 = uma.graph.conv2d %x, %w out_dtype index
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @out_dtype_not_a_number(%x: tensor<1x8x4x4xi8>, %w: tensor<4x8x3x3xi8>) {
  // expected-error @+1 {{out_dtype is 'tensor<1xf32>', expected an integer type of at least 16 bits}}
  %0 = uma.graph.conv2d %x, %w out_dtype tensor<1xf32>
      : (tensor<1x8x4x4xi8>, tensor<4x8x3x3xi8>) -> tensor<1x4x2x2xi32>
  return
}

// -----

func.func @integer_weight(%x: tensor<1x8x4x4xi8>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{weight has element type 'f32', expected an integer type as data, which has 'i8'}}
  %0 = uma.graph.conv2d %x, %w out_dtype i32
      : (tensor<1x8x4x4xi8>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xi32>
  return
}

// -----

func.func @integer_out_dtype(%x: tensor<1x8x4x4xi8>, %w: tensor<4x8x3x3xi8>) {
  // expected-error @+1 {{data has the integer element type 'i8', which is too narrow to accumulate in; add an out_dtype, for example `out_dtype i32`}}
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xi8>, tensor<4x8x3x3xi8>) -> tensor<1x4x2x2xi8>
  return
}

// -----

func.func @integer_out_dtype_narrow(%x: tensor<1x8x4x4xi8>, %w: tensor<4x8x3x3xi8>) {
  // expected-error @+1 {{out_dtype is 'i8', expected an integer type of at least 16 bits to hold products of 'i8' and 'i8'}}
  %0 = uma.graph.conv2d %x, %w out_dtype i8
      : (tensor<1x8x4x4xi8>, tensor<4x8x3x3xi8>) -> tensor<1x4x2x2xi8>
  return
}

// -----

func.func @integer_out_dtype_other(%x: tensor<1x8x4x4xi64>, %w: tensor<4x8x3x3xi8>) {
  // expected-error @+1 {{out_dtype is 'f64', expected an integer type of at least 64 bits to hold products of 'i64' and 'i8'}}
  %0 = uma.graph.conv2d %x, %w out_dtype f64
      : (tensor<1x8x4x4xi64>, tensor<4x8x3x3xi8>) -> tensor<1x4x2x2xf64>
  return
}

// -----

func.func @huge_data(%x: tensor<1x4611686018427387904x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{data has type 'tensor<1x4611686018427387904x4x4xf32>', expected fewer than 2^63 bytes}}
  %0 = uma.graph.conv2d %x, %w
      : (tensor<1x4611686018427387904x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

// No element, but code that multiplies the sizes one by one would overflow.
func.func @huge_empty_data(%x: tensor<4611686018427387904x4x0xf32>) {
  // expected-error @+1 {{data has type 'tensor<4611686018427387904x4x0xf32>', expected fewer than 2^63 bytes}}
  %0 = uma.graph.relu %x : (tensor<4611686018427387904x4x0xf32>) -> tensor<4611686018427387904x4x0xf32>
  return
}

// -----

func.func @huge_result(%x: tensor<4294967296x1x1x1xf32>, %w: tensor<2147483648x1x1x1xf32>) {
  // expected-error @+1 {{result would have shape 4294967296x2147483648x1x1 of 'f32', expected fewer than 2^63 bytes}}
  %0 = uma.graph.conv2d %x, %w
      : (tensor<4294967296x1x1x1xf32>, tensor<2147483648x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @dense_data_rank(%x: tensor<f32>, %w: tensor<10x64xf32>) {
  // expected-error @+1 {{'uma.graph.dense' op data is a scalar, expected rank 1 or more}}
  %0 = uma.graph.dense %x, %w : (tensor<f32>, tensor<10x64xf32>) -> tensor<10xf32>
  return
}

// -----

func.func @dense_weight_rank(%x: tensor<1x64xf32>, %w: tensor<64xf32>) {
  // expected-error @+1 {{weight has shape 64 of rank 1, expected rank 2 (units, in)}}
  %0 = uma.graph.dense %x, %w : (tensor<1x64xf32>, tensor<64xf32>) -> tensor<1x10xf32>
  return
}

// -----

func.func @dense_transposed(%x: tensor<1x64xf32>, %w: tensor<64x10xf32>) {
  // expected-error @+1 {{weight has shape 64x10 (units, in), expected 64x64 as data has shape 1x64}}
  %0 = uma.graph.dense %x, %w : (tensor<1x64xf32>, tensor<64x10xf32>) -> tensor<1x10xf32>
  return
}

// -----

func.func @dense_integer(%x: tensor<1x64xi64>, %w: tensor<10x64xi64>) {
  // expected-error @+1 {{add an out_dtype, for example `out_dtype i64`}}
  %0 = uma.graph.dense %x, %w : (tensor<1x64xi64>, tensor<10x64xi64>) -> tensor<1x10xi64>
  return
}

// -----

func.func @bias_axis(%x: tensor<1x8x4x4xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'uma.graph.bias_add' op axis is 4, expected -4 to 3 for data of rank 4}}
  %0 = uma.graph.bias_add %x, %b axis 4 : (tensor<1x8x4x4xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @bias_axis_negative(%x: tensor<1x8x4x4xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{axis is -5, expected -4 to 3 for data of rank 4}}
  %0 = uma.graph.bias_add %x, %b axis -5 : (tensor<1x8x4x4xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @bias_scalar(%x: tensor<f32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{axis is 1, but the data is a scalar and has no axis}}
  %0 = uma.graph.bias_add %x, %b : (tensor<f32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @bias_size(%x: tensor<1x8x4x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{bias has shape 4, expected 8, the size of data along axis 1}}
  %0 = uma.graph.bias_add %x, %b : (tensor<1x8x4x4xf32>, tensor<4xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @bias_rank(%x: tensor<1x8x4x4xf32>, %b: tensor<8x1x1xf32>) {
  // expected-error @+1 {{bias has shape 8x1x1, expected 8, the size of data along axis 1}}
  %0 = uma.graph.bias_add %x, %b : (tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @bias_type(%x: tensor<1x8x4x4xi32>, %b: tensor<8xi8>) {
  // expected-error @+1 {{bias has element type 'i8', expected 'i32' as data}}
  %0 = uma.graph.bias_add %x, %b : (tensor<1x8x4x4xi32>, tensor<8xi8>) -> tensor<1x8x4x4xi32>
  return
}

// -----

func.func @batch_norm_integer(%x: tensor<1x8xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'uma.graph.batch_norm' op data has element type 'i32', expected a float type; cast it first}}
  %0 = uma.graph.batch_norm %x, %b, %b, %b, %b
      : (tensor<1x8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<1x8xi32>
  return
}

// -----

func.func @batch_norm_axis(%x: tensor<1x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{axis is 2, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.batch_norm %x, %b, %b, %b, %b axis 2
      : (tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @batch_norm_vector(%x: tensor<1x8xf32>, %b: tensor<8xf32>, %v: tensor<9xf32>) {
  // expected-error @+1 {{variance has shape 9, expected 8, the size of data along axis 1}}
  %0 = uma.graph.batch_norm %x, %b, %b, %b, %v
      : (tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<9xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @batch_norm_vector_type(%x: tensor<1x8xf16>, %b: tensor<8xf16>, %g: tensor<8xf32>) {
  // expected-error @+1 {{gamma has element type 'f32', expected 'f16' as data}}
  %0 = uma.graph.batch_norm %x, %g, %b, %b, %b
      : (tensor<1x8xf16>, tensor<8xf32>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<1x8xf16>
  return
}

// -----

func.func @batch_norm_epsilon(%x: tensor<1x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{epsilon is -0.5, expected a finite number that is not negative}}
  %0 = uma.graph.batch_norm %x, %b, %b, %b, %b epsilon -0.5
      : (tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @batch_norm_infinite_epsilon(%x: tensor<1x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{epsilon is inf, expected a finite number that is not negative}}
  %0 = uma.graph.batch_norm %x, %b, %b, %b, %b epsilon 0x7FF0000000000000
      : (tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @relu(%x: tensor<8xf32>) {
  // expected-error @+1 {{'uma.graph.relu' op result has type 'tensor<9xf32>', expected 'tensor<8xf32>'}}
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @clip_order(%x: tensor<8xf32>) {
  // expected-error @+1 {{'uma.graph.clip' op a_min is 1.5, expected at most a_max, which is 1}}
  %0 = uma.graph.clip %x min 1.5 max 1.0 : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @clip_nan(%x: tensor<8xf32>) {
  // expected-error @+1 {{a_max is not a number}}
  %0 = uma.graph.clip %x min 0.0 max 0x7FF8000000000000 : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @clip_integer(%x: tensor<8xi8>) {
  // expected-error @+1 {{a_min is 0.5, expected a whole number that fits the data's element type 'i8'}}
  %0 = uma.graph.clip %x min 0.5 max 6.0 : (tensor<8xi8>) -> tensor<8xi8>
  return
}

// -----

func.func @clip_integer_range(%x: tensor<8xi8>) {
  // expected-error @+1 {{a_max is 128, expected a whole number that fits the data's element type 'i8'}}
  %0 = uma.graph.clip %x min 0.0 max 128.0 : (tensor<8xi8>) -> tensor<8xi8>
  return
}

// -----

func.func @clip_unsigned_range(%x: tensor<8xui8>) {
  // expected-error @+1 {{a_min is -1, expected a whole number that fits the data's element type 'ui8'}}
  %0 = uma.graph.clip %x min -1.0 max 6.0 : (tensor<8xui8>) -> tensor<8xui8>
  return
}

// -----

func.func @softmax_integer(%x: tensor<1x10xi8>) {
  // expected-error @+1 {{'uma.graph.softmax' op data has element type 'i8', expected a float type; cast it first}}
  %0 = uma.graph.softmax %x : (tensor<1x10xi8>) -> tensor<1x10xi8>
  return
}

// -----

func.func @softmax_axis(%x: tensor<1x10xf32>) {
  // expected-error @+1 {{axis is 2, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.softmax %x axis 2 : (tensor<1x10xf32>) -> tensor<1x10xf32>
  return
}

// -----

// Broadcasting.

func.func @broadcast(%a: tensor<1x8x4x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'uma.graph.add' op lhs has shape 1x8x4x4 and rhs has shape 3, which do not broadcast: counted from the end, dimension 1 is 4 and 3, expected equal sizes or a 1}}
  %0 = uma.graph.add %a, %b : (tensor<1x8x4x4xf32>, tensor<3xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @broadcast_longer_rhs(%a: tensor<3x1xf32>, %b: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{'uma.graph.subtract' op lhs has shape 3x1 and rhs has shape 1x8x4x4, which do not broadcast: counted from the end, dimension 2 is 3 and 4, expected equal sizes or a 1}}
  %0 = uma.graph.subtract %a, %b : (tensor<3x1xf32>, tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @binary_types(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'uma.graph.multiply' op rhs has element type 'i32', expected 'f32' as lhs}}
  %0 = uma.graph.multiply %a, %b : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @binary_result(%a: tensor<4xf32>, %b: tensor<1xf32>) {
  // expected-error @+1 {{'uma.graph.divide' op result has type 'tensor<1xf32>', expected 'tensor<4xf32>'}}
  %0 = uma.graph.divide %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @huge_lhs(%a: tensor<9223372036854775807xf32>, %b: tensor<1xf32>) {
  // expected-error @+1 {{lhs has type 'tensor<9223372036854775807xf32>', expected fewer than 2^63 bytes}}
  %0 = uma.graph.add %a, %b : (tensor<9223372036854775807xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @huge_rhs(%a: tensor<1xf32>, %b: tensor<9223372036854775807xf32>) {
  // expected-error @+1 {{rhs has type 'tensor<9223372036854775807xf32>', expected fewer than 2^63 bytes}}
  %0 = uma.graph.add %a, %b : (tensor<1xf32>, tensor<9223372036854775807xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @huge_broadcast(%a: tensor<1x1073741824x1xf32>, %b: tensor<1073741824x1x2xf32>) {
  // expected-error @+1 {{result would have shape 1073741824x1073741824x2 of 'f32', expected fewer than 2^63 bytes}}
  %0 = uma.graph.add %a, %b : (tensor<1x1073741824x1xf32>, tensor<1073741824x1x2xf32>) -> tensor<1xf32>
  return
}

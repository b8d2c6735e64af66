// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of the operators that move elements.

func.func @pad_before(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'uma.graph.pad' op pad_before has 1 element, expected 2 (the rank of data)}}
  %0 = uma.graph.pad %x before [1] after [0, 0] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @pad_after(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{pad_after has 3 elements, expected 2 (the rank of data)}}
  %0 = uma.graph.pad %x before [1, 0] after [0, 0, 0] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @pad_before_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{pad_before[0] is -1, expected at least 0}}
  %0 = uma.graph.pad %x before [-1, 0] after [0, 0] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @pad_after_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{pad_after[1] is -1, expected at least 0}}
  %0 = uma.graph.pad %x before [0, 0] after [0, -1] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<2x3xi8>) {
  // expected-error @+1 {{pad_value is 0.5, expected a whole number that fits the data's element type 'i8'}}
  %0 = uma.graph.pad %x before [0, 0] after [0, 1] value 0.5 : (tensor<2x3xi8>) -> tensor<2x4xi8>
  return
}

// -----

func.func @pad_value_infinite(%x: tensor<2x3xi8>) {
  // expected-error @+1 {{pad_value is -inf, expected a whole number that fits the data's element type 'i8'}}
  %0 = uma.graph.pad %x before [0, 0] after [0, 1] value 0xFFF0000000000000 : (tensor<2x3xi8>) -> tensor<2x4xi8>
  return
}

// -----

func.func @pad_value_nan(%x: tensor<2x3xi8>) {
  // expected-error @+1 {{pad_value is nan, expected a whole number that fits the data's element type 'i8'}}
  %0 = uma.graph.pad %x before [0, 0] after [0, 1] value 0x7FF8000000000000 : (tensor<2x3xi8>) -> tensor<2x4xi8>
  return
}

// -----

func.func @pad_value_bool(%x: tensor<2x3xi1>) {
  // expected-error @+1 {{pad_value is -1, expected a whole number that fits the data's element type 'i1'}}
  %0 = uma.graph.pad %x before [0, 0] after [0, 1] value -1.0 : (tensor<2x3xi1>) -> tensor<2x4xi1>
  return
}

// -----

func.func @pad_huge(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{dimension 1 of data has size 3 and is padded by 0 and 9223372036854775807, expected fewer than 2^63 elements}}
  %0 = uma.graph.pad %x before [0, 0] after [0, 9223372036854775807] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @pad_huge_product(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{result would have shape 4294967298x4294967299 of 'f32', expected fewer than 2^63 bytes}}
  %0 = uma.graph.pad %x before [4294967296, 4294967296] after [0, 0] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @reshape_elements(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'uma.graph.reshape' op newshape has 8 elements, expected 6 as data of shape 2x3}}
  %0 = uma.graph.reshape %x [2, 4] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @reshape_divide(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{newshape cannot hold the 6 elements of data: its known sizes have 4, expected a divisor of 6}}
  %0 = uma.graph.reshape %x [4, -1] : (tensor<2x3xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @reshape_two_open(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{newshape[0] and newshape[2] are -1, expected at most one -1}}
  %0 = uma.graph.reshape %x [-1, 1, -1] : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  return
}

// -----

func.func @reshape_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{newshape[1] is -2, expected a size or -1}}
  %0 = uma.graph.reshape %x [2, -2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_ambiguous(%x: tensor<0x3xf32>) {
  // expected-error @+1 {{newshape[1] is -1 beside a size of 0, so that any size would do; give the size}}
  %0 = uma.graph.reshape %x [0, -1] : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return
}

// -----

func.func @reshape_huge(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{newshape has 2^63 or more elements, expected 6 as data}}
  %0 = uma.graph.reshape %x [4294967296, 4294967296] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_flatten(%x: tensor<f32>) {
  // expected-error @+1 {{'uma.graph.batch_flatten' op data is a scalar, expected rank 1 or more}}
  %0 = uma.graph.batch_flatten %x : (tensor<f32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @transpose_length(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'uma.graph.transpose' op axes has 1 element, expected 2 as data has shape 2x3}}
  %0 = uma.graph.transpose %x [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axes[1] is 2, expected 0 to 1}}
  %0 = uma.graph.transpose %x [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axes[0] is -1, expected 0 to 1}}
  %0 = uma.graph.transpose %x [-1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @transpose_twice(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axes has 1 twice, expected every dimension of data once}}
  %0 = uma.graph.transpose %x [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @concatenate_nothing() {
  // expected-error @+1 {{'uma.graph.concatenate' op has no inputs, expected at least one}}
  %0 = "uma.graph.concatenate"() {axis = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_axis(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis is -3, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.concatenate %x, %x axis -3 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @concatenate_types(%x: tensor<2x3xf32>, %y: tensor<2x3xf16>) {
  // expected-error @+1 {{input 1 has element type 'f16', expected 'f32' as input 0}}
  %0 = uma.graph.concatenate %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x3xf16>) -> tensor<4x3xf32>
  return
}

// -----

func.func @concatenate_rank(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{input 2 has shape 3, expected rank 2 as input 0 of shape 2x3}}
  %0 = uma.graph.concatenate %x, %x, %y axis 0
      : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @concatenate_sizes(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{input 1 has shape 2x4, expected size 3 in dimension 1 as input 0 of shape 2x3: only axis 0 may differ}}
  %0 = uma.graph.concatenate %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @concatenate_huge(%x: tensor<9223372036854775807xi8>) {
  // expected-error @+1 {{inputs have 2^63 or more elements along axis 0}}
  %0 = uma.graph.concatenate %x, %x axis 0
      : (tensor<9223372036854775807xi8>, tensor<9223372036854775807xi8>) -> tensor<2xi8>
  return
}

// -----

func.func @concatenate_huge_input(%x: tensor<1xi16>, %y: tensor<9223372036854775807xi16>) {
  // expected-error @+1 {{input 1 has type 'tensor<9223372036854775807xi16>', expected fewer than 2^63 bytes}}
  %0 = uma.graph.concatenate %x, %y axis 0
      : (tensor<1xi16>, tensor<9223372036854775807xi16>) -> tensor<2xi16>
  return
}

// -----

func.func @cast_dtype(%x: tensor<2xf32>) {
  // expected-error @+1 {{'uma.graph.cast' op dtype is 'tensor<2xi8>', expected an integer or float type}}
  %0 = uma.graph.cast %x to tensor<2xi8> : (tensor<2xf32>) -> tensor<2xi8>
  return
}

// -----

func.func @cast_result(%x: tensor<2xf32>) {
  // expected-error @+1 {{result has type 'tensor<2xi16>', expected 'tensor<2xi8>' from the operands and attributes}}
  %0 = uma.graph.cast %x to i8 : (tensor<2xf32>) -> tensor<2xi16>
  return
}

// -----

func.func @cast_huge(%x: tensor<9223372036854775807xi8>) {
  // expected-error @+1 {{result would have shape 9223372036854775807 of 'i16', expected fewer than 2^63 bytes}}
  %0 = uma.graph.cast %x to i16 : (tensor<9223372036854775807xi8>) -> tensor<9223372036854775807xi16>
  return
}

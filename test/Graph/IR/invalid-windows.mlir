// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of a window: strides, padding and dilations of conv2d and pools.

func.func @strides_length(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{'uma.graph.conv2d' op strides has 1 element, expected 2 (height and width)}}
  %0 = uma.graph.conv2d %x, %w strides [1]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @strides_zero(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{strides[1] is 0, expected at least 1}}
  %0 = uma.graph.conv2d %x, %w strides [1, 0]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @padding_length(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{padding has 2 elements, expected 4 (top, left, bottom and right)}}
  %0 = uma.graph.conv2d %x, %w padding [1, 1]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @padding_negative(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{padding[2] is -1, expected at least 0}}
  %0 = uma.graph.conv2d %x, %w padding [0, 0, -1, 0]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x1x2xf32>
  return
}

// -----

func.func @dilations_length(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{dilations has 3 elements, expected 2 (height and width)}}
  %0 = uma.graph.conv2d %x, %w dilations [1, 1, 1]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @dilations_zero(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{dilations[0] is 0, expected at least 1}}
  %0 = uma.graph.conv2d %x, %w dilations [0, 1]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x2xf32>
  return
}

// -----

func.func @empty_data(%x: tensor<1x8x0x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{data has height 0, expected at least 1}}
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
      : (tensor<1x8x0x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x0x4xf32>
  return
}

// -----

func.func @does_not_fit(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{window of width 7 (dilation included) does not fit data of width 4 with padding 1 and 1}}
  %0 = uma.graph.conv2d %x, %w padding [0, 1, 0, 1] dilations [1, 3]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x1xf32>
  return
}

// -----

func.func @huge_dilation(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{window of height 3 with dilation 9223372036854775807 has an extent of 2^63 or more elements}}
  %0 = uma.graph.conv2d %x, %w dilations [9223372036854775807, 1]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x1x2xf32>
  return
}

// -----

// Only the addition of the last element overflows.
func.func @huge_extent(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x2x3xf32>) {
  // expected-error @+1 {{window of height 2 with dilation 9223372036854775807 has an extent of 2^63 or more elements}}
  %0 = uma.graph.conv2d %x, %w dilations [9223372036854775807, 1]
      : (tensor<1x8x4x4xf32>, tensor<4x8x2x3xf32>) -> tensor<1x4x1x2xf32>
  return
}

// -----

func.func @huge_padding_begin(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{data of width 4 with padding 9223372036854775807 and 0 has 2^63 or more elements}}
  %0 = uma.graph.conv2d %x, %w padding [0, 9223372036854775807, 0, 0]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @huge_padding_end(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{data of height 4 with padding 4611686018427387904 and 4611686018427387904 has 2^63 or more elements}}
  %0 = uma.graph.conv2d %x, %w padding [4611686018427387904, 0, 4611686018427387904, 0]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @huge_output(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @+1 {{result would have shape 1x4x4611686018427387904x4611686018427387904 of 'f32', expected fewer than 2^63 bytes}}
  %0 = uma.graph.conv2d %x, %w padding [4611686018427387902, 4611686018427387902, 0, 0]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

// A huge stride is fine: there is one window.
func.func @huge_stride(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x3x3xf32>) {
  %0 = uma.graph.conv2d %x, %w strides [9223372036854775807, 9223372036854775807]
      : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x1x1xf32>
  %1 = uma.graph.max_pool2d %x size [3, 3] strides [9223372036854775807, 9223372036854775807] ceil_mode true
      : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x1xf32>
  // expected-error @+1 {{result has type 'tensor<1x8x2x2xf32>', expected 'tensor<1x8x1x1xf32>'}}
  %2 = uma.graph.max_pool2d %x size [4, 4] strides [9223372036854775807, 9223372036854775807] padding [0, 0, 1, 1] ceil_mode true
      : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
  return
}

// -----

func.func @pool_layout(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{'uma.graph.max_pool2d' op data_layout is "NHW", expected "NCHW" or "NHWC"; did you mean 'NCHW'?}}
  %0 = uma.graph.max_pool2d %x size [2, 2] layout "NHW" : (tensor<1x8x4x4xf32>) -> tensor<1x8x3x3xf32>
  return
}

// -----

func.func @pool_rank(%x: tensor<8x4x4xf32>) {
  // expected-error @+1 {{data has shape 8x4x4 of rank 3, expected rank 4 (NHWC)}}
  %0 = uma.graph.avg_pool2d %x size [2, 2] layout "NHWC" : (tensor<8x4x4xf32>) -> tensor<8x3x3xf32>
  return
}

// -----

func.func @pool_size_length(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{pool_size has 0 elements, expected 2 (height and width)}}
  %0 = uma.graph.max_pool2d %x size [] : (tensor<1x8x4x4xf32>) -> tensor<1x8x3x3xf32>
  return
}

// -----

func.func @pool_size_zero(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{pool_size[0] is 0, expected at least 1}}
  %0 = uma.graph.max_pool2d %x size [0, 2] : (tensor<1x8x4x4xf32>) -> tensor<1x8x3x3xf32>
  return
}

// -----

func.func @pool_strides(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{strides[0] is -2, expected at least 1}}
  %0 = uma.graph.avg_pool2d %x size [2, 2] strides [-2, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x8x3x3xf32>
  return
}

// -----

func.func @pool_of_padding_begin(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{padding[1] is 2, expected less than the window's width 2: a window would see nothing but padding}}
  %0 = uma.graph.max_pool2d %x size [2, 2] padding [1, 2, 1, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x8x5x6xf32>
  return
}

// -----

func.func @pool_of_padding_end(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{padding[2] is 3, expected less than the window's height 3: a window would see nothing but padding}}
  %0 = uma.graph.avg_pool2d %x size [2, 2] padding [0, 0, 3, 0] dilations [2, 1]
      : (tensor<1x8x4x4xf32>) -> tensor<1x8x5x3xf32>
  return
}

// -----

// The window [0, 2] of the padded data [pad, 1 element, pad] sees both pads.
func.func @pool_around_data(%x: tensor<1x8x1x4xf32>) {
  // expected-error @+1 {{dilations[0] is 2, expected at most 1, the data's height: a window would see nothing but padding}}
  %0 = uma.graph.max_pool2d %x size [2, 2] padding [1, 0, 1, 0] dilations [2, 1]
      : (tensor<1x8x1x4xf32>) -> tensor<1x8x1x3xf32>
  return
}

// -----

func.func @pool_does_not_fit(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{window of height 5 (dilation included) does not fit data of height 4 with padding 0 and 0}}
  %0 = uma.graph.max_pool2d %x size [5, 2] : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x3xf32>
  return
}

// -----

// Rounding up does not make room for a window that hangs out by a whole stride.
func.func @pool_ceil_does_not_fit(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{window of height 6 (dilation included) does not fit data of height 4 with padding 0 and 0}}
  %0 = uma.graph.max_pool2d %x size [6, 2] strides [2, 2] ceil_mode true : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x2xf32>
  return
}

// -----

func.func @avg_pool_integer(%x: tensor<1x8x4x4xi8>) {
  // expected-error @+1 {{'uma.graph.avg_pool2d' op data has element type 'i8', expected a float type; cast it first}}
  %0 = uma.graph.avg_pool2d %x size [2, 2] : (tensor<1x8x4x4xi8>) -> tensor<1x8x3x3xi8>
  return
}

// -----

func.func @global_layout(%x: tensor<1x8x4x4xf32>) {
  // expected-error @+1 {{'uma.graph.global_avg_pool2d' op data_layout is "", expected "NCHW" or "NHWC"}}
  %0 = uma.graph.global_avg_pool2d %x layout "" : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x1xf32>
  return
}

// -----

func.func @global_rank(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{data has shape 8x4 of rank 2, expected rank 4 (NCHW)}}
  %0 = uma.graph.global_avg_pool2d %x : (tensor<8x4xf32>) -> tensor<8x1xf32>
  return
}

// -----

func.func @global_integer(%x: tensor<1x8x4x4xi8>) {
  // expected-error @+1 {{data has element type 'i8', expected a float type; cast it first}}
  %0 = uma.graph.global_avg_pool2d %x : (tensor<1x8x4x4xi8>) -> tensor<1x8x1x1xi8>
  return
}

// -----

func.func @global_empty(%x: tensor<1x8x4x0xf32>) {
  // expected-error @+1 {{data has shape 1x8x4x0, expected a height and width of at least 1}}
  %0 = uma.graph.global_avg_pool2d %x : (tensor<1x8x4x0xf32>) -> tensor<1x8x1x1xf32>
  return
}

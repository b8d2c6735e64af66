// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Errors of conv3d, the transposed and deformable convolutions, col2im, the pools of any rank and dft.

func.func @conv3d_layout(%x: tensor<1x2x4x4x4xf32>, %w: tensor<3x2x3x3x3xf32>) {
  // expected-error @+1 {{data_layout is "NCHW", expected "NCDHW" or "NDHWC"}}
  %0 = uma.graph.conv3d %x, %w layout "NCHW" : (tensor<1x2x4x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x2x2x2xf32>
  return
}

// -----

func.func @conv3d_kernel_layout(%x: tensor<1x2x4x4x4xf32>, %w: tensor<3x2x3x3x3xf32>) {
  // expected-error @+1 {{kernel_layout is "OIHWD", expected "OIDHW", "ODHWI" or "DHWIO"}}
  %0 = uma.graph.conv3d %x, %w kernel_layout "OIHWD" : (tensor<1x2x4x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x2x2x2xf32>
  return
}

// -----

func.func @conv3d_depth(%x: tensor<1x2x2x4x4xf32>, %w: tensor<3x2x3x3x3xf32>) {
  // expected-error @+1 {{window of depth 3 (dilation included) does not fit data of depth 2 with padding 0 and 0}}
  %0 = uma.graph.conv3d %x, %w : (tensor<1x2x2x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x1x2x2xf32>
  return
}

// -----

func.func @conv3d_padding(%x: tensor<1x2x4x4x4xf32>, %w: tensor<3x2x3x3x3xf32>) {
  // expected-error @+1 {{padding has 4 elements, expected 6 (front, top, left, back, bottom and right)}}
  %0 = uma.graph.conv3d %x, %w padding [1, 1, 1, 1] : (tensor<1x2x4x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x4x4x4xf32>
  return
}

// -----

func.func @transpose_channels(%x: tensor<1x4x5x5xf32>, %w: tensor<3x8x2x2xf32>) {
  // expected-error @+1 {{weight has 3 input channels, expected 4, the channels of data; weight has shape 3x8x2x2 in layout IOHW}}
  %0 = uma.graph.conv2d_transpose %x, %w : (tensor<1x4x5x5xf32>, tensor<3x8x2x2xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @transpose_integers(%x: tensor<1x4x5x5xi8>, %w: tensor<4x8x2x2xi8>) {
  // expected-error @+1 {{data has element type 'i8', expected a float type; cast it first}}
  %0 = uma.graph.conv2d_transpose %x, %w : (tensor<1x4x5x5xi8>, tensor<4x8x2x2xi8>) -> tensor<1x8x6x6xi8>
  return
}

// -----

func.func @transpose_padding(%x: tensor<1x4x1x5xf32>, %w: tensor<4x8x2x2xf32>) {
  // expected-error @+1 {{padding 1 and 1 leaves nothing of spatial dimension 0 of the result}}
  %0 = uma.graph.conv2d_transpose %x, %w padding [1, 0, 1, 0] : (tensor<1x4x1x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x8x1x6xf32>
  return
}

// -----

func.func @transpose_groups(%x: tensor<1x4x5x5xf32>, %w: tensor<4x8x2x2xf32>) {
  // expected-error @+1 {{groups is 3, expected a divisor of the 4 channels of data}}
  %0 = uma.graph.conv2d_transpose %x, %w groups 3 : (tensor<1x4x5x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x24x6x6xf32>
  return
}

// -----

func.func @transpose_huge(%x: tensor<1x4x5x5xf32>, %w: tensor<4x8x2x2xf32>) {
  // expected-error @+1 {{result would have 2^63 or more elements}}
  %0 = uma.graph.conv2d_transpose %x, %w strides [9223372036854775807, 1] : (tensor<1x4x5x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @output_padding(%x: tensor<1x4x5x5xf32>, %w: tensor<4x8x2x2xf32>) {
  // expected-error @+1 {{output_padding[1] is -1, expected at least 0}}
  %0 = uma.graph.conv2d_transpose %x, %w output_padding [0, -1] : (tensor<1x4x5x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @deformable_offset(%x: tensor<1x2x3x3xf32>, %o: tensor<1x4x2x2xf32>, %w: tensor<1x2x2x2xf32>) {
  // expected-error @+1 {{offset has shape 1x4x2x2, expected 1x8x2x2}}
  %0 = uma.graph.deformable_conv2d %x, %o, %w : (tensor<1x2x3x3xf32>, tensor<1x4x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @deformable_groups(%x: tensor<1x2x3x3xf32>, %o: tensor<1x8x2x2xf32>, %w: tensor<1x2x2x2xf32>) {
  // expected-error @+1 {{offset_groups is 0, expected a divisor of the 2 channels of data}}
  %0 = uma.graph.deformable_conv2d %x, %o, %w offset_groups 0 : (tensor<1x2x3x3xf32>, tensor<1x8x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @col2im_windows(%x: tensor<1x5x4xf32>) {
  // expected-error @+1 {{data has shape 1x5x4, expected 5 in its last dimension, the number of windows}}
  %0 = uma.graph.col2im %x image [5, 5] block [1, 5] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] : (tensor<1x5x4xf32>) -> tensor<1x1x5x5xf32>
  return
}

// -----

func.func @col2im_block(%x: tensor<1x6x5xf32>) {
  // expected-error @+1 {{data has shape 1x6x5, expected a multiple of 5 in dimension 1, the elements of a window}}
  %0 = uma.graph.col2im %x image [5, 5] block [1, 5] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] : (tensor<1x6x5xf32>) -> tensor<1x1x5x5xf32>
  return
}

// -----

func.func @pool_rank(%x: tensor<2x7xf32>) {
  // expected-error @+1 {{data has shape 2x7 of rank 2, expected rank 3 or more (NC and spatial dimensions)}}
  %0 = uma.graph.lp_pool %x size [2] strides [1] padding [0, 0] dilations [1] : (tensor<2x7xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @norm(%x: tensor<1x2x7xf32>) {
  // expected-error @+1 {{p is 0, expected at least 1}}
  %0 = uma.graph.lp_pool %x size [2] strides [1] padding [0, 0] dilations [1] p 0 : (tensor<1x2x7xf32>) -> tensor<1x2x6xf32>
  return
}

// -----

func.func @indices(%x: tensor<1x2x7xf32>) {
  // expected-error @+1 {{padding[0] is 2, expected less than the window's width 2: a window would see nothing but padding}}
  %0 = uma.graph.max_pool_indices %x size [2] strides [1] padding [2, 0] dilations [1] : (tensor<1x2x7xf32>) -> tensor<1x2x8xi64>
  return
}

// -----

func.func @max_pool3d(%x: tensor<1x2x7x7x7xf32>) {
  // expected-error @+1 {{pool_size has 2 elements, expected 3 (depth, height and width)}}
  %0 = uma.graph.max_pool3d %x size [2, 2] : (tensor<1x2x7x7x7xf32>) -> tensor<1x2x6x6x6xf32>
  return
}

// -----

func.func @dft_parts(%x: tensor<4x3xf32>, %t: tensor<4x2xf32>) {
  // expected-error @+1 {{data has shape 4x3, expected rank 2 or more and a last dimension of 1 (real) or 2 (complex)}}
  %0 = uma.graph.dft %x, %t axis 0 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dft_axis(%x: tensor<4x2xf32>, %t: tensor<4x2xf32>) {
  // expected-error @+1 {{axis is -1, the dimension of real and imaginary parts; expected one before it}}
  %0 = uma.graph.dft %x, %t axis -1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dft_twiddle(%x: tensor<4x2xf32>, %t: tensor<4x1xf32>) {
  // expected-error @+1 {{twiddle has shape 4x1, expected a length of at least 1 and 2 parts}}
  %0 = uma.graph.dft %x, %t axis 0 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  return
}

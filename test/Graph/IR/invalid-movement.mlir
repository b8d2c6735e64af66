// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of slices, repetitions and pad modes.

func.func @slice_begin(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{begin has 1 element, expected 2 (the rank of data)}}
  %0 = uma.graph.strided_slice %x [0] size [1, 1] strides [1, 1] : (tensor<3x8xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_negative(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{begin[1] is -1, expected at least 0}}
  %0 = uma.graph.strided_slice %x [0, -1] size [1, 1] strides [1, 1] : (tensor<3x8xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_end(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{dimension 1 of data has size 8, expected it to hold the 4 elements from 2 with stride 2}}
  %0 = uma.graph.strided_slice %x [0, 2] size [1, 4] strides [1, 2] : (tensor<3x8xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @slice_before(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{expected it to hold the 2 elements from 0 with stride -1}}
  %0 = uma.graph.strided_slice %x [0, 0] size [1, 2] strides [1, -1] : (tensor<3x8xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @slice_overflow(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{expected it to hold the 3 elements from 0 with stride 9223372036854775807}}
  %0 = uma.graph.strided_slice %x [0, 0] size [1, 3] strides [1, 9223372036854775807] : (tensor<3x8xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @broadcast(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{data has shape 3x8, which does not broadcast to 3x4}}
  %0 = uma.graph.broadcast_to %x [3, 4] : (tensor<3x8xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @broadcast_rank(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{data has shape 3x8, which does not broadcast to 8}}
  %0 = uma.graph.broadcast_to %x [8] : (tensor<3x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @broadcast_huge(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{shape has a negative size or 2^63 or more elements}}
  %0 = uma.graph.broadcast_to %x [-1, 8] : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @trilu(%x: tensor<3xf32>) {
  // expected-error @+1 {{data has shape 3, expected matrices: rank 2 or more}}
  %0 = uma.graph.trilu %x k 0 upper true : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reverse_lengths(%x: tensor<3x8xf32>, %n: tensor<3xf32>) {
  // expected-error @+1 {{seq_lengths has element type 'f32', expected a signed integer type such as i64}}
  %0 = uma.graph.reverse_sequence %x, %n seq_axis 1 batch_axis 0 : (tensor<3x8xf32>, tensor<3xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @reverse_axes(%x: tensor<3x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{seq_axis and batch_axis are both 0, expected two different axes}}
  %0 = uma.graph.reverse_sequence %x, %n seq_axis 0 batch_axis -2 : (tensor<3x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @reverse_batch(%x: tensor<3x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{seq_lengths has size 3, expected 8, the size of data along batch_axis 1}}
  %0 = uma.graph.reverse_sequence %x, %n seq_axis 0 batch_axis 1 : (tensor<3x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @reverse_axis(%x: tensor<3x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{seq_axis is 2, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.reverse_sequence %x, %n seq_axis 2 batch_axis 0 : (tensor<3x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @pad_mode(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{pad_mode is "reflection", expected "constant", "edge", "reflect" or "wrap"; did you mean 'reflect'?}}
  %0 = uma.graph.pad %x before [0, 0] after [1, 1] mode "reflection" : (tensor<3x8xf32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @pad_empty(%x: tensor<0x8xf32>) {
  // expected-error @+1 {{pad_mode is "edge", but dimension 0 of data has no elements to pad with}}
  %0 = uma.graph.pad %x before [1, 0] after [0, 0] mode "edge" : (tensor<0x8xf32>) -> tensor<1x8xf32>
  return
}

// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of gather, scatter and one_hot.

func.func @take_float(%x: tensor<3x8xf32>, %i: tensor<2xf32>) {
  // expected-error @+1 {{indices has element type 'f32', expected a signed integer type such as i64}}
  %0 = uma.graph.take %x, %i axis 0 : (tensor<3x8xf32>, tensor<2xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @take_unsigned(%x: tensor<3x8xf32>, %i: tensor<2xui8>) {
  // expected-error @+1 {{indices has element type 'ui8', expected a signed integer type such as i64}}
  %0 = uma.graph.take %x, %i axis 0 : (tensor<3x8xf32>, tensor<2xui8>) -> tensor<2x8xf32>
  return
}

// -----

func.func @take_axis(%x: tensor<3x8xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{axis is 2, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.take %x, %i axis 2 : (tensor<3x8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
  return
}

// -----

func.func @take_empty(%x: tensor<0x8xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{dimension 0 of data has no elements, expected at least one for the indices to choose}}
  %0 = uma.graph.take %x, %i axis 0 : (tensor<0x8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
  return
}

// -----

func.func @take_result(%x: tensor<3x8xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{result has type 'tensor<8x2xf32>', expected 'tensor<2x8xf32>'}}
  %0 = uma.graph.take %x, %i axis 0 : (tensor<3x8xf32>, tensor<2xi64>) -> tensor<8x2xf32>
  return
}

// -----

func.func @gather_rank(%x: tensor<3x8xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{indices has shape 2, expected the rank of data and, but for axis 0, no larger sizes; data has shape 3x8}}
  %0 = uma.graph.gather %x, %i axis 0 : (tensor<3x8xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_size(%x: tensor<3x8xf32>, %i: tensor<2x9xi64>) {
  // expected-error @+1 {{indices has shape 2x9, expected the rank of data}}
  %0 = uma.graph.gather %x, %i axis 0 : (tensor<3x8xf32>, tensor<2x9xi64>) -> tensor<2x9xf32>
  return
}

// -----

func.func @gather_nd_scalar(%x: tensor<3x8xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{indices is a scalar, expected rank 1 or more: the last dimension holds positions}}
  %0 = uma.graph.gather_nd %x, %i batch_dims 0 : (tensor<3x8xf32>, tensor<i64>) -> tensor<8xf32>
  return
}

// -----

func.func @gather_nd_length(%x: tensor<3x8xf32>, %i: tensor<2x3xi64>) {
  // expected-error @+1 {{indices has shape 2x3, expected a last dimension of 1 to 2, a position in data of shape 3x8}}
  %0 = uma.graph.gather_nd %x, %i batch_dims 0 : (tensor<3x8xf32>, tensor<2x3xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_batch_dims(%x: tensor<3x8xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+1 {{batch_dims is 2, expected 0 to 1, fewer than the dimensions of data and indices}}
  %0 = uma.graph.gather_nd %x, %i batch_dims 2 : (tensor<3x8xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_batch(%x: tensor<3x8xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+1 {{indices has shape 2x1, expected its first 1 sizes as those of data, 3x8}}
  %0 = uma.graph.gather_nd %x, %i batch_dims 1 : (tensor<3x8xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @scatter_type(%x: tensor<3x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf16>) {
  // expected-error @+1 {{updates has element type}}
  %0 = uma.graph.scatter_elements %x, %i, %u axis 0 : (tensor<3x8xf32>, tensor<2x1xi64>, tensor<2x1xf16>) -> tensor<3x8xf32>
  return
}

// -----

func.func @scatter_shape(%x: tensor<3x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x2xf32>) {
  // expected-error @+1 {{updates has shape 2x2, expected 2x1 from data and indices}}
  %0 = uma.graph.scatter_elements %x, %i, %u axis 0 : (tensor<3x8xf32>, tensor<2x1xi64>, tensor<2x2xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @scatter_reduction(%x: tensor<3x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf32>) {
  // expected-error @+1 {{reduction is "adds", expected "none", "add", "mul", "min" or "max"; did you mean 'add'?}}
  %0 = uma.graph.scatter_elements %x, %i, %u axis 0 reduction "adds" : (tensor<3x8xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @scatter_nd_shape(%x: tensor<3x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf32>) {
  // expected-error @+1 {{updates has shape 2x1, expected 2x8 from data and indices}}
  %0 = uma.graph.scatter_nd %x, %i, %u : (tensor<3x8xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @one_hot_depth(%i: tensor<2xi64>, %s: tensor<f32>) {
  // expected-error @+1 {{depth is 0, expected at least 1}}
  %0 = uma.graph.one_hot %i, %s, %s depth 0 axis 0 : (tensor<2xi64>, tensor<f32>, tensor<f32>) -> tensor<0x2xf32>
  return
}

// -----

func.func @one_hot_value(%i: tensor<2xi64>, %s: tensor<1xf32>) {
  // expected-error @+1 {{on_value has shape 1 of rank 1, expected rank 0 (scalar)}}
  %0 = uma.graph.one_hot %i, %s, %s depth 3 axis 0 : (tensor<2xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @one_hot_axis(%i: tensor<2xi64>, %s: tensor<f32>) {
  // expected-error @+1 {{axis is 2, expected -2 to 1}}
  %0 = uma.graph.one_hot %i, %s, %s depth 3 axis 2 : (tensor<2xi64>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  return
}

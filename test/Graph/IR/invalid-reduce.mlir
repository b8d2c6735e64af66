// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of reductions, orders and scans.

func.func @axis_range(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{axis[1] is 3, expected -3 to 2 for data of rank 3}}
  %0 = uma.graph.sum %x axis [0, 3] : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @axis_twice(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{axis[1] is -2, expected every axis once}}
  %0 = uma.graph.mean %x axis [1, -2] : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @axis_of_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{axis[0] is 0, but the data is a scalar and has no axis}}
  %0 = uma.graph.max %x axis [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @bools(%x: tensor<2xi1>) {
  // expected-error @+1 {{data has element type i1, expected numbers; cast it first}}
  %0 = uma.graph.sum %x : (tensor<2xi1>) -> tensor<i1>
  return
}

// -----

func.func @keepdims(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{result has type 'tensor<2xf32>', expected 'tensor<2x1xf32>' from the operands and attributes}}
  %0 = uma.graph.prod %x axis [1] keepdims true : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @argmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis is 2, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.argmax %x axis 2 : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @argmin_empty(%x: tensor<2x0xf32>) {
  // expected-error @+1 {{data has shape 2x0, expected at least one element along axis 1}}
  %0 = uma.graph.argmin %x axis 1 : (tensor<2x0xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @argmax_type(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{result has type 'tensor<2xi32>', expected 'tensor<2xi64>'}}
  %0 = uma.graph.argmax %x axis 1 : (tensor<2x3xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @topk_many(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{k is 4, expected 0 to 3, the size of data along axis 1}}
  %0 = uma.graph.topk %x k 4 axis 1 : (tensor<2x3xf32>) -> tensor<2x4xi64>
  return
}

// -----

func.func @topk_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{k is -1, expected 0 to 3, the size of data along axis 1}}
  %0 = uma.graph.topk %x k -1 : (tensor<2x3xf32>) -> tensor<2x3xi64>
  return
}

// -----

func.func @topk_axis(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis is -3, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.topk %x k 1 axis -3 : (tensor<2x3xf32>) -> tensor<2x1xi64>
  return
}

// -----

func.func @cumsum_axis(%x: tensor<2xf32>) {
  // expected-error @+1 {{axis is 1, expected -1 to 0 for data of rank 1}}
  %0 = uma.graph.cumsum %x axis 1 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @cumsum_bools(%x: tensor<2xi1>) {
  // expected-error @+1 {{data has element type i1, expected numbers; cast it first}}
  %0 = uma.graph.cumsum %x axis 0 : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// RUN: uma-opt %s --uma-graph-split-rows --split-input-file --verify-diagnostics
// RUN: not uma-opt %s --uma-graph-split-rows=rows=-1 --split-input-file 2>&1 | FileCheck %s
// CHECK: error: uma-graph-split-rows: rows is -1, expected the rows of a stripe, or 0 to split only the chains that are marked

func.func @no_rows(%x: tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32> {
  // expected-error @+1 {{has 'uma.stripe_rows' 0 : i64, expected the rows of a stripe as i64, 1 or more}}
  %0 = uma.graph.relu %x {uma.stripe_rows = 0 : i64} : (tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  return %0 : tensor<1x6x4x2xf32>
}

// -----

func.func @no_number(%x: tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32> {
  // expected-error @+1 {{has 'uma.stripe_rows' "two", expected the rows of a stripe as i64, 1 or more}}
  %0 = uma.graph.relu %x {uma.stripe_rows = "two"} : (tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  return %0 : tensor<1x6x4x2xf32>
}

// -----

func.func @batch(%x: tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32> {
  // expected-error @+1 {{has 'uma.stripe_rows', but cannot be computed in stripes of rows: its result is no image of batch size 1}}
  %0 = uma.graph.relu %x {uma.stripe_rows = 2 : i64} : (tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32>
  return %0 : tensor<2x6x4x2xf32>
}

// -----

func.func @layout(%x: tensor<1x2x6x4xf32>) -> tensor<1x2x6x4xf32> {
  // expected-error @+1 {{cannot be computed in stripes of rows: its layout is not NHWC}}
  %0 = uma.graph.max_pool2d %x size [3, 3] padding [1, 1, 1, 1] {uma.stripe_rows = 1 : i64} : (tensor<1x2x6x4xf32>) -> tensor<1x2x6x4xf32>
  return %0 : tensor<1x2x6x4xf32>
}

// -----

func.func @ceil(%x: tensor<1x7x4x2xf32>) -> tensor<1x4x2x2xf32> {
  // expected-error @+1 {{cannot be computed in stripes of rows: it rounds the number of rows up}}
  %0 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2] ceil_mode true layout "NHWC" {uma.stripe_rows = 1 : i64} : (tensor<1x7x4x2xf32>) -> tensor<1x4x2x2xf32>
  return %0 : tensor<1x4x2x2xf32>
}

// -----

func.func @padding(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x2x2xf32>) -> tensor<1x8x4x2xf32> {
  // expected-error @+1 {{cannot be computed in stripes of rows: it has windows that are all padding}}
  %0 = uma.graph.conv2d %x, %w padding [3, 1, 3, 1] layout "NHWC" kernel_layout "HWIO" {uma.stripe_rows = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x8x4x2xf32>
  return %0 : tensor<1x8x4x2xf32>
}

// -----

func.func @rows(%x: tensor<1x4x4x2xf32>) -> tensor<1x8x4x2xf32> {
  // expected-error @+1 {{cannot be computed in stripes of rows: its axis is the rows}}
  %0 = uma.graph.concatenate %x, %x axis -3 {uma.stripe_rows = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x8x4x2xf32>
  return %0 : tensor<1x8x4x2xf32>
}

// -----

func.func @softmax(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  // expected-error @+1 {{cannot be computed in stripes of rows: it is neither a convolution, a pool nor an elementwise operator}}
  %0 = uma.graph.softmax %x axis 3 {uma.stripe_rows = 1 : i64} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of the normalisations.

func.func @log_softmax_integers(%x: tensor<2xi32>) {
  // expected-error @+1 {{data has element type 'i32', expected a float type; cast it first}}
  %0 = uma.graph.log_softmax %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @log_softmax_axis(%x: tensor<2xf32>) {
  // expected-error @+1 {{axis is 1, expected -1 to 0 for data of rank 1}}
  %0 = uma.graph.log_softmax %x axis 1 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @lrn_rank(%x: tensor<2xf32>) {
  // expected-error @+1 {{data has shape 2, expected rank 2 or more: a batch and channels}}
  %0 = uma.graph.lrn %x size 3 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @lrn_size(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{size is 0, expected 1 to 2147483647}}
  %0 = uma.graph.lrn %x size 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @lrn_integers(%x: tensor<2x3xi8>) {
  // expected-error @+1 {{data has element type 'i8', expected a float type; cast it first}}
  %0 = uma.graph.lrn %x size 1 : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return
}

// -----

func.func @layer_norm_gamma(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{gamma has shape 2, expected 3, the dimensions of data from axis 1 on}}
  %0 = uma.graph.layer_norm %x, %y, %y : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_type(%x: tensor<2x3xf32>, %y: tensor<3xf16>) {
  // expected-error @+1 {{gamma has element type 'f16', expected 'f32' as data}}
  %0 = uma.graph.layer_norm %x, %y, %y : (tensor<2x3xf32>, tensor<3xf16>, tensor<3xf16>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_axis(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{axis is 2, expected -2 to 1 for data of rank 2}}
  %0 = uma.graph.layer_norm %x, %y, %y axis 2 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_epsilon(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{epsilon is -1, expected a number of at least 0}}
  %0 = uma.graph.layer_norm %x, %y, %y epsilon -1.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @rms_norm_gamma(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{gamma has shape 3, expected 2x3, the dimensions of data from axis 0 on}}
  %0 = uma.graph.rms_norm %x, %y axis 0 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @rms_norm_integers(%x: tensor<2x3xi32>, %y: tensor<3xi32>) {
  // expected-error @+1 {{data has element type 'i32', expected a float type; cast it first}}
  %0 = uma.graph.rms_norm %x, %y : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @group_norm_groups(%x: tensor<1x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{num_groups is 2, expected a divisor of the 3 channels of data}}
  %0 = uma.graph.group_norm %x, %y, %y groups 2 : (tensor<1x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @group_norm_none(%x: tensor<1x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{num_groups is 0, expected at least 1}}
  %0 = uma.graph.group_norm %x, %y, %y groups 0 : (tensor<1x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @group_norm_gamma(%x: tensor<1x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{gamma has shape 2, expected 3, the size of data along axis 1}}
  %0 = uma.graph.group_norm %x, %y, %y groups 1 : (tensor<1x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @group_norm_rank(%x: tensor<3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{data has shape 3, expected rank 2 or more: a batch and channels}}
  %0 = uma.graph.group_norm %x, %y, %y groups 1 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

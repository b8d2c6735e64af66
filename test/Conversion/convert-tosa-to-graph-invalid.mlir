// Everything without an equivalent is reported, with the reason, in one run.
// RUN: uma-opt %s --convert-tosa-to-uma-graph --split-input-file -verify-diagnostics

func.func @all_of_them(%x: tensor<1x4x4x3xi8>, %y: tensor<4x4xf32>, %i: tensor<2xi32>, %z: tensor<1x8x16xf32>)
    -> (tensor<1x4x4x3xi32>, tensor<4x4xf32>, tensor<2xi32>, tensor<1x8x9xf32>) {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zi = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zo = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-error @below {{'tosa.rescale' op cannot be converted to uma.graph: uma.graph has no requantisation with multiplier and shift}}
  %0 = tosa.rescale %x, %m, %s, %zi, %zo {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<1x4x4x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x3xi32>
  // expected-error @below {{'tosa.maximum' op cannot be converted to uma.graph: its nan_mode is IGNORE; in uma.graph, NaN wins}}
  %1 = tosa.maximum %y, %y {nan_mode = IGNORE} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @below {{'tosa.clz' op cannot be converted to uma.graph: it has no equivalent operator}}
  %2 = tosa.clz %i : (tensor<2xi32>) -> tensor<2xi32>
  // expected-error @below {{'tosa.rfft2d' op cannot be converted to uma.graph: it has no equivalent operator}}
  %3, %4 = tosa.rfft2d %z : (tensor<1x8x16xf32>) -> (tensor<1x8x9xf32>, tensor<1x8x9xf32>)
  // expected-error @below {{'tosa.arithmetic_right_shift' op cannot be converted to uma.graph: it rounds; uma.graph.right_shift does not}}
  %5 = tosa.arithmetic_right_shift %2, %2 {round = true} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0, %1, %5, %3 : tensor<1x4x4x3xi32>, tensor<4x4xf32>, tensor<2xi32>, tensor<1x8x9xf32>
}

// -----

func.func @zero_points(%x: tensor<1x4x4x1xi8>, %w: tensor<1x1x1x1xi8>, %b: tensor<1xi32>, %zp: tensor<1xi8>) -> tensor<1x4x4x1xi32> {
  %zi = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @below {{its operand 'input_zp' is not 0; operators of uma.graph have no zero points}}
  %0 = tosa.conv2d %x, %w, %b, %zi, %zi {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  // expected-error @below {{its operand 'input_zp' is no constant of one element}}
  %1 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  %2 = tosa.add %0, %1 : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
  return %2 : tensor<1x4x4x1xi32>
}

// -----

func.func @control_flow(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tosa.cond_if' op cannot be converted to uma.graph: uma.graph has no control flow}}
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<4xf32> {
    tosa.yield %x : tensor<4xf32>
  } else {
    %1 = tosa.clz %x : (tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @dynamic(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{its type 'tensor<?x4xf32>' has sizes that are not known; give the function's arguments static shapes and run 'tosa-infer-shapes' first}}
  %0 = tosa.abs %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @averages(%x: tensor<1x4x4x1xi8>) -> tensor<1x2x2x1xi8> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @below {{averages of integers, which TOSA rounds, have no operator}}
  %0 = tosa.avg_pool2d %x, %zp, %zp {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = i32}
      : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  return %0 : tensor<1x2x2x1xi8>
}

// -----

func.func @shift(%x: tensor<4xi32>, %s: tensor<1xi8>) -> tensor<4xi32> {
  // expected-error @below {{its operand 'shift' is not a constant 0; uma.graph has no multiplication that rounds and shifts}}
  %0 = tosa.mul %x, %x, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

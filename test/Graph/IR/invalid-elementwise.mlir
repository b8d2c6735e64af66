// RUN: uma-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4xi32>) {
  // expected-error @below {{'uma.graph.exp' op data has element type 'i32', expected a float type; cast it first}}
  %0 = uma.graph.exp %x : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%x: tensor<4xi1>) {
  // expected-error @below {{'uma.graph.abs' op data has element type 'i1', expected numbers; i1 is a truth value, cast it first}}
  %0 = uma.graph.abs %x : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'uma.graph.bitwise_not' op data has element type 'f32', expected an integer type other than i1}}
  %0 = uma.graph.bitwise_not %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi1>, %y: tensor<4xui8>) {
  // expected-error @below {{'uma.graph.logical_and' op rhs has element type 'ui8', expected i1; compare with 0 first}}
  %0 = uma.graph.logical_and %x, %y : (tensor<4xi1>, tensor<4xui8>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xi8>, %y: tensor<4xui8>) {
  // expected-error @below {{'uma.graph.left_shift' op rhs has element type 'ui8', expected 'i8' as lhs}}
  %0 = uma.graph.left_shift %x, %y : (tensor<4xi8>, tensor<4xui8>) -> tensor<4xi8>
  return
}

// -----

func.func @f(%x: tensor<4x2xf32>, %y: tensor<3xf32>) {
  // expected-error @below {{'uma.graph.power' op lhs has shape 4x2 and rhs has shape 3, which do not broadcast: counted from the end, dimension 1 is 2 and 3, expected equal sizes or a 1}}
  %0 = uma.graph.power %x, %y : (tensor<4x2xf32>, tensor<3xf32>) -> tensor<4x2xf32>
  return
}

// -----

// A comparison tells, it does not compute.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'uma.graph.less' op result has type 'tensor<4xf32>', expected 'tensor<4xi1>' from the operands and attributes}}
  %0 = uma.graph.less %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%c: tensor<4xui8>, %x: tensor<4xf32>) {
  // expected-error @below {{'uma.graph.where' op condition has element type 'ui8', expected i1; compare with 0 first}}
  %0 = uma.graph.where %c, %x, %x : (tensor<4xui8>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{'uma.graph.where' op y has element type 'f64', expected 'f32' as x}}
  %0 = uma.graph.where %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%c: tensor<3xi1>, %x: tensor<4xf32>) {
  // expected-error @below {{'uma.graph.where' op condition has shape 3 and the selection has shape 4, which do not broadcast}}
  %0 = uma.graph.where %c, %x, %x : (tensor<3xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'uma.graph.cast' op dtype is 'index', expected an integer or float type}}
  %0 = uma.graph.cast %x to index : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @bitcast_size(%x: tensor<4xf32>) {
  // expected-error @below {{'uma.graph.bitcast' op dtype is 'i16', expected an integer or float type of the size of 'f32'}}
  %0 = uma.graph.bitcast %x to i16 : (tensor<4xf32>) -> tensor<4xi16>
  return
}

// -----

func.func @f(%x: tensor<4xi32>) {
  // expected-error @below {{'uma.graph.leaky_relu' op data has element type 'i32', expected a float type; cast it first}}
  %0 = uma.graph.leaky_relu %x alpha 0.1 : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

// Floats of 8 bits are stored, moved and cast.
func.func @f(%x: tensor<4xf8E4M3FN>) {
  // expected-error @below {{'uma.graph.add' op lhs has type 'tensor<4xf8E4M3FN>', expected integers or floats of at least 16 bits; cast it first}}
  %0 = uma.graph.add %x, %x : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  return
}

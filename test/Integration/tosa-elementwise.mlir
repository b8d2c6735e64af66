// Elementwise operators of TOSA: uma.graph and linalg compute what upstream's tosa-to-linalg does.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_runs.py tosa '%to_llvm' '%runner_libs' %s %t | FileCheck %s

// CHECK: abs: 6 numbers equal
func.func @abs(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: ceil: 6 numbers equal
func.func @ceil(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.ceil %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: cos: 6 numbers equal
func.func @cos(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.cos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: erf: 6 numbers equal
func.func @erf(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.erf %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: exp: 6 numbers equal
func.func @exp(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: floor: 6 numbers equal
func.func @floor(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.floor %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: log: 6 numbers equal
func.func @log(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %1 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = tosa.log %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: reciprocal: 6 numbers equal
func.func @reciprocal(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.reciprocal %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: rsqrt: 6 numbers equal
func.func @rsqrt(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %1 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = tosa.rsqrt %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: sigmoid: 6 numbers equal
func.func @sigmoid(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.sigmoid %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: sin: 6 numbers equal
func.func @sin(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.sin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: tanh: 6 numbers equal
func.func @tanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: negate: 6 numbers equal
func.func @negate(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.negate %x, %zp, %zp : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: clamp: 6 numbers equal
func.func @clamp(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 0.75 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: clamp_relu: 6 numbers equal
func.func @clamp_relu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: clamp_i32: 6 numbers equal
func.func @clamp_i32(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.clamp %x {min_val = 1 : i32, max_val = 2 : i32} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: add: 6 numbers equal
func.func @add(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: sub: 6 numbers equal
func.func @sub(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = tosa.sub %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: maximum: 6 numbers equal
func.func @maximum(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = tosa.maximum %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: minimum: 6 numbers equal
func.func @minimum(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = tosa.minimum %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: mul: 6 numbers equal
func.func @mul(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %shift : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: mul_i32: 6 numbers equal
func.func @mul_i32(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %shift : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<1xi8>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: pow: 6 numbers equal
func.func @pow(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %1 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = tosa.pow %1, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: intdiv: 6 numbers equal
func.func @intdiv(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %one = "tosa.const"() <{values = dense<-2> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %1 = tosa.sub %y, %one : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
  %0 = tosa.intdiv %x, %1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: bitwise_and: 6 numbers equal
func.func @bitwise_and(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.bitwise_and %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: bitwise_or: 6 numbers equal
func.func @bitwise_or(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.bitwise_or %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: bitwise_xor: 6 numbers equal
func.func @bitwise_xor(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.bitwise_xor %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: logical_left_shift: 6 numbers equal
func.func @logical_left_shift(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.logical_left_shift %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: bitwise_not: 6 numbers equal
func.func @bitwise_not(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.bitwise_not %x : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: arithmetic_right_shift: 6 numbers equal
func.func @arithmetic_right_shift(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %1 = tosa.bitwise_not %x : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %0 = tosa.arithmetic_right_shift %1, %y {round = false} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: logical_right_shift: 6 numbers equal
func.func @logical_right_shift(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %1 = tosa.bitwise_not %x : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %0 = tosa.logical_right_shift %1, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: equal: 6 numbers equal
func.func @equal(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %c = tosa.equal %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: greater: 6 numbers equal
func.func @greater(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %c = tosa.greater %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: greater_equal: 6 numbers equal
func.func @greater_equal(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %c = tosa.greater_equal %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: greater_f32: 6 numbers equal
func.func @greater_f32(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xi32> {
  %c = tosa.greater %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: logical_and: 6 numbers equal
func.func @logical_and(%x: tensor<2x3xi1>, %y: tensor<2x3xi1>) -> tensor<2x3xi32> {
  %c = tosa.logical_and %x, %y : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: logical_or: 6 numbers equal
func.func @logical_or(%x: tensor<2x3xi1>, %y: tensor<2x3xi1>) -> tensor<2x3xi32> {
  %c = tosa.logical_or %x, %y : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: logical_xor: 6 numbers equal
func.func @logical_xor(%x: tensor<2x3xi1>, %y: tensor<2x3xi1>) -> tensor<2x3xi32> {
  %c = tosa.logical_xor %x, %y : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: logical_not: 6 numbers equal
func.func @logical_not(%x: tensor<2x3xi1>) -> tensor<2x3xi32> {
  %c = tosa.logical_not %x : (tensor<2x3xi1>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: select: 6 numbers equal
func.func @select(%c: tensor<2x3xi1>, %x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.select %c, %x, %y : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: cast_to_integer: 6 numbers equal
func.func @cast_to_integer(%x: tensor<2x3xf32>) -> tensor<2x3xi32> {
  %0 = tosa.cast %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: cast_to_float: 6 numbers equal
func.func @cast_to_float(%x: tensor<2x3xi32>) -> tensor<2x3xf32> {
  %0 = tosa.cast %x : (tensor<2x3xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: cast_to_narrow: 6 numbers equal
func.func @cast_to_narrow(%x: tensor<2x3xi32>) -> tensor<2x3xi8> {
  %0 = tosa.cast %x : (tensor<2x3xi32>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// CHECK-NEXT: cast_to_bool: 6 numbers equal
func.func @cast_to_bool(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %c = tosa.cast %x : (tensor<2x3xi32>) -> tensor<2x3xi1>
  %0 = tosa.cast %c : (tensor<2x3xi1>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

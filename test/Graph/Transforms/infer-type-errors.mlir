// RUN: uma-opt %s --mlir-very-unsafe-disable-verifier-on-parsing --uma-graph-infer-type --split-input-file -verify-diagnostics
// RUN: not uma-opt %s --mlir-very-unsafe-disable-verifier-on-parsing --uma-graph-infer-type=strict --split-input-file 2>&1 | FileCheck %s

// Operands that do not fit: the operator's own error.
func.func @operands(%x: tensor<1x8x4x4xf32>, %w: tensor<4x6x1x1xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'uma.graph.conv2d' op weight has 6 input channels, expected 8, the channels of data}}
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<4x6x1x1xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// expected-error@+1 {{'func.func' op has argument #1 of type 'tensor<?x8xf32>', expected a tensor of static shape: nothing in the module says what it is}}
func.func @argument(%x: tensor<8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = uma.graph.add %x, %y : (tensor<8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @caller(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'func.call' op of layer 'call' has operand #0 of type 'tensor<8xf32>', expected 'tensor<4xf32>' as '@callee' takes; change the function's argument if the operand is right}}
  %0 = call @callee(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @callee(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @count(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'func.call' op has 1 operands, expected 0 as '@callee' takes}}
  %0 = call @callee(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @callee() -> tensor<8xf32>

// -----

func.func @results(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'func.call' op has 1 results, expected 2}}
  %0 = call @callee(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @callee(tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)

// -----

// expected-error@+1 {{'func.func' op calls itself, directly or through others; a graph has no recursion}}
func.func @recursive(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @recursive(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @missing(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'func.call' op calls '@nowhere', which is no function of the module}}
  %0 = call @nowhere(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{'func.func' op returns 2 values, expected 1}}
func.func @returns(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}

// -----

// expected-error@+1 {{'func.func' op has 2 blocks; a graph has no control flow, expected one block}}
func.func @blocks(%x: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^end
^end:
  return %x : tensor<8xf32>
}

// -----

// An error in a function is reported once, and not again by its callers.
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @broken(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @broken(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'uma.graph.transpose' op axes has 2 elements, expected 1}}
  %0 = uma.graph.transpose %x [1, 0] : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Contradictions are errors for `strict` only; what is left open is none.

// CHECK: error: loc("stem"): 'uma.graph.relu' op of layer 'stem' has result #0 of type 'tensor<4x8xf32>', expected 'tensor<2x8xf32>' as its operands say
// CHECK-NOT: error: {{.*}}tensor<*xf32>
func.func @strict(%x: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %0 = uma.graph.relu %x : (tensor<2x8xf32>) -> tensor<*xf32>
  %1 = uma.graph.relu %0 : (tensor<*xf32>) -> tensor<4x8xf32> loc("stem")
  return %1 : tensor<4x8xf32>
}

// -----

// CHECK: error: 'uma.graph.relu' op of layer 'relu' has result #0 of type 'tensor<2x8xf16>', expected 'tensor<2x8xf32>' as its operands say
func.func @strict_element(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// -----

// CHECK: error: 'func.func' op has result #0 of type 'tensor<2x9xf32>', expected 'tensor<2x8xf32>' as it returns
func.func @strict_function(%x: tensor<2x8xf32>) -> tensor<2x9xf32> {
  return %x : tensor<2x8xf32>
}

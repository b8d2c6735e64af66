// RUN: uma-opt %s --mlir-very-unsafe-disable-verifier-on-parsing --uma-graph-infer-type --split-input-file | FileCheck %s

// The module that comes out passes the verifier, which runs after the pass.

// CHECK-LABEL: func @open(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x4x4xf32>, %{{.*}}: tensor<4x8x1x1xf32>) -> tensor<1x64xf32>
// CHECK: uma.graph.conv2d %{{.*}} -> tensor<1x4x4x4xf32>
// CHECK: uma.graph.relu %{{.*}} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK: uma.graph.batch_flatten %{{.*}} : (tensor<1x4x4x4xf32>) -> tensor<1x64xf32>
// CHECK: return %{{.*}} : tensor<1x64xf32>
func.func @open(%x: tensor<1x8x4x4xf32>, %w: tensor<4x8x1x1xf32>) -> tensor<?x?xf32> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<4x8x1x1xf32>) -> tensor<*xf32>
  %1 = uma.graph.relu %0 : (tensor<*xf32>) -> tensor<1x?x4x4xf32>
  %2 = uma.graph.batch_flatten %1 : (tensor<1x?x4x4xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// The batch was edited in one place; the rest follows, element types included.

// CHECK-LABEL: func @edited(%{{.*}}: tensor<4x8xf32>) -> (tensor<4x8xi1> {uma.name = "positive"}) {
// CHECK: %[[C:.*]] = uma.graph.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: uma.graph.greater %{{.*}}, %[[C]] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @edited(%x: tensor<4x8xf32>) -> (tensor<1x8xi8> {uma.name = "positive"}) {
  %c = uma.graph.constant dense<0.0> : tensor<8xf32>
  %0 = uma.graph.greater %x, %c : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<1x8xi8>
  return %0 : tensor<1x8xi8>
}

// -----

// Results of a function before those of its calls, whatever the order of the text. Several results of one operator.

// CHECK-LABEL: func @main(%{{.*}}: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>)
// CHECK: %[[R:.*]]:2 = call @callee(%{{.*}}) : (tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>)
// CHECK: return %[[R]]#0, %[[R]]#1 : tensor<3x2xf32>, tensor<2x3xf32>
func.func @main(%x: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = call @callee(%x) : (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: func private @callee(
// CHECK-SAME: -> (tensor<3x2xf32>, tensor<2x3xf32>)
func.func private @callee(%x: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = uma.graph.transpose %x [1, 0] : (tensor<2x3xf32>) -> tensor<*xf32>
  %1 = call @device(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}
func.func private @device(tensor<2x3xf32>) -> tensor<2x3xf32>

// -----

// CHECK-LABEL: func @composite
// CHECK: uma.graph.composite @vanilla::@relu (%{{.*}} = %{{.*}} : tensor<8xf32>) -> tensor<8xf32>
// CHECK: uma.graph.relu %{{.*}} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: uma.graph.yield %{{.*}} : tensor<8xf32>
func.func @composite(%x: tensor<8xf32>) -> tensor<4xf32> {
  %0 = uma.graph.composite @vanilla::@relu (%a = %x : tensor<8xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<4xf32>
    uma.graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// All results of an operator.

// CHECK-LABEL: func @several
// CHECK: uma.graph.lstm %{{.*}} -> (tensor<2x1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
func.func @several(%x: tensor<2x1x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>) -> tensor<*xf32> {
  %0:3 = uma.graph.lstm %x, %w, %r : (tensor<2x1x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0#0 : tensor<*xf32>
}

// RUN: uma-opt %s --uma-cpu-inline-layers --split-input-file --verify-diagnostics | FileCheck %s

// A function called twice; one that returns its argument; accelerators' functions stay.

// CHECK-LABEL: func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[A:.*]] = uma.graph.exp %[[X]]
// CHECK-NEXT: %[[B:.*]] = uma.graph.relu %[[A]]
// CHECK-NEXT: %[[C:.*]] = uma.graph.exp %[[B]]
// CHECK-NEXT: %[[D:.*]] = uma.graph.relu %[[C]]
// CHECK-NEXT: %[[E:.*]] = call @device(%[[D]])
// CHECK-NEXT: return %[[E]]
// CHECK-NOT: uma.primitive
// CHECK: func private @device
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @fused(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @fused(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @nothing(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @device(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @fused(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive} {
  %0 = uma.graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = uma.graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @nothing(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive} {
  return %x : tensor<4xf32>
}
func.func private @device(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"a">} {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op has uma.primitive, expected a private function with a body of one block}}
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive} {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op has uma.primitive, expected a private function with a body of one block}}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive}

// -----

func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive} {
  // expected-error@+1 {{'func.call' op in '@outer', which has uma.primitive; expected operators only}}
  %0 = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Activations.
// RUN: uma-opt %s --uma-graph-raise-ops --split-input-file | FileCheck %s

// PyTorch: x * (1 + erf(x / sqrt(2))) * 0.5, the constants in f32.

// CHECK-LABEL: func @gelu_pytorch
// CHECK-NEXT: %[[R:.*]] = uma.graph.gelu %{{[a-z0-9]+}} : (tensor<2x3x8xf32>)
// CHECK-NEXT: return %[[R]]
func.func @gelu_pytorch(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %s = uma.graph.constant dense<1.41421354> : tensor<f32>
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %h = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.divide %x, %s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.erf %0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.add %1, %one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.multiply %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %3, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// TensorFlow: 0.5 * x * (1 + erf(x * 0.707)), constants in front.

// CHECK-LABEL: func @gelu_tensorflow
// CHECK-NEXT: %[[R:.*]] = uma.graph.gelu %{{[a-z0-9]+}} : (tensor<2x3x8xf32>)
// CHECK-NEXT: return %[[R]]
func.func @gelu_tensorflow(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %s = uma.graph.constant dense<0.707106769> : tensor<f32>
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %h = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.multiply %s, %x : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.erf %0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.add %one, %1 : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.multiply %h, %x : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %3, %2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// x * (0.5 + 0.5 * erf(...)), where x itself is a sum and a product with constants.

// CHECK-LABEL: func @gelu_cdf
// CHECK: %[[Y:.*]] = uma.graph.multiply %arg0
// CHECK-NEXT: %[[Z:.*]] = uma.graph.add %[[Y]]
// CHECK-NEXT: %[[R:.*]] = uma.graph.gelu %[[Z]]
// CHECK-NEXT: return %[[R]]
func.func @gelu_cdf(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %s = uma.graph.constant dense<1.41421354> : tensor<f32>
  %h = uma.graph.constant dense<0.5> : tensor<f32>
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %y = uma.graph.multiply %x, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %z = uma.graph.add %y, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %0 = uma.graph.divide %z, %s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.erf %0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.multiply %1, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.add %2, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %z, %3 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// GPT-2: 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).

// CHECK-LABEL: func @gelu_tanh
// CHECK-NEXT: %[[R:.*]] = uma.graph.gelu %arg0 approximate
// CHECK-NEXT: return %[[R]]
func.func @gelu_tanh(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %c = uma.graph.constant dense<0.044715> : tensor<f32>
  %s = uma.graph.constant dense<0.797884583> : tensor<f32>
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %h = uma.graph.constant dense<0.5> : tensor<f32>
  %three = uma.graph.constant dense<3.0> : tensor<f32>
  %0 = uma.graph.power %x, %three : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.multiply %0, %c : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.add %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.multiply %2, %s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %4 = uma.graph.tanh %3 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %5 = uma.graph.add %4, %one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %6 = uma.graph.multiply %x, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %6, %5 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// The cube as a product, and x outside of the bracket.

// CHECK-LABEL: func @gelu_tanh_factored
// CHECK-NEXT: %[[R:.*]] = uma.graph.gelu %arg0 approximate
// CHECK-NEXT: return %[[R]]
func.func @gelu_tanh_factored(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %c = uma.graph.constant dense<0.044715> : tensor<f32>
  %s = uma.graph.constant dense<0.797884583> : tensor<f32>
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %h = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.multiply %x, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.multiply %0, %c : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.add %1, %one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.multiply %x, %s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %4 = uma.graph.multiply %3, %2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %5 = uma.graph.tanh %4 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %6 = uma.graph.add %5, %one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.multiply %6, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %7, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// CHECK-LABEL: func @silu
// CHECK-NEXT: %[[R:.*]] = uma.graph.silu %arg0
// CHECK-NEXT: return %[[R]]
func.func @silu(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = uma.graph.sigmoid %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %0, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// x / (1 + exp(-x)), and a sigmoid of exp that becomes part of one.

// CHECK-LABEL: func @silu_exp
// CHECK-NEXT: %[[S:.*]] = uma.graph.silu %arg0
// CHECK-NEXT: %[[R:.*]] = uma.graph.silu %[[S]]
// CHECK-NEXT: return %[[R]]
func.func @silu_exp(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %0 = uma.graph.negative %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.exp %0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.add %1, %one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.divide %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %4 = uma.graph.negative %3 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %5 = uma.graph.exp %4 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %6 = uma.graph.add %one, %5 : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.divide %one, %6 : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %3, %7 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// CHECK-LABEL: func @sigmoid
// CHECK-NEXT: %[[R:.*]] = uma.graph.sigmoid %arg0
// CHECK-NEXT: return %[[R]]
func.func @sigmoid(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %0 = uma.graph.negative %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.exp %0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.add %1, %one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %r = uma.graph.divide %one, %2 : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// MobileNetV3: x * relu6(x + 3) / 6.

// CHECK-LABEL: func @hard_swish
// CHECK-NEXT: %[[R:.*]] = uma.graph.hard_swish %arg0
// CHECK-NEXT: return %[[R]]
func.func @hard_swish(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %three = uma.graph.constant dense<3.0> : tensor<f32>
  %six = uma.graph.constant dense<6.0> : tensor<f32>
  %0 = uma.graph.add %x, %three : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.clip %0 min 0.0 max 6.0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.multiply %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.divide %2, %six : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// x * hardsigmoid(x), 1/6 rounded in another way.

// CHECK-LABEL: func @hard_sigmoid
// CHECK-NEXT: %[[R:.*]] = uma.graph.hard_swish %arg0
// CHECK-NEXT: return %[[R]]
func.func @hard_sigmoid(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %s = uma.graph.constant dense<0.166666672> : tensor<f32>
  %h = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.multiply %x, %s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.add %0, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.clip %1 min 0.0 max 1.0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %2, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// 0.7 is not 1 / sqrt(2); 0.2 is not 1 / 6.

// CHECK-LABEL: func @wrong_constants
// CHECK-NOT: uma.graph.gelu
// CHECK-NOT: uma.graph.hard_swish
// CHECK: return
func.func @wrong_constants(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %s = uma.graph.constant dense<0.7> : tensor<f32>
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %h = uma.graph.constant dense<0.5> : tensor<f32>
  %f = uma.graph.constant dense<0.2> : tensor<f32>
  %0 = uma.graph.multiply %x, %s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.erf %0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.add %1, %one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.multiply %x, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %4 = uma.graph.multiply %3, %2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %5 = uma.graph.multiply %4, %f : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %6 = uma.graph.add %5, %h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.clip %6 min 0.0 max 1.0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %7, %4 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// The sigmoid has another user: two operators instead of one would compute it twice.

// CHECK-LABEL: func @used_elsewhere
// CHECK-NOT: uma.graph.silu
// CHECK: return
func.func @used_elsewhere(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = uma.graph.sigmoid %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.multiply %0, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.add %0, %1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// A gate, no silu: y * sigmoid(x).

// CHECK-LABEL: func @other_factor
// CHECK-NOT: uma.graph.silu
// CHECK: return
func.func @other_factor(%x: tensor<2x3x8xf32>, %y: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = uma.graph.sigmoid %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %0, %y : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// Composites belong to an accelerator.

// CHECK-LABEL: func @in_composite
// CHECK-NOT: uma.graph.silu
// CHECK: return
func.func @in_composite(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %r = uma.graph.composite @vanilla::@gate (%a = %x : tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %0 = uma.graph.sigmoid %a : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
    %1 = uma.graph.multiply %0, %a : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
    uma.graph.yield %1 : tensor<2x3x8xf32>
  }
  return %r : tensor<2x3x8xf32>
}

// -----

// The product is larger than x.

// CHECK-LABEL: func @broadcast
// CHECK-NOT: uma.graph.silu
// CHECK: return
func.func @broadcast(%x: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %c = uma.graph.constant dense<1.0> : tensor<2x3x8xf32>
  %0 = uma.graph.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = uma.graph.multiply %0, %c : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.multiply %1, %x : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

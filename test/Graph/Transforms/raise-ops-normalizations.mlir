// Normalisations.
// RUN: uma-opt %s --uma-graph-raise-ops --split-input-file | FileCheck %s

// PyTorch.

// CHECK-LABEL: func @pytorch
// CHECK-NEXT: %[[R:.*]] = uma.graph.layer_norm %arg0, %arg1, %arg2 epsilon 9.99999997{{[0-9]+}}E-7 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: return %[[R]]
func.func @pytorch(%x: tensor<2x3x8xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %eps = uma.graph.constant dense<1.0e-6> : tensor<f32>
  %0 = uma.graph.mean %x axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.power %1, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.add %3, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = uma.graph.sqrt %4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.divide %1, %5 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.multiply %6, %gamma : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.add %7, %beta : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// Neither scale nor shift; the square as a product; the inverse of the root.

// CHECK-LABEL: func @no_parameters
// CHECK-DAG: %[[ONE:.*]] = uma.graph.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[ZERO:.*]] = uma.graph.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: %[[R:.*]] = uma.graph.layer_norm %arg0, %[[ONE]], %[[ZERO]] epsilon 5.000000e-01
// CHECK-NEXT: return %[[R]]
func.func @no_parameters(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.mean %x axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.multiply %1, %1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.add %eps, %3 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %5 = uma.graph.sqrt %4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.divide %one, %5 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %r = uma.graph.multiply %6, %1 : (tensor<2x3x1xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// Over two dimensions; the scale has leading ones, the shift is one number.

// CHECK-LABEL: func @two_dimensions
// CHECK-DAG: %[[G:.*]] = uma.graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-DAG: %[[B:.*]] = uma.graph.constant dense<2.000000e+00> : tensor<2x2xf32>
// CHECK: %[[R:.*]] = uma.graph.layer_norm %arg0, %[[G]], %[[B]] axis -2 epsilon 5.000000e-01
// CHECK-NEXT: return %[[R]]
func.func @two_dimensions(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %half = uma.graph.constant dense<0.5> : tensor<f32>
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<1x1x1xf32>
  %g = uma.graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %0 = uma.graph.mean %x axis [1, 2] keepdims true : (tensor<2x2x2xf32>) -> tensor<2x1x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<2x2x2xf32>
  %2 = uma.graph.power %1, %two : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  %3 = uma.graph.mean %2 axis [-1, 1] keepdims true : (tensor<2x2x2xf32>) -> tensor<2x1x1xf32>
  %4 = uma.graph.add %3, %eps : (tensor<2x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1xf32>
  %5 = uma.graph.power %4, %half : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %6 = uma.graph.divide %1, %5 : (tensor<2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<2x2x2xf32>
  %7 = uma.graph.multiply %g, %6 : (tensor<1x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = uma.graph.add %7, %two : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// -----

// TensorFlow: x * g + (beta - mean * g), g = rsqrt(variance + epsilon) * gamma.

// CHECK-LABEL: func @tensorflow
// CHECK-NEXT: %[[R:.*]] = uma.graph.layer_norm %arg0, %arg1, %arg2 epsilon 5.000000e-01
// CHECK-NEXT: return %[[R]]
func.func @tensorflow(%x: tensor<2x3x8xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.mean %x axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.multiply %1, %1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.add %3, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = uma.graph.sqrt %4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.divide %one, %5 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %7 = uma.graph.multiply %6, %gamma : (tensor<2x3x1xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %8 = uma.graph.multiply %x, %7 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %9 = uma.graph.multiply %0, %7 : (tensor<2x3x1xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %10 = uma.graph.subtract %beta, %9 : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.add %8, %10 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// The shift as a bias_add, as uma-graph-canonicalize-ops leaves it.

// CHECK-LABEL: func @bias_add
// CHECK-NEXT: %[[R:.*]] = uma.graph.layer_norm %arg0, %arg1, %arg2
// CHECK-NEXT: return %[[R]]
func.func @bias_add(%x: tensor<2x3x8xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.mean %x axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.power %1, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.add %3, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = uma.graph.sqrt %4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.divide %1, %5 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.multiply %6, %gamma : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.bias_add %7, %beta axis 2 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// LLaMA: the inverse of the root, the scale in front. A sum behind it is none of it.

// CHECK-LABEL: func @rms_llama
// CHECK-NEXT: %[[N:.*]] = uma.graph.rms_norm %arg0, %arg1
// CHECK-NEXT: %[[R:.*]] = uma.graph.add %[[N]], %arg0
// CHECK-NEXT: return %[[R]]
func.func @rms_llama(%x: tensor<2x3x8xf32>, %gamma: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %one = uma.graph.constant dense<1.0> : tensor<f32>
  %eps = uma.graph.constant dense<1.0e-5> : tensor<f32>
  %2 = uma.graph.power %x, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.add %3, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = uma.graph.sqrt %4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.divide %one, %5 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %7 = uma.graph.multiply %x, %6 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %8 = uma.graph.multiply %gamma, %7 : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.add %8, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// x * (gamma * power(mean + epsilon, -0.5)), without a centre although x is centred for somebody else, too.

// CHECK-LABEL: func @rms_scaled_root
// CHECK-NEXT: %[[M:.*]] = uma.graph.mean %arg0
// CHECK-NEXT: %[[X:.*]] = uma.graph.subtract %arg0, %[[M]]
// CHECK-NEXT: %[[N:.*]] = uma.graph.rms_norm %[[X]], %arg1 epsilon 5.000000e-01
// CHECK-NEXT: uma.graph.add %[[N]], %[[X]]
func.func @rms_scaled_root(%y: tensor<2x3x8xf32>, %gamma: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %m = uma.graph.constant dense<-0.5> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.mean %y axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %x = uma.graph.subtract %y, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.multiply %x, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.add %3, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = uma.graph.power %4, %m : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.multiply %gamma, %5 : (tensor<8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.multiply %6, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.add %7, %x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// Over a dimension that is not the last: batch normalisation of training, say.

// CHECK-LABEL: func @other_dimension
// CHECK-NOT: _norm
// CHECK: return
func.func @other_dimension(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.mean %x axis [0] keepdims true : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<1x3x8xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.power %1, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [0] keepdims true : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %4 = uma.graph.add %3, %eps : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  %5 = uma.graph.sqrt %4 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %r = uma.graph.divide %1, %5 : (tensor<2x3x8xf32>, tensor<1x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// The variance has another user.

// CHECK-LABEL: func @variance_used
// CHECK-NOT: _norm
// CHECK: return
func.func @variance_used(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.mean %x axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = uma.graph.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = uma.graph.power %1, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %3 = uma.graph.mean %2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.add %3, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = uma.graph.sqrt %4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %6 = uma.graph.divide %1, %5 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %r = uma.graph.add %6, %3 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// The scale depends on the other dimensions: it stays behind. A cube is no square.

// CHECK-LABEL: func @wrong_scale
// CHECK: %[[N:.*]] = uma.graph.rms_norm %arg0
// CHECK-NEXT: uma.graph.multiply %[[N]], %arg1
// CHECK-NEXT: uma.graph.power
// CHECK-NOT: _norm
// CHECK: return
func.func @wrong_scale(%x: tensor<2x3x8xf32>, %s: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %two = uma.graph.constant dense<2.0> : tensor<f32>
  %three = uma.graph.constant dense<3.0> : tensor<f32>
  %eps = uma.graph.constant dense<0.5> : tensor<f32>
  %0 = uma.graph.power %x, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %1 = uma.graph.mean %0 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = uma.graph.add %1, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %3 = uma.graph.sqrt %2 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %4 = uma.graph.divide %x, %3 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %5 = uma.graph.multiply %4, %s : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %6 = uma.graph.power %5, %three : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %7 = uma.graph.mean %6 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %8 = uma.graph.add %7, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %9 = uma.graph.sqrt %8 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %r = uma.graph.divide %5, %9 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// Decomposed operators in (each with data of its own, so that none share a mean), whole ones in the C: the interpreter evaluates the graph as it is written here.
// RUN: uma-opt %s --uma-graph-default | FileCheck %s --check-prefix=RAISED
// RUN: uma run %s --compare --cc %gcc | FileCheck %s
// REQUIRES: gcc

// CHECK-COUNT-13: : equal to the reference interpreter
// CHECK-NOT: DIFFERENT

// RAISED-COUNT-3: uma.graph.gelu
// RAISED-COUNT-2: uma.graph.silu
// RAISED-COUNT-2: uma.graph.hard_swish
// RAISED-COUNT-3: uma.graph.layer_norm
// RAISED-COUNT-2: uma.graph.rms_norm
// RAISED-COUNT-2: uma.graph.softmax

func.func @main(%x0: tensor<2x3x8xf32> {uma.name = "x0"}, %x1: tensor<2x3x8xf32> {uma.name = "x1"}, %x2: tensor<2x3x8xf32> {uma.name = "x2"}, %x3: tensor<2x3x8xf32> {uma.name = "x3"}, %x4: tensor<2x3x8xf32> {uma.name = "x4"}, %x5: tensor<2x3x8xf32> {uma.name = "x5"}, %x6: tensor<2x3x8xf32> {uma.name = "x6"}, %x7: tensor<2x3x8xf32> {uma.name = "x7"}, %x8: tensor<2x3x8xf32> {uma.name = "x8"}, %x9: tensor<2x3x8xf32> {uma.name = "x9"}, %x10: tensor<2x3x8xf32> {uma.name = "x10"}, %x11: tensor<2x3x8xf32> {uma.name = "x11"}, %x12: tensor<2x3x8xf32> {uma.name = "x12"}, %gamma: tensor<8xf32> {uma.name = "gamma"}, %beta: tensor<8xf32> {uma.name = "beta"})
    -> (tensor<2x3x8xf32> {uma.name = "gelu_pytorch"}, tensor<2x3x8xf32> {uma.name = "gelu_tanh_factored"}, tensor<2x3x8xf32> {uma.name = "gelu_cdf"}, tensor<2x3x8xf32> {uma.name = "silu_exp"}, tensor<2x3x8xf32> {uma.name = "hard_swish"}, tensor<2x3x8xf32> {uma.name = "hard_sigmoid"}, tensor<2x3x8xf32> {uma.name = "pytorch"}, tensor<2x3x8xf32> {uma.name = "no_parameters"}, tensor<2x3x8xf32> {uma.name = "tensorflow"}, tensor<2x3x8xf32> {uma.name = "rms_llama"}, tensor<2x3x8xf32> {uma.name = "rms_scaled_root"}, tensor<2x3x8xf32> {uma.name = "softmax"}, tensor<2x3x8xf32> {uma.name = "inverse"}) attributes {uma.network = "raised"} {
  // gelu_pytorch
  %gelu_pytorch_s = uma.graph.constant dense<1.41421354> : tensor<f32>
  %gelu_pytorch_one = uma.graph.constant dense<1.0> : tensor<f32>
  %gelu_pytorch_h = uma.graph.constant dense<0.5> : tensor<f32>
  %gelu_pytorch_0 = uma.graph.divide %x0, %gelu_pytorch_s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_pytorch_1 = uma.graph.erf %gelu_pytorch_0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %gelu_pytorch_2 = uma.graph.add %gelu_pytorch_1, %gelu_pytorch_one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_pytorch_3 = uma.graph.multiply %x0, %gelu_pytorch_2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %gelu_pytorch_r = uma.graph.multiply %gelu_pytorch_3, %gelu_pytorch_h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  // gelu_tanh_factored
  %gelu_tanh_factored_c = uma.graph.constant dense<0.044715> : tensor<f32>
  %gelu_tanh_factored_s = uma.graph.constant dense<0.797884583> : tensor<f32>
  %gelu_tanh_factored_one = uma.graph.constant dense<1.0> : tensor<f32>
  %gelu_tanh_factored_h = uma.graph.constant dense<0.5> : tensor<f32>
  %gelu_tanh_factored_0 = uma.graph.multiply %x1, %x1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_1 = uma.graph.multiply %gelu_tanh_factored_0, %gelu_tanh_factored_c : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_2 = uma.graph.add %gelu_tanh_factored_1, %gelu_tanh_factored_one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_3 = uma.graph.multiply %x1, %gelu_tanh_factored_s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_4 = uma.graph.multiply %gelu_tanh_factored_3, %gelu_tanh_factored_2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_5 = uma.graph.tanh %gelu_tanh_factored_4 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_6 = uma.graph.add %gelu_tanh_factored_5, %gelu_tanh_factored_one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_7 = uma.graph.multiply %gelu_tanh_factored_6, %gelu_tanh_factored_h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_tanh_factored_r = uma.graph.multiply %gelu_tanh_factored_7, %x1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // gelu_cdf
  %gelu_cdf_s = uma.graph.constant dense<1.41421354> : tensor<f32>
  %gelu_cdf_h = uma.graph.constant dense<0.5> : tensor<f32>
  %gelu_cdf_two = uma.graph.constant dense<2.0> : tensor<f32>
  %gelu_cdf_y = uma.graph.multiply %x2, %gelu_cdf_two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_cdf_z = uma.graph.add %gelu_cdf_y, %gelu_cdf_two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_cdf_0 = uma.graph.divide %gelu_cdf_z, %gelu_cdf_s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_cdf_1 = uma.graph.erf %gelu_cdf_0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %gelu_cdf_2 = uma.graph.multiply %gelu_cdf_1, %gelu_cdf_h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_cdf_3 = uma.graph.add %gelu_cdf_2, %gelu_cdf_h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %gelu_cdf_r = uma.graph.multiply %gelu_cdf_z, %gelu_cdf_3 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // silu_exp
  %silu_exp_one = uma.graph.constant dense<1.0> : tensor<f32>
  %silu_exp_0 = uma.graph.negative %x3 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %silu_exp_1 = uma.graph.exp %silu_exp_0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %silu_exp_2 = uma.graph.add %silu_exp_1, %silu_exp_one : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %silu_exp_3 = uma.graph.divide %x3, %silu_exp_2 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %silu_exp_4 = uma.graph.negative %silu_exp_3 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %silu_exp_5 = uma.graph.exp %silu_exp_4 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %silu_exp_6 = uma.graph.add %silu_exp_one, %silu_exp_5 : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %silu_exp_7 = uma.graph.divide %silu_exp_one, %silu_exp_6 : (tensor<f32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %silu_exp_r = uma.graph.multiply %silu_exp_3, %silu_exp_7 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // hard_swish
  %hard_swish_three = uma.graph.constant dense<3.0> : tensor<f32>
  %hard_swish_six = uma.graph.constant dense<6.0> : tensor<f32>
  %hard_swish_0 = uma.graph.add %x4, %hard_swish_three : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %hard_swish_1 = uma.graph.clip %hard_swish_0 min 0.0 max 6.0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %hard_swish_2 = uma.graph.multiply %x4, %hard_swish_1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %hard_swish_r = uma.graph.divide %hard_swish_2, %hard_swish_six : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  // hard_sigmoid
  %hard_sigmoid_s = uma.graph.constant dense<0.166666672> : tensor<f32>
  %hard_sigmoid_h = uma.graph.constant dense<0.5> : tensor<f32>
  %hard_sigmoid_0 = uma.graph.multiply %x5, %hard_sigmoid_s : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %hard_sigmoid_1 = uma.graph.add %hard_sigmoid_0, %hard_sigmoid_h : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %hard_sigmoid_2 = uma.graph.clip %hard_sigmoid_1 min 0.0 max 1.0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %hard_sigmoid_r = uma.graph.multiply %hard_sigmoid_2, %x5 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // pytorch
  %pytorch_two = uma.graph.constant dense<2.0> : tensor<f32>
  %pytorch_eps = uma.graph.constant dense<1.0e-6> : tensor<f32>
  %pytorch_0 = uma.graph.mean %x6 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %pytorch_1 = uma.graph.subtract %x6, %pytorch_0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %pytorch_2 = uma.graph.power %pytorch_1, %pytorch_two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %pytorch_3 = uma.graph.mean %pytorch_2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %pytorch_4 = uma.graph.add %pytorch_3, %pytorch_eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %pytorch_5 = uma.graph.sqrt %pytorch_4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %pytorch_6 = uma.graph.divide %pytorch_1, %pytorch_5 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %pytorch_7 = uma.graph.multiply %pytorch_6, %gamma : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %pytorch_r = uma.graph.add %pytorch_7, %beta : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  // no_parameters
  %no_parameters_one = uma.graph.constant dense<1.0> : tensor<f32>
  %no_parameters_eps = uma.graph.constant dense<0.5> : tensor<f32>
  %no_parameters_0 = uma.graph.mean %x7 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %no_parameters_1 = uma.graph.subtract %x7, %no_parameters_0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %no_parameters_2 = uma.graph.multiply %no_parameters_1, %no_parameters_1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %no_parameters_3 = uma.graph.mean %no_parameters_2 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %no_parameters_4 = uma.graph.add %no_parameters_eps, %no_parameters_3 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %no_parameters_5 = uma.graph.sqrt %no_parameters_4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %no_parameters_6 = uma.graph.divide %no_parameters_one, %no_parameters_5 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %no_parameters_r = uma.graph.multiply %no_parameters_6, %no_parameters_1 : (tensor<2x3x1xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // tensorflow
  %tensorflow_one = uma.graph.constant dense<1.0> : tensor<f32>
  %tensorflow_eps = uma.graph.constant dense<0.5> : tensor<f32>
  %tensorflow_0 = uma.graph.mean %x8 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %tensorflow_1 = uma.graph.subtract %x8, %tensorflow_0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %tensorflow_2 = uma.graph.multiply %tensorflow_1, %tensorflow_1 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %tensorflow_3 = uma.graph.mean %tensorflow_2 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %tensorflow_4 = uma.graph.add %tensorflow_3, %tensorflow_eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %tensorflow_5 = uma.graph.sqrt %tensorflow_4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %tensorflow_6 = uma.graph.divide %tensorflow_one, %tensorflow_5 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %tensorflow_7 = uma.graph.multiply %tensorflow_6, %gamma : (tensor<2x3x1xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %tensorflow_8 = uma.graph.multiply %x8, %tensorflow_7 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %tensorflow_9 = uma.graph.multiply %tensorflow_0, %tensorflow_7 : (tensor<2x3x1xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %tensorflow_10 = uma.graph.subtract %beta, %tensorflow_9 : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %tensorflow_r = uma.graph.add %tensorflow_8, %tensorflow_10 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // rms_llama
  %rms_llama_two = uma.graph.constant dense<2.0> : tensor<f32>
  %rms_llama_one = uma.graph.constant dense<1.0> : tensor<f32>
  %rms_llama_eps = uma.graph.constant dense<1.0e-5> : tensor<f32>
  %rms_llama_2 = uma.graph.power %x9, %rms_llama_two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %rms_llama_3 = uma.graph.mean %rms_llama_2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %rms_llama_4 = uma.graph.add %rms_llama_3, %rms_llama_eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %rms_llama_5 = uma.graph.sqrt %rms_llama_4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %rms_llama_6 = uma.graph.divide %rms_llama_one, %rms_llama_5 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %rms_llama_7 = uma.graph.multiply %x9, %rms_llama_6 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %rms_llama_8 = uma.graph.multiply %gamma, %rms_llama_7 : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %rms_llama_r = uma.graph.add %rms_llama_8, %x9 : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // rms_scaled_root
  %rms_scaled_root_m = uma.graph.constant dense<-0.5> : tensor<f32>
  %rms_scaled_root_eps = uma.graph.constant dense<0.5> : tensor<f32>
  %rms_scaled_root_0 = uma.graph.mean %x10 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %rms_scaled_root_x = uma.graph.subtract %x10, %rms_scaled_root_0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %rms_scaled_root_2 = uma.graph.multiply %rms_scaled_root_x, %rms_scaled_root_x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %rms_scaled_root_3 = uma.graph.mean %rms_scaled_root_2 axis [-1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %rms_scaled_root_4 = uma.graph.add %rms_scaled_root_3, %rms_scaled_root_eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %rms_scaled_root_5 = uma.graph.power %rms_scaled_root_4, %rms_scaled_root_m : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %rms_scaled_root_6 = uma.graph.multiply %gamma, %rms_scaled_root_5 : (tensor<8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %rms_scaled_root_7 = uma.graph.multiply %rms_scaled_root_6, %rms_scaled_root_x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %rms_scaled_root_r = uma.graph.add %rms_scaled_root_7, %rms_scaled_root_x : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // softmax
  %softmax_0 = uma.graph.max %x11 axis [1] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x1x8xf32>
  %softmax_1 = uma.graph.subtract %x11, %softmax_0 : (tensor<2x3x8xf32>, tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
  %softmax_2 = uma.graph.exp %softmax_1 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %softmax_3 = uma.graph.sum %softmax_2 axis [-2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x1x8xf32>
  %softmax_r = uma.graph.divide %softmax_2, %softmax_3 : (tensor<2x3x8xf32>, tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
  // inverse
  %inverse_one = uma.graph.constant dense<1.0> : tensor<f32>
  %inverse_0 = uma.graph.max %x12 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %inverse_1 = uma.graph.subtract %x12, %inverse_0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %inverse_2 = uma.graph.exp %inverse_1 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %inverse_3 = uma.graph.sum %inverse_2 axis [2] keepdims true : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %inverse_4 = uma.graph.divide %inverse_one, %inverse_3 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %inverse_r = uma.graph.multiply %inverse_4, %inverse_2 : (tensor<2x3x1xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %gelu_pytorch_r, %gelu_tanh_factored_r, %gelu_cdf_r, %silu_exp_r, %hard_swish_r, %hard_sigmoid_r, %pytorch_r, %no_parameters_r, %tensorflow_r, %rms_llama_r, %rms_scaled_root_r, %softmax_r, %inverse_r : tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>
}

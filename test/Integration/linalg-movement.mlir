// Movements, gathers and the rest of the elementwise operators: linalg computes what the interpreter does.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_runs.py interpreter '%to_llvm' '%runner_libs' %s %t | FileCheck %s

// CHECK: reshape_split: 24 numbers equal
func.func @reshape_split(%x: tensor<6x4xf32>) -> tensor<2x3x2x2xf32> {
  %0 = uma.graph.reshape %x [2, 3, 2, 2] : (tensor<6x4xf32>) -> tensor<2x3x2x2xf32>
  return %0 : tensor<2x3x2x2xf32>
}

// CHECK-NEXT: reshape_across: 12 numbers equal
func.func @reshape_across(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %0 = uma.graph.reshape %x [4, 3] : (tensor<2x6xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-NEXT: reshape_scalar: 1 numbers equal
func.func @reshape_scalar(%x: tensor<1x1xf32>) -> tensor<f32> {
  %0 = uma.graph.reshape %x [] : (tensor<1x1xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-NEXT: reshape_of_scalar: 1 numbers equal
func.func @reshape_of_scalar(%x: tensor<f32>) -> tensor<1x1xf32> {
  %0 = uma.graph.reshape %x [1, 1] : (tensor<f32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// CHECK-NEXT: flatten: 24 numbers equal
func.func @flatten(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  %0 = uma.graph.batch_flatten %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// CHECK-NEXT: transpose_three: 24 numbers equal
func.func @transpose_three(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = uma.graph.transpose %x [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

// CHECK-NEXT: concatenate_last: 12 numbers equal
func.func @concatenate_last(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>, %z: tensor<2x2xf32>) -> tensor<2x6xf32> {
  %0 = uma.graph.concatenate %x, %y, %z axis -1 : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// CHECK-NEXT: pad_constant: 15 numbers equal
func.func @pad_constant(%x: tensor<2x3xf32>) -> tensor<3x5xf32> {
  %0 = uma.graph.pad %x before [1, 0] after [0, 2] value 2.5 : (tensor<2x3xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-NEXT: pad_edge: 35 numbers equal
func.func @pad_edge(%x: tensor<2x3xf32>) -> tensor<5x7xf32> {
  %0 = uma.graph.pad %x before [2, 1] after [1, 3] mode "edge" : (tensor<2x3xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// CHECK-NEXT: pad_reflect: 42 numbers equal
func.func @pad_reflect(%x: tensor<3x4xf32>) -> tensor<6x7xf32> {
  %0 = uma.graph.pad %x before [2, 1] after [1, 2] mode "reflect" : (tensor<3x4xf32>) -> tensor<6x7xf32>
  return %0 : tensor<6x7xf32>
}

// CHECK-NEXT: pad_wrap: 42 numbers equal
func.func @pad_wrap(%x: tensor<3x4xf32>) -> tensor<6x7xf32> {
  %0 = uma.graph.pad %x before [1, 2] after [2, 1] mode "wrap" : (tensor<3x4xf32>) -> tensor<6x7xf32>
  return %0 : tensor<6x7xf32>
}

// CHECK-NEXT: slice_steps: 6 numbers equal
func.func @slice_steps(%x: tensor<4x7xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.strided_slice %x [0, 1] size [2, 3] strides [2, 2] : (tensor<4x7xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: slice_back: 9 numbers equal
func.func @slice_back(%x: tensor<3x7xf32>) -> tensor<3x3xf32> {
  %0 = uma.graph.strided_slice %x [2, 6] size [3, 3] strides [-1, -2] : (tensor<3x7xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-NEXT: broadcast: 24 numbers equal
func.func @broadcast(%x: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.broadcast_to %x [2, 3, 4] : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: triangle_upper: 24 numbers equal
func.func @triangle_upper(%x: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %0 = uma.graph.trilu %x k -1 upper true : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// CHECK-NEXT: triangle_lower: 12 numbers equal
func.func @triangle_lower(%x: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %0 = uma.graph.trilu %x k 1 upper false : (tensor<3x4xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// CHECK-NEXT: take_axis: 24 numbers equal
func.func @take_axis(%x: tensor<2x4x3xf32>, %y: tensor<2x2xi64>) -> tensor<2x2x2x3xf32> {
  %0 = uma.graph.take %x, %y axis 1 : (tensor<2x4x3xf32>, tensor<2x2xi64>) -> tensor<2x2x2x3xf32>
  return %0 : tensor<2x2x2x3xf32>
}

// CHECK-NEXT: gather_axis: 6 numbers equal
func.func @gather_axis(%x: tensor<4x3xf32>, %y: tensor<2x3xi64>) -> tensor<2x3xf32> {
  %0 = uma.graph.gather %x, %y axis 0 : (tensor<4x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: gather_nd_batch: 30 numbers equal
func.func @gather_nd_batch(%x: tensor<2x4x3xf32>, %y: tensor<2x5x1xi32>) -> tensor<2x5x3xf32> {
  %0 = uma.graph.gather_nd %x, %y batch_dims 1 : (tensor<2x4x3xf32>, tensor<2x5x1xi32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// CHECK-NEXT: gather_nd_whole: 5 numbers equal
func.func @gather_nd_whole(%x: tensor<4x4xf32>, %y: tensor<5x2xi32>) -> tensor<5xf32> {
  %0 = uma.graph.gather_nd %x, %y batch_dims 0 : (tensor<4x4xf32>, tensor<5x2xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-NEXT: scatter_elements_last: 12 numbers equal
func.func @scatter_elements_last(%x: tensor<4x3xf32>, %y: tensor<2x3xi64>, %z: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = uma.graph.scatter_elements %x, %y, %z axis 0 : (tensor<4x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-NEXT: scatter_elements_add: 8 numbers equal
func.func @scatter_elements_add(%x: tensor<2x4xf16>, %y: tensor<2x3xi32>, %z: tensor<2x3xf16>) -> tensor<2x4xf16> {
  %0 = uma.graph.scatter_elements %x, %y, %z axis 1 reduction "add" : (tensor<2x4xf16>, tensor<2x3xi32>, tensor<2x3xf16>) -> tensor<2x4xf16>
  return %0 : tensor<2x4xf16>
}

// CHECK-NEXT: scatter_nd_slices: 12 numbers equal
func.func @scatter_nd_slices(%x: tensor<4x3xf32>, %y: tensor<5x1xi64>, %z: tensor<5x3xf32>) -> tensor<4x3xf32> {
  %0 = uma.graph.scatter_nd %x, %y, %z reduction "max" : (tensor<4x3xf32>, tensor<5x1xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-NEXT: scatter_nd_mul: 16 numbers equal
func.func @scatter_nd_mul(%x: tensor<4x4xi32>, %y: tensor<5x2xi64>, %z: tensor<5xi32>) -> tensor<4x4xi32> {
  %0 = uma.graph.scatter_nd %x, %y, %z reduction "mul" : (tensor<4x4xi32>, tensor<5x2xi64>, tensor<5xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// CHECK-NEXT: interpolate_axis: 30 numbers equal
func.func @interpolate_axis(%x: tensor<2x4x3xf32>, %y: tensor<5x2xi64>, %z: tensor<5x2xf32>) -> tensor<2x5x3xf32> {
  %0 = uma.graph.interpolate %x, %y, %z axis 1 : (tensor<2x4x3xf32>, tensor<5x2xi64>, tensor<5x2xf32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// CHECK-NEXT: bias_last: 24 numbers equal
func.func @bias_last(%x: tensor<2x3x4xf32>, %y: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.bias_add %x, %y axis -1 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: bias_channel: 24 numbers equal
func.func @bias_channel(%x: tensor<2x3x4xf32>, %y: tensor<3xf32>) -> tensor<2x3x4xf32> {
  %0 = uma.graph.bias_add %x, %y : (tensor<2x3x4xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-NEXT: add_f16: 6 numbers equal
func.func @add_f16(%x: tensor<2x3xf16>, %y: tensor<3xf16>) -> tensor<2x3xf16> {
  %0 = uma.graph.add %x, %y : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// CHECK-NEXT: add_i32: 6 numbers equal
func.func @add_i32(%x: tensor<2x3xi32>, %y: tensor<i32>) -> tensor<2x3xi32> {
  %0 = uma.graph.add %x, %y : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: mod_f32: 6 numbers equal
func.func @mod_f32(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.mod %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: floor_mod_f32: 6 numbers equal
func.func @floor_mod_f32(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.floor_mod %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: less_bool: 4 numbers equal
func.func @less_bool(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  %0 = uma.graph.less %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-NEXT: less_equal_f32: 6 numbers equal
func.func @less_equal_f32(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xi1> {
  %0 = uma.graph.less_equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-NEXT: not_equal_i8: 6 numbers equal
func.func @not_equal_i8(%x: tensor<2x3xi8>, %y: tensor<3xi8>) -> tensor<2x3xi1> {
  %0 = uma.graph.not_equal %x, %y : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-NEXT: where_f32: 6 numbers equal
func.func @where_f32(%x: tensor<2x1xi1>, %y: tensor<2x3xf32>, %z: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.where %x, %y, %z : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: isnan_f32: 6 numbers equal
func.func @isnan_f32(%x: tensor<2x3xf32>) -> tensor<2x3xi1> {
  %0 = uma.graph.isnan %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-NEXT: sign_f32: 6 numbers equal
func.func @sign_f32(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.sign %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: round_f32: 16 numbers equal
func.func @round_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.round %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: relu_f32: 16 numbers equal
func.func @relu_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: clip_f32: 16 numbers equal
func.func @clip_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.clip %x min -1.0 max 1.5 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: clip_i8: 16 numbers equal
func.func @clip_i8(%x: tensor<2x8xi8>) -> tensor<2x8xi8> {
  %0 = uma.graph.clip %x min 1.0 max 2.0 : (tensor<2x8xi8>) -> tensor<2x8xi8>
  return %0 : tensor<2x8xi8>
}

// CHECK-NEXT: cast_i8: 16 numbers equal
func.func @cast_i8(%x: tensor<2x8xf32>) -> tensor<2x8xi8> {
  %0 = uma.graph.cast %x to i8 : (tensor<2x8xf32>) -> tensor<2x8xi8>
  return %0 : tensor<2x8xi8>
}

// CHECK-NEXT: cast_bool: 16 numbers equal
func.func @cast_bool(%x: tensor<2x8xi32>) -> tensor<2x8xi1> {
  %0 = uma.graph.cast %x to i1 : (tensor<2x8xi32>) -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-NEXT: cast_of_bool: 8 numbers equal
func.func @cast_of_bool(%x: tensor<8xi1>) -> tensor<8xf32> {
  %0 = uma.graph.cast %x to f32 : (tensor<8xi1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-NEXT: cast_f16: 16 numbers equal
func.func @cast_f16(%x: tensor<2x8xf32>) -> tensor<2x8xf16> {
  %0 = uma.graph.cast %x to f16 : (tensor<2x8xf32>) -> tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-NEXT: gelu_erf: 16 numbers equal
func.func @gelu_erf(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.gelu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: gelu_tanh: 16 numbers equal
func.func @gelu_tanh(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.gelu %x approximate : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: leaky: 16 numbers equal
func.func @leaky(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.leaky_relu %x alpha 0.125 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: prelu_channel: 6 numbers equal
func.func @prelu_channel(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = uma.graph.prelu %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-NEXT: hard_swish_f32: 16 numbers equal
func.func @hard_swish_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.hard_swish %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: silu_f32: 16 numbers equal
func.func @silu_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.silu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: softplus_f32: 16 numbers equal
func.func @softplus_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.softplus %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: atan_f32: 16 numbers equal
func.func @atan_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.atan %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: asinh_f32: 16 numbers equal
func.func @asinh_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.asinh %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: tan_f32: 16 numbers equal
func.func @tan_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.tan %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: sinh_f32: 16 numbers equal
func.func @sinh_f32(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = uma.graph.sinh %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-NEXT: left_shift_i32: 6 numbers equal
func.func @left_shift_i32(%x: tensor<2x3xi32>, %y: tensor<3xi32>) -> tensor<2x3xi32> {
  %0 = uma.graph.left_shift %x, %y : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: power_i32: 6 numbers equal
func.func @power_i32(%x: tensor<2x3xi32>, %y: tensor<3xi32>) -> tensor<2x3xi32> {
  %0 = uma.graph.power %x, %y : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-NEXT: logical_xor_bool: 6 numbers equal
func.func @logical_xor_bool(%x: tensor<2x3xi1>, %y: tensor<3xi1>) -> tensor<2x3xi1> {
  %0 = uma.graph.logical_xor %x, %y : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// The header and the tables of a package whose names no C identifier is made
// of, and that both compilers take it, as C and as C++.
// REQUIRES: gcc, clang
// RUN: rm -rf %t && uma compile %s -o %t
// RUN: FileCheck %s < %t/int.h
// RUN: FileCheck %s --check-prefix=TABLES < %t/int.c
// RUN: FileCheck %s --check-prefix=WEIGHTS < %t/int_weights.c
// RUN: cd %t && %gcc %strict -DUMA_HOOKS -c int.c int_weights.c main.c
// RUN: cd %t && %clang %strict -c int.c int_weights.c main.c
// RUN: cd %t && %clang -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -c int.c int_weights.c

// CHECK:      /* Network int, compiled to C99 by uma. Generated; edit the model instead. */
// CHECK-NEXT: #ifndef INT_H
// CHECK-NEXT: #define INT_H
// CHECK:      #define INT_WORKSPACE_SIZE 0
// CHECK-NEXT: #define INT_WORKSPACE_ALIGNMENT 64

// One name may be an input and an output; one name in C may be two in the model.
// CHECK:      /* Input while: f32, 2x3, row-major; elements and bytes. */
// CHECK-NEXT: #define INT_INPUT_WHILE_SIZE 6
// CHECK-NEXT: #define INT_INPUT_WHILE_BYTES 24
// CHECK:      /* Input in/put:0 * / #: f32, 3,
// CHECK-NEXT: #define INT_INPUT_IN_PUT_0_SIZE 3
// CHECK:      #define INT_INPUT_WORKSPACE_SIZE 1
// CHECK:      #define INT_OUTPUT_WHILE_SIZE 6
// CHECK:      #define INT_OUTPUT_N9_LIVES_SIZE 6
// CHECK:      /* Output output2: i1, 3,
// CHECK-NEXT: #define INT_OUTPUT_OUTPUT2_SIZE 3
// CHECK-NEXT: #define INT_OUTPUT_OUTPUT2_BYTES 3
// CHECK:      #define INT_NUM_INPUTS 4
// CHECK-NEXT: #define INT_NUM_OUTPUTS 4

// CHECK:      * while_: input while, f32, 2x3
// CHECK:      * workspace_2: input workspace, f32, scalar
// CHECK:      * while_2: output while, f32, 2x3
// CHECK:      * workspace: INT_WORKSPACE_SIZE bytes
// CHECK:      int32_t int_run(const float *UMA_RESTRICT while_, const float *UMA_RESTRICT in_put_0, const float *UMA_RESTRICT workspace_2, const int8_t *UMA_RESTRICT unnamed,
// CHECK-SAME:   float *UMA_RESTRICT while_2, float *UMA_RESTRICT n9_lives, uint8_t *UMA_RESTRICT output2, uint16_t *UMA_RESTRICT t, void *UMA_RESTRICT workspace);

// TABLES:      int32_t int_run(
// TABLES:      static const size_t int_input_shape0[] = {2, 3};
// TABLES:      const uma_tensor_info int_inputs[INT_NUM_INPUTS + 1] = {
// TABLES-NEXT:   {"while", "f32", INT_INPUT_WHILE_BYTES, 2, int_input_shape0},
// TABLES-NEXT:   {"in/put:0 */ #", "f32", INT_INPUT_IN_PUT_0_BYTES, 1, int_input_shape1},
// TABLES-NEXT:   {"workspace", "f32", INT_INPUT_WORKSPACE_BYTES, 0, NULL},
// TABLES-NEXT:   {"", "i8", INT_INPUT_UNNAMED_BYTES, 1, int_input_shape3},
// TABLES-NEXT:   {NULL, NULL, 0, 0, NULL}
// TABLES:      const uma_tensor_info int_outputs[INT_NUM_OUTPUTS + 1] = {
// TABLES:        {"9 lives", "f32",
// TABLES:        {"\303\251t\303\251", "f16",

// WEIGHTS:      UMA_ALIGNED const float int_for[3] = {
// WEIGHTS-NEXT:   0.5f, (-INFINITY), NAN
// WEIGHTS-NEXT: };
func.func @main(%a: tensor<2x3xf32> {uma.name = "while"}, %b: tensor<3xf32> {uma.name = "in/put:0 */ #"}, %c: tensor<f32> {uma.name = "workspace"}, %d: tensor<3xi8> {uma.name = ""})
    -> (tensor<2x3xf32> {uma.name = "while"}, tensor<2x3xf32> {uma.name = "9 lives"}, tensor<3xi1>, tensor<2x3xf16> {uma.name = "\C3\A9t\C3\A9"}) attributes {uma.network = "int"} {
  %w = uma.graph.constant dense<[0.5, 0xFF800000, 0x7FC00000]> : tensor<3xf32> loc("for")
  %0 = uma.graph.add %a, %w : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> loc("if")
  %1 = uma.graph.multiply %0, %c : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32> loc("sqrtf")
  %2 = uma.graph.subtract %1, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> loc("a*/b\\\n??/")
  %3 = uma.graph.cast %d to i1 : (tensor<3xi8>) -> tensor<3xi1> loc("int_run")
  %4 = uma.graph.cast %2 to f16 : (tensor<2x3xf32>) -> tensor<2x3xf16> loc("if")
  return %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi1>, tensor<2x3xf16>
}

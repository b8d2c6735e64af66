//===- WindowOpsTest.cpp - Tests of windows and recurrent layers ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The expected numbers are computed by hand; iota is 1, 2, 3, ...
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
class WindowOpsTest : public test::InterpreterTest {};
} // namespace

TEST_F(WindowOpsTest, Conv3d) {
  // The sum of squares of 1 to 8 over a cube.
  expect("conv3d", "", {iota("1x1x2x2x2xf32"), iota("1x1x2x2x2xf32")},
         "1x1x1x1x1xf32", {204});
  expect("conv3d", "strides [1, 2, 1] layout \"NDHWC\"",
         {iota("1x2x2x1x2xf32"), iota("1x2x1x1x1xf32")}, "1x2x1x1x1xf32",
         {5, 17});
}

TEST_F(WindowOpsTest, ConvTranspose) {
  // Each element adds its multiple of 1 2 / 3 4 at its position.
  expect("conv2d_transpose", "strides [2, 2]",
         {iota("1x1x1x2xf32"), iota("1x1x2x2xf32")}, "1x1x2x4xf32",
         {1, 2, 2, 4, 3, 4, 6, 8});
  // Adjacent windows overlap; a column is cropped, a row of zeros is added.
  expect("conv2d_transpose", "padding [0, 1, 0, 0] output_padding [1, 0]",
         {iota("1x1x1x2xf32"), iota("1x1x2x2xf32")}, "1x1x3x2xf32",
         {4, 4, 10, 8, 0, 0});
  // Channel 1 of the data gives channel 1 of the result.
  expect("conv2d_transpose", "groups 2",
         {iota("1x2x1x1xf32"), iota("2x1x1x2xf32")}, "1x2x1x2xf32",
         {1, 2, 6, 8});
}

TEST_F(WindowOpsTest, DeformableConv2d) {
  // Half a column to the right, half of the last one is outside.
  expect("deformable_conv2d", "",
         {iota("1x1x1x3xf32"), tensor("1x2x1x3xf32", {0, 0, 0, 0.5, 0.5, 0.5}),
          tensor("1x1x1x1xf32", {2})},
         "1x1x1x3xf32", {3, 5, 3});
}

TEST_F(WindowOpsTest, Col2Im) {
  // Two windows of three overlap by one.
  expect("col2im",
         "image [5] block [3] strides [2] padding [0, 0] dilations [1]",
         {iota("1x3x2xi32")}, "1x1x5xi32", {1, 3, 7, 4, 6});
}

TEST_F(WindowOpsTest, Pools) {
  expect("max_pool3d", "size [2, 2, 2]", {iota("1x1x2x2x3xf32")},
         "1x1x1x1x2xf32", {11, 12});
  expect("avg_pool3d", "size [2, 2, 2]", {iota("1x1x2x2x2xf32")},
         "1x1x1x1x1xf32", {4.5});
  expect("lp_pool", "size [2] strides [1] padding [0, 1] dilations [1]",
         {tensor("1x1x2xf32", {-3, 4})}, "1x1x2xf32", {5, 4});
  expect("global_max_pool2d", "", {tensor("1x1x2x2xui8", {1, 200, 3, 4})},
         "1x1x1x1xui8", {200});
  // The first of two equal ones; indices continue in channel 1.
  expect("max_pool_indices",
         "size [2, 2] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1]",
         {tensor("1x2x2x3xf32", {1, 7, 7, 0, 0, 0, 0, 0, 1, 2, 0, 0})},
         "1x2x1x2xi64", {1, 1, 9, 8});
  expect("max_pool_indices",
         "size [2, 2] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] "
         "column_major true",
         {tensor("1x1x2x3xf32", {1, 7, 7, 9, 0, 0})}, "1x1x1x2xi64", {1, 2});
}

TEST_F(WindowOpsTest, DFT) {
  // The signal 1 2, and the same with a zero appended, from a table of 4.
  expect("dft", "axis 0",
         {tensor("2x1xf32", {1, 2}), tensor("2x2xf32", {1, 0, -1, 0})},
         "2x2xf32", {3, 0, -1, 0});
  expect("dft", "axis 0 onesided true",
         {tensor("2x1xf32", {1, 2}),
          tensor("4x2xf32", {1, 0, 0, -1, -1, 0, 0, 1})},
         "3x2xf32", {3, 0, 1, -2, -1, 0});
  // i * i = -1.
  expect("dft", "axis 0",
         {tensor("1x2xf32", {0, 1}), tensor("1x2xf32", {0, 1})}, "1x2xf32",
         {-1, 0});
}

TEST_F(WindowOpsTest, RecurrentLayersEndWithTheSequence) {
  constexpr llvm::StringLiteral text = R"mlir(
func.func @main(%x: tensor<3x2x1xf32>, %w: tensor<1x1x1xf32>, %r: tensor<1x1x1xf32>, %l: tensor<2xi32>)
    -> (tensor<3x1x2x1xf32>, tensor<1x2x1xf32>) {
  %y, %h = uma.graph.rnn %x, %w, %r sequence_lens %l direction "reverse" activations ["relu"]
      : (tensor<3x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<2xi32>)
      -> (tensor<3x1x2x1xf32>, tensor<1x2x1xf32>)
  return %y, %h : tensor<3x1x2x1xf32>, tensor<1x2x1xf32>
})mlir";
  OwningOpRef<ModuleOp> module = parse(text);
  ASSERT_TRUE(module) << errors;
  auto results = interpret(module->lookupSymbol<func::FuncOp>("main"),
                           {iota("3x2x1xf32"), tensor("1x1x1xf32", {1}),
                            tensor("1x1x1xf32", {2}), tensor("2xi32", {3, 2})});
  ASSERT_TRUE(succeeded(results)) << errors;
  // Backwards, h = x + 2 h: 5, 3 + 10, 1 + 26 and, from step 1 on, 4, 2 + 8.
  const double output[] = {27, 10, 13, 4, 5, 0};
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ((*results)[0].getDouble(i), output[i]) << i;
  EXPECT_EQ((*results)[1].getDouble(0), 27);
  EXPECT_EQ((*results)[1].getDouble(1), 10);
}

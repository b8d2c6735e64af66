//===- NNOpsTest.cpp - Tests of neural network operators ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The expected numbers are computed by hand. Most data are
//   1 2 3
//   4 5 6
//   7 8 9
// and most kernels 1 2 / 3 4.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
class NNOpsTest : public test::InterpreterTest {};
} // namespace

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

TEST_F(NNOpsTest, Conv2d) {
  expect("conv2d", "", {iota("1x1x3x3xf32"), iota("1x1x2x2xf32")},
         "1x1x2x2xf32", {37, 47, 67, 77});
}

TEST_F(NNOpsTest, Conv2dStridesAndPadding) {
  expect("conv2d", "strides [2, 2] padding [1, 1, 1, 1]",
         {iota("1x1x3x3xf32"), iota("1x1x2x2xf32")}, "1x1x2x2xf32",
         {4, 18, 36, 77});
  expect("conv2d", "strides [1, 2]",
         {iota("1x1x3x3xf32"), tensor("1x1x1x1xf32", {1})}, "1x1x3x2xf32",
         {1, 3, 4, 6, 7, 9});
}

TEST_F(NNOpsTest, Conv2dAsymmetricPadding) {
  // Padding: 0 at the top and right, 1 at the left, 2 at the bottom.
  expect("conv2d", "padding [0, 1, 2, 0]",
         {iota("1x1x3x3xf32"), iota("1x1x2x2xf32")}, "1x1x4x3xf32",
         {18, 37, 47, 36, 67, 77, 14, 23, 26, 0, 0, 0});
}

TEST_F(NNOpsTest, Conv2dPaddingLargerThanTheKernel) {
  expect("conv2d", "padding [3, 0, 0, 3]",
         {tensor("1x1x1x1xf32", {5}), tensor("1x1x1x1xf32", {2})},
         "1x1x4x4xf32", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0});
}

TEST_F(NNOpsTest, Conv2dDilations) {
  expect("conv2d", "dilations [2, 2]",
         {iota("1x1x3x3xf32"), iota("1x1x2x2xf32")}, "1x1x1x1xf32", {64});
  // Rows 0 and 2, adjacent columns.
  expect("conv2d", "dilations [2, 1]",
         {iota("1x1x3x3xf32"), iota("1x1x2x2xf32")}, "1x1x1x2xf32", {58, 68});
  // The taps at -1 and 1 skip the only element.
  expect("conv2d", "padding [1, 0, 1, 0] dilations [2, 1]",
         {tensor("1x1x1x1xf32", {7}), tensor("1x1x2x1xf32", {1, 1})},
         "1x1x1x1xf32", {0});
  // A stride, a dilation and padding at once: taps at -2 and 1, then 0 and 3.
  expect("conv2d", "strides [1, 2] padding [0, 2, 0, 1] dilations [1, 3]",
         {tensor("1x1x1x3xf32", {1, 2, 3}), tensor("1x1x1x2xf32", {1, 10})},
         "1x1x1x2xf32", {20, 1});
}

TEST_F(NNOpsTest, Conv2dGroups) {
  expect("conv2d", "groups 2",
         {iota("1x4x1x1xf32"), tensor("2x2x1x1xf32", {1, 10, 100, 1000})},
         "1x2x1x1xf32", {21, 4300});
  // Depthwise with two results per channel.
  expect("conv2d", "groups 2",
         {tensor("1x2x1x1xf32", {10, 100}), iota("4x1x1x1xf32")}, "1x4x1x1xf32",
         {10, 20, 300, 400});
}

TEST_F(NNOpsTest, Conv2dChannelsAndBatch) {
  // Sums over channels; each image separately.
  expect("conv2d", "",
         {tensor("2x2x1x2xf32", {1, 2, 3, 4, 5, 6, 7, 8}),
          tensor("2x2x1x1xf32", {1, 10, 100, 1000})},
         "2x2x1x2xf32", {31, 42, 3100, 4200, 75, 86, 7500, 8600});
}

TEST_F(NNOpsTest, Conv2dLayouts) {
  // One window of two columns with two channels.
  HostTensor data = iota("1x1x2x2xf32");
  std::vector<double> kernel = {1, 10, 100, 1000};
  expect("conv2d", "layout \"NHWC\" kernel_layout \"OHWI\"",
         {data, tensor("1x1x2x2xf32", kernel)}, "1x1x1x1xf32", {4321});
  expect("conv2d", "layout \"NHWC\" kernel_layout \"HWIO\"",
         {data, tensor("1x2x2x1xf32", kernel)}, "1x1x1x1xf32", {4321});
  // In OIHW the second number is the first channel's second column.
  expect("conv2d", "layout \"NHWC\" kernel_layout \"OIHW\"",
         {data, tensor("1x2x1x2xf32", kernel)}, "1x1x1x1xf32", {4231});
  expect("conv2d", "kernel_layout \"HWIO\"",
         {tensor("1x2x1x1xf32", {3, 4}), tensor("1x1x2x2xf32", {1, 2, 10, 20})},
         "1x2x1x1xf32", {43, 86});
  expect("conv2d", "groups 2 layout \"NHWC\" kernel_layout \"HWIO\"",
         {tensor("1x1x2x2xf32", {1, 2, 3, 4}), tensor("1x1x1x2xf32", {1, 10})},
         "1x1x2x2xf32", {1, 20, 3, 40});
}

TEST_F(NNOpsTest, Conv2dIntegers) {
  expect("conv2d", "out_dtype i32",
         {tensor("1x2x1x1xi8", {127, -128}), tensor("1x2x1x1xi8", {127, -128})},
         "1x1x1x1xi32", {32513});
  expect("conv2d", "out_dtype i32",
         {tensor("1x1x1x1xui8", {255}), tensor("1x1x1x1xi8", {-128})},
         "1x1x1x1xi32", {-32640});
  // Only the result of the sum wraps.
  expect("conv2d", "out_dtype i32",
         {tensor("1x3x1x1xi32", {2147483647, 1, -1}),
          tensor("1x3x1x1xi32", {1, 1, 1})},
         "1x1x1x1xi32", {2147483647});
  expect("conv2d", "out_dtype i32",
         {tensor("1x1x1x1xi32", {2147483647}), tensor("1x1x1x1xi32", {2})},
         "1x1x1x1xi32", {-2});
}

TEST_F(NNOpsTest, ContractionsRoundOnce) {
  // In f16, 2048 + 1 is 2048 again.
  HostTensor data = tensor("1x3xf16", {2048, 1, 1});
  HostTensor ones = tensor("1x3xf16", {1, 1, 1});
  expect("dense", "", {data, ones}, "1x1xf16", {2050});
  expect("conv2d", "",
         {data.reshaped({1, 3, 1, 1}), ones.reshaped({1, 3, 1, 1})},
         "1x1x1x1xf16", {2050});
  // 2^24 + 1 is not exact in f32, but the sum of all three is.
  expect("dense", "",
         {tensor("1x3xf32", {16777216, 1, 1}), tensor("1x3xf32", {1, 1, 1})},
         "1x1xf32", {16777218});
  expect("dense", "out_dtype f32",
         {tensor("1x2xf16", {2048, 1}), tensor("1x2xf16", {1, 1})}, "1x1xf32",
         {2049});
}

TEST_F(NNOpsTest, Dense) {
  HostTensor weight = iota("2x3xf32");
  expect("dense", "", {tensor("3xf32", {1, 10, 100}), weight}, "2xf32",
         {321, 654});
  expect("dense", "", {tensor("2x1x3xf32", {1, 0, 0, 0, 0, 1}), weight},
         "2x1x2xf32", {1, 4, 3, 6});
  expect("dense", "out_dtype i32",
         {tensor("1x2xi8", {-128, 127}), tensor("1x2xi8", {-128, 127})},
         "1x1xi32", {32513});
}

//===----------------------------------------------------------------------===//
// Operators along one axis
//===----------------------------------------------------------------------===//

TEST_F(NNOpsTest, BiasAdd) {
  HostTensor data = iota("1x2x2x2xf32"), bias = tensor("2xf32", {10, 20});
  expect("bias_add", "", {data, bias}, "1x2x2x2xf32",
         {11, 12, 13, 14, 25, 26, 27, 28});
  expect("bias_add", "axis -1", {data, bias}, "1x2x2x2xf32",
         {11, 22, 13, 24, 15, 26, 17, 28});
  expect("bias_add", "axis 2", {data, bias}, "1x2x2x2xf32",
         {11, 12, 23, 24, 15, 16, 27, 28});
  expect("bias_add", "", {tensor("1x1xi8", {127}), tensor("1xi8", {1})},
         "1x1xi8", {-128});
}

TEST_F(NNOpsTest, BatchNorm) {
  HostTensor gamma = tensor("2xf32", {1, 2}), beta = tensor("2xf32", {10, 20});
  HostTensor mean = tensor("2xf32", {1, 2});
  HostTensor variance = tensor("2xf32", {3.75, 15.75});
  expect("batch_norm", "epsilon 0.25",
         {tensor("1x2x2xf32", {1, 3, 2, 6}), gamma, beta, mean, variance},
         "1x2x2xf32", {10, 11, 20, 22});
  expect("batch_norm", "axis -1 epsilon 0.25",
         {tensor("2x2xf32", {1, 2, 3, 6}), gamma, beta, mean, variance},
         "2x2xf32", {10, 20, 11, 22});
}

TEST_F(NNOpsTest, Softmax) {
  double ln3 = std::log(3.0);
  HostTensor data = tensor("2x2xf64", {0, 0, ln3, 0});
  expect("softmax", "", {data}, "2x2xf64", {0.5, 0.5, 0.75, 0.25}, 1e-15);
  expect("softmax", "axis 0", {data}, "2x2xf64", {0.25, 0.5, 0.75, 0.5}, 1e-15);
  expect("softmax", "axis 1", {tensor("1x2x2xf64", {0, 1, ln3, 1})},
         "1x2x2xf64", {0.25, 0.5, 0.75, 0.5}, 1e-15);
  // Large values do not overflow.
  expect("softmax", "", {tensor("2xf32", {1e30f, 1e30f})}, "2xf32", {0.5, 0.5});
  expect("softmax", "", {tensor("2xf32", {-kInf, 0})}, "2xf32", {0, 1});
  expect("softmax", "", {tensor("2xf16", {0, ln3})}, "2xf16", {0.25, 0.75},
         1e-3);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

TEST_F(NNOpsTest, MaxPool2d) {
  HostTensor data = iota("1x1x3x3xf32");
  expect("max_pool2d", "size [2, 2]", {data}, "1x1x2x2xf32", {5, 6, 8, 9});
  expect("max_pool2d", "size [1, 2] strides [2, 1]", {data}, "1x1x2x2xf32",
         {2, 3, 8, 9});
  expect("max_pool2d", "size [2, 2] dilations [2, 2]", {data}, "1x1x1x1xf32",
         {9});
  // H = 1, W = 3, C = 2.
  expect("max_pool2d", "size [1, 2] layout \"NHWC\"",
         {tensor("1x1x3x2xf32", {1, 60, 5, 40, 3, 50})}, "1x1x2x2xf32",
         {5, 60, 5, 50});
}

TEST_F(NNOpsTest, MaxPool2dCeilMode) {
  HostTensor data = iota("1x1x3x3xf32");
  expect("max_pool2d", "size [2, 2] strides [2, 2]", {data}, "1x1x1x1xf32",
         {5});
  expect("max_pool2d", "size [2, 2] strides [2, 2] ceil_mode true", {data},
         "1x1x2x2xf32", {5, 6, 8, 9});
  // A third window would start in the padding at the end.
  expect("max_pool2d",
         "size [2, 2] strides [2, 2] padding [1, 1, 1, 1] ceil_mode true",
         {data}, "1x1x2x2xf32", {1, 3, 7, 9});
}

TEST_F(NNOpsTest, MaxPool2dPaddingNeverWins) {
  expect("max_pool2d", "size [2, 2] strides [2, 2] padding [1, 1, 1, 1]",
         {tensor("1x1x2x2xf32", {-1, -2, -3, -4})}, "1x1x2x2xf32",
         {-1, -2, -3, -4});
  expect("max_pool2d", "size [2, 2] padding [1, 1, 0, 0]",
         {tensor("1x1x1x1xi8", {-128})}, "1x1x1x1xi8", {-128});
  expect("max_pool2d", "size [2, 2] padding [1, 1, 0, 0]",
         {tensor("1x1x1x1xf16", {-kInf})}, "1x1x1x1xf16", {-kInf});
  expect("max_pool2d", "size [1, 2]", {tensor("1x1x1x3xf32", {1, kNaN, 2})},
         "1x1x1x2xf32", {kNaN, kNaN});
}

TEST_F(NNOpsTest, AvgPool2d) {
  HostTensor data = iota("1x1x3x3xf32");
  expect("avg_pool2d", "size [2, 2]", {data}, "1x1x2x2xf32", {3, 4, 6, 7});
  expect("avg_pool2d", "size [2, 2] dilations [2, 2]", {data}, "1x1x1x1xf32",
         {5});
  expect("avg_pool2d", "size [1, 2] layout \"NHWC\"",
         {tensor("1x1x3x2xf32", {1, 60, 5, 40, 3, 50})}, "1x1x2x2xf32",
         {3, 50, 4, 45});
}

TEST_F(NNOpsTest, AvgPool2dPadding) {
  HostTensor data = iota("1x1x3x3xf32");
  expect("avg_pool2d", "size [2, 2] strides [2, 2] padding [1, 1, 1, 1]",
         {data}, "1x1x2x2xf32", {1, 2.5, 5.5, 7});
  expect("avg_pool2d",
         "size [2, 2] strides [2, 2] padding [1, 1, 1, 1] "
         "count_include_pad true",
         {data}, "1x1x2x2xf32", {0.25, 1.25, 2.75, 7});
}

TEST_F(NNOpsTest, AvgPool2dCeilMode) {
  HostTensor data = iota("1x1x3x3xf32");
  // Elements beyond the padding never count.
  for (llvm::StringRef include : {"false", "true"})
    expect("avg_pool2d",
           ("size [2, 2] strides [2, 2] ceil_mode true count_include_pad " +
            include)
               .str(),
           {data}, "1x1x2x2xf32", {3, 4.5, 7.5, 9});
  // The second window has one column of data, one of padding and one beyond it.
  expect("avg_pool2d",
         "size [3, 3] strides [2, 2] padding [0, 0, 1, 1] ceil_mode true",
         {data}, "1x1x2x2xf32", {5, 6, 8, 9});
  expect("avg_pool2d",
         "size [3, 3] strides [2, 2] padding [0, 0, 1, 1] ceil_mode true "
         "count_include_pad true",
         {data}, "1x1x2x2xf32", {5, 3, 4, 2.25});
}

TEST_F(NNOpsTest, GlobalAvgPool2d) {
  expect("global_avg_pool2d", "", {iota("1x2x2x2xf32")}, "1x2x1x1xf32",
         {2.5, 6.5});
  expect("global_avg_pool2d", "layout \"NHWC\"", {iota("1x2x2x2xf32")},
         "1x1x1x2xf32", {4, 5});
  // The sum, 2 * 65504, overflows f16.
  expect("global_avg_pool2d", "", {tensor("1x1x1x2xf16", {65504, 65504})},
         "1x1x1x1xf16", {65504});
}

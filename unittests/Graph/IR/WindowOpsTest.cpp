//===- WindowOpsTest.cpp - WindowOpInterface and getDims ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
struct WindowOpsTest : testing::Test {
  WindowOpsTest() { context.loadDialect<UMADialect, func::FuncDialect>(); }

  /// Parses one operation on %x and %w of the given types.
  template <typename OpT>
  OpT parse(const std::string &data, const std::string &weight,
            const std::string &op) {
    module = parseSourceString<ModuleOp>("func.func @f(%x: " + data +
                                             ", %w: " + weight +
                                             ") {\n%0 = " + op + "\nreturn\n}",
                                         &context);
    OpT found;
    if (module)
      module->walk([&](OpT op) { found = op; });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(WindowOpsTest, Conv2dDimsDoNotDependOnLayouts) {
  struct Case {
    const char *data, *weight, *result, *layouts;
  } cases[] = {
      {"tensor<2x8x9x7xf32>", "tensor<6x4x3x5xf32>", "tensor<2x6x4x7xf32>", ""},
      {"tensor<2x9x7x8xf32>", "tensor<6x3x5x4xf32>", "tensor<2x4x7x6xf32>",
       "layout \"NHWC\" kernel_layout \"OHWI\""},
      {"tensor<2x9x7x8xf32>", "tensor<3x5x4x6xf32>", "tensor<2x4x7x6xf32>",
       "layout \"NHWC\" kernel_layout \"HWIO\""}};
  for (const Case &c : cases) {
    auto op = parse<Conv2dOp>(
        c.data, c.weight,
        std::string("uma.graph.conv2d %x, %w strides [2, 1] padding [0, 1, 0, "
                    "3] groups 2 ") +
            c.layouts + " : (" + c.data + ", " + c.weight + ") -> " + c.result);
    ASSERT_TRUE(op) << c.layouts;
    ConvDims dims = op.getDims();
    EXPECT_EQ(dims.batch, 2);
    EXPECT_EQ(dims.inChannels, 8);
    EXPECT_EQ(dims.outChannels, 6);
    EXPECT_EQ(dims.groups, 2);
    EXPECT_FALSE(op.isDepthwise());
    auto window = cast<WindowOpInterface>(op.getOperation()).getWindow();
    EXPECT_EQ(window.input, (SpatialVector{9, 7}));
    EXPECT_EQ(window.kernel, (SpatialVector{3, 5}));
    EXPECT_EQ(window.strides, (SpatialVector{2, 1}));
    EXPECT_EQ(window.padBegin, (SpatialVector{0, 1}));
    EXPECT_EQ(window.padEnd, (SpatialVector{0, 3}));
    EXPECT_FALSE(window.ceilMode);
    EXPECT_EQ(op.getMACs(), 2 * 6 * (4 * 7) * 4 * (3 * 5));
  }
}

TEST_F(WindowOpsTest, DepthwiseIsOneChannelPerGroup) {
  auto op = parse<Conv2dOp>(
      "tensor<1x8x4x4xf32>", "tensor<16x1x3x3xf32>",
      "uma.graph.conv2d %x, %w padding [1, 1, 1, 1] groups 8 : "
      "(tensor<1x8x4x4xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x4x4xf32>");
  ASSERT_TRUE(op);
  EXPECT_TRUE(op.isDepthwise());
  EXPECT_TRUE(cast<WindowOpInterface>(op.getOperation()).isSamePadding());
  // A convolution with one channel is an ordinary one.
  op = parse<Conv2dOp>("tensor<1x1x4x4xf32>", "tensor<16x1x3x3xf32>",
                       "uma.graph.conv2d %x, %w : (tensor<1x1x4x4xf32>, "
                       "tensor<16x1x3x3xf32>) -> tensor<1x16x2x2xf32>");
  ASSERT_TRUE(op);
  EXPECT_FALSE(op.isDepthwise());
  EXPECT_FALSE(cast<WindowOpInterface>(op.getOperation()).isSamePadding());
}

TEST_F(WindowOpsTest, MACsSaturate) {
  auto op = parse<Conv2dOp>(
      "tensor<1x65536x65536x65536xi8>", "tensor<65536x65536x1x1xi8>",
      "uma.graph.conv2d %x, %w out_dtype i32 : "
      "(tensor<1x65536x65536x65536xi8>, tensor<65536x65536x1x1xi8>) -> "
      "tensor<1x65536x65536x65536xi32>");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getMACs(), std::numeric_limits<int64_t>::max());
}

TEST_F(WindowOpsTest, PoolsHaveAWindow) {
  auto op = parse<MaxPool2dOp>(
      "tensor<1x9x7x8xf32>", "tensor<f32>",
      "uma.graph.max_pool2d %x size [3, 2] strides [2, 3] padding [1, 0, 1, 1] "
      "dilations [1, 2] ceil_mode true layout \"NHWC\" : "
      "(tensor<1x9x7x8xf32>) -> tensor<1x5x3x8xf32>");
  ASSERT_TRUE(op);
  auto iface = cast<WindowOpInterface>(op.getOperation());
  Window window = iface.getWindow();
  EXPECT_EQ(window.input, (SpatialVector{9, 7}));
  EXPECT_EQ(window.kernel, (SpatialVector{3, 2}));
  EXPECT_EQ(window.dilations, (SpatialVector{1, 2}));
  EXPECT_TRUE(window.ceilMode);
  EXPECT_EQ(iface.getMACs(), 0);
}

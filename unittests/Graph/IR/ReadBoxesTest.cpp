//===- ReadBoxesTest.cpp - getReadBoxes and isSumAlong --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/ReadBoxes.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
struct ReadBoxesTest : testing::Test {
  ReadBoxesTest() { context.loadDialect<UMADialect, func::FuncDialect>(); }

  /// Parses one operation on the arguments.
  Operation *parse(const std::string &arguments, const std::string &op) {
    module = parseSourceString<ModuleOp>("func.func @f(" + arguments +
                                             ") {\n%0 = " + op + "\nreturn\n}",
                                         &context);
    return module ? &module->lookupSymbol<func::FuncOp>("f").front().front()
                  : nullptr;
  }

  /// Returns the boxes, each range as begin+size, or "failure".
  std::string getBoxes(const std::string &arguments, const std::string &op,
                       const Box &result) {
    Operation *parsed = parse(arguments, op);
    if (!parsed)
      return "does not parse";
    SmallVector<Box> boxes;
    if (failed(getReadBoxes(parsed, result, boxes)))
      return "failure";
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleave(
        boxes, os,
        [&](const Box &box) {
          llvm::interleave(
              box, os,
              [&](IndexRange range) { os << range.begin << '+' << range.size; },
              " ");
        },
        ", ");
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(ReadBoxesTest, WindowsReachIntoThePadding) {
  const char *arguments = "%x: tensor<1x8x9x9xf32>, %w: tensor<6x8x3x3xf32>";
  const char *op = "uma.graph.conv2d %x, %w strides [2, 1] padding [1, 0, 1, "
                   "0] : (tensor<1x8x9x9xf32>, tensor<6x8x3x3xf32>) -> "
                   "tensor<1x6x5x7xf32>";
  EXPECT_EQ(getBoxes(arguments, op, {{0, 1}, {2, 3}, {0, 2}, {1, 4}}),
            "0+1 0+8 -1+5 1+6, 2+3 0+8 0+3 0+3");
  // The last row of results reads a row behind the data.
  EXPECT_EQ(getBoxes(arguments, op, {{0, 1}, {0, 6}, {4, 1}, {0, 7}}),
            "0+1 0+8 7+3 0+9, 0+6 0+8 0+3 0+3");
}

TEST_F(ReadBoxesTest, DilatedWindowsInTheOrderOfTheLayout) {
  EXPECT_EQ(getBoxes("%x: tensor<2x9x9x8xf32>, %w: tensor<3x3x8x6xf32>",
                     "uma.graph.conv2d %x, %w dilations [2, 2] layout "
                     "\"NHWC\" kernel_layout \"HWIO\" : "
                     "(tensor<2x9x9x8xf32>, tensor<3x3x8x6xf32>) -> "
                     "tensor<2x5x5x6xf32>",
                     {{1, 1}, {3, 2}, {0, 1}, {4, 2}}),
            "1+1 3+6 0+5 0+8, 0+3 0+3 0+8 4+2");
}

TEST_F(ReadBoxesTest, ChannelsOfDepthwiseConvolutions) {
  EXPECT_EQ(getBoxes("%x: tensor<1x8x9x9xf32>, %w: tensor<8x1x3x3xf32>",
                     "uma.graph.conv2d %x, %w groups 8 : "
                     "(tensor<1x8x9x9xf32>, tensor<8x1x3x3xf32>) -> "
                     "tensor<1x8x7x7xf32>",
                     {{0, 1}, {4, 2}, {0, 7}, {0, 7}}),
            "0+1 4+2 0+9 0+9, 4+2 0+1 0+3 0+3");
  // Channels of other groups have no rectangular part.
  EXPECT_EQ(getBoxes("%x: tensor<1x8x9x9xf32>, %w: tensor<8x4x3x3xf32>",
                     "uma.graph.conv2d %x, %w groups 2 : "
                     "(tensor<1x8x9x9xf32>, tensor<8x4x3x3xf32>) -> "
                     "tensor<1x8x7x7xf32>",
                     {{0, 1}, {0, 4}, {0, 7}, {0, 7}}),
            "failure");
}

TEST_F(ReadBoxesTest, Pools) {
  for (const char *name : {"max_pool2d", "avg_pool2d"})
    EXPECT_EQ(getBoxes("%x: tensor<1x8x9x9xf32>",
                       std::string("uma.graph.") + name +
                           " %x size [3, 3] strides [2, 2] padding [1, 1, 1, "
                           "1] : (tensor<1x8x9x9xf32>) -> tensor<1x8x5x5xf32>",
                       {{0, 1}, {2, 3}, {0, 1}, {1, 2}}),
              "0+1 2+3 -1+3 1+5")
        << name;
}

TEST_F(ReadBoxesTest, OperatorsWithoutWindows) {
  EXPECT_EQ(getBoxes("%x: tensor<4x32xf32>, %w: tensor<10x32xf32>",
                     "uma.graph.dense %x, %w : (tensor<4x32xf32>, "
                     "tensor<10x32xf32>) -> tensor<4x10xf32>",
                     {{1, 2}, {3, 4}}),
            "1+2 0+32, 3+4 0+32");
  EXPECT_EQ(getBoxes("%x: tensor<4x10x3xf32>, %b: tensor<10xf32>",
                     "uma.graph.bias_add %x, %b axis -2 : "
                     "(tensor<4x10x3xf32>, tensor<10xf32>) -> "
                     "tensor<4x10x3xf32>",
                     {{1, 2}, {3, 4}, {0, 3}}),
            "1+2 3+4 0+3, 3+4");
  EXPECT_EQ(getBoxes("%x: tensor<4x10x3xf32>, %y: tensor<10x1xf32>",
                     "uma.graph.add %x, %y : (tensor<4x10x3xf32>, "
                     "tensor<10x1xf32>) -> tensor<4x10x3xf32>",
                     {{1, 2}, {3, 4}, {1, 2}}),
            "1+2 3+4 1+2, 3+4 0+1");
  EXPECT_EQ(getBoxes("%x: tensor<4x10xf32>",
                     "uma.graph.softmax %x axis 1 : (tensor<4x10xf32>) -> "
                     "tensor<4x10xf32>",
                     {{1, 2}, {3, 4}}),
            "failure");
}

TEST_F(ReadBoxesTest, SumsAreAlongChannels) {
  Operation *conv =
      parse("%x: tensor<2x9x9x8xf32>, %w: tensor<3x3x8x6xf32>",
            "uma.graph.conv2d %x, %w layout \"NHWC\" kernel_layout \"HWIO\" : "
            "(tensor<2x9x9x8xf32>, tensor<3x3x8x6xf32>) -> "
            "tensor<2x7x7x6xf32>");
  ASSERT_TRUE(conv);
  for (unsigned axis = 0; axis < 4; ++axis) {
    EXPECT_EQ(isSumAlong(conv, 0, axis), axis == 3) << axis;
    EXPECT_EQ(isSumAlong(conv, 1, axis), axis == 2) << axis;
  }
  Operation *depthwise =
      parse("%x: tensor<1x8x9x9xf32>, %w: tensor<8x1x3x3xf32>",
            "uma.graph.conv2d %x, %w groups 8 : (tensor<1x8x9x9xf32>, "
            "tensor<8x1x3x3xf32>) -> tensor<1x8x7x7xf32>");
  ASSERT_TRUE(depthwise);
  EXPECT_FALSE(isSumAlong(depthwise, 0, 1));
  Operation *dense = parse("%x: tensor<4x32xf32>, %w: tensor<10x32xf32>",
                           "uma.graph.dense %x, %w : (tensor<4x32xf32>, "
                           "tensor<10x32xf32>) -> tensor<4x10xf32>");
  ASSERT_TRUE(dense);
  EXPECT_FALSE(isSumAlong(dense, 0, 0));
  EXPECT_TRUE(isSumAlong(dense, 0, 1));
  EXPECT_TRUE(isSumAlong(dense, 1, 1));
}

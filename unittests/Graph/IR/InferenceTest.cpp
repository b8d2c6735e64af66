//===- InferenceTest.cpp - Helpers of shape inference ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Diagnostics.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
/// Keeps the last error instead of printing it.
struct InferenceTest : testing::Test {
  InferenceTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          message = diagnostic.str();
          return success();
        }) {}

  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler;
};
} // namespace

TEST_F(InferenceTest, NormalizeAxis) {
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  for (int64_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(*normalizeAxis(emitError, axis, 3), axis);
    EXPECT_EQ(*normalizeAxis(emitError, axis - 3, 3), axis);
  }
  EXPECT_EQ(message, "");
  EXPECT_TRUE(failed(normalizeAxis(emitError, 3, 3, "dim")));
  EXPECT_EQ(message, "dim is 3, expected -3 to 2 for data of rank 3");
  EXPECT_TRUE(failed(normalizeAxis(emitError, INT64_MIN, 3)));
  EXPECT_TRUE(failed(normalizeAxis(emitError, 0, 0)));
}

TEST_F(InferenceTest, BroadcastShapes) {
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  using Shape = SmallVector<int64_t>;
  EXPECT_EQ(*broadcastShapes(emitError, {2, 1, 4}, {3, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(*broadcastShapes(emitError, {}, {3, 1}), (Shape{3, 1}));
  EXPECT_EQ(*broadcastShapes(emitError, {}, {}), Shape{});
  // A size of 1 is broadcast to 0 as well.
  EXPECT_EQ(*broadcastShapes(emitError, {1}, {0}), Shape{0});
  EXPECT_EQ(message, "");
  EXPECT_TRUE(failed(broadcastShapes(emitError, {2, 3}, {2, 4})));
  EXPECT_EQ(message,
            "lhs has shape 2x3 and rhs has shape 2x4, which do not broadcast: "
            "counted from the end, dimension 1 is 3 and 4, expected equal "
            "sizes or a 1");
}

/// Shape inference without a location fails without a message.
TEST_F(InferenceTest, SilentWithoutLocation) {
  context.loadDialect<UMADialect>();
  OpBuilder builder(&context);
  auto type = RankedTensorType::get({2}, builder.getF32Type());
  OwningOpRef<ConstantOp> constant = ConstantOp::create(
      builder, UnknownLoc::get(&context), DenseElementsAttr::get(type, 0.0f));
  SoftmaxOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(1);
  SmallVector<Type> types;
  Value operands[] = {constant->getResult()};
  EXPECT_TRUE(failed(SoftmaxOp::inferReturnTypes(
      &context, std::nullopt, operands, DictionaryAttr::get(&context),
      &properties, {}, types)));
  EXPECT_EQ(message, "");
  EXPECT_TRUE(failed(SoftmaxOp::inferReturnTypes(
      &context, UnknownLoc::get(&context), operands,
      DictionaryAttr::get(&context), &properties, {}, types)));
  EXPECT_EQ(message, "'uma.graph.softmax' op axis is 1, expected -1 to 0 for "
                     "data of rank 1");
  properties.axis = builder.getI64IntegerAttr(0);
  EXPECT_TRUE(succeeded(SoftmaxOp::inferReturnTypes(
      &context, std::nullopt, operands, DictionaryAttr::get(&context),
      &properties, {}, types)));
  ASSERT_EQ(types.size(), 1u);
  EXPECT_EQ(types[0], Type(type));
}

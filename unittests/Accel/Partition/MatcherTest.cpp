//===- MatcherTest.cpp - Contents of a match ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PartitionTestBase.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {

class MatcherTest : public PartitionTestBase {
protected:
  static constexpr llvm::StringLiteral kConv = R"mlir(
    func.func @main(%x: tensor<1x8x4x6xf32>, %w: tensor<2x8x3x3xf32>) -> tensor<1x2x4x6xf32> {
      %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
          : (tensor<1x8x4x6xf32>, tensor<2x8x3x3xf32>) -> tensor<1x2x4x6xf32>
      return %0 : tensor<1x2x4x6xf32>
    })mlir";

  template <typename OpT>
  OpT findFirst(ModuleOp module) {
    OpT found;
    module->walk([&](OpT op) {
      found = op;
      return WalkResult::interrupt();
    });
    return found;
  }

  /// Returns the arguments of a pattern's call that are numbers.
  SmallVector<Attribute> getCallNumbers(const Match &match) {
    PatternOp pattern = match.pattern;
    SmallVector<Attribute> numbers;
    for (auto call : pattern.getOps<CallOp>())
      for (Value argument : call.getArguments())
        if (!isa<AccelTensorType>(argument.getType()))
          numbers.push_back(match.getNumber(argument));
    return numbers;
  }

  SmallVector<Attribute> getExpectedNumbers() {
    Builder b(&context);
    return {b.getIndexAttr(2), b.getIndexAttr(24), b.getF32FloatAttr(0.5)};
  }
};

TEST_F(MatcherTest, BindsTensorsAndNumbers) {
  auto module = parse(kConv);
  auto conv = findFirst<graph::Conv2dOp>(*module);
  PatternOp pattern = getPattern(*module, "npu", "conv2d");
  Mismatch why;
  FailureOr<Match> match = matchPattern(pattern, conv, &why);
  ASSERT_TRUE(succeeded(match)) << why.reason;
  EXPECT_EQ(match->pattern, pattern);
  EXPECT_EQ(match->ops, SmallVector<Operation *>{conv});
  EXPECT_EQ(match->inputs,
            (SmallVector<Value>{conv.getData(), conv.getWeight()}));
  EXPECT_EQ(match->result, conv.getResult());
  EXPECT_EQ(match->tensors.lookup(pattern.getRoot()), conv.getResult());
  EXPECT_EQ(getCallNumbers(*match), getExpectedNumbers());
}

TEST_F(MatcherTest, OtherKindsAreFarAway) {
  auto module = parse(kConv);
  auto conv = findFirst<graph::Conv2dOp>(*module);
  Mismatch why;
  EXPECT_TRUE(
      failed(matchPattern(getPattern(*module, "npu", "relu"), conv, &why)));
  EXPECT_EQ(why.reason, "is a conv2d, the pattern wants a relu");
  EXPECT_GE(why.distance, Mismatch::kMissingOperator);
  EXPECT_EQ(why.where, conv.getOperation());
}

TEST_F(MatcherTest, DistanceCountsConstraints) {
  auto module = parse(R"mlir(
    func.func @main(%x: tensor<2x8x4x4xf16>, %w: tensor<2x8x3x3xf16>) -> tensor<2x2x2x2xf16> {
      %0 = uma.graph.conv2d %x, %w strides [2, 2] padding [0, 0, 1, 1]
          : (tensor<2x8x4x4xf16>, tensor<2x8x3x3xf16>) -> tensor<2x2x2x2xf16>
      return %0 : tensor<2x2x2x2xf16>
    })mlir");
  Mismatch why;
  EXPECT_TRUE(failed(matchPattern(getPattern(*module, "npu", "conv2d"),
                                  findFirst<graph::Conv2dOp>(*module), &why)));
  EXPECT_EQ(why.reason, "ifmap is f16, the pattern wants f32");
  // Strides, the batch size and two element types.
  EXPECT_EQ(why.distance, 4u);
}

TEST_F(MatcherTest, MatchesComposites) {
  auto module = parse(kConv);
  PassManager manager(&context);
  manager.addPass(createMergeCompositePass());
  ScopedDiagnosticHandler ignore(&context, [](Diagnostic &) {});
  ASSERT_TRUE(succeeded(manager.run(*module)));
  auto composite = findFirst<graph::CompositeOp>(*module);
  ASSERT_TRUE(composite);
  FailureOr<Match> match = matchComposite(composite);
  ASSERT_TRUE(succeeded(match));
  EXPECT_EQ(getCallNumbers(*match), getExpectedNumbers());
  EXPECT_EQ(match->inputs,
            SmallVector<Value>(composite.getBody().getArguments()));
}

TEST_F(MatcherTest, CompositesThatNoLongerMatch) {
  std::string message;
  ScopedDiagnosticHandler keep(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto module = parse(R"mlir(
    func.func @main(%x: tensor<8xf16>) -> tensor<8xf16> {
      %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf16>) -> tensor<8xf16> {
        %1 = uma.graph.relu %a : (tensor<8xf16>) -> tensor<8xf16> loc("act")
        uma.graph.yield %1 : tensor<8xf16>
      }
      %2 = uma.graph.composite @npu::@sigmoid (%a = %0 : tensor<8xf16>) -> tensor<8xf16> {
        %1 = uma.graph.relu %a : (tensor<8xf16>) -> tensor<8xf16>
        uma.graph.yield %1 : tensor<8xf16>
      }
      %3 = uma.graph.composite @npu::@relu (%a = %2 : tensor<8xf16>) -> tensor<8xf16> {
        uma.graph.yield %a : tensor<8xf16>
      }
      return %3 : tensor<8xf16>
    })mlir");
  SmallVector<std::string> messages;
  module->walk([&](graph::CompositeOp composite) {
    message.clear();
    EXPECT_TRUE(failed(matchComposite(composite)));
    messages.push_back(message);
  });
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0],
            "'uma.graph.composite' op has a body that is not what pattern "
            "'relu' matches: relu 'act': x is f16, the pattern wants f32");
  EXPECT_EQ(
      messages[1],
      "'uma.graph.composite' op names the pattern @npu::@sigmoid, but the "
      "module has none of that name; load the description of accelerator "
      "'npu'");
  EXPECT_EQ(messages[2],
            "'uma.graph.composite' op has a body that is no match: "
            "it does not yield the results of operators");
}

} // namespace

//===- InterpretTest.cpp - Tests of running functions ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
class InterpretTest : public test::InterpreterTest {
protected:
  /// Evaluates @main of `text`.
  FailureOr<llvm::SmallVector<HostTensor>>
  run(llvm::StringRef text, llvm::ArrayRef<HostTensor> inputs,
      TraceFn trace = nullptr) {
    module = parse(text);
    EXPECT_TRUE(module) << errors;
    if (!module)
      return failure();
    return interpret(module->lookupSymbol<func::FuncOp>("main"), inputs, trace);
  }

  void expectError(llvm::StringRef text, llvm::ArrayRef<HostTensor> inputs,
                   llvm::StringRef message) {
    errors.clear();
    EXPECT_TRUE(failed(run(text, inputs)));
    EXPECT_NE(errors.find(message), std::string::npos)
        << "expected: " << message.str() << "\nfound: " << errors;
  }

  OwningOpRef<ModuleOp> module;
};

constexpr llvm::StringLiteral kPartitioned = R"mlir(
func.func private @main_npu_0(%x: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = uma.graph.composite @npu::@pair (%a = %x : tensor<2xf32>, %b = %c : tensor<2xf32>)
      -> (tensor<2xf32>, tensor<2xf32>) {
    %1 = uma.graph.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %2 = uma.graph.relu %1 : (tensor<2xf32>) -> tensor<2xf32>
    uma.graph.yield %1, %2 : tensor<2xf32>, tensor<2xf32>
  }
  %3 = uma.graph.subtract %0#1, %0#0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = uma.graph.constant dense<[1.0, -5.0]> : tensor<2xf32>
  %0 = call @main_npu_0(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = call @main_npu_0(%0, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1, %x : tensor<2xf32>, tensor<2xf32>
}
)mlir";
} // namespace

TEST_F(InterpretTest, CallsAndComposites) {
  // x + c = [2, -2], so the first call gives [0, 2]; then [1, -3] and [0, 3].
  auto results = run(kPartitioned, {tensor("2xf32", {1, 3})});
  ASSERT_TRUE(succeeded(results)) << errors;
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ((*results)[0].getDouble(0), 0);
  EXPECT_EQ((*results)[0].getDouble(1), 3);
  EXPECT_EQ((*results)[1].getDouble(1), 3);
}

TEST_F(InterpretTest, TraceSeesEveryResultInOrder) {
  std::string trace;
  auto results = run(kPartitioned, {tensor("2xf32", {1, 3})},
                     [&](Operation *op, llvm::ArrayRef<HostTensor> results) {
                       trace += op->getName().stripDialect().str() + "=";
                       for (const HostTensor &result : results)
                         trace +=
                             std::to_string(int(result.getDouble(1))) + " ";
                     });
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ(trace, "graph.add=-2 graph.relu=0 graph.composite=-2 0 "
                   "graph.subtract=2 call=2 "
                   "graph.add=-3 graph.relu=0 graph.composite=-3 0 "
                   "graph.subtract=3 call=3 ");
}

TEST_F(InterpretTest, WrongInputsAreErrors) {
  expectError(kPartitioned, {}, "takes 1 arguments, got 0");
  expectError(kPartitioned, {tensor("3xf32", {1, 2, 3})},
              "expects argument #0 of type 'tensor<2xf32>', got "
              "'tensor<3xf32>'");
  expectError(kPartitioned, {tensor("2xf16", {1, 2})}, "got 'tensor<2xf16>'");
  expectError(kPartitioned, {HostTensor()}, "got an empty tensor");
}

TEST_F(InterpretTest, WhatItCannotRunIsAnError) {
  HostTensor x = tensor("2xf32", {1, 2});
  expectError(R"mlir(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = arith.addf %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    })mlir",
              {x}, "'arith.addf' op is nothing the interpreter can run");
  expectError("func.func private @main(tensor<2xf32>)", {x},
              "is a declaration");
  expectError(R"mlir(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = call @other(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })mlir",
              {x}, "calls itself");
  expectError("func.func @main(%x: tensor<?xf32>) { return }", {x},
              "the interpreter needs tensors of static shape");
}

TEST_F(InterpretTest, TensorsThatTheHostCannotHoldAreErrors) {
  HostTensor x = tensor("1xf32", {1});
  expectError(R"mlir(
    func.func @main(%x: tensor<1xf32>) -> tensor<1000000001x100x100xf32> {
      %r = uma.graph.reshape %x [1, 1, 1] : (tensor<1xf32>) -> tensor<1x1x1xf32>
      %0 = uma.graph.pad %r before [1000000000, 99, 99] after [0, 0, 0] : (tensor<1x1x1xf32>) -> tensor<1000000001x100x100xf32>
      return %0 : tensor<1000000001x100x100xf32>
    })mlir",
              {x}, "larger than the 4 GiB");
  expectError(R"mlir(
    func.func @main() -> tensor<2xi4> {
      %0 = uma.graph.constant dense<1> : tensor<2xi4>
      return %0 : tensor<2xi4>
    })mlir",
              {}, "has a tensor of 'i4', which the interpreter has no storage");
  expectError(R"mlir(
    func.func @main() -> tensor<2xf32> {
      %0 = uma.graph.constant dense_resource<nowhere> : tensor<2xf32>
      return %0 : tensor<2xf32>
    })mlir",
              {}, "has a value that cannot be read");
}

// A window much larger than the data must not take time proportional to it.
TEST_F(InterpretTest, LargeWindows) {
  auto results = run(R"mlir(
    func.func @main(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x2x1xf32> {
      %0 = uma.graph.avg_pool2d %x size [1000000000000, 1] padding [999999999999, 0, 1, 0] count_include_pad true
          : (tensor<1x1x1x1xf32>) -> tensor<1x1x2x1xf32>
      return %0 : tensor<1x1x2x1xf32>
    })mlir",
                     {tensor("1x1x1x1xf32", {1e12})});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_FLOAT_EQ(results->front().getDouble(0), 1);
}

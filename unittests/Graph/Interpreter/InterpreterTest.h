//===- InterpreterTest.h - Fixture of the interpreter tests -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_UNITTESTS_GRAPH_INTERPRETER_INTERPRETERTEST_H
#define UMA_UNITTESTS_GRAPH_INTERPRETER_INTERPRETERTEST_H

#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/IR/UMADialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace uma::graph::test {

class InterpreterTest : public testing::Test {
protected:
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

  InterpreterTest() {
    context.loadDialect<UMADialect>();
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
    });
  }

  mlir::RankedTensorType type(llvm::StringRef text) {
    return llvm::cast<mlir::RankedTensorType>(
        mlir::parseType(("tensor<" + text + ">").str(), &context));
  }

  /// Returns a tensor with `values` in row-major order.
  HostTensor tensor(llvm::StringRef text, const std::vector<double> &values) {
    HostTensor result(type(text));
    EXPECT_EQ(result.getNumElements(), int64_t(values.size()));
    for (size_t i = 0; i < values.size(); ++i)
      result.setDouble(i, values[i]);
    return result;
  }

  /// Returns a tensor with the values 1, 2, 3, ...
  HostTensor iota(llvm::StringRef text) {
    HostTensor result(type(text));
    for (int64_t i = 0, e = result.getNumElements(); i != e; ++i)
      result.setDouble(i, i + 1);
    return result;
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// Evaluates `uma.graph.<op>` with `attributes`, the text after its operands,
  /// and a result of type tensor<`resultType`>. Errors go to `errors`.
  mlir::FailureOr<HostTensor> tryRun(llvm::StringRef op,
                                     llvm::StringRef attributes,
                                     llvm::ArrayRef<HostTensor> operands,
                                     llvm::StringRef resultType) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "func.func @main(";
    llvm::interleaveComma(llvm::enumerate(operands), os, [&](auto operand) {
      os << "%" << operand.index() << ": " << operand.value().getType();
    });
    os << ") -> tensor<" << resultType << "> {\n%r = uma.graph." << op << " ";
    llvm::interleaveComma(llvm::seq<size_t>(0, operands.size()), os,
                          [&](size_t index) { os << "%" << index; });
    os << " " << attributes << " : (";
    llvm::interleaveComma(operands, os, [&](const HostTensor &operand) {
      os << operand.getType();
    });
    os << ") -> tensor<" << resultType << ">\nreturn %r : tensor<" << resultType
       << ">\n}";
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    EXPECT_TRUE(module) << text << errors;
    if (!module)
      return mlir::failure();
    auto func = module->lookupSymbol<mlir::func::FuncOp>("main");
    mlir::Operation &first = func.getBody().front().front();
    mlir::FailureOr<llvm::SmallVector<HostTensor>> results =
        evaluate(&first, operands);
    if (mlir::failed(results))
      return mlir::failure();
    EXPECT_EQ(results->size(), 1u);
    EXPECT_EQ(results->front().getType(), type(resultType));
    return results->front();
  }

  /// Evaluates with `tryRun` and expects `expected`, bit-exact unless
  /// `tolerance` is given.
  void expect(llvm::StringRef op, llvm::StringRef attributes,
              llvm::ArrayRef<HostTensor> operands, llvm::StringRef resultType,
              const std::vector<double> &expected, double tolerance = 0) {
    mlir::FailureOr<HostTensor> result =
        tryRun(op, attributes, operands, resultType);
    ASSERT_TRUE(mlir::succeeded(result)) << errors;
    ASSERT_EQ(result->getNumElements(), int64_t(expected.size()));
    for (size_t i = 0; i < expected.size(); ++i) {
      double value = result->getDouble(i);
      if (std::isnan(expected[i]))
        EXPECT_TRUE(std::isnan(value)) << "element " << i << " is " << value;
      else if (tolerance == 0)
        EXPECT_EQ(value, expected[i]) << "element " << i;
      else
        EXPECT_NEAR(value, expected[i], tolerance) << "element " << i;
    }
  }

  mlir::MLIRContext context;
  std::string errors;
};

} // namespace uma::graph::test

#endif // UMA_UNITTESTS_GRAPH_INTERPRETER_INTERPRETERTEST_H

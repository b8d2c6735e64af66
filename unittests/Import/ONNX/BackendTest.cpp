//===- BackendTest.cpp - ONNX's own tests of its operators ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// ONNX ships a model with inputs and expected outputs for each behaviour of
// each operator. If the importer supports a model, the reference interpreter
// must compute these outputs; otherwise it must be rejected as not supported.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/Import/ONNX/ImportONNX.h"
#include "uma/Import/ONNX/TensorProto.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cmath>
#include <set>

using namespace mlir;
using namespace uma;

namespace {
/// A folder of the test data.
class BackendCase {
public:
  explicit BackendCase(std::string folder) : folder(std::move(folder)) {}

  bool load() {
    auto file = llvm::MemoryBuffer::getFile(folder + "/model.onnx");
    return file && model.ParseFromArray((*file)->getBufferStart(),
                                        (*file)->getBufferSize());
  }

  /// Replaces the inputs after the first, which may be shapes or axes, by
  /// constants with the values of the test.
  void bindInputs() {
    auto &graph = *model.mutable_graph();
    for (int index = 1; index < graph.input_size(); ++index) {
      auto file = llvm::MemoryBuffer::getFile(getFile("input", index));
      ASSERT_TRUE(bool(file));
      auto &tensor = *graph.add_initializer();
      ASSERT_TRUE(tensor.ParseFromArray((*file)->getBufferStart(),
                                        (*file)->getBufferSize()));
      tensor.set_name(graph.input(index).name());
    }
    boundInputs = true;
  }

  ImportStatus import(MLIRContext &context, OwningOpRef<ModuleOp> &module) {
    std::string bytes = model.SerializeAsString();
    return importONNX(llvm::MemoryBufferRef(bytes, folder + "/model.onnx"),
                      &context, {}, module);
  }

  /// Interprets the module and compares.
  void check(ModuleOp module) {
    auto main = module.lookupSymbol<func::FuncOp>("main");
    SmallVector<HostTensor> inputs;
    for (auto [index, argument] : llvm::enumerate(main.getArguments())) {
      // Some unused inputs have files of another shape.
      auto type = cast<RankedTensorType>(argument.getType());
      inputs.push_back(argument.use_empty() ? HostTensor(type)
                                            : read("input", index, type));
    }
    auto results = graph::interpret(main, inputs);
    ASSERT_TRUE(succeeded(results)) << folder;
    for (auto [index, result] : llvm::enumerate(*results))
      compare(result, read("output", index, result.getType()));
  }

private:
  std::string getFile(llvm::StringRef kind, int index) const {
    return folder + "/test_data_set_0/" + kind.str() + "_" +
           std::to_string(index) + ".pb";
  }

  /// Reads the tensor of a file, which should have the type `type`.
  HostTensor read(llvm::StringRef kind, int index, RankedTensorType type) {
    auto file = readTensorProtoFile(getFile(kind, index), type.getContext());
    if (!file) {
      ADD_FAILURE() << llvm::toString(file.takeError());
      return HostTensor(type);
    }
    // NumPy has no bfloat16: the test data hold its bits.
    if (type.getElementType().isBF16() &&
        file->tensor.getElementType().isUnsignedInteger(16))
      return HostTensor(type, file->tensor.getBytes());
    return file->tensor;
  }

  void compare(const HostTensor &found, const HostTensor &expected) {
    ASSERT_TRUE(found.getType() == expected.getType()) << folder;
    // The tolerances of ONNX's own runner; its bfloat16 numbers were truncated.
    double tolerance = found.getElementType().isBF16() ? 0x1p-7 : 1e-3;
    for (int64_t i = 0; i < found.getNumElements(); ++i) {
      double a = found.getDouble(i), b = expected.getDouble(i);
      bool isSame = a == b || (std::isnan(a) && std::isnan(b)) ||
                    std::fabs(a - b) <= 1e-7 + tolerance * std::fabs(b);
      ASSERT_TRUE(isSame) << folder << ": element " << i << " is " << a
                          << ", expected " << b;
    }
  }

  std::string folder;
  onnx::ModelProto model;
  bool boundInputs = false;
};

class BackendTest : public testing::Test {
protected:
  /// Runs every case below a folder. Returns the number of imported cases.
  unsigned runAll(const std::string &group) {
    std::string root = std::string(UMA_ONNX_TESTDATA) + "/" + group;
    std::error_code error;
    std::set<std::string> folders;
    for (llvm::sys::fs::directory_iterator it(root, error), end;
         it != end && !error; it.increment(error))
      folders.insert(it->path());
    unsigned imported = 0;
    for (const std::string &folder : folders)
      imported += run(folder);
    return imported;
  }

  bool run(const std::string &folder) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    std::string message;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
    BackendCase test(folder);
    OwningOpRef<ModuleOp> module;
    if (!test.load())
      return false;
    ImportStatus status = test.import(context, module);
    if (llvm::StringRef(message).contains("only constants are supported")) {
      test.bindInputs();
      status = test.import(context, module);
    }
    // Two cases require an empty input, which counts as an open size.
    EXPECT_TRUE(status != ImportStatus::BadInput ||
                llvm::StringRef(message).contains("is not known"))
        << folder << ": " << message;
    if (status != ImportStatus::Success)
      return false;
    test.check(*module);
    return true;
  }
};
} // namespace

// Lower bounds on the number of supported cases: all that need no other
// operators and use only supported features.

TEST_F(BackendTest, Nodes) {
  if (llvm::StringRef(UMA_ONNX_TESTDATA).ends_with("NOTFOUND"))
    GTEST_SKIP() << "libonnx-testdata is not installed";
  EXPECT_GE(runAll("node"), 148u);
}

TEST_F(BackendTest, ConvertedFromPyTorch) {
  if (llvm::StringRef(UMA_ONNX_TESTDATA).ends_with("NOTFOUND"))
    GTEST_SKIP() << "libonnx-testdata is not installed";
  EXPECT_GE(runAll("pytorch-converted") + runAll("pytorch-operator"), 45u);
}

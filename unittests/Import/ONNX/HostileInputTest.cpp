//===- HostileInputTest.cpp - Damaged models never crash ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/ONNX/ImportONNX.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <random>

using namespace mlir;
using namespace uma;

namespace {
class HostileInputTest : public testing::Test {
protected:
  HostileInputTest() : context(MLIRContext::Threading::DISABLED) {
    auto &opset = *model.add_opset_import();
    model.set_ir_version(8);
    opset.set_version(13);
    addValue(*model.mutable_graph()->add_input(), "x", {1, 2, 4, 4});
    addValue(*model.mutable_graph()->add_output(), "y", {1, 3});
    addWeights("w", {3, 2, 3, 3});
    addWeights("b", {3});
    addWeights("v", {12, 3});
    auto &shape = *model.mutable_graph()->add_initializer();
    shape.set_name("shape");
    shape.set_data_type(onnx::TensorProto::INT64);
    shape.add_dims(2);
    shape.add_int64_data(0);
    shape.add_int64_data(-1);
    auto &conv = addNode("Conv", {"x", "w", "b"}, "a");
    addInts(conv, "pads", {1, 1, 1, 1});
    addInts(conv, "strides", {2, 2});
    addNode("Relu", {"a"}, "r");
    addNode("Reshape", {"r", "shape"}, "f");
    addNode("Gemm", {"f", "v", "b"}, "g");
    addNode("Softmax", {"g"}, "y");
  }

  /// Imports `bytes`. Always gives a module that verifies or an error of one
  /// line.
  ImportStatus importBytes(llvm::StringRef bytes) {
    unsigned errors = 0;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        ++errors;
      EXPECT_FALSE(llvm::StringRef(diagnostic.str()).contains('\n'));
    });
    OwningOpRef<ModuleOp> module;
    ImportStatus status = importONNX(llvm::MemoryBufferRef(bytes, "m.onnx"),
                                     &context, {}, module);
    bool isSuccess = status == ImportStatus::Success;
    EXPECT_EQ(errors, isSuccess ? 0u : 1u);
    EXPECT_EQ(bool(module), isSuccess);
    EXPECT_TRUE(!module || succeeded(verify(*module)));
    return status;
  }

  onnx::NodeProto &addNode(const char *opType,
                           std::initializer_list<const char *> inputs,
                           const char *output) {
    auto &node = *model.mutable_graph()->add_node();
    node.set_op_type(opType);
    node.set_name(std::string("node_") + output);
    for (const char *input : inputs)
      node.add_input(input);
    node.add_output(output);
    return node;
  }
  static void addInts(onnx::NodeProto &node, const char *name,
                      std::initializer_list<int64_t> values) {
    auto &attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    for (int64_t value : values)
      attribute.add_ints(value);
  }
  static void addValue(onnx::ValueInfoProto &value, const char *name,
                       std::initializer_list<int64_t> shape) {
    value.set_name(name);
    auto &type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    for (int64_t size : shape)
      type.mutable_shape()->add_dim()->set_dim_value(size);
  }
  void addWeights(const char *name, std::initializer_list<int64_t> shape) {
    auto &tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    int64_t count = 1;
    for (int64_t size : shape) {
      tensor.add_dims(size);
      count *= size;
    }
    tensor.set_raw_data(std::string(count * 4, '\1'));
  }

  onnx::ModelProto model;
  MLIRContext context;
};
} // namespace

TEST_F(HostileInputTest, TheModelItselfIsRight) {
  EXPECT_EQ(importBytes(model.SerializeAsString()), ImportStatus::Success);
}

TEST_F(HostileInputTest, Truncated) {
  std::string bytes = model.SerializeAsString();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(importBytes(llvm::StringRef(bytes).take_front(size)),
              ImportStatus::Success)
        << "at " << size;
}

TEST_F(HostileInputTest, EveryBitFlipped) {
  std::string bytes = model.SerializeAsString();
  // Weights may have any value: the elements of one tensor are enough.
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    if (bytes[bit / 8] == '\1' && bit % 8 > 0)
      continue;
    std::string damaged = bytes;
    damaged[bit / 8] ^= char(1 << bit % 8);
    importBytes(damaged);
  }
}

TEST_F(HostileInputTest, RandomBytesOverwritten) {
  std::string bytes = model.SerializeAsString();
  std::mt19937 random(1); // the same on every platform
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = bytes;
    for (unsigned count = 1 + random() % 8; count > 0; --count)
      damaged[random() % damaged.size()] = char(random());
    importBytes(damaged);
  }
}

TEST_F(HostileInputTest, HugeSizes) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  for (int64_t size : {kLargest, kLargest / 2, int64_t(1) << 31, int64_t(0),
                       int64_t(-1), std::numeric_limits<int64_t>::min()})
    for (int dim = 0; dim < 4; ++dim) {
      onnx::ModelProto copy = model;
      copy.mutable_graph()
          ->mutable_input(0)
          ->mutable_type()
          ->mutable_tensor_type()
          ->mutable_shape()
          ->mutable_dim(dim)
          ->set_dim_value(size);
      EXPECT_NE(importBytes(copy.SerializeAsString()), ImportStatus::Success);
      copy = model;
      copy.mutable_graph()->mutable_initializer(0)->set_dims(dim, size);
      EXPECT_NE(importBytes(copy.SerializeAsString()), ImportStatus::Success);
      copy = model;
      copy.mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_ints(
          dim, size);
      // No padding on one side is valid.
      ImportStatus status = importBytes(copy.SerializeAsString());
      EXPECT_TRUE(size == 0 || status != ImportStatus::Success);
      copy = model;
      copy.mutable_graph()->mutable_initializer(3)->set_int64_data(dim % 2,
                                                                   size);
      importBytes(copy.SerializeAsString());
    }
}

TEST_F(HostileInputTest, NamesWithControlCharacters) {
  model.mutable_graph()->mutable_node(1)->set_op_type("Re\nlu\x1b[2J");
  EXPECT_EQ(importBytes(model.SerializeAsString()), ImportStatus::NotSupported);
}

/// Every model of ONNX's operator tests, with one part made invalid: an
/// attribute of another kind, an input of another element type, a missing
/// operand. Importers of operators must not rely on any of these.
TEST_F(HostileInputTest, OperatorsWithOnePartWrong) {
  unsigned models = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           folder(UMA_ONNX_TESTDATA "/node", error),
       end;
       !error && folder != end; folder.increment(error)) {
    auto file = llvm::MemoryBuffer::getFile(folder->path() + "/model.onnx");
    if (!file || !model.ParseFromArray((*file)->getBufferStart(),
                                       (*file)->getBufferSize()))
      continue;
    ++models;
    SCOPED_TRACE(folder->path());
    onnx::ModelProto whole = model;
    for (int n = 0; n < whole.graph().node_size(); ++n) {
      const onnx::NodeProto &node = whole.graph().node(n);
      auto change = [&](llvm::function_ref<void(onnx::NodeProto &)> fn) {
        model = whole;
        fn(*model.mutable_graph()->mutable_node(n));
        importBytes(model.SerializeAsString());
      };
      for (int i = 0; i < node.attribute_size(); ++i)
        change([&](onnx::NodeProto &copy) {
          copy.mutable_attribute(i)->set_type(onnx::AttributeProto::GRAPH);
        });
      for (int i = 0; i < node.input_size(); ++i)
        change([&](onnx::NodeProto &copy) { copy.set_input(i, ""); });
    }
    for (int i = 0; i < whole.graph().input_size(); ++i)
      for (auto type : {onnx::TensorProto::BOOL, onnx::TensorProto::INT64,
                        onnx::TensorProto::FLOAT16}) {
        model = whole;
        auto &input = *model.mutable_graph()->mutable_input(i);
        input.mutable_type()->mutable_tensor_type()->set_elem_type(type);
        importBytes(model.SerializeAsString());
      }
  }
  if (models == 0)
    GTEST_SKIP() << "Debian's libonnx-testdata is not installed";
}

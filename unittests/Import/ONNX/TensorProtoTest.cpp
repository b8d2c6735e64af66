//===- TensorProtoTest.cpp - Tests of reading tensor files ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/ONNX/TensorProto.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace uma;
using onnx::TensorProto;

namespace {
class TensorProtoTest : public testing::Test {
protected:
  TensorProtoTest() {
    SmallString<64> path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tensor", "pb", path));
    file = path.str().str();
  }
  ~TensorProtoTest() override { (void)llvm::sys::fs::remove(file); }

  void write(llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << bytes;
  }
  llvm::Expected<NamedTensor> read() {
    return readTensorProtoFile(file, &context);
  }
  /// Reads `tensor` back. Returns its elements as doubles.
  std::vector<double> roundTrip() {
    write(tensor.SerializeAsString());
    auto result = read();
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return {};
    }
    EXPECT_EQ(result->name, tensor.name());
    std::vector<double> elements;
    for (int64_t i = 0; i < result->tensor.getNumElements(); ++i)
      elements.push_back(result->tensor.getDouble(i));
    return elements;
  }
  /// Returns the error of reading `tensor`, without the path.
  std::string getError() {
    write(tensor.SerializeAsString());
    auto result = read();
    std::string message =
        result ? "no error" : llvm::toString(result.takeError());
    llvm::StringRef text = message;
    text.consume_front(file + ": ");
    return text.str();
  }
  void setType(int type, std::initializer_list<int64_t> shape) {
    tensor.set_data_type(type);
    tensor.clear_dims();
    for (int64_t size : shape)
      tensor.add_dims(size);
  }

  MLIRContext context;
  std::string file;
  TensorProto tensor;
};
} // namespace

TEST_F(TensorProtoTest, TypedFields) {
  tensor.set_name("t");
  setType(TensorProto::FLOAT, {2});
  tensor.add_float_data(1.5f);
  tensor.add_float_data(-2.f);
  EXPECT_EQ(roundTrip(), (std::vector<double>{1.5, -2}));

  tensor.Clear();
  setType(TensorProto::INT8, {3});
  for (int value : {-128, 0, 127})
    tensor.add_int32_data(value);
  EXPECT_EQ(roundTrip(), (std::vector<double>{-128, 0, 127}));

  tensor.set_data_type(TensorProto::UINT8);
  EXPECT_EQ(getError(),
            "tensor '' has the element -128, which does not fit its type");

  tensor.Clear();
  setType(TensorProto::FLOAT16, {1});
  tensor.add_int32_data(0x3e00);
  EXPECT_EQ(roundTrip(), (std::vector<double>{1.5}));

  tensor.Clear();
  setType(TensorProto::UINT64, {1});
  tensor.add_uint64_data(1);
  EXPECT_EQ(roundTrip(), (std::vector<double>{1}));
}

TEST_F(TensorProtoTest, RawData) {
  setType(TensorProto::BFLOAT16, {1});
  tensor.set_raw_data(std::string("\xc0\x3f", 2));
  EXPECT_EQ(roundTrip(), (std::vector<double>{1.5}));

  setType(TensorProto::BOOL, {2});
  tensor.set_raw_data(std::string("\x00\x07", 2));
  EXPECT_EQ(roundTrip(), (std::vector<double>{0, 1}));

  setType(TensorProto::FLOAT, {2, 0});
  tensor.set_raw_data("");
  EXPECT_EQ(roundTrip(), std::vector<double>());
}

TEST_F(TensorProtoTest, ExternalData) {
  setType(TensorProto::FLOAT, {2});
  tensor.set_data_location(TensorProto::EXTERNAL);
  auto set = [&](const char *key, const std::string &value) {
    auto &entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  std::string name = llvm::sys::path::filename(file).str() + ".data";
  llvm::FileRemover remover(file + ".data");
  {
    std::error_code error;
    llvm::raw_fd_ostream os(file + ".data", error);
    float values[] = {7, 1.5, -2};
    os.write(reinterpret_cast<const char *>(values), sizeof(values));
  }
  set("location", name);
  set("offset", "4");
  set("length", "8");
  EXPECT_EQ(roundTrip(), (std::vector<double>{1.5, -2}));

  setType(TensorProto::FLOAT, {3});
  tensor.mutable_external_data()->RemoveLast();
  EXPECT_EQ(getError(), "tensor '' needs 12 bytes from offset 4 of its file '" +
                            name + "', which has only 12");
  tensor.mutable_external_data(1)->set_value("-4");
  EXPECT_EQ(getError(),
            "tensor '' has the external data offset '-4'; expected a number");
  tensor.mutable_external_data()->RemoveLast();
  EXPECT_EQ(roundTrip(), (std::vector<double>{7, 1.5, -2}));
  for (const char *path : {"../secret", "/etc/passwd", "a/../../b"}) {
    tensor.mutable_external_data(0)->set_value(path);
    EXPECT_EQ(getError(), std::string("tensor '' is stored in the file '") +
                              path +
                              "'; expected a path below the model's folder, "
                              "without '..'");
  }
  tensor.mutable_external_data(0)->set_value("missing");
  EXPECT_EQ(getError(), "tensor '': its file 'missing' cannot be read: No such "
                        "file or directory");
  tensor.mutable_external_data(0)->set_value(".");
  EXPECT_EQ(getError(), "tensor '': its file '.' is no regular file");
}

TEST_F(TensorProtoTest, Errors) {
  tensor.set_name("t");
  EXPECT_EQ(getError(), "tensor 't' has no element type");
  setType(TensorProto::FLOAT, {2, 2});
  EXPECT_EQ(getError(), "tensor 't' of the shape 2x2 needs 4 elements of data, "
                        "but the file has 0");
  tensor.set_raw_data("12345");
  EXPECT_EQ(getError(), "tensor 't' of the shape 2x2 needs 16 bytes of data, "
                        "but the file has 5");
  tensor.add_float_data(1);
  EXPECT_EQ(getError(),
            "tensor 't' is stored twice, as raw data and as 1 elements");
  setType(TensorProto::FLOAT, {-1});
  EXPECT_EQ(getError(), "tensor 't' has the negative size -1 in dimension 0");
  setType(TensorProto::FLOAT, {int64_t(1) << 40, int64_t(1) << 40});
  EXPECT_EQ(getError(), "tensor 't' has the shape 1099511627776x1099511627776, "
                        "more than the supported 2 GiB");
  setType(TensorProto::COMPLEX64, {1});
  EXPECT_EQ(getError(),
            "tensor 't' has the element type complex64, which is not "
            "supported; supported are bool, integers and floats");
  tensor.clear_raw_data();
  write("no protobuf");
  auto result = read();
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            file + ": is no ONNX tensor: it is no protobuf of one, or it is "
                   "damaged");
}

//===- Support.cpp - Common utilities of the ONNX importer ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Support.h"

#include "uma/Support/HostTensor.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FileSystem.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <limits>
#include <system_error>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::string importer::getONNXTypeName(int32_t onnxType) {
  static constexpr llvm::StringLiteral names[] = {
      "undefined",      "float",      "uint8",
      "int8",           "uint16",     "int16",
      "int32",          "int64",      "string",
      "bool",           "float16",    "double",
      "uint32",         "uint64",     "complex64",
      "complex128",     "bfloat16",   "float8e4m3fn",
      "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",          "int4",       "float4e2m1",
      "float8e8m0",     "uint2",      "int2"};
  if (onnxType >= 0 && size_t(onnxType) < std::size(names))
    return names[onnxType].str();
  return "number " + std::to_string(onnxType);
}

std::string importer::getONNXTypeName(Type float8) {
  std::string text;
  llvm::raw_string_ostream(text) << float8; // e.g. f8E4M3FN
  return "float" + StringRef(text).drop_front().lower();
}

unsigned importer::getNarrowBits(int32_t onnxType) {
  switch (onnxType) {
  case kUint4:
  case kInt4:
  case kFloat4E2M1:
    return 4;
  case kUint2:
  case kInt2:
    return 2;
  default:
    return 0;
  }
}

bool importer::isONNXFloat8(int32_t onnxType) {
  return onnxType >= kFloat8E4M3FN && onnxType <= kFloat8E5M2FNUZ;
}

FailureOr<Type> importer::getElementType(MLIRContext *context,
                                         ImportErrors &errors,
                                         const Twine &what, int32_t onnxType) {
  auto integer = [&](unsigned width, bool isUnsigned = false) -> Type {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned
                                       : IntegerType::Signless);
  };
  switch (onnxType) {
  case onnx::TensorProto::FLOAT:
    return Type(Float32Type::get(context));
  case onnx::TensorProto::DOUBLE:
    return Type(Float64Type::get(context));
  case onnx::TensorProto::FLOAT16:
    return Type(Float16Type::get(context));
  case onnx::TensorProto::BFLOAT16:
    return Type(BFloat16Type::get(context));
  case kFloat8E4M3FN:
    return Type(Float8E4M3FNType::get(context));
  case kFloat8E4M3FNUZ:
    return Type(Float8E4M3FNUZType::get(context));
  case kFloat8E5M2:
    return Type(Float8E5M2Type::get(context));
  case kFloat8E5M2FNUZ:
    return Type(Float8E5M2FNUZType::get(context));
  case onnx::TensorProto::BOOL:
    return integer(1);
  case onnx::TensorProto::INT8:
  case kInt4:
  case kInt2:
    return integer(8);
  case onnx::TensorProto::INT16:
    return integer(16);
  case onnx::TensorProto::INT32:
    return integer(32);
  case onnx::TensorProto::INT64:
    return integer(64);
  case onnx::TensorProto::UINT8:
  case kUint4:
  case kUint2:
  case kFloat4E2M1:
  case kFloat8E8M0:
    return integer(8, true);
  case onnx::TensorProto::UINT16:
    return integer(16, true);
  case onnx::TensorProto::UINT32:
    return integer(32, true);
  case onnx::TensorProto::UINT64:
    return integer(64, true);
  case onnx::TensorProto::UNDEFINED:
    return errors.badInput(what + " has no element type");
  default:
    return errors.notSupported(
        what + " has the element type " + getONNXTypeName(onnxType) +
        ", which is not supported; supported are bool, integers and floats");
  }
}

FailureOr<RankedTensorType>
importer::getTensorType(MLIRContext *context, ImportErrors &errors,
                        const Twine &what, int32_t onnxType,
                        ArrayRef<int64_t> shape, bool allowEmpty) {
  FailureOr<Type> elementType = getElementType(context, errors, what, onnxType);
  if (failed(elementType) ||
      failed(checkTensorSize(errors, what, shape,
                             HostTensor::getElementSize(*elementType),
                             allowEmpty)))
    return failure();
  return RankedTensorType::get(shape, *elementType);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Parses a message. A graph in an attribute is three messages deep.
static bool parse(google::protobuf::Message &message,
                  google::protobuf::io::ZeroCopyInputStream &stream) {
  google::protobuf::LogSilencer silencer;
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetRecursionLimit(3 * int(kMaxDepth) + 10);
  return message.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

bool importer::parseProtobuf(google::protobuf::Message &message,
                             StringRef bytes) {
  if (bytes.size() > size_t(std::numeric_limits<int>::max()))
    return false;
  google::protobuf::io::ArrayInputStream stream(bytes.data(),
                                                int(bytes.size()));
  return parse(message, stream);
}

LogicalResult importer::checkModelSize(ImportErrors &errors, uint64_t size) {
  if (size == 0)
    return errors.badInput("is empty");
  if (size > uint64_t(std::numeric_limits<int>::max()))
    return errors.badInput("is larger than 2 GiB, the limit of protobuf; save "
                           "the model with external data");
  return success();
}

FailureOr<bool> importer::parseModelFile(ImportErrors &errors,
                                         onnx::ModelProto &model,
                                         StringRef path) {
  namespace fs = llvm::sys::fs;
  auto unreadable = [&](const std::string &reason) {
    return errors.badInput("cannot be read: " + reason);
  };
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return unreadable(llvm::toString(file.takeError()));
  google::protobuf::io::FileInputStream stream(*file);
  stream.SetCloseOnDelete(true);
  fs::file_status status;
  if (std::error_code error = fs::status(*file, status))
    return unreadable(error.message());
  // Other files, such as pipes, have no size before they are read.
  if (fs::is_regular_file(status) &&
      failed(checkModelSize(errors, status.getSize())))
    return failure();
  bool isParsed = parse(model, stream);
  if (int error = stream.GetErrno())
    return unreadable(
        std::error_code(error, std::generic_category()).message());
  return isParsed;
}

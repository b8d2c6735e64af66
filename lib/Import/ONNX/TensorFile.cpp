//===- TensorFile.cpp - Reads tensors from files --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/ONNX/TensorFile.h"

#include "uma/Import/ONNX/TensorProto.h"
#include "uma/Support/Float8.h"
#include "uma/Support/Npy.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Returns whether a file's element type matches an MLIR type. Files do not
/// distinguish signless integers. NumPy has neither bfloat16 nor floats of 8
/// bits; the test data of ONNX store their bits as uint16 and uint8.
static bool isSameElement(Type lhs, Type rhs) {
  if ((lhs.isUnsignedInteger(16) && rhs.isBF16()) ||
      (lhs.isUnsignedInteger(8) && isFloat8(rhs)))
    return true;
  auto lhsInt = dyn_cast<IntegerType>(lhs), rhsInt = dyn_cast<IntegerType>(rhs);
  if (lhsInt && rhsInt)
    return lhsInt.getWidth() == rhsInt.getWidth() &&
           lhsInt.isUnsigned() == rhsInt.isUnsigned();
  return lhs == rhs;
}

llvm::Expected<std::optional<HostTensor>>
uma::readTypedTensor(StringRef path, MLIRContext *context) {
  StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".npy") {
    auto tensor = readNpy(path, context);
    if (!tensor)
      return tensor.takeError();
    return std::optional<HostTensor>(*tensor);
  }
  if (extension == ".pb") {
    auto read = readTensorProtoFile(path, context);
    if (!read)
      return read.takeError();
    return std::optional<HostTensor>(read->tensor);
  }
  return std::nullopt;
}

llvm::Expected<HostTensor> uma::readTensor(StringRef path,
                                           RankedTensorType type) {
  auto tensor = readTypedTensor(path, type.getContext());
  if (!tensor)
    return tensor.takeError();
  if (!*tensor) {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return llvm::createStringError(path + ": " + buffer.getError().message());
    StringRef bytes = (*buffer)->getBuffer();
    if (int64_t(bytes.size()) != HostTensor::getByteSize(type))
      return llvm::createStringError(
          path + ": has " + Twine(bytes.size()) + " bytes, expected " +
          Twine(HostTensor::getByteSize(type)) + " (" + toString(type) + ")");
    return HostTensor(type, ArrayRef<char>(bytes.data(), bytes.size()));
  }
  RankedTensorType found = (*tensor)->getType();
  if (!isSameElement(found.getElementType(), type.getElementType()) ||
      found.getShape() != type.getShape())
    return llvm::createStringError(path + ": holds " + toString(found) +
                                   ", expected " + toString(type));
  return HostTensor(type, (*tensor)->getBytes());
}

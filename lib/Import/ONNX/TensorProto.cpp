//===- TensorProto.cpp - Reads ONNX tensor files --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/ONNX/TensorProto.h"

#include "Tensors.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static FailureOr<NamedTensor>
readNamedTensor(StringRef path, MLIRContext *context, ImportErrors &errors) {
  auto file = readFile(errors, path);
  if (failed(file))
    return failure();
  onnx::TensorProto tensor;
  if ((*file)->getBufferSize() == 0 ||
      !parseProtobuf(tensor, (*file)->getBuffer()))
    return errors.badInput("is no ONNX tensor: it is no protobuf of one, or it "
                           "is damaged");
  TensorReader reader(context, errors, path);
  std::string what = "tensor " + quote(tensor.name());
  FailureOr<HostTensor> elements = reader.read(what, tensor);
  if (failed(elements))
    return failure();
  return NamedTensor{tensor.name(), *elements};
}

llvm::Expected<NamedTensor> uma::readTensorProtoFile(StringRef path,
                                                     MLIRContext *context) {
  ImportErrors errors;
  FailureOr<NamedTensor> result = readNamedTensor(path, context, errors);
  if (succeeded(result))
    return *result;
  return llvm::createStringError(path + ": " + errors.getMessage());
}

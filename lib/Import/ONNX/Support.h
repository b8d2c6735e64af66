//===- Support.h - Common utilities of the ONNX importer -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_SUPPORT_H
#define UMA_LIB_IMPORT_ONNX_SUPPORT_H

#include "uma/Import/ONNX/ImportONNX.h"
#include "uma/Import/Support/ImportErrors.h"

// Macros that libonnx's classes were generated with.
#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
#include <onnx/onnx_pb.h>

namespace uma::importer {

/// Maximum nesting of graphs and functions, which are parsed and imported
/// recursively.
inline constexpr int64_t kMaxDepth = 2000;

/// Returns the type of a tensor. Reports element types and sizes that cannot be
/// imported; the message starts with `what`. Accepts sizes of 0 if
/// `allowEmpty`.
mlir::FailureOr<mlir::RankedTensorType>
getTensorType(mlir::MLIRContext *context, ImportErrors &errors,
              const llvm::Twine &what, int32_t onnxType,
              llvm::ArrayRef<int64_t> shape, bool allowEmpty = false);

/// Returns the MLIR type of an onnx::TensorProto::DataType. Reports types
/// without one.
/// int4, int2 and their unsigned forms have a byte for each element.
mlir::FailureOr<mlir::Type> getElementType(mlir::MLIRContext *context,
                                           ImportErrors &errors,
                                           const llvm::Twine &what,
                                           int32_t onnxType);

/// Returns the number of bits of an element of int4, int2 or their unsigned
/// forms, 0 for other types.
unsigned getNarrowBits(int32_t onnxType);

/// Returns whether a type is one of ONNX's floats of 8 bits with a sign.
bool isONNXFloat8(int32_t onnxType);

/// Returns ONNX's name of an element type, including types newer than libonnx
/// 1.12.
std::string getONNXTypeName(int32_t onnxType);

/// Returns the same for the MLIR type of a float of 8 bits.
std::string getONNXTypeName(mlir::Type float8);

/// Parses a serialised message without printing libprotobuf's own errors to
/// stderr. Returns false if the bytes are no such message.
bool parseProtobuf(google::protobuf::Message &message, llvm::StringRef bytes);

/// Reports an empty model, or one that is too large for protobuf.
mlir::LogicalResult checkModelSize(ImportErrors &errors, uint64_t size);

/// Parses a model without a copy of the file in memory. Returns false if it is
/// no model. Reports files that cannot be read.
mlir::FailureOr<bool> parseModelFile(ImportErrors &errors,
                                     onnx::ModelProto &model,
                                     llvm::StringRef path);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_SUPPORT_H

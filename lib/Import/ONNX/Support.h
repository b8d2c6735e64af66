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
/// without one. Narrow types have a byte for each element.
mlir::FailureOr<mlir::Type> getElementType(mlir::MLIRContext *context,
                                           ImportErrors &errors,
                                           const llvm::Twine &what,
                                           int32_t onnxType);

/// Element types of TensorProto that are newer than the library.
enum NewerType : int32_t {
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26
};

/// Returns the number of bits of an element of a type whose elements are packed
/// into bytes, 0 for other types.
unsigned getNarrowBits(int32_t onnxType);

/// Returns whether a type is int4, int2 or an unsigned form of these.
inline bool isNarrowInteger(int32_t onnxType) {
  return getNarrowBits(onnxType) != 0 && onnxType != kFloat4E2M1;
}

/// Returns whether a type has no MLIR type of its own (see NarrowTypes.h).
inline bool isNarrow(int32_t onnxType) {
  return getNarrowBits(onnxType) != 0 || onnxType == kFloat8E8M0;
}

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

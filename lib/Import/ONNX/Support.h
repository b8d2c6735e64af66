//===- Support.h - Common utilities of the ONNX importer -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_SUPPORT_H
#define UMA_LIB_IMPORT_ONNX_SUPPORT_H

#include "uma/Import/ONNX/ImportONNX.h"

// Macros that libonnx's classes were generated with.
#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
#include <onnx/onnx_pb.h>

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Twine.h"

namespace uma::importer {

/// Collects the error of an import. Keeps only the first one: later errors
/// usually follow from it.
class ImportErrors {
public:
  mlir::LogicalResult badInput(const llvm::Twine &message) {
    return report(ImportStatus::BadInput, message);
  }
  mlir::LogicalResult notSupported(const llvm::Twine &message) {
    return report(ImportStatus::NotSupported, message);
  }
  ImportStatus getStatus() const { return status; }
  bool hasError() const { return status != ImportStatus::Success; }
  /// Returns the error as one line.
  llvm::StringRef getMessage() const { return message; }

private:
  mlir::LogicalResult report(ImportStatus kind, const llvm::Twine &text);

  ImportStatus status = ImportStatus::Success;
  std::string message;
};

/// Returns a name from a file in quotes for messages, with control characters
/// escaped, and truncated if it is very long.
std::string quote(llvm::StringRef name);

/// Formats a shape as `1x3x32x32`, or `a scalar` for no dimensions.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Maximum size of a tensor in bytes: the offsets in the emitted C must fit a
/// signed 32-bit integer, and sums of sizes must not overflow.
inline constexpr int64_t kMaxTensorBytes = (int64_t(1) << 31) - 1;

/// Maximum rank of a tensor: code that walks dimensions may recurse.
inline constexpr int64_t kMaxRank = 32;

/// Returns the type of a tensor. Reports element types and sizes that cannot be
/// imported; the message starts with `what`. Accepts sizes of 0 if
/// `allowEmpty`.
mlir::FailureOr<mlir::RankedTensorType>
getTensorType(mlir::MLIRContext *context, ImportErrors &errors,
              const llvm::Twine &what, int32_t onnxType,
              llvm::ArrayRef<int64_t> shape, bool allowEmpty = false);

/// Reports ranks and sizes beyond the limits above.
mlir::LogicalResult checkTensorSize(ImportErrors &errors,
                                    const llvm::Twine &what,
                                    llvm::ArrayRef<int64_t> shape,
                                    int64_t elementBytes,
                                    bool allowEmpty = false);

/// Returns the MLIR type of an onnx::TensorProto::DataType. Reports types
/// without one.
mlir::FailureOr<mlir::Type> getElementType(mlir::MLIRContext *context,
                                           ImportErrors &errors,
                                           const llvm::Twine &what,
                                           int32_t onnxType);

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

/// Reads a file into memory. The message of a failure does not name the path.
mlir::FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
readFile(ImportErrors &errors, llvm::StringRef path);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_SUPPORT_H

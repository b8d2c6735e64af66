//===- Support.h - What every part of the ONNX importer uses -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_SUPPORT_H
#define UMA_LIB_IMPORT_ONNX_SUPPORT_H

#include "uma/Import/ONNX/ImportONNX.h"

// The macros with which libonnx's classes were generated.
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

/// Collects the error of an import. Only the first one counts: what follows it
/// is usually its consequence.
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

/// Returns a name from a file in quotes for messages: control characters
/// escaped, cut when it is very long.
std::string quote(llvm::StringRef name);

/// `1x3x32x32`, or `a scalar` for no dimensions.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Tensors of more bytes are refused: the offsets in the emitted C must fit a
/// signed 32-bit integer, and sums of sizes must not overflow anywhere.
inline constexpr int64_t kMaxTensorBytes = (int64_t(1) << 31) - 1;

/// Dimensions are refused beyond this rank: code that walks dimensions may
/// recurse.
inline constexpr int64_t kMaxRank = 32;

/// Returns the type of a tensor. Reports, in words that start with `what`,
/// element types and sizes that cannot be imported; `allowEmpty` lets sizes be
/// 0.
mlir::FailureOr<mlir::RankedTensorType>
getTensorType(mlir::MLIRContext *context, ImportErrors &errors,
              const llvm::Twine &what, int32_t onnxType,
              llvm::ArrayRef<int64_t> shape, bool allowEmpty = false);

/// Reports ranks and sizes outside the limits above.
mlir::LogicalResult checkTensorSize(ImportErrors &errors,
                                    const llvm::Twine &what,
                                    llvm::ArrayRef<int64_t> shape,
                                    int64_t elementBytes,
                                    bool allowEmpty = false);

/// Returns the MLIR type of an onnx::TensorProto::DataType. Fails with a report
/// for types without one.
mlir::FailureOr<mlir::Type> getElementType(mlir::MLIRContext *context,
                                           ImportErrors &errors,
                                           const llvm::Twine &what,
                                           int32_t onnxType);

/// Parses a serialised message, silently: libprotobuf's own complaints on
/// stderr say nothing to a user. False when the bytes are no such message.
bool parseProtobuf(google::protobuf::Message &message, llvm::StringRef bytes);

/// Reports sizes that are no model's or that protobuf cannot read.
mlir::LogicalResult checkModelSize(ImportErrors &errors, uint64_t size);

/// Parses a model without a copy of the file in memory. False when it is no
/// model; reports files that cannot be read.
mlir::FailureOr<bool> parseModelFile(ImportErrors &errors,
                                     onnx::ModelProto &model,
                                     llvm::StringRef path);

/// Reads a file into memory; the message of a failure does not name the path.
mlir::FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
readFile(ImportErrors &errors, llvm::StringRef path);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_SUPPORT_H

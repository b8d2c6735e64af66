//===- ImportErrors.h - Errors and limits of importers -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_SUPPORT_IMPORTERRORS_H
#define UMA_IMPORT_SUPPORT_IMPORTERRORS_H

#include "uma/Import/Support/ImportStatus.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

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
  /// Adds a warning. Warnings do not stop the import.
  void warn(const llvm::Twine &message) { warnings.push_back(message.str()); }
  llvm::ArrayRef<std::string> getWarnings() const { return warnings; }
  ImportStatus getStatus() const { return status; }
  bool hasError() const { return status != ImportStatus::Success; }
  /// Returns the error as one line.
  llvm::StringRef getMessage() const { return message; }

private:
  mlir::LogicalResult report(ImportStatus kind, const llvm::Twine &text);

  ImportStatus status = ImportStatus::Success;
  std::string message;
  std::vector<std::string> warnings;
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

/// Size of the stack in bytes that models are parsed and imported on: both
/// recurse into nested graphs, and thousands of them need more than threads
/// have. Only what is used takes memory.
inline constexpr unsigned kStackBytes = 1u << 28;

/// Reports ranks and sizes beyond the limits above.
mlir::LogicalResult checkTensorSize(ImportErrors &errors,
                                    const llvm::Twine &what,
                                    llvm::ArrayRef<int64_t> shape,
                                    int64_t elementBytes,
                                    bool allowEmpty = false);

/// Runs `fn` and returns the text of the first error that it emits, without the
/// name of the operation, which users of the model's format do not know.
std::string captureError(mlir::MLIRContext *context,
                         llvm::function_ref<mlir::LogicalResult()> fn);

/// Reads a file into memory. The message of a failure does not name the path.
mlir::FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
readFile(ImportErrors &errors, llvm::StringRef path);

} // namespace uma::importer

#endif // UMA_IMPORT_SUPPORT_IMPORTERRORS_H

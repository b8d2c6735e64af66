//===- ImportStatus.h - Results and messages of importers -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_SUPPORT_IMPORTSTATUS_H
#define UMA_IMPORT_SUPPORT_IMPORTSTATUS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Diagnostic;
} // namespace mlir

namespace uma {

/// Result of an import. The numbers are the exit codes of the `uma` tool.
enum class ImportStatus {
  Success = 0,
  BadInput = 2,    ///< the file is no valid model, or the options do not fit it
  NotSupported = 3 ///< a valid model that uma.graph cannot express
};

/// Diagnostic handler for tools: prints diagnostics of binary files as
/// `path: error: message` and leaves all others to the next handler.
mlir::LogicalResult printFileDiagnostic(mlir::Diagnostic &diagnostic);

} // namespace uma

#endif // UMA_IMPORT_SUPPORT_IMPORTSTATUS_H

//===- CaughtReport.h - Diagnostics of trial operations -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_CAUGHTREPORT_H
#define UMA_LIB_ACCEL_IR_CAUGHTREPORT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

#include <string>

namespace uma::accel {

/// RAII object that captures this thread's diagnostics, for operations that are
/// only created to test whether they are valid. Forwards diagnostics of other
/// threads, since patterns are verified in parallel.
class CaughtReport {
public:
  explicit CaughtReport(mlir::MLIRContext *context)
      : handler(context, [this, thread = llvm::get_threadid()](
                             mlir::Diagnostic &diagnostic) {
          if (llvm::get_threadid() != thread)
            return mlir::failure();
          if (message.empty())
            message = diagnostic.str();
          return mlir::success();
        }) {}

  /// Returns the first captured diagnostic, or an empty string if there was
  /// none.
  const std::string &getMessage() const { return message; }

private:
  std::string message;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_CAUGHTREPORT_H

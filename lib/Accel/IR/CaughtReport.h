//===- CaughtReport.h - What an operation says against itself -*- C++ -*---===//
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

/// Catches what is reported while it lives, for operations that are made only
/// to hear whether they can be. Patterns are verified in parallel: reports of
/// other threads go on to whom they are for.
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

  /// The first report; empty where there was none.
  const std::string &getMessage() const { return message; }

private:
  std::string message;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_CAUGHTREPORT_H

//===- Report.h - Errors about accelerator descriptions -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_REPORT_H
#define UMA_LIB_ACCEL_IR_REPORT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace uma::accel {

/// Starts an error at `op`. Most descriptions are written in the text language,
/// where the operations are unknown: messages say what is wrong without
/// `'uma.accel.op' op` in front and without the operation as a note behind.
inline mlir::InFlightDiagnostic report(mlir::Operation *op) {
  return mlir::emitError(op->getLoc());
}

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_REPORT_H

//===- Verify.h - What the verifiers of uma.accel share -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_VERIFY_H
#define UMA_LIB_ACCEL_IR_VERIFY_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// Most descriptions are written in the text language, where the operations are
/// unknown: messages say what is wrong without `'uma.accel.op' op` in front and
/// without the operation as a note behind.
inline mlir::InFlightDiagnostic report(mlir::Operation *op) {
  return mlir::emitError(op->getLoc());
}

/// The name of a file as it goes into an #include or a Makefile.
mlir::LogicalResult verifyFileName(mlir::Operation *op, llvm::StringRef what,
                                   llvm::StringRef name);

mlir::LogicalResult verifyPhase(mlir::Operation *op, llvm::StringRef phase);

/// An identifier of C99 and of C++.
mlir::LogicalResult verifyFunctionName(mlir::Operation *op,
                                       llvm::StringRef name);

/// Names that stand for one thing in the whole accelerator. Reports all that
/// stand for two; what patterns say of each other only if `hasAllPatterns`.
mlir::LogicalResult verifyDevice(AcceleratorOp accelerator,
                                 bool hasAllPatterns = true);

/// What `lower` excludes.
mlir::LogicalResult verifyLowered(PatternOp pattern);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_VERIFY_H

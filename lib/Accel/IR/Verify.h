//===- Verify.h - Helpers of the uma.accel verifiers -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_VERIFY_H
#define UMA_LIB_ACCEL_IR_VERIFY_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// Starts an error without the prefix `'uma.accel.op' op` and without the
/// operation as a note: most descriptions are written in the text language,
/// whose users do not know the operations.
inline mlir::InFlightDiagnostic report(mlir::Operation *op) {
  return mlir::emitError(op->getLoc());
}

/// Checks that a file name can be used in an #include and a Makefile.
mlir::LogicalResult verifyFileName(mlir::Operation *op, llvm::StringRef what,
                                   llvm::StringRef name);

mlir::LogicalResult verifyPhase(mlir::Operation *op, llvm::StringRef phase);

/// Checks that a name is an identifier in C99 and C++.
mlir::LogicalResult verifyFunctionName(mlir::Operation *op,
                                       llvm::StringRef name);

/// Reports names that are defined twice and invalid references between
/// operations. Checks replacements of calls only if `hasAllPatterns`.
mlir::LogicalResult verifyDevice(AcceleratorOp accelerator,
                                 bool hasAllPatterns = true);

/// Checks that what a pattern wants around its match can be there: padding
/// outside of an operator, layouts and splits.
mlir::LogicalResult verifyBorders(PatternOp pattern);

/// Checks the restrictions on patterns with `lower`.
mlir::LogicalResult verifyLowered(PatternOp pattern);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_VERIFY_H

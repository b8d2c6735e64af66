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
/// operation as a note: users of the text language do not know the operations.
inline mlir::InFlightDiagnostic report(mlir::Operation *op) {
  return mlir::emitError(op->getLoc());
}

/// Checks that a file name is not empty and has no quotes, backslashes and
/// control characters.
mlir::LogicalResult verifyFileName(mlir::Location loc, llvm::StringRef what,
                                   llvm::StringRef name);

/// Checks that a file may be in a package under this name: it can be used in an
/// #include, a Makefile, a CMakeLists.txt and on a command line. Headers, which
/// no build file names, may have blanks.
mlir::LogicalResult verifyPackagedName(mlir::Location loc, llvm::StringRef what,
                                       llvm::StringRef name,
                                       bool isHeader = true);

mlir::LogicalResult verifyPhase(mlir::Operation *op, llvm::StringRef phase);

/// Checks that a name is an identifier in C99 and C++.
mlir::LogicalResult verifyFunctionName(mlir::Operation *op,
                                       llvm::StringRef name);

/// Verifies that names are unique and that references between operations are
/// valid. Checks replacements of calls only if `hasAllPatterns`.
mlir::LogicalResult verifyDevice(AcceleratorOp accelerator,
                                 bool hasAllPatterns = true);

/// Checks that the conversions around matches of a pattern are possible:
/// padding outside of an operator, layouts and splits.
mlir::LogicalResult verifyBorders(PatternOp pattern);

/// Checks tiles and calls on engines.
mlir::LogicalResult verifyMappedPattern(PatternOp pattern);

/// Checks the memories and engines of transfers.
mlir::LogicalResult verifyPaths(AcceleratorOp accelerator);

/// Checks the restrictions on patterns with `lower`.
mlir::LogicalResult verifyLowered(PatternOp pattern);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_VERIFY_H

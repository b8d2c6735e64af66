//===- VerifyAccelerator.h - All errors of a description -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_VERIFYACCELERATOR_H
#define UMA_ACCEL_IR_VERIFYACCELERATOR_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// Parts of an accelerator that were parsed without errors.
enum class AcceleratorParts {
  All,
  NotAllPatterns, ///< all but some patterns, which have errors
  Some,           ///< other items are missing as well
};

/// Verifies an accelerator. Unlike MLIR's verifier, reports the errors of all
/// operations, except those caused by missing parts.
mlir::LogicalResult verifyAccelerator(AcceleratorOp accelerator,
                                      AcceleratorParts parts);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_VERIFYACCELERATOR_H

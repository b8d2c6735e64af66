//===- PatternProofs.h - Patterns that can never match -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_PATTERNPROOFS_H
#define UMA_LIB_ACCEL_IR_PATTERNPROOFS_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// Fails, with an error at the requirement, where requirements of the pattern
/// contradict one another or what sizes can be.
mlir::LogicalResult verifyCanMatch(PatternOp pattern);

/// Fails, with an error, where the operator has no type for any of the element
/// types that its inputs may have, although it has one for others.
mlir::LogicalResult verifyElementTypes(OpOp opOp);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_PATTERNPROOFS_H

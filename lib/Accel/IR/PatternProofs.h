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

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_PATTERNPROOFS_H

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

/// Emits an error at the requirement and fails if requirements of the pattern
/// contradict one another or the possible sizes.
mlir::LogicalResult verifyCanMatch(PatternOp pattern);

/// Collects the attributes of an operator for a sample: those that the pattern
/// writes, the default for all others. Fails if one has neither.
mlir::LogicalResult sampleAttributes(OpOp opOp,
                                     mlir::RegisteredOperationName name,
                                     mlir::NamedAttrList &attributes);

/// Returns the type of the operator's result for operands of the types
/// `operands`. Returns null and sets `message` to the reason on failure.
mlir::Type inferSampleType(OpOp opOp, mlir::RegisteredOperationName name,
                           const mlir::NamedAttrList &attributes,
                           llvm::ArrayRef<mlir::Type> operands,
                           std::string &message);

/// Emits an error and fails if the operator has a type for some element types,
/// but for none that its inputs may have.
mlir::LogicalResult verifyElementTypes(OpOp opOp);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_PATTERNPROOFS_H

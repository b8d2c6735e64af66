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

/// Finds the attributes of an operator as a sample has them: those that the
/// pattern writes, for all others the default. Fails if one has neither.
mlir::LogicalResult sampleAttributes(OpOp opOp,
                                     mlir::RegisteredOperationName name,
                                     mlir::NamedAttrList &attributes);

/// Returns the type of the operator's result where its operands have the types
/// of `operands`, or null with the reason in `message`.
mlir::Type inferSampleType(OpOp opOp, mlir::RegisteredOperationName name,
                           const mlir::NamedAttrList &attributes,
                           llvm::ArrayRef<mlir::Type> operands,
                           std::string &message);

/// Fails, with an error, where the operator has no type for any of the element
/// types that its inputs may have, although it has one for others.
mlir::LogicalResult verifyElementTypes(OpOp opOp);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_PATTERNPROOFS_H

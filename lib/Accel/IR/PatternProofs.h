//===- PatternProofs.h - Checks that patterns can match -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_PATTERNPROOFS_H
#define UMA_LIB_ACCEL_IR_PATTERNPROOFS_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// Checks that the pattern's requirements are satisfiable. Emits an error at
/// the requirement and fails if it contradicts other requirements or the
/// possible sizes.
mlir::LogicalResult verifyCanMatch(PatternOp pattern);

/// Collects the attributes of a sample of an operator: the pattern's values, or
/// defaults for attributes that the pattern does not list. Fails if an
/// attribute has neither.
mlir::LogicalResult sampleAttributes(OperatorOp opOp,
                                     mlir::RegisteredOperationName name,
                                     mlir::NamedAttrList &attributes);

/// Infers the type of the operator's result from the types of its operands. On
/// failure, returns null and sets `message` to the reason.
mlir::Type inferSampleType(OperatorOp opOp, mlir::RegisteredOperationName name,
                           const mlir::NamedAttrList &attributes,
                           llvm::ArrayRef<mlir::Type> operands,
                           std::string &message);

/// Checks that the operator accepts some of the element types that its inputs
/// may have. Emits an error and fails if it accepts only other element types.
mlir::LogicalResult verifyElementTypes(OperatorOp opOp);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_PATTERNPROOFS_H

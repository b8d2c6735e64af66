//===- SampleTypes.h - Element types of a pattern's tensors -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_SAMPLETYPES_H
#define UMA_ACCEL_IR_SAMPLETYPES_H

#include "uma/Accel/IR/AccelOps.h"

#include "llvm/ADT/DenseMap.h"

namespace uma::accel {

/// Element types of the tensors of a pattern. Has no entry for tensors of
/// unknown type.
using ElementTypes = llvm::DenseMap<mlir::Value, mlir::Type>;

/// Returns the element types of the pattern's matches: one entry for each
/// combination of input types, at most 16. Infers the types of results by
/// building sample operators.
llvm::SmallVector<ElementTypes> sampleElementTypes(PatternOp pattern);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_SAMPLETYPES_H

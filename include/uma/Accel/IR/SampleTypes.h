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

/// Element types of tensors of a pattern. Tensors without a known type are
/// missing.
using ElementTypes = llvm::DenseMap<mlir::Value, mlir::Type>;

/// Returns the element types of the pattern's matches: one entry for each
/// combination of the types that its inputs may have, at most 16. Types of
/// results are inferred from samples of the operators.
llvm::SmallVector<ElementTypes> sampleElementTypes(PatternOp pattern);

} // namespace uma::accel

#endif // UMA_ACCEL_IR_SAMPLETYPES_H

//===- AcceleratorFunctions.h - Calls of devices from tensors -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOLINALG_ACCELERATORFUNCTIONS_H
#define UMA_LIB_CONVERSION_GRAPHTOLINALG_ACCELERATORFUNCTIONS_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace uma {

/// Replaces a composite, in a function that runs on an accelerator, by the
/// calls that its pattern names: of C functions that get pointers to buffers
/// and return a status. Declares these in the module of `symbols`. One that is
/// lowered is replaced by its operators, which are added to `inlined`. Fails
/// with an error on the composite.
mlir::LogicalResult
convertComposite(graph::CompositeOp composite, mlir::SymbolTable &symbols,
                 llvm::SmallVectorImpl<mlir::Operation *> &inlined);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOLINALG_ACCELERATORFUNCTIONS_H

//===- AcceleratorFunctions.h - Calls to devices from tensors -*- C++ -*---===//
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

/// Replaces a composite in an accelerator's function by the calls of its
/// pattern. The C functions take pointers to buffers and return a status; they
/// are declared in the module of `symbols`. A match that is only lowered is
/// replaced by its operators, which are added to `inlined`. Emits an error on
/// the composite and fails if it cannot be converted.
mlir::LogicalResult
convertComposite(graph::CompositeOp composite, mlir::SymbolTable &symbols,
                 llvm::SmallVectorImpl<mlir::Operation *> &inlined);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOLINALG_ACCELERATORFUNCTIONS_H

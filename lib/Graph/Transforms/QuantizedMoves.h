//===- QuantizedMoves.h - Moves of stored integers -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDMOVES_H
#define UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDMOVES_H

#include "mlir/IR/BuiltinOps.h"

namespace uma::graph {

/// Moves the integers themselves if a network reads integers, moves them as
/// quantized tensors or as the floats that they stand for, and returns them
/// with the same scale and zero point.
void moveStoredIntegers(mlir::ModuleOp module);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDMOVES_H

//===- QuantizedLayers.h - Operators of quantized layers -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to uma-graph-quantize and uma-graph-fold-quantization, which must
// agree on these sets.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDLAYERS_H
#define UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDLAYERS_H

#include "uma/Graph/IR/GraphOps.h"

namespace uma::graph {

/// Returns whether the bounds of stored integers can replace an operator.
inline bool isActivation(mlir::Operation *op) {
  return mlir::isa<ReluOp, ClipOp>(op);
}

/// Returns whether an operator moves or selects elements of its operands, so
/// that it computes the same on stored integers of one type. `op` may be null.
inline bool movesElements(mlir::Operation *op) {
  return mlir::isa_and_nonnull<ReshapeOp, BatchFlattenOp, TransposeOp,
                               ConcatenateOp, StridedSliceOp, MaxPool2dOp>(op);
}

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDLAYERS_H

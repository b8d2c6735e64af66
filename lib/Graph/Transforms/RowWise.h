//===- RowWise.h - Operators that compute row by row -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_ROWWISE_H
#define UMA_LIB_GRAPH_TRANSFORMS_ROWWISE_H

#include "uma/Graph/Transforms/Stripes.h"

namespace uma::graph {

/// Dimension of the rows.
inline constexpr int64_t kRowDim = 1;

/// Adapts a copy of a row-wise operator, whose operands have the rows of
/// `getOperandRows`, to compute only `rows` of the result of `whole`: sets its
/// padding and the type of its result.
void computeRows(mlir::Operation *copy, mlir::Operation *whole, RowRange rows);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_ROWWISE_H

//===- ReadBoxes.h - What parts of results read -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_READBOXES_H
#define UMA_GRAPH_IR_READBOXES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace uma::graph {

/// Indices `begin` to `begin + size - 1` of one dimension.
struct IndexRange {
  int64_t begin = 0, size = 0;

  int64_t getEnd() const { return begin + size; }
  bool operator==(const IndexRange &other) const {
    return begin == other.begin && size == other.size;
  }
};

/// Rectangular part of a tensor, one range for each dimension.
using Box = llvm::SmallVector<IndexRange, 6>;

/// Computes the part of each operand that `op` reads to compute the part
/// `result` of its result. Windows may extend beyond the data by their padding,
/// so ranges may begin before 0 and end behind the size. Fails for operators
/// that cannot be computed in parts.
mlir::LogicalResult getReadBoxes(mlir::Operation *op, const Box &result,
                                 llvm::SmallVectorImpl<Box> &operands);

/// Returns whether `op` sums over the axis of this operand, so that the results
/// for parts of the axis can be added.
bool isSumAlong(mlir::Operation *op, unsigned operand, unsigned axis);

} // namespace uma::graph

#endif // UMA_GRAPH_IR_READBOXES_H

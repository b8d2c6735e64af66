//===- Stripes.h - Chains of operators computed by rows -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The chains that uma-graph-split-rows splits, for passes that choose them.
// Rows are the elements along dimension 1 of images [1, H, W, C], which are
// consecutive in memory.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_STRIPES_H
#define UMA_GRAPH_TRANSFORMS_STRIPES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace uma::graph {

/// Discardable i64 attribute on an operator: its result, and the chain of
/// operators behind which it is, is computed in stripes of so many rows.
inline constexpr llvm::StringLiteral kStripeRowsAttrName = "uma.stripe_rows";
/// Discardable unit attribute on an operator: chains begin behind its result,
/// which is kept as a whole.
inline constexpr llvm::StringLiteral kKeepWholeAttrName = "uma.keep_whole";

/// Rows [begin, end) of an image.
struct RowRange {
  int64_t begin = 0, end = 0;

  int64_t getSize() const { return end - begin; }
  bool operator==(const RowRange &other) const {
    return begin == other.begin && end == other.end;
  }
  /// Returns the smallest range with the rows of both; an empty one adds none.
  RowRange join(const RowRange &other) const;
};

/// Returns the number of rows of an image of batch size 1, or std::nullopt for
/// other tensors.
std::optional<int64_t> getNumRows(mlir::Value tensor);

/// Returns why rows of an operator's result cannot be computed from rows of its
/// operands, or an empty string if they can.
std::string explainNotRowWise(mlir::Operation *op);

/// Returns the rows of an operand that a row-wise operator reads for `rows` of
/// its result, or std::nullopt if it reads the operand as a whole: weights, and
/// what is broadcast along rows.
std::optional<RowRange> getOperandRows(mlir::OpOperand &operand, RowRange rows);

/// Returns the operators that are computed in stripes with `result`, a row-wise
/// operator, in program order; `result` is the last one. The chain goes back to
/// inputs, constants, operators that are not row-wise, results of other chains,
/// tensors marked as whole, and tensors that operators outside of the chain
/// read.
llvm::SmallVector<mlir::Operation *> findChain(mlir::Operation *result);

/// Rows of tensors that one stripe needs: of the results of the chain's
/// operators, and of the tensors that the chain begins with.
using Stripe = llvm::DenseMap<mlir::Value, RowRange>;

/// Returns the stripes of a chain with `rows` rows of its result each; the last
/// one may have fewer.
llvm::SmallVector<Stripe> planStripes(llvm::ArrayRef<mlir::Operation *> chain,
                                      int64_t rows);

/// Returns the multiply-accumulates of the chain's operators in all stripes,
/// minus those of computing them once.
int64_t countRecomputedMACs(llvm::ArrayRef<mlir::Operation *> chain,
                            llvm::ArrayRef<Stripe> stripes);

} // namespace uma::graph

#endif // UMA_GRAPH_TRANSFORMS_STRIPES_H

//===- RaiseOps.h - Recognise decomposed operators -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: the patterns of `uma-graph-raise-ops`, one file
// for each family, and what they share.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_RAISEOPS_H
#define UMA_LIB_GRAPH_TRANSFORMS_RAISEOPS_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#include <optional>

namespace uma::graph {

/// The patterns of each family; every rewrite adds 1 to `count`.
void populateRaiseActivationPatterns(mlir::RewritePatternSet &patterns,
                                     mlir::Pass::Statistic &count);
void populateRaiseAttentionPatterns(mlir::RewritePatternSet &patterns,
                                    mlir::Pass::Statistic &count);
void populateRaiseNormalizationPatterns(mlir::RewritePatternSet &patterns,
                                        mlir::Pass::Statistic &count);
void populateRaiseSoftmaxPatterns(mlir::RewritePatternSet &patterns,
                                  mlir::Pass::Statistic &count);

/// Returns the number that all elements of `value` are, when it is a constant
/// float.
std::optional<double> getScalar(mlir::Value value);

/// True when `value` is `expected` but for the rounding of exporters: a few
/// units in the last place of `elementType`.
bool isClose(double value, double expected, mlir::Type elementType);

/// True when `value` is a constant close to `expected`.
bool isScalar(mlir::Value value, double expected);

/// The operations that a pattern has matched, in whose place the whole operator
/// will be.
class MatchedOps {
public:
  /// Returns the operation that defines `value`, added to the match, when it is
  /// an OpT.
  template <typename OpT>
  OpT match(mlir::Value value) {
    auto op = value.getDefiningOp<OpT>();
    if (op)
      add(op);
    return op;
  }
  void add(mlir::Operation *op) {
    if (!llvm::is_contained(ops, op))
      ops.push_back(op);
  }
  size_t size() const { return ops.size(); }
  /// Forgets what was added when the match had `size` operations.
  void truncate(size_t size) { ops.truncate(size); }
  /// True when nothing but the match uses the values in between, so that all of
  /// it goes when `root` does.
  bool isClosed(mlir::Operation *root) const;

private:
  llvm::SmallVector<mlir::Operation *, 16> ops;
};

/// Returns the operands of `op` in the given and, for the second call, the
/// other order.
template <typename OpT>
std::array<std::pair<mlir::Value, mlir::Value>, 2> getBothOrders(OpT op) {
  return {{{op.getLhs(), op.getRhs()}, {op.getRhs(), op.getLhs()}}};
}

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_RAISEOPS_H

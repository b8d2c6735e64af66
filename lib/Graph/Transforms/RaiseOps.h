//===- RaiseOps.h - Recognise decomposed operators -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: the patterns of `uma-graph-raise-ops`, one file
// per family, and shared utilities.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_RAISEOPS_H
#define UMA_LIB_GRAPH_TRANSFORMS_RAISEOPS_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#include <optional>

namespace uma::graph {

/// Adds the patterns of each family. Every rewrite increments `count`.
void populateRaiseActivationPatterns(mlir::RewritePatternSet &patterns,
                                     mlir::Pass::Statistic &count);
void populateRaiseAttentionPatterns(mlir::RewritePatternSet &patterns,
                                    mlir::Pass::Statistic &count);
void populateRaiseNormalizationPatterns(mlir::RewritePatternSet &patterns,
                                        mlir::Pass::Statistic &count);
void populateRaiseSoftmaxPatterns(mlir::RewritePatternSet &patterns,
                                  mlir::Pass::Statistic &count);

/// Returns the value of all elements of `value` if it is a splat constant of
/// floats, or std::nullopt otherwise.
std::optional<double> getScalar(mlir::Value value);

/// Returns whether `value` equals `expected` up to rounding by exporters: a few
/// units in the last place of `elementType`.
bool isClose(double value, double expected, mlir::Type elementType);

/// Returns whether `value` is a constant close to `expected`.
bool isScalar(mlir::Value value, double expected);

/// Operations matched by a pattern, which the raised operator replaces.
class MatchedOps {
public:
  /// Adds the operation that defines `value` to the match and returns it if it
  /// is an OpT. Returns null otherwise.
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
  /// Drops all but the first `size` operations.
  void truncate(size_t size) { ops.truncate(size); }
  /// Returns whether only the match uses its intermediate values, so that all
  /// of its operations become dead if `root` is replaced.
  bool isClosed(mlir::Operation *root) const;

private:
  llvm::SmallVector<mlir::Operation *, 16> ops;
};

/// Returns the operands of `op` in both orders.
template <typename OpT>
std::array<std::pair<mlir::Value, mlir::Value>, 2> getBothOrders(OpT op) {
  return {{{op.getLhs(), op.getRhs()}, {op.getRhs(), op.getLhs()}}};
}

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_RAISEOPS_H

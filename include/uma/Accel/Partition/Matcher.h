//===- Matcher.h - Match accelerator patterns against a graph -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One matcher serves partitioning (which operators does a device take?), the
// reasons of `uma explain` (why not this one?) and lowering (which buffers and
// integers does the call get?), so that the three cannot disagree.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_MATCHER_H
#define UMA_ACCEL_PARTITION_MATCHER_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace uma::graph {
class CompositeOp;
} // namespace uma::graph

namespace uma::accel {

/// Why a pattern did not match.
struct Mismatch {
  /// The distance of an operator that is missing. It outweighs what else may
  /// fail, so that the closest pattern is the one of the right shape.
  static constexpr unsigned kMissingOperator = 8;

  /// The first constraint that failed, in words, with the values seen:
  /// "strides is [2, 2], the pattern wants [1, 1]". Never empty.
  std::string reason;
  /// How far the graph is from the pattern: the number of constraints that
  /// failed, an operator that is missing counting as `kMissingOperator`.
  unsigned distance = 0;
  /// The graph operation that the reason speaks of.
  mlir::Operation *where = nullptr;
};

/// A place of a graph where a pattern matches.
struct Match {
  /// The pattern that matches.
  PatternOp pattern;
  /// The matched operations, operands before users, each once. Constants of the
  /// graph are none of them.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The graph value of each tensor of the pattern that is not absent.
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  /// The alternative that each `uma.accel.choice` stands for; their number
  /// where it stands for what is otherwise.
  llvm::DenseMap<mlir::Operation *, unsigned> choices;
  /// The value of each number in the pattern, of a dim, a measure or an arith
  /// operation: an IntegerAttr or FloatAttr of that result's type.
  llvm::DenseMap<mlir::Value, mlir::TypedAttr> numbers;
  /// The graph values that the pattern's inputs stand for, in the order of the
  /// inputs, each once.
  llvm::SmallVector<mlir::Value> inputs;
  /// The result of the root.
  mlir::Value result;
  /// What the pattern computes: the only values of `ops` that are used outside
  /// of them. Each once, in the order in which the pattern returns them.
  llvm::SmallVector<mlir::Value> results;

  /// The number that `value` of the pattern has.
  /// Never null for an argument of a call.
  mlir::TypedAttr getNumber(mlir::Value value) const {
    return numbers.lookup(value);
  }
};

/// Matches `pattern` so that its root is `root`, an operation of a graph.
///
/// - Operators have the kind and number of operands that the pattern says; both
///   orders of a commutative operator's operands are tried, and alternatives in
///   the order of writing, an optional operator as present before absent.
/// - Written attributes are equal, others have their default or are absent.
/// - Only what the pattern computes has uses outside the match, and nothing
///   outside of it stands between two of its operators.
/// - Inputs have an element type and the sizes that are written, and are
///   constants where that is; a dim has one value wherever it is used.
/// - All `require`s hold and all numbers of the calls can be computed.
///
/// On failure, `why` is set where it is given; finding the reason costs more
/// than finding that there is one.
mlir::FailureOr<Match> matchPattern(PatternOp pattern, mlir::Operation *root,
                                    Mismatch *why = nullptr);

/// Matches the body of a composite with the pattern that the composite names.
/// Values of the match are the body's: block arguments and results. Emits an
/// error at the composite when there is no such pattern or when the body does
/// not match it any more.
mlir::FailureOr<Match> matchComposite(graph::CompositeOp composite);

/// An operation outside of the match that needs one of its results and that
/// another of its operations needs; null when there is none.
mlir::Operation *findWayBack(const Match &match);

/// The operator of a graph operation, as descriptions name it: "conv2d" for
/// `uma.graph.conv2d`.
llvm::StringRef getOperatorKind(mlir::Operation *op);

/// An operation in messages: "conv2d 'n2_Conv'", or "conv2d" where it has no
/// layer name.
std::string describeLayer(mlir::Operation *op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_MATCHER_H

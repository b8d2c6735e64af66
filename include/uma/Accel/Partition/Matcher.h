//===- Matcher.h - Match accelerator patterns against a graph -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Matcher of patterns. Partitioning, the reasons in `uma explain` and lowering
// share it, so that they cannot disagree.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_MATCHER_H
#define UMA_ACCEL_PARTITION_MATCHER_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace uma::graph {
class CompositeOp;
} // namespace uma::graph

namespace uma::accel {

/// Reason that a pattern did not match.
struct Mismatch {
  /// Distance of a missing operator. It outweighs other failed constraints, so
  /// that a pattern with the right operators is the closest.
  static constexpr unsigned kMissingOperator = 8;

  /// First failed constraint, as a message with the found values: "strides is
  /// [2, 2], the pattern wants [1, 1]". Never empty.
  std::string reason;
  /// Distance between the graph and the pattern: the number of failed
  /// constraints. A missing operator counts as `kMissingOperator`.
  unsigned distance = 0;
  /// Graph operation that failed the constraint.
  mlir::Operation *where = nullptr;
};

/// A match of a pattern in a graph.
struct Match {
  /// Matched pattern.
  PatternOp pattern;
  /// Matched operations in topological order, without duplicates. Excludes
  /// constants of the graph.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Graph value of each tensor of the pattern that is present in the match.
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  /// Index of the alternative chosen for each `uma.accel.choice`; the number of
  /// alternatives if it is `otherwise`.
  llvm::DenseMap<mlir::Operation *, unsigned> choices;
  /// Value of each number in the pattern (result of a dim, measure or arith
  /// operation): an IntegerAttr or FloatAttr of the result's type.
  llvm::DenseMap<mlir::Value, mlir::TypedAttr> numbers;
  /// Elements of each array of numbers; has no entry if its tensor is not part
  /// of the match.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<double>> arrays;
  /// Graph values of the pattern's inputs, in the order of the inputs, without
  /// duplicates.
  llvm::SmallVector<mlir::Value> inputs;
  /// Result of the root.
  mlir::Value result;
  /// Graph values of the pattern's outputs, in the order of its `return`,
  /// without duplicates. No other result of `ops` has uses outside of `ops`.
  llvm::SmallVector<mlir::Value> results;
  /// Tensor of the pattern that each operand of `ops` corresponds to.
  llvm::DenseMap<mlir::OpOperand *, mlir::Value> operands;

  /// A `pad` before the match that replaces an operator's padding.
  struct Padding {
    mlir::Operation *op;
    /// Padded input of the pattern.
    mlir::Value input;
    /// Number of padding elements before and after each dimension.
    llvm::SmallVector<int64_t> before, after;
    /// Value of the padding elements.
    double number;
  };
  llvm::SmallVector<Padding> paddings;

  /// A dim that exceeds the device's limit and is split into pieces.
  struct Split {
    DimOp dim;
    int64_t size, limit;
    /// Axis along which each input of the pattern and each result of the
    /// match's operations is sliced. Has no entry for values that are not
    /// sliced.
    llvm::DenseMap<mlir::Value, int64_t> axes;
  };
  llvm::SmallVector<Split> splits;
  /// Numbers of each kind of piece of a split match, and how many such pieces
  /// there are. `numbers` has the numbers of the first piece, the largest.
  llvm::SmallVector<
      std::pair<llvm::DenseMap<mlir::Value, mlir::TypedAttr>, int64_t>>
      pieces;

  /// Returns the number that the match binds to `value` of the pattern. Never
  /// null for an argument of a call.
  mlir::TypedAttr getNumber(mlir::Value value) const {
    return numbers.lookup(value);
  }
  /// Returns the alternative that the match takes if `tensor` is a choice;
  /// otherwise returns `tensor`.
  mlir::Value getChosenTensor(mlir::Value tensor) const;
  /// Returns the device's layout of `result`, which is one of `results`, or
  /// std::nullopt if it is the same as the graph's.
  std::optional<mlir::AffineMap> getOutputLayout(mlir::Value result) const;
  /// Returns the padding of an input, or null if the input is not padded.
  const Padding *getPadding(mlir::Value input) const;
  /// Adds the padding of an input of the pattern, if any, to its type.
  mlir::RankedTensorType addPadding(mlir::Value input,
                                    mlir::RankedTensorType type) const;
  /// Returns the graph type, including padding, of a tensor of the pattern, or
  /// null if the tensor is not part of the match.
  mlir::RankedTensorType getGraphType(mlir::Value tensor) const;
  /// Like getGraphType, but in the device's layout. A scratch or an array has
  /// one dimension; returns null if its size is not a valid number of elements.
  mlir::RankedTensorType getDeviceType(mlir::Value tensor) const;
};

/// Matches `pattern` with its root at `root`, an operation of the graph.
///
/// - Operators have the pattern's kind and number of operands. Both operand
///   orders of commutative operators are tried, alternatives in source order,
///   and optional operators as present before absent.
/// - Attributes in the pattern are equal; all others have their default or are
///   absent.
/// - Only outputs of the pattern have uses outside the match, and the match is
///   convex: no path between two of its operators leaves it.
/// - Inputs have the pattern's element type, sizes and constness; a dim has the
///   same value at all its uses.
/// - All `require`s hold and all numbers in the calls can be computed.
///
/// On failure, sets `why` if it is given, which costs more than detecting the
/// failure.
mlir::FailureOr<Match> matchPattern(PatternOp pattern, mlir::Operation *root,
                                    Mismatch *why = nullptr);

/// Matches the body of a composite against the pattern that the composite
/// names. The match refers to values of the body. Emits an error at the
/// composite and fails if the pattern does not exist or no longer matches.
mlir::FailureOr<Match> matchComposite(graph::CompositeOp composite);

/// Returns the elements of an array of the pattern, or null if its tensor is
/// not part of the match.
mlir::ElementsAttr getArrayValue(const Match &match, ArrayOp array);

/// Unit attribute of operators that convert tensors between the graph's and a
/// device's types or layouts.
inline constexpr llvm::StringLiteral kBorderAttrName = "uma.border";

/// Returns the value that a chain of borders converts to `value`, or `value`
/// itself if no border defines it.
mlir::Value skipBorders(mlir::Value value);

/// Returns whether the module is partitioned: it has composites, whose bodies
/// must stay as their patterns match them.
bool hasComposites(mlir::ModuleOp module);

/// Returns whether the module has operators with kBorderAttrName.
bool hasBorders(mlir::ModuleOp module);

/// Returns an operation outside of the match that lies on a path between two
/// operations of the match, or null if the match is convex. Assumes such a path
/// if the search would take too long.
mlir::Operation *findWayBack(const Match &match);

/// Returns the kind of a graph operation, its name in descriptions: "conv2d"
/// for `uma.graph.conv2d`.
llvm::StringRef getOperatorKind(mlir::Operation *op);

/// Returns the name by which messages refer to an operation: "conv2d
/// 'n2_Conv'", or "conv2d" if it has no layer name.
std::string describeLayer(mlir::Operation *op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_MATCHER_H

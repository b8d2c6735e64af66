//===- Matcher.h - Match accelerator patterns against a graph -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Partitioning (which operators does a device take?), the reasons of `uma
// explain` (why not this one?) and lowering (which buffers and integers does
// the call get?) share one matcher, so that they cannot disagree.
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
  /// that the closest pattern is the one of the right shape.
  static constexpr unsigned kMissingOperator = 8;

  /// First failed constraint, as a message with the values seen: "strides is
  /// [2, 2], the pattern wants [1, 1]". Never empty.
  std::string reason;
  /// Distance between the graph and the pattern: the number of failed
  /// constraints, a missing operator counting as `kMissingOperator`.
  unsigned distance = 0;
  /// Graph operation that the reason is about.
  mlir::Operation *where = nullptr;
};

/// A match of a pattern in a graph.
struct Match {
  /// Pattern that matches.
  PatternOp pattern;
  /// Matched operations, operands before users, each once. Excludes constants
  /// of the graph.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Graph value of each tensor of the pattern that is not absent.
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  /// Index of the alternative chosen for each `uma.accel.choice`; the number of
  /// alternatives if it is `otherwise`.
  llvm::DenseMap<mlir::Operation *, unsigned> choices;
  /// Value of each number in the pattern, of a dim, a measure or an arith
  /// operation: an IntegerAttr or FloatAttr of that result's type.
  llvm::DenseMap<mlir::Value, mlir::TypedAttr> numbers;
  /// Graph values of the pattern's inputs, in the order of the inputs, each
  /// once.
  llvm::SmallVector<mlir::Value> inputs;
  /// Result of the root.
  mlir::Value result;
  /// Values that the pattern computes, in the order in which it returns them,
  /// each once: the only values of `ops` that are used outside of them.
  llvm::SmallVector<mlir::Value> results;
  /// Tensor of the pattern that each operand of `ops` is.
  llvm::DenseMap<mlir::OpOperand *, mlir::Value> operands;

  /// A `pad` in front of the match in place of an operator's padding.
  struct Padding {
    mlir::Operation *op;
    /// Input of the pattern that is padded.
    mlir::Value input;
    /// Elements in front of and behind each dimension.
    llvm::SmallVector<int64_t> before, after;
    /// Number that the padding repeats.
    double number;
  };
  llvm::SmallVector<Padding> paddings;

  /// A dim that is more than the device takes at once.
  struct Split {
    DimOp dim;
    int64_t size, limit;
    /// Axis of the slices, by input of the pattern and by result of the match's
    /// operations; others are not sliced.
    llvm::DenseMap<mlir::Value, int64_t> axes;
  };
  llvm::SmallVector<Split> splits;
  /// If the match is split: the numbers of each piece and how many there are;
  /// `numbers` are those of the first, which is the largest.
  llvm::SmallVector<
      std::pair<llvm::DenseMap<mlir::Value, mlir::TypedAttr>, int64_t>>
      pieces;

  /// Returns the number of `value`, a value of the pattern. Never null for an
  /// argument of a call.
  mlir::TypedAttr getNumber(mlir::Value value) const {
    return numbers.lookup(value);
  }
  /// Returns the input or operator of the pattern that `tensor` is: of a choice
  /// the alternative taken.
  mlir::Value getChosenTensor(mlir::Value tensor) const;
  /// Returns the layout of `result`, one of `results`, on the device;
  /// std::nullopt if it is that of the graph.
  std::optional<mlir::AffineMap> getOutputLayout(mlir::Value result) const;
  /// Returns the padding of an input; null if there is none.
  const Padding *getPadding(mlir::Value input) const;
  /// Returns the type of an input of the pattern with its padding.
  mlir::RankedTensorType addPadding(mlir::Value input,
                                    mlir::RankedTensorType type) const;
  /// Returns the type of a tensor of the pattern, in the graph with its
  /// padding; null if it is no part of the match.
  mlir::RankedTensorType getGraphType(mlir::Value tensor) const;
  /// Returns the same in the layout of the device. A scratch has one dimension;
  /// null if its size is no number of elements.
  mlir::RankedTensorType getDeviceType(mlir::Value tensor) const;
};

/// Matches `pattern` so that its root is `root`, an operation of a graph.
///
/// - Operators have the kind and number of operands of the pattern. Both orders
///   of a commutative operator's operands are tried, alternatives in the order
///   of writing, and an optional operator as present before absent.
/// - Written attributes are equal, others have their default or are absent.
/// - Only what the pattern computes has uses outside the match, and no
///   operation outside of it lies on a path between two of its operators.
/// - Inputs have the element type, the sizes and the constness that are
///   written; a dim has the same value at all its uses.
/// - All `require`s hold and all numbers of the calls can be computed.
///
/// On failure, sets `why` if it is given; finding the reason costs more than
/// detecting the failure.
mlir::FailureOr<Match> matchPattern(PatternOp pattern, mlir::Operation *root,
                                    Mismatch *why = nullptr);

/// Matches the body of a composite with the pattern that the composite names.
/// Values of the match are the body's: block arguments and results. Emits an
/// error at the composite and fails if there is no such pattern or the body
/// does not match it any more.
mlir::FailureOr<Match> matchComposite(graph::CompositeOp composite);

/// Unit attribute of operators that convert tensors for devices.
inline constexpr llvm::StringLiteral kBorderAttrName = "uma.border";

/// Returns whether there are operators that convert tensors for devices.
bool hasBorders(mlir::ModuleOp module);

/// Returns an operation outside of the match that uses one of its results and
/// whose result another of its operations needs; null if there is none.
mlir::Operation *findWayBack(const Match &match);

/// Returns the operator of a graph operation as descriptions name it: "conv2d"
/// for `uma.graph.conv2d`.
llvm::StringRef getOperatorKind(mlir::Operation *op);

/// Returns the name of an operation in messages: "conv2d 'n2_Conv'", or
/// "conv2d" if it has no layer name.
std::string describeLayer(mlir::Operation *op);

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_MATCHER_H

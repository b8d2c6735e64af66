//===- MatchAttempt.h - One attempt to match a pattern -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_MATCHATTEMPT_H
#define UMA_LIB_ACCEL_PARTITION_MATCHATTEMPT_H

#include "Evaluator.h"

#include "uma/Accel/Partition/Matcher.h"

#include "llvm/ADT/DenseSet.h"

namespace uma::accel {

/// A decision of the backtracking search: the operand order of a commutative
/// operator, the alternative of a choice, or the operation for a further output
/// of the pattern.
struct Decision {
  unsigned taken; ///< index of the option taken
  unsigned count; ///< number of options
};

class MatchAttempt;

/// The part of an attempt that checks the numbers of quantized tensors.
class QuantizationCheck {
public:
  explicit QuantizationCheck(MatchAttempt &attempt) : attempt(attempt) {}

  mlir::LogicalResult checkZeroPoints();
  /// Fails because the channels of a function's tensor have different values.
  mlir::LogicalResult failWithoutNumber(mlir::Operation *function);
  mlir::LogicalResult checkArrays();

private:
  MatchAttempt &attempt;
};

/// One attempt to match with the given decisions. Appends missing decisions
/// with their first option.
class MatchAttempt {
public:
  /// If `why` is not null, stops as soon as the distance reaches `limit`.
  MatchAttempt(PatternOp pattern, mlir::Operation *root, Mismatch *why,
               unsigned limit, bool isInside,
               llvm::SmallVectorImpl<Decision> &decisions)
      : pattern(pattern), root(root), why(why), limit(limit),
        isInside(isInside), decisions(decisions) {
    match.pattern = pattern;
  }

  /// Checks all constraints. On failure, sets `why` if it is not null.
  mlir::LogicalResult run() {
    // Attributes such as out_dtype and the layouts follow from the element
    // types and define how to read shapes: the first reason is the one to fix.
    if (mlir::failed(bindOperators()) || mlir::failed(checkElementTypes()) ||
        mlir::failed(QuantizationCheck(*this).checkZeroPoints()) ||
        mlir::failed(checkAttributes()) || mlir::failed(checkTensors()))
      return mlir::failure();
    findSplits();
    if (mlir::failed(match.splits.empty() ? checkNumbers() : checkPieces()) ||
        mlir::failed(checkUses()))
      return mlir::failure();
    return mlir::success(failures == 0);
  }

  Match takeMatch() { return std::move(match); }
  /// Returns the number of decisions that the attempt reached.
  unsigned getNumDecisions() const { return nextDecision; }

private:
  friend class QuantizationCheck;

  /// Records a failed constraint. If `why` is not null, succeeds to continue
  /// and count further failures.
  mlir::LogicalResult fail(mlir::Operation *where, const llvm::Twine &reason,
                           unsigned weight = 1) {
    if (!why) {
      ++failures;
      return mlir::failure();
    }
    if (failures == 0) {
      why->reason = reason.str();
      why->where = where;
    }
    failures += weight;
    why->distance = failures;
    return mlir::success(failures < limit);
  }

  /// Returns the option, out of `count`, of the next decision.
  unsigned decide(unsigned count);

  // Structure: MatchAttempt.cpp.
  mlir::LogicalResult bindOperators();
  mlir::LogicalResult bindOperator(OperatorOp opOp);
  mlir::LogicalResult bindOperands(OperatorOp opOp, mlir::Operation *op);
  mlir::LogicalResult bindChoice(ChoiceOp choice);
  /// Binds `tensor` of the pattern to `value` of the graph, an operand of
  /// `user`.
  mlir::LogicalResult bind(mlir::Value tensor, mlir::Value value,
                           mlir::Operation *user, const llvm::Twine &place);
  /// Returns whether `tensor` can be `value`, judging only by kinds of
  /// operators.
  bool canBe(mlir::Value tensor, mlir::Value value) const;
  std::string describeWanted(mlir::Value tensor) const;
  mlir::LogicalResult bindSibling(mlir::Value output);
  llvm::SmallVector<mlir::Operation *> findSiblings(mlir::Value output);
  mlir::LogicalResult checkResults();
  mlir::LogicalResult checkUses();

  // Constraints on operators and tensors: MatchConstraints.cpp.
  mlir::LogicalResult checkElementTypes();
  mlir::LogicalResult checkAttributes();
  /// `wantedKernel` is the layout that the pattern wants for the weights, or
  /// null.
  mlir::LogicalResult checkUnwritten(mlir::Operation *op, llvm::StringRef name,
                                     mlir::Attribute actual,
                                     mlir::Attribute byDefault,
                                     mlir::Attribute wantedKernel);
  mlir::LogicalResult checkWritten(OperatorOp opOp, mlir::Operation *op,
                                   llvm::StringRef name, mlir::Attribute actual,
                                   mlir::Attribute wanted);
  mlir::LogicalResult checkOutside(mlir::Operation *op, mlir::Attribute actual);
  mlir::Operation *getPlace(mlir::Value tensor) const;
  mlir::LogicalResult checkElementType(TensorTypeOpInterface type);
  mlir::LogicalResult checkTensors();
  mlir::LogicalResult checkShape(TensorTypeOpInterface written);

  // Matches of several pieces: MatchNumbers.cpp.
  void findSplits();
  /// Finds the axis along which each tensor is sliced. Fails and sets `problem`
  /// if slices of a result depend on one another.
  mlir::LogicalResult findSliceAxes(Match::Split &split, Mismatch &problem);
  /// Returns a hint how a `split` would satisfy a failed condition, or an empty
  /// string if it would not.
  std::string getSplitHint(mlir::Value condition);
  mlir::LogicalResult checkPieces();

  // Dims, conditions and arguments: MatchNumbers.cpp.
  mlir::LogicalResult checkNumbers();
  mlir::LogicalResult checkPlaces();
  mlir::LogicalResult checkRequire(RequireOp require,
                                   const Evaluator &evaluator);
  mlir::LogicalResult bindDim(DimOp dim, mlir::TypedAttr number,
                              mlir::Operation *where, llvm::StringRef place);
  void zeroAbsentDims();
  mlir::LogicalResult measure();
  std::string describeNumbers(mlir::Value value) const;

  PatternOp pattern;
  mlir::Operation *root;
  Mismatch *why;
  unsigned limit;
  /// Whether the graph is the body of a composite; its borders are outside.
  bool isInside;
  llvm::SmallVectorImpl<Decision> &decisions;
  unsigned nextDecision = 0;
  unsigned failures = 0;
  /// Tensors that the match must have; all others are absent.
  llvm::DenseSet<mlir::Value> needed;
  /// Operation bound to each operator of the pattern.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> bound;
  /// Choice that selected a tensor as its alternative.
  llvm::DenseMap<mlir::Value, mlir::Value> chosenFor;
  /// First graph operation that uses a tensor; location of messages about it.
  llvm::DenseMap<mlir::Value, mlir::Operation *> firstUser;
  /// Leading sizes that each dim after '...' stands for.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> packs;
  /// Origin of each dim's value.
  llvm::DenseMap<mlir::Value, std::string> places;
  Match match;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_MATCHATTEMPT_H

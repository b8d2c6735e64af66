//===- MatchAttempt.h - One try to match a pattern -*- C++ -*--------------===//
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

/// A point where an attempt can go on in several ways: the order of a
/// commutative operator's operands, the alternative of a choice, the operation
/// that a second result of the pattern is.
struct Decision {
  unsigned taken; ///< the way taken
  unsigned count; ///< the number of ways
};

/// One try to match, with the ways to go given by `decisions`. Decisions that
/// are not there yet are added, with the first way taken.
class MatchAttempt {
public:
  /// Where a reason is wanted, the attempt ends as soon as it is no closer than
  /// `limit`.
  MatchAttempt(PatternOp pattern, mlir::Operation *root, Mismatch *why,
               unsigned limit, llvm::SmallVectorImpl<Decision> &decisions)
      : pattern(pattern), root(root), why(why), limit(limit),
        decisions(decisions) {
    match.pattern = pattern;
  }

  /// Succeeds when everything holds. Else the reason is in `why`, if that is
  /// given.
  mlir::LogicalResult run() {
    // Attributes such as out_dtype and the layouts follow from the element
    // types and say how to read shapes: the first reason is the one to mend.
    if (mlir::failed(bindOperators()) || mlir::failed(checkElementTypes()) ||
        mlir::failed(checkAttributes()) || mlir::failed(checkInputs()) ||
        mlir::failed(checkNumbers()) || mlir::failed(checkUses()))
      return mlir::failure();
    return mlir::success(failures == 0);
  }

  Match takeMatch() { return std::move(match); }
  /// The number of decisions that the attempt came to.
  unsigned getNumDecisions() const { return nextDecision; }

private:
  /// Notes a constraint that does not hold. Matching goes on where a reason is
  /// wanted, in order to count what else does not hold.
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

  /// The way to go of `count`.
  unsigned decide(unsigned count);

  // Structure: MatchAttempt.cpp, MatchSiblings.cpp.
  mlir::LogicalResult bindOperators();
  mlir::LogicalResult bindOperator(OpOp opOp);
  mlir::LogicalResult bindOperands(OpOp opOp, mlir::Operation *op);
  mlir::LogicalResult bindChoice(ChoiceOp choice);
  /// Makes `tensor` part of the match, as `value`, which `user` uses.
  mlir::LogicalResult bind(mlir::Value tensor, mlir::Value value,
                           mlir::Operation *user, const llvm::Twine &place);
  /// Whether `tensor` can be `value`, as far as the kind of operator tells.
  bool canBe(mlir::Value tensor, mlir::Value value) const;
  std::string describeWanted(mlir::Value tensor) const;
  mlir::LogicalResult bindSibling(mlir::Value output);
  llvm::SmallVector<mlir::Operation *> findSiblings(mlir::Value output);
  mlir::LogicalResult checkResults();
  mlir::LogicalResult checkUses();

  // What the operators and tensors must be: MatchConstraints.cpp.
  mlir::LogicalResult checkElementTypes();
  mlir::LogicalResult checkAttributes();
  mlir::LogicalResult checkUnwritten(mlir::Operation *op, llvm::StringRef name,
                                     mlir::Attribute actual,
                                     mlir::Attribute byDefault);
  mlir::LogicalResult checkWritten(mlir::Operation *op, llvm::StringRef name,
                                   mlir::Attribute actual,
                                   mlir::Attribute wanted);
  mlir::LogicalResult checkInputs();
  mlir::LogicalResult checkInput(InputOp input, mlir::Value value);

  // Dims, conditions and arguments: MatchNumbers.cpp.
  mlir::LogicalResult checkNumbers();
  mlir::LogicalResult checkPlaces();
  mlir::LogicalResult checkRequire(RequireOp require,
                                   const Evaluator &evaluator);
  mlir::LogicalResult bindDim(DimOp dim, mlir::TypedAttr number,
                              mlir::Operation *where, llvm::StringRef place);
  void zeroAbsentDims();
  void measure();
  std::string describeNumbers(mlir::Value value) const;

  PatternOp pattern;
  mlir::Operation *root;
  Mismatch *why;
  unsigned limit;
  llvm::SmallVectorImpl<Decision> &decisions;
  unsigned nextDecision = 0;
  unsigned failures = 0;
  /// The tensors that the match has or lacks; others are absent.
  llvm::DenseSet<mlir::Value> needed;
  /// The operation that each operator of the pattern stands for.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> bound;
  /// The choice that a tensor stands for.
  llvm::DenseMap<mlir::Value, mlir::Value> chosenFor;
  /// The graph operation that uses a tensor first: where a message about the
  /// tensor points.
  llvm::DenseMap<mlir::Value, mlir::Operation *> firstUser;
  /// Where each dim got its value.
  llvm::DenseMap<mlir::Value, std::string> places;
  Match match;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_MATCHATTEMPT_H

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

namespace uma::accel {

/// One try to match, with the orders of commutative operators' operands given
/// by `decisions`: true swaps. Decisions that are not there yet are added as
/// false.
class MatchAttempt {
public:
  MatchAttempt(PatternOp pattern, mlir::Operation *root, Mismatch *why,
               llvm::SmallVectorImpl<bool> &decisions)
      : pattern(pattern), root(root), why(why), decisions(decisions) {
    match.pattern = pattern;
    llvm::append_range(operators, pattern.getBody().getOps<OpOp>());
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
    return mlir::success();
  }

  // Structure: MatchAttempt.cpp.
  mlir::LogicalResult bindOperators();
  mlir::LogicalResult bindOperands(OpOp opOp, mlir::Operation *op);
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
  mlir::LogicalResult checkNumbers();
  mlir::LogicalResult checkPlaces();
  mlir::LogicalResult checkRequire(RequireOp require,
                                   const Evaluator &evaluator);
  mlir::LogicalResult bindDim(DimOp dim, int64_t size, mlir::Operation *where,
                              llvm::StringRef place);
  std::string describeNumbers(mlir::Value value) const;

  PatternOp pattern;
  mlir::Operation *root;
  Mismatch *why;
  llvm::SmallVectorImpl<bool> &decisions;
  unsigned nextDecision = 0;
  unsigned failures = 0;
  llvm::SmallVector<OpOp> operators;
  /// The operation that each operator of the pattern stands for.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> bound;
  /// The graph operation that uses a tensor first: where a message about the
  /// tensor points.
  llvm::DenseMap<mlir::Value, mlir::Operation *> firstUser;
  /// Where each dim got its value.
  llvm::DenseMap<mlir::Value, std::string> places;
  Match match;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_MATCHATTEMPT_H

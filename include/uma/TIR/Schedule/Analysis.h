//===- Analysis.h - What schedule primitives know of a function -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loop variables are dimensions of affine expressions: dimension i is the
// variable of the i-th of the loops that are given beside the expression.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_SCHEDULE_ANALYSIS_H
#define UMA_TIR_SCHEDULE_ANALYSIS_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

#include <vector>

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace uma::tir::schedule {

//===----------------------------------------------------------------------===//
// Index expressions
//===----------------------------------------------------------------------===//

struct Statement;

/// Returns the loops around `op`, outermost first.
llvm::SmallVector<ForOp> getLoopsAround(mlir::Operation *op);

/// The smallest and the largest value of an expression.
struct IndexRange {
  int64_t low, high;
};
/// Returns the range of a loop's variable, where its bounds are integers.
std::optional<IndexRange> getRange(ForOp loop);
/// Bounds of `expression` from those of its dimensions; exact for sums in which
/// each dimension occurs once.
std::optional<IndexRange>
getRange(mlir::AffineExpr expression,
         llvm::ArrayRef<std::optional<IndexRange>> dims);
std::optional<IndexRange> getRange(mlir::AffineExpr expression,
                                   llvm::ArrayRef<ForOp> loops);

/// `value` as an expression of `dims`, whose ranges are given; null if it is
/// none.
mlir::AffineExpr toAffine(mlir::Value value, mlir::ValueRange dims,
                          llvm::ArrayRef<std::optional<IndexRange>> ranges);
/// Returns the same of the variables of loops.
mlir::AffineExpr toAffine(mlir::Value value, llvm::ArrayRef<ForOp> loops);
/// Returns the same of an index in the body or the init region of a block, as
/// an expression of the variables of the loops around it.
mlir::AffineExpr toAffine(mlir::Value index, const Statement &statement);

/// Adds what makes the condition `value` true to `conditions`, each of them an
/// expression that is not negative. Conditions that are not affine are left
/// out; then the result is false.
bool addConditions(mlir::Value value, llvm::ArrayRef<ForOp> loops,
                   llvm::SmallVectorImpl<mlir::AffineExpr> &conditions);

/// Returns a constant at the start of the function around the insertion point.
mlir::Value makeIndex(mlir::OpBuilder &builder, mlir::Location loc,
                      int64_t value);
/// Returns the value of `expression`.
mlir::Value makeValue(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::AffineExpr expression, mlir::ValueRange dims);
/// `lhs && rhs`, where `lhs` may be null.
mlir::Value makeAnd(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value lhs, mlir::Value rhs);

//===----------------------------------------------------------------------===//
// Statements and what they touch
//===----------------------------------------------------------------------===//

/// Returns the buffer that `buffer` is a view of.
mlir::Value getBase(mlir::Value buffer);
/// False if the two base buffers never share memory.
bool mayAlias(mlir::Value lhs, mlir::Value rhs);

struct Access {
  /// Null stands for the state of devices.
  mlir::Value buffer;
  bool isWrite = false;
  /// The first element; empty if any element may be touched.
  std::optional<llvm::SmallVector<mlir::AffineExpr>> first;
  llvm::SmallVector<int64_t> extents;
};

/// A block, or an operation outside of blocks that touches memory.
struct Statement {
  mlir::Operation *op;
  llvm::SmallVector<ForOp> loops;
  /// Expressions that are not negative when the statement runs.
  llvm::SmallVector<mlir::AffineExpr> conditions;
  /// Of a block; null if it is not affine.
  llvm::SmallVector<mlir::AffineExpr> bindings;
  llvm::SmallVector<Access> accesses;
};

/// Returns the statements in `root`, in order.
std::vector<Statement> getStatements(mlir::Operation *root);
Statement getStatement(mlir::Operation *op);

/// True for blocks that add up into what they write, in any order: the body
/// loads the element, combines it by one operation, and stores it.
bool isCommutativeReduction(BlockOp block);

/// The block's variable that `loop` counts is one of a reduction.
bool isReduceLoop(const Statement &statement, ForOp loop);

/// Returns true if `op` may run before or after `other` alike.
bool isIndependent(mlir::Operation *op, mlir::Operation *other);

/// `block "C"`, or the name of an operation, for messages.
std::string describe(mlir::Operation *op);

/// Returns true if `loop` holds nothing but the loop or block `inner` and index
/// arithmetic.
bool holdsOnly(ForOp loop, mlir::Operation *inner);

/// Removes loops from `loop` outwards that do nothing.
void eraseEmptyLoops(mlir::RewriterBase &rewriter, mlir::Operation *loop);

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

/// Two statements that touch an element of a buffer, which one of them writes.
struct Conflict {
  mlir::Operation *first, *second;
  /// Null if both call devices.
  mlir::Value buffer;
};

/// Statements under `loop` that touch the same element in different iterations
/// of it, in the same iteration of the loops in `equal`.
std::optional<Conflict> findCarried(llvm::ArrayRef<Statement> statements,
                                    ForOp loop, llvm::ArrayRef<ForOp> equal);
std::optional<Conflict> findCarried(ForOp loop);

/// Returns true if the block's predicate holds wherever its variables are in
/// their domains.
bool leavesOutOnlyExcess(const Statement &statement);

/// Statements in the nest `chain` that would run in the other order if the
/// nest had the order `order`.
std::optional<Conflict> findReversed(llvm::ArrayRef<Statement> statements,
                                     llvm::ArrayRef<ForOp> chain,
                                     llvm::ArrayRef<ForOp> order);

} // namespace uma::tir::schedule

#endif // UMA_TIR_SCHEDULE_ANALYSIS_H

//===- Analysis.h - Analyses for schedule primitives -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Affine expressions come with a list of loops: dimension i of the expression
// is the variable of the i-th loop.
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

/// Inclusive range of an index.
struct IndexRange {
  int64_t low, high;
};
/// Returns the range of a loop's variable, or std::nullopt unless its bounds
/// are constant and it iterates at least once.
std::optional<IndexRange> getRange(ForOp loop);
/// Returns the range of `expression` given the ranges of its dimensions. Exact
/// for sums in which each dimension occurs once.
std::optional<IndexRange>
getRange(mlir::AffineExpr expression,
         llvm::ArrayRef<std::optional<IndexRange>> dims);
std::optional<IndexRange> getRange(mlir::AffineExpr expression,
                                   llvm::ArrayRef<ForOp> loops);

/// Returns `value` as an affine expression of `dims`, whose ranges are given,
/// or null if it is not affine.
mlir::AffineExpr toAffine(mlir::Value value, mlir::ValueRange dims,
                          llvm::ArrayRef<std::optional<IndexRange>> ranges);
/// Returns `value` as an affine expression of the loops' variables, or null if
/// it is not affine.
mlir::AffineExpr toAffine(mlir::Value value, llvm::ArrayRef<ForOp> loops);
/// Returns an index in the body or init region of a block as an affine
/// expression of the variables of the surrounding loops, or null if it is not
/// affine.
mlir::AffineExpr toAffine(mlir::Value index, const Statement &statement);

/// Decomposes the condition `value` into affine expressions that are
/// non-negative if it holds, and adds them to `conditions`. Returns false if a
/// part of the condition is not affine; that part is left out.
bool addConditions(mlir::Value value, llvm::ArrayRef<ForOp> loops,
                   llvm::SmallVectorImpl<mlir::AffineExpr> &conditions);

/// Creates an index constant at the start of the function around the insertion
/// point.
mlir::Value makeIndex(mlir::OpBuilder &builder, mlir::Location loc,
                      int64_t value);
/// Builds `expression` at the insertion point, with `dims` for its dimensions.
mlir::Value makeValue(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::AffineExpr expression, mlir::ValueRange dims);
/// Builds `lhs && rhs`; returns `rhs` if `lhs` is null.
mlir::Value makeAnd(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value lhs, mlir::Value rhs);

//===----------------------------------------------------------------------===//
// Statements and their accesses
//===----------------------------------------------------------------------===//

/// Returns the buffer that underlies `buffer`, looking through views.
mlir::Value getBase(mlir::Value buffer);
/// Returns false if the two base buffers never share memory.
bool mayAlias(mlir::Value lhs, mlir::Value rhs);

struct Access {
  /// Null for an access to the state of devices.
  mlir::Value buffer;
  bool isWrite = false;
  /// Index of the first element; std::nullopt if any element may be accessed.
  std::optional<llvm::SmallVector<mlir::AffineExpr>> first;
  llvm::SmallVector<int64_t> extents;
};

/// Block, or operation outside of blocks that accesses memory.
struct Statement {
  mlir::Operation *op;
  llvm::SmallVector<ForOp> loops;
  /// Expressions that are non-negative whenever the statement runs.
  llvm::SmallVector<mlir::AffineExpr> conditions;
  /// Bindings of a block's iteration variables; null if not affine.
  llvm::SmallVector<mlir::AffineExpr> bindings;
  llvm::SmallVector<Access> accesses;
};

/// Returns the statements in `root`, in order.
std::vector<Statement> getStatements(mlir::Operation *root);
Statement getStatement(mlir::Operation *op);

/// Returns true if the block is a reduction by a commutative operation: the
/// body loads the element that it writes, combines it by one operation, and
/// stores it.
bool isCommutativeReduction(BlockOp block);

/// Returns true if a reduce variable of the block depends on `loop`.
bool isReduceLoop(const Statement &statement, ForOp loop);

/// Returns true if `op` may be reordered with `other`.
bool isIndependent(mlir::Operation *op, mlir::Operation *other);

/// Returns `block "C"`, or the name of an operation, for messages.
std::string describe(mlir::Operation *op);

/// Returns true if the body of `loop` holds only `inner`, a loop or block, and
/// index arithmetic.
bool holdsOnly(ForOp loop, mlir::Operation *inner);

/// Erases `loop` if its body has no effect, then the surrounding loops
/// likewise.
void eraseEmptyLoops(mlir::RewriterBase &rewriter, mlir::Operation *loop);

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

/// Dependence between two statements that access the same element of a buffer;
/// at least one of them writes it.
struct Conflict {
  mlir::Operation *first, *second;
  /// Null if the conflict is on the state of devices.
  mlir::Value buffer;
};

/// Returns a dependence carried by `loop`: two statements access the same
/// element in different iterations of `loop` and the same iteration of the
/// loops in `equal`. Returns std::nullopt if there is none.
std::optional<Conflict> findCarried(llvm::ArrayRef<Statement> statements,
                                    ForOp loop, llvm::ArrayRef<ForOp> equal);
std::optional<Conflict> findCarried(ForOp loop);

/// Returns true if the block's predicate holds whenever its iteration variables
/// are in their domains.
bool leavesOutOnlyExcess(const Statement &statement);

/// Returns a dependence in the nest `chain` that would be reversed if its loops
/// had the order `order`, or std::nullopt if there is none.
std::optional<Conflict> findReversed(llvm::ArrayRef<Statement> statements,
                                     llvm::ArrayRef<ForOp> chain,
                                     llvm::ArrayRef<ForOp> order);

} // namespace uma::tir::schedule

#endif // UMA_TIR_SCHEDULE_ANALYSIS_H

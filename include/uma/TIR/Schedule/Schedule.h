//===- Schedule.h - Primitives that transform schedulable TIR -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The primitives of `tvm::tir::Schedule`, under their names, on a function
// whose computations are blocks. Each checks first that it keeps what the
// function computes: an illegal request is an error on the operation that it is
// about, says why, and leaves the function as it was. Legality comes from what
// blocks promise (kinds of iteration variables, regions) and from exact integer
// sets, not from the shape of loops. Sums may be added up in another order.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_SCHEDULE_SCHEDULE_H
#define UMA_TIR_SCHEDULE_SCHEDULE_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/PatternMatch.h"

namespace uma::tir {

class Schedule {
public:
  /// Changes `func`; listeners of `rewriter` hear of it.
  explicit Schedule(FuncOp func) : func(func), own(func), rewriter(own) {}
  Schedule(FuncOp func, mlir::RewriterBase &rewriter)
      : func(func), own(func), rewriter(rewriter) {}
  Schedule(const Schedule &) = delete;
  Schedule &operator=(const Schedule &) = delete;

  //===--- Handles --------------------------------------------------------===//

  /// A version of the function's code: that for vectors of so many lanes and
  /// with this guard; the one of one lane is the default.
  struct Version {
    int64_t lanes = 1;
    llvm::StringRef guard = "";
  };
  /// Returns the block with this label, in the version where one is given.
  mlir::FailureOr<BlockOp>
  getBlock(llvm::StringRef label,
           std::optional<Version> version = std::nullopt);
  /// Returns the loops around the block, outermost first.
  static llvm::SmallVector<ForOp> getLoops(BlockOp block);

  //===--- Loops ----------------------------------------------------------===//

  /// Stands for the factor that follows from the others.
  static constexpr int64_t kInferred = mlir::ShapedType::kDynamic;

  /// Replaces the loop by one per factor, outermost first. Where the factors
  /// cover more than the loop, blocks get a predicate.
  mlir::FailureOr<llvm::SmallVector<ForOp>>
  split(ForOp loop, llvm::ArrayRef<int64_t> wanted);
  /// Makes nested loops one.
  mlir::FailureOr<ForOp> fuse(llvm::ArrayRef<ForOp> given);
  /// Gives nested loops this order; those not named stay where they are.
  mlir::LogicalResult reorder(llvm::ArrayRef<ForOp> wanted);
  mlir::LogicalResult vectorize(ForOp loop);
  mlir::LogicalResult parallel(ForOp loop);
  mlir::LogicalResult unroll(ForOp loop);

  //===--- Versions -------------------------------------------------------===//

  /// Makes all that the function does a version for vectors of each of `lanes`,
  /// the widest first, and a default one.
  mlir::FailureOr<MultiversionOp> multiversion(llvm::ArrayRef<int64_t> lanes);

  //===--- Blocks and buffers ---------------------------------------------===//

  /// Lets the block read a copy of the buffer that it reads as number `index`;
  /// returns the block that copies.
  mlir::FailureOr<BlockOp> cacheRead(BlockOp block, unsigned index,
                                     Scope scope);
  /// Lets the block write into a buffer of its own, which is copied to the one
  /// that it wrote as number `index`; returns the block that copies.
  mlir::FailureOr<BlockOp> cacheWrite(BlockOp block, unsigned index,
                                      Scope scope);
  /// Moves the producer under a loop of its consumers, and computes there what
  /// one iteration needs.
  mlir::LogicalResult computeAt(BlockOp block, ForOp loop);
  /// Moves the consumer under a loop of its producer, and computes there what
  /// one iteration gives.
  mlir::LogicalResult reverseComputeAt(BlockOp block, ForOp loop);
  /// Computes the block's elements where they are read.
  mlir::LogicalResult computeInline(BlockOp block);
  /// Computes the block's elements where its operand is written. A copy of
  /// the sum of a reduction goes, too: the sum is added up in what it writes.
  mlir::LogicalResult reverseComputeInline(BlockOp block);
  /// Moves the init region before `loop`, as a block of its own.
  mlir::FailureOr<BlockOp> decomposeReduction(BlockOp block, ForOp loop);
  /// Makes partial results of a reduction, one per iteration of `loop`, and a
  /// block with the label of `block` that combines them; returns the block that
  /// computes them.
  mlir::FailureOr<BlockOp> rfactor(BlockOp block, ForOp loop);
  /// Replaces what is computed in `root`, a loop or a block, by a call to the C
  /// function that computes the same as the function `intrinsic`.
  mlir::FailureOr<CallExternOp> tensorize(mlir::Operation *root,
                                          FuncOp intrinsic);
  /// Sets where the buffer lives that the block writes as number `index`.
  mlir::LogicalResult setScope(BlockOp block, unsigned index, Scope scope);
  mlir::LogicalResult annotate(mlir::Operation *op, llvm::StringRef name,
                               mlir::Attribute value);

private:
  mlir::LogicalResult setKind(ForOp loop, ForKind kind);

  FuncOp func;
  mlir::IRRewriter own;
  mlir::RewriterBase &rewriter;
};

} // namespace uma::tir

#endif // UMA_TIR_SCHEDULE_SCHEDULE_H

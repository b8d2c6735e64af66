//===- Schedule.h - Schedule primitives -*- C++ -*-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Schedule primitives, named as in `tvm::tir::Schedule`, for functions whose
// computations are blocks. Each primitive checks legality first. An illegal
// request emits an error on the operation concerned, which gives the reason,
// and leaves the function unchanged. Legality follows from the blocks (kinds of
// iteration variables, regions) and from exact integer sets, not from the form
// of the loops. Reductions may be reassociated.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_SCHEDULE_SCHEDULE_H
#define UMA_TIR_SCHEDULE_SCHEDULE_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/PatternMatch.h"

namespace uma::tir {

class Schedule {
public:
  /// Creates a schedule that transforms `func`, notifying the listener of
  /// `rewriter` if given.
  explicit Schedule(FuncOp func) : func(func), own(func), rewriter(own) {}
  Schedule(FuncOp func, mlir::RewriterBase &rewriter)
      : func(func), own(func), rewriter(rewriter) {}
  Schedule(const Schedule &) = delete;
  Schedule &operator=(const Schedule &) = delete;

  //===--- Handles --------------------------------------------------------===//

  /// Version of the function's code, identified by its number of vector lanes
  /// and its guard. The version with one lane is the default.
  struct Version {
    int64_t lanes = 1;
    llvm::StringRef guard = "";
  };
  /// Returns the block with this label, in `version` if given. Emits an error
  /// and fails unless exactly one block matches.
  mlir::FailureOr<BlockOp>
  getBlock(llvm::StringRef label,
           std::optional<Version> version = std::nullopt);
  /// Returns the loops around the block, outermost first.
  static llvm::SmallVector<ForOp> getLoops(BlockOp block);

  //===--- Loops ----------------------------------------------------------===//

  /// Marker for the factor of a split that is inferred from the others.
  static constexpr int64_t kInferred = mlir::ShapedType::kDynamic;

  /// Replaces the loop by a nest with one loop per factor, outermost first. If
  /// the product of the factors exceeds the extent, blocks get a predicate.
  mlir::FailureOr<llvm::SmallVector<ForOp>>
  split(ForOp loop, llvm::ArrayRef<int64_t> wanted);
  /// Fuses perfectly nested loops into one.
  mlir::FailureOr<ForOp> fuse(llvm::ArrayRef<ForOp> given);
  /// Permutes nested loops into this order. Loops between them that are not
  /// named stay in place.
  mlir::LogicalResult reorder(llvm::ArrayRef<ForOp> wanted);
  mlir::LogicalResult vectorize(ForOp loop);
  mlir::LogicalResult parallel(ForOp loop);
  mlir::LogicalResult unroll(ForOp loop);

  //===--- Versions -------------------------------------------------------===//

  /// Wraps the body of the function in a `uma.tir.multiversion` with one
  /// version for each of `lanes`, the widest first, and a default version.
  mlir::FailureOr<MultiversionOp> multiversion(llvm::ArrayRef<int64_t> lanes);

  //===--- Blocks and buffers ---------------------------------------------===//

  /// Copies the buffer that the block reads as number `index` into a new
  /// buffer, from which the block then reads. Returns the block that copies.
  mlir::FailureOr<BlockOp> cacheRead(BlockOp block, unsigned index,
                                     Scope scope);
  /// Redirects writes of the block from the buffer number `index` to a new
  /// buffer, which is then copied back. Returns the block that copies.
  mlir::FailureOr<BlockOp> cacheWrite(BlockOp block, unsigned index,
                                      Scope scope);
  /// Moves a producer into a loop around its consumers, so that each iteration
  /// computes the elements that it reads.
  mlir::LogicalResult computeAt(BlockOp block, ForOp loop);
  /// Moves a consumer into a loop around its producer, so that each iteration
  /// consumes the elements that it produces.
  mlir::LogicalResult reverseComputeAt(BlockOp block, ForOp loop);
  /// Inlines the block into its consumers.
  mlir::LogicalResult computeInline(BlockOp block);
  /// Inlines the block into its producer. If the block copies the result of a
  /// reduction, the reduction accumulates in the destination instead.
  mlir::LogicalResult reverseComputeInline(BlockOp block);
  /// Splits the init region off as a separate block before `loop`, and returns
  /// that block.
  mlir::FailureOr<BlockOp> decomposeReduction(BlockOp block, ForOp loop);
  /// Factors a reduction into partial results, one per iteration of `loop`, and
  /// a second block with the label of `block` that combines them. Returns the
  /// block that computes the partial results.
  mlir::FailureOr<BlockOp> rfactor(BlockOp block, ForOp loop);
  /// Replaces `root`, a loop or block, by a call to a C function if it computes
  /// the same as the function `intrinsic`, which names that C function.
  mlir::FailureOr<CallExternOp> tensorize(mlir::Operation *root,
                                          FuncOp intrinsic);
  /// Sets the memory scope of the buffer that the block writes as number
  /// `index`.
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

//===- Primitives.h - Primitives of schedules -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Those of uma/TIR/Schedule/Schedule.h, which describes them.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_SCHEDULE_PRIMITIVES_H
#define UMA_LIB_TIR_SCHEDULE_PRIMITIVES_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/PatternMatch.h"

namespace uma::tir::schedule {

mlir::FailureOr<BlockOp> cacheRead(FuncOp func, mlir::RewriterBase &rewriter,
                                   BlockOp block, unsigned index, Scope scope);
mlir::FailureOr<BlockOp> cacheWrite(FuncOp func, mlir::RewriterBase &rewriter,
                                    BlockOp block, unsigned index, Scope scope);
mlir::LogicalResult computeAt(mlir::RewriterBase &rewriter, BlockOp block,
                              ForOp loop);
mlir::LogicalResult reverseComputeAt(mlir::RewriterBase &rewriter,
                                     BlockOp block, ForOp loop);
mlir::LogicalResult computeInline(mlir::RewriterBase &rewriter, BlockOp block);
mlir::LogicalResult reverseComputeInline(mlir::RewriterBase &rewriter,
                                         BlockOp block);
mlir::FailureOr<llvm::SmallVector<ForOp>>
split(mlir::RewriterBase &rewriter, ForOp loop, llvm::ArrayRef<int64_t> wanted);
mlir::FailureOr<ForOp> fuse(FuncOp func, mlir::RewriterBase &rewriter,
                            llvm::ArrayRef<ForOp> given);
mlir::LogicalResult reorder(FuncOp func, mlir::RewriterBase &rewriter,
                            llvm::ArrayRef<ForOp> wanted);
mlir::FailureOr<BlockOp> rfactor(FuncOp func, mlir::RewriterBase &rewriter,
                                 BlockOp block, ForOp loop);
mlir::FailureOr<BlockOp> decomposeReduction(mlir::RewriterBase &rewriter,
                                            BlockOp block, ForOp loop);
mlir::FailureOr<CallExternOp> tensorize(mlir::RewriterBase &rewriter,
                                        mlir::Operation *root,
                                        FuncOp intrinsic);

} // namespace uma::tir::schedule

#endif // UMA_LIB_TIR_SCHEDULE_PRIMITIVES_H

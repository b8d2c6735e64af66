//===- LoopUtils.h - Utilities of loop passes -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_LOOPUTILS_H
#define UMA_LIB_TIR_TRANSFORMS_LOOPUTILS_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace uma::tir {

/// Returns true if the loop only computes and reads. Since loops terminate, it
/// then has no effect.
bool hasNoEffect(ForOp loop);

/// Returns true if the store writes a value that was just loaded from the same
/// place.
bool isSelfStore(mlir::memref::StoreOp store);

/// Returns the number of operations in `op`, itself included.
int64_t countOperations(mlir::Operation *op);

/// Adds the leaves of `condition`, i.e. comparisons or other i1 values that are
/// combined by logical operations in the loop, to `conditions`; each once.
void collectConditions(ForOp loop, mlir::Value condition,
                       llvm::SmallVectorImpl<mlir::Value> &conditions);

/// Clones loops and specialises them for known conditions.
class LoopSpecializer {
public:
  explicit LoopSpecializer(mlir::MLIRContext *context);

  /// Clones `loop` with the given bounds at the insertion point. `mapping` maps
  /// old values to their clones.
  static ForOp clone(ForOp loop, mlir::OpFoldResult lower,
                     mlir::OpFoldResult upper, mlir::OpBuilder &builder,
                     mlir::IRMapping &mapping);

  /// Replaces `condition`, which may be defined outside, by the constant
  /// `value` in the loop.
  static void setCondition(ForOp loop, mlir::Value condition, bool value);

  /// Folds operations that depend on constant conditions. Erases the loop and
  /// returns false if it then has no effect.
  bool simplify(ForOp loop) const;

private:
  mlir::FrozenRewritePatternSet patterns;
};

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_LOOPUTILS_H

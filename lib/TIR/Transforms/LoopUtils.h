//===- LoopUtils.h - What passes on loops share -*- C++ -*-----------------===//
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

/// Returns true if the loop only computes and reads: loops end, so it is
/// nothing.
bool hasNoEffect(ForOp loop);

/// Returns true if the store writes back what was just loaded from the same
/// place.
bool isSelfStore(mlir::memref::StoreOp store);

/// Returns the number of operations in `op`, itself included.
int64_t countOperations(mlir::Operation *op);

/// The comparisons, or other values of type i1, that decide about `condition`
/// through logical operations of the loop; each once.
void collectConditions(ForOp loop, mlir::Value condition,
                       llvm::SmallVectorImpl<mlir::Value> &conditions);

/// Makes copies of loops in which a condition is known.
class LoopSpecializer {
public:
  explicit LoopSpecializer(mlir::MLIRContext *context);

  /// Puts a copy of `loop` with the given bounds at the builder's insertion
  /// point. `mapping` says what became of the values in it.
  static ForOp clone(ForOp loop, mlir::OpFoldResult lower,
                     mlir::OpFoldResult upper, mlir::OpBuilder &builder,
                     mlir::IRMapping &mapping);

  /// Says what `condition` is in the loop. It may stand outside.
  static void setCondition(ForOp loop, mlir::Value condition, bool value);

  /// Folds what depends on conditions that are constants now. Erases the loop
  /// if it has no effect then; false in that case.
  bool simplify(ForOp loop) const;

private:
  mlir::FrozenRewritePatternSet patterns;
};

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_LOOPUTILS_H

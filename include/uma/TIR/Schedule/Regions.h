//===- Regions.h - What one iteration touches of a buffer -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_SCHEDULE_REGIONS_H
#define UMA_TIR_SCHEDULE_REGIONS_H

#include "uma/TIR/Schedule/Analysis.h"

#include "mlir/IR/PatternMatch.h"

namespace uma::tir::schedule {

/// The indices `[low, low + size)`; `low` is an expression of loops' variables.
struct Interval {
  mlir::AffineExpr low;
  int64_t size;
};

/// For each dimension of the buffer, what the accesses touch in one iteration
/// of the first `numOuter` of their loops, which they have in common.
llvm::SmallVector<Interval>
getRegion(llvm::ArrayRef<std::pair<const Statement *, const Access *>> accesses,
          mlir::MemRefType type, unsigned numOuter);

/// For each dimension of the buffer, the number of the block's variable that is
/// the index in it, or the index itself where it is a constant.
struct PointIndex {
  std::optional<unsigned> variable;
  int64_t constant = 0;
};
/// Nothing unless the region is one element, and each of its indices a constant
/// or a variable of its own.
std::optional<llvm::SmallVector<PointIndex>>
getPoint(const BufferRegion &region);

/// Returns true if the block runs for all values of its variables' domains.
bool isComplete(const Statement &statement);

/// Returns true if all variables of the block are spatial.
bool isSpatial(BlockOp block);

/// Returns the number of the region of `buffer`.
std::optional<unsigned> findRegion(llvm::ArrayRef<BufferRegion> regions,
                                   mlir::Value buffer);

/// Returns the operation in the block `scope` that holds `op`, or is it.
mlir::Operation *getAncestorIn(mlir::Block *scope, mlir::Operation *op);

/// Returns the version of a `uma.tir.multiversion` around `op`, or the body of
/// its function: what a schedule sees.
mlir::Block *getVersion(mlir::Operation *op);

/// What holds `block` in its version, at the level where `buffer` is.
mlir::Operation *getNest(mlir::Value buffer, mlir::Operation *block);

/// Returns a label that no block in the version of `op` has yet.
std::string makeLabel(mlir::Operation *op, const llvm::Twine &label);

/// Moves the block before `point` in new loops: one for each variable, over the
/// interval that `intervals` has for it. Their expressions are of `outer`.
void moveBlock(mlir::RewriterBase &rewriter, BlockOp block,
               mlir::Operation *point, llvm::ArrayRef<Interval> intervals,
               llvm::ArrayRef<ForOp> outer);

} // namespace uma::tir::schedule

#endif // UMA_TIR_SCHEDULE_REGIONS_H

//===- Regions.h - Buffer regions accessed by iterations -*- C++ -*--------===//
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

/// Indices `[low, low + size)`; `low` is an affine expression of loop
/// variables.
struct Interval {
  mlir::AffineExpr low;
  int64_t size;
};

/// Returns, for each dimension of the buffer, the interval that the accesses
/// cover in one iteration of their first `numOuter` loops, which they share.
llvm::SmallVector<Interval>
getRegion(llvm::ArrayRef<std::pair<const Statement *, const Access *>> accesses,
          mlir::MemRefType type, unsigned numOuter);

/// Index of one dimension of a buffer: an iteration variable of the block, or a
/// constant.
struct PointIndex {
  std::optional<unsigned> variable;
  int64_t constant = 0;
};
/// Returns the index of a region of one element, per dimension. Returns
/// std::nullopt unless each index is a constant or a distinct iteration
/// variable.
std::optional<llvm::SmallVector<PointIndex>>
getPoint(const BufferRegion &region);

/// Returns true if the block runs for its whole iteration domain.
bool isComplete(const Statement &statement);

/// Returns true if all variables of the block are spatial.
bool isSpatial(BlockOp block);

/// Returns the position of the region of `buffer`, or std::nullopt if there is
/// none.
std::optional<unsigned> findRegion(llvm::ArrayRef<BufferRegion> regions,
                                   mlir::Value buffer);

/// Returns the ancestor of `op` (or `op` itself) that is directly in `scope`,
/// or null if there is none.
mlir::Operation *getAncestorIn(mlir::Block *scope, mlir::Operation *op);

/// Returns the block in which schedules operate: the version of the
/// `uma.tir.multiversion` around `op`, or the body of its function.
mlir::Block *getVersion(mlir::Operation *op);

/// Returns the ancestor of `block` that is at the same level as `buffer`,
/// within the version of `block`.
mlir::Operation *getNest(mlir::Value buffer, mlir::Operation *block);

/// Returns `label`, with a numeric suffix if a block in the version of `op` has
/// it already.
std::string makeLabel(mlir::Operation *op, const llvm::Twine &label);

/// Moves the block before `point` into new loops, one per iteration variable of
/// the block, that run over `intervals`. Their expressions refer to the
/// variables of `outer`.
void moveBlock(mlir::RewriterBase &rewriter, BlockOp block,
               mlir::Operation *point, llvm::ArrayRef<Interval> intervals,
               llvm::ArrayRef<ForOp> outer);

} // namespace uma::tir::schedule

#endif // UMA_TIR_SCHEDULE_REGIONS_H

//===- StorageRewrite.cpp - Reuse buffers inside a function ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The memory plan overlaps workspace buffers that are not live at the same
// time. This pass handles the cases that it does not cover: local buffers,
// which are C variables, and loop nests that may write in place.
//
// Live ranges are computed in the block that allocates a buffer, where a loop
// is one point in time. Buffers that are arguments belong to the caller.
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"

#include "uma/TIR/Transforms/Passes.h"

#include "uma/IR/DeviceAttributes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_STORAGEREWRITEPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Buffer, with the first and last operation of its block that use it.
struct LiveBuffer {
  AllocOp alloc;
  size_t index; // tie-breaker
  Operation *first = nullptr;
  Operation *last = nullptr;
  bool isReplaced = false;
};

struct StorageRewritePass
    : uma::tir::impl::StorageRewritePassBase<StorageRewritePass> {
  void rewrite(Block &block);
  bool reuseInPlace(LiveBuffer &buffer, MutableArrayRef<LiveBuffer> earlier);
  bool reuseDead(LiveBuffer &buffer, MutableArrayRef<LiveBuffer> earlier);

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      rewrite(*block);
  }
};
} // namespace

static MemRefType getType(const LiveBuffer &buffer) {
  return cast<MemRefType>(buffer.alloc->getResult(0).getType());
}

/// Returns true if the buffer is flat and only loaded and stored, so that its
/// size may change.
static bool hasFreeSize(const LiveBuffer &buffer) {
  return getType(buffer).getRank() == 1 &&
         llvm::all_of(buffer.alloc->getUsers(), [](Operation *user) {
           return isa<memref::LoadOp, memref::StoreOp>(user);
         });
}

/// Returns true if the buffer has users other than loads, stores and calls, so
/// that not all accesses are known.
static bool isPassedOn(const LiveBuffer &buffer) {
  return llvm::any_of(buffer.alloc->getUsers(), [](Operation *user) {
    return !isa<memref::LoadOp, memref::StoreOp, CallOp, CallExternOp>(user);
  });
}

static void replace(LiveBuffer &buffer, LiveBuffer &by) {
  buffer.alloc.getBuffer().replaceAllUsesWith(by.alloc.getBuffer());
  by.last = buffer.last;
  buffer.isReplaced = true;
}

//===----------------------------------------------------------------------===//
// In-place reuse
//===----------------------------------------------------------------------===//

/// Returns the loops around `op`, innermost first, up to and including `nest`.
static SmallVector<ForOp> getLoops(Operation *op, ForOp nest) {
  SmallVector<ForOp> loops;
  for (Operation *parent = op->getParentOp();; parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<ForOp>(parent))
      loops.push_back(loop);
    if (parent == nest)
      return loops;
  }
}

/// Returns true if `index` has a different value in every iteration of the
/// loops.
static bool isInjective(const LinearForm &index, ArrayRef<ForOp> loops) {
  SmallVector<std::pair<int64_t, int64_t>> steps; // with their extents
  for (ForOp loop : loops) {
    int64_t step = index.getCoefficient(loop.getInductionVar());
    std::optional<IndexRange> range = getIndexRange(loop.getInductionVar());
    if (!range || step == std::numeric_limits<int64_t>::min())
      return false;
    int64_t extent;
    if (llvm::SubOverflow(range->max, range->min, extent))
      return false;
    if (extent != 0)
      steps.push_back({std::abs(step), extent});
  }
  llvm::sort(steps);
  // Each step must exceed the range covered by the smaller ones.
  int64_t reach = 0;
  for (auto [step, extent] : steps) {
    int64_t span;
    if (step <= reach || llvm::MulOverflow(step, extent, span) ||
        llvm::AddOverflow(reach, span, reach))
      return false;
  }
  // Other terms of the index must be invariant in the loops.
  return llvm::all_of(index.getTerms(), [&](LinearForm::Term term) {
    return !loops.back()->isAncestor(
               term.first.getParentRegion()->getParentOp()) ||
           llvm::any_of(loops, [&](ForOp loop) {
             return loop.getInductionVar() == term.first;
           });
  });
}

/// Returns true if the nest reads an element of `input` only before it writes
/// the same element of `output`, in the same iteration.
static bool isElementwise(ForOp nest, Value input, Value output) {
  SmallVector<ForOp> loops;
  std::optional<LinearForm> index;
  bool hasStore = false;
  WalkResult result = nest.walk([&](Operation *op) {
    bool usesInput = llvm::is_contained(op->getOperands(), input);
    bool usesOutput = llvm::is_contained(op->getOperands(), output);
    if (!usesInput && !usesOutput)
      return WalkResult::advance();
    std::optional<LinearForm> here;
    auto load = dyn_cast<memref::LoadOp>(op);
    auto store = dyn_cast<memref::StoreOp>(op);
    if (load && usesInput && !hasStore && load.getIndices().size() == 1)
      here = LinearForm::get(load.getIndices().front());
    else if (store && usesOutput && store.getIndices().size() == 1)
      here = LinearForm::get(store.getIndices().front());
    if (!here)
      return WalkResult::interrupt();
    hasStore |= usesOutput;
    if (!index) {
      index = here;
      loops = getLoops(op, nest);
    }
    return *here == *index && getLoops(op, nest) == loops
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted() && hasStore && isInjective(*index, loops);
}

bool StorageRewritePass::reuseInPlace(LiveBuffer &buffer,
                                      MutableArrayRef<LiveBuffer> earlier) {
  auto nest = dyn_cast<ForOp>(buffer.first);
  if (!nest || buffer.alloc.getOffset())
    return false;
  for (LiveBuffer &input : earlier) {
    if (input.isReplaced || input.last != nest ||
        input.alloc.getScope() != buffer.alloc.getScope() ||
        input.alloc.getOffset() || getType(input) != getType(buffer) ||
        input.alloc->getAttr(kAlignmentAttrName) !=
            buffer.alloc->getAttr(kAlignmentAttrName) ||
        !isElementwise(nest, input.alloc.getBuffer(), buffer.alloc.getBuffer()))
      continue;
    replace(buffer, input);
    ++numInPlace;
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Reuse of dead buffers
//===----------------------------------------------------------------------===//

bool StorageRewritePass::reuseDead(LiveBuffer &buffer,
                                   MutableArrayRef<LiveBuffer> earlier) {
  if (buffer.alloc.getScope() != Scope::Local || getType(buffer).getRank() == 0)
    return false;
  LiveBuffer *best = nullptr;
  auto getDistance = [&](const LiveBuffer &other) {
    return std::abs(getType(other).getNumElements() -
                    getType(buffer).getNumElements());
  };
  for (LiveBuffer &other : earlier) {
    if (other.isReplaced || other.alloc.getScope() != Scope::Local ||
        !other.last->isBeforeInBlock(buffer.first) ||
        getType(other).getElementType() != getType(buffer).getElementType() ||
        other.alloc->getAttr(kAlignmentAttrName) !=
            buffer.alloc->getAttr(kAlignmentAttrName))
      continue;
    bool fits = getType(other) == getType(buffer) ||
                (hasFreeSize(other) && hasFreeSize(buffer));
    if (fits && (!best || getDistance(other) < getDistance(*best)))
      best = &other;
  }
  if (!best)
    return false;
  if (getType(*best).getNumElements() < getType(buffer).getNumElements())
    best->alloc.getBuffer().setType(getType(buffer));
  replace(buffer, *best);
  ++numReused;
  return true;
}

void StorageRewritePass::rewrite(Block &block) {
  SmallVector<LiveBuffer> buffers;
  for (auto alloc : block.getOps<AllocOp>()) {
    LiveBuffer buffer{alloc, buffers.size()};
    for (Operation *user : alloc->getUsers()) {
      Operation *at = block.findAncestorOpInBlock(*user);
      if (!buffer.first || at->isBeforeInBlock(buffer.first))
        buffer.first = at;
      if (!buffer.last || buffer.last->isBeforeInBlock(at))
        buffer.last = at;
    }
    if (buffer.first && !isPassedOn(buffer))
      buffers.push_back(buffer);
  }
  // Sort by live range, which may differ from the order of allocation.
  llvm::sort(buffers, [](const LiveBuffer &left, const LiveBuffer &right) {
    return left.first == right.first ? left.index < right.index
                                     : left.first->isBeforeInBlock(right.first);
  });
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    auto earlier = MutableArrayRef(buffers).take_front(index);
    if (!reuseInPlace(buffer, earlier) && !reuseDead(buffer, earlier))
      continue;
    // The buffer that is kept was used earlier, so its allocation dominates.
    Operation *alloc = buffer.alloc;
    buffer.alloc = nullptr;
    alloc->erase();
  }
}

//===- CompactBufferAllocation.cpp - Shrink buffers to tiles --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Schedules move the computation of a buffer into loops, tile by tile, but keep
// the whole buffer. This pass moves the buffer into the loop and shrinks it to
// one tile. That is legal if no value is carried from one iteration to the
// next, i.e. if the first block that accesses the tile in an iteration writes
// all of it.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Schedule/Regions.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_COMPACTBUFFERALLOCATIONPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Buffer that only blocks use, with its accesses.
struct TileBuffer {
  AllocOp alloc;
  std::vector<schedule::Statement> statements;
  SmallVector<std::pair<const schedule::Statement *, const schedule::Access *>>
      accesses;

  bool collect();
  Block *getInnermostScope();
  /// Returns true if the buffer may be local to one iteration of the loop
  /// around `scope`.
  bool mayLiveIn(Block *scope, ArrayRef<schedule::Interval> region);
  SmallVector<schedule::Interval> getRegionIn(Block *scope);
  void moveTo(Block *scope, ArrayRef<schedule::Interval> region,
              IRRewriter &rewriter);
};

struct CompactBufferAllocationPass
    : uma::tir::impl::CompactBufferAllocationPassBase<
          CompactBufferAllocationPass> {
  void runOnOperation() override;
};
} // namespace

/// Collects the uses of the buffer. Returns false if it has users other than
/// blocks.
bool TileBuffer::collect() {
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (Operation *user : alloc->getUsers()) {
    Operation *block = user;
    if (!isa<BlockOp>(user)) {
      if (!isa<memref::LoadOp, memref::StoreOp>(user))
        return false;
      block = user->getParentOfType<BlockOp>();
    }
    // Every block that accesses the buffer lists it. Nested blocks are not
    // supported, since their loops are not analysed.
    if (!block || block->getParentOfType<BlockOp>())
      return false;
    if (seen.insert(block).second)
      statements.push_back(schedule::getStatement(block));
  }
  for (const schedule::Statement &statement : statements) {
    bool isListed = false;
    for (const schedule::Access &access : statement.accesses)
      if (access.buffer == alloc.getBuffer()) {
        isListed = true;
        accesses.push_back({&statement, &access});
      }
    if (!isListed)
      return false;
  }
  return !statements.empty();
}

/// Returns the innermost body of a loop, or of the function, that contains all
/// uses. Skips vectorized loops, whose iterations have no separate buffers.
Block *TileBuffer::getInnermostScope() {
  Block *scope = statements.front().op->getBlock();
  auto holdsAll = [&](Block *block) {
    return llvm::all_of(statements, [&](const schedule::Statement &statement) {
      return block->findAncestorOpInBlock(*statement.op);
    });
  };
  for (; scope != alloc->getBlock(); scope = scope->getParentOp()->getBlock()) {
    auto loop = dyn_cast<ForOp>(scope->getParentOp());
    if (!loop || !holdsAll(scope))
      continue;
    bool isInVector = false;
    for (ForOp around : schedule::getLoopsAround(&scope->front()))
      isInVector |= around.getKind() == ForKind::Vectorized;
    if (!isInVector)
      return scope;
  }
  return scope;
}

SmallVector<schedule::Interval> TileBuffer::getRegionIn(Block *scope) {
  return schedule::getRegion(accesses,
                             cast<MemRefType>(alloc.getBuffer().getType()),
                             schedule::getLoopsAround(&scope->front()).size());
}

/// Returns true if `index`, minus its value in the first iteration of the loops
/// from number `numOuter` on, takes all values below `size`. Marks the loops
/// that it uses.
static bool isDense(AffineExpr index, const schedule::Statement &statement,
                    unsigned numOuter, int64_t size,
                    SmallVectorImpl<bool> &isUsed) {
  MLIRContext *context = index.getContext();
  unsigned numDims = statement.loops.size();
  SmallVector<std::pair<int64_t, int64_t>> steps;
  for (unsigned dim = numOuter; dim < numDims; ++dim) {
    if (!index.isFunctionOfDim(dim))
      continue;
    std::optional<int64_t> extent = ForOp(statement.loops[dim]).getExtent();
    AffineExpr variable = getAffineDimExpr(dim, context);
    auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
        index.replace(variable, variable + 1) - index, numDims, 0));
    if (!step || !extent || isUsed[dim])
      return false;
    isUsed[dim] = true;
    steps.push_back({step.getValue(), *extent});
  }
  llvm::sort(steps);
  // Each step must not exceed the range covered by the smaller steps.
  int64_t covered = 1;
  for (auto [step, extent] : steps) {
    if (step < 1 || step > covered)
      return false;
    covered += step * (extent - 1);
  }
  return covered >= size;
}

bool TileBuffer::mayLiveIn(Block *scope, ArrayRef<schedule::Interval> region) {
  if (scope == alloc->getBlock())
    return true;
  if (alloc.getScope() == Scope::Workspace)
    return false;
  // Find the first statement. It must be alone in its loops, which must all
  // run.
  auto getPlace = [&](const schedule::Statement &statement) {
    return scope->findAncestorOpInBlock(*statement.op);
  };
  const schedule::Statement *first = &statements.front();
  for (const schedule::Statement &statement : statements)
    if (getPlace(statement)->isBeforeInBlock(getPlace(*first)))
      first = &statement;
  for (const schedule::Statement &statement : statements)
    if (&statement != first && getPlace(statement) == getPlace(*first))
      return false;
  for (Block *inner = first->op->getBlock(); inner != scope;
       inner = inner->getParentOp()->getBlock()) {
    auto loop = dyn_cast<ForOp>(inner->getParentOp());
    if (!loop || !schedule::getRange(loop))
      return false;
  }
  auto block = cast<BlockOp>(first->op);
  if (!schedule::leavesOutOnlyExcess(*first))
    return false;
  bool reads = false;
  for (auto [statement, access] : accesses)
    reads |= statement == first && !access->isWrite;
  block.getBody().walk([&](memref::LoadOp load) {
    reads |= load.getMemRef() == alloc.getBuffer();
  });
  unsigned numOuter = schedule::getLoopsAround(&scope->front()).size();
  if (reads && !block.hasInit())
    return false;
  for (unsigned dim = 0; dim < numOuter; ++dim)
    if (alloc->getBlock()->findAncestorOpInBlock(*first->loops[dim]) &&
        schedule::isReduceLoop(*first, first->loops[dim]))
      return false;

  SmallVector<BufferRegion> writes = block.getWriteRegions();
  std::optional<unsigned> number =
      schedule::findRegion(writes, alloc.getBuffer());
  std::optional<SmallVector<schedule::PointIndex>> point;
  if (number)
    point = schedule::getPoint(writes[*number]);
  if (!point)
    return false;
  ArrayRef<int64_t> shape =
      cast<MemRefType>(alloc.getBuffer().getType()).getShape();
  SmallVector<bool> isUsed(first->loops.size());
  for (auto [dim, index] : llvm::enumerate(*point)) {
    if (!index.variable) {
      if (region[dim].size != 1)
        return false;
      continue;
    }
    AffineExpr binding = first->bindings[*index.variable];
    // Iterations that the block skips must be beyond the buffer.
    if (!binding || block.getExtents()[*index.variable] < shape[dim])
      return false;
    SmallVector<AffineExpr> start;
    for (unsigned loop = 0; loop < first->loops.size(); ++loop) {
      std::optional<schedule::IndexRange> range =
          schedule::getRange(first->loops[loop]);
      // A loop with one iteration has a constant variable, inside and outside.
      bool isKnown = range && (loop >= numOuter || range->low == range->high);
      start.push_back(
          isKnown ? getAffineConstantExpr(range->low, binding.getContext())
                  : getAffineDimExpr(loop, binding.getContext()));
    }
    AffineExpr distance = simplifyAffineExpr(
        (binding - region[dim].low).replaceDims(start), first->loops.size(), 0);
    if (distance != getAffineConstantExpr(0, binding.getContext()) ||
        !isDense(binding, *first, numOuter, region[dim].size, isUsed))
      return false;
  }
  return true;
}

void TileBuffer::moveTo(Block *scope, ArrayRef<schedule::Interval> region,
                        IRRewriter &rewriter) {
  Operation *point = nullptr;
  for (const schedule::Statement &statement : statements) {
    Operation *op = scope->findAncestorOpInBlock(*statement.op);
    if (!point || op->isBeforeInBlock(point))
      point = op;
  }
  if (scope == alloc->getBlock())
    point = alloc;
  rewriter.setInsertionPoint(point);
  Location loc = alloc.getLoc();
  SmallVector<int64_t> shape;
  for (const schedule::Interval &interval : region)
    shape.push_back(interval.size);
  auto type = cast<MemRefType>(alloc.getBuffer().getType());
  auto small = AllocOp::create(
      rewriter, loc, MemRefType::get(shape, type.getElementType()),
      alloc.getScope(), /*offset=*/nullptr, alloc.getLabelAttr());
  small->setDiscardableAttrs(alloc->getDiscardableAttrDictionary());
  SmallVector<Value> outer;
  for (ForOp loop : schedule::getLoopsAround(&scope->front()))
    outer.push_back(loop.getInductionVar());

  AffineExpr zero = rewriter.getAffineConstantExpr(0);
  for (const schedule::Statement &statement : statements) {
    auto block = cast<BlockOp>(statement.op);
    // Regions are expressions of the block's variables, which do not determine
    // the start of the tile.
    auto replace = [&](SmallVector<BufferRegion> regions) {
      for (BufferRegion &listed : regions)
        if (listed.buffer == alloc.getBuffer())
          listed = {small,
                    AffineMap::get(block.getBindings().size(), 0,
                                   SmallVector<AffineExpr>(shape.size(), zero),
                                   rewriter.getContext()),
                    shape};
      return regions;
    };
    block.setReadRegions(replace(block.getReadRegions()));
    block.setWriteRegions(replace(block.getWriteRegions()));
    SmallVector<Value> loops;
    for (ForOp loop : statement.loops)
      loops.push_back(loop.getInductionVar());
    block->walk([&](Operation *op) {
      if (!isa<memref::LoadOp, memref::StoreOp>(op))
        return;
      unsigned first = isa<memref::LoadOp>(op) ? 1 : 2;
      if (op->getOperand(first - 1) != alloc.getBuffer())
        return;
      rewriter.setInsertionPoint(op);
      for (auto [dim, interval] : llvm::enumerate(region)) {
        Value index = op->getOperand(first + dim);
        if (interval.low == zero)
          continue;
        if (AffineExpr expression = schedule::toAffine(index, statement))
          index = schedule::makeValue(
              rewriter, loc,
              simplifyAffineExpr(expression - interval.low, loops.size(), 0),
              loops);
        else {
          Value low = schedule::makeValue(rewriter, loc, interval.low, outer);
          index = arith::SubIOp::create(rewriter, loc, index, low);
        }
        op->setOperand(first + dim, index);
      }
      op->setOperand(first - 1, small);
    });
  }
  rewriter.eraseOp(alloc);
}

void CompactBufferAllocationPass::runOnOperation() {
  SmallVector<AllocOp> allocs;
  getOperation().walk([&](AllocOp alloc) { allocs.push_back(alloc); });
  IRRewriter rewriter(&getContext());
  for (AllocOp alloc : allocs) {
    TileBuffer buffer{alloc, {}, {}};
    if (!buffer.collect())
      continue;
    Block *scope = buffer.getInnermostScope();
    SmallVector<schedule::Interval> region = buffer.getRegionIn(scope);
    while (!buffer.mayLiveIn(scope, region)) {
      scope = scope->getParentOp()->getBlock();
      region = buffer.getRegionIn(scope);
    }
    int64_t size = 1;
    for (const schedule::Interval &interval : region)
      size *= interval.size;
    if (size == cast<MemRefType>(alloc.getBuffer().getType()).getNumElements())
      continue;
    buffer.moveTo(scope, region, rewriter);
    ++numCompacted;
  }
}

//===- Regions.cpp - Buffer regions accessed by iterations ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Regions are boxes, i.e. conservative: they may contain more elements than are
// accessed, but never fewer.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Schedule/Regions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

namespace {
/// Lower and upper bound, as expressions of outer variables.
struct Bounds {
  AffineExpr low, high;
};
} // namespace

/// Returns the bounds of `expression` over all iterations of the loops from
/// number `numOuter` on.
static std::optional<Bounds>
getBounds(AffineExpr expression, ArrayRef<ForOp> loops, unsigned numOuter) {
  MLIRContext *context = expression.getContext();
  if (isa<AffineConstantExpr>(expression))
    return Bounds{expression, expression};
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    if (dim.getPosition() < numOuter)
      return Bounds{expression, expression};
    std::optional<IndexRange> range = getRange(loops[dim.getPosition()]);
    if (!range)
      return std::nullopt;
    return Bounds{getAffineConstantExpr(range->low, context),
                  getAffineConstantExpr(range->high, context)};
  }
  auto binary = cast<AffineBinaryOpExpr>(expression);
  std::optional<Bounds> lhs = getBounds(binary.getLHS(), loops, numOuter);
  std::optional<Bounds> rhs = getBounds(binary.getRHS(), loops, numOuter);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return Bounds{lhs->low + rhs->low, lhs->high + rhs->high};
  case AffineExprKind::Mul:
    if (auto factor = dyn_cast<AffineConstantExpr>(rhs->low);
        factor && factor.getValue() < 0)
      return Bounds{lhs->high * factor, lhs->low * factor};
    return Bounds{lhs->low * rhs->low, lhs->high * rhs->low};
  case AffineExprKind::FloorDiv:
    return Bounds{lhs->low.floorDiv(rhs->low), lhs->high.floorDiv(rhs->low)};
  case AffineExprKind::CeilDiv:
    return Bounds{lhs->low.ceilDiv(rhs->low), lhs->high.ceilDiv(rhs->low)};
  default:
    if (lhs->low == lhs->high)
      return Bounds{expression, expression};
    return Bounds{
        getAffineConstantExpr(0, context),
        getAffineConstantExpr(cast<AffineConstantExpr>(rhs->low).getValue() - 1,
                              context)};
  }
}

/// Returns the interval between `bounds`, if its size is constant.
static std::optional<Interval> toInterval(const Bounds &bounds,
                                          unsigned numOuter) {
  auto span = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(bounds.high - bounds.low, numOuter, 0));
  if (!span || span.getValue() < 0)
    return std::nullopt;
  return Interval{simplifyAffineExpr(bounds.low, numOuter, 0),
                  span.getValue() + 1};
}

/// Returns the interval that one access covers in dimension `dim`.
static std::optional<Interval> getInterval(const Statement &statement,
                                           const Access &access, unsigned dim,
                                           unsigned numOuter) {
  if (!access.first)
    return std::nullopt;
  AffineExpr first = (*access.first)[dim];
  if (std::optional<Bounds> bounds =
          getBounds(first, statement.loops, numOuter)) {
    bounds->high = bounds->high + (access.extents[dim] - 1);
    if (std::optional<Interval> interval = toInterval(*bounds, numOuter))
      return interval;
  }
  std::optional<IndexRange> range = getRange(first, statement.loops);
  if (!range)
    return std::nullopt;
  return Interval{getAffineConstantExpr(range->low, first.getContext()),
                  range->high - range->low + access.extents[dim]};
}

/// Returns the smallest interval that contains both, if their distance is
/// constant.
static std::optional<Interval> unite(const Interval &lhs, const Interval &rhs,
                                     unsigned numOuter) {
  auto distance = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(rhs.low - lhs.low, numOuter, 0));
  if (!distance)
    return std::nullopt;
  int64_t low = std::min<int64_t>(0, distance.getValue());
  int64_t high = std::max(lhs.size, distance.getValue() + rhs.size);
  return Interval{lhs.low + low, high - low};
}

SmallVector<Interval> schedule::getRegion(
    ArrayRef<std::pair<const Statement *, const Access *>> accesses,
    MemRefType type, unsigned numOuter) {
  AffineExpr zero = getAffineConstantExpr(0, type.getContext());
  SmallVector<Interval> region;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    std::optional<Interval> all;
    bool isFirst = true;
    for (auto [statement, access] : accesses) {
      std::optional<Interval> one =
          getInterval(*statement, *access, dim, numOuter);
      if (!isFirst)
        one = one && all ? unite(*all, *one, numOuter) : std::nullopt;
      all = one;
      isFirst = false;
    }
    region.push_back(all && all->size < size ? *all : Interval{zero, size});
  }
  return region;
}

std::optional<SmallVector<PointIndex>>
schedule::getPoint(const BufferRegion &region) {
  SmallVector<PointIndex> point;
  SmallVector<unsigned> seen;
  for (auto [first, extent] :
       llvm::zip_equal(region.first.getResults(), region.extents)) {
    PointIndex index;
    if (auto dim = dyn_cast<AffineDimExpr>(first)) {
      if (llvm::is_contained(seen, dim.getPosition()))
        return std::nullopt;
      seen.push_back(dim.getPosition());
      index.variable = dim.getPosition();
    } else if (auto constant = dyn_cast<AffineConstantExpr>(first)) {
      index.constant = constant.getValue();
    } else {
      return std::nullopt;
    }
    if (extent != 1)
      return std::nullopt;
    point.push_back(index);
  }
  return point;
}

bool schedule::isComplete(const Statement &statement) {
  auto block = cast<BlockOp>(statement.op);
  // Loops that run at least once are the only control flow around the block.
  for (Operation *parent = block->getParentOp();
       !isa<FuncOp, MultiversionOp>(parent); parent = parent->getParentOp()) {
    auto loop = dyn_cast<ForOp>(parent);
    if (!loop || !getRange(loop))
      return false;
  }
  for (auto [binding, extent] :
       llvm::zip_equal(statement.bindings, block.getExtents())) {
    std::optional<IndexRange> range =
        binding ? getRange(binding, statement.loops) : std::nullopt;
    if (!range || range->low > 0 || range->high < extent - 1)
      return false;
  }
  return leavesOutOnlyExcess(statement);
}

bool schedule::isSpatial(BlockOp block) {
  for (unsigned i = 0; i < block.getBindings().size(); ++i)
    if (block.getIterKind(i) != IterKind::Spatial)
      return false;
  return true;
}

std::optional<unsigned> schedule::findRegion(ArrayRef<BufferRegion> regions,
                                             Value buffer) {
  for (auto [index, region] : llvm::enumerate(regions))
    if (region.buffer == buffer)
      return index;
  return std::nullopt;
}

Operation *schedule::getAncestorIn(Block *scope, Operation *op) {
  return scope->findAncestorOpInBlock(*op);
}

Block *schedule::getVersion(Operation *op) {
  while (!isa<FuncOp, MultiversionOp>(op->getParentOp()))
    op = op->getParentOp();
  return op->getBlock();
}

Operation *schedule::getNest(Value buffer, Operation *block) {
  Block *level = buffer.getParentBlock(), *version = getVersion(block);
  if (!version->getParentOp()->isAncestor(level->getParentOp()))
    level = version;
  return getAncestorIn(level, block);
}

std::string schedule::makeLabel(Operation *op, const Twine &label) {
  llvm::StringSet<> taken;
  getVersion(op)->walk([&](BlockOp block) { taken.insert(block.getLabel()); });
  std::string wanted = label.str(), result = wanted;
  for (unsigned number = 1; taken.contains(result); ++number)
    result = wanted + "_" + std::to_string(number);
  return result;
}

void schedule::moveBlock(RewriterBase &rewriter, BlockOp block,
                         Operation *point, ArrayRef<Interval> intervals,
                         ArrayRef<ForOp> outer) {
  Location loc = block.getLoc();
  Operation *oldLoop = block->getParentOp();
  rewriter.setInsertionPoint(point);
  SmallVector<ForOp> all(outer);
  SmallVector<Value> dims;
  for (ForOp loop : outer)
    dims.push_back(loop.getInductionVar());
  SmallVector<AffineExpr> bindings;
  SmallVector<Operation *> loops;
  for (auto [number, interval] : llvm::enumerate(intervals)) {
    // A point needs no loop.
    if (interval.size == 1) {
      bindings.push_back(interval.low);
      continue;
    }
    auto loop = ForOp::create(rewriter, loc, rewriter.getIndexAttr(0),
                              rewriter.getIndexAttr(interval.size));
    loop.setLabel(("ax" + Twine(number)).str());
    bindings.push_back(interval.low +
                       getAffineDimExpr(all.size(), rewriter.getContext()));
    all.push_back(loop);
    dims.push_back(loop.getInductionVar());
    rewriter.setInsertionPointToStart(&loop.getBody().front());
    loops.push_back(loop);
  }
  Operation *place =
      loops.empty()
          ? point
          : cast<ForOp>(loops.back()).getBody().front().getTerminator();
  rewriter.moveOpBefore(block, place);
  rewriter.setInsertionPoint(block);

  SmallVector<Value> values;
  Value predicate;
  auto require = [&](arith::CmpIPredicate kind, Value value, int64_t bound) {
    Value limit = makeIndex(rewriter, loc, bound);
    Value condition = arith::CmpIOp::create(rewriter, loc, kind, value, limit);
    predicate = makeAnd(rewriter, loc, predicate, condition);
  };
  for (auto [binding, extent] : llvm::zip_equal(bindings, block.getExtents())) {
    Value value = makeValue(rewriter, loc, binding, dims);
    values.push_back(value);
    std::optional<IndexRange> range = getRange(binding, all);
    if (!range || range->low < 0)
      require(arith::CmpIPredicate::sge, value, 0);
    if (!range || range->high >= extent)
      require(arith::CmpIPredicate::slt, value, extent);
  }
  rewriter.modifyOpInPlace(block, [&] {
    block.getBindingsMutable().assign(values);
    if (predicate)
      block.getPredicateMutable().assign(predicate);
    else
      block.getPredicateMutable().clear();
  });
  eraseEmptyLoops(rewriter, oldLoop);
}

//===- LoopPartition.cpp - Split loops at their conditions ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each step splits a loop in two, at a point where a comparison
//
//   a * i + rest >= 0     (or == 0)
//
// changes its value. Both pieces are visited again, the longer one first, as it
// should get most of the remaining growth. A comparison that is known in a
// piece is folded at once, so that pieces without effect are erased before the
// loops in them are split.
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"
#include "LoopUtils.h"

#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_LOOPPARTITIONPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Comparison in the form `expr >= 0` or `expr == 0`, possibly negated.
struct Condition {
  static std::optional<Condition> get(Value value);

  /// Returns the result of the comparison if it is the same for all values of
  /// its variables.
  std::optional<bool> evaluate() const;

  Value value;
  LinearForm expr;
  bool isEquality = false;
  bool isNegated = false;
};

/// Split point of a loop: iterations from `point` on form the second piece.
struct Split {
  OpFoldResult point;
  /// If the point is computed at run time: the condition that equals
  /// `isTrueBefore` before the point and its negation from it on.
  Value condition;
  bool isTrueBefore = false;
};

struct LoopPartitionPass
    : uma::tir::impl::LoopPartitionPassBase<LoopPartitionPass> {
  using LoopPartitionPassBase::LoopPartitionPassBase;

  void partition(ForOp loop);
  void partitionNested(ForOp loop);
  std::optional<Split> findSplit(ForOp loop, ArrayRef<Condition> conditions);
  void runOnOperation() override;

  int64_t numOperations = 0;
  std::optional<LoopSpecializer> specializer;
};
} // namespace

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

std::optional<Condition> Condition::get(Value value) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return std::nullopt;
  std::optional<LinearForm> left = LinearForm::get(compare.getLhs());
  std::optional<LinearForm> right = LinearForm::get(compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  if (predicate == P::sle || predicate == P::slt)
    std::swap(left, right);
  Condition condition;
  condition.value = value;
  switch (predicate) {
  case P::sge:
  case P::sle:
    break;
  case P::sgt:
  case P::slt:
    if (!left->add(-1))
      return std::nullopt;
    break;
  case P::eq:
  case P::ne:
    condition.isEquality = true;
    condition.isNegated = predicate == P::ne;
    break;
  default:
    return std::nullopt;
  }
  if (!left->add(*right, -1))
    return std::nullopt;
  condition.expr = *left;
  return condition;
}

std::optional<bool> Condition::evaluate() const {
  std::optional<IndexRange> range = getIndexRange(expr);
  if (!range)
    return std::nullopt;
  if (!isEquality) {
    if (range->min >= 0 || range->max < 0)
      return (range->min >= 0) != isNegated;
    return std::nullopt;
  }
  if (range->isPoint() && range->min == 0)
    return !isNegated;
  if (range->min > 0 || range->max < 0)
    return isNegated;
  return std::nullopt;
}

/// Folds the conditions in the loop that are constant for all iterations.
static void evaluateConditions(ForOp loop) {
  SmallVector<Value> conditions;
  loop.getBody().walk([&](Operation *op) {
    if (isa<scf::IfOp, arith::SelectOp>(op))
      collectConditions(loop, op->getOperand(0), conditions);
  });
  for (Value value : conditions)
    if (std::optional<Condition> condition = Condition::get(value))
      if (std::optional<bool> known = condition->evaluate())
        LoopSpecializer::setCondition(loop, value, *known);
}

/// Returns the conditions in the loop that depend on its variable, each once.
static SmallVector<Condition> collectConditions(ForOp loop) {
  SmallVector<Condition> conditions;
  llvm::SmallPtrSet<Value, 8> seen;
  loop.getBody().walk([&](Operation *op) {
    if (!isa<scf::IfOp, arith::SelectOp>(op))
      return;
    SmallVector<Value> values;
    collectConditions(loop, op->getOperand(0), values);
    for (Value value : values) {
      if (!seen.insert(value).second)
        continue;
      std::optional<Condition> condition = Condition::get(value);
      if (condition &&
          condition->expr.getCoefficient(loop.getInductionVar()) != 0)
        conditions.push_back(*condition);
    }
  });
  return conditions;
}

//===----------------------------------------------------------------------===//
// Split points
//===----------------------------------------------------------------------===//

/// Returns the first i with `a * i + rest >= 0` if a > 0, or `< 0` if a < 0.
static std::optional<int64_t> solve(int64_t a, int64_t rest) {
  constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
  if (a == smallest || rest == smallest)
    return std::nullopt;
  if (a > 0)
    return llvm::divideCeilSigned(-rest, a);
  return llvm::divideFloorSigned(rest, -a) + 1;
}

/// Returns a point strictly inside a loop with constant bounds, at the end of a
/// range in which the condition is constant.
static std::optional<int64_t> findPoint(ForOp loop, const Condition &condition,
                                        IndexRange rest) {
  int64_t lower = loop.getStaticLower(), upper = loop.getStaticUpper();
  auto clamp = [&](int64_t point) {
    return std::min(std::max(point, lower), upper);
  };
  int64_t a = condition.expr.getCoefficient(loop.getInductionVar());
  // An equality changes at the boundaries of `>= 0` and `<= 0`.
  SmallVector<std::pair<int64_t, IndexRange>, 2> inequalities = {{a, rest}};
  if (condition.isEquality) {
    if (a == std::numeric_limits<int64_t>::min() ||
        rest.min == std::numeric_limits<int64_t>::min())
      return std::nullopt;
    inequalities.push_back({-a, IndexRange{-rest.max, -rest.min}});
  }
  std::optional<int64_t> found;
  int64_t numUndecided = 0;
  for (auto [factor, range] : inequalities) {
    std::optional<int64_t> first = solve(factor, range.max);
    std::optional<int64_t> last = solve(factor, range.min);
    if (!first || !last)
      return std::nullopt;
    if (*first > *last)
      std::swap(first, last);
    numUndecided += clamp(*last) - clamp(*first);
    for (int64_t point : {*first, *last})
      if (!found && lower < point && point < upper)
        found = point;
  }
  // Only peel if most iterations are decided.
  if (numUndecided > (upper - lower) / 2)
    return std::nullopt;
  return found;
}

/// Builds the point at which the condition changes, if its other variables are
/// defined before the loop. Returns std::nullopt if a coefficient overflows.
static std::optional<Split> computePoint(ForOp loop,
                                         const Condition &condition) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  int64_t a = condition.expr.getCoefficient(loop.getInductionVar());
  LinearForm rest = condition.expr.without(loop.getInductionVar()), scaled;
  if (!scaled.add(rest, a > 0 ? -1 : 1))
    return std::nullopt;
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value).getResult();
  };
  Value point = scaled.build(builder, loc);
  if (a > 1) {
    Value divisor = constant(a);
    point = arith::CeilDivSIOp::create(builder, loc, point, divisor);
  } else if (a < -1) {
    Value divisor = constant(-a);
    point = arith::FloorDivSIOp::create(builder, loc, point, divisor);
  }
  if (a < 0) {
    Value one = constant(1);
    point = arith::AddIOp::create(builder, loc, point, one);
  }
  auto toValue = [&](OpFoldResult bound) {
    if (auto value = dyn_cast<Value>(bound))
      return value;
    return constant(*getConstantIntValue(bound));
  };
  // Clamp the point to the loop's bounds, unless it is known to be inside.
  std::optional<IndexRange> range = getIndexRange(point);
  std::optional<int64_t> lower = getConstantIntValue(loop.getLower());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpper());
  if (!range || !lower || range->min < *lower) {
    Value bound = toValue(loop.getLower());
    point = arith::MaxSIOp::create(builder, loc, point, bound);
  }
  if (!range || !upper || range->max > *upper) {
    Value bound = toValue(loop.getUpper());
    point = arith::MinSIOp::create(builder, loc, point, bound);
  }
  return Split{point, condition.value, (a < 0) != condition.isNegated};
}

std::optional<Split>
LoopPartitionPass::findSplit(ForOp loop, ArrayRef<Condition> conditions) {
  for (const Condition &condition : conditions) {
    LinearForm expr = condition.expr.without(loop.getInductionVar());
    std::optional<IndexRange> rest = getIndexRange(expr);
    if (!rest)
      continue;
    if (loop.getExtent() &&
        (rest->isPoint() ||
         !llvm::all_of(expr.getTerms(), [&](LinearForm::Term term) {
           return term.first.getParentRegion()->isAncestor(
               loop->getParentRegion());
         }))) {
      if (std::optional<int64_t> point = findPoint(loop, condition, *rest))
        return Split{Builder(loop.getContext()).getIndexAttr(*point), Value(),
                     false};
      continue;
    }
    bool isKnownBefore = llvm::all_of(expr.getTerms(), [&](auto term) {
      return term.first.getParentRegion()->isAncestor(loop->getParentRegion());
    });
    // Neither the expression nor the point may overflow.
    if (isKnownBefore && !condition.isEquality && !expr.getTerms().empty() &&
        getIndexRange(condition.expr) && rest->min > -(int64_t(1) << 62) &&
        rest->max < (int64_t(1) << 62))
      return computePoint(loop, condition);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns the outermost loops in the region, except those in a
/// `uma.tir.multiversion`, whose schedule handles boundaries itself.
static SmallVector<ForOp> getOutermostLoops(Region &region) {
  SmallVector<ForOp> loops;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<ForOp>(op);
    if (loop)
      loops.push_back(loop);
    return loop || isa<MultiversionOp>(op) ? WalkResult::skip()
                                           : WalkResult::advance();
  });
  return loops;
}

/// Returns true if the loop contains workspace buffers, whose copies need
/// memory, or a `uma.tir.multiversion`.
static bool isCostlyToCopy(ForOp loop) {
  return loop.getBody()
      .walk([](Operation *op) {
        auto alloc = dyn_cast<AllocOp>(op);
        bool isWorkspace = alloc && alloc.getScope() == Scope::Workspace;
        return isWorkspace || isa<MultiversionOp>(op) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

void LoopPartitionPass::partitionNested(ForOp loop) {
  for (ForOp inner : getOutermostLoops(loop.getBody()))
    partition(inner);
}

void LoopPartitionPass::partition(ForOp loop) {
  if (loop.getKind() != ForKind::Serial || isCostlyToCopy(loop) ||
      loop.getExtent() == 0)
    return partitionNested(loop);
  std::optional<Split> split;
  int64_t size = countOperations(loop);
  SmallVector<Condition> conditions = collectConditions(loop);
  if (!conditions.empty()) {
    if (numOperations + size <= maxOperations)
      split = findSplit(loop, conditions);
    else
      ++numKept;
  }
  if (!split)
    return partitionNested(loop);

  ++numSplit;
  OpBuilder builder(loop);
  std::pair<OpFoldResult, OpFoldResult> bounds[] = {
      {loop.getLower(), split->point}, {split->point, loop.getUpper()}};
  SmallVector<ForOp, 2> pieces;
  for (auto [index, bound] : llvm::enumerate(bounds)) {
    builder.setInsertionPoint(loop);
    IRMapping mapping;
    ForOp piece = LoopSpecializer::clone(loop, bound.first, bound.second,
                                         builder, mapping);
    if (split->condition)
      LoopSpecializer::setCondition(piece,
                                    mapping.lookupOrDefault(split->condition),
                                    split->isTrueBefore == (index == 0));
    evaluateConditions(piece);
    if (specializer->simplify(piece))
      pieces.push_back(piece);
  }
  loop.erase();
  numOperations -= size;
  for (ForOp piece : pieces)
    numOperations += countOperations(piece);
  if (pieces.size() == 2 && pieces[0].getExtent() && pieces[1].getExtent() &&
      *pieces[0].getExtent() < *pieces[1].getExtent())
    std::swap(pieces[0], pieces[1]);
  for (ForOp piece : pieces)
    partition(piece);
}

void LoopPartitionPass::runOnOperation() {
  if (maxOperations < 0) {
    getOperation().emitError("uma-tir-loop-partition: max-operations is ")
        << maxOperations.getValue() << ", expected 0 or more";
    return signalPassFailure();
  }
  if (!specializer)
    specializer.emplace(&getContext());
  numOperations = countOperations(getOperation());
  for (ForOp loop : getOutermostLoops(getOperation().getBody()))
    partition(loop);
}

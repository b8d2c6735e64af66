//===- Dependence.cpp - Dependence analysis -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Two accesses conflict if an integer set is not empty. It has one variable per
// loop around each access; its constraints are the loop bounds, the equality of
// the accessed elements, and the order of iterations in question. Upstream's
// Presburger library decides emptiness exactly.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Schedule/Analysis.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

namespace {
/// Linear expression with integer coefficients.
struct Sum {
  SmallVector<std::pair<unsigned, int64_t>> terms;
  int64_t constant = 0;

  void add(const Sum &other, int64_t factor) {
    for (auto [variable, coefficient] : other.terms)
      terms.push_back({variable, coefficient * factor});
    constant += other.constant * factor;
  }
};

/// System of linear constraints on integers.
class System {
public:
  unsigned addVariable() { return numVariables++; }
  void addNonNegative(Sum sum) { inequalities.push_back(std::move(sum)); }
  void addZero(Sum sum) { equalities.push_back(std::move(sum)); }

  /// Adds `lhs < rhs`.
  void addLess(unsigned lhs, unsigned rhs) {
    addNonNegative({{{rhs, 1}, {lhs, -1}}, -1});
  }
  void addEqual(unsigned lhs, unsigned rhs) {
    addZero({{{rhs, 1}, {lhs, -1}}, 0});
  }

  Sum flatten(AffineExpr expression, ArrayRef<unsigned> dims);
  bool isEmpty() const;

private:
  unsigned numVariables = 0;
  SmallVector<Sum> inequalities, equalities;
};
} // namespace

Sum System::flatten(AffineExpr expression, ArrayRef<unsigned> dims) {
  Sum result;
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    result.constant = constant.getValue();
    return result;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    result.terms.push_back({dims[dim.getPosition()], 1});
    return result;
  }
  auto binary = cast<AffineBinaryOpExpr>(expression);
  result = flatten(binary.getLHS(), dims);
  if (binary.getKind() == AffineExprKind::Add) {
    result.add(flatten(binary.getRHS(), dims), 1);
    return result;
  }
  int64_t factor = flatten(binary.getRHS(), dims).constant;
  if (binary.getKind() == AffineExprKind::Mul) {
    Sum product;
    product.add(result, factor);
    return product;
  }
  if (binary.getKind() == AffineExprKind::CeilDiv)
    result.constant += factor - 1;
  // factor * quotient <= dividend <= factor * quotient + factor - 1.
  unsigned quotient = addVariable();
  Sum remainder = result;
  remainder.terms.push_back({quotient, -factor});
  Sum rest;
  rest.constant = factor - 1;
  rest.add(remainder, -1);
  addNonNegative(remainder);
  addNonNegative(rest);
  if (binary.getKind() == AffineExprKind::Mod)
    return remainder;
  return {{{quotient, 1}}, 0};
}

bool System::isEmpty() const {
  presburger::IntegerPolyhedron set(
      presburger::PresburgerSpace::getSetSpace(numVariables));
  SmallVector<int64_t> row(numVariables + 1);
  auto fill = [&](const Sum &sum) {
    llvm::fill(row, 0);
    for (auto [variable, coefficient] : sum.terms)
      row[variable] += coefficient;
    row.back() = sum.constant;
  };
  for (const Sum &sum : inequalities) {
    fill(sum);
    set.addInequality(row);
  }
  for (const Sum &sum : equalities) {
    fill(sum);
    set.addEquality(row);
  }
  return set.isIntegerEmpty();
}

/// Adds one variable per loop around the statement, constrained to the loop's
/// bounds and to `conditions`. Returns the variables.
static SmallVector<unsigned> addInstance(System &system,
                                         const Statement &statement,
                                         ArrayRef<AffineExpr> conditions) {
  SmallVector<unsigned> dims;
  for (ForOp loop : statement.loops) {
    unsigned variable = system.addVariable();
    auto addBound = [&](OpFoldResult bound, int64_t sign, int64_t offset) {
      AffineExpr expression;
      if (auto value = dyn_cast<Value>(bound))
        expression = toAffine(value, statement.loops);
      else
        expression = getAffineConstantExpr(
            cast<IntegerAttr>(cast<Attribute>(bound)).getInt(),
            loop.getContext());
      // Bounds that are not affine in the outer loops are ignored.
      if (!expression)
        return;
      Sum sum{{{variable, sign}}, offset};
      sum.add(system.flatten(expression, dims), -sign);
      system.addNonNegative(sum);
    };
    addBound(loop.getLower(), 1, 0);
    addBound(loop.getUpper(), -1, -1);
    dims.push_back(variable);
  }
  for (AffineExpr condition : conditions)
    system.addNonNegative(system.flatten(condition, dims));
  return dims;
}

bool schedule::leavesOutOnlyExcess(const Statement &statement) {
  auto block = cast<BlockOp>(statement.op);
  if (!block.getPredicate())
    return true;
  SmallVector<AffineExpr> predicate, domain;
  if (!addConditions(block.getPredicate(), statement.loops, predicate))
    return false;
  for (auto [binding, extent] :
       llvm::zip_equal(statement.bindings, block.getExtents())) {
    if (!binding)
      return false;
    domain.push_back(binding);
    domain.push_back(extent - 1 - binding);
  }
  return llvm::all_of(predicate, [&](AffineExpr condition) {
    System left;
    SmallVector<unsigned> dims = addInstance(left, statement, domain);
    left.addNonNegative(left.flatten(-1 - condition, dims));
    return left.isEmpty();
  });
}

namespace {
/// Two accesses, with the set of pairs of iterations that access the same
/// element.
struct Pair {
  System system;
  SmallVector<unsigned> first, second;

  Pair(const Statement &lhs, const Access &lhsAccess, const Statement &rhs,
       const Access &rhsAccess)
      : first(addInstance(system, lhs, lhs.conditions)),
        second(addInstance(system, rhs, rhs.conditions)) {
    if (!lhsAccess.first || !rhsAccess.first ||
        lhsAccess.buffer != rhsAccess.buffer)
      return;
    for (auto [index, expressions] :
         llvm::enumerate(llvm::zip_equal(*lhsAccess.first, *rhsAccess.first))) {
      // Regions [a, a + m) and [b, b + n) intersect if a < b + n and b < a + m.
      auto [lhsFirst, rhsFirst] = expressions;
      Sum difference = system.flatten(rhsFirst, second);
      difference.add(system.flatten(lhsFirst, first), -1);
      int64_t lhsExtent = lhsAccess.extents[index];
      int64_t rhsExtent = rhsAccess.extents[index];
      if (lhsExtent == 1 && rhsExtent == 1) {
        system.addZero(difference);
        continue;
      }
      Sum above = difference, below;
      above.constant += rhsExtent - 1;
      below.add(difference, -1);
      below.constant += lhsExtent - 1;
      system.addNonNegative(above);
      system.addNonNegative(below);
    }
  }
};
} // namespace

static unsigned getPosition(const Statement &statement, ForOp loop) {
  return llvm::find(statement.loops, loop) - statement.loops.begin();
}

/// Calls `found` with each pair of accesses to a buffer that outlives an
/// iteration of `loop`, one of them a write, in the order of their statements.
/// Returns the first pair for which it returns true.
static std::optional<Conflict>
findPair(ArrayRef<Statement> statements, ForOp loop,
         function_ref<bool(const Statement &, const Access &, const Statement &,
                           const Access &)>
             found) {
  for (unsigned i = 0; i < statements.size(); ++i)
    for (unsigned j = i; j < statements.size(); ++j)
      for (const Access &lhs : statements[i].accesses)
        for (const Access &rhs : statements[j].accesses) {
          if (!lhs.isWrite && !rhs.isWrite)
            continue;
          Value base = getBase(lhs.buffer);
          if (!mayAlias(base, getBase(rhs.buffer)))
            continue;
          if (base && loop->isAncestor(base.getParentBlock()->getParentOp()))
            continue;
          if (found(statements[i], lhs, statements[j], rhs))
            return Conflict{statements[i].op, statements[j].op, lhs.buffer};
        }
  return std::nullopt;
}

std::optional<Conflict> schedule::findCarried(ArrayRef<Statement> statements,
                                              ForOp loop,
                                              ArrayRef<ForOp> equal) {
  return findPair(statements, loop,
                  [&](const Statement &lhs, const Access &lhsAccess,
                      const Statement &rhs, const Access &rhsAccess) {
                    Pair pair(lhs, lhsAccess, rhs, rhsAccess);
                    for (ForOp same : equal)
                      pair.system.addEqual(pair.first[getPosition(lhs, same)],
                                           pair.second[getPosition(rhs, same)]);
                    unsigned first = pair.first[getPosition(lhs, loop)];
                    unsigned second = pair.second[getPosition(rhs, loop)];
                    System later = pair.system;
                    later.addLess(first, second);
                    pair.system.addLess(second, first);
                    return !later.isEmpty() || !pair.system.isEmpty();
                  });
}

std::optional<Conflict> schedule::findCarried(ForOp loop) {
  return findCarried(getStatements(loop), loop, getLoopsAround(loop));
}

/// Returns true if a spatial variable of the block depends on the loop number
/// `dim`.
static bool isSpatialLoop(const Statement &statement, unsigned dim) {
  auto block = cast<BlockOp>(statement.op);
  for (auto [index, binding] : llvm::enumerate(statement.bindings))
    if (block.getIterKind(index) == IterKind::Spatial &&
        (!binding || binding.isFunctionOfDim(dim)))
      return true;
  return false;
}

/// Returns true if the block may run its reduce variables in any order: it is a
/// commutative reduction, and any order initialises it in the first iteration.
static bool mayReorderReduction(const Statement &statement) {
  auto block = dyn_cast<BlockOp>(statement.op);
  if (!block || !isCommutativeReduction(block))
    return false;
  if (!block.hasInit())
    return true;
  for (auto [index, binding] : llvm::enumerate(statement.bindings)) {
    if (block.getIterKind(index) != IterKind::Reduce)
      continue;
    if (!binding)
      return false;
    SmallVector<AffineExpr> lowest;
    for (unsigned dim = 0; dim < statement.loops.size(); ++dim) {
      std::optional<IndexRange> range = getRange(statement.loops[dim]);
      lowest.push_back(
          range ? getAffineConstantExpr(range->low, block.getContext())
                : getAffineDimExpr(dim, block.getContext()));
      // A loop that drives both kinds of variables has no first iteration for
      // each reduction.
      if (binding.isFunctionOfDim(dim) && isSpatialLoop(statement, dim))
        return false;
    }
    if (simplifyAffineExpr(binding.replaceDims(lowest), 0, 0) !=
        getAffineConstantExpr(0, block.getContext()))
      return false;
  }
  return true;
}

std::optional<Conflict> schedule::findReversed(ArrayRef<Statement> statements,
                                               ArrayRef<ForOp> chain,
                                               ArrayRef<ForOp> order) {
  SmallVector<ForOp> outer = getLoopsAround(chain.front());
  return findPair(statements, chain.back(),
                  [&](const Statement &lhs, const Access &lhsAccess,
                      const Statement &rhs, const Access &rhsAccess) {
                    if (lhs.op == rhs.op &&
                        lhsAccess.first == rhsAccess.first &&
                        mayReorderReduction(lhs))
                      return false;
                    Pair pair(lhs, lhsAccess, rhs, rhsAccess);
                    for (ForOp same : outer)
                      pair.system.addEqual(pair.first[getPosition(lhs, same)],
                                           pair.second[getPosition(rhs, same)]);
                    // Either statement may be the earlier one.
                    for (bool swapped : {false, true}) {
                      auto first = [&](ForOp loop) {
                        return swapped ? pair.second[getPosition(rhs, loop)]
                                       : pair.first[getPosition(lhs, loop)];
                      };
                      auto second = [&](ForOp loop) {
                        return swapped ? pair.first[getPosition(lhs, loop)]
                                       : pair.second[getPosition(rhs, loop)];
                      };
                      System before = pair.system;
                      for (ForOp decides : chain) {
                        System earlier = before;
                        earlier.addLess(first(decides), second(decides));
                        for (ForOp reverses : order) {
                          // Both orders agree on the loops so far, and the new
                          // order does not reverse the pair.
                          if (reverses == decides)
                            break;
                          System reversed = earlier;
                          reversed.addLess(second(reverses), first(reverses));
                          if (!reversed.isEmpty())
                            return true;
                          earlier.addEqual(first(reverses), second(reverses));
                        }
                        before.addEqual(first(decides), second(decides));
                      }
                    }
                    return false;
                  });
}

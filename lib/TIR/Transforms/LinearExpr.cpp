//===- LinearExpr.cpp - Linear forms and ranges of indices ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LinearExpr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

/// Expressions are trees to us, so a chain of `x + x` is as large as 2^n.
/// Deeper ones than any strategy writes are variables.
static constexpr unsigned kMaxDepth = 12;

static std::optional<int64_t> getConstant(Value value) {
  return getConstantIntValue(getAsOpFoldResult(value));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static std::optional<IndexRange> getRange(Value value, unsigned depth);

static std::optional<IndexRange> getRange(OpFoldResult bound, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(bound))
    return IndexRange{*constant, *constant};
  auto value = dyn_cast<Value>(bound);
  return value ? getRange(value, depth) : std::nullopt;
}

static std::optional<IndexRange> makeRange(std::optional<int64_t> min,
                                           std::optional<int64_t> max) {
  if (!min || !max || *min > *max)
    return std::nullopt;
  return IndexRange{*min, *max};
}

/// Of a quotient or remainder by a positive constant.
static std::optional<IndexRange>
getDivisionRange(Operation *op, IndexRange left, int64_t divisor) {
  return TypeSwitch<Operation *, std::optional<IndexRange>>(op)
      .Case([&](arith::DivSIOp) {
        return IndexRange{left.min / divisor, left.max / divisor};
      })
      .Case([&](arith::FloorDivSIOp) {
        return IndexRange{llvm::divideFloorSigned(left.min, divisor),
                          llvm::divideFloorSigned(left.max, divisor)};
      })
      .Case([&](arith::CeilDivSIOp) {
        return IndexRange{llvm::divideCeilSigned(left.min, divisor),
                          llvm::divideCeilSigned(left.max, divisor)};
      })
      .Case([&](arith::RemSIOp) {
        return IndexRange{left.min >= 0 ? 0 : std::max(1 - divisor, left.min),
                          left.max < 0 ? 0 : std::min(divisor - 1, left.max)};
      })
      .Default(std::nullopt);
}

static std::optional<IndexRange> getRange(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstant(value))
    return IndexRange{*constant, *constant};
  if (depth > kMaxDepth)
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast_or_null<ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return std::nullopt;
    std::optional<IndexRange> lower = getRange(loop.getLower(), depth + 1);
    std::optional<IndexRange> upper = getRange(loop.getUpper(), depth + 1);
    if (!lower || !upper)
      return std::nullopt;
    // In a loop without iterations anything is true, but nothing is needed.
    return makeRange(lower->min, llvm::checkedSub<int64_t>(upper->max, 1));
  }
  Operation *op = value.getDefiningOp();
  if (op->getNumOperands() != 2 || !value.getType().isIndex())
    return std::nullopt;
  std::optional<IndexRange> left = getRange(op->getOperand(0), depth + 1);
  std::optional<IndexRange> right = getRange(op->getOperand(1), depth + 1);
  if (!left || !right)
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<IndexRange>>(op)
      .Case([&](arith::AddIOp) {
        return makeRange(llvm::checkedAdd(left->min, right->min),
                         llvm::checkedAdd(left->max, right->max));
      })
      .Case([&](arith::SubIOp) {
        return makeRange(llvm::checkedSub(left->min, right->max),
                         llvm::checkedSub(left->max, right->min));
      })
      .Case([&](arith::MulIOp) -> std::optional<IndexRange> {
        if (left->isPoint())
          std::swap(left, right);
        if (!right->isPoint())
          return std::nullopt;
        auto first = llvm::checkedMul(left->min, right->min);
        auto last = llvm::checkedMul(left->max, right->min);
        return right->min < 0 ? makeRange(last, first) : makeRange(first, last);
      })
      .Case([&](arith::MaxSIOp) {
        return IndexRange{std::max(left->min, right->min),
                          std::max(left->max, right->max)};
      })
      .Case([&](arith::MinSIOp) {
        return IndexRange{std::min(left->min, right->min),
                          std::min(left->max, right->max)};
      })
      .Default([&](Operation *) -> std::optional<IndexRange> {
        if (!right->isPoint() || right->min <= 0)
          return std::nullopt;
        return getDivisionRange(op, *left, right->min);
      });
}

std::optional<IndexRange> tir::getIndexRange(Value value) {
  std::optional<IndexRange> range = getRange(value, 0);
  // Terms that cancel are seen only by the linear form.
  if (range || !value.getType().isIndex())
    return range;
  std::optional<LinearExpr> expr = LinearExpr::get(value);
  return expr ? expr->getRange() : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Linear expressions
//===----------------------------------------------------------------------===//

bool LinearExpr::addTerm(Value variable, int64_t coefficient) {
  auto *it = llvm::find_if(
      terms, [&](const Term &term) { return term.first == variable; });
  if (it == terms.end()) {
    if (coefficient != 0)
      terms.emplace_back(variable, coefficient);
    return true;
  }
  if (llvm::AddOverflow(it->second, coefficient, it->second))
    return false;
  if (it->second == 0)
    terms.erase(it);
  return true;
}

bool LinearExpr::add(int64_t value) {
  return !llvm::AddOverflow(constant, value, constant);
}

bool LinearExpr::add(const LinearExpr &other, int64_t factor) {
  int64_t product;
  for (const Term &term : other.terms)
    if (llvm::MulOverflow(term.second, factor, product) ||
        !addTerm(term.first, product))
      return false;
  return !llvm::MulOverflow(other.constant, factor, product) && add(product);
}

namespace {
/// Collects `factor * value` into an expression.
struct Linearizer {
  bool collect(Value value, int64_t factor, unsigned depth) {
    if (std::optional<int64_t> constant = getConstant(value)) {
      int64_t product;
      return !llvm::MulOverflow(*constant, factor, product) &&
             expr.add(product);
    }
    Operation *op = value.getDefiningOp();
    if (op && depth <= kMaxDepth) {
      if (isa<arith::AddIOp>(op))
        return collect(op->getOperand(0), factor, depth + 1) &&
               collect(op->getOperand(1), factor, depth + 1);
      if (isa<arith::SubIOp>(op))
        return factor != std::numeric_limits<int64_t>::min() &&
               collect(op->getOperand(0), factor, depth + 1) &&
               collect(op->getOperand(1), -factor, depth + 1);
      if (isa<arith::MulIOp>(op))
        for (unsigned i : {0, 1})
          if (std::optional<int64_t> constant =
                  getConstant(op->getOperand(1 - i))) {
            int64_t product;
            return !llvm::MulOverflow(*constant, factor, product) &&
                   collect(op->getOperand(i), product, depth + 1);
          }
    }
    return expr.addTerm(value, factor);
  }

  LinearExpr &expr;
};
} // namespace

std::optional<LinearExpr> LinearExpr::get(Value value) {
  LinearExpr expr;
  if (!value.getType().isIndex() || !Linearizer{expr}.collect(value, 1, 0))
    return std::nullopt;
  return expr;
}

int64_t LinearExpr::getCoefficient(Value variable) const {
  for (const Term &term : terms)
    if (term.first == variable)
      return term.second;
  return 0;
}

LinearExpr LinearExpr::without(Value variable) const {
  LinearExpr result = *this;
  llvm::erase_if(result.terms,
                 [&](const Term &term) { return term.first == variable; });
  return result;
}

std::optional<IndexRange> LinearExpr::getRange() const {
  IndexRange sum{constant, constant};
  for (auto [variable, coefficient] : terms) {
    std::optional<IndexRange> range = ::getRange(variable, 0);
    if (!range)
      return std::nullopt;
    int64_t first, last;
    if (llvm::MulOverflow(range->min, coefficient, first) ||
        llvm::MulOverflow(range->max, coefficient, last))
      return std::nullopt;
    if (coefficient < 0)
      std::swap(first, last);
    if (llvm::AddOverflow(sum.min, first, sum.min) ||
        llvm::AddOverflow(sum.max, last, sum.max))
      return std::nullopt;
  }
  return sum;
}

bool LinearExpr::operator==(const LinearExpr &other) const {
  return constant == other.constant && terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const Term &term) {
           return other.getCoefficient(term.first) == term.second;
         });
}

bool tir::isInBounds(Value memref, ValueRange indices) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  for (auto [index, size] : llvm::zip_equal(indices, shape)) {
    std::optional<LinearExpr> expr = LinearExpr::get(index);
    std::optional<IndexRange> range = expr ? expr->getRange() : std::nullopt;
    if (!range || range->min < 0 || range->max >= size)
      return false;
  }
  return true;
}

//===- IndexRange.cpp - Ranges of indices ---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

/// Expressions are traversed as trees, so a chain of `x + x` takes 2^n steps.
/// The range of expressions deeper than any that strategies generate is
/// unknown.
static constexpr unsigned kMaxDepth = 12;

static std::optional<int64_t> getConstant(Value value) {
  return getConstantIntValue(getAsOpFoldResult(value));
}

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

/// Returns the range of a quotient or remainder by a positive constant.
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
        if (left.isPoint())
          return IndexRange{left.min % divisor, left.min % divisor};
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
    // In a loop without iterations any range is correct.
    return makeRange(lower->min, llvm::checkedSub<int64_t>(upper->max, 1));
  }
  Operation *op = value.getDefiningOp();
  if (op->getNumOperands() != 2 || !value.getType().isIndex())
    return std::nullopt;
  std::optional<IndexRange> left = getRange(op->getOperand(0), depth + 1);
  std::optional<IndexRange> right = getRange(op->getOperand(1), depth + 1);
  return left && right ? tir::getResultRange(op, *left, *right) : std::nullopt;
}

std::optional<IndexRange> tir::getResultRange(Operation *op, IndexRange left,
                                              IndexRange right) {
  return TypeSwitch<Operation *, std::optional<IndexRange>>(op)
      .Case([&](arith::AddIOp) {
        return makeRange(llvm::checkedAdd(left.min, right.min),
                         llvm::checkedAdd(left.max, right.max));
      })
      .Case([&](arith::SubIOp) {
        return makeRange(llvm::checkedSub(left.min, right.max),
                         llvm::checkedSub(left.max, right.min));
      })
      .Case([&](arith::MulIOp) -> std::optional<IndexRange> {
        if (left.isPoint())
          std::swap(left, right);
        if (!right.isPoint())
          return std::nullopt;
        auto first = llvm::checkedMul(left.min, right.min);
        auto last = llvm::checkedMul(left.max, right.min);
        return right.min < 0 ? makeRange(last, first) : makeRange(first, last);
      })
      .Case([&](arith::MaxSIOp) {
        return IndexRange{std::max(left.min, right.min),
                          std::max(left.max, right.max)};
      })
      .Case([&](arith::MinSIOp) {
        return IndexRange{std::min(left.min, right.min),
                          std::min(left.max, right.max)};
      })
      .Default([&](Operation *) -> std::optional<IndexRange> {
        if (!right.isPoint() || right.min <= 0)
          return std::nullopt;
        return getDivisionRange(op, left, right.min);
      });
}

std::optional<IndexRange> tir::getIndexRange(Value value) {
  std::optional<IndexRange> range = getRange(value, 0);
  // Only the linear form cancels terms.
  if (range || !value.getType().isIndex())
    return range;
  std::optional<LinearForm> form = LinearForm::get(value);
  return form ? getIndexRange(*form) : std::nullopt;
}

std::optional<IndexRange> tir::getIndexRange(const LinearForm &form) {
  IndexRange sum{form.getConstant(), form.getConstant()};
  for (auto [variable, coefficient] : form.getTerms()) {
    std::optional<IndexRange> range = getRange(variable, 0);
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

bool tir::isInBounds(Value memref, ValueRange indices) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  for (auto [index, size] : llvm::zip_equal(indices, shape)) {
    std::optional<LinearForm> form = LinearForm::get(index);
    std::optional<IndexRange> range =
        form ? getIndexRange(*form) : std::nullopt;
    if (!range || range->min < 0 || range->max >= size)
      return false;
  }
  return true;
}

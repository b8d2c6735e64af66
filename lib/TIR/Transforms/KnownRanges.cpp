//===- KnownRanges.cpp - Comparisons with known results -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "KnownRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace uma;

namespace {
/// Numbers that a value may have, without NaN.
struct NumberRange {
  double low, high;
};

enum class Relation { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };
} // namespace

/// Returns the range of integers of `width` bits.
static NumberRange getIntegerRange(unsigned width, bool isSigned) {
  double size = std::ldexp(1.0, int(width));
  return isSigned ? NumberRange{-size / 2, size / 2 - 1}
                  : NumberRange{0, size - 1};
}

static std::optional<NumberRange> getConstantRange(Value value, bool isSigned) {
  APFloat number(0.0f);
  APInt integer;
  double exact;
  if (matchPattern(value, m_ConstantFloat(&number))) {
    if (number.isNaN())
      return std::nullopt;
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    exact = number.convertToDouble();
  } else if (matchPattern(value, m_ConstantInt(&integer))) {
    exact = isSigned ? double(integer.getSExtValue())
                     : double(integer.getZExtValue());
  } else {
    return std::nullopt;
  }
  return NumberRange{exact, exact};
}

/// Returns the range of the numbers that `value` may have, which are integers
/// of at most 32 bits or constants; std::nullopt for other values.
static std::optional<NumberRange> getRange(Value value, bool isSigned) {
  constexpr unsigned mostBits = 32;
  Type element = getElementTypeOrSelf(value.getType());
  if (isa<IndexType>(element) ||
      (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() > 64))
    return std::nullopt;
  if (auto constant = getConstantRange(value, isSigned))
    return constant;
  Operation *op = value.getDefiningOp();
  bool isConversion = isa_and_present<arith::ExtUIOp, arith::ExtSIOp,
                                      arith::UIToFPOp, arith::SIToFPOp>(op);
  Type from = isConversion ? getElementTypeOrSelf(op->getOperand(0).getType())
                           : element;
  if (!isa<IntegerType>(from) || from.getIntOrFloatBitWidth() > mostBits)
    return std::nullopt;
  unsigned width = from.getIntOrFloatBitWidth();
  if (!isConversion)
    return getIntegerRange(width, isSigned);
  bool isFromSigned = isa<arith::ExtSIOp, arith::SIToFPOp>(op);
  // Negative numbers are large unsigned ones.
  if (isa<arith::ExtSIOp>(op) && !isSigned)
    return std::nullopt;
  NumberRange range = getIntegerRange(width, isFromSigned);
  // Rounded numbers are at most the next power of two, or infinite.
  auto number = dyn_cast<FloatType>(element);
  if (number && width > number.getFPMantissaWidth()) {
    range.high += 1;
    if (number.isF16())
      range = {range.low < 0 ? -INFINITY : 0, INFINITY};
  }
  return range;
}

/// Returns the result of a comparison of any two numbers of the ranges;
/// std::nullopt if it depends on the numbers.
static std::optional<bool> compare(Relation relation, const NumberRange &left,
                                   const NumberRange &right) {
  switch (relation) {
  case Relation::Less:
    if (left.high < right.low)
      return true;
    return left.low >= right.high ? std::optional(false) : std::nullopt;
  case Relation::LessEqual:
    if (left.high <= right.low)
      return true;
    return left.low > right.high ? std::optional(false) : std::nullopt;
  case Relation::Greater:
    return compare(Relation::Less, right, left);
  case Relation::GreaterEqual:
    return compare(Relation::LessEqual, right, left);
  case Relation::Equal:
  case Relation::NotEqual:
    if (left.high < right.low || right.high < left.low)
      return relation == Relation::NotEqual;
    return std::nullopt;
  }
  llvm_unreachable("every relation is compared");
}

static std::optional<bool> evaluate(arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  Relation relation;
  bool isSigned = true;
  switch (op.getPredicate()) {
  case Predicate::ult:
    isSigned = false;
    [[fallthrough]];
  case Predicate::slt:
    relation = Relation::Less;
    break;
  case Predicate::ule:
    isSigned = false;
    [[fallthrough]];
  case Predicate::sle:
    relation = Relation::LessEqual;
    break;
  case Predicate::ugt:
    isSigned = false;
    [[fallthrough]];
  case Predicate::sgt:
    relation = Relation::Greater;
    break;
  case Predicate::uge:
    isSigned = false;
    [[fallthrough]];
  case Predicate::sge:
    relation = Relation::GreaterEqual;
    break;
  case Predicate::eq:
    relation = Relation::Equal;
    break;
  case Predicate::ne:
    relation = Relation::NotEqual;
    break;
  }
  auto left = getRange(op.getLhs(), isSigned);
  auto right = getRange(op.getRhs(), isSigned);
  return left && right ? compare(relation, *left, *right) : std::nullopt;
}

static std::optional<bool> evaluate(arith::CmpFOp op) {
  using Predicate = arith::CmpFPredicate;
  auto left = getRange(op.getLhs(), /*isSigned=*/true);
  auto right = getRange(op.getRhs(), /*isSigned=*/true);
  if (!left || !right)
    return std::nullopt;
  // None is NaN.
  switch (op.getPredicate()) {
  case Predicate::OLT:
  case Predicate::ULT:
    return compare(Relation::Less, *left, *right);
  case Predicate::OLE:
  case Predicate::ULE:
    return compare(Relation::LessEqual, *left, *right);
  case Predicate::OGT:
  case Predicate::UGT:
    return compare(Relation::Greater, *left, *right);
  case Predicate::OGE:
  case Predicate::UGE:
    return compare(Relation::GreaterEqual, *left, *right);
  case Predicate::OEQ:
  case Predicate::UEQ:
    return compare(Relation::Equal, *left, *right);
  case Predicate::ONE:
  case Predicate::UNE:
    return compare(Relation::NotEqual, *left, *right);
  case Predicate::ORD:
  case Predicate::AlwaysTrue:
    return true;
  case Predicate::UNO:
  case Predicate::AlwaysFalse:
    return false;
  }
  llvm_unreachable("every predicate is evaluated");
}

namespace {
template <typename OpT>
struct FoldComparison : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    std::optional<bool> result = evaluate(op);
    if (!result)
      return failure();
    TypedAttr value = rewriter.getBoolAttr(*result);
    if (auto type = dyn_cast<ShapedType>(op.getType()))
      value = DenseElementsAttr::get(type, *result);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
    return success();
  }
};

/// Replaces a minimum or maximum by the operand that it always is.
template <typename OpT, bool isMax, bool isSigned = true>
struct FoldLimit : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    auto left = getRange(op.getLhs(), isSigned);
    auto right = getRange(op.getRhs(), isSigned);
    if (!left || !right)
      return failure();
    bool isLeftLess = left->high <= right->low;
    if (!isLeftLess && right->high > left->low)
      return failure();
    rewriter.replaceOp(op, isLeftLess == isMax ? op.getRhs() : op.getLhs());
    return success();
  }
};
} // namespace

void uma::tir::populateKnownRangePatterns(RewritePatternSet &patterns) {
  patterns.add<
      FoldComparison<arith::CmpIOp>, FoldComparison<arith::CmpFOp>,
      FoldLimit<arith::MaxSIOp, true>, FoldLimit<arith::MinSIOp, false>,
      FoldLimit<arith::MaxUIOp, true, false>,
      FoldLimit<arith::MinUIOp, false, false>,
      FoldLimit<arith::MaximumFOp, true>, FoldLimit<arith::MinimumFOp, false>,
      FoldLimit<arith::MaxNumFOp, true>, FoldLimit<arith::MinNumFOp, false>>(
      patterns.getContext());
}

//===- IntegerRounding.cpp - Rounding of floats in integers ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The integer is floor(fixed + 1/2) if `fixed` and the float are on the same
// side of each half. Both grow with the integers that they depend on, so it is
// enough to bound their distance within the limits.
//
//===----------------------------------------------------------------------===//

#include "IntegerRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace uma;

/// An operation on floats is off by at most this part of its result.
static const double kFloatError = std::ldexp(1.0, -24);

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

bool FixedPoint::setError(double error) {
  // On both sides of a half, and one unit for the floor.
  double width = 2 * (std::ceil(std::ldexp(error, int(fraction))) + 1);
  window = int64_t(std::ceil(std::log2(width)));
  constexpr double mostShare = 1.0 / 16;
  return window >= 1 && getShare() <= mostShare;
}

double FixedPoint::getShare() const {
  return std::ldexp(1.0, int(window - fraction));
}

Value FixedPoint::round(LayerBuilder &b, Value fixed, Value number, int32_t low,
                        int32_t high) const {
  Type i32 = b.builder.getI32Type();
  auto constant = [&](int64_t value) { return b.constant(i32, double(value)); };
  // The last bits are less than the window near a half.
  fixed = b.add(fixed, constant((int64_t(1) << (fraction - 1)) +
                                (int64_t(1) << (window - 1))));
  Value rest = arith::AndIOp::create(b.builder, b.loc, fixed,
                                     constant((int64_t(1) << fraction) - 1));
  Value isNear = b.lessThan(rest, constant(int64_t(1) << window));
  auto branch = scf::IfOp::create(b.builder, b.loc, i32, isNear,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPointToStart(branch.thenBlock());
    Value exact =
        tir::RoundClampedOp::create(b.builder, b.loc, i32, number, low, high);
    scf::YieldOp::create(b.builder, b.loc, exact);
    b.builder.setInsertionPointToStart(branch.elseBlock());
    Value integer =
        arith::ShRSIOp::create(b.builder, b.loc, fixed, constant(fraction));
    integer = arith::MaxSIOp::create(b.builder, b.loc, integer, constant(low));
    integer = arith::MinSIOp::create(b.builder, b.loc, integer, constant(high));
    scf::YieldOp::create(b.builder, b.loc, integer);
  }
  return branch.getResult(0);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

std::optional<FixedProduct> FixedProduct::choose(ArrayRef<Sums> sums,
                                                 ArrayRef<float> scales) {
  double most = mostLimit, mostScale = 0;
  for (auto [sum, scale] : llvm::zip_equal(sums, scales)) {
    // Neighbouring sums may not skip an integer beyond a limit.
    if (!std::isfinite(scale) || scale <= 0 || scale > 1 ||
        sum.getMagnitude() >= double(INT32_MAX))
      return std::nullopt;
    if (sum.isConstant())
      continue;
    most = std::max(most, sum.getMagnitude() * double(scale));
    mostScale = std::max(mostScale, double(scale));
  }
  // The scale of constant sums, a power of two.
  constexpr int constantBits = 8;
  mostScale = std::max(mostScale, std::ldexp(1.0, -constantBits));
  std::optional<FixedProduct> best;
  double bestCost = 0;
  // The product of 32 bits has 2 bits left for the rounding.
  constexpr int64_t mostFraction = 22, mostSplit = 16;
  int64_t fraction = std::min<int64_t>(
      mostFraction, 30 - int64_t(std::ceil(std::log2(most + 2))));
  for (int64_t split = 0; fraction > constantBits && split <= mostSplit;
       ++split) {
    FixedProduct product;
    product.format.fraction = fraction;
    product.split = split;
    int bits = int(fraction + split);
    // The product of the low bits is unsigned, of 32 bits.
    if (std::ldexp(mostScale, bits) + 1 >=
            std::ldexp(1.0, int(split == 0 ? 31 : 32 - split)) ||
        std::ldexp(mostScale, bits) + 1 >= double(INT32_MAX))
      break;
    constexpr double limit = mostLimit + 1;
    double error = 0;
    for (auto [channel, sum, scale] : llvm::enumerate(sums, scales)) {
      if (sum.isConstant()) {
        double integer = std::rint(float(sum.least) * scale);
        integer = std::clamp<double>(integer, -mostLimit, mostLimit);
        product.constants[channel] = int32_t(std::ldexp(integer, constantBits));
        product.multipliers.push_back(int32_t(1) << (bits - constantBits));
        continue;
      }
      double bound = sum.getMagnitude();
      double multiplier = std::rint(std::ldexp(double(scale), bits));
      product.multipliers.push_back(int32_t(multiplier));
      double difference = std::abs(std::ldexp(multiplier, -bits) - scale);
      error = std::max(error, difference * std::min(bound, limit / scale));
    }
    // The sum and the product are rounded to f32.
    error += limit * 2.1 * kFloatError + std::ldexp(1.0, -int(fraction));
    if (!product.format.setError(error))
      continue;
    // Instructions of the second product, and of the product in floats.
    constexpr double splitCost = 6, floatCost = 200;
    double cost =
        (split != 0 ? splitCost : 0) + floatCost * product.format.getShare();
    if (!best || cost < bestCost) {
      best = std::move(product);
      bestCost = cost;
    }
  }
  return best;
}

Value FixedProduct::multiply(LayerBuilder &b, Value sum,
                             Value multiplier) const {
  if (split == 0)
    return b.mul(sum, multiplier);
  Type i32 = b.builder.getI32Type();
  Value bits = b.constant(i32, double(split));
  Value high = arith::ShRSIOp::create(b.builder, b.loc, sum, bits);
  high = b.mul(high, multiplier);
  Value low =
      arith::AndIOp::create(b.builder, b.loc, sum,
                            b.constant(i32, double((int64_t(1) << split) - 1)));
  low = b.mul(low, multiplier);
  low = arith::ShRUIOp::create(b.builder, b.loc, low, bits);
  return b.add(high, low);
}

//===----------------------------------------------------------------------===//
// Affine functions
//===----------------------------------------------------------------------===//

namespace {
/// A float: the sum of integers times factors, and a constant.
struct Affine {
  struct Term {
    Value integer;
    bool isUnsigned;
    double factor;
  };
  SmallVector<Term> terms;
  double constant = 0;
  /// Largest difference from the float.
  double error = 0;

  /// Returns the largest magnitude of a term's integer.
  static double getMost(const Term &term) {
    unsigned width = term.integer.getType().getIntOrFloatBitWidth();
    return std::ldexp(1.0, int(term.isUnsigned ? width : width - 1));
  }
  double getMost() const {
    double most = std::abs(constant);
    for (const Term &term : terms)
      most += std::abs(term.factor) * getMost(term);
    return most;
  }
  void scale(double factor) {
    for (Term &term : terms)
      term.factor *= factor;
    constant *= factor;
    error *= std::abs(factor);
  }
  void add(const Affine &other) {
    for (const Term &term : other.terms) {
      auto *same = llvm::find_if(
          terms, [&](const Term &own) { return own.integer == term.integer; });
      if (same == terms.end())
        terms.push_back(term);
      else
        same->factor += term.factor;
    }
    constant += other.constant;
    error += other.error;
  }
};
} // namespace

static std::optional<Affine> getAffine(Value value) {
  APFloat number(0.0f);
  if (matchPattern(value, m_ConstantFloat(&number))) {
    Affine result;
    result.constant = number.convertToDouble();
    return result;
  }
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isF32())
    return std::nullopt;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    constexpr unsigned mostBits = 8;
    Value integer = op->getOperand(0);
    if (!integer.getType().isInteger() ||
        integer.getType().getIntOrFloatBitWidth() > mostBits)
      return std::nullopt;
    Affine result;
    result.terms.push_back({integer, isa<arith::UIToFPOp>(op), 1.0});
    return result;
  }
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    return std::nullopt;
  std::optional<Affine> left = getAffine(op->getOperand(0));
  std::optional<Affine> right = getAffine(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::MulFOp>(op)) {
    if (!right->terms.empty())
      std::swap(left, right);
    if (!right->terms.empty())
      return std::nullopt;
    left->scale(right->constant);
  } else {
    if (isa<arith::SubFOp>(op))
      right->scale(-1);
    left->add(*right);
  }
  left->error += (left->getMost() + left->error) * kFloatError;
  return left;
}

Value uma::roundAffine(LayerBuilder &b, Value number, int32_t low,
                       int32_t high) {
  std::optional<Affine> affine = getAffine(number);
  if (!affine || affine->terms.empty() || !std::isfinite(affine->getMost()))
    return {};
  FixedPoint format;
  constexpr int64_t mostFraction = 22;
  format.fraction = std::min<int64_t>(
      mostFraction, 30 - int64_t(std::ceil(std::log2(affine->getMost() + 2))));
  if (format.fraction <= 0)
    return {};
  double error = affine->error;
  auto getFixed = [&](double factor, double most) {
    double fixed = std::rint(std::ldexp(factor, int(format.fraction)));
    error += most * std::abs(factor - std::ldexp(fixed, -int(format.fraction)));
    return b.constant(b.builder.getI32Type(), fixed);
  };
  SmallVector<Value> factors;
  for (const Affine::Term &term : affine->terms)
    factors.push_back(getFixed(term.factor, Affine::getMost(term)));
  Value fixed = getFixed(affine->constant, 1);
  if (!format.setError(error))
    return {};
  for (auto [term, factor] : llvm::zip_equal(affine->terms, factors)) {
    Value integer =
        b.convert(term.integer, b.builder.getI32Type(), term.isUnsigned);
    fixed = b.add(b.mul(integer, factor), fixed);
  }
  return format.round(b, fixed, number, low, high);
}

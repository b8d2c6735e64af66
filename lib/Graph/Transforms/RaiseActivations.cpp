//===- RaiseActivations.cpp - Recognise decomposed activations ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An activation such as GELU is p(x) + q(x) * g with polynomials p and q, where
// g is a function of a polynomial in x. Exporters write products and sums in
// every order, so the patterns compute and compare polynomials instead of
// matching one order: both 0.5 * (x * (1 + g)) and x * (0.5 + 0.5 * g) are 0.5
// x + 0.5 x g.
//
//===----------------------------------------------------------------------===//

#include "RaiseOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
constexpr unsigned kDegree = 3;
/// Largest number of operators between x or g and the end of the activation.
constexpr unsigned kDepth = 6;

/// Coefficients of 1, x, x^2 and x^3.
using Polynomial = std::array<double, kDegree + 1>;

/// The expression plain(x) + slope(x) * g.
struct GatedPolynomial {
  Polynomial plain = {}, slope = {};

  static GatedPolynomial constant(double value) { return {{value}, {}}; }
  std::optional<double> asConstant() const {
    bool isConstant =
        slope == Polynomial{} &&
        llvm::all_of(llvm::drop_begin(plain), [](double c) { return c == 0; });
    return isConstant ? std::optional(plain[0]) : std::nullopt;
  }
};
} // namespace

static GatedPolynomial addScaled(GatedPolynomial lhs,
                                 const GatedPolynomial &rhs, double factor) {
  for (unsigned i = 0; i <= kDegree; ++i) {
    lhs.plain[i] += factor * rhs.plain[i];
    lhs.slope[i] += factor * rhs.slope[i];
  }
  return lhs;
}

/// Adds the product of two polynomials to `sum`. Returns false if the degree
/// exceeds kDegree.
static bool addProduct(Polynomial &sum, const Polynomial &lhs,
                       const Polynomial &rhs) {
  for (unsigned i = 0; i <= kDegree; ++i)
    for (unsigned j = 0; j <= kDegree; ++j) {
      double product = lhs[i] * rhs[j];
      if (product == 0)
        continue;
      if (i + j > kDegree)
        return false;
      sum[i + j] += product;
    }
  return true;
}

static std::optional<GatedPolynomial> multiply(const GatedPolynomial &lhs,
                                               const GatedPolynomial &rhs) {
  GatedPolynomial result;
  Polynomial square = {};
  if (!addProduct(result.plain, lhs.plain, rhs.plain) ||
      !addProduct(result.slope, lhs.plain, rhs.slope) ||
      !addProduct(result.slope, lhs.slope, rhs.plain) ||
      !addProduct(square, lhs.slope, rhs.slope) || square != Polynomial{})
    return std::nullopt;
  return result;
}

/// Returns `value` as a gated polynomial in `x` and `g`, or std::nullopt if it
/// is none. `g` may be null.
static std::optional<GatedPolynomial>
getForm(Value value, Value x, Value g, MatchedOps &matched, unsigned depth) {
  if (value == x)
    return GatedPolynomial{{0, 1}, {}};
  if (value == g)
    return GatedPolynomial{{}, {1}};
  if (std::optional<double> scalar = getScalar(value))
    return GatedPolynomial::constant(*scalar);
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 ||
      !isa<AddOp, SubtractOp, MultiplyOp, DivideOp, NegativeOp, PowerOp>(op))
    return std::nullopt;
  matched.add(op);
  SmallVector<GatedPolynomial, 2> operands;
  for (Value operand : op->getOperands()) {
    std::optional<GatedPolynomial> form =
        getForm(operand, x, g, matched, depth - 1);
    if (!form)
      return std::nullopt;
    operands.push_back(*form);
  }
  return TypeSwitch<Operation *, std::optional<GatedPolynomial>>(op)
      .Case([&](AddOp) { return addScaled(operands[0], operands[1], 1); })
      .Case([&](SubtractOp) { return addScaled(operands[0], operands[1], -1); })
      .Case([&](NegativeOp) { return addScaled({}, operands[0], -1); })
      .Case([&](MultiplyOp) { return multiply(operands[0], operands[1]); })
      .Case([&](DivideOp) -> std::optional<GatedPolynomial> {
        std::optional<double> divisor = operands[1].asConstant();
        if (!divisor || *divisor == 0)
          return std::nullopt;
        return addScaled({}, operands[0], 1 / *divisor);
      })
      .Case([&](PowerOp) -> std::optional<GatedPolynomial> {
        std::optional<double> exponent = operands[1].asConstant();
        if (!exponent || (*exponent != 2 && *exponent != 3))
          return std::nullopt;
        std::optional<GatedPolynomial> power =
            multiply(operands[0], operands[0]);
        if (!power || *exponent == 2)
          return power;
        return multiply(*power, operands[0]);
      })
      .Default(std::nullopt);
}

static bool isClose(const Polynomial &value, const Polynomial &expected,
                    Type elementType) {
  return llvm::all_of(llvm::zip_equal(value, expected), [&](auto pair) {
    return graph::isClose(std::get<0>(pair), std::get<1>(pair), elementType);
  });
}

/// Returns candidates for x, of which `argument` may be a polynomial:
/// `argument` itself and the values that it is computed from.
static SmallVector<Value> getCandidates(Value argument) {
  constexpr size_t kMost = 8;
  SmallVector<Value> values = {argument};
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op ||
        !isa<AddOp, SubtractOp, MultiplyOp, DivideOp, NegativeOp, PowerOp>(op))
      continue;
    for (Value operand : op->getOperands())
      if (values.size() < kMost && !operand.getDefiningOp<ConstantOp>() &&
          !llvm::is_contained(values, operand))
        values.push_back(operand);
  }
  return values;
}

namespace {
/// Raises an activation that contains the function FunctionOp. The derived
/// class recognises it by the polynomials of the argument and the result.
template <typename FunctionOp>
struct RaiseActivation : OpRewritePattern<FunctionOp> {
  RaiseActivation(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern<FunctionOp>(context), count(count) {}

  /// Returns whether `form` is the activation if g is FunctionOp of `argument`.
  virtual bool isActivation(FunctionOp function, const Polynomial &argument,
                            const GatedPolynomial &form,
                            Type elementType) const = 0;
  virtual Value create(PatternRewriter &rewriter, Location loc,
                       Value x) const = 0;

  LogicalResult matchAndRewrite(FunctionOp function,
                                PatternRewriter &rewriter) const override {
    for (Value x : getCandidates(function.getData())) {
      MatchedOps matched;
      std::optional<GatedPolynomial> argument =
          getForm(function.getData(), x, Value(), matched, kDepth);
      if (!argument)
        continue;
      matched.add(function);
      if (Operation *root = findRoot(function, x, argument->plain, matched)) {
        rewriter.setInsertionPoint(root);
        rewriter.replaceOp(root, create(rewriter, root->getLoc(), x));
        ++count;
        return success();
      }
    }
    return rewriter.notifyMatchFailure(function, "no part of an activation");
  }

private:
  /// Follows the result of `function` to the end of the activation.
  Operation *findRoot(FunctionOp function, Value x, const Polynomial &argument,
                      const MatchedOps &inner) const {
    Value g = function.getResult(), value = g;
    Type elementType = function.getType().getElementType();
    for (unsigned depth = 1; depth <= kDepth; ++depth) {
      if (value.use_empty() || !llvm::all_equal(value.getUsers()))
        return nullptr;
      Operation *root = *value.user_begin();
      if (!isa<AddOp, SubtractOp, MultiplyOp, DivideOp>(root))
        return nullptr;
      MatchedOps matched = inner;
      value = root->getResult(0);
      std::optional<GatedPolynomial> form =
          getForm(value, x, g, matched, kDepth);
      if (!form)
        return nullptr;
      if (isActivation(function, argument, *form, elementType) &&
          value.getType() == x.getType() && matched.isClosed(root))
        return root;
    }
    return nullptr;
  }

  Pass::Statistic &count;
};

const Polynomial kHalf = {0, 0.5};

/// 0.5 x (1 + erf(x / sqrt(2)))
struct RaiseGelu : RaiseActivation<ErfOp> {
  using RaiseActivation::RaiseActivation;
  bool isActivation(ErfOp, const Polynomial &argument,
                    const GatedPolynomial &form, Type type) const override {
    return isClose(argument, {0, std::sqrt(0.5)}, type) &&
           isClose(form.plain, kHalf, type) && isClose(form.slope, kHalf, type);
  }
  Value create(PatternRewriter &rewriter, Location loc,
               Value x) const override {
    return GeluOp::create(rewriter, loc, x.getType(), x, UnitAttr());
  }
};

/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
struct RaiseApproximateGelu : RaiseActivation<TanhOp> {
  using RaiseActivation::RaiseActivation;
  bool isActivation(TanhOp, const Polynomial &argument,
                    const GatedPolynomial &form, Type type) const override {
    double scale = std::sqrt(2 / M_PI);
    return isClose(argument, {0, scale, 0, 0.044715 * scale}, type) &&
           isClose(form.plain, kHalf, type) && isClose(form.slope, kHalf, type);
  }
  Value create(PatternRewriter &rewriter, Location loc,
               Value x) const override {
    return GeluOp::create(rewriter, loc, x.getType(), x,
                          rewriter.getUnitAttr());
  }
};

/// x sigmoid(x)
struct RaiseSilu : RaiseActivation<SigmoidOp> {
  using RaiseActivation::RaiseActivation;
  bool isActivation(SigmoidOp, const Polynomial &argument,
                    const GatedPolynomial &form, Type) const override {
    Polynomial x = {0, 1};
    return argument == x && form.plain == Polynomial{} && form.slope == x;
  }
  Value create(PatternRewriter &rewriter, Location loc,
               Value x) const override {
    return SiluOp::create(rewriter, loc, x.getType(), x);
  }
};

/// x clip(x + 3, 0, 6) / 6, or x clip(x / 6 + 0.5, 0, 1)
struct RaiseHardSwish : RaiseActivation<ClipOp> {
  using RaiseActivation::RaiseActivation;
  bool isActivation(ClipOp clip, const Polynomial &argument,
                    const GatedPolynomial &form, Type type) const override {
    double scale = form.slope[1];
    return clip.getAMin().isZero() &&
           graph::isClose(scale * clip.getAMax().convertToDouble(), 1, type) &&
           isClose({scale * argument[0], scale * argument[1], argument[2],
                    argument[3]},
                   {0.5, 1.0 / 6}, type) &&
           form.plain == Polynomial{} && form.slope == Polynomial{0, scale};
  }
  Value create(PatternRewriter &rewriter, Location loc,
               Value x) const override {
    return HardSwishOp::create(rewriter, loc, x.getType(), x);
  }
};

/// 1 / (1 + exp(-x)), and x / (1 + exp(-x))
struct RaiseSigmoid : OpRewritePattern<DivideOp> {
  RaiseSigmoid(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(DivideOp divide,
                                PatternRewriter &rewriter) const override {
    MatchedOps matched;
    matched.add(divide);
    auto sum = matched.match<AddOp>(divide.getRhs());
    if (!sum)
      return rewriter.notifyMatchFailure(divide, "no sum divides");
    for (auto [exponential, one] : getBothOrders(sum)) {
      auto exp = matched.match<ExpOp>(exponential);
      auto negative =
          exp ? matched.match<NegativeOp>(exp.getData()) : NegativeOp();
      if (!negative || !isScalar(one, 1))
        continue;
      Value x = negative.getData();
      bool isSilu = divide.getLhs() == x;
      if ((!isSilu && !isScalar(divide.getLhs(), 1)) ||
          divide.getType() != x.getType() || !matched.isClosed(divide))
        continue;
      if (isSilu)
        rewriter.replaceOpWithNewOp<SiluOp>(divide, x.getType(), x);
      else
        rewriter.replaceOpWithNewOp<SigmoidOp>(divide, x.getType(), x);
      ++count;
      return success();
    }
    return rewriter.notifyMatchFailure(divide, "no sigmoid");
  }

private:
  Pass::Statistic &count;
};
} // namespace

void graph::populateRaiseActivationPatterns(RewritePatternSet &patterns,
                                            Pass::Statistic &count) {
  patterns.add<RaiseGelu, RaiseApproximateGelu, RaiseSilu, RaiseHardSwish,
               RaiseSigmoid>(patterns.getContext(), count);
}

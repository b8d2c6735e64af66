//===- RaiseNormalizations.cpp - Recognise decomposed normalisations ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All forms contain the mean of squares, an epsilon and a root. Some divide by
// the root, others multiply by its inverse. The position of the scale differs.
// TensorFlow does not centre the data but subtracts the scaled mean at the end.
//
//===----------------------------------------------------------------------===//

#include "RaiseOps.h"

#include "Constants.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
/// Partial match of data / root(mean of squares + epsilon).
struct Normalization {
  MatchedOps matched;
  Value squared; ///< Operand of the mean of squares.
  Value gamma;   ///< Null if there is no scale.
  int64_t axis = 0;
  double epsilon = 0;
};
} // namespace

/// Returns the first dimension that `op` reduces if it reduces all dimensions
/// from there on and keeps them with size 1, or std::nullopt otherwise.
static std::optional<int64_t> getSuffixAxis(MeanOp op) {
  if (!op.getKeepdims())
    return std::nullopt;
  SmallVector<bool> reduced =
      getReducedDims(op.getAxis(), getTensorType(op.getData()).getRank());
  auto *first = llvm::find(reduced, true);
  if (first == reduced.end() ||
      !std::all_of(first, reduced.end(), [](bool r) { return r; }))
    return std::nullopt;
  return first - reduced.begin();
}

/// Matches `value` = mean(squared * squared) + epsilon.
static bool matchMeanOfSquares(Value value, Normalization &norm) {
  auto sum = norm.matched.match<AddOp>(value);
  if (!sum)
    return false;
  for (auto [first, second] : getBothOrders(sum)) {
    std::optional<double> epsilon = getScalar(second);
    auto mean = first.getDefiningOp<MeanOp>();
    std::optional<int64_t> axis = mean ? getSuffixAxis(mean) : std::nullopt;
    if (!epsilon || !(*epsilon >= 0) || !axis)
      continue;
    norm.matched.add(mean);
    norm.epsilon = *epsilon;
    norm.axis = *axis;
    if (auto product = norm.matched.match<MultiplyOp>(mean.getData())) {
      norm.squared = product.getLhs();
      return product.getRhs() == norm.squared;
    }
    auto power = norm.matched.match<PowerOp>(mean.getData());
    if (!power || !isScalar(power.getRhs(), 2))
      return false;
    norm.squared = power.getLhs();
    return true;
  }
  return false;
}

/// Matches `value` = root(mean of squares + epsilon).
static bool matchRoot(Value value, Normalization &norm) {
  if (auto root = norm.matched.match<SqrtOp>(value))
    return matchMeanOfSquares(root.getData(), norm);
  auto power = norm.matched.match<PowerOp>(value);
  return power && isScalar(power.getRhs(), 0.5) &&
         matchMeanOfSquares(power.getLhs(), norm);
}

/// Matches `value` = 1 / root(mean of squares + epsilon).
static bool matchInverseRoot(Value value, Normalization &norm) {
  if (auto inverse = norm.matched.match<DivideOp>(value))
    return isScalar(inverse.getLhs(), 1) && matchRoot(inverse.getRhs(), norm);
  auto power = norm.matched.match<PowerOp>(value);
  return power && isScalar(power.getRhs(), -0.5) &&
         matchMeanOfSquares(power.getLhs(), norm);
}

/// Matches `value` = 1 / root, optionally multiplied by a scale.
static bool matchScaledInverseRoot(Value value, Normalization &norm) {
  if (auto product = value.getDefiningOp<MultiplyOp>()) {
    for (auto [inverse, gamma] : getBothOrders(product)) {
      Normalization attempt = norm;
      attempt.matched.add(product);
      attempt.gamma = gamma;
      if (matchInverseRoot(inverse, attempt)) {
        norm = attempt;
        return true;
      }
    }
    return false;
  }
  return matchInverseRoot(value, norm);
}

/// Matches `centered` = data - mean(data) over the dimensions of `norm`.
/// Returns the data and sets `mean`, or returns null.
static Value matchCentered(Value centered, Normalization &norm, Value &mean) {
  auto difference = centered.getDefiningOp<SubtractOp>();
  auto op = difference ? difference.getRhs().getDefiningOp<MeanOp>() : MeanOp();
  if (!op || op.getData() != difference.getLhs() ||
      getSuffixAxis(op) != norm.axis)
    return nullptr;
  norm.matched.add(difference);
  norm.matched.add(op);
  mean = op.getResult();
  return op.getData();
}

/// Returns whether `value`, broadcast to `data`, does not depend on dimensions
/// before `axis` and can be converted to the shape of the others.
static bool isParameter(Value value, RankedTensorType data, int64_t axis) {
  RankedTensorType type = getTensorType(value);
  if (type.getElementType() != data.getElementType() ||
      type.getRank() > data.getRank())
    return false;
  ArrayRef<int64_t> suffix = data.getShape().drop_front(axis);
  if (type.getShape() == suffix || getScalar(value))
    return true;
  // Constants can be reshaped without adding an operator.
  ArrayRef<int64_t> shape = type.getShape();
  while (shape.size() > suffix.size() && shape.front() == 1)
    shape = shape.drop_front();
  return shape == suffix && getConstant(value);
}

/// Returns `value`, which satisfies isParameter, in the shape of the dimensions
/// of `data` from `axis` on. If `value` is null, all elements are `fill`.
static Value createParameter(OpBuilder &builder, Operation *layer,
                             StringRef suffix, Value value, double fill,
                             RankedTensorType data, int64_t axis) {
  auto type = RankedTensorType::get(data.getShape().drop_front(axis),
                                    data.getElementType());
  if (value && value.getType() == type)
    return value;
  if (value && getTensorType(value).getNumElements() == type.getNumElements())
    return createConstant(builder, layer, suffix,
                          getConstant(value)->reshaped(type.getShape()));
  HostTensor tensor(type);
  double number = value ? *getScalar(value) : fill;
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    tensor.setDouble(i, number);
  return createConstant(builder, layer, suffix, tensor);
}

/// Returns the only user of `op`, or null if it has none or several uses.
static Operation *getOnlyUser(Operation *op) {
  return op->hasOneUse() ? *op->user_begin() : nullptr;
}

/// Matches a product of `root` and a parameter and then, if `beta` is not null,
/// a sum with one. Both are optional. Returns the last operator of the
/// normalisation.
static Operation *matchScaleAndShift(Operation *root, RankedTensorType data,
                                     Normalization &norm, Value *beta) {
  auto getParameter = [&](Operation *user) -> Value {
    Value other = user->getOperand(user->getOperand(0) == root->getResult(0));
    bool isMatch = user->getResult(0).getType() == data &&
                   isParameter(other, data, norm.axis);
    return isMatch ? other : Value();
  };
  auto scale = dyn_cast_or_null<MultiplyOp>(getOnlyUser(root));
  if (!norm.gamma && scale)
    if (Value gamma = getParameter(scale)) {
      norm.gamma = gamma;
      root = scale;
    }
  Operation *shift = beta ? getOnlyUser(root) : nullptr;
  auto bias = dyn_cast_or_null<BiasAddOp>(shift);
  // A bias_add along the last dimension is a sum with a parameter.
  bool isAlongLast = bias && bias.getData() == root->getResult(0) &&
                     getPositiveAxis(static_cast<int64_t>(bias.getAxis()),
                                     data.getRank()) == data.getRank() - 1;
  if (isa_and_present<AddOp>(shift) || isAlongLast)
    if (Value parameter = getParameter(shift)) {
      *beta = parameter;
      root = shift;
    }
  return root;
}

/// Replaces `root`, the last operator of `norm`, by a layer_norm of `data` if
/// `beta` is not null, or by an rms_norm otherwise.
static void replace(PatternRewriter &rewriter, Operation *root, Value data,
                    const Normalization &norm, const Value *beta) {
  RankedTensorType type = getTensorType(data);
  rewriter.setInsertionPoint(root);
  Value gamma =
      createParameter(rewriter, root, "gamma", norm.gamma, 1, type, norm.axis);
  auto axis = static_cast<uint64_t>(norm.axis - type.getRank());
  APFloat epsilon(norm.epsilon);
  if (!beta) {
    rewriter.replaceOpWithNewOp<RMSNormOp>(root, type, data, gamma, axis,
                                           epsilon);
    return;
  }
  Value shift =
      createParameter(rewriter, root, "beta", *beta, 0, type, norm.axis);
  rewriter.replaceOpWithNewOp<LayerNormOp>(root, type, data, gamma, shift, axis,
                                           epsilon);
}

/// Rewrites the normalisation in which `quotient` divides `dividend` by the
/// root matched in `norm`. Fails if it is none.
static LogicalResult raiseQuotient(PatternRewriter &rewriter,
                                   Operation *quotient, Value dividend,
                                   Normalization norm) {
  if (norm.squared != dividend ||
      quotient->getResult(0).getType() != dividend.getType())
    return failure();
  norm.matched.add(quotient);
  Value mean, beta;
  Normalization centered = norm;
  Value data = matchCentered(dividend, centered, mean);
  bool isCentered = data && centered.matched.isClosed(quotient);
  if (isCentered)
    norm = centered;
  else
    data = dividend;
  RankedTensorType type = getTensorType(data);
  if (!norm.matched.isClosed(quotient) ||
      (norm.gamma && !isParameter(norm.gamma, type, norm.axis)))
    return failure();
  Operation *root =
      matchScaleAndShift(quotient, type, norm, isCentered ? &beta : nullptr);
  replace(rewriter, root, data, norm, isCentered ? &beta : nullptr);
  return success();
}

namespace {
/// Raises x / root(...).
struct RaiseDivide : OpRewritePattern<DivideOp> {
  RaiseDivide(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(DivideOp op,
                                PatternRewriter &rewriter) const override {
    Normalization norm;
    if (!matchRoot(op.getRhs(), norm) ||
        failed(raiseQuotient(rewriter, op, op.getLhs(), norm)))
      return rewriter.notifyMatchFailure(op, "no normalisation");
    ++count;
    return success();
  }

  Pass::Statistic &count;
};

/// Raises x * (1 / root(...)), also with the scale inside.
struct RaiseMultiply : OpRewritePattern<MultiplyOp> {
  RaiseMultiply(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(MultiplyOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [dividend, factor] : getBothOrders(op)) {
      Normalization norm;
      if (matchScaledInverseRoot(factor, norm) &&
          succeeded(raiseQuotient(rewriter, op, dividend, norm))) {
        ++count;
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no normalisation");
  }

  Pass::Statistic &count;
};

/// Raises x * r + (beta - mean(x) * r) with r = gamma / root(...), as exported
/// for TensorFlow's batch_normalization of moments.
struct RaiseAdd : OpRewritePattern<AddOp> {
  RaiseAdd(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(AddOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [first, second] : getBothOrders(op)) {
      auto scaled = first.getDefiningOp<MultiplyOp>();
      auto shift = second.getDefiningOp<SubtractOp>();
      if (scaled && shift && succeeded(raise(rewriter, op, scaled, shift))) {
        ++count;
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no normalisation");
  }

private:
  static LogicalResult raise(PatternRewriter &rewriter, AddOp op,
                             MultiplyOp scaled, SubtractOp shift) {
    for (auto [data, factor] : getBothOrders(scaled)) {
      Normalization norm;
      Value mean, beta = shift.getLhs();
      if (!matchScaledInverseRoot(factor, norm) ||
          matchCentered(norm.squared, norm, mean) != data)
        continue;
      auto offset = norm.matched.match<MultiplyOp>(shift.getRhs());
      std::pair expected(mean, factor);
      if (!offset || !llvm::is_contained(getBothOrders(offset), expected))
        continue;
      norm.matched.add(op);
      norm.matched.add(scaled);
      norm.matched.add(shift);
      RankedTensorType type = getTensorType(data);
      if (op.getType() != type || !norm.matched.isClosed(op) ||
          !isParameter(beta, type, norm.axis) ||
          (norm.gamma && !isParameter(norm.gamma, type, norm.axis)))
        continue;
      replace(rewriter, op, data, norm, &beta);
      return success();
    }
    return failure();
  }

  Pass::Statistic &count;
};
} // namespace

void graph::populateRaiseNormalizationPatterns(RewritePatternSet &patterns,
                                               Pass::Statistic &count) {
  patterns.add<RaiseDivide, RaiseMultiply, RaiseAdd>(patterns.getContext(),
                                                     count);
}

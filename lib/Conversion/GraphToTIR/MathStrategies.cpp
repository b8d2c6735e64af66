//===- MathStrategies.cpp - Elementwise operators and softmax as loops -*- C++
//-*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// The access of an operand that broadcasts to `rank` dimensions.
static Access broadcast(LayerBuilder &b, Value operand, unsigned rank) {
  Access access{operand, {}};
  ArrayRef<int64_t> shape = getShape(operand);
  for (auto [i, size] : llvm::enumerate(shape))
    access.first.push_back(size == 1 ? b.expr(0)
                                     : b.dim(rank - shape.size() + i));
  return access;
}

static Value select(LayerBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
}

/// lhs / rhs; integers divide by 1 instead of 0, which C leaves undefined.
static Value divide(LayerBuilder &b, Value lhs, Value rhs, bool isUnsigned) {
  if (isa<FloatType>(lhs.getType()))
    return arith::DivFOp::create(b.builder, b.loc, lhs, rhs);
  Value isZero =
      arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::eq, rhs,
                            b.constant(rhs.getType(), 0));
  Value divisor = select(b, isZero, b.constant(rhs.getType(), 1), rhs);
  if (isUnsigned)
    return arith::DivUIOp::create(b.builder, b.loc, lhs, divisor);
  return arith::DivSIOp::create(b.builder, b.loc, lhs, divisor);
}

static Value subtract(LayerBuilder &b, Value lhs, Value rhs,
                      bool /*isUnsigned*/ = false) {
  if (isa<FloatType>(lhs.getType()))
    return arith::SubFOp::create(b.builder, b.loc, lhs, rhs);
  return arith::SubIOp::create(b.builder, b.loc, lhs, rhs);
}

/// A strategy for an operator of two broadcast operands. `fn` gets the two
/// elements and whether they are unsigned integers.
template <typename Fn>
static auto makeBinary(StringRef label, Fn fn) {
  return [label, fn](LayerBuilder &b, Operation *, ValueRange inputs,
                     ValueRange outputs) {
    Value result = outputs[0];
    unsigned rank = getShape(result).size();
    b.elementwise(
        label, result,
        {broadcast(b, inputs[0], rank), broadcast(b, inputs[1], rank)},
        LayerBuilder::getComputeType(getElement(result)),
        [&](ValueRange elements) {
          return fn(b, elements[0], elements[1], b.isUnsigned(result));
        });
    return success();
  };
}

static LogicalResult lowerRelu(LayerBuilder &b, graph::ReluOp,
                               ValueRange inputs, ValueRange outputs) {
  bool isUnsigned = b.isUnsigned(inputs[0]);
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  Value zero = b.constant(type, 0.0);
  b.elementwise(
      "relu", outputs[0], {b.whole(inputs[0])}, type, [&](ValueRange x) {
        if (isUnsigned) // C compilers warn about x < 0
          return x[0];
        // NaN is not less than 0 and stays, as in ONNX.
        return select(b, b.lessThan(x[0], zero, isUnsigned), zero, x[0]);
      });
  return success();
}

/// A bound of a clip as a constant of the data's type; null where no element
/// lies beyond it, since C compilers warn about comparisons that are never
/// true.
static Value getClipBound(LayerBuilder &b, Type type, const APFloat &bound,
                          bool isUnsigned, bool isLow) {
  if (isa<FloatType>(type)) {
    if (bound.isInfinity() && bound.isNegative() == isLow)
      return nullptr;
    return b.constant(type, bound.convertToDouble());
  }
  // What an integer cannot hold saturates.
  unsigned width = type.getIntOrFloatBitWidth();
  APSInt value(width, isUnsigned);
  bool isExact;
  bound.convertToInteger(value, APFloat::rmTowardZero, &isExact);
  if (value == (isLow ? APSInt::getMinValue(width, isUnsigned)
                      : APSInt::getMaxValue(width, isUnsigned)))
    return nullptr;
  return arith::ConstantOp::create(b.builder, b.loc,
                                   b.builder.getIntegerAttr(type, value));
}

static LogicalResult lowerClip(LayerBuilder &b, graph::ClipOp op,
                               ValueRange inputs, ValueRange outputs) {
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  bool isUnsigned = b.isUnsigned(inputs[0]);
  Value low = getClipBound(b, type, op.getAMin(), isUnsigned, /*isLow=*/true);
  Value high = getClipBound(b, type, op.getAMax(), isUnsigned, /*isLow=*/false);
  b.elementwise("clip", outputs[0], {b.whole(inputs[0])}, type,
                [&](ValueRange x) {
                  Value y = x[0];
                  if (low)
                    y = select(b, b.lessThan(y, low, isUnsigned), low, y);
                  if (high)
                    y = select(b, b.lessThan(high, y, isUnsigned), high, y);
                  return y;
                });
  return success();
}

static LogicalResult lowerCast(LayerBuilder &b, graph::CastOp,
                               ValueRange inputs, ValueRange outputs) {
  Type from = getElement(inputs[0]);
  // Integers have the source's sign; floats become what the result holds.
  bool isUnsigned = b.isUnsigned(isa<FloatType>(from) ? outputs[0] : inputs[0]);
  b.elementwise("cast", outputs[0], {b.whole(inputs[0])}, from,
                [&](ValueRange x) {
                  return b.convert(x[0], getElement(outputs[0]), isUnsigned);
                });
  return success();
}

/// The access of a vector that lies along `axis`.
static Access alongAxis(LayerBuilder &b, Value vector, int64_t axis,
                        int64_t rank) {
  return {vector, {b.dim(axis < 0 ? axis + rank : axis)}};
}

static LogicalResult lowerBiasAdd(LayerBuilder &b, graph::BiasAddOp op,
                                  ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  int64_t rank = getShape(result).size();
  b.elementwise(
      "bias_add", result,
      {b.whole(inputs[0]), alongAxis(b, inputs[1], op.getAxis(), rank)},
      LayerBuilder::getComputeType(getElement(result)),
      [&](ValueRange x) { return b.add(x[0], x[1]); });
  return success();
}

static LogicalResult lowerBatchNorm(LayerBuilder &b, graph::BatchNormOp op,
                                    ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  int64_t rank = getShape(result).size();
  Type type = LayerBuilder::getComputeType(getElement(result));
  SmallVector<Access> operands{b.whole(inputs[0])};
  for (Value statistic : inputs.drop_front())
    operands.push_back(alongAxis(b, statistic, op.getAxis(), rank));
  Value epsilon = b.constant(type, op.getEpsilon().convertToDouble());
  b.elementwise("batch_norm", result, operands, type, [&](ValueRange x) {
    Value deviation =
        math::SqrtOp::create(b.builder, b.loc, b.add(x[4], epsilon));
    Value normal = arith::DivFOp::create(b.builder, b.loc,
                                         subtract(b, x[0], x[3]), deviation);
    return b.add(b.mul(normal, x[1]), x[2]);
  });
  return success();
}

static LogicalResult lowerSoftmax(LayerBuilder &b, graph::SoftmaxOp op,
                                  ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  ArrayRef<int64_t> shape = getShape(result);
  int64_t rank = shape.size();
  int64_t axis = op.getAxis();
  if (axis < 0)
    axis += rank;
  Type type = LayerBuilder::getComputeType(getElement(result));

  // Iteration variables: every dimension but the axis, then the axis.
  SmallVector<int64_t> outerShape(shape);
  outerShape.erase(outerShape.begin() + axis);
  auto insertAxis = [&](auto vars) {
    SmallVector<std::decay_t<decltype(vars[0])>> all(vars.begin(), vars.end());
    auto last = all.pop_back_val();
    all.insert(all.begin() + axis, last);
    return all;
  };
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < rank; ++i)
    exprs.push_back(b.dim(i));
  Access dataAccess{data, insertAxis(exprs)},
      resultAccess{result, insertAxis(exprs)};
  auto loadData = [&](ValueRange vars) {
    SmallVector<Value> values(vars);
    return b.convert(b.load(data, insertAxis(values)), type);
  };
  auto exponential = [&](ValueRange vars, Value maximum) -> Value {
    Value x = loadData(vars);
    Value shifted = subtract(b, x, b.load(maximum, {}));
    return math::ExpOp::create(b.builder, b.loc, shifted);
  };

  Value lowest = arith::ConstantOp::create(
      b.builder, b.loc,
      b.builder.getFloatAttr(
          type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                /*Negative=*/true)));
  Value zero = b.constant(type, 0.0);
  b.loops(outerShape, [&](ValueRange outer) {
    // Subtracting the maximum keeps exp in range and leaves the quotient.
    Value maximum =
        b.reduce("softmax_max", outer, outerShape, {shape[axis]}, type, lowest,
                 {dataAccess}, [&](ValueRange vars, Value acc) {
                   Value x = loadData(vars);
                   return select(b, b.lessThan(acc, x), x, acc);
                 });
    Value sum =
        b.reduce("softmax_sum", outer, outerShape, {shape[axis]}, type, zero,
                 {dataAccess, {maximum, {}}}, [&](ValueRange vars, Value acc) {
                   return b.add(acc, exponential(vars, maximum));
                 });
    b.loops({shape[axis]}, [&](ValueRange inner) {
      SmallVector<Value> bindings(outer);
      bindings.push_back(inner[0]);
      SmallVector<LayerBuilder::Dim> dims;
      for (int64_t size : outerShape)
        dims.push_back({size});
      dims.push_back({shape[axis]});
      b.block("softmax", dims, bindings, {dataAccess, {maximum, {}}, {sum, {}}},
              {resultAccess}, [&](ValueRange vars) {
                Value exp = exponential(vars, maximum);
                Value quotient = arith::DivFOp::create(b.builder, b.loc, exp,
                                                       b.load(sum, {}));
                SmallVector<Value> values(vars);
                b.store(quotient, result, insertAxis(values));
              });
    });
  });
  return success();
}

void uma::populateMathStrategies(StrategyRegistry &registry) {
  registry.add<graph::AddOp>(
      makeBinary("add", [](LayerBuilder &b, Value x, Value y,
                           bool /*isUnsigned*/) { return b.add(x, y); }));
  registry.add<graph::SubtractOp>(makeBinary("subtract", subtract));
  registry.add<graph::MultiplyOp>(
      makeBinary("multiply", [](LayerBuilder &b, Value x, Value y,
                                bool /*isUnsigned*/) { return b.mul(x, y); }));
  registry.add<graph::DivideOp>(makeBinary("divide", divide));
  registry.add<graph::ReluOp>(lowerRelu);
  registry.add<graph::ClipOp>(lowerClip);
  registry.add<graph::CastOp>(lowerCast);
  registry.add<graph::BiasAddOp>(lowerBiasAdd);
  registry.add<graph::BatchNormOp>(lowerBatchNorm);
  registry.add<graph::SoftmaxOp>(lowerSoftmax);
}

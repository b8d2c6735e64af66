//===- ReduceStrategies.cpp - Reductions and scans as loops ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AxisLoops.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using tir::IterKind;

static bool isEmpty(Value buffer) {
  return llvm::is_contained(getShape(buffer), 0);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Builds the lowest or highest value of a type, which is infinite for floats.
static Value getLimit(LayerBuilder &b, Type type, bool isUnsigned,
                      bool highest) {
  TypedAttr value;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    value = b.builder.getFloatAttr(
        type,
        APFloat::getInf(floatType.getFloatSemantics(), /*Negative=*/!highest));
  } else {
    unsigned width = type.getIntOrFloatBitWidth();
    value = b.builder.getIntegerAttr(
        type, highest ? APSInt::getMaxValue(width, isUnsigned)
                      : APSInt::getMinValue(width, isUnsigned));
  }
  return arith::ConstantOp::create(b.builder, b.loc, value);
}

/// Builds a reduction by `update(acc, element)`, starting with `start`;
/// `finish` computes the result from the final value. Both compute in `type`.
static void lowerReduction(LayerBuilder &b, StringRef label,
                           ArrayRef<bool> isReduced, ValueRange inputs,
                           ValueRange outputs, Type type, Value start,
                           function_ref<Value(Value, Value)> update,
                           function_ref<Value(Value)> finish) {
  Value data = inputs[0], result = outputs[0];
  if (isEmpty(result))
    return;
  ArrayRef<int64_t> shape = getShape(data);
  unsigned resultRank = getShape(result).size();
  bool keepdims = resultRank == shape.size();
  // Iteration variables: those of the result, then the reduced dimensions.
  Access access{data, {}};
  SmallVector<int64_t> extents;
  unsigned next = 0;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!isReduced[dim]) {
      access.first.push_back(b.dim(keepdims ? dim : next++));
      continue;
    }
    access.first.push_back(b.dim(resultRank + extents.size()));
    extents.push_back(size);
  }
  if (isEmpty(data)) { // the result is not empty
    b.elementwise(label, result, {}, type,
                  [&](ValueRange) { return finish(start); });
    return;
  }
  b.loops(getShape(result), [&](ValueRange outer) {
    Value scalar = b.reduce(label, outer, getShape(result), extents, type,
                            start, {access}, [&](ValueRange vars, Value acc) {
                              return update(acc, b.loadAt(type, access, vars));
                            });
    b.storeScalar((label + "_result").str(), outer, scalar, result,
                  [&](Value value, ValueRange) { return finish(value); });
  });
}

static Value keep(Value value) { return value; }

static LogicalResult lowerSum(LayerBuilder &b, graph::SumOp op,
                              ValueRange inputs, ValueRange outputs) {
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  lowerReduction(
      b, "sum", graph::getReducedDims(op.getAxis(), getShape(inputs[0]).size()),
      inputs, outputs, type, b.constant(type, 0.0),
      [&](Value acc, Value x) { return b.add(acc, x); }, keep);
  return success();
}

static LogicalResult lowerProd(LayerBuilder &b, graph::ProdOp op,
                               ValueRange inputs, ValueRange outputs) {
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  lowerReduction(
      b, "prod",
      graph::getReducedDims(op.getAxis(), getShape(inputs[0]).size()), inputs,
      outputs, type, b.constant(type, 1.0),
      [&](Value acc, Value x) { return b.mul(acc, x); }, keep);
  return success();
}

static LogicalResult lowerMean(LayerBuilder &b, graph::MeanOp op,
                               ValueRange inputs, ValueRange outputs) {
  // Integers are summed in 64 bits.
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  bool isFloat = isa<FloatType>(type);
  if (!isFloat)
    type = b.builder.getI64Type();
  ArrayRef<int64_t> shape = getShape(inputs[0]);
  auto isReduced = graph::getReducedDims(op.getAxis(), shape.size());
  int64_t count = 1;
  for (auto [size, reduced] : llvm::zip_equal(shape, isReduced))
    if (reduced)
      count *= size;
  // The mean of no elements is NaN for floats and 0 for integers.
  Value divisor =
      b.constant(type, isFloat ? count : std::max<int64_t>(count, 1));
  auto divide = [&](Value sum) -> Value {
    if (isFloat)
      return arith::DivFOp::create(b.builder, b.loc, sum, divisor);
    if (b.isUnsigned(inputs[0]))
      return arith::DivUIOp::create(b.builder, b.loc, sum, divisor);
    return arith::DivSIOp::create(b.builder, b.loc, sum, divisor);
  };
  lowerReduction(
      b, "mean", isReduced, inputs, outputs, type, b.constant(type, 0.0),
      [&](Value acc, Value x) { return b.add(acc, x); }, divide);
  return success();
}

/// Builds the larger or smaller of two elements; NaN propagates.
template <typename FloatOp, typename SignedOp, typename UnsignedOp,
          typename BoolOp>
static Value pick(LayerBuilder &b, Value x, Value acc, bool isUnsigned) {
  Type type = x.getType();
  if (isa<FloatType>(type))
    return FloatOp::create(b.builder, b.loc, x, acc);
  if (type.isInteger(1))
    return BoolOp::create(b.builder, b.loc, x, acc);
  if (isUnsigned)
    return UnsignedOp::create(b.builder, b.loc, x, acc);
  return SignedOp::create(b.builder, b.loc, x, acc);
}

static LogicalResult lowerMax(LayerBuilder &b, graph::MaxOp op,
                              ValueRange inputs, ValueRange outputs) {
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  bool isUnsigned = b.isUnsigned(inputs[0]);
  lowerReduction(
      b, "max", graph::getReducedDims(op.getAxis(), getShape(inputs[0]).size()),
      inputs, outputs, type, getLimit(b, type, isUnsigned, /*highest=*/false),
      [&](Value acc, Value x) {
        return pick<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp,
                    arith::OrIOp>(b, x, acc, isUnsigned);
      },
      keep);
  return success();
}

static LogicalResult lowerMin(LayerBuilder &b, graph::MinOp op,
                              ValueRange inputs, ValueRange outputs) {
  Type type = LayerBuilder::getComputeType(getElement(outputs[0]));
  bool isUnsigned = b.isUnsigned(inputs[0]);
  lowerReduction(
      b, "min", graph::getReducedDims(op.getAxis(), getShape(inputs[0]).size()),
      inputs, outputs, type, getLimit(b, type, isUnsigned, /*highest=*/true),
      [&](Value acc, Value x) {
        return pick<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp,
                    arith::AndIOp>(b, x, acc, isUnsigned);
      },
      keep);
  return success();
}

//===----------------------------------------------------------------------===//
// Operators along one axis
//===----------------------------------------------------------------------===//

/// Builds the condition that `lhs` is sorted before `rhs`, in ascending or, if
/// `descending`, descending order. `nanFirst` places NaN first.
static Value comesBefore(LayerBuilder &b, Value lhs, Value rhs, bool descending,
                         bool isUnsigned, bool nanFirst) {
  Value before = descending ? b.lessThan(rhs, lhs, isUnsigned)
                            : b.lessThan(lhs, rhs, isUnsigned);
  if (!isa<FloatType>(lhs.getType()))
    return before;
  Value nan = nanFirst ? lhs : rhs, number = nanFirst ? rhs : lhs;
  Value isNaN = arith::CmpFOp::create(b.builder, b.loc,
                                      arith::CmpFPredicate::UNE, nan, nan);
  Value isNumber = arith::CmpFOp::create(
      b.builder, b.loc, arith::CmpFPredicate::OEQ, number, number);
  Value byNaN = arith::AndIOp::create(b.builder, b.loc, isNaN, isNumber);
  return arith::OrIOp::create(b.builder, b.loc, before, byNaN);
}

static Value negate(LayerBuilder &b, Value condition) {
  return arith::XOrIOp::create(b.builder, b.loc, condition,
                               b.constant(b.builder.getI1Type(), 1));
}

static Value select(LayerBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
}

/// Converts an index to an element of the result.
static Value toElement(LayerBuilder &b, Value index) {
  return arith::IndexCastOp::create(b.builder, b.loc, b.builder.getI64Type(),
                                    index);
}

template <typename OpT>
static LogicalResult lowerArgReduction(LayerBuilder &b, OpT op,
                                       ValueRange inputs, ValueRange outputs) {
  constexpr bool isMax = std::is_same_v<OpT, graph::ArgMaxOp>;
  Value data = inputs[0], result = outputs[0];
  if (isEmpty(result))
    return success();
  Type type = LayerBuilder::getComputeType(getElement(data));
  AxisLoops loops(b, getShape(data), op.getAxis());
  Access access = loops.at(data);
  Access resultAccess = loops.at(result, b.expr(0));
  if (!op.getKeepdims()) {
    resultAccess.first.erase(resultAccess.first.begin() + loops.axis);
    resultAccess.extents.pop_back();
  }
  bool isUnsigned = b.isUnsigned(data);
  b.loops(loops.outer, [&](ValueRange outer) {
    Value best = b.local("best", type);
    Value index = b.local("index", b.builder.getI64Type());
    b.loops({loops.size}, [&](ValueRange inner) {
      b.block(
          isMax ? "argmax" : "argmin", loops.getDims(IterKind::Reduce),
          append(outer, inner), {access, {best, {}}, {index, {}}},
          {{best, {}}, {index, {}}},
          [&](ValueRange vars) {
            Value x = b.loadAt(type, access, vars), old = b.load(best, {});
            // Among equal elements the last one wins if neither is better.
            Value wins =
                op.getSelectLastIndex()
                    ? negate(b, comesBefore(b, old, x, isMax, isUnsigned, true))
                    : comesBefore(b, x, old, isMax, isUnsigned, true);
            b.store(select(b, wins, x, old), best, {});
            b.store(
                select(b, wins, toElement(b, vars.back()), b.load(index, {})),
                index, {});
          },
          [&](ValueRange vars) {
            b.store(b.loadAt(type, access, vars), best, {});
            b.store(b.constant(b.builder.getI64Type(), 0), index, {});
          });
    });
    b.block("index", loops.getOuterDims(), outer, {{index, {}}}, {resultAccess},
            [&](ValueRange vars) {
              b.storeAt(b.load(index, {}), resultAccess, vars);
            });
  });
  return success();
}

/// Selects one element at a time: the first, in the requested order, of those
/// after the last one selected. This needs no memory, and is faster than
/// sorting for few elements.
static LogicalResult lowerTopK(LayerBuilder &b, graph::TopKOp op,
                               ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  if (isEmpty(result))
    return success();
  Type type = LayerBuilder::getComputeType(getElement(data));
  Type indexType = b.builder.getI64Type();
  AxisLoops loops(b, getShape(data), op.getAxis());
  int64_t k = op.getK();
  bool descending = !op.getIsAscend(), isUnsigned = b.isUnsigned(data);
  auto isBefore = [&](Value lhs, Value rhs) {
    // NaN is the largest value.
    return comesBefore(b, lhs, rhs, descending, isUnsigned, descending);
  };
  Value none = b.constant(indexType, -1), zero = b.constant(type, 0.0);
  b.loops(loops.outer, [&](ValueRange outer) {
    Value best = b.local("best", type), last = b.local("last", type);
    Value bestIndex = b.local("best_index", indexType);
    Value lastIndex = b.local("last_index", indexType);
    auto body = [&](ValueRange vars) {
      b.store(zero, last, {}); // not read before the first selection
      b.store(zero, best, {});
      b.store(none, lastIndex, {});
      b.loops({k}, [&](ValueRange rank) {
        b.store(none, bestIndex, {});
        b.loops({loops.size}, [&](ValueRange inner) {
          Value x = b.loadAt(type, loops.at(data), append(vars, inner));
          Value i = toElement(b, inner[0]);
          Value lastX = b.load(last, {});
          // After the last one selected: by value, then by index.
          Value isBehind = isBefore(lastX, x);
          Value isEqual = negate(b, isBefore(x, lastX));
          Value isRight = b.lessThan(b.load(lastIndex, {}), i);
          Value follows = arith::OrIOp::create(
              b.builder, b.loc, isBehind,
              arith::AndIOp::create(b.builder, b.loc, isEqual, isRight));
          Value isFirst =
              b.lessThan(b.load(lastIndex, {}), b.constant(indexType, 0));
          follows = arith::OrIOp::create(b.builder, b.loc, isFirst, follows);
          Value isNew =
              b.lessThan(b.load(bestIndex, {}), b.constant(indexType, 0));
          Value isBetter = arith::OrIOp::create(b.builder, b.loc, isNew,
                                                isBefore(x, b.load(best, {})));
          Value wins =
              arith::AndIOp::create(b.builder, b.loc, follows, isBetter);
          b.store(select(b, wins, x, b.load(best, {})), best, {});
          b.store(select(b, wins, i, b.load(bestIndex, {})), bestIndex, {});
        });
        b.store(b.load(best, {}), last, {});
        b.store(b.load(bestIndex, {}), lastIndex, {});
        b.storeAt(b.load(bestIndex, {}), loops.at(result), append(vars, rank));
      });
    };
    b.block("topk", loops.getOuterDims(), outer,
            {loops.at(data, b.expr(0), loops.size)},
            {loops.at(result, b.expr(0), k),
             {best, {}},
             {last, {}},
             {bestIndex, {}},
             {lastIndex, {}}},
            body);
  });
  return success();
}

static LogicalResult lowerCumsum(LayerBuilder &b, graph::CumsumOp op,
                                 ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  if (isEmpty(result))
    return success();
  Type type = LayerBuilder::getComputeType(getElement(result));
  AxisLoops loops(b, getShape(data), op.getAxis());
  AffineExpr position = b.dim(loops.outer.size());
  if (op.getReverse())
    position = loops.size - 1 - position;
  Access access = loops.at(data, position);
  Access resultAccess = loops.at(result, position);
  Value zero = b.constant(type, 0.0);
  b.loops(loops.outer, [&](ValueRange outer) {
    Value sum = b.local("sum", type);
    b.loops({loops.size}, [&](ValueRange inner) {
      b.block(
          "cumsum", loops.getDims(IterKind::Reduce), append(outer, inner),
          {access, {sum, {}}}, {resultAccess, {sum, {}}},
          [&](ValueRange vars) {
            Value before = b.load(sum, {});
            Value after = b.add(before, b.loadAt(type, access, vars));
            b.store(after, sum, {});
            b.storeAt(op.getExclusive() ? before : after, resultAccess, vars);
          },
          [&](ValueRange) { b.store(zero, sum, {}); });
    });
  });
  return success();
}

void uma::populateReduceStrategies(StrategyRegistry &registry) {
  registry.add<graph::SumOp>(lowerSum);
  registry.add<graph::MeanOp>(lowerMean);
  registry.add<graph::ProdOp>(lowerProd);
  registry.add<graph::MaxOp>(lowerMax);
  registry.add<graph::MinOp>(lowerMin);
  registry.add<graph::ArgMaxOp>(lowerArgReduction<graph::ArgMaxOp>);
  registry.add<graph::ArgMinOp>(lowerArgReduction<graph::ArgMinOp>);
  registry.add<graph::TopKOp>(lowerTopK);
  registry.add<graph::CumsumOp>(lowerCumsum);
}

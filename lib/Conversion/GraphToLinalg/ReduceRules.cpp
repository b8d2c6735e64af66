//===- ReduceRules.cpp - Reductions as linalg -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;

/// Builds the operation for the element type: float, signed integer or i1.
template <typename FloatOp, typename SignedOp, typename BoolOp>
static Value pick(LayerBuilder &e, ValueRange x) {
  Type type = x[0].getType();
  if (isa<FloatType>(type))
    return FloatOp::create(e.builder, e.loc, x[1], x[0]);
  if (type.isInteger(1))
    return BoolOp::create(e.builder, e.loc, x[1], x[0]);
  return SignedOp::create(e.builder, e.loc, x[1], x[0]);
}

/// Reduces the operator's data, and reshapes the result to the operator's type.
template <typename OpT>
static Value convertReduction(LinalgBuilder &b, OpT op, Value start,
                              LinalgBuilder::ScalarFn fn) {
  SmallVector<bool> reduces =
      graph::getReducedDims(op.getAxis(), op.getData().getType().getRank());
  Value result = b.reduceDims(op.getData(), reduces, start, fn);
  return b.reshape(result, op.getType().getShape());
}

/// Returns the type in which sums and extrema of the data are computed.
template <typename OpT>
static Type getSumType(OpT op) {
  return LayerBuilder::getComputeType(op.getType().getElementType());
}

static Value convertSum(LinalgBuilder &b, graph::SumOp op) {
  Value sum = convertReduction(b, op, b.scalar(getSumType(op), 0), addElements);
  return b.convert(sum, op.getType().getElementType());
}

static Value convertProd(LinalgBuilder &b, graph::ProdOp op) {
  Value product = convertReduction(
      b, op, b.scalar(getSumType(op), 1),
      [](LayerBuilder &e, ValueRange x) { return e.mul(x[1], x[0]); });
  return b.convert(product, op.getType().getElementType());
}

static Value convertMean(LinalgBuilder &b, graph::MeanOp op) {
  Type element = op.getType().getElementType();
  bool isFloat = isa<FloatType>(element);
  // Integers are summed in 64 bits.
  Type type = isFloat ? getSumType(op) : b.builder.getI64Type();
  Value sum = convertReduction(b, op, b.scalar(type, 0), addElements);
  int64_t count =
      op.getData().getType().getNumElements() / op.getType().getNumElements();
  return b.map(op.getType().getShape(), element, {b.at(sum, {})},
               [&](LayerBuilder &e, ValueRange x) -> Value {
                 Value n = e.constant(type, double(count));
                 if (isFloat)
                   return arith::DivFOp::create(e.builder, e.loc, x[0], n);
                 return arith::DivSIOp::create(e.builder, e.loc, x[0], n);
               });
}

static Value convertMax(LinalgBuilder &b, graph::MaxOp op) {
  Value result =
      convertReduction(b, op, b.limit(getSumType(op), /*isLowest=*/true),
                       pick<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>);
  return b.convert(result, op.getType().getElementType());
}

static Value convertMin(LinalgBuilder &b, graph::MinOp op) {
  Value result =
      convertReduction(b, op, b.limit(getSumType(op), /*isLowest=*/false),
                       pick<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>);
  return b.convert(result, op.getType().getElementType());
}

/// Builds the condition that `x` replaces `best`: it is larger (or smaller),
/// equal if `selectLast`, or the first NaN (the last if `selectLast`).
static Value isBetter(LayerBuilder &e, Value x, Value best, bool isMax,
                      bool selectLast) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  OpBuilder &builder = e.builder;
  if (!isa<FloatType>(x.getType())) {
    bool isBool = x.getType().isInteger(1);
    I larger = isBool ? (selectLast ? I::uge : I::ugt)
                      : (selectLast ? I::sge : I::sgt);
    I smaller = isBool ? (selectLast ? I::ule : I::ult)
                       : (selectLast ? I::sle : I::slt);
    return arith::CmpIOp::create(builder, e.loc, isMax ? larger : smaller, x,
                                 best);
  }
  F predicate =
      isMax ? (selectLast ? F::OGE : F::OGT) : (selectLast ? F::OLE : F::OLT);
  Value isMore = arith::CmpFOp::create(builder, e.loc, predicate, x, best);
  Value isNaN = arith::CmpFOp::create(builder, e.loc, F::UNO, x, x);
  if (!selectLast) {
    Value hasNumber = arith::CmpFOp::create(builder, e.loc, F::ORD, best, best);
    isNaN = arith::AndIOp::create(builder, e.loc, isNaN, hasNumber);
  }
  return arith::OrIOp::create(builder, e.loc, isMore, isNaN);
}

/// Builds a reduction of pairs: the best element so far and its index.
template <typename OpT>
static Value convertArgReduction(LinalgBuilder &b, OpT op, bool isMax) {
  auto dataType = op.getData().getType();
  int64_t rank = dataType.getRank();
  int64_t axis = getAxis(op.getAxis(), rank);
  Type type = LayerBuilder::getComputeType(dataType.getElementType());
  SmallVector<int64_t> kept(dataType.getShape());
  kept.erase(kept.begin() + axis);
  Value best = b.filled(kept, b.limit(type, /*isLowest=*/isMax));
  Value position = b.filled(kept, b.scalar(b.builder.getI64Type(), 0));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators[axis] = utils::IteratorType::reduction;
  AffineMap all = b.builder.getMultiDimIdentityMap(rank);
  AffineMap others = all.dropResult(axis);
  auto generic = linalg::GenericOp::create(
      b.builder, b.loc, TypeRange{best.getType(), position.getType()},
      ValueRange{op.getData()}, ValueRange{best, position},
      ArrayRef<AffineMap>{all, others, others}, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange x) {
        LayerBuilder e(nested, loc);
        Value element = e.convert(x[0], type);
        Value better =
            isBetter(e, element, x[1], isMax, op.getSelectLastIndex());
        Value index = linalg::IndexOp::create(nested, loc, axis);
        Value here =
            arith::IndexCastOp::create(nested, loc, nested.getI64Type(), index);
        Value newBest =
            arith::SelectOp::create(nested, loc, better, element, x[1]);
        Value newPosition =
            arith::SelectOp::create(nested, loc, better, here, x[2]);
        linalg::YieldOp::create(nested, loc, ValueRange{newBest, newPosition});
      });
  return b.reshape(generic.getResult(1), op.getType().getShape());
}

void uma::populateLinalgReduceRules(LinalgRules &rules) {
  rules.add<graph::SumOp>(convertSum);
  rules.add<graph::ProdOp>(convertProd);
  rules.add<graph::MeanOp>(convertMean);
  rules.add<graph::MaxOp>(convertMax);
  rules.add<graph::MinOp>(convertMin);
  rules.add<graph::ArgMaxOp>([](LinalgBuilder &b, graph::ArgMaxOp op) {
    return convertArgReduction(b, op, /*isMax=*/true);
  });
  rules.add<graph::ArgMinOp>([](LinalgBuilder &b, graph::ArgMinOp op) {
    return convertArgReduction(b, op, /*isMax=*/false);
  });
}

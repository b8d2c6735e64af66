//===- IndexRules.cpp - Gathers and scatters as linalg --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace uma;

/// Clamps an index from data to a dimension of `size` elements. If `wraps`,
/// negative indices count from the end.
static Value getIndex(LayerBuilder &e, Value number, int64_t size, bool wraps) {
  OpBuilder &b = e.builder;
  Value index = arith::IndexCastOp::create(b, e.loc, b.getIndexType(), number);
  Value zero = e.index(0), last = e.index(size - 1);
  if (wraps) {
    Value isNegative =
        arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::slt, index, zero);
    Value fromEnd = e.apply(e.dim(0) + size, {index});
    index = arith::SelectOp::create(b, e.loc, isNegative, fromEnd, index);
  }
  Value low = arith::MaxSIOp::create(b, e.loc, index, zero);
  return arith::MinSIOp::create(b, e.loc, low, last);
}

static Value extract(LayerBuilder &e, Value tensor, ValueRange at) {
  return tensor::ExtractOp::create(e.builder, e.loc, tensor, at);
}

static Value convertTake(LinalgBuilder &b, graph::TakeOp op) {
  auto type = op.getType();
  ArrayRef<int64_t> shape = op.getData().getType().getShape();
  int64_t axis = getAxis(op.getAxis(), int64_t(shape.size()));
  int64_t count = op.getIndices().getType().getRank();
  LinalgBuilder::Operand indices{op.getIndices(), {}};
  for (int64_t i = 0; i < count; ++i)
    indices.at.push_back(b.dim(axis + i));
  return b.mapIndices(
      type.getShape(), type.getElementType(), {indices},
      [&](LayerBuilder &e, ValueRange x) {
        auto from = llvm::to_vector(x.take_front(axis));
        from.push_back(getIndex(e, x.back(), shape[axis], /*wraps=*/true));
        llvm::append_range(from, x.drop_back().drop_front(axis + count));
        return extract(e, op.getData(), from);
      });
}

static Value convertGather(LinalgBuilder &b, graph::GatherOp op) {
  auto type = op.getType();
  ArrayRef<int64_t> shape = op.getData().getType().getShape();
  int64_t axis = getAxis(op.getAxis(), int64_t(shape.size()));
  return b.mapIndices(
      type.getShape(), type.getElementType(), {b.at(op.getIndices(), {})},
      [&](LayerBuilder &e, ValueRange x) {
        auto from = llvm::to_vector(x.drop_back());
        from[axis] = getIndex(e, x.back(), shape[axis], /*wraps=*/true);
        return extract(e, op.getData(), from);
      });
}

static Value convertGatherND(LinalgBuilder &b, graph::GatherNDOp op) {
  auto type = op.getType();
  auto indicesType = op.getIndices().getType();
  ArrayRef<int64_t> shape = op.getData().getType().getShape();
  int64_t batches = op.getBatchDims(), outer = indicesType.getRank() - 1;
  return b.mapIndices(type.getShape(), type.getElementType(), {},
                      [&](LayerBuilder &e, ValueRange x) {
                        auto from = llvm::to_vector(x.take_front(batches));
                        for (int64_t i = 0; i < indicesType.getShape().back();
                             ++i) {
                          auto at = llvm::to_vector(x.take_front(outer));
                          at.push_back(e.index(i));
                          Value number = extract(e, op.getIndices(), at);
                          from.push_back(getIndex(e, number, shape[batches + i],
                                                  /*wraps=*/true));
                        }
                        llvm::append_range(from, x.drop_front(outer));
                        return extract(e, op.getData(), from);
                      });
}

static Value convertInterpolate(LinalgBuilder &b, graph::InterpolateOp op) {
  auto type = op.getType();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  int64_t rank = type.getRank();
  int64_t axis = getAxis(op.getAxis(), rank);
  int64_t size = op.getData().getType().getDimSize(axis);
  int64_t taps = op.getIndices().getType().getDimSize(1);
  return b.mapIndices(
      type.getShape(), type.getElementType(), {},
      [&](LayerBuilder &e, ValueRange x) {
        Value sum;
        for (int64_t tap = 0; tap < taps; ++tap) {
          SmallVector<Value> entry = {x[axis], e.index(tap)};
          auto from = llvm::to_vector(x);
          Value number = extract(e, op.getIndices(), entry);
          from[axis] = getIndex(e, number, size, /*wraps=*/false);
          Value weight = e.convert(extract(e, op.getWeights(), entry), sumType);
          Value element = e.convert(extract(e, op.getData(), from), sumType);
          Value term = e.mul(weight, element);
          sum = sum ? e.add(sum, term) : term;
        }
        return sum ? sum : e.constant(sumType, 0);
      });
}

/// Combines an element with an update; see GraphIndexOps.td.
static Value combine(LayerBuilder &e, StringRef reduction, Value old,
                     Value update) {
  if (reduction == "none")
    return update;
  Type element = old.getType();
  Type type = LayerBuilder::getComputeType(element);
  old = e.convert(old, type);
  update = e.convert(update, type);
  OpBuilder &b = e.builder;
  bool isFloat = isa<FloatType>(type), isMax = reduction == "max";
  Value result;
  if (reduction == "add")
    result = e.add(old, update);
  else if (reduction == "mul")
    result = e.mul(old, update);
  else if (isFloat && isMax)
    result = arith::MaximumFOp::create(b, e.loc, old, update);
  else if (isFloat)
    result = arith::MinimumFOp::create(b, e.loc, old, update);
  else if (isMax)
    result = arith::MaxSIOp::create(b, e.loc, old, update);
  else
    result = arith::MinSIOp::create(b, e.loc, old, update);
  return e.convert(result, element);
}

/// Updates elements of `data` sequentially, since the order matters:
/// `updates[at]` is combined with the element at `getPlace(at)`.
static Value
scatter(LinalgBuilder &b, Value data, Value updates, StringRef reduction,
        function_ref<SmallVector<Value>(LayerBuilder &, ValueRange)> getPlace) {
  SmallVector<Value> begin, end, step;
  for (int64_t size : LinalgBuilder::getShape(updates)) {
    begin.push_back(b.index(0));
    end.push_back(b.index(size));
    step.push_back(b.index(1));
  }
  scf::LoopNest nest = scf::buildLoopNest(
      b.builder, b.loc, begin, end, step, ValueRange{data},
      [&](OpBuilder &nested, Location loc, ValueRange at, ValueRange state) {
        LayerBuilder e(nested, loc);
        SmallVector<Value> place = getPlace(e, at);
        Value update = extract(e, updates, at);
        Value old = extract(e, state[0], place);
        Value element = combine(e, reduction, old, update);
        return SmallVector<Value>{
            tensor::InsertOp::create(nested, loc, element, state[0], place)};
      });
  return nest.results[0];
}

static Value convertScatterElements(LinalgBuilder &b,
                                    graph::ScatterElementsOp op) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  int64_t axis = getAxis(op.getAxis(), shape.size());
  return scatter(b, op.getData(), op.getUpdates(), op.getReduction(),
                 [&](LayerBuilder &e, ValueRange at) {
                   auto place = llvm::to_vector(at);
                   Value number = extract(e, op.getIndices(), at);
                   place[axis] =
                       getIndex(e, number, shape[axis], /*wraps=*/true);
                   return place;
                 });
}

static Value convertScatterND(LinalgBuilder &b, graph::ScatterNDOp op) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  auto indicesType = op.getIndices().getType();
  int64_t outer = indicesType.getRank() - 1;
  return scatter(b, op.getData(), op.getUpdates(), op.getReduction(),
                 [&](LayerBuilder &e, ValueRange at) {
                   SmallVector<Value> place;
                   auto entry = llvm::to_vector(at.take_front(outer));
                   entry.push_back({});
                   for (int64_t i = 0; i < indicesType.getShape().back(); ++i) {
                     entry.back() = e.index(i);
                     Value number = extract(e, op.getIndices(), entry);
                     place.push_back(
                         getIndex(e, number, shape[i], /*wraps=*/true));
                   }
                   llvm::append_range(place, at.drop_front(outer));
                   return place;
                 });
}

void uma::populateLinalgIndexRules(LinalgRules &rules) {
  rules.add<graph::TakeOp>(convertTake);
  rules.add<graph::GatherOp>(convertGather);
  rules.add<graph::GatherNDOp>(convertGatherND);
  rules.add<graph::InterpolateOp>(convertInterpolate);
  rules.add<graph::ScatterElementsOp>(convertScatterElements);
  rules.add<graph::ScatterNDOp>(convertScatterND);
}

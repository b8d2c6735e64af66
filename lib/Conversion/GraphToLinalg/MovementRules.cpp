//===- MovementRules.cpp - Operators that move elements, as tensor --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Concatenations and slices become tensor slices, which bufferization turns
// into copies or views. Other movements read each element by a tensor.extract
// in a linalg.generic.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace uma;

static Value convertConcatenate(LinalgBuilder &b, graph::ConcatenateOp op) {
  auto type = op.getType();
  int64_t axis = getAxis(op.getAxis(), type.getRank());
  Value result = b.empty(type.getShape(), type.getElementType());
  SmallVector<int64_t> offsets(type.getRank(), 0);
  for (Value input : op.getInputs()) {
    result = b.insert(input, result, offsets);
    offsets[axis] += LinalgBuilder::getShape(input)[axis];
  }
  return result;
}

/// Gathers elements: dimension i of the source is indexed by `getSource` of the
/// result's index.
static Value
gatherElements(LinalgBuilder &b, Value data, RankedTensorType type,
               function_ref<Value(LayerBuilder &, Value, int64_t)> getSource) {
  return b.mapIndices(type.getShape(), type.getElementType(), {},
                      [&](LayerBuilder &e, ValueRange at) -> Value {
                        SmallVector<Value> from;
                        for (auto [dim, index] : llvm::enumerate(at))
                          from.push_back(getSource(e, index, dim));
                        return tensor::ExtractOp::create(e.builder, e.loc, data,
                                                         from);
                      });
}

static Value convertSlice(LinalgBuilder &b, graph::StridedSliceOp op) {
  ArrayRef<int64_t> begin = op.getBegin(), strides = op.getStrides();
  if (llvm::all_of(strides, [](int64_t stride) { return stride > 0; }))
    return b.extract(op.getData(), begin, op.getSize(), strides);
  return gatherElements(b, op.getData(), op.getType(),
                        [&](LayerBuilder &e, Value index, int64_t dim) {
                          return e.apply(e.dim(0) * strides[dim] + begin[dim],
                                         {index});
                        });
}

/// Returns, for one dimension, the index in the data of the element at index
/// `i` of the padded result.
static Value getPadSource(LayerBuilder &e, StringRef mode, Value i,
                          int64_t before, int64_t size) {
  AffineExpr place = e.dim(0) - before;
  auto clamp = [&](Value value) {
    Value low = arith::MaxSIOp::create(e.builder, e.loc, value, e.index(0));
    Value last = e.index(size - 1);
    return arith::MinSIOp::create(e.builder, e.loc, low, last).getResult();
  };
  if (mode == "edge")
    return clamp(e.apply(place, {i}));
  if (mode == "wrap")
    return e.apply(place % size, {i});
  if (size == 1) // nothing to mirror
    return e.index(0);
  // Mirrored data has a period of twice its size without the borders.
  int64_t period = 2 * (size - 1);
  Value forth = e.apply(place % period, {i});
  Value back = e.apply(e.expr(period) - place % period, {i});
  return arith::MinSIOp::create(e.builder, e.loc, forth, back);
}

static Value convertPad(LinalgBuilder &b, graph::PadOp op) {
  Type element = op.getType().getElementType();
  ArrayRef<int64_t> before = op.getPadBefore();
  if (op.getPadMode() == "constant") {
    Value value = b.scalar(element, op.getPadValue().convertToDouble());
    return b.pad(op.getData(), before, op.getPadAfter(), value);
  }
  ArrayRef<int64_t> shape = op.getData().getType().getShape();
  return gatherElements(b, op.getData(), op.getType(),
                        [&](LayerBuilder &e, Value index, int64_t dim) {
                          return getPadSource(e, op.getPadMode(), index,
                                              before[dim], shape[dim]);
                        });
}

static Value convertTrilu(LinalgBuilder &b, graph::TriluOp op) {
  auto type = op.getType();
  int64_t rank = type.getRank();
  auto body = [&](LayerBuilder &e, ValueRange x) -> Value {
    Value distance =
        e.apply(e.dim(1) - e.dim(0) - op.getK(), {x[rank - 2], x[rank - 1]});
    Value keeps = arith::CmpIOp::create(
        e.builder, e.loc,
        op.getUpper() ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle,
        distance, e.index(0));
    Value zero = e.constant(x[rank].getType(), 0);
    return arith::SelectOp::create(e.builder, e.loc, keeps, x[rank], zero);
  };
  return b.mapIndices(type.getShape(), type.getElementType(),
                      {b.at(op.getData(), {})}, body);
}

template <typename OpT>
static Value convertReshape(LinalgBuilder &b, OpT op) {
  return b.reshape(op.getData(), op.getType().getShape());
}

void uma::populateLinalgMovementRules(LinalgRules &rules) {
  rules.add<graph::ReshapeOp>(convertReshape<graph::ReshapeOp>);
  rules.add<graph::BatchFlattenOp>(convertReshape<graph::BatchFlattenOp>);
  rules.add<graph::TransposeOp>([](LinalgBuilder &b, graph::TransposeOp op) {
    return b.transpose(op.getData(), op.getAxes());
  });
  rules.add<graph::ConcatenateOp>(convertConcatenate);
  rules.add<graph::StridedSliceOp>(convertSlice);
  rules.add<graph::PadOp>(convertPad);
  rules.add<graph::TriluOp>(convertTrilu);
}

//===- MovementRules.cpp - TOSA's operators that move elements ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;

static Value convertConcat(TosaRewriter &r, tosa::ConcatOp op) {
  graph::ConcatenateOp::Properties properties;
  properties.axis = r.builder.getI64IntegerAttr(op.getAxis());
  return r.create<graph::ConcatenateOp>(op->getOperands(), properties);
}

static Value convertPad(TosaRewriter &r, tosa::PadOp op) {
  auto padding = r.getSizes(op.getPadding(), "padding");
  std::optional<double> value = r.getScalar(op.getPadConst());
  if (!value)
    return r.fail("its operand 'pad_const' is no constant of one element");
  if (!padding)
    return {};
  SmallVector<int64_t> before, after;
  for (size_t i = 0; i + 1 < padding->size(); i += 2) {
    before.push_back((*padding)[i]);
    after.push_back((*padding)[i + 1]);
  }
  graph::PadOp::Properties properties;
  properties.pad_before = r.builder.getDenseI64ArrayAttr(before);
  properties.pad_after = r.builder.getDenseI64ArrayAttr(after);
  properties.pad_value = r.builder.getF64FloatAttr(*value);
  return r.create<graph::PadOp>({op.getInput1()}, properties);
}

static Value convertReshape(TosaRewriter &r, tosa::ReshapeOp op) {
  // The operand may contain -1, so take the sizes from the type.
  return r.createReshape(op.getInput1(), getTensorShape(op.getOutput()));
}

static Value createSlice(TosaRewriter &r, Value data, ArrayRef<int64_t> begin,
                         ArrayRef<int64_t> size, ArrayRef<int64_t> strides) {
  graph::StridedSliceOp::Properties properties;
  properties.begin = r.builder.getDenseI64ArrayAttr(begin);
  properties.size = r.builder.getDenseI64ArrayAttr(size);
  properties.strides = r.builder.getDenseI64ArrayAttr(strides);
  return r.create<graph::StridedSliceOp>({data}, properties);
}

static Value convertSlice(TosaRewriter &r, tosa::SliceOp op) {
  auto start = r.getSizes(op.getStart(), "start");
  if (!start)
    return {};
  // A size of -1 means up to the end, so take the sizes from the type.
  ArrayRef<int64_t> size = getTensorShape(op.getOutput());
  return createSlice(r, op.getInput1(), *start, size,
                     SmallVector<int64_t>(size.size(), 1));
}

static Value convertReverse(TosaRewriter &r, tosa::ReverseOp op) {
  ArrayRef<int64_t> shape = getTensorShape(op.getInput1());
  SmallVector<int64_t> begin(shape.size(), 0), strides(shape.size(), 1);
  begin[op.getAxis()] = shape[op.getAxis()] - 1;
  strides[op.getAxis()] = -1;
  return createSlice(r, op.getInput1(), begin, shape, strides);
}

static Value convertTile(TosaRewriter &r, tosa::TileOp op) {
  // Insert a dimension before each one, and repeat the data along it.
  SmallVector<int64_t> split, repeated;
  ArrayRef<int64_t> result = getTensorShape(op.getOutput());
  for (auto [from, to] :
       llvm::zip_equal(getTensorShape(op.getInput1()), result)) {
    if (from == 0 || to % from != 0)
      return r.fail("its result has " + Twine(to) +
                    " elements along a dimension of " + Twine(from) +
                    ", expected a multiple");
    split.append({1, from});
    repeated.append({to / from, from});
  }
  graph::BroadcastToOp::Properties properties;
  properties.shape = r.builder.getDenseI64ArrayAttr(repeated);
  Value data = r.createReshape(op.getInput1(), split);
  return r.createReshape(r.create<graph::BroadcastToOp>({data}, properties),
                         result);
}

static Value convertTranspose(TosaRewriter &r, tosa::TransposeOp op) {
  return r.createTranspose(op.getInput1(),
                           SmallVector<int64_t>(llvm::map_range(
                               op.getPerms(), [](int32_t i) { return i; })));
}

static Value convertGather(TosaRewriter &r, tosa::GatherOp op) {
  ArrayRef<int64_t> shape = getTensorShape(op.getIndices());
  Value indices = r.createReshape(op.getIndices(), {shape[0], shape[1], 1});
  graph::GatherNDOp::Properties properties;
  properties.batch_dims = r.builder.getI64IntegerAttr(1);
  return r.create<graph::GatherNDOp>({op.getValues(), indices}, properties);
}

static Value convertScatter(TosaRewriter &r, tosa::ScatterOp op) {
  // Positions are pairs of the batch and the index in it.
  ArrayRef<int64_t> shape = getTensorShape(op.getIndices());
  SmallVector<int64_t> pairShape = {shape[0], shape[1], 1};
  SmallVector<APInt> batches;
  Type element = getElementType(op.getIndices());
  for (int64_t n = 0; n < shape[0]; ++n)
    batches.append(shape[1], APInt(element.getIntOrFloatBitWidth(), n));
  Value batch = r.createConstant(DenseElementsAttr::get(
      RankedTensorType::get(pairShape, element), batches));
  graph::ConcatenateOp::Properties properties;
  properties.axis = r.builder.getI64IntegerAttr(2);
  Value indices = r.createReshape(op.getIndices(), pairShape);
  indices = r.create<graph::ConcatenateOp>({batch, indices}, properties);
  return r.create<graph::ScatterNDOp>(
      {op.getValuesIn(), indices, op.getInput()});
}

/// Resamples one axis. Element `i` of the result is at position `(i *
/// denominator + offset) / numerator` of the data.
static Value resizeAxis(TosaRewriter &r, Value data, int64_t axis, int64_t size,
                        int64_t numerator, int64_t denominator, int64_t offset,
                        bool isNearest) {
  if (!data)
    return {};
  int64_t last = getTensorShape(data)[axis] - 1;
  auto clampIndex = [&](int64_t i) {
    return std::clamp<int64_t>(i, 0, std::max<int64_t>(last, 0));
  };
  SmallVector<int64_t> indices;
  SmallVector<Attribute> weights;
  Type element = getElementType(data);
  for (int64_t i = 0; i < size; ++i) {
    int64_t position = i * denominator + offset;
    int64_t below = llvm::divideFloorSigned(position, numerator);
    int64_t rest = position - below * numerator;
    if (isNearest) {
      indices.push_back(clampIndex(2 * rest >= numerator ? below + 1 : below));
      continue;
    }
    double fraction = double(rest) / double(numerator);
    indices.append({clampIndex(below), clampIndex(below + 1)});
    weights.push_back(r.builder.getFloatAttr(element, 1 - fraction));
    weights.push_back(r.builder.getFloatAttr(element, fraction));
  }
  SmallVector<int64_t> shape = {size};
  if (!isNearest)
    shape.push_back(2);
  Value table = r.createConstant(DenseElementsAttr::get(
      RankedTensorType::get(shape, r.builder.getI64Type()), ArrayRef(indices)));
  if (isNearest) {
    graph::TakeOp::Properties properties;
    properties.axis = r.builder.getI64IntegerAttr(axis);
    return r.create<graph::TakeOp>({data, table}, properties);
  }
  graph::InterpolateOp::Properties properties;
  properties.axis = r.builder.getI64IntegerAttr(axis);
  Value factors = r.createConstant(
      DenseElementsAttr::get(RankedTensorType::get(shape, element), weights));
  return r.create<graph::InterpolateOp>({data, table, factors}, properties);
}

static Value convertResize(TosaRewriter &r, tosa::ResizeOp op) {
  auto scale = r.getSizes(op.getScale(), "scale");
  auto offset = r.getSizes(op.getOffset(), "offset");
  if (!scale || !offset)
    return {};
  bool isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  if (!isNearest && !isa<FloatType>(getElementType(op.getInput())))
    return r.fail("its bilinear interpolation is of integers, whose scaled "
                  "sums have no operator");
  ArrayRef<int64_t> size = getTensorShape(op.getOutput());
  Value rows = resizeAxis(r, op.getInput(), 1, size[1], (*scale)[0],
                          (*scale)[1], (*offset)[0], isNearest);
  return resizeAxis(r, rows, 2, size[2], (*scale)[2], (*scale)[3], (*offset)[1],
                    isNearest);
}

void uma::populateTosaMovementRules(TosaRules &rules) {
  rules.add<tosa::ConcatOp>(convertConcat);
  rules.add<tosa::PadOp>(convertPad);
  rules.add<tosa::ReshapeOp>(convertReshape);
  rules.add<tosa::SliceOp>(convertSlice);
  rules.add<tosa::ReverseOp>(convertReverse);
  rules.add<tosa::TileOp>(convertTile);
  rules.add<tosa::TransposeOp>(convertTranspose);
  rules.add<tosa::GatherOp>(convertGather);
  rules.add<tosa::ScatterOp>(convertScatter);
  rules.add<tosa::ResizeOp>(convertResize);
}

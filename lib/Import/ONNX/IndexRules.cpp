//===- IndexRules.cpp - Gather, scatter, OneHot, Compress -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "MovementRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

Value importer::createTake(Node &node, Value data, ArrayRef<int64_t> indices,
                           int64_t axis) {
  if (!data)
    return {};
  SmallVector<int64_t> shape(getShape(data));
  int64_t count = indices.size(), rank = shape.size();
  int64_t step = count > 1 ? indices[1] - indices[0] : 1;
  auto isProgression = [&](int64_t repeats, int64_t by) {
    for (int64_t i = 0; i < count; ++i)
      if (indices[i] != indices[0] + i / repeats * by)
        return false;
    return true;
  };
  SmallVector<int64_t> begin(rank, 0), size(shape), strides(rank, 1);
  if (count > 0 && step != 0 && isProgression(1, step)) {
    begin[axis] = indices[0];
    size[axis] = count;
    strides[axis] = step;
    return createSlice(node, data, begin, size, strides);
  }
  // Each slice repeated equally often, as in nearest-neighbour resampling.
  int64_t repeats = 0;
  while (repeats < count && indices[repeats] == indices[0])
    ++repeats;
  if (repeats > 1 && count % repeats == 0 && isProgression(repeats, 1)) {
    begin[axis] = indices[0];
    size[axis] = count / repeats;
    Value part = createSlice(node, data, begin, size, strides);
    SmallVector<int64_t> split(size), result(size);
    split.insert(split.begin() + axis + 1, 1);
    SmallVector<int64_t> repeated(split);
    repeated[axis + 1] = repeats;
    result[axis] = count;
    return node.createReshape(
        createBroadcast(node, node.createReshape(part, split), repeated),
        result);
  }
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  Value table = node.createConstant(makeInts(node, {count}, indices));
  return node.create<graph::TakeOp>({data, table}, properties);
}

/// Reports constant indices out of range, which ONNX leaves undefined.
static LogicalResult checkIndices(Node &node, unsigned operand, int64_t size) {
  std::optional<HostTensor> indices = node.findConstant(operand);
  if (!indices || indices->isFloat())
    return success();
  for (int64_t i = 0, e = indices->getNumElements(); i < e; ++i)
    if (int64_t index = indices->getInt(i); index < -size || index >= size)
      return node.badInput("has the index " + Twine(index) +
                           " into a dimension of size " + Twine(size));
  return success();
}

static std::optional<int64_t> readAxis(Node &node, int64_t defaultValue) {
  return normalizeAxis(node, node.getIntAttr("axis", defaultValue),
                       getShape(node.getOperand(0)).size());
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static LogicalResult importGather(Node &node) {
  Value data = node.getOperand(0);
  auto axis = readAxis(node, 0);
  if (!axis || failed(checkIndices(node, 1, getShape(data)[*axis])))
    return failure();
  // One constant index is a slice and needs no table.
  std::optional<HostTensor> indices = node.findConstant(1);
  if (indices && !indices->isFloat() && indices->getNumElements() == 1) {
    int64_t index = indices->getInt(0);
    Value slice = createTake(
        node, data, {index < 0 ? index + getShape(data)[*axis] : index}, *axis);
    SmallVector<int64_t> shape(getShape(data).take_front(*axis));
    shape.append(indices->getShape().begin(), indices->getShape().end());
    llvm::append_range(shape, getShape(data).drop_front(*axis + 1));
    return node.yield(node.createReshape(slice, shape));
  }
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(*axis);
  return node.yield(node.create<graph::TakeOp>(node.getOperands(), properties));
}

static LogicalResult importGatherElements(Node &node) {
  auto axis = readAxis(node, 0);
  if (!axis ||
      failed(checkIndices(node, 1, getShape(node.getOperand(0))[*axis])))
    return failure();
  graph::GatherOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(*axis);
  return node.yield(
      node.create<graph::GatherOp>(node.getOperands(), properties));
}

static LogicalResult importGatherND(Node &node) {
  graph::GatherNDOp::Properties properties;
  properties.batch_dims = node.getBuilder().getI64IntegerAttr(
      node.getOpset() < 12 ? 0 : node.getIntAttr("batch_dims", 0));
  return node.yield(
      node.create<graph::GatherNDOp>(node.getOperands(), properties));
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// Returns the reduction of a scatter, introduced in opset 16.
static StringAttr readReduction(Node &node) {
  StringRef reduction =
      node.getOpset() < 16 ? "none" : node.getStringAttr("reduction", "none");
  return node.getBuilder().getStringAttr(reduction);
}

/// Returns whether a scatter has no updates.
static bool hasNoUpdates(Node &node) {
  return llvm::is_contained(getShape(node.getOperand(1)), 0);
}

static LogicalResult importScatterElements(Node &node) {
  auto axis = readAxis(node, 0);
  if (!axis ||
      failed(checkIndices(node, 1, getShape(node.getOperand(0))[*axis])))
    return failure();
  graph::ScatterElementsOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(*axis);
  properties.reduction = readReduction(node);
  if (hasNoUpdates(node))
    return node.yield(node.getOperand(0));
  return node.yield(
      node.create<graph::ScatterElementsOp>(node.getOperands(), properties));
}

static LogicalResult importScatterND(Node &node) {
  graph::ScatterNDOp::Properties properties;
  properties.reduction = readReduction(node);
  if (hasNoUpdates(node))
    return node.yield(node.getOperand(0));
  return node.yield(
      node.create<graph::ScatterNDOp>(node.getOperands(), properties));
}

/// Imports TensorScatter, which writes a run of slices into a cache from a
/// position of each batch on.
static LogicalResult importTensorScatter(Node &node) {
  Value cache = node.getOperand(0), update = node.getOperand(1);
  Value begins = node.getOperand(2);
  StringRef mode = node.getStringAttr("mode", "linear");
  SmallVector<int64_t> shape(getShape(update));
  auto axis = readAxis(node, -2);
  if (!axis)
    return failure();
  SmallVector<int64_t> expected(getShape(cache));
  if (shape.size() == expected.size())
    expected[*axis] = shape[*axis];
  if (*axis == 0 || ArrayRef(shape) != ArrayRef(expected) ||
      shape[*axis] > getShape(cache)[*axis])
    return node.badInput("has an update of the shape " + formatShape(shape) +
                         " for a cache of the shape " +
                         formatShape(getShape(cache)) + " along axis " +
                         Twine(*axis) + ", which does not fit");
  if (mode != "linear" && mode != "circular")
    return node.badInput("attribute 'mode' is " + quote(mode) +
                         "; expected 'linear' or 'circular'");
  Value positions = createIota(node, shape[*axis], *axis, shape.size());
  if (begins) {
    SmallVector<int64_t> batch(shape.size(), 1);
    if (getShape(begins) != ArrayRef<int64_t>{shape[0]})
      return node.badInput("input 'write_indices' has the shape " +
                           formatShape(getShape(begins)) + "; expected " +
                           Twine(shape[0]));
    batch[0] = shape[0];
    positions = node.create<graph::AddOp>(
        {positions, node.createReshape(begins, batch)});
  }
  if (mode == "circular")
    positions =
        createWith<graph::FloorModOp>(node, positions, getShape(cache)[*axis]);
  if (!positions)
    return failure();
  graph::ScatterElementsOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(*axis);
  properties.reduction = node.getBuilder().getStringAttr("none");
  return node.yield(node.create<graph::ScatterElementsOp>(
      {cache, createBroadcast(node, positions, shape), update}, properties));
}

//===----------------------------------------------------------------------===//
// OneHot, Compress
//===----------------------------------------------------------------------===//

static LogicalResult importOneHot(Node &node) {
  Value indices = node.getOperand(0), values = node.getOperand(2);
  auto depth = node.getScalar(1);
  if (!depth)
    return failure();
  if (getShape(values) != ArrayRef<int64_t>{2})
    return node.badInput("input 'values' has the shape " +
                         formatShape(getShape(values)) +
                         "; expected 2, the values for off and on");
  Builder &builder = node.getBuilder();
  Type i64 = builder.getI64Type();
  if (getElementType(indices) != i64) {
    graph::CastOp::Properties properties;
    properties.dtype = TypeAttr::get(i64);
    indices = node.create<graph::CastOp>({indices}, properties);
  }
  auto getValue = [&](int64_t position) {
    return node.createReshape(createSlice(node, values, {position}, {1}, {1}),
                              {});
  };
  Value off = getValue(0), on = getValue(1);
  graph::OneHotOp::Properties properties;
  properties.depth = builder.getI64IntegerAttr(int64_t(*depth));
  properties.axis = builder.getI64IntegerAttr(node.getIntAttr("axis", -1));
  return node.yield(
      node.create<graph::OneHotOp>({indices, on, off}, properties));
}

static LogicalResult importCompress(Node &node) {
  Value data = node.getOperand(0);
  const HostTensor &condition = *node.getConstant(1);
  int64_t axis = 0;
  if (node.getAttr("axis", onnx::AttributeProto::INT)) {
    auto given = readAxis(node, 0);
    if (!given)
      return failure();
    axis = *given;
  } else {
    auto type = cast<RankedTensorType>(data.getType());
    data = node.createReshape(data, {type.getNumElements()});
  }
  if (condition.getShape().size() != 1 ||
      condition.getNumElements() > getShape(data)[axis])
    return node.badInput("input 'condition' has the shape " +
                         formatShape(condition.getShape()) +
                         "; expected at most " + Twine(getShape(data)[axis]) +
                         " elements, the size of the data");
  SmallVector<int64_t> indices;
  for (int64_t i = 0, e = condition.getNumElements(); i < e; ++i)
    if (condition.getInt(i))
      indices.push_back(i);
  return node.yield(createTake(node, data, indices, axis));
}

ArrayRef<Rule> importer::getIndexRules() {
  static constexpr Rule rules[] = {
      {"Compress", 9, "input condition=!", importCompress},
      {"Gather", 1, "data indices", importGather},
      {"GatherElements", 11, "data indices", importGatherElements},
      {"GatherND", 11, "data indices", importGatherND},
      {"OneHot", 9, "indices depth= values", importOneHot},
      {"Scatter", 9, "data indices updates", importScatterElements},
      {"ScatterElements", 11, "data indices updates", importScatterElements},
      {"ScatterND", 11, "data indices updates", importScatterND},
      {"TensorScatter", 24, "past_cache update write_indices?",
       importTensorScatter},
  };
  return rules;
}

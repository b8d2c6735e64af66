//===- SliceRules.cpp - Rules for slices and gathers ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Imports SLICE. The size -1 stands for all elements behind the first.
static LogicalResult importSlice(Node &node) {
  Value data = node.getOperand(0);
  ArrayRef<int64_t> shape = getShape(data);
  SmallVector<int64_t> begin = node.getInts(1), size = node.getInts(2);
  if (begin.size() != shape.size() || size.size() != shape.size())
    return node.badInput(
        "has " + Twine(begin.size()) + " begins and " + Twine(size.size()) +
        " sizes; expected one for each dimension of " + formatShape(shape));
  for (size_t i = 0; i < shape.size(); ++i) {
    if (size[i] == -1)
      size[i] = shape[i] - begin[i];
    if (begin[i] < 0 || size[i] < 0 || begin[i] + size[i] > shape[i])
      return node.badInput("takes " + Twine(size[i]) + " elements from " +
                           Twine(begin[i]) + " on, beyond dimension " +
                           Twine(i) + " of " + formatShape(shape));
  }
  SmallVector<int64_t> strides(shape.size(), 1);
  return node.yield(node.createSlice(data, begin, size, strides));
}

//===----------------------------------------------------------------------===//
// STRIDED_SLICE
//===----------------------------------------------------------------------===//

namespace {
/// A STRIDED_SLICE. Its entries belong to the dimensions of the data in order,
/// except for an ellipsis, which takes whole dimensions, and for new axes.
class StridedSlice {
public:
  StridedSlice(Node &node, const schema::StridedSliceOptions &options)
      : node(node), options(options), shape(getShape(node.getOperand(0))) {}

  LogicalResult import();

private:
  static bool isSet(int32_t mask, int64_t entry) {
    return entry < 32 && (uint32_t(mask) >> entry & 1) != 0;
  }
  /// Takes `count` whole dimensions.
  void takeAll(int64_t count);
  LogicalResult take(int64_t entry);

  Node &node;
  const schema::StridedSliceOptions &options;
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> begins, ends, steps;  ///< operands
  SmallVector<int64_t> begin, size, strides; ///< of the slice
  SmallVector<int64_t> result;               ///< shape
};
} // namespace

void StridedSlice::takeAll(int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t all = shape[begin.size()];
    begin.push_back(0);
    size.push_back(all);
    strides.push_back(1);
    result.push_back(all);
  }
}

LogicalResult StridedSlice::take(int64_t entry) {
  int64_t dim = begin.size();
  if (dim >= int64_t(shape.size()))
    return node.badInput("slices more dimensions than " + formatShape(shape) +
                         " has");
  int64_t all = shape[dim], step = steps[entry];
  if (step == 0)
    return node.badInput("has a stride of 0");
  auto resolve = [&](int64_t index) { return index < 0 ? index + all : index; };
  int64_t first = resolve(begins[entry]);
  if (isSet(options.shrink_axis_mask(), entry)) {
    if (first < 0 || first >= all)
      return node.badInput("takes element " + Twine(begins[entry]) +
                           " of dimension " + Twine(dim) + " of " +
                           formatShape(shape) + ", which is out of range");
    begin.push_back(first);
    size.push_back(1);
    strides.push_back(1);
    return success();
  }
  int64_t end = options.offset() ? first + ends[entry] : resolve(ends[entry]);
  int64_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? all : all - 1;
  first = isSet(options.begin_mask(), entry)
              ? (step > 0 ? lowest : highest)
              : std::clamp(first, lowest, highest);
  end = isSet(options.end_mask(), entry) ? (step > 0 ? highest : lowest)
                                         : std::clamp(end, lowest, highest);
  int64_t distance = step > 0 ? end - first : first - end;
  int64_t width = std::abs(step);
  int64_t count = std::max<int64_t>(0, (distance + width - 1) / width);
  begin.push_back(count == 0 ? 0 : first);
  size.push_back(count);
  strides.push_back(count == 0 ? 1 : step);
  result.push_back(count);
  return success();
}

LogicalResult StridedSlice::import() {
  begins = node.getInts(1);
  ends = node.getInts(2);
  steps = node.getInts(3);
  int64_t count = begins.size(), rank = shape.size();
  if (int64_t(ends.size()) != count || int64_t(steps.size()) != count)
    return node.badInput("has " + Twine(count) + " begins, " +
                         Twine(ends.size()) + " ends and " +
                         Twine(steps.size()) + " strides; expected as many");
  int64_t numTaken = 0;
  for (int64_t entry = 0; entry < count; ++entry)
    numTaken += !isSet(options.ellipsis_mask(), entry) &&
                !isSet(options.new_axis_mask(), entry);
  bool hasEllipsis = false;
  for (int64_t entry = 0; entry < count; ++entry) {
    if (isSet(options.ellipsis_mask(), entry)) {
      if (hasEllipsis)
        return node.badInput("has two ellipses");
      hasEllipsis = true;
      takeAll(std::max<int64_t>(0, rank - numTaken));
    } else if (isSet(options.new_axis_mask(), entry)) {
      result.push_back(1);
    } else if (failed(take(entry))) {
      return failure();
    }
  }
  takeAll(rank - begin.size());
  Value slice = node.createSlice(node.getOperand(0), begin, size, strides);
  return node.yield(node.createReshape(slice, result));
}

static LogicalResult importStridedSlice(Node &node) {
  const auto *options = node.getOptions<schema::StridedSliceOptions>();
  return options ? StridedSlice(node, *options).import() : failure();
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

static LogicalResult importGather(Node &node) {
  const auto *options = node.findOptions<schema::GatherOptions>();
  int64_t axis = options ? options->axis() : 0;
  int64_t batches = options ? options->batch_dims() : 0;
  Value data = node.getOperand(0), indices = node.getOperand(1);
  SmallVector<int64_t> shape(getShape(indices));
  if (batches == 0) {
    graph::TakeOp::Properties properties;
    properties.axis = node.getBuilder().getI64IntegerAttr(axis);
    return node.yield(node.create<graph::TakeOp>({data, indices}, properties));
  }
  if (batches < 0)
    batches += int64_t(shape.size());
  std::optional<int64_t> normal =
      node.normalizeAxis(axis, getShape(data).size());
  if (!normal)
    return failure();
  if (*normal != batches)
    return node.notSupported(
        "has " + Twine(batches) + " batch dimensions and takes along axis " +
        Twine(*normal) + "; supported are as many as are in front of it");
  // A gather of slices by positions of one index, in each batch.
  shape.push_back(1);
  graph::GatherNDOp::Properties properties;
  properties.batch_dims = node.getBuilder().getI64IntegerAttr(batches);
  return node.yield(node.create<graph::GatherNDOp>(
      {data, node.createReshape(indices, shape)}, properties));
}

static LogicalResult importGatherNd(Node &node) {
  graph::GatherNDOp::Properties properties;
  properties.batch_dims = node.getBuilder().getI64IntegerAttr(0);
  return node.yield(
      node.create<graph::GatherNDOp>(node.getOperands(), properties));
}

/// Imports EMBEDDING_LOOKUP, a gather with its operands swapped.
static LogicalResult importEmbeddingLookup(Node &node) {
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(0);
  return node.yield(node.create<graph::TakeOp>(
      {node.getOperand(1), node.getOperand(0)}, properties));
}

ArrayRef<Rule> tflite::getSliceRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::EMBEDDING_LOOKUP, "ids values", importEmbeddingLookup},
      {BuiltinOperator::GATHER, "params indices", importGather},
      {BuiltinOperator::GATHER_ND, "params indices", importGatherNd},
      {BuiltinOperator::SLICE, "input begin= size=", importSlice},
      {BuiltinOperator::STRIDED_SLICE,
       "input begin= end= strides=", importStridedSlice},
  };
  return rules;
}

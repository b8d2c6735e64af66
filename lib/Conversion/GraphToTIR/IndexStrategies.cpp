//===- IndexStrategies.cpp - Gather, scatter and one-hot as loops ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/IndexMath.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;
using Predicate = arith::CmpIPredicate;

static int64_t normalizeAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// Returns true if `indices` is a constant whose elements are all in [0, size),
/// so that the C need not clamp them.
static bool areInRange(Value indices, int64_t size) {
  auto constant = indices.getDefiningOp<graph::ConstantOp>();
  if (!constant)
    return false;
  FailureOr<HostTensor> tensor = HostTensor::fromAttribute(constant.getValue());
  if (failed(tensor))
    return false;
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
    if (tensor->getInt(i) < 0 || tensor->getInt(i) >= size)
      return false;
  return true;
}

/// Loads the index at `vars` of `buffer`, for a dimension of `size` elements.
/// `tensor` is the corresponding operand in the graph.
static Value loadIndex(LayerBuilder &b, Value tensor, Value buffer,
                       ValueRange vars, int64_t size) {
  Value element = b.load(buffer, vars);
  IndexMath math(b);
  return areInRange(tensor, size) ? math.cast(element)
                                  : math.resolve(element, size);
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static LogicalResult lowerTake(LayerBuilder &b, graph::TakeOp op,
                               ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], indices = inputs[1];
  int64_t rank = getShape(data).size(), indexRank = getShape(indices).size();
  int64_t axis = normalizeAxis(op.getAxis(), rank);
  Access source{data, {}, SmallVector<int64_t>(rank, 1)};
  for (int64_t i = 0; i < rank; ++i)
    source.first.push_back(i == axis  ? b.expr(0)
                           : i < axis ? b.dim(i)
                                      : b.dim(i + indexRank - 1));
  source.extents[axis] = getShape(data)[axis];
  Access chooser{indices, {}};
  for (int64_t i = 0; i < indexRank; ++i)
    chooser.first.push_back(b.dim(axis + i));
  mapElements(b, "take", outputs[0], {source, chooser}, [&](ValueRange vars) {
    SmallVector<Value> at(vars.take_front(axis));
    at.push_back(loadIndex(b, op.getIndices(), indices,
                           vars.slice(axis, indexRank), getShape(data)[axis]));
    llvm::append_range(at, vars.drop_front(axis + indexRank));
    return b.load(data, at);
  });
  return success();
}

static LogicalResult lowerGather(LayerBuilder &b, graph::GatherOp op,
                                 ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], indices = inputs[1];
  int64_t axis = normalizeAxis(op.getAxis(), getShape(data).size());
  Access source = b.whole(data);
  source.extents.assign(source.first.size(), 1);
  source.first[axis] = b.expr(0);
  source.extents[axis] = getShape(data)[axis];
  mapElements(b, "gather", outputs[0], {source, b.whole(indices)},
              [&](ValueRange vars) {
                SmallVector<Value> at(vars);
                at[axis] = loadIndex(b, op.getIndices(), indices, vars,
                                     getShape(data)[axis]);
                return b.load(data, at);
              });
  return success();
}

/// Loads the position stored in the last dimension of `indices` at `outer`,
/// which indexes the dimensions of `data` from `first` on.
static SmallVector<Value> loadPosition(LayerBuilder &b, Value tensor,
                                       Value indices, ValueRange outer,
                                       Value data, int64_t first) {
  SmallVector<Value> position;
  for (int64_t i = 0, e = getShape(indices).back(); i < e; ++i) {
    SmallVector<Value> at(outer);
    at.push_back(b.index(i));
    position.push_back(
        loadIndex(b, tensor, indices, at, getShape(data)[first + i]));
  }
  return position;
}

/// Returns an access to the position at the first iteration variables.
static Access accessPosition(LayerBuilder &b, Value indices) {
  int64_t outer = getShape(indices).size() - 1;
  Access access{indices, {}, SmallVector<int64_t>(outer + 1, 1)};
  for (int64_t i = 0; i < outer; ++i)
    access.first.push_back(b.dim(i));
  access.first.push_back(b.expr(0));
  access.extents.back() = getShape(indices).back();
  return access;
}

static LogicalResult lowerGatherND(LayerBuilder &b, graph::GatherNDOp op,
                                   ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], indices = inputs[1];
  int64_t batchDims = op.getBatchDims();
  int64_t outer = getShape(indices).size() - 1;
  mapElements(
      b, "gather_nd", outputs[0],
      {b.anywhere(data), accessPosition(b, indices)}, [&](ValueRange vars) {
        SmallVector<Value> at(vars.take_front(batchDims));
        at.append(loadPosition(b, op.getIndices(), indices,
                               vars.take_front(outer), data, batchDims));
        llvm::append_range(at, vars.drop_front(outer));
        return b.load(data, at);
      });
  return success();
}

static LogicalResult lowerOneHot(LayerBuilder &b, graph::OneHotOp op,
                                 ValueRange inputs, ValueRange outputs) {
  Value indices = inputs[0];
  IndexMath math(b);
  int64_t rank = getShape(outputs[0]).size(), depth = op.getDepth();
  int64_t axis = normalizeAxis(op.getAxis(), rank);
  Access chooser{indices, {}};
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis)
      chooser.first.push_back(b.dim(i));
  mapElements(
      b, "one_hot", outputs[0], {chooser, {inputs[1], {}}, {inputs[2], {}}},
      [&](ValueRange vars) {
        SmallVector<Value> at(vars);
        at.erase(at.begin() + axis);
        // Out-of-range indices are clamped to one beyond the depth, at either
        // end.
        Value index =
            math.clamp(math.cast(b.load(indices, at)), -depth - 1, depth);
        index =
            math.select(math.isNegative(index), math.add(index, depth), index);
        return math.select(math.compare(Predicate::eq, index, vars[axis]),
                           b.load(inputs[1], {}), b.load(inputs[2], {}));
      });
  return success();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// Combines an element `old` with its update, both in storage types.
static Value combine(LayerBuilder &b, StringRef reduction, bool isUnsigned,
                     Value old, Value update) {
  if (reduction == "none")
    return update;
  Type storage = old.getType(), type = LayerBuilder::getComputeType(storage);
  old = b.convert(old, type);
  update = b.convert(update, type);
  Value result;
  if (reduction == "add") {
    result = b.add(old, update);
  } else if (reduction == "mul") {
    result = b.mul(old, update);
  } else {
    bool isMin = reduction == "min";
    Value lhs = isMin ? update : old, rhs = isMin ? old : update;
    Value isBetter =
        isUnsigned ? Value(arith::CmpIOp::create(b.builder, b.loc,
                                                 Predicate::ult, lhs, rhs))
                   : b.lessThan(lhs, rhs);
    result = arith::SelectOp::create(b.builder, b.loc, isBetter, update, old);
  }
  return b.convert(result, storage);
}

/// Copies the data, then updates elements of the copy; `target` returns the
/// position for the index of an update. The loops over the updates are
/// reductions, as several updates may have the same position.
static void buildScatter(LayerBuilder &b, StringRef label, Type graphType,
                         StringRef reduction, ValueRange inputs, Value result,
                         const Access &indices,
                         function_ref<SmallVector<Value>(ValueRange)> target) {
  Value data = inputs[0], updates = inputs[2];
  mapElements(b, "copy", result, {b.whole(data)},
              [&](ValueRange vars) { return b.load(data, vars); });
  Type element = cast<RankedTensorType>(graphType).getElementType();
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  ArrayRef<int64_t> shape = getShape(updates);
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t size : shape)
    dims.push_back({size, tir::IterKind::Reduce});
  SmallVector<Access> reads{indices, b.whole(updates)};
  if (reduction != "none")
    reads.push_back(b.anywhere(result));
  b.loops(shape, [&](ValueRange loopVars) {
    b.block(label, dims, loopVars, reads, {b.anywhere(result)},
            [&](ValueRange vars) {
              SmallVector<Value> at = target(vars);
              Value update = b.load(updates, vars);
              Value old = reduction == "none" ? update : b.load(result, at);
              b.store(combine(b, reduction, isUnsigned, old, update), result,
                      at);
            });
  });
}

static LogicalResult lowerScatterElements(LayerBuilder &b,
                                          graph::ScatterElementsOp op,
                                          ValueRange inputs,
                                          ValueRange outputs) {
  Value data = inputs[0], indices = inputs[1];
  int64_t axis = normalizeAxis(op.getAxis(), getShape(data).size());
  buildScatter(b, "scatter_elements", op.getType(), op.getReduction(), inputs,
               outputs[0], b.whole(indices), [&](ValueRange vars) {
                 SmallVector<Value> at(vars);
                 at[axis] = loadIndex(b, op.getIndices(), indices, vars,
                                      getShape(data)[axis]);
                 return at;
               });
  return success();
}

static LogicalResult lowerScatterND(LayerBuilder &b, graph::ScatterNDOp op,
                                    ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], indices = inputs[1];
  int64_t outer = getShape(indices).size() - 1;
  buildScatter(b, "scatter_nd", op.getType(), op.getReduction(), inputs,
               outputs[0], accessPosition(b, indices), [&](ValueRange vars) {
                 SmallVector<Value> at =
                     loadPosition(b, op.getIndices(), indices,
                                  vars.take_front(outer), data, 0);
                 llvm::append_range(at, vars.drop_front(outer));
                 return at;
               });
  return success();
}

void uma::populateIndexStrategies(StrategyRegistry &registry) {
  registry.add<graph::TakeOp>(lowerTake);
  registry.add<graph::GatherOp>(lowerGather);
  registry.add<graph::GatherNDOp>(lowerGatherND);
  registry.add<graph::OneHotOp>(lowerOneHot);
  registry.add<graph::ScatterElementsOp>(lowerScatterElements);
  registry.add<graph::ScatterNDOp>(lowerScatterND);
}

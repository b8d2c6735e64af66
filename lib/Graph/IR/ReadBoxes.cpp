//===- ReadBoxes.cpp - Parts of operands that parts of results need -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/ReadBoxes.h"

#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

static ArrayRef<int64_t> getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

static Box getWholeBox(Value tensor) {
  Box box;
  for (int64_t size : getShape(tensor))
    box.push_back({0, size});
  return box;
}

/// Returns the input positions that the windows at `results` cover.
static IndexRange getWindowRange(const Window &window, int64_t dim,
                                 IndexRange results) {
  return {results.begin * window.strides[dim] - window.padBegin[dim],
          (results.size - 1) * window.strides[dim] + window.getExtent(dim)};
}

/// Computes the box of a window operator's data, whose layout is `layout`,
/// without the channels.
static Box getWindowBox(const Window &window, StringRef layout, Value data,
                        const Box &result) {
  Box box = getWholeBox(data);
  box[layout.find('N')] = result[layout.find('N')];
  int64_t dim = 0;
  for (auto [axis, letter] : llvm::enumerate(layout))
    if (letter != 'N' && letter != 'C') {
      box[axis] = getWindowRange(window, dim, result[axis]);
      ++dim;
    }
  return box;
}

static LogicalResult readConv(Conv2dOp op, const Box &result,
                              SmallVectorImpl<Box> &operands) {
  ConvDims dims = op.getDims();
  StringRef layout = op.getDataLayout(), kernel = op.getKernelLayout();
  size_t channel = layout.find('C');
  operands[0] = getWindowBox(dims.window, layout, op.getData(), result);
  operands[1] = getWholeBox(op.getWeight());
  operands[1][kernel.find('O')] = result[channel];
  if (dims.groups == 1)
    return success();
  if (dims.inChannels != dims.outChannels || dims.groups != dims.inChannels)
    return failure();
  operands[0][channel] = result[channel];
  return success();
}

template <typename PoolOpT>
static LogicalResult readPool(PoolOpT op, const Box &result,
                              SmallVectorImpl<Box> &operands) {
  StringRef layout = op.getDataLayout();
  operands[0] = getWindowBox(op.getWindow(), layout, op.getData(), result);
  operands[0][layout.find('C')] = result[layout.find('C')];
  return success();
}

/// Boxes of an operator whose operands broadcast to its result.
static LogicalResult readElementwise(Operation *op, const Box &result,
                                     SmallVectorImpl<Box> &operands) {
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    ArrayRef<int64_t> shape = getShape(operand);
    if (shape.size() > result.size())
      return failure();
    operands[index] = getWholeBox(operand);
    size_t missing = result.size() - shape.size();
    for (size_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] != 1)
        operands[index][axis] = result[axis + missing];
  }
  return success();
}

LogicalResult graph::getReadBoxes(Operation *op, const Box &result,
                                  SmallVectorImpl<Box> &operands) {
  operands.assign(op->getNumOperands(), Box());
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](Conv2dOp conv) { return readConv(conv, result, operands); })
      .Case<MaxPool2dOp, AvgPool2dOp>(
          [&](auto pool) { return readPool(pool, result, operands); })
      .Case([&](DenseOp dense) {
        operands[0] = getWholeBox(dense.getData());
        for (size_t axis = 0; axis + 1 < operands[0].size(); ++axis)
          operands[0][axis] = result[axis];
        operands[1] = getWholeBox(dense.getWeight());
        operands[1][0] = result.back();
        return success();
      })
      .Case([&](BiasAddOp bias) {
        int64_t axis = bias.getAxis();
        operands[0] = result;
        operands[1] = {result[axis < 0 ? axis + result.size() : axis]};
        return success();
      })
      .Case<RequantizeOp>([&](auto) {
        operands[0] = result;
        return success();
      })
      .Case([&](QuantizedAddOp add) {
        return readElementwise(add, result, operands);
      })
      .Default([&](Operation *other) -> LogicalResult {
        if (!other->hasTrait<Elementwise>())
          return failure();
        return readElementwise(other, result, operands);
      });
}

bool graph::isSumAlong(Operation *op, unsigned operand, unsigned axis) {
  if (auto conv = dyn_cast<Conv2dOp>(op)) {
    if (conv.getDims().groups != 1)
      return false;
    return operand == 0 ? conv.getDataLayout().find('C') == axis
                        : conv.getKernelLayout().find('I') == axis;
  }
  if (isa<DenseOp>(op))
    return axis + 1 == getShape(op->getOperand(operand)).size();
  return false;
}

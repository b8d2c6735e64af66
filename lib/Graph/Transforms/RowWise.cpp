//===- RowWise.cpp - Operators that compute row by row --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RowWise.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

RowRange RowRange::join(const RowRange &other) const {
  if (getSize() <= 0)
    return other;
  if (other.getSize() <= 0)
    return *this;
  return {std::min(begin, other.begin), std::max(end, other.end)};
}

std::optional<int64_t> graph::getNumRows(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() != 4 || type.getDimSize(0) != 1 ||
      type.getNumElements() == 0)
    return std::nullopt;
  return type.getDimSize(kRowDim);
}

/// Returns whether an operator slides a window over rows.
static bool isWindow(Operation *op) {
  return isa<Conv2dOp, MaxPool2dOp, AvgPool2dOp>(op);
}

/// Returns the axis of a concatenation or addition of a bias.
static std::optional<int64_t> getAxis(Operation *op) {
  if (auto bias = dyn_cast<BiasAddOp>(op))
    return getPositiveAxis(bias.getAxis(), 4);
  if (auto concatenate = dyn_cast<ConcatenateOp>(op))
    return getPositiveAxis(concatenate.getAxis(), 4);
  return std::nullopt;
}

std::string graph::explainNotRowWise(Operation *op) {
  if (op->getNumResults() != 1 || !getNumRows(op->getResult(0)))
    return "its result is no image of batch size 1";
  if (std::optional<int64_t> axis = getAxis(op))
    return *axis == kRowDim ? "its axis is the rows" : "";
  if (!isWindow(op))
    return op->hasTrait<Elementwise>() ? ""
                                       : "it is neither a convolution, a pool "
                                         "nor an elementwise operator";
  if (op->getAttrOfType<StringAttr>("data_layout").getValue() != "NHWC")
    return "its layout is not NHWC";
  Window window = cast<WindowOpInterface>(op).getWindow();
  // The last window may go beyond the padded data, which no padding expresses.
  int64_t span = window.input[0] + window.padBegin[0] + window.padEnd[0] -
                 window.getExtent(0);
  if (window.ceilMode && span % window.strides[0] != 0)
    return "it rounds the number of rows up";
  if (std::max(window.padBegin[0], window.padEnd[0]) >= window.getExtent(0))
    return "it has windows that are all padding";
  return "";
}

std::optional<RowRange> graph::getOperandRows(OpOperand &operand,
                                              RowRange rows) {
  Operation *op = operand.getOwner();
  if (isWindow(op)) {
    if (operand.getOperandNumber() != 0)
      return std::nullopt;
    Window window = cast<WindowOpInterface>(op).getWindow();
    int64_t first = rows.begin * window.strides[0] - window.padBegin[0];
    int64_t last = (rows.end - 1) * window.strides[0] - window.padBegin[0] +
                   window.getExtent(0);
    return RowRange{std::max<int64_t>(first, 0),
                    std::min(last, window.input[0])};
  }
  // Dimensions align at the end. A bias is one-dimensional.
  auto type = cast<RankedTensorType>(operand.get().getType());
  int64_t dim = kRowDim + type.getRank() - 4;
  bool isBroadcast = dim < 0 || (type.getDimSize(dim) == 1 &&
                                 *getNumRows(op->getResult(0)) != 1);
  return isBroadcast ? std::nullopt : std::optional(rows);
}

void graph::computeRows(Operation *copy, Operation *whole, RowRange rows) {
  if (isWindow(whole)) {
    Window window = cast<WindowOpInterface>(whole).getWindow();
    SmallVector<int64_t> padding(
        whole->getAttrOfType<DenseI64ArrayAttr>("padding").asArrayRef());
    int64_t first = rows.begin * window.strides[0] - window.padBegin[0];
    int64_t last = (rows.end - 1) * window.strides[0] - window.padBegin[0] +
                   window.getExtent(0);
    padding[0] = std::max<int64_t>(-first, 0);
    padding[window.getRank()] = std::max<int64_t>(last - window.input[0], 0);
    copy->setAttr("padding",
                  DenseI64ArrayAttr::get(copy->getContext(), padding));
  }
  auto type = cast<RankedTensorType>(whole->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[kRowDim] = rows.getSize();
  copy->getResult(0).setType(type.clone(shape));
}

//===- ShapeOps.cpp - Evaluates operators that move elements --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// These operators copy bytes, so every element stays exactly what it was.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

Result kernels::run(ReshapeOp op, Operands operands, EmitErrorFn emitError) {
  return operands[0].reshaped(getResultType(op).getShape());
}

Result kernels::run(BatchFlattenOp op, Operands operands,
                    EmitErrorFn emitError) {
  return operands[0].reshaped(getResultType(op).getShape());
}

Result kernels::run(TransposeOp op, Operands operands, EmitErrorFn emitError) {
  HostTensor result(getResultType(op));
  SmallVector<int64_t> strides = getStrides(operands[0].getShape());
  int64_t size = HostTensor::getElementSize(result.getElementType());
  const char *from = operands[0].getBytes().data();
  char *to = result.getMutableBytes().data();
  forEachIndex(result.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [position, axis] : llvm::zip_equal(index, op.getAxes()))
      offset += position * strides[axis];
    std::memcpy(to, from + offset * size, size);
    to += size;
  });
  return result;
}

Result kernels::run(ConcatenateOp op, Operands operands,
                    EmitErrorFn emitError) {
  HostTensor result(getResultType(op));
  int64_t size = HostTensor::getElementSize(result.getElementType());
  int64_t outer = AxisView(result.getShape(), op.getAxis()).outer;
  char *to = result.getMutableBytes().data();
  for (int64_t block = 0; block < outer; ++block)
    for (const HostTensor &input : operands) {
      AxisView view(input.getShape(), op.getAxis());
      int64_t bytes = view.size * view.inner * size;
      if (!bytes)
        continue;
      std::memcpy(to, input.getBytes().data() + block * bytes, bytes);
      to += bytes;
    }
  return result;
}

/// The element that stands for `position`, maybe outside of a dimension of
/// `size` elements, in the pad modes that repeat elements.
static int64_t getPadSource(StringRef mode, int64_t position, int64_t size) {
  if (mode == "edge")
    return std::clamp(position, int64_t(0), size - 1);
  if (mode == "wrap")
    return ((position % size) + size) % size;
  // Mirrored at the first and last element, which are not repeated.
  int64_t period = std::max<int64_t>(2 * (size - 1), 1);
  position = ((position % period) + period) % period;
  return position < size ? position : period - position;
}

Result kernels::run(PadOp op, Operands operands, EmitErrorFn emitError) {
  HostTensor result(getResultType(op));
  HostTensor value(RankedTensorType::get({}, result.getElementType()));
  value.setDouble(0, op.getPadValue().convertToDouble());
  ArrayRef<int64_t> shape = operands[0].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  int64_t size = HostTensor::getElementSize(result.getElementType());
  const char *from = operands[0].getBytes().data();
  char *to = result.getMutableBytes().data();
  forEachIndex(result.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    bool inside = true;
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t position = index[d] - op.getPadBefore()[d];
      if (op.getPadMode() != "constant")
        position = getPadSource(op.getPadMode(), position, shape[d]);
      inside &= 0 <= position && position < shape[d];
      offset += position * strides[d];
    }
    std::memcpy(to, inside ? from + offset * size : value.getBytes().data(),
                size);
    to += size;
  });
  return result;
}

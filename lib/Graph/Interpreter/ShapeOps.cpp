//===- ShapeOps.cpp - Evaluates operators that move elements --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// These operators copy bytes, so the values stay exact.
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

/// Transposes a plane of `rows` rows and `columns` columns. Elements of a
/// column are contiguous in `from`, elements of a row in `to`.
template <typename T>
static void transposePlane(const char *from, int64_t fromStride, char *to,
                           int64_t toStride, int64_t rows, int64_t columns) {
  // Tiled, because weights are larger than the cache.
  constexpr int64_t tile = 32;
  for (int64_t row0 = 0; row0 < rows; row0 += tile)
    for (int64_t column0 = 0; column0 < columns; column0 += tile)
      for (int64_t row = row0; row < std::min(row0 + tile, rows); ++row) {
        char *target = to + row * toStride * sizeof(T);
        const char *source = from + row * sizeof(T);
        int64_t end = std::min(column0 + tile, columns);
        for (int64_t column = column0; column < end; ++column)
          std::memcpy(target + column * sizeof(T),
                      source + column * fromStride * sizeof(T), sizeof(T));
      }
}

static void transposePlane(int64_t elementSize, const char *from,
                           int64_t fromStride, char *to, int64_t toStride,
                           int64_t rows, int64_t columns) {
  auto run = [&](auto zero) {
    transposePlane<decltype(zero)>(from, fromStride, to, toStride, rows,
                                   columns);
  };
  switch (elementSize) {
  case 1:
    return run(uint8_t());
  case 2:
    return run(uint16_t());
  case 4:
    return run(uint32_t());
  default:
    return run(uint64_t());
  }
}

Result kernels::run(TransposeOp op, Operands operands, EmitErrorFn emitError) {
  HostTensor result(getResultType(op));
  if (result.getNumElements() == 0)
    return result;
  int64_t size = HostTensor::getElementSize(result.getElementType());
  const char *from = operands[0].getBytes().data();
  char *to = result.getMutableBytes().data();
  // Dimensions of size 1 have no effect on the order.
  SmallVector<int64_t> sourceStrides = getStrides(operands[0].getShape());
  SmallVector<int64_t> shape, strides;
  for (auto [extent, axis] : llvm::zip_equal(result.getShape(), op.getAxes()))
    if (extent != 1) {
      shape.push_back(extent);
      strides.push_back(sourceStrides[axis]);
    }
  if (shape.empty()) {
    std::memcpy(to, from, size);
    return result;
  }
  // Planes span the last dimension of the result and the dimension that is last
  // in the source.
  size_t last = shape.size() - 1;
  size_t dim = llvm::find(strides, 1) - strides.begin();
  SmallVector<int64_t> targetStrides = getStrides(shape), planes = shape;
  planes[last] = planes[dim] = 1;
  forEachIndex(planes, [&](ArrayRef<int64_t> index) {
    int64_t source = 0, target = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      source += index[d] * strides[d];
      target += index[d] * targetStrides[d];
    }
    if (dim == last)
      std::memcpy(to + target * size, from + source * size, shape[last] * size);
    else
      transposePlane(size, from + source * size, strides[last],
                     to + target * size, targetStrides[dim], shape[dim],
                     shape[last]);
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

/// Returns the index of the element at `position`, which may be outside a
/// dimension of `size` elements, in the pad modes that repeat elements.
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

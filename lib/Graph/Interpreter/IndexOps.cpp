//===- IndexOps.cpp - Evaluates slices, gathers and scatters --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Except for the reductions of scatter, these operators copy elements, so the
// values stay exact.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

using Index = ArrayRef<int64_t>;

/// Returns a tensor of type `type`. Its element at each index is the element of
/// `data` at the row-major position `from(index)`.
template <typename Fn>
static HostTensor copyElements(RankedTensorType type, const HostTensor &data,
                               Fn from) {
  HostTensor result(type);
  int64_t size = HostTensor::getElementSize(type.getElementType());
  const char *bytes = data.getBytes().data();
  char *to = result.getMutableBytes().data();
  forEachIndex(type.getShape(), [&](Index index) {
    std::memcpy(to, bytes + from(index) * size, size);
    to += size;
  });
  return result;
}

/// Returns the position of `index` in a tensor with strides `strides`.
static int64_t linearize(Index index, Index strides) {
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip_equal(index, strides))
    offset += position * stride;
  return offset;
}

/// Clamps an index into a dimension of `size` elements and counts negative
/// indices from the end; see GraphIndexOps.td.
static int64_t resolveIndex(int64_t index, int64_t size) {
  index = std::clamp(index, -size, size - 1);
  return index < 0 ? index + size : index;
}

static int64_t getAxis(uint64_t axis, int64_t rank) {
  int64_t value = static_cast<int64_t>(axis);
  return value < 0 ? value + rank : value;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Result kernels::run(StridedSliceOp op, Operands operands, EmitErrorFn) {
  SmallVector<int64_t> strides = getStrides(operands[0].getShape());
  return copyElements(getResultType(op), operands[0], [&](Index index) {
    int64_t offset = 0;
    for (auto [d, position] : llvm::enumerate(index))
      offset += (op.getBegin()[d] + position * op.getStrides()[d]) * strides[d];
    return offset;
  });
}

Result kernels::run(BroadcastToOp op, Operands operands, EmitErrorFn) {
  Index shape = operands[0].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    if (size == 1)
      stride = 0;
  return copyElements(getResultType(op), operands[0], [&](Index index) {
    return linearize(index.take_back(shape.size()), strides);
  });
}

Result kernels::run(TriluOp op, Operands operands, EmitErrorFn) {
  HostTensor result = operands[0];
  int64_t size = HostTensor::getElementSize(result.getElementType());
  int64_t k = static_cast<int64_t>(op.getK());
  // The bits of zero are 0 in every type.
  char *element = result.getMutableBytes().data();
  forEachIndex(result.getShape(), [&](Index index) {
    int64_t diagonal = index.back() - index[index.size() - 2];
    if (op.getUpper() ? diagonal < k : diagonal > k)
      std::memset(element, 0, size);
    element += size;
  });
  return result;
}

Result kernels::run(ReverseSequenceOp op, Operands operands, EmitErrorFn) {
  Index shape = operands[0].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  int64_t seqAxis = getAxis(op.getSeqAxis(), shape.size());
  int64_t batchAxis = getAxis(op.getBatchAxis(), shape.size());
  return copyElements(getResultType(op), operands[0], [&](Index index) {
    SmallVector<int64_t> at(index);
    int64_t length =
        std::min(operands[1].getInt(index[batchAxis]), shape[seqAxis]);
    if (at[seqAxis] < length)
      at[seqAxis] = length - 1 - at[seqAxis];
    return linearize(at, strides);
  });
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

Result kernels::run(TakeOp op, Operands operands, EmitErrorFn) {
  Index shape = operands[0].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  SmallVector<int64_t> indexStrides = getStrides(operands[1].getShape());
  int64_t axis = getAxis(op.getAxis(), shape.size());
  int64_t rank = indexStrides.size();
  return copyElements(getResultType(op), operands[0], [&](Index index) {
    SmallVector<int64_t> at(index.take_front(axis));
    at.push_back(resolveIndex(
        operands[1].getInt(linearize(index.slice(axis, rank), indexStrides)),
        shape[axis]));
    llvm::append_range(at, index.drop_front(axis + rank));
    return linearize(at, strides);
  });
}

Result kernels::run(GatherOp op, Operands operands, EmitErrorFn) {
  Index shape = operands[0].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  int64_t axis = getAxis(op.getAxis(), shape.size());
  int64_t next = 0;
  return copyElements(getResultType(op), operands[0], [&](Index index) {
    SmallVector<int64_t> at(index);
    at[axis] = resolveIndex(operands[1].getInt(next++), shape[axis]);
    return linearize(at, strides);
  });
}

Result kernels::run(GatherNDOp op, Operands operands, EmitErrorFn) {
  Index shape = operands[0].getShape(), indices = operands[1].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  SmallVector<int64_t> indexStrides = getStrides(indices);
  int64_t batchDims = static_cast<int64_t>(op.getBatchDims());
  int64_t length = indices.back(), outer = indices.size() - 1;
  return copyElements(getResultType(op), operands[0], [&](Index index) {
    SmallVector<int64_t> at(index.take_front(batchDims));
    int64_t position =
        linearize(index.take_front(outer), Index(indexStrides).drop_back());
    for (int64_t i = 0; i < length; ++i)
      at.push_back(
          resolveIndex(operands[1].getInt(position + i), shape[batchDims + i]));
    llvm::append_range(at, index.drop_front(outer));
    return linearize(at, strides);
  });
}

Result kernels::run(OneHotOp op, Operands operands, EmitErrorFn) {
  HostTensor result(getResultType(op));
  int64_t size = HostTensor::getElementSize(result.getElementType());
  SmallVector<int64_t> strides = getStrides(operands[0].getShape());
  int64_t axis = getAxis(op.getAxis(), result.getShape().size());
  int64_t depth = static_cast<int64_t>(op.getDepth());
  char *to = result.getMutableBytes().data();
  forEachIndex(result.getShape(), [&](Index index) {
    SmallVector<int64_t> at(index);
    at.erase(at.begin() + axis);
    int64_t hot = operands[0].getInt(linearize(at, strides));
    bool isOn = (hot < 0 ? hot + depth : hot) == index[axis];
    std::memcpy(to, operands[isOn ? 1 : 2].getBytes().data(), size);
    to += size;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// Returns a copy of `data` with `updates` applied. `target` returns the
/// row-major position in `data` for the index of an update.
template <typename Fn>
static HostTensor scatter(const HostTensor &data, const HostTensor &updates,
                          StringRef reduction, Fn target) {
  HostTensor result = data;
  int64_t size = HostTensor::getElementSize(data.getElementType());
  return withComputeType(data.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    auto get = [](const HostTensor &tensor, int64_t at) -> T {
      if constexpr (std::is_same_v<T, double>)
        return tensor.getDouble(at);
      else
        return static_cast<T>(tensor.getInt(at));
    };
    int64_t next = 0;
    forEachIndex(updates.getShape(), [&](Index index) {
      int64_t at = target(index), from = next++;
      if (reduction == "none") {
        std::memcpy(result.getMutableBytes().data() + at * size,
                    updates.getBytes().data() + from * size, size);
        return;
      }
      T old = get(result, at), update = get(updates, from), value = old;
      if (reduction == "add")
        value = add(old, update);
      else if (reduction == "mul")
        value = multiply(old, update);
      else if (reduction == "min" ? update < old : old < update)
        value = update;
      if constexpr (std::is_same_v<T, double>)
        result.setDouble(at, value);
      else
        result.setInt(at, static_cast<int64_t>(value));
    });
    return result;
  });
}

Result kernels::run(ScatterElementsOp op, Operands operands, EmitErrorFn) {
  Index shape = operands[0].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  int64_t axis = getAxis(op.getAxis(), shape.size());
  int64_t next = 0;
  return scatter(operands[0], operands[2], op.getReduction(), [&](Index index) {
    SmallVector<int64_t> at(index);
    at[axis] = resolveIndex(operands[1].getInt(next++), shape[axis]);
    return linearize(at, strides);
  });
}

Result kernels::run(ScatterNDOp op, Operands operands, EmitErrorFn) {
  Index shape = operands[0].getShape(), indices = operands[1].getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  SmallVector<int64_t> indexStrides = getStrides(indices);
  int64_t length = indices.back(), outer = indices.size() - 1;
  return scatter(operands[0], operands[2], op.getReduction(), [&](Index index) {
    SmallVector<int64_t> at;
    int64_t position =
        linearize(index.take_front(outer), Index(indexStrides).drop_back());
    for (int64_t i = 0; i < length; ++i)
      at.push_back(resolveIndex(operands[1].getInt(position + i), shape[i]));
    llvm::append_range(at, index.drop_front(outer));
    return linearize(at, strides);
  });
}

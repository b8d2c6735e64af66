//===- TensorParts.cpp - Tensors in the memory of others ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A slice of the outermost dimension is a range of its data. A concatenation
// along it computes nothing if each operand is written to its place. An operand
// that has another place is copied: an input, a constant, a result of the
// network, an operand of a second concatenation.
//
//===----------------------------------------------------------------------===//

#include "TensorParts.h"

#include "AcceleratorCalls.h"

#include "uma/Support/HostTensor.h"

using namespace mlir;
using namespace uma;

std::optional<int64_t> uma::getContiguousOffset(graph::StridedSliceOp slice) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(slice.getData().getType()).getShape();
  ArrayRef<int64_t> size = slice.getSize();
  int64_t offset = 0, stride = 1;
  // Once a dimension is cut, all dimensions before it have one element.
  bool isCut = false;
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    if (size[dim] != 1 && (isCut || slice.getStrides()[dim] != 1))
      return std::nullopt;
    isCut |= size[dim] != shape[dim];
    offset += slice.getBegin()[dim] * stride;
    stride *= shape[dim];
  }
  return offset;
}

std::optional<int64_t> uma::getOutermostAxis(graph::ConcatenateOp concatenate) {
  auto type = cast<RankedTensorType>(concatenate.getType());
  int64_t axis = concatenate.getAxis();
  if (axis < 0)
    axis += type.getRank();
  bool isOutermost = llvm::all_of(type.getShape().take_front(axis),
                                  [](int64_t size) { return size == 1; });
  return isOutermost ? std::optional(axis) : std::nullopt;
}

/// Returns whether the element `offset` of a tensor is aligned to `alignment`
/// bytes, if the tensor is.
static bool isAligned(Value tensor, int64_t offset, int64_t alignment) {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return offset * HostTensor::getElementSize(element) % alignment == 0;
}

void TensorParts::addSlice(graph::StridedSliceOp slice, int64_t alignment,
                           function_ref<bool(Value)> mayPlace) {
  std::optional<int64_t> offset = getContiguousOffset(slice);
  if (offset && isAligned(slice, *offset, alignment) && mayPlace(slice) &&
      !slice.getData().getDefiningOp<graph::ConstantOp>() &&
      cast<RankedTensorType>(slice.getType()).getNumElements() > 0)
    parts[slice] = {slice.getData(), *offset};
}

void TensorParts::addOperands(graph::ConcatenateOp concatenate,
                              int64_t alignment,
                              function_ref<bool(Value)> mayPlace) {
  std::optional<int64_t> axis = getOutermostAxis(concatenate);
  if (!axis)
    return;
  int64_t next = 0;
  for (auto [index, operand] : llvm::enumerate(concatenate.getInputs())) {
    int64_t offset = next;
    next += cast<RankedTensorType>(operand.getType()).getNumElements();
    Value source = operand;
    while (source.getDefiningOp() && isView(source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    Operation *layer = source.getDefiningOp();
    if (!layer || isa<graph::ConstantOp>(layer) || next == offset ||
        !isAligned(operand, offset, alignment) || !mayPlace(source) ||
        !parts.try_emplace(source, TensorPart{concatenate, offset}).second)
      continue;
    inPlace.insert(concatenate);
    placedOperands.insert({concatenate, unsigned(index)});
  }
}

TensorParts TensorParts::find(func::FuncOp function, int64_t alignment,
                              function_ref<bool(Value)> mayPlace) {
  TensorParts result;
  Block &body = function.getBody().front();
  // Slices first: they are in the memory of their data.
  for (auto slice : body.getOps<graph::StridedSliceOp>())
    result.addSlice(slice, alignment, mayPlace);
  for (auto concatenate : body.getOps<graph::ConcatenateOp>())
    result.addOperands(concatenate, alignment, mayPlace);
  return result;
}

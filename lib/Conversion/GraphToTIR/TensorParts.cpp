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
// The same holds for layers that concatenate channels of one image, in blocks
// or not. Since their result takes memory from the first operand on, which may
// be skipped from one end of a network to the other, they are in place only
// where the network does not need more memory at the time of its maximum.
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
                           MayPlace mayPlace) {
  std::optional<int64_t> offset = getContiguousOffset(slice);
  if (offset && isAligned(slice, *offset, alignment) && mayPlace(slice) &&
      !slice.getData().getDefiningOp<graph::ConstantOp>() &&
      cast<RankedTensorType>(slice.getType()).getNumElements() > 0)
    parts[slice] = {slice.getData(), *offset, BufferLayout()};
}

std::optional<SmallVector<int64_t>>
uma::getOperandOffsets(const CPULayer &layer) {
  if (layer.kind != CPULayer::Kind::Concatenate || layer.ops.size() != 1)
    return std::nullopt;
  RankedTensorType type = layer.getType();
  BufferLayout layout = layer.getResultLayout();
  int64_t axis = layer.anchor->getAttrOfType<IntegerAttr>("axis").getInt();
  if (axis < 0)
    axis += type.getRank();
  // Channels of one image, the outermost dimension in memory.
  if (axis != layout.channelDim || (layout.block == 0 && axis != 1) ||
      type.getDimSize(0) != 1)
    return std::nullopt;
  int64_t block = std::max<int64_t>(layout.block, 1);
  int64_t blockElements = layout.getType(type).getNumElements() /
                          llvm::divideCeil(type.getDimSize(axis), block);
  SmallVector<int64_t> offsets;
  int64_t channel = 0;
  for (Value operand : layer.anchor->getOperands()) {
    if (channel % block != 0)
      return std::nullopt;
    offsets.push_back(channel / block * blockElements);
    channel += cast<RankedTensorType>(operand.getType()).getDimSize(axis);
  }
  return offsets;
}

void TensorParts::add(Operation *concatenate, unsigned index, Value tensor,
                      int64_t offset, const BufferLayout &layout) {
  TensorPart part{concatenate->getResult(0), offset, layout};
  if (!parts.try_emplace(tensor, part).second)
    return;
  inPlace.insert(concatenate);
  placedOperands.insert({concatenate, index});
}

void TensorParts::addOperands(graph::ConcatenateOp concatenate,
                              int64_t alignment, MayPlace mayPlace) {
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
    if (layer && !isa<graph::ConstantOp>(layer) && next != offset &&
        isAligned(operand, offset, alignment) && mayPlace(source))
      add(concatenate, unsigned(index), source, offset);
  }
}

void TensorParts::addOperands(const CPULayer &layer, const CPULayers &layers,
                              int64_t alignment, MayPlace mayPlace) {
  std::optional<SmallVector<int64_t>> offsets = getOperandOffsets(layer);
  if (!offsets)
    return;
  SmallVector<std::pair<unsigned, Value>> placed;
  for (auto [index, inside] : llvm::enumerate(layer.anchor->getOperands())) {
    Value operand = layer.getOutside(inside);
    if (!(layers.getStoredLayout(operand) == layer.getResultLayout()))
      return; // copying it is what the layer does best
    Operation *writer = operand.getDefiningOp();
    if (writer && !isa<graph::ConstantOp>(writer) && !isView(writer) &&
        !parts.contains(operand) && mayPlace(operand) &&
        isAligned(operand, (*offsets)[index], alignment))
      placed.push_back({unsigned(index), operand});
  }
  for (auto [index, operand] : placed)
    add(layer.getCall(), index, operand, (*offsets)[index],
        layer.getResultLayout());
  if (getPeakBytes(layers) <= mostBytes)
    return;
  for (auto [index, operand] : placed) {
    parts.erase(operand);
    placedOperands.erase({layer.getCall(), index});
  }
  inPlace.erase(layer.getCall());
}

int64_t TensorParts::getPeakBytes(const CPULayers &layers) const {
  struct Live {
    int64_t bytes, first, last;
  };
  llvm::MapVector<Value, Live> live;
  auto use = [&](Value tensor, int64_t time) {
    while (true) {
      Operation *op = tensor.getDefiningOp();
      if (const TensorPart *part = lookup(tensor))
        tensor = part->whole;
      else if (op && isView(op))
        tensor = op->getOperand(0);
      else if (!op || isa<graph::ConstantOp>(op))
        return;
      else
        break;
    }
    auto type = cast<RankedTensorType>(tensor.getType());
    int64_t elements =
        layers.getStoredLayout(tensor).getType(type).getNumElements();
    int64_t bytes =
        elements * HostTensor::getElementSize(type.getElementType());
    live.try_emplace(tensor, Live{bytes, time, time}).first->second.last = time;
  };
  int64_t time = 0;
  for (Operation &op : *body) {
    for (Value tensor : llvm::concat<Value>(op.getOperands(), op.getResults()))
      use(tensor, time);
    ++time;
  }
  SmallVector<int64_t> changes(time + 1, 0);
  for (const auto &[tensor, range] : live) {
    changes[range.first] += range.bytes;
    changes[range.last + 1] -= range.bytes;
  }
  int64_t bytes = 0, peak = 0;
  for (int64_t change : changes)
    peak = std::max(peak, bytes += change);
  return peak;
}

TensorParts TensorParts::find(func::FuncOp function, const CPULayers &layers,
                              int64_t alignment, double mostGrowth,
                              MayPlace mayPlace) {
  TensorParts result;
  result.body = &function.getBody().front();
  auto mayPlaceRows = [&](Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    return mayPlace(tensor) &&
           layers.getStoredLayout(tensor).isLikeRowMajor(type.getShape());
  };
  // Slices first: they are in the memory of their data.
  for (auto slice : result.body->getOps<graph::StridedSliceOp>())
    result.addSlice(slice, alignment, mayPlaceRows);
  for (auto concatenate : result.body->getOps<graph::ConcatenateOp>())
    result.addOperands(concatenate, alignment, mayPlaceRows);
  result.mostBytes =
      int64_t(double(result.getPeakBytes(layers)) * (1 + mostGrowth));
  for (const CPULayer &layer : layers.getLayers())
    result.addOperands(layer, layers, alignment, mayPlace);
  return result;
}

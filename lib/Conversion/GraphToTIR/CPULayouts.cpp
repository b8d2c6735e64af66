//===- CPULayouts.cpp - The order of tensors between layers ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layouts follow from what tensors meet in: the data and the result of a
// depthwise convolution, of a pool, of an addition or of a concatenation lie in
// one order. Such tensors form a class, and a class that a convolution writes
// into has its channels in blocks, since that is what a vector register holds.
//
//===----------------------------------------------------------------------===//

#include "CPULayers.h"
#include "ConvGeometry.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

static StringRef getDataLayout(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>("data_layout"))
    return name.getValue();
  return "NCHW";
}

namespace {
/// Tensors that lie in memory in one order.
struct LayoutClass {
  /// Something writes whole blocks of channels.
  bool isWanted = false;
  /// A depthwise convolution, which wants the channels of a vector together.
  bool isPerChannel = false;
  std::optional<graph::WindowLayout> dims;
  SmallVector<int64_t> channels;

  /// The channels per block, 0 for the tensor's own order.
  int64_t getBlock() const {
    if (!isWanted || !dims)
      return 0;
    auto fits = [&](int64_t block) {
      return llvm::all_of(channels, [&](int64_t c) { return c % block == 0; });
    };
    if (fits(16))
      return 16;
    // Convolutions alone use the widest vectors in any part of all channels.
    bool isWhole = llvm::all_equal(channels) && (!isPerChannel || !fits(8));
    if (isWhole)
      return channels.front();
    return fits(8) ? 8 : 0;
  }
};

} // namespace

/// Classes of tensors, as a forest.
class uma::LayoutClasses {
public:
  void unite(Value left, Value right) { parents[find(left)] = find(right); }
  Value find(Value tensor) {
    Value root = tensor;
    while (Value parent = parents.lookup(root))
      if (parent == root)
        break;
      else
        root = parent;
    while (tensor != root) {
      Value next = parents.lookup(tensor);
      parents[tensor] = root;
      tensor = next;
    }
    parents.try_emplace(root, root);
    return root;
  }

private:
  DenseMap<Value, Value> parents;
};

/// The data of a layer that moves values.
static OperandRange getMoved(const CPULayer &layer) {
  OperandRange operands = layer.anchor->getOperands();
  return layer.kind == Kind::Interpolate ? operands.take_front(1) : operands;
}

void CPULayers::joinMoves(LayoutClasses &classes,
                          MutableArrayRef<bool> isDropped) const {
  // Which dimension the channels are is what the others say.
  DenseMap<Value, int64_t> channelDims;
  for (const CPULayer &layer : layers)
    if (layer.anchor && !layer.isMove() && layer.getType().getRank() == 4)
      if (auto dims = graph::WindowLayout::parse(getDataLayout(layer.anchor)))
        channelDims.try_emplace(classes.find(layer.getResult()), dims->c);
  for (size_t index = 0; index < layers.size(); ++index) {
    const CPULayer &layer = layers[index];
    if (!layer.isMove())
      continue;
    OperandRange moved = getMoved(layer);
    auto axis = layer.anchor->getAttrOfType<IntegerAttr>("axis").getInt();
    axis += axis < 0 ? 4 : 0;
    auto first = channelDims.find(classes.find(moved.front()));
    isDropped[index] =
        first == channelDims.end() ||
        llvm::any_of(moved, [&, channels = first->second](Value data) {
          auto other = channelDims.find(classes.find(data));
          if (other == channelDims.end() || other->second != channels)
            return true;
          // Whole blocks only; all tensors of a class have such channels then.
          constexpr int64_t smallest = 8;
          auto type = cast<RankedTensorType>(data.getType());
          return axis == channels && (layer.kind != Kind::Concatenate ||
                                      type.getDimSize(axis) % smallest != 0);
        });
    if (isDropped[index])
      continue;
    int64_t channels = first->second;
    for (Value data : moved)
      classes.unite(data, layer.getResult());
    channelDims[classes.find(layer.getResult())] = channels;
  }
}

/// True for convolutions that write planes.
static bool isPlanar(const CPULayer &layer) {
  return layer.kind == Kind::Conv && ConvGeometry::of(layer.anchor)->isPlanar();
}

void CPULayers::planLayouts() {
  LayoutClasses classes;
  auto hasImage = [](const CPULayer &layer) {
    return layer.kind != Kind::Matrix && layer.kind != Kind::Recurrent &&
           layer.getType().getRank() == 4;
  };
  // Which tensors meet.
  for (const CPULayer &layer : layers) {
    Value result = layer.getResult();
    if (!hasImage(layer))
      continue;
    if (layer.kind == Kind::Depthwise || layer.kind == Kind::Pool)
      classes.unite(layer.anchor->getOperand(0), result);
    for (const LayerOperand &operand : getOperands(layer))
      if (operand.isFull(layer.getType()) && !isKnownConstant(operand.tensor))
        classes.unite(operand.tensor, result);
  }
  SmallVector<bool> isDropped(layers.size(), false);
  joinMoves(classes, isDropped);
  // What they want; a conflict is what nothing is wanted in.
  DenseMap<Value, LayoutClass> known;
  for (const CPULayer &layer : layers) {
    Value result = layer.getResult();
    if (!hasImage(layer) || layer.isMove())
      continue;
    LayoutClass &entry = known[classes.find(result)];
    if (layer.kind == Kind::Depthwise ||
        (layer.kind == Kind::Conv && !isPlanar(layer)))
      entry.isWanted = true;
    entry.isPerChannel |= layer.kind == Kind::Depthwise;
    if (layer.anchor && !entry.dims)
      entry.dims = graph::WindowLayout::parse(getDataLayout(layer.anchor));
  }
  for (auto [index, layer] : llvm::enumerate(layers)) {
    Value result = layer.getResult();
    if (!hasImage(layer) || isDropped[index])
      continue;
    LayoutClass &entry = known[classes.find(result)];
    if (!entry.dims)
      continue;
    if (layer.isMove()) {
      for (Value data : getMoved(layer))
        entry.channels.push_back(
            cast<RankedTensorType>(data.getType()).getDimSize(entry.dims->c));
    } else if (layer.anchor) {
      auto dims = graph::WindowLayout::parse(getDataLayout(layer.anchor));
      if (!dims || dims->c != entry.dims->c)
        entry.isWanted = false;
    }
    entry.channels.push_back(layer.getType().getDimSize(entry.dims->c));
  }

  // Each tensor's layout; layers that cannot have theirs are none.
  for (auto [index, layer] : llvm::enumerate(layers)) {
    Value result = layer.getResult();
    if (!hasImage(layer) || isDropped[index])
      continue;
    const LayoutClass &entry = known[classes.find(result)];
    int64_t block = entry.getBlock();
    bool fits = layer.kind != Kind::Conv || block == 0 ||
                ConvGeometry::of(layer.anchor)->fitsBlock(block);
    if (!fits) {
      isDropped[index] = true;
    } else if (block != 0) {
      BufferLayout layout;
      layout.block = block;
      layout.channelDim = entry.dims->c;
      layout.spatialDims.assign(entry.dims->spatial.begin(),
                                entry.dims->spatial.end());
      layouts[result] = layout;
    } else if (layer.kind != Kind::Elementwise && !isPlanar(layer)) {
      isDropped[index] = true;
    }
  }
  llvm::DenseMap<Operation *, size_t> kept;
  for (auto [op, index] : layerOf)
    if (!isDropped[index])
      kept[op] = index;
  layerOf = std::move(kept);
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (isDropped[index] ||
        (layer.kind != Kind::Conv && layer.kind != Kind::Depthwise))
      continue;
    auto layout = layouts.find(layer.anchor->getOperand(0));
    if (layout == layouts.end() || isPlanar(layer))
      continue;
    auto conv = *ConvGeometry::of(layer.anchor);
    if (layer.kind != Kind::Depthwise || !conv.skipsPadding())
      conv.requireHalo(layout->second);
  }
}

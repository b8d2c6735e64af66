//===- AssignLayouts.cpp - The order of tensors between layers ------------===//
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

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/WantedLayouts.h"
#include "uma/CPU/Transforms/Passes.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

namespace uma::cpu {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
/// Tensors that lie in memory in one order.
struct LayoutClass {
  /// Something writes whole blocks of channels.
  bool isWanted = false;
  /// A depthwise convolution, which wants the channels of a vector together.
  bool isPerChannel = false;
  std::optional<graph::WindowLayout> dims;
  SmallVector<int64_t> channels;

  /// Returns the channels per block, 0 for the tensor's own order.
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

/// Classes of tensors, as a forest.
class LayoutClasses {
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

/// The layouts of the tensors between the layers of a function.
class LayoutPlanner {
public:
  explicit LayoutPlanner(func::FuncOp function, SymbolTable &symbols)
      : plan(function, symbols), layers(plan.getLayers()),
        isDropped(layers.size(), false) {
    for (auto [index, layer] : llvm::enumerate(layers))
      if (KernelAttr kernel = layer.getKernel())
        isDropped[index] = kernel.isByOperators();
  }

  void run();

private:
  /// Lets tensors that meet in a layer lie in one order.
  void joinOperands();
  /// Lets what layers that move values read lie like what they write; drops
  /// those if that cannot be.
  void joinMoves();
  /// Finds what each class is wanted in; a conflict is what nothing is wanted
  /// in.
  void describeClasses();
  /// Chooses the layouts of results, and drops layers that cannot have theirs.
  void chooseResults();
  /// Chooses the layout of an argument: where the tensor or a copy of it is as
  /// `wanted`, that one, or else that of a copy.
  void request(CPULayer &layer, Value argument, const BufferLayout &wanted);

  CPULayers plan;
  MutableArrayRef<CPULayer> layers;
  /// Layers whose operators are computed one by one, by hand or for want of a
  /// layout.
  SmallVector<bool> isDropped;
  LayoutClasses classes;
  DenseMap<Value, LayoutClass> known;
  /// Each tensor's layouts: the one that its layer writes, and copies.
  DenseMap<Value, SmallVector<BufferLayout, 1>> placed;
};
} // namespace

/// Returns the tensor outside that the result of a layer becomes.
static Value getOutput(const CPULayer &layer) {
  return layer.getOutside(layer.getResult());
}

void LayoutPlanner::joinMoves() {
  // The other operators say which dimension the channels are.
  DenseMap<Value, int64_t> channelDims;
  for (const CPULayer &layer : layers)
    if (layer.anchor && !layer.isMove() && layer.getType().getRank() == 4)
      if (auto dims = graph::WindowLayout::parse(getDataLayout(layer.anchor)))
        channelDims.try_emplace(classes.find(getOutput(layer)), dims->c);
  for (size_t index = 0; index < layers.size(); ++index) {
    const CPULayer &layer = layers[index];
    if (!layer.isMove() || isDropped[index])
      continue;
    OperandRange moved = getMoved(layer);
    auto axis = layer.anchor->getAttrOfType<IntegerAttr>("axis").getInt();
    axis += axis < 0 ? 4 : 0;
    auto first =
        channelDims.find(classes.find(layer.getOutside(moved.front())));
    isDropped[index] =
        first == channelDims.end() ||
        llvm::any_of(moved, [&, channels = first->second](Value data) {
          auto other = channelDims.find(classes.find(layer.getOutside(data)));
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
      classes.unite(layer.getOutside(data), getOutput(layer));
    channelDims[classes.find(getOutput(layer))] = channels;
  }
}

void LayoutPlanner::joinOperands() {
  for (const CPULayer &layer : layers) {
    if (!layer.hasImage())
      continue;
    Value result = getOutput(layer);
    if (layer.kind == Kind::Depthwise || layer.kind == Kind::Pool)
      classes.unite(layer.getOutside(layer.anchor->getOperand(0)), result);
    for (const LayerOperand &operand : layer.getOperands())
      if (operand.isFull(layer.getType()) && !layer.getConstant(operand.tensor))
        classes.unite(layer.getOutside(operand.tensor), result);
  }
}

void LayoutPlanner::describeClasses() {
  for (const CPULayer &layer : layers) {
    if (!layer.hasImage() || layer.isMove())
      continue;
    LayoutClass &entry = known[classes.find(getOutput(layer))];
    if (layer.kind == Kind::Depthwise ||
        (layer.kind == Kind::Conv && !isPlanar(layer)))
      entry.isWanted = true;
    entry.isPerChannel |= layer.kind == Kind::Depthwise;
    if (layer.anchor && !entry.dims)
      entry.dims = graph::WindowLayout::parse(getDataLayout(layer.anchor));
  }
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (!layer.hasImage() || isDropped[index])
      continue;
    LayoutClass &entry = known[classes.find(getOutput(layer))];
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
}

void LayoutPlanner::chooseResults() {
  DenseMap<Value, BufferLayout> layouts;
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (!layer.hasImage() || isDropped[index])
      continue;
    const LayoutClass &entry = known[classes.find(getOutput(layer))];
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
      layouts[getOutput(layer)] = layout;
    } else if (layer.kind != Kind::Elementwise && !isPlanar(layer)) {
      isDropped[index] = true;
    }
  }
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (isDropped[index] || isPlanar(layer) ||
        (layer.kind != Kind::Conv && layer.kind != Kind::Depthwise))
      continue;
    auto layout = layouts.find(layer.getOutside(layer.anchor->getOperand(0)));
    if (layout == layouts.end())
      continue;
    auto conv = *ConvGeometry::of(layer.anchor);
    if (layer.kind != Kind::Depthwise || !conv.skipsPadding())
      conv.requireHalo(layout->second);
  }
  for (CPULayer &layer : layers)
    if (auto layout = layouts.find(getOutput(layer)); layout != layouts.end())
      layer.setLayout(layer.getResult(), layout->second);
}

void LayoutPlanner::request(CPULayer &layer, Value argument,
                            const BufferLayout &wanted) {
  Value tensor = layer.getOutside(argument);
  SmallVector<BufferLayout, 1> &all = placed[tensor];
  if (all.empty())
    all.push_back(plan.getStoredLayout(tensor));
  if (layer.hasLayout(argument)) {
    BufferLayout own = layer.getLayout(argument);
    if (!llvm::is_contained(all, own))
      all.push_back(own);
    return;
  }
  // In the order of the tensor all layouts without a border are one, but which
  // dimensions are the spatial ones is for who asks to say.
  if (wanted.isRowMajor())
    return layer.setLayout(argument, wanted);
  auto *found = llvm::find_if(all, [&](const BufferLayout &layout) {
    return fitsLayout(layout, wanted);
  });
  layer.setLayout(argument, found != all.end() ? *found : wanted);
  if (found == all.end())
    all.push_back(wanted);
}

void LayoutPlanner::run() {
  joinOperands();
  joinMoves();
  describeClasses();
  chooseResults();
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (isDropped[index])
      continue;
    auto getStored = [&, &layer = layer](Value argument) {
      return plan.getStoredLayout(layer.getOutside(argument));
    };
    for (const WantedLayout &wanted : getWantedLayouts(layer, getStored))
      request(layer, wanted.argument, wanted.layout);
  }
}

namespace {
struct AssignLayoutsPass : cpu::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;

  void runOnOperation() override {
    if (failed(cpu::verifyLayers(getOperation(), cpu::Decision::Layers)))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : cpu::getEntryFunctions(getOperation()))
      LayoutPlanner(function, symbols).run();
  }
};
} // namespace

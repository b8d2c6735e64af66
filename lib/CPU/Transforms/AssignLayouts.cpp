//===- AssignLayouts.cpp - Layouts of tensors between layers --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The data and the result of a depthwise convolution, a pool, an addition or a
// concatenation share one layout. Such tensors form a class. If a convolution
// writes a tensor of a class, the class stores channels in blocks that fit
// vector registers. Shuffles of channels read and write any blocks, and so do
// concatenations whose tensors have no wide block in common: they separate
// classes.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/TileInstructions.h"
#include "uma/CPU/Model/WantedLayouts.h"
#include "uma/CPU/Transforms/Passes.h"

#include "Remarks.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

namespace uma::cpu {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
/// Tensors that share one layout.
struct LayoutClass {
  /// Whether a layer writes whole blocks of channels.
  bool isWanted = false;
  /// Whether a depthwise convolution is involved, which needs the channels of a
  /// vector to be contiguous.
  bool isPerChannel = false;
  /// Channels per block that an instruction with operands in memory reads at a
  /// time; 0 if there is none for these elements.
  int64_t tileBlock = 0;
  std::optional<graph::WindowLayout> dims;
  SmallVector<int64_t> channels;
  /// Convolutions that write a tensor of the class.
  SmallVector<ConvGeometry, 1> writers;

  /// Returns the channels per block; 0 for row-major.
  int64_t getBlock() const {
    if (!isWanted || !dims)
      return 0;
    auto fits = [&](int64_t block) {
      return llvm::all_of(channels,
                          [&](int64_t c) { return c % block == 0; }) &&
             llvm::all_of(writers, [&](const ConvGeometry &conv) {
               return conv.fitsBlock(block);
             });
    };
    // Depthwise convolutions take parts of the block one after the other.
    if (tileBlock != 0) {
      if (fits(tileBlock))
        return tileBlock;
      if (fits(16) && llvm::all_equal(channels))
        return channels.front();
    }
    if (fits(16))
      return 16;
    // In a block of all channels, only full convolutions can use the widest
    // vectors.
    bool isWhole = llvm::all_equal(channels) && (!isPerChannel || !fits(8));
    if (isWhole)
      return channels.front();
    return fits(8) ? 8 : 0;
  }
};

/// Disjoint sets of tensors (union-find).
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

/// Assigns layouts to the tensors between the layers of a function.
class LayoutPlanner {
public:
  LayoutPlanner(func::FuncOp function, SymbolTable &symbols,
                ArrayRef<accel::InstructionOp> instructions)
      : plan(function, symbols), layers(plan.getLayers()),
        instructions(instructions), isDropped(layers.size(), false),
        isSeparate(layers.size(), false) {
    for (auto [index, layer] : llvm::enumerate(layers)) {
      isSeparate[index] = layer.kind == Kind::Shuffle;
      // Kernels of bytes read and write the order of the tensor.
      isDropped[index] = layer.isOfBytes();
      if (KernelAttr kernel = layer.getKernel())
        isDropped[index] |= kernel.isByOperators();
    }
  }

  void run();

private:
  /// Unites the tensors that a layer must read and write in one layout.
  void joinOperands();
  /// Emits a remark with the layouts of each layer's data and result.
  void explain() const;
  /// Drops interpolations that enlarge images which no layer reads in blocks:
  /// their smaller data is converted instead. Drops such shuffles and slices,
  /// which are often views of converted data.
  void dropTails();
  /// Unites the operands and results of layers that move values; drops such
  /// layers if their operands are incompatible.
  void joinMoves();
  /// Computes the properties of each class. Conflicting requirements disable
  /// blocks.
  void describeClasses();
  /// Marks the class of a move that reads other blocks than it writes as if it
  /// was written by a layer that writes whole blocks.
  void describeSeparate();
  /// Separates concatenations of tensors without a wide block in common. Drops
  /// other layers that move values between tensors without a common layout, so
  /// that each convolution keeps its own. Returns whether there are any.
  bool splitMoves();
  /// Chooses the layouts of results, and drops layers that do not support
  /// theirs.
  void chooseResults();
  /// Gives the operands of concatenations the border of the result, and the
  /// other way round, so that their layers can write parts of the result.
  void shareBorders(DenseMap<Value, BufferLayout> &layouts) const;
  /// Chooses the layout of an argument: that of the tensor or of an existing
  /// copy if it fits `wanted`, otherwise that of a new copy.
  void request(CPULayer &layer, Value argument, const BufferLayout &wanted);

  CPULayers plan;
  MutableArrayRef<CPULayer> layers;
  /// Instructions with operands in memory.
  ArrayRef<accel::InstructionOp> instructions;
  /// Layers whose operators are lowered one by one, because of a user's choice
  /// or because no layout fits.
  SmallVector<bool> isDropped;
  /// Layers that read other blocks of channels than they write.
  SmallVector<bool> isSeparate;
  LayoutClasses classes;
  DenseMap<Value, LayoutClass> known;
  /// Available layouts of each tensor: the stored one and copies.
  DenseMap<Value, SmallVector<BufferLayout, 1>> placed;
};
} // namespace

/// Returns the caller's value of a layer's result.
static Value getOutput(const CPULayer &layer) {
  return layer.getOutside(layer.getResult());
}

void LayoutPlanner::dropTails() {
  for (size_t index = layers.size(); index-- > 0;) {
    const CPULayer &layer = layers[index];
    if (layer.kind != Kind::Interpolate && layer.kind != Kind::Shuffle)
      continue;
    auto data = cast<RankedTensorType>(getMoved(layer).front().getType());
    if (layer.kind == Kind::Interpolate &&
        layer.getType().getNumElements() < data.getNumElements())
      continue;
    isDropped[index] |=
        llvm::none_of(getOutput(layer).getUsers(), [&](Operation *user) {
          const CPULayer *reader = plan.lookup(user);
          return reader && reader->hasImage() &&
                 !isDropped[reader - layers.data()];
        });
  }
}

/// Returns whether a kernel moves images whose channels are in blocks along
/// dimension `channelDim`.
static bool fitsChannels(const CPULayer &layer, int64_t channelDim) {
  if (layer.kind == Kind::Shuffle)
    return layer.getChannelMap(channelDim).has_value();
  auto axis = layer.anchor->getAttrOfType<IntegerAttr>("axis").getInt();
  return layer.kind == Kind::Concatenate ||
         (axis < 0 ? axis + 4 : axis) != channelDim;
}

void LayoutPlanner::joinMoves() {
  // Other operators determine the channel dimension.
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
    auto first =
        channelDims.find(classes.find(layer.getOutside(moved.front())));
    isDropped[index] =
        first == channelDims.end() || !fitsChannels(layer, first->second) ||
        llvm::any_of(moved, [&, channels = first->second](Value data) {
          auto other = channelDims.find(classes.find(layer.getOutside(data)));
          return other == channelDims.end() || other->second != channels;
        });
    if (isDropped[index])
      continue;
    int64_t channels = first->second;
    // A concatenation of whole blocks keeps the layout of its operands.
    constexpr int64_t smallest = 8;
    isSeparate[index] =
        isSeparate[index] ||
        (layer.getChannelMap(channels) && llvm::any_of(moved, [&](Value data) {
           auto type = cast<RankedTensorType>(data.getType());
           return type.getDimSize(channels) % smallest != 0;
         }));
    if (!isSeparate[index])
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
    bool isConv = layer.kind == Kind::Conv && !isPlanar(layer);
    entry.isWanted |= isConv || layer.kind == Kind::Depthwise;
    if (isConv)
      entry.writers.push_back(*ConvGeometry::of(layer.anchor));
    entry.isPerChannel |= layer.kind == Kind::Depthwise;
    // Whatever shares its layout with bytes follows.
    entry.tileBlock =
        std::max(entry.tileBlock,
                 getTileBlock(layer.getType().getElementType(), instructions));
    if (layer.anchor && !entry.dims)
      entry.dims = graph::WindowLayout::parse(getDataLayout(layer.anchor));
  }
  describeSeparate();
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (!layer.hasImage() || isDropped[index])
      continue;
    LayoutClass &entry = known[classes.find(getOutput(layer))];
    if (!entry.dims)
      continue;
    if (isSeparate[index]) {
      // Data has a layout of its own.
    } else if (layer.isMove()) {
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

void LayoutPlanner::describeSeparate() {
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (!isSeparate[index] || isDropped[index])
      continue;
    for (Value data : getMoved(layer)) {
      LayoutClass source = known.lookup(classes.find(layer.getOutside(data)));
      LayoutClass &entry = known[classes.find(getOutput(layer))];
      entry.isWanted |= source.isWanted;
      if (!entry.dims)
        entry.dims = source.dims;
    }
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
    // A layer of another data layout reads a copy.
    if (conv.names.c == layout->second.channelDim &&
        (layer.kind != Kind::Depthwise || !conv.skipsPadding()))
      conv.requireHalo(layout->second);
  }
  shareBorders(layouts);
  for (CPULayer &layer : layers)
    if (auto layout = layouts.find(getOutput(layer)); layout != layouts.end())
      layer.setLayout(layer.getResult(), layout->second);
}

void LayoutPlanner::shareBorders(DenseMap<Value, BufferLayout> &layouts) const {
  // The share of the elements that borders may add.
  constexpr double mostBorder = 1.0 / 3;
  // Concatenations may be operands of later ones.
  for (const CPULayer &layer : llvm::reverse(layers)) {
    auto whole = layouts.find(getOutput(layer));
    RankedTensorType type = layer.getType();
    if (whole == layouts.end() || layer.kind != Kind::Concatenate ||
        layer.ops.size() != 1 || type.getDimSize(0) != 1 ||
        !layer.getChannelMap(whole->second.channelDim))
      continue;
    BufferLayout shared = whole->second;
    SmallVector<BufferLayout *> all = {&whole->second};
    for (Value operand : layer.anchor->getOperands()) {
      auto part = layouts.find(layer.getOutside(operand));
      if (part == layouts.end() || part->second.block != shared.block)
        break;
      for (unsigned dim : {0, 1}) {
        shared.padBegin[dim] =
            std::max(shared.padBegin[dim], part->second.padBegin[dim]);
        shared.padEnd[dim] =
            std::max(shared.padEnd[dim], part->second.padEnd[dim]);
      }
      all.push_back(&part->second);
    }
    auto elements = double(type.getNumElements());
    bool isSmall = double(shared.getType(type).getNumElements()) >
                   (1 + mostBorder) * elements;
    if (all.size() != layer.anchor->getNumOperands() + 1 || isSmall)
      continue;
    for (BufferLayout *layout : all)
      *layout = shared;
  }
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
  // All row-major layouts without a halo are equal, but the caller determines
  // the spatial dimensions.
  if (wanted.isRowMajor())
    return layer.setLayout(argument, wanted);
  auto *found = llvm::find_if(all, [&](const BufferLayout &layout) {
    return fitsLayout(layout, wanted);
  });
  layer.setLayout(argument, found != all.end() ? *found : wanted);
  if (found == all.end())
    all.push_back(wanted);
}

bool LayoutPlanner::splitMoves() {
  // Blocks of fewer channels do not fill the widest vectors.
  constexpr int64_t narrow = 8;
  bool isChanged = false;
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (!layer.isMove() || isDropped[index])
      continue;
    const LayoutClass &entry = known[classes.find(getOutput(layer))];
    if (!entry.isWanted)
      continue;
    int64_t block = entry.getBlock();
    bool isConcat = layer.kind == Kind::Concatenate && entry.dims &&
                    layer.getChannelMap(entry.dims->c);
    if (isConcat && !isSeparate[index] && block <= narrow)
      isSeparate[index] = isChanged = true;
    else if (block == 0)
      isDropped[index] = isChanged = true;
  }
  return isChanged;
}

void LayoutPlanner::run() {
  dropTails();
  do {
    classes = LayoutClasses();
    known.clear();
    joinOperands();
    joinMoves();
    describeClasses();
  } while (splitMoves());
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
  explain();
}

void LayoutPlanner::explain() const {
  for (const CPULayer &layer : layers) {
    func::FuncOp function = layer.getFunction();
    auto written = function.getResultAttrOfType<LayoutAttr>(0, kLayoutAttrName);
    auto read = function.getNumArguments() == 0
                    ? LayoutAttr()
                    : function.getArgAttrOfType<LayoutAttr>(0, kLayoutAttrName);
    cpu::emitLayerRemark(layer, "layout", [&](raw_ostream &os) {
      os << " reads ";
      (read ? os << read : os << "row-major data") << " and writes ";
      (written ? os << written : os << "row-major data");
    });
  }
}

namespace {
struct AssignLayoutsPass : cpu::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;

  void runOnOperation() override {
    if (failed(cpu::verifyLayers(getOperation(), cpu::Decision::Layers)))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    SmallVector<accel::InstructionOp> instructions =
        accel::getTileInstructions(getOperation());
    for (func::FuncOp function : cpu::getEntryFunctions(getOperation()))
      LayoutPlanner(function, symbols, instructions).run();
  }
};
} // namespace

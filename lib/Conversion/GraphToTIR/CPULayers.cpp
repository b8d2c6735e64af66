//===- CPULayers.cpp - Operators that one loop nest computes --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layouts follow from what tensors meet in: the data and the result of a
// depthwise convolution, of a pool or of an addition lie in one order. Such
// tensors form a class, and a class that a convolution writes into has its
// channels in blocks, since that is what a vector register holds.
//
//===----------------------------------------------------------------------===//

#include "CPULayers.h"
#include "ConvGeometry.h"

#include "uma/Graph/Transforms/FusionGroups.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool LayerOperand::isFull(RankedTensorType result) const {
  if (int64_t(dims.size()) != result.getRank())
    return false;
  return llvm::all_of(llvm::enumerate(dims), [&](auto entry) {
    auto [i, dim] = entry;
    return dim == int64_t(i) || result.getDimSize(i) == 1;
  });
}

std::optional<int64_t> LayerOperand::getOnlyDim(RankedTensorType result) const {
  int64_t only = -1;
  for (int64_t dim : dims) {
    if (dim < 0 || result.getDimSize(dim) == 1)
      continue;
    if (only >= 0)
      return std::nullopt;
    only = dim;
  }
  return only;
}

bool LayerOperand::isRow(RankedTensorType result) const {
  return llvm::all_of(dims, [&](int64_t dim) {
    return dim < 0 || dim >= result.getRank() - 1 ||
           result.getDimSize(dim) == 1;
  });
}

static SmallVector<int64_t, 4> getBroadcastDims(OpOperand &operand,
                                                RankedTensorType result) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  if (auto bias = dyn_cast<graph::BiasAddOp>(operand.getOwner());
      bias && operand.getOperandNumber() == 1) {
    int64_t axis = bias.getAxis();
    return {axis < 0 ? axis + result.getRank() : axis};
  }
  SmallVector<int64_t, 4> dims;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t dim = result.getRank() - type.getRank() + i;
    dims.push_back(type.getDimSize(i) == 1 ? -1 : dim);
  }
  return dims;
}

SmallVector<LayerOperand> CPULayers::getOperands(const CPULayer &layer) {
  SmallVector<LayerOperand> operands;
  llvm::SmallPtrSet<Operation *, 8> members(layer.ops.begin(), layer.ops.end());
  for (Operation *op : layer.ops) {
    if (op == layer.anchor)
      continue;
    for (OpOperand &operand : op->getOpOperands()) {
      if (members.contains(operand.get().getDefiningOp()))
        continue;
      LayerOperand found{operand.get(),
                         getBroadcastDims(operand, layer.getType())};
      bool isKnown = llvm::any_of(operands, [&](const LayerOperand &other) {
        return other.tensor == found.tensor && other.dims == found.dims;
      });
      if (!isKnown)
        operands.push_back(found);
    }
  }
  return operands;
}

Operation *CPULayers::getBias(const CPULayer &layer) {
  if (!layer.anchor || !layer.anchor->hasOneUse())
    return nullptr;
  auto bias = dyn_cast<graph::BiasAddOp>(*layer.anchor->user_begin());
  bool isBehind = bias && llvm::is_contained(layer.ops, bias) &&
                  bias.getData() == layer.anchor->getResult(0);
  return isBehind ? bias : nullptr;
}

Value CPULayers::evaluate(LayerBuilder &b, const CPULayer &layer,
                          Operation *first, Value value,
                          ArrayRef<LayerOperand> operands,
                          ValueRange elements) const {
  DenseMap<Value, Value> computed;
  if (first)
    computed[first->getResult(0)] = value;
  for (Operation *op : layer.ops) {
    if (op == layer.anchor || op == first)
      continue;
    SmallVector<Value> values;
    for (OpOperand &operand : op->getOpOperands()) {
      if (Value value = computed.lookup(operand.get())) {
        values.push_back(value);
        continue;
      }
      auto dims = getBroadcastDims(operand, layer.getType());
      for (auto [other, element] : llvm::zip_equal(operands, elements))
        if (other.tensor == operand.get() && other.dims == dims) {
          values.push_back(element);
          break;
        }
    }
    Value &result = computed[op->getResult(0)];
    if (isa<graph::BiasAddOp>(op)) {
      result = b.add(values[0], values[1]);
      continue;
    }
    bool isUnsigned = values.back().getType().isInteger(1);
    result = functions.find(op->getName().getStringRef())
                 ->second(b, op, values, isUnsigned);
  }
  return computed.lookup(layer.getResult());
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// A tensor of f32 with elements.
static bool isFloatTensor(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.getElementType().isF32() && type.getNumElements() > 0;
}

/// True for constants whose elements are known: a dense_resource may be
/// missing, where somebody printed the module without it.
static bool isConstant(Value tensor) {
  auto constant = tensor.getDefiningOp<graph::ConstantOp>();
  if (!constant)
    return false;
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  return !resource || resource.getRawHandle().getBlob();
}

bool CPULayers::isElementwise(Operation *op) const {
  bool isKnown = isa<graph::BiasAddOp>(op) ||
                 functions.contains(op->getName().getStringRef());
  if (!isKnown || op->getNumResults() != 1)
    return false;
  auto isSupported = [](Value tensor) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    return type && type.getNumElements() > 0 &&
           (type.getElementType().isF32() ||
            type.getElementType().isInteger(1));
  };
  return llvm::all_of(op->getOperands(), isSupported) &&
         isSupported(op->getResult(0));
}

std::optional<Kind> CPULayers::getAnchorKind(Operation *op) const {
  if (op->getNumResults() != 1 || !isFloatTensor(op->getResult(0)) ||
      !llvm::all_of(op->getOperands(), isFloatTensor))
    return std::nullopt;
  // A vector of four lanes is the least that pays.
  constexpr int64_t fewest = 4;
  if (std::optional<ConvGeometry> conv = ConvGeometry::of(op)) {
    if (!isConstant(op->getOperand(1)))
      return std::nullopt;
    if (conv->isPlanar())
      return Kind::Conv;
    if (conv->isDepthwise() && !conv->isTransposed)
      return conv->outChannels < fewest ? std::nullopt
                                        : std::optional(Kind::Depthwise);
    if (conv->getGroupOutputs() < fewest)
      return std::nullopt;
    return Kind::Conv;
  }
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  int64_t columns = shape.empty() ? 1 : shape.back();
  if (auto dense = dyn_cast<graph::DenseOp>(op)) {
    if (isConstant(dense.getWeight()) && columns >= fewest)
      return Kind::Matrix;
    return std::nullopt;
  }
  if (auto matmul = dyn_cast<graph::BatchMatmulOp>(op)) {
    auto left = cast<RankedTensorType>(matmul.getLhs().getType());
    auto right = cast<RankedTensorType>(matmul.getRhs().getType());
    ArrayRef<int64_t> batch = right.getShape().drop_back(2);
    bool isMatrix = isConstant(matmul.getRhs()) &&
                    llvm::all_of(batch, [](int64_t size) { return size == 1; });
    // Matrices that are not known now are packed when they are.
    bool isBatch = batch == left.getShape().drop_back(2);
    if ((isMatrix || isBatch) && !matmul.getTransposeA() && columns >= fewest)
      return Kind::Matrix;
    return std::nullopt;
  }
  if (auto pool = dyn_cast<graph::MaxPool2dOp>(op))
    return llvm::all_of(pool.getDilations(), [](int64_t d) { return d == 1; })
               ? std::optional(Kind::Pool)
               : std::nullopt;
  if (auto pool = dyn_cast<graph::AvgPool2dOp>(op))
    return llvm::all_of(pool.getDilations(), [](int64_t d) { return d == 1; })
               ? std::optional(Kind::Pool)
               : std::nullopt;
  if (isa<graph::GlobalAvgPool2dOp, graph::GlobalMaxPool2dOp>(op))
    return Kind::Pool;
  return std::nullopt;
}

std::optional<CPULayer> CPULayers::makeLayer(ArrayRef<Operation *> ops) const {
  CPULayer layer{Kind::Elementwise, {ops.begin(), ops.end()}, nullptr};
  if (!isFloatTensor(ops.back()->getResult(0)))
    return std::nullopt;
  ArrayRef<int64_t> shape = layer.getType().getShape();
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (op->getNumResults() != 1)
      return std::nullopt;
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || type.getShape() != shape)
      return std::nullopt;
    // The result of all but the last one must stay inside.
    if (op != ops.back() && !llvm::all_of(op->getUsers(), [&](Operation *user) {
          return llvm::is_contained(ops, user);
        }))
      return std::nullopt;
    if (isElementwise(op))
      continue;
    std::optional<Kind> kind = getAnchorKind(op);
    if (!kind || layer.anchor)
      return std::nullopt;
    if ((*kind == Kind::Pool || *kind == Kind::Concatenate) && ops.size() != 1)
      return std::nullopt;
    // The anchor reads nothing that the layer computes.
    if (llvm::any_of(op->getOperands(), [&](Value operand) {
          return llvm::is_contained(ops, operand.getDefiningOp());
        }))
      return std::nullopt;
    layer.kind = *kind;
    layer.anchor = op;
  }
  // The dimensions of a product are batch, rows and columns, whatever they were
  // before.
  if (layer.kind == Kind::Matrix)
    for (const LayerOperand &operand : getOperands(layer))
      if (!operand.isFull(layer.getType()) && !operand.isRow(layer.getType()))
        return std::nullopt;
  return layer;
}

void CPULayers::findLayers(Block &block) {
  DenseMap<Operation *, const graph::FusionGroup *> groupOf;
  constexpr size_t longest = 64;
  SmallVector<graph::FusionGroup> groups =
      graph::findFusionGroups(block, longest);
  for (const graph::FusionGroup &group : groups)
    for (Operation *op : group)
      groupOf[op] = &group;
  auto add = [&](CPULayer layer) {
    for (Operation *op : layer.ops)
      layerOf[op] = layers.size();
    layers.push_back(std::move(layer));
  };
  for (Operation &op : block.without_terminator()) {
    if (layerOf.contains(&op))
      continue;
    const graph::FusionGroup *group = groupOf.lookup(&op);
    std::optional<CPULayer> layer;
    if (group && group->front() == &op)
      // The longest part from the beginning that one nest can compute.
      for (ArrayRef<Operation *> part = *group; part.size() > 1 && !layer;
           part = part.drop_back())
        layer = makeLayer(part);
    if (!layer)
      layer = makeLayer({&op});
    if (layer)
      add(*layer);
  }
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

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
  std::optional<graph::WindowLayout> dims;
  SmallVector<int64_t> channels;

  /// The channels per block, 0 for the tensor's own order.
  int64_t getBlock() const {
    if (!isWanted || !dims)
      return 0;
    for (int64_t block : {16, 8})
      if (llvm::all_of(channels, [&](int64_t c) { return c % block == 0; }))
        return block;
    return llvm::all_equal(channels) ? channels.front() : 0;
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
} // namespace

/// True for convolutions that write planes.
static bool isPlanar(const CPULayer &layer) {
  return layer.kind == Kind::Conv && ConvGeometry::of(layer.anchor)->isPlanar();
}

void CPULayers::planLayouts() {
  LayoutClasses classes;
  auto isImage = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getRank() == 4;
  };
  // Which tensors meet.
  for (const CPULayer &layer : layers) {
    Value result = layer.getResult();
    if (!isImage(result) || layer.kind == Kind::Matrix)
      continue;
    if (layer.kind == Kind::Depthwise || layer.kind == Kind::Pool)
      classes.unite(layer.anchor->getOperand(0), result);
    for (const LayerOperand &operand : getOperands(layer))
      if (operand.isFull(layer.getType()) && !isConstant(operand.tensor))
        classes.unite(operand.tensor, result);
  }
  // What they want; a conflict is what nothing is wanted in.
  DenseMap<Value, LayoutClass> known;
  for (const CPULayer &layer : layers) {
    Value result = layer.getResult();
    if (!isImage(result) || layer.kind == Kind::Matrix)
      continue;
    LayoutClass &entry = known[classes.find(result)];
    if (layer.kind == Kind::Depthwise ||
        (layer.kind == Kind::Conv && !isPlanar(layer)))
      entry.isWanted = true;
    if (layer.anchor && !entry.dims)
      entry.dims = graph::WindowLayout::parse(getDataLayout(layer.anchor));
  }
  for (const CPULayer &layer : layers) {
    Value result = layer.getResult();
    if (!isImage(result) || layer.kind == Kind::Matrix)
      continue;
    LayoutClass &entry = known[classes.find(result)];
    if (!entry.dims)
      continue;
    if (layer.anchor) {
      auto dims = graph::WindowLayout::parse(getDataLayout(layer.anchor));
      if (!dims || dims->c != entry.dims->c)
        entry.isWanted = false;
    }
    entry.channels.push_back(layer.getType().getDimSize(entry.dims->c));
  }

  // Each tensor's layout; layers that cannot have theirs are none.
  SmallVector<bool> isDropped(layers.size(), false);
  for (auto [index, layer] : llvm::enumerate(layers)) {
    Value result = layer.getResult();
    if (!isImage(result) || layer.kind == Kind::Matrix)
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
    if (layout != layouts.end() && !isPlanar(layer))
      ConvGeometry::of(layer.anchor)->requireHalo(layout->second);
  }
}

CPULayers::CPULayers(Block &block, const CPUOptions &options)
    : options(options) {
  populateElementFunctions(functions);
  findLayers(block);
  planLayouts();
}

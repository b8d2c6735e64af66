//===- CPULayers.cpp - Operators that one loop nest computes --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Which operators one function computes: an anchor and the elementwise ones
// behind it, or elementwise ones alone.
//
//===----------------------------------------------------------------------===//

#include "CPULayers.h"
#include "ConvGeometry.h"

#include "uma/Graph/Transforms/FusionGroups.h"
#include "uma/Support/HostTensor.h"

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

/// True for constants of one element, which stand in the code.
static bool isScalarConstant(Value tensor) {
  return isFloatTensor(tensor) && isKnownConstant(tensor) &&
         cast<RankedTensorType>(tensor.getType()).getNumElements() == 1;
}

static Value makeScalar(LayerBuilder &b, Value tensor) {
  FailureOr<HostTensor> value = HostTensor::fromAttribute(
      tensor.getDefiningOp<graph::ConstantOp>().getValue());
  return b.constant(value->getElementType(), value->getDouble(0));
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
      if (isScalarConstant(operand.get()))
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
      if (isScalarConstant(operand.get())) {
        values.push_back(makeScalar(b, operand.get()));
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

bool uma::isFloatTensor(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.getElementType().isF32() && type.getNumElements() > 0;
}

bool uma::isKnownConstant(Value tensor) {
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
  if (op->getNumResults() != 1 || !isFloatTensor(op->getResult(0)))
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto interpolate = dyn_cast<graph::InterpolateOp>(op))
    return type.getRank() == 4 && isFloatTensor(interpolate.getData()) &&
                   isFloatTensor(interpolate.getWeights())
               ? std::optional(Kind::Interpolate)
               : std::nullopt;
  if (!llvm::all_of(op->getOperands(), isFloatTensor))
    return std::nullopt;
  if (isa<graph::ConcatenateOp>(op))
    return type.getRank() == 4 ? std::optional(Kind::Concatenate)
                               : std::nullopt;
  // A vector of four lanes is the least that pays.
  constexpr int64_t fewest = 4;
  if (std::optional<ConvGeometry> conv = ConvGeometry::of(op)) {
    if (!isKnownConstant(op->getOperand(1)))
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
  int64_t columns = type.getRank() == 0 ? 1 : type.getShape().back();
  if (auto dense = dyn_cast<graph::DenseOp>(op)) {
    if (isKnownConstant(dense.getWeight()) && columns >= fewest)
      return Kind::Matrix;
    return std::nullopt;
  }
  if (auto matmul = dyn_cast<graph::BatchMatmulOp>(op)) {
    auto left = cast<RankedTensorType>(matmul.getLhs().getType());
    auto right = cast<RankedTensorType>(matmul.getRhs().getType());
    ArrayRef<int64_t> batch = right.getShape().drop_back(2);
    bool isMatrix = isKnownConstant(matmul.getRhs()) &&
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
    bool isAlone = *kind == Kind::Pool || *kind == Kind::Concatenate ||
                   *kind == Kind::Interpolate;
    if (isAlone && ops.size() != 1)
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
  auto canBeInside = [&](Operation *op) {
    return isElementwise(op) || getAnchorKind(op);
  };
  for (Operation &op : block.without_terminator()) {
    if (layerOf.contains(&op))
      continue;
    std::optional<CPULayer> layer;
    if (const graph::FusionGroup *group = groupOf.lookup(&op)) {
      // The longest part from here on that one nest can compute.
      auto part = ArrayRef<Operation *>(*group).drop_until(
          [&](Operation *member) { return member == &op; });
      for (part = part.take_while(canBeInside); part.size() > 1 && !layer;
           part = part.drop_back())
        layer = makeLayer(part);
    }
    if (!layer && isVectorRecurrent(&op))
      layer = CPULayer{Kind::Recurrent, {&op}, &op};
    if (!layer)
      layer = makeLayer({&op});
    if (layer)
      add(*layer);
  }
}

CPULayers::CPULayers(Block &block, const CPUOptions &options)
    : options(options) {
  populateElementFunctions(functions);
  findLayers(block);
  planLayouts();
  planProducts(block);
}

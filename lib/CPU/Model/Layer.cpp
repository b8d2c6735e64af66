//===- Layer.cpp - Fused layers of the CPU --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A layer is an anchor and the elementwise operators after it, or elementwise
// operators only.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Layer.h"

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/RecurrentLayer.h"
#include "uma/Support/LayerName.h"
#include "uma/TIR/Builder/Elements.h"

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

SmallVector<int64_t, 4> CPULayer::getBroadcastDims(OpOperand &operand,
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

SmallVector<LayerOperand> CPULayer::getOperands() const {
  SmallVector<LayerOperand> operands;
  if (kind == Kind::ByteSum)
    return operands;
  llvm::SmallPtrSet<Operation *, 8> members(ops.begin(), ops.end());
  for (Operation *op : ops) {
    if (op == anchor)
      continue;
    auto lookup = dyn_cast<graph::TakeOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (members.contains(operand.get().getDefiningOp()) ||
          isScalarConstant(operand.get()) ||
          (lookup && operand.get() == lookup.getData()))
        continue;
      LayerOperand found{operand.get(), getBroadcastDims(operand, getType())};
      bool isKnown = llvm::any_of(operands, [&](const LayerOperand &other) {
        return other.tensor == found.tensor && other.dims == found.dims;
      });
      if (!isKnown)
        operands.push_back(found);
    }
  }
  return operands;
}

Operation *CPULayer::getBias() const {
  if (!anchor || !anchor->hasOneUse())
    return nullptr;
  auto bias = dyn_cast<graph::BiasAddOp>(*anchor->user_begin());
  bool isBehind = bias && llvm::is_contained(ops, bias) &&
                  bias.getData() == anchor->getResult(0);
  return isBehind ? bias : nullptr;
}

Value CPULayer::getOutside(Value inside) const {
  if (!function)
    return inside;
  func::CallOp outside = call;
  if (auto argument = dyn_cast<BlockArgument>(inside))
    return outside.getOperand(argument.getArgNumber());
  func::FuncOp callee = function;
  for (auto [value, result] :
       llvm::zip_equal(callee.getBody().front().getTerminator()->getOperands(),
                       outside.getResults()))
    if (value == inside)
      return result;
  return inside;
}

std::string CPULayer::getName() const {
  return getLayerName(anchor && kind != Kind::Shuffle ? anchor : ops.back());
}

graph::ConstantOp CPULayer::getConstant(Value inside) const {
  auto constant = getOutside(inside).getDefiningOp<graph::ConstantOp>();
  if (!constant)
    return {};
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  bool isKnown = !resource || resource.getRawHandle().getBlob();
  return isKnown ? constant : graph::ConstantOp();
}

bool CPULayer::isScalarConstant(Value inside) const {
  auto type = dyn_cast<RankedTensorType>(inside.getType());
  return type && type.getNumElements() == 1 &&
         (type.getElementType().isF32() ||
          type.getElementType().isSignlessInteger(32) ||
          type.getElementType().isSignlessInteger(16)) &&
         getConstant(inside);
}

//===----------------------------------------------------------------------===//
// Formation of layers
//===----------------------------------------------------------------------===//

bool uma::isFloatTensor(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.getElementType().isF32() && type.getNumElements() > 0;
}

StringRef uma::getDataLayout(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>("data_layout"))
    return name.getValue();
  return "NCHW";
}

/// Returns whether kernels convert between elements of a type and f32.
static bool isConvertible(Type type) {
  return type.isF32() || type.isF16() || type.isBF16() ||
         type.isSignlessInteger(32) || type.isSignlessInteger(16) ||
         type.isInteger(8);
}

static bool isDoubleTensor(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.getElementType().isF64() && type.getNumElements() > 0;
}

/// Returns whether a kernel can write elements of a type.
static bool isResultTensor(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return isDoubleTensor(tensor) || (type && type.getNumElements() > 0 &&
                                    isConvertible(type.getElementType()));
}

/// Returns whether an operator adds to or multiplies sums in f64.
static bool isDoubleElementwise(Operation *op) {
  return isa<graph::AddOp, graph::BiasAddOp, graph::MultiplyOp,
             graph::SubtractOp>(op) &&
         llvm::all_of(op->getOperands(), isDoubleTensor);
}

static bool isElementwise(Operation *op) {
  if (isDoubleElementwise(op))
    return true;
  bool isKnown = isa<graph::BiasAddOp, graph::CastOp>(op) ||
                 getElementFunctions().contains(op->getName().getStringRef());
  if (!isKnown || op->getNumResults() != 1)
    return false;
  auto isSupported = [op](Value tensor) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type || type.getNumElements() == 0)
      return false;
    Type element = type.getElementType();
    if (isa<graph::CastOp>(op))
      return isConvertible(element);
    // Integers are sums and quantized numbers, rescaled in fixed point.
    if (isa<graph::AddOp, graph::BiasAddOp, graph::ClipOp,
            graph::FixedPointMultiplyOp, graph::MaximumOp, graph::MinimumOp,
            graph::MultiplyOp, graph::SubtractOp>(op) &&
        element.isSignlessInteger(32))
      return true;
    return element.isF32() || element.isInteger(1);
  };
  return llvm::all_of(op->getOperands(), isSupported) &&
         isSupported(op->getResult(0));
}

/// Returns whether a recurrent layer has a vectorised kernel: constant weights,
/// and all sequences of full length.
static bool isVectorRecurrent(const CPULayer &layer, Operation *op) {
  std::optional<RecurrentLayer> recurrent = RecurrentLayer::get(op);
  // A vector of four lanes is the least that pays.
  if (!recurrent || recurrent->dims.units < 4 ||
      !layer.getConstant(recurrent->weight) ||
      !layer.getConstant(recurrent->recurrence))
    return false;
  if (Value lens = recurrent->sequenceLens) {
    // Many models pass lengths that equal the number of steps.
    graph::ConstantOp constant = layer.getConstant(lens);
    auto values = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                           : nullptr;
    if (!values || !llvm::all_of(values, [&](const APInt &value) {
          return value.getActiveBits() <= 31 &&
                 value.getSExtValue() >= recurrent->dims.steps;
        }))
      return false;
  }
  return llvm::all_of(op->getResults(), isFloatTensor) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return operand == recurrent->sequenceLens || isFloatTensor(operand);
         });
}

std::optional<Kind> CPULayer::getAnchorKind(Operation *op) const {
  if (op->getNumResults() != 1)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!prologue.empty())
    return getByteKind(op);
  if (int64_t wordSize = uma::getWordSize(op); wordSize != 1)
    return getWordKind(op, wordSize);
  auto isUndilated = [](auto pool) {
    return llvm::all_of(pool.getDilations(), [](int64_t d) { return d == 1; });
  };
  auto maxPool = dyn_cast<graph::MaxPool2dOp>(op);
  if (maxPool && isResultTensor(maxPool.getResult()) &&
      !isDoubleTensor(maxPool.getResult()))
    return isUndilated(maxPool) ? std::optional(Kind::Pool) : std::nullopt;
  if (isDoubleTensor(op->getResult(0)) &&
      isa<graph::BatchMatmulOp, graph::Conv2dOp, graph::DenseOp>(op))
    return getProductKind(op, isDoubleTensor);
  if (!isFloatTensor(op->getResult(0)))
    return std::nullopt;
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
  if (auto pool = dyn_cast<graph::AvgPool2dOp>(op))
    return isUndilated(pool) ? std::optional(Kind::Pool) : std::nullopt;
  if (isa<graph::GlobalAvgPool2dOp, graph::GlobalMaxPool2dOp>(op))
    return Kind::Pool;
  return getProductKind(op, isFloatTensor);
}

std::optional<CPULayer> CPULayer::make(CPULayer layer) {
  layer.takePrologue();
  ArrayRef<Operation *> ops = layer.ops;
  if (ops.size() == 1 && isVectorRecurrent(layer, ops.front())) {
    layer.kind = Kind::Recurrent;
    layer.anchor = ops.front();
    return layer;
  }
  if (isByteSum(ops)) {
    layer.kind = Kind::ByteSum;
    layer.anchor = ops.back();
    return layer;
  }
  if (ops.empty() || ops.back()->getNumResults() != 1 ||
      !isResultTensor(ops.back()->getResult(0)))
    return std::nullopt;
  if (ArrayRef<Operation *>(findShuffle(ops.front())) == ops) {
    if (!llvm::all_of(ops.front()->getOperands(), isFloatTensor))
      return std::nullopt;
    layer.kind = Kind::Shuffle;
    layer.anchor = ops.front();
    return layer;
  }
  ArrayRef<int64_t> shape = layer.getType().getShape();
  for (Operation *op : ops) {
    if (op->getNumResults() != 1)
      return std::nullopt;
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || type.getShape() != shape)
      return std::nullopt;
    // Only the last result may be used outside.
    if (op != ops.back() && !llvm::all_of(op->getUsers(), [&](Operation *user) {
          return llvm::is_contained(ops, user);
        }))
      return std::nullopt;
    if (isElementwise(op) || layer.isLookup())
      continue;
    std::optional<Kind> kind = layer.getAnchorKind(op);
    if (!kind || layer.anchor)
      return std::nullopt;
    bool isAlone = *kind == Kind::Pool || *kind == Kind::Interpolate;
    if (isAlone && ops.size() != 1)
      return std::nullopt;
    // The anchor must not read results of the layer.
    if (llvm::any_of(op->getOperands(), [&](Value operand) {
          return llvm::is_contained(ops, operand.getDefiningOp());
        }))
      return std::nullopt;
    layer.kind = *kind;
    layer.anchor = op;
  }
  if (!layer.prologue.empty() && !layer.isOfBytes())
    return std::nullopt;
  // A concatenation is followed by functions of its elements alone.
  if (layer.kind == Kind::Concatenate &&
      (!layer.getOperands().empty() || !isFloatTensor(layer.getResult())))
    return std::nullopt;
  // Vectors of f64 are for products.
  if (!layer.anchor && isDoubleTensor(layer.getResult()))
    return std::nullopt;
  // The kernel sees the dimensions of a product as batch, rows and columns, so
  // operands must be full or rows.
  if (layer.kind == Kind::Matrix || layer.isOfBytes())
    for (const LayerOperand &operand : layer.getOperands())
      if (!operand.isFull(layer.getType()) && !operand.isRow(layer.getType()))
        return std::nullopt;
  return layer;
}

std::optional<CPULayer> CPULayer::form(ArrayRef<Operation *> ops) {
  CPULayer layer;
  layer.ops.assign(ops.begin(), ops.end());
  return make(std::move(layer));
}

std::optional<CPULayer> CPULayer::of(func::CallOp call, func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  CPULayer layer;
  layer.call = call;
  layer.function = function;
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator())
    layer.ops.push_back(&op);
  if (layer.ops.empty() ||
      body.getTerminator()->getOperands() != layer.ops.back()->getResults())
    return std::nullopt;
  return make(std::move(layer));
}

bool CPULayer::canBeInside(Operation *op) {
  return isElementwise(op) || CPULayer().getAnchorKind(op);
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

KernelAttr CPULayer::getKernel() const {
  return function->getAttrOfType<KernelAttr>(kKernelAttrName);
}

TilePairAttr CPULayer::getTilePair() const {
  return function->getAttrOfType<TilePairAttr>(kTilePairAttrName);
}

bool CPULayer::hasTileProducer() const {
  return function && getFunction()->hasAttr(kTileProducerAttrName);
}

bool CPULayer::hasKernel() const {
  KernelAttr kernel = getKernel();
  return kernel && !kernel.isByOperators();
}

Attribute CPULayer::getLayoutAttr(Value inside) const {
  if (auto argument = dyn_cast<BlockArgument>(inside))
    return getFunction().getArgAttr(argument.getArgNumber(), kLayoutAttrName);
  assert(inside == getResult() && "layouts of what is outside of the layer");
  return getFunction().getResultAttr(0, kLayoutAttrName);
}

bool CPULayer::hasLayout(Value inside) const {
  return bool(getLayoutAttr(inside));
}

BufferLayout CPULayer::getLayout(Value inside) const {
  return BufferLayout::of(
      dyn_cast_if_present<LayoutAttr>(getLayoutAttr(inside)));
}

void CPULayer::setLayout(Value inside, const BufferLayout &layout) {
  LayoutAttr attribute = layout.toAttribute(getFunction().getContext());
  if (!attribute || hasLayout(inside))
    return;
  if (auto argument = dyn_cast<BlockArgument>(inside))
    function.setArgAttr(argument.getArgNumber(), kLayoutAttrName, attribute);
  else
    function.setResultAttr(0, kLayoutAttrName, attribute);
}

int64_t CPULayer::getChannelDim() const {
  BufferLayout layout = getResultLayout();
  if (layout.block != 0)
    return layout.channelDim;
  return kind == Kind::Conv ? ConvGeometry::of(anchor)->names.c
                            : getType().getRank() - 1;
}

int64_t CPULayer::getChannelBlock() const {
  int64_t block = getResultLayout().block;
  // A single block of all channels is equivalent to no blocks.
  bool isWhole = block == getType().getDimSize(getChannelDim());
  return isWhole ? 0 : block;
}

bool CPULayer::canFlatten() const {
  if (getResultLayout().hasHalo())
    return false;
  for (const LayerOperand &operand : getOperands()) {
    if (getLayout(operand.tensor).hasHalo())
      return false;
    std::optional<int64_t> dim = operand.getOnlyDim(getType());
    bool isChannel = dim && (*dim == -1 || *dim == getChannelDim());
    if (!operand.isFull(getType()) && !isChannel)
      return false;
  }
  return true;
}

std::optional<ChannelMap> CPULayer::getChannelMap(int64_t channelDim) const {
  if (kind != Kind::Concatenate && kind != Kind::Shuffle)
    return std::nullopt;
  std::optional<ChannelMap> map = ChannelMap::of(ops);
  return map && map->dim == channelDim ? map : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The layers of a function
//===----------------------------------------------------------------------===//

CPULayers::CPULayers(func::FuncOp function, SymbolTable &symbols) {
  for (auto call : function.getOps<func::CallOp>()) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || !callee->hasAttr(kPrimitiveAttrName))
      continue;
    if (std::optional<CPULayer> layer = CPULayer::of(call, callee)) {
      layerOf[call] = layers.size();
      layers.push_back(std::move(*layer));
    }
  }
}

CPULayer *CPULayers::lookup(Operation *call) {
  auto entry = layerOf.find(call);
  return entry == layerOf.end() ? nullptr : &layers[entry->second];
}

CPULayer *CPULayers::getDepthwiseReader(const CPULayer &writer) {
  Value tensor = writer.getOutside(writer.getResult());
  if (!tensor.hasOneUse())
    return nullptr;
  OpOperand &use = *tensor.use_begin();
  CPULayer *reader = lookup(use.getOwner());
  if (!reader || reader->kind != CPULayer::Kind::Depthwise)
    return nullptr;
  auto data = dyn_cast<BlockArgument>(reader->anchor->getOperand(0));
  bool isData = data && data.getArgNumber() == use.getOperandNumber();
  return isData ? reader : nullptr;
}

const CPULayer *CPULayers::getTileProducer(const CPULayer &reader) const {
  return reader.hasTileProducer()
             ? lookup(reader.getOutside(reader.getData()).getDefiningOp())
             : nullptr;
}

bool CPULayers::isTileProducer(const CPULayer &layer) const {
  Value tensor = layer.getOutside(layer.getResult());
  if (!tensor.hasOneUse())
    return false;
  const CPULayer *reader = lookup(*tensor.user_begin());
  return reader && getTileProducer(*reader) == &layer;
}

BufferLayout CPULayers::getStoredLayout(Value tensor) const {
  Operation *op = tensor.getDefiningOp();
  const CPULayer *layer = op ? lookup(op) : nullptr;
  if (!layer || tensor != op->getResult(0))
    return {};
  return layer->getResultLayout();
}

BufferLayout CPULayers::getStoredData(const CPULayer &layer) const {
  if (!layer.anchor)
    return {};
  return getStoredLayout(layer.getOutside(layer.anchor->getOperand(0)));
}

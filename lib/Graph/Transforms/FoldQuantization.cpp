//===- FoldQuantization.cpp - Layers on integers between Q and DQ ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Exporters write a quantized layer as dequantize, operator, quantize. Runtimes
// compute it on integers. The rewrites here follow the integer kernels of ONNX
// Runtime: a layer is folded only if these take it, too, so that both compute
// the same bits. All others stay islands of floats. `rounding` of the quantize
// goes to the layer.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "DotPlan.h"
#include "FoldQuantizedAdd.h"
#include "FoldQuantizedMultiply.h"
#include "QuantizedFunctions.h"
#include "QuantizedLayers.h"

#include "uma/Graph/IR/QuantizationAttributes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_FOLDQUANTIZATIONPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns the dequantize that defines `value`, or null.
static DequantizeOp getDequantize(Value value) {
  return value.getDefiningOp<DequantizeOp>();
}

/// Returns the stored integers of a quantized constant, or null.
static StorageCastOp getStoredConstant(Value quantized) {
  auto cast = quantized.getDefiningOp<StorageCastOp>();
  bool isConstant = cast && cast.getData().getDefiningOp<ConstantOp>();
  return isConstant ? cast : StorageCastOp();
}

static RankedTensorType withElements(Value shaped, Type elementType) {
  return RankedTensorType::get(getTensorType(shaped).getShape(), elementType);
}

//===----------------------------------------------------------------------===//
// Moves before dequantize
//===----------------------------------------------------------------------===//

/// Returns whether an operator with one operand moves or selects elements.
static bool isMove(Operation *op) {
  return movesElements(op) && !isa<ConcatenateOp>(op);
}

/// Returns the integers of move(dequantize(x)) as move(x), also for several
/// moves; null if there are others or none.
static Value moveIntegers(Operation *move) {
  if (!isMove(move))
    return {};
  Operation *inner = move->getOperand(0).getDefiningOp();
  Value data;
  if (auto dequantize = dyn_cast_or_null<DequantizeOp>(inner))
    data = dequantize.getData();
  else
    data = moveIntegers(inner);
  if (!data || Quantization::of(getElements(data)).axis)
    return {};
  OpBuilder builder(move);
  IRMapping mapping;
  mapping.map(move->getOperand(0), data);
  Operation *moved = builder.clone(*move, mapping);
  moved->getResult(0).setType(
      withElements(move->getResult(0), getElements(data)));
  return moved->getResult(0);
}

/// Returns the quantized axis behind a transpose or reshape of constants, or
/// std::nullopt if the scales do not belong to one dimension there.
static std::optional<int64_t> getMovedAxis(Operation *op, int64_t axis) {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    ArrayRef<int64_t> axes = transpose.getAxes();
    return llvm::find(axes, axis) - axes.begin();
  }
  ArrayRef<int64_t> from = getTensorType(op->getOperand(0)).getShape();
  ArrayRef<int64_t> to = getTensorType(op->getResult(0)).getShape();
  auto getOuter = [](ArrayRef<int64_t> shape, int64_t dim) {
    int64_t outer = 1;
    for (int64_t size : shape.take_front(dim))
      outer *= size;
    return outer;
  };
  for (int64_t dim = 0, e = to.size(); dim != e; ++dim)
    if (to[dim] == from[axis] && getOuter(to, dim) == getOuter(from, axis))
      return dim;
  return std::nullopt;
}

/// Rewrites move(dequantize(constant)) to dequantize(move(constant)), where the
/// move is a transpose or a reshape: exporters transpose the weights of Gemm.
/// Returns the new dequantize, or null.
static DequantizeOp sinkDequantize(Operation *move) {
  if (!isa_and_nonnull<TransposeOp, ReshapeOp>(move))
    return {};
  DequantizeOp dequantize = getDequantize(move->getOperand(0));
  if (!dequantize)
    dequantize = sinkDequantize(move->getOperand(0).getDefiningOp());
  StorageCastOp stored =
      dequantize ? getStoredConstant(dequantize.getData()) : StorageCastOp();
  if (!stored)
    return {};
  Type elements = getElements(dequantize.getData());
  Quantization quantization = Quantization::of(elements);
  if (quantization.axis) {
    std::optional<int64_t> axis = getMovedAxis(move, *quantization.axis);
    if (!axis)
      return {};
    elements =
        withAxis(cast<quant::UniformQuantizedPerAxisType>(elements), *axis);
  }
  OpBuilder builder(move);
  IRMapping mapping;
  mapping.map(move->getOperand(0), stored.getData());
  Operation *moved = builder.clone(*move, mapping);
  Type plain = getStorageElementType(elements);
  moved->getResult(0).setType(withElements(move->getResult(0), plain));
  Value quantized = StorageCastOp::create(
      builder, move->getLoc(), withElements(move->getResult(0), elements),
      moved->getResult(0));
  auto result = DequantizeOp::create(builder, move->getLoc(), quantized);
  move->getResult(0).replaceAllUsesWith(result);
  return result;
}

/// Quantizes before a reshape instead of behind it: convolutions along one axis
/// are those of images of height 1, reshaped. Returns the new operator, or
/// `quantize` if there is no such reshape.
static QuantizeOp quantizeBeforeReshape(QuantizeOp quantize) {
  auto reshape = quantize.getData().getDefiningOp<ReshapeOp>();
  if (!reshape || !reshape->hasOneUse() ||
      !isa_and_nonnull<BiasAddOp, ClipOp, Conv2dOp, ReluOp>(
          reshape.getData().getDefiningOp()) ||
      Quantization::of(getElements(quantize.getResult())).axis)
    return quantize;
  OpBuilder builder(quantize);
  Type elements = getElements(quantize.getResult());
  IRMapping mapping;
  mapping.map(quantize.getData(), reshape.getData());
  auto inner = cast<QuantizeOp>(builder.clone(*quantize, mapping));
  inner.getResult().setType(withElements(reshape.getData(), elements));
  mapping.map(reshape.getData(), inner.getResult());
  Operation *outer = builder.clone(*reshape, mapping);
  outer->getResult(0).setType(quantize.getResult().getType());
  quantize.getResult().replaceAllUsesWith(outer->getResult(0));
  quantize.erase();
  reshape.erase();
  return inner;
}

/// Reshapes stored integers instead of quantized tensors where these come from
/// or become stored integers, so that a layer and the conversion of its data or
/// result are adjacent.
static void reshapeStored(ReshapeOp reshape) {
  Value data = reshape.getData(), result = reshape.getResult();
  if (!isQuantized(getElements(data)) ||
      Quantization::of(getElements(data)).axis)
    return;
  OpBuilder builder(reshape);
  auto createReshape = [&](Value from, Value like) -> Value {
    IRMapping mapping;
    mapping.map(data, from);
    Operation *copy = builder.clone(*reshape, mapping);
    copy->getResult(0).setType(withElements(like, getElements(from)));
    return copy->getResult(0);
  };
  if (auto stored = data.getDefiningOp<StorageCastOp>();
      stored && !isQuantized(getElements(stored.getData()))) {
    Value moved = createReshape(stored.getData(), result);
    result.replaceAllUsesWith(StorageCastOp::create(builder, stored.getLoc(),
                                                    result.getType(), moved));
    return;
  }
  for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
    if (auto cast = dyn_cast<StorageCastOp>(user);
        cast && !isQuantized(getElements(cast.getResult()))) {
      Value stored = StorageCastOp::create(
          builder, cast.getLoc(),
          withElements(data, getElements(cast.getResult())), data);
      cast.getResult().replaceAllUsesWith(createReshape(stored, result));
    }
}

//===----------------------------------------------------------------------===//
// Layers with sums
//===----------------------------------------------------------------------===//

namespace {
/// A convolution or dense layer, an optional bias, activations, quantize.
struct QuantizedLayer {
  Operation *anchor = nullptr;
  BiasAddOp bias;
  /// Activations in program order.
  SmallVector<Operation *, 2> activations;
  QuantizeOp quantize;

  /// Returns the layer that ends in `quantize`, or std::nullopt with the reason
  /// in `reason` if there is a layer that must stay in floats.
  /// `anchor` is set to its convolution or dense layer.
  static std::optional<QuantizedLayer>
  find(QuantizeOp quantize, std::string &reason, Operation *&anchor);
  /// Returns the bounds of the stored result by the activations.
  std::pair<int64_t, int64_t> getBounds() const;
};
} // namespace

std::optional<QuantizedLayer> QuantizedLayer::find(QuantizeOp quantize,
                                                   std::string &reason,
                                                   Operation *&anchor) {
  QuantizedLayer layer;
  layer.quantize = quantize;
  Operation *op = quantize.getData().getDefiningOp();
  bool isShared = false;
  auto step = [&](Operation *member) {
    isShared |= !member->hasOneUse();
    return member->getOperand(0).getDefiningOp();
  };
  for (; op && isActivation(op); op = step(op))
    layer.activations.insert(layer.activations.begin(), op);
  if (auto bias = dyn_cast_or_null<BiasAddOp>(op)) {
    layer.bias = bias;
    op = step(op);
  }
  if (!isa_and_nonnull<Conv2dOp, DenseOp>(op))
    return std::nullopt;
  layer.anchor = anchor = op;
  isShared |= !op->hasOneUse();
  if (isShared) {
    reason = "its result is also used as a float";
    return std::nullopt;
  }
  return layer;
}

/// Returns the stored integer for a real number, as `uma.graph.quantize` does.
static int64_t quantizeNumber(double number, const Quantization &type,
                              StringRef rounding) {
  float quotient = float(number) / float(type.scales.front());
  double steps = rounding == kTFLiteRounding ? std::round(quotient)
                                             : std::nearbyint(quotient);
  double stored = steps + double(type.zeroPoints.front());
  return int64_t(
      std::min(std::max(stored, double(type.min)), double(type.max)));
}

std::pair<int64_t, int64_t> QuantizedLayer::getBounds() const {
  QuantizeOp last = quantize;
  Quantization type = Quantization::of(getElements(last.getResult()));
  int64_t low = type.min, high = type.max;
  for (Operation *op : activations) {
    double from = 0, to = INFINITY;
    if (auto clip = dyn_cast<ClipOp>(op)) {
      from = clip.getAMin().convertToDouble();
      to = clip.getAMax().convertToDouble();
    }
    // As min(max(x, from), to).
    int64_t lowest = quantizeNumber(from, type, last.getRounding());
    int64_t highest = quantizeNumber(to, type, last.getRounding());
    low = std::min(std::max(low, lowest), highest);
    high = std::min(std::max(high, lowest), highest);
  }
  return {low, high};
}

/// Returns the quantized operand of a layer with sums, stored in 8 bits; null
/// with the reason in `reason` if there is none.
static Value getFactor(Value operand, StringRef name, std::string &reason) {
  DequantizeOp dequantize = getDequantize(operand);
  if (!dequantize)
    dequantize = sinkDequantize(operand.getDefiningOp());
  Value integers =
      dequantize ? dequantize.getData() : moveIntegers(operand.getDefiningOp());
  if (!integers) {
    reason = (name + " is a float").str();
    return {};
  }
  Type elements = getElements(integers);
  if (getStorageElementType(elements).getIntOrFloatBitWidth() == 8)
    return integers;
  reason = (name + " has more than 8 bits").str();
  return {};
}

/// Returns the bias as a quantized vector with the scales of `sums`; null with
/// the reason in `reason` if it is no i32 with these scales.
static Value getQuantizedBias(OpBuilder &builder, BiasAddOp bias, Type sums,
                              std::string &reason) {
  DequantizeOp dequantize = getDequantize(bias.getBias());
  StorageCastOp stored =
      dequantize ? getStoredConstant(dequantize.getData()) : StorageCastOp();
  if (!stored || !getElements(stored.getData()).isInteger(32)) {
    reason = "the bias is no constant of i32";
    return {};
  }
  Quantization given = Quantization::of(getElements(dequantize.getData()));
  Quantization wanted = Quantization::of(sums);
  int64_t size = getTensorType(stored.getData()).getDimSize(0);
  for (int64_t i = 0; i < size; ++i) {
    double scale = given.scales[given.axis ? i : 0];
    double product = wanted.scales[wanted.axis ? i : 0];
    // Exporters round the product to f32.
    if (std::fabs(scale - product) > 1e-5 * product) {
      reason = "the scale of the bias is not the product of the scales of data "
               "and weight";
      return {};
    }
  }
  if (!given.isSymmetric()) {
    reason = "the bias has a zero point";
    return {};
  }
  Type type = getBiasType(sums);
  return StorageCastOp::create(builder, bias.getLoc(),
                               withElements(stored.getData(), type),
                               stored.getData());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct FoldQuantizationPass
    : uma::graph::impl::FoldQuantizationPassBase<FoldQuantizationPass> {
  void runOnOperation() override {
    for (Operation *op : getGraphOps(getOperation())) {
      auto quantize = dyn_cast<QuantizeOp>(op);
      if (!quantize || quantize->use_empty())
        continue;
      quantize = quantizeBeforeReshape(quantize);
      if (foldQuantizedAdd(quantize) || foldMultiply(quantize))
        ++numLayers;
      else if (!foldMove(quantize))
        foldLayer(quantize);
    }
    for (Operation *op : getGraphOps(getOperation()))
      if (auto reshape = dyn_cast<ReshapeOp>(op))
        reshapeStored(reshape);
    // The operators of floats that nothing uses any more.
    SmallVector<Operation *> rest = getGraphOps(getOperation());
    for (Operation *op : llvm::reverse(rest))
      if (op->use_empty() && isPure(op) && !isa<ConstantOp, YieldOp>(op) &&
          op->getNumResults() != 0)
        op->erase();
    eraseUnusedConstants(getOperation());
  }

private:
  bool foldMove(QuantizeOp quantize);
  bool foldMultiply(QuantizeOp quantize);
  void foldLayer(QuantizeOp quantize);
  /// Notes why `op`, which ends in `last`, is computed on floats.
  void keepInFloats(Operation *op, Operation *last, const std::string &reason);
};
} // namespace

void FoldQuantizationPass::keepInFloats(Operation *op, Operation *last,
                                        const std::string &reason) {
  ++numIslands;
  op->setAttr(kInFloatsAttrName, StringAttr::get(&getContext(), reason));
  if (auto remark = remark::missed(
          last->getLoc(),
          remark::RemarkOpts::name("quantization").category("uma-graph")))
    remark << ("computed in f32: " + reason);
}

bool FoldQuantizationPass::foldMultiply(QuantizeOp quantize) {
  std::string reason;
  Operation *op = nullptr;
  if (foldQuantizedMultiply(quantize, op, reason))
    return true;
  // uma-graph-fold-quantized-functions takes these, if no accelerator does.
  if (!op)
    (void)findQuantizedFunction(quantize, op, reason);
  if (op && !reason.empty())
    keepInFloats(op, quantize.getData().getDefiningOp(), reason);
  return false;
}

bool FoldQuantizationPass::foldMove(QuantizeOp quantize) {
  Operation *move = quantize.getData().getDefiningOp();
  if (!movesElements(move))
    return false;
  Type elements = getElements(quantize.getResult());
  SmallVector<Value> operands;
  for (Value operand : move->getOperands()) {
    DequantizeOp dequantize = getDequantize(operand);
    if (!dequantize || getElements(dequantize.getData()) != elements)
      return false;
    operands.push_back(dequantize.getData());
  }
  OpBuilder builder(quantize);
  IRMapping mapping;
  mapping.map(move->getOperands(), ValueRange(operands));
  Operation *moved = builder.clone(*move, mapping);
  moved->getResult(0).setType(quantize.getResult().getType());
  quantize.getResult().replaceAllUsesWith(moved->getResult(0));
  ++numMoves;
  return true;
}

void FoldQuantizationPass::foldLayer(QuantizeOp quantize) {
  std::string reason;
  Operation *inFloats = nullptr;
  std::optional<QuantizedLayer> layer =
      QuantizedLayer::find(quantize, reason, inFloats);
  Value data, weight, bias;
  OpBuilder builder(quantize);
  Operation *anchor = nullptr;
  if (layer && Quantization::of(getElements(quantize.getResult())).axis) {
    reason = "its result has a scale for each index of an axis";
    layer.reset();
  }
  if (layer) {
    data = getFactor(layer->anchor->getOperand(0), "data", reason);
    weight = getFactor(layer->anchor->getOperand(1), "weight", reason);
  }
  if (data && weight) {
    OperationState state(layer->anchor->getLoc(), layer->anchor->getName());
    IRMapping mapping;
    mapping.map(layer->anchor->getOperands(), ValueRange{data, weight});
    // The types of the sums are inferred: what the verifier refuses stays.
    SmallVector<Type, 1> types;
    auto infer = cast<InferTypeOpInterface>(layer->anchor);
    if (succeeded(infer.inferReturnTypes(
            builder.getContext(), std::nullopt, {data, weight},
            layer->anchor->getDiscardableAttrDictionary(),
            layer->anchor->getPropertiesStorage(), {}, types))) {
      anchor = builder.clone(*layer->anchor, mapping);
      anchor->getResult(0).setType(cast<RankedTensorType>(types.front()));
    } else {
      reason = "no integer kernel takes its scales";
    }
  }
  Value sums;
  if (anchor) {
    sums = anchor->getResult(0);
    if (layer->bias) {
      bias = getQuantizedBias(builder, layer->bias, getElements(sums), reason);
      if (bias)
        sums = BiasAddOp::create(builder, layer->bias.getLoc(), sums.getType(),
                                 sums, bias, layer->bias.getAxis());
      else
        sums = {};
    }
    if (sums && !hasSumsOfI32(anchor)) {
      reason = "its sums may exceed 32 bits";
      if (bias)
        sums.getDefiningOp()->erase();
      sums = {};
    }
    if (!sums)
      anchor->erase();
  }
  if (!sums) {
    if (!reason.empty())
      keepInFloats(inFloats, quantize.getData().getDefiningOp(), reason);
    return;
  }
  auto [low, high] = layer->getBounds();
  Quantization type = Quantization::of(getElements(quantize.getResult()));
  DenseI64ArrayAttr clamp;
  if (low != type.min || high != type.max)
    clamp = builder.getDenseI64ArrayAttr({low, high});
  Value result = RequantizeOp::create(builder, quantize.getLoc(),
                                      quantize.getResult().getType(), sums,
                                      clamp, quantize.getRounding());
  quantize.getResult().replaceAllUsesWith(result);
  ++numLayers;
}

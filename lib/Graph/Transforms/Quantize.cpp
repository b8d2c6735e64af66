//===- Quantize.cpp - Quantize a float network after training -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Writes a network as exporters of quantized models do: quantize and dequantize
// around each layer, dequantized integers as weights and bias. The pass
// uma-graph-fold-quantization then computes these layers on integers, so the
// set of layers here is the set that it folds. The pass rounds numbers; it does
// not compute ranges.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "QuantizedLayers.h"

#include "uma/Graph/IR/QuantizationAttributes.h"
#include "uma/Graph/IR/Window.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_QUANTIZEPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Least scale, a normal number of f32.
static constexpr double kMinScale = std::numeric_limits<float>::min();
/// Largest stored bias, which leaves as much for the sum of the products.
static constexpr double kMaxBias = 1 << 30;

namespace {
struct Range {
  double low = 0, high = 0;
};

/// A layer with weights that can be computed on integers.
struct WeightedLayer {
  Operation *anchor = nullptr;
  BiasAddOp bias; ///< null without a constant bias
  HostTensor weight;
  Value result; ///< behind the bias and the activations
};

struct QuantizePass : uma::graph::impl::QuantizePassBase<QuantizePass> {
  void runOnOperation() override;

private:
  LogicalResult quantize(func::FuncOp function);
  LogicalResult readRanges(func::FuncOp function);
  /// Returns the layer of a convolution or dense layer, or std::nullopt with
  /// the reason in `reason`.
  std::optional<WeightedLayer> findLayer(Operation *anchor,
                                         std::string &reason);
  bool canQuantize(Value value) const { return ranges.contains(value); }
  void selectMoves(ArrayRef<Operation *> ops);
  /// Assigns a type to each selected tensor.
  void assignTypes(ArrayRef<Operation *> ops);
  void quantizeTensor(Value value);
  /// Replaces weight and bias by dequantized constants. Returns false if f32
  /// cannot hold the scales of the sums; the layer then stays in f32.
  bool quantizeWeights(WeightedLayer &layer, double dataScale);

  DenseMap<Value, Range> ranges;
  /// Tensors to be quantized with their types, in the order of selection.
  llvm::MapVector<Value, quant::QuantizedType> selected;
};
} // namespace

static bool isKept(Operation *op) { return op->hasAttr(kKeepFloatAttrName); }

/// Follows a tensor with a single use to the result of the last activation.
static Value skipActivations(Value value) {
  while (value.hasOneUse() && isActivation(*value.user_begin()) &&
         !isKept(*value.user_begin()))
    value = value.user_begin()->getResult(0);
  return value;
}

static void remarkFloat(Operation *op, const Twine &reason) {
  if (auto remark = remark::missed(
          op->getLoc(),
          remark::RemarkOpts::name("quantize").category("uma-graph")))
    remark << ("stays in f32: " + reason).str();
}

//===----------------------------------------------------------------------===//
// Ranges and layers
//===----------------------------------------------------------------------===//

LogicalResult QuantizePass::readRanges(func::FuncOp function) {
  auto read = [&](Attribute attribute, ValueRange values,
                  function_ref<InFlightDiagnostic()> emitError) {
    if (!attribute)
      return success();
    auto bounds = dyn_cast<DenseF64ArrayAttr>(attribute);
    if (!bounds || bounds.size() != int64_t(2 * values.size()))
      return LogicalResult(emitError()
                           << kRangeAttrName << " is " << attribute
                           << ", expected array<f64: low, high> for each of "
                           << values.size() << " tensors");
    for (auto [i, value] : llvm::enumerate(values)) {
      Range range{bounds[2 * i], bounds[2 * i + 1]};
      // Also refuses NaN. The width of the range must be a number of f32.
      double limit = std::numeric_limits<float>::max() / 2;
      bool isValid =
          range.low <= range.high && range.low >= -limit && range.high <= limit;
      if (!isValid)
        return LogicalResult(emitError()
                             << kRangeAttrName << " is [" << range.low << ", "
                             << range.high
                             << "], expected two finite numbers of at most "
                             << limit << ", the lower bound first");
      if (getElements(value).isF32())
        ranges[value] = {std::min(range.low, 0.0), std::max(range.high, 0.0)};
    }
    return success();
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    Attribute range = function.getArgAttr(i, kRangeAttrName);
    if (failed(read(range, ValueRange(argument), [&] {
          return function.emitError() << "argument " << i << ": ";
        })))
      return failure();
    if (range)
      function.removeArgAttr(i, StringAttr::get(&getContext(), kRangeAttrName));
  }
  for (Operation &op : function.getOps()) {
    if (failed(read(op.getAttr(kRangeAttrName), op.getResults(),
                    [&] { return op.emitOpError(); })))
      return failure();
    op.removeAttr(kRangeAttrName);
  }
  return success();
}

std::optional<WeightedLayer> QuantizePass::findLayer(Operation *anchor,
                                                     std::string &reason) {
  auto fail = [&](StringRef text) {
    reason = text;
    return std::nullopt;
  };
  if (isKept(anchor))
    return fail("it is kept");
  Value data = anchor->getOperand(0), weight = anchor->getOperand(1);
  if (!getElements(data).isF32() || !getElements(weight).isF32() ||
      !getElements(anchor->getResult(0)).isF32())
    return fail("its element type is not f32");
  std::optional<HostTensor> constant = getConstant(weight);
  if (!constant)
    return fail("its weight is no constant");
  if (!constant->allFinite())
    return fail("its weight has an element that is not finite");
  WeightedLayer layer;
  layer.anchor = anchor;
  layer.weight = *constant;
  layer.result = anchor->getResult(0);
  if (layer.result.hasOneUse())
    if (auto bias = dyn_cast<BiasAddOp>(*layer.result.user_begin());
        bias && bias.getData() == layer.result) {
      std::optional<HostTensor> numbers = getConstant(bias.getBias());
      if (numbers && numbers->allFinite() && !isKept(bias)) {
        layer.bias = bias;
        layer.result = bias.getResult();
      }
    }
  layer.result = skipActivations(layer.result);
  if (!canQuantize(data))
    return fail("the range of its data is not known");
  if (!canQuantize(layer.result))
    return fail("the range of its result is not known");
  return layer;
}

void QuantizePass::selectMoves(ArrayRef<Operation *> ops) {
  auto isSelected = [&](Value value) { return selected.contains(value); };
  // Backward and forward, until nothing changes: the number of tensors bounds
  // the number of rounds.
  for (size_t before = ~size_t(0); before != selected.size();) {
    before = selected.size();
    auto visit = [&](Operation *op) {
      if (!movesElements(op) || isKept(op))
        return;
      SmallVector<Value> tensors(op->getOperands());
      tensors.push_back(op->getResult(0));
      if (llvm::any_of(tensors, isSelected) &&
          llvm::all_of(tensors, [&](Value v) { return canQuantize(v); }))
        for (Value tensor : tensors)
          selected.insert({tensor, {}});
    };
    llvm::for_each(ops, visit);
    llvm::for_each(llvm::reverse(ops), visit);
  }
}

void QuantizePass::assignTypes(ArrayRef<Operation *> ops) {
  DenseMap<Value, unsigned> numbers;
  for (auto &[value, type] : selected)
    numbers.insert({value, numbers.size()});
  llvm::IntEqClasses classes(selected.size());
  for (Operation *op : ops)
    if (movesElements(op) && !isKept(op) && selected.contains(op->getResult(0)))
      for (Value operand : op->getOperands())
        if (selected.contains(operand))
          classes.join(numbers[operand], numbers[op->getResult(0)]);
  classes.compress();
  SmallVector<Range> unions(classes.getNumClasses());
  for (auto &[value, type] : selected) {
    Range &range = unions[classes[numbers[value]]];
    range.low = std::min(range.low, ranges[value].low);
    range.high = std::max(range.high, ranges[value].high);
  }
  for (auto &[value, type] : selected) {
    Range range = unions[classes[numbers[value]]];
    double scale = float((range.high - range.low) / 255);
    // A tensor of zeros has no scale of its own.
    scale = range.low == range.high ? 1 : std::max(scale, kMinScale);
    int64_t zeroPoint = -128 - std::llround(range.low / scale);
    zeroPoint = std::clamp<int64_t>(zeroPoint, -128, 127);
    type = makeQuantizedType(&getContext(), 8, /*isSigned=*/true, {scale},
                             {zeroPoint}, std::nullopt);
  }
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

void QuantizePass::quantizeTensor(Value value) {
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfterValue(value);
  Operation *layer = value.getDefiningOp();
  Location loc = layer ? layer->getLoc() : value.getLoc();
  auto type = getTensorType(value).clone(Type(selected[value]));
  auto quantized = QuantizeOp::create(builder, loc, type, value);
  auto result = DequantizeOp::create(builder, loc, quantized);
  value.replaceAllUsesExcept(result, quantized);
}

/// Creates the dequantized constant of `stored` with the scales `scales` along
/// `axis`.
static Value createDequantized(OpBuilder &builder, Operation *layer,
                               StringRef suffix, const HostTensor &stored,
                               ArrayRef<double> scales, int64_t axis) {
  SmallVector<int64_t> zeroPoints(scales.size(), 0);
  unsigned width = stored.getElementType().getIntOrFloatBitWidth();
  Type type = makeQuantizedType(builder.getContext(), width, /*isSigned=*/true,
                                scales, zeroPoints, axis);
  Value constant = createConstant(builder, layer, suffix, stored);
  Value quantized = StorageCastOp::create(
      builder, layer->getLoc(), getTensorType(constant).clone(type), constant);
  return DequantizeOp::create(builder, layer->getLoc(), quantized);
}

bool QuantizePass::quantizeWeights(WeightedLayer &layer, double dataScale) {
  Operation *anchor = layer.anchor;
  int64_t axis = 0;
  if (auto conv = dyn_cast<Conv2dOp>(anchor))
    axis = KernelLayout::parse(conv.getKernelLayout())->o;
  const HostTensor &weight = layer.weight;
  ArrayRef<int64_t> shape = weight.getShape();
  int64_t inner = 1;
  for (int64_t size : shape.drop_front(axis + 1))
    inner *= size;
  auto getChannel = [&](int64_t i) { return i / inner % shape[axis]; };
  SmallVector<double> scales(shape[axis], 0);
  int64_t numElements = weight.getNumElements();
  for (int64_t i = 0; i < numElements; ++i) {
    double &scale = scales[getChannel(i)];
    scale = std::max(scale, std::fabs(weight.getDouble(i)) / 127);
  }
  std::optional<HostTensor> bias;
  if (layer.bias)
    bias = getConstant(layer.bias.getBias());
  for (auto [i, scale] : llvm::enumerate(scales)) {
    if (bias)
      scale = std::max(scale,
                       std::fabs(bias->getDouble(i)) / (dataScale * kMaxBias));
    // A channel of zeros may have any scale. The scale of the sums must be a
    // normal number, too.
    if (scale == 0)
      scale = 1;
    scale = float(std::max({scale, kMinScale, 2 * kMinScale / dataScale}));
    if (dataScale * scale > std::numeric_limits<float>::max() ||
        std::isinf(scale))
      return false;
  }
  OpBuilder builder(anchor);
  HostTensor integers(RankedTensorType::get(shape, builder.getI8Type()));
  for (int64_t i = 0; i < numElements; ++i) {
    double steps = std::nearbyint(weight.getDouble(i) / scales[getChannel(i)]);
    integers.setInt(i, int64_t(std::clamp(steps, -127.0, 127.0)));
  }
  anchor->setOperand(
      1, createDequantized(builder, anchor, "weight", integers, scales, axis));
  if (!bias)
    return true;
  HostTensor sums(bias->getType().clone(Type(builder.getI32Type())));
  for (auto [i, scale] : llvm::enumerate(scales)) {
    scale = float(dataScale * scale);
    sums.setInt(i, std::llround(bias->getDouble(i) / scale));
  }
  layer.bias->setOperand(
      1, createDequantized(builder, anchor, "bias", sums, scales, 0));
  return true;
}

LogicalResult QuantizePass::quantize(func::FuncOp function) {
  ranges.clear();
  selected.clear();
  if (failed(readRanges(function)))
    return failure();
  SmallVector<Operation *> ops;
  for (Operation &op : function.getOps())
    if (isInFamily<GraphFamily>(&op))
      ops.push_back(&op);
  SmallVector<WeightedLayer> layers;
  for (Operation *op : ops) {
    if (isa<Conv2dOp, DenseOp>(op)) {
      std::string reason;
      if (std::optional<WeightedLayer> layer = findLayer(op, reason)) {
        selected.insert({op->getOperand(0), {}});
        selected.insert({layer->result, {}});
        layers.push_back(std::move(*layer));
      } else {
        ++numFloat;
        remarkFloat(op, reason);
      }
    } else if (isa<AddOp>(op) && !isKept(op)) {
      Value result = skipActivations(op->getResult(0));
      SmallVector<Value> tensors(op->getOperands());
      tensors.push_back(result);
      auto fits = [&](Value tensor) {
        return canQuantize(tensor) && !isConstant(tensor) &&
               tensor.getType() == result.getType();
      };
      if (llvm::all_of(tensors, fits)) {
        for (Value tensor : tensors)
          selected.insert({tensor, {}});
        ++numLayers;
      }
    }
  }
  selectMoves(ops);
  assignTypes(ops);
  // Types refer to tensors before they are dequantized.
  for (WeightedLayer &layer : layers) {
    Type data = selected[layer.anchor->getOperand(0)];
    if (quantizeWeights(layer, Quantization::of(data).scales.front())) {
      ++numLayers;
    } else {
      ++numFloat;
      remarkFloat(layer.anchor, "f32 cannot hold the scales of its sums");
    }
  }
  for (auto &[value, type] : selected)
    quantizeTensor(value);
  for (Operation *op : ops)
    op->removeAttr(kKeepFloatAttrName);
  return success();
}

void QuantizePass::runOnOperation() {
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal() && failed(quantize(function)))
      return signalPassFailure();
  eraseUnusedConstants(getOperation());
}

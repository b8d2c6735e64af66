//===- LegalizeQuantization.cpp - Quantized tensors as plain numbers ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each quantized tensor becomes its steps: the stored integers without their
// zero point. Padding is then 0, as for real numbers, and sums of products need
// no correction. Steps are i16 (i32 for sums), or f32: every integer up to 2^24
// is a number of f32, and sums of such products are exact in any order as long
// as none exceeds this. Weights are known, so this is proven for each layer.
//
// With dot products, layers with several channels read words of integers, and
// everything else is f32: i16, or ui8 if the zero point is the least integer,
// so that no step is negative.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "QuantizedSums.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_LEGALIZEQUANTIZATIONPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

static bool isQuantizedTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isQuantized(tensor.getElementType());
}

namespace {
struct LegalizeQuantizationPass
    : uma::graph::impl::LegalizeQuantizationPassBase<LegalizeQuantizationPass> {
  using LegalizeQuantizationPassBase::LegalizeQuantizationPassBase;

  void runOnOperation() override;

private:
  /// Finds the layers to compute by dot products, and the types of the words
  /// that they read.
  void planDots();
  LogicalResult convert(Operation *op);
  LogicalResult convertSums(Operation *op);
  LogicalResult convertBias(BiasAddOp op);

  /// Returns the type of the steps of a quantized tensor.
  Type getStepType(Value quantized) {
    if (Type word = wordTypes.lookup(quantized))
      return word;
    if (inFloats)
      return builder->getF32Type();
    unsigned width =
        getStorageElementType(getElements(quantized)).getIntOrFloatBitWidth();
    return builder->getIntegerType(width <= 8 ? 16 : 32);
  }
  RankedTensorType getStepTensor(Value quantized) {
    return RankedTensorType::get(getTensorType(quantized).getShape(),
                                 getStepType(quantized));
  }
  /// Returns the steps of a quantized tensor as elements of type `type`.
  Value getSteps(Value quantized, Type type);

  Value cast(Value value, Type elementType) {
    if (getElements(value) == elementType)
      return value;
    return CastOp::create(*builder, getLoc(), value, elementType);
  }
  /// Returns a constant with one number for each scale of `quantization`, which
  /// broadcasts to data of rank `rank`.
  template <typename Fn>
  Value createNumbers(Type elementType, const Quantization &quantization,
                      int64_t rank, StringRef suffix, Fn getNumber) {
    HostTensor numbers(RankedTensorType::get(
        quantization.getBroadcastShape(rank), elementType));
    for (size_t i = 0, e = quantization.scales.size(); i != e; ++i)
      numbers.setDouble(i, getNumber(i));
    return createConstant(*builder, operation, suffix, numbers);
  }
  /// Rounds steps in f32 and limits the stored integers to [low, high].
  Value roundSteps(Value value, Value quantized, int64_t low, int64_t high);
  /// Returns steps of the stored integers `stored`.
  Value removeZeroPoint(Value stored, Value quantized);

  /// Whether steps are f32, but for those of layers by dot products.
  bool inFloats = false;
  /// Layers to compute by dot products, and the types of their data and
  /// weights. Only looked up, never iterated.
  DenseSet<Operation *> dots;
  DenseMap<Value, Type> wordTypes;
  std::optional<OpBuilder> builder;
  Operation *operation = nullptr;
  Location getLoc() { return operation->getLoc(); }
  /// The steps of each quantized value, and copies of other types. Only looked
  /// up, never iterated.
  DenseMap<Value, Value> steps;
  DenseMap<std::pair<Value, Type>, Value> copies;
  /// Exact sums whose biases may exceed what f32 holds; see splitBias.
  DenseSet<Value> largeBiases;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value LegalizeQuantizationPass::roundSteps(Value value, Value quantized,
                                           int64_t low, int64_t high) {
  Quantization type = Quantization::of(getElements(quantized));
  // Bounds are integers, so that numbers may be limited before they are
  // rounded: the last two operations are then one instruction. With a zero
  // point for each channel, steps have bounds for each.
  auto bound = [&](int64_t limit, StringRef suffix) {
    return createNumbers(
        builder->getF32Type(), type, getTensorType(quantized).getRank(), suffix,
        [&](size_t i) { return double(limit) - double(type.zeroPoints[i]); });
  };
  if (type.axis && !type.isSymmetric()) {
    value = MaximumOp::create(*builder, getLoc(), value.getType(), value,
                              bound(low, "lowest"));
    value = MinimumOp::create(*builder, getLoc(), value.getType(), value,
                              bound(high, "highest"));
  } else {
    double zeroPoint = double(type.zeroPoints.front());
    value = ClipOp::create(*builder, getLoc(), value.getType(), value,
                           APFloat(double(low) - zeroPoint),
                           APFloat(double(high) - zeroPoint));
  }
  value = RoundOp::create(*builder, getLoc(), value.getType(), value);
  Type step = getStepType(quantized);
  if (getElements(value) == step)
    return value;
  value = cast(value, step);
  // The quotient of a float may be NaN, an integer is not.
  if (isa<RequantizeOp>(operation))
    value.getDefiningOp()->setAttr(kInRangeAttrName, builder->getUnitAttr());
  return value;
}

Value LegalizeQuantizationPass::getSteps(Value quantized, Type type) {
  Value value = steps.lookup(quantized);
  if (getElements(value) == type)
    return value;
  Value &copy = copies[{quantized, type}];
  if (copy)
    return copy;
  OpBuilder::InsertionGuard guard(*builder);
  builder->setInsertionPointAfterValue(value);
  return copy = cast(value, type);
}

Value LegalizeQuantizationPass::removeZeroPoint(Value stored, Value quantized) {
  Quantization type = Quantization::of(getElements(quantized));
  Type step = getStepType(quantized);
  int64_t rank = getTensorType(quantized).getRank();
  if (std::optional<HostTensor> constant = getConstant(stored))
    return createConstant(*builder, operation, "steps",
                          makeSteps(*constant, getElements(quantized), step));
  // Kernels compute in f32 and only convert narrow integers.
  Type computed = inFloats ? Type(builder->getF32Type()) : step;
  Value value = cast(stored, computed);
  if (!type.isSymmetric()) {
    Value zero =
        createNumbers(computed, type, rank, "zero_point",
                      [&](size_t i) { return double(type.zeroPoints[i]); });
    value =
        SubtractOp::create(*builder, getLoc(), value.getType(), value, zero);
  }
  if (computed != step) {
    value = cast(value, step);
    value.getDefiningOp()->setAttr(kInRangeAttrName, builder->getUnitAttr());
  }
  return value;
}

/// Returns the stored integers of the bias that is added to the sums of `op`,
/// and false if there is a bias that is not constant.
static std::pair<std::optional<HostTensor>, bool> getBias(Operation *op) {
  if (!op->hasOneUse())
    return {std::nullopt, true};
  auto add = dyn_cast<BiasAddOp>(*op->user_begin());
  if (!add)
    return {std::nullopt, true};
  auto stored = add.getBias().getDefiningOp<StorageCastOp>();
  std::optional<HostTensor> bias =
      stored ? getConstant(stored.getData()) : std::nullopt;
  return {bias, bias.has_value()};
}

/// Returns the dimension of the output channels in the weights of `op`.
static int64_t getOutAxis(Operation *op) {
  if (auto layout = op->getAttrOfType<StringAttr>("kernel_layout"))
    return KernelLayout::parse(layout.getValue())->o;
  return 0;
}

void LegalizeQuantizationPass::planDots() {
  Type i16 = builder->getI16Type(), i8 = builder->getI8Type();
  Type ui8 = builder->getIntegerType(8, /*isSigned=*/false);
  SmallVector<Operation *> layers;
  DenseMap<Value, int64_t> sizes;
  getOperation().walk([&](Operation *op) {
    if (!isa<Conv2dOp, DenseOp>(op) ||
        !isQuantizedTensor(op->getOperand(0).getType()))
      return;
    Value weight = op->getOperand(1);
    auto stored = weight.getDefiningOp<StorageCastOp>();
    std::optional<HostTensor> weights =
        stored ? getConstant(stored.getData()) : std::nullopt;
    auto [bias, isBiasKnown] = getBias(op);
    // Layers that share weights read words of one size.
    if (!weights || !isBiasKnown || !weight.hasOneUse())
      return;
    Type data = getElements(op->getOperand(0));
    HostTensor numbers =
        makeSteps(*weights, getElements(weight), builder->getF32Type());
    int64_t size = getDotSize(
        op, numbers,
        getSumBounds(numbers, getOutAxis(op), getMostSteps(data), bias));
    if (size == 0)
      return;
    layers.push_back(op);
    int64_t &common = sizes.try_emplace(op->getOperand(0), size).first->second;
    common = std::min(common, size);
  });
  for (Operation *op : layers) {
    Value data = op->getOperand(0);
    bool isQuads = sizes.lookup(data) == 4;
    dots.insert(op);
    wordTypes[data] = isQuads ? ui8 : i16;
    wordTypes[op->getOperand(1)] = isQuads ? i8 : i16;
    Type i32 = builder->getI32Type();
    wordTypes[op->getResult(0)] = i32;
    if (op->hasOneUse())
      if (auto add = dyn_cast<BiasAddOp>(*op->user_begin())) {
        wordTypes[add.getResult()] = i32;
        if (add.getBias().hasOneUse())
          wordTypes[add.getBias()] = i32;
      }
  }
  numDots += dots.size();
}

LogicalResult LegalizeQuantizationPass::convertSums(Operation *op) {
  Value data = op->getOperand(0), weight = op->getOperand(1);
  bool isDot = dots.contains(op);
  Type f32 = builder->getF32Type(), i32 = builder->getI32Type();
  Value dataSteps = steps.lookup(data), weightSteps = steps.lookup(weight);
  Type sumType = getStepType(op->getResult(0));
  if (inFloats && !isDot) {
    dataSteps = getSteps(data, f32);
    weightSteps = getSteps(weight, f32);
    std::optional<HostTensor> weights = getConstant(weightSteps);
    auto [bias, isBiasKnown] = getBias(op);
    bool isFloat = weights && isBiasKnown;
    if (isFloat) {
      SumBounds bounds = getSumBounds(*weights, getOutAxis(op),
                                      getMostSteps(getElements(data)), bias);
      isFloat = bounds.fitsI32() && bounds.fitsF32();
      if (!isFloat && bias && bounds.fitsF32WithSplitBias()) {
        isFloat = true;
        largeBiases.insert(op->getResult(0));
      }
    }
    sumType = isFloat ? f32 : i32;
    if (!isFloat) {
      dataSteps = cast(dataSteps, i32);
      weightSteps = cast(weightSteps, i32);
      ++numInIntegers;
    }
  }
  IRMapping mapping;
  mapping.map(op->getOperands(), ValueRange{dataSteps, weightSteps});
  Operation *sums = builder->clone(*op, mapping);
  sums->getResult(0).setType(RankedTensorType::get(
      getTensorType(op->getResult(0)).getShape(), sumType));
  if (!isa<FloatType>(sumType))
    sums->setAttr("out_dtype", TypeAttr::get(sumType));
  else
    sums->setAttr(kExactSumsAttrName, builder->getUnitAttr());
  steps[op->getResult(0)] = sums->getResult(0);
  return success();
}

LogicalResult LegalizeQuantizationPass::convertBias(BiasAddOp add) {
  Value data = steps[add.getData()];
  // Sums of a layer that f32 does not hold are i32.
  Value bias = getSteps(add.getBias(), getElements(data));
  if (largeBiases.contains(add.getData())) {
    auto stored = add.getBias().getDefiningOp<StorageCastOp>();
    auto [low, high] =
        splitBias(*getConstant(stored.getData()), getTensorType(bias));
    data = BiasAddOp::create(*builder, getLoc(), data.getType(), data,
                             createConstant(*builder, add, "low", low),
                             add.getAxis());
    bias = createConstant(*builder, add, "high", high);
  }
  steps[add.getResult()] = BiasAddOp::create(*builder, getLoc(), data.getType(),
                                             data, bias, add.getAxis());
  return success();
}

LogicalResult LegalizeQuantizationPass::convert(Operation *op) {
  builder->setInsertionPoint(op);
  operation = op;
  Type f32 = builder->getF32Type();
  for (Value operand : op->getOperands())
    if (isQuantizedTensor(operand.getType()) && !steps.contains(operand))
      return op->emitOpError("has an operand of type ")
             << operand.getType()
             << ", which is an argument of the function or the result of an "
                "operation that quantized tensors cannot be lowered through";
  if (auto quantize = dyn_cast<QuantizeOp>(op)) {
    Quantization type = Quantization::of(getElements(quantize.getResult()));
    Value scale =
        createNumbers(f32, type, getTensorType(quantize.getData()).getRank(),
                      "scale", [&](size_t i) { return type.scales[i]; });
    Value quotient =
        DivideOp::create(*builder, getLoc(), quantize.getData().getType(),
                         quantize.getData(), scale);
    steps[quantize.getResult()] =
        roundSteps(quotient, quantize.getResult(), type.min, type.max);
    return success();
  }
  if (auto dequantize = dyn_cast<DequantizeOp>(op)) {
    Quantization type = Quantization::of(getElements(dequantize.getData()));
    Value number = getSteps(dequantize.getData(), f32);
    Value scale =
        createNumbers(f32, type, getTensorType(number).getRank(), "scale",
                      [&](size_t i) { return type.scales[i]; });
    dequantize.getResult().replaceAllUsesWith(MultiplyOp::create(
        *builder, getLoc(), number.getType(), number, scale));
    return success();
  }
  if (auto requantize = dyn_cast<RequantizeOp>(op)) {
    Quantization from = Quantization::of(getElements(requantize.getData()));
    Quantization to = Quantization::of(getElements(requantize.getResult()));
    Value number = getSteps(requantize.getData(), f32);
    Value factor = createNumbers(
        f32, from, getTensorType(number).getRank(), "factor", [&](size_t i) {
          return float(from.scales[i]) / float(to.scales.front());
        });
    number = MultiplyOp::create(*builder, getLoc(), number.getType(), number,
                                factor);
    auto [low, high] = requantize.getBounds();
    steps[requantize.getResult()] =
        roundSteps(number, requantize.getResult(), low, high);
    return success();
  }
  if (auto stored = dyn_cast<StorageCastOp>(op)) {
    if (isQuantizedTensor(stored.getType())) {
      steps[stored.getResult()] =
          removeZeroPoint(stored.getData(), stored.getResult());
      return success();
    }
    Quantization type = Quantization::of(getElements(stored.getData()));
    Value value = steps[stored.getData()];
    if (inFloats)
      value = getSteps(stored.getData(), f32);
    if (!type.isSymmetric()) {
      Value zero = createNumbers(
          getElements(value), type, getTensorType(value).getRank(),
          "zero_point", [&](size_t i) { return double(type.zeroPoints[i]); });
      value = AddOp::create(*builder, getLoc(), value.getType(), value, zero);
    }
    stored.getResult().replaceAllUsesWith(
        cast(value, getElements(stored.getResult())));
    return success();
  }
  if (isa<Conv2dOp, Conv3dOp, DenseOp>(op))
    return convertSums(op);
  if (auto add = dyn_cast<BiasAddOp>(op))
    return convertBias(add);
  if (isa<ReshapeOp, BatchFlattenOp, TransposeOp, ConcatenateOp, StridedSliceOp,
          MaxPool2dOp, MaxPool3dOp>(op)) {
    Value result = op->getResult(0);
    RankedTensorType type = getStepTensor(result);
    // Kernels move f32; a reshape is only a view.
    if (inFloats && !isa<ReshapeOp, BatchFlattenOp>(op))
      type = type.clone(f32);
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, getSteps(operand, type.getElementType()));
    Operation *plain = builder->clone(*op, mapping);
    plain->getResult(0).setType(type);
    steps[result] = plain->getResult(0);
    if (Type word = wordTypes.lookup(result))
      steps[result] = getSteps(result, word);
    return success();
  }
  return op->emitOpError("has no lowering for quantized tensors; dequantize "
                         "its operands");
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void LegalizeQuantizationPass::runOnOperation() {
  builder.emplace(&getContext());
  inFloats = arithmetic != "integer";
  if (inFloats && arithmetic != "float" && arithmetic != "dot") {
    getOperation().emitError()
        << "uma-graph-legalize-quantization: arithmetic "
           "is '"
        << arithmetic << "', expected 'integer', 'float' or 'dot'";
    return signalPassFailure();
  }
  if (arithmetic == "dot")
    planDots();
  auto isAffected = [](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isQuantizedTensor) ||
           llvm::any_of(op->getResultTypes(), isQuantizedTensor);
  };
  SmallVector<Operation *> converted;
  WalkResult result =
      getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
        // Functions of devices compute on the stored integers.
        if (isa<func::FuncOp>(op) && op->hasAttr(kTargetAttrName))
          return WalkResult::skip();
        if (!isAffected(op))
          return WalkResult::advance();
        if (!isInFamily<GraphFamily>(op) || op->getNumRegions() != 0) {
          op->emitOpError("has a quantized tensor at its border; give it the "
                          "stored integers with uma.graph.storage_cast");
          return WalkResult::interrupt();
        }
        converted.push_back(op);
        return failed(convert(op)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
      });
  if (result.wasInterrupted())
    return signalPassFailure();
  numConverted += converted.size();
  for (Operation *op : llvm::reverse(converted))
    op->erase();
  eraseUnusedConstants(getOperation());
}

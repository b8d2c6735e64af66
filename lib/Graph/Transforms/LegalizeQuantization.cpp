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
#include "DotPlan.h"
#include "QuantizedRounding.h"
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
  LogicalResult convert(Operation *op);
  LogicalResult convertSums(Operation *op);
  LogicalResult convertBias(BiasAddOp add);
  void convertAdd(QuantizedAddOp op);

  /// Returns the type of the steps of a quantized tensor.
  Type getStepType(Value quantized) {
    if (Type word = dots.types.lookup(quantized))
      return word;
    if (inFloats)
      return builder->getF32Type();
    unsigned width =
        getStorageElementType(getElements(quantized)).getIntOrFloatBitWidth();
    return builder->getIntegerType(width <= 8 ? 16 : 32);
  }
  /// Returns the type of steps that are computed when the model runs, but not
  /// proven to be exact in f32: integers if they have more than 16 bits.
  Type getComputedStepType(Value quantized) {
    unsigned width =
        getStorageElementType(getElements(quantized)).getIntOrFloatBitWidth();
    return width > 16 ? Type(builder->getI32Type()) : getStepType(quantized);
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
  /// Limits, rounds and converts steps in f32.
  Value roundSteps(Value value, Value quantized, int64_t low, int64_t high,
                   StringRef rounding);
  /// Limits steps to the stored integers [low, high], in any element type.
  Value clampSteps(Value value, Value quantized, int64_t low, int64_t high);
  /// Returns steps of the stored integers `stored`.
  Value removeZeroPoint(Value stored, Value quantized);

  /// Whether steps are f32, but for those of layers by dot products.
  bool inFloats = false;
  DotPlan dots;
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

Value LegalizeQuantizationPass::clampSteps(Value value, Value quantized,
                                           int64_t low, int64_t high) {
  Quantization type = Quantization::of(getElements(quantized));
  // With a zero point for each channel, steps have bounds for each.
  auto bound = [&](int64_t limit, StringRef suffix) {
    return createNumbers(
        getElements(value), type, getTensorType(quantized).getRank(), suffix,
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
  return value;
}

Value LegalizeQuantizationPass::roundSteps(Value value, Value quantized,
                                           int64_t low, int64_t high,
                                           StringRef rounding) {
  // Bounds are integers, so that numbers may be limited before they are
  // rounded: the last two operations are then one instruction.
  value = clampSteps(value, quantized, low, high);
  value = roundQuotient(*builder, operation, value, rounding);
  Type step = getComputedStepType(quantized);
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
  step = getComputedStepType(quantized);
  Type computed =
      inFloats && !step.isInteger(32) ? Type(builder->getF32Type()) : step;
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
    if (inFloats)
      value.getDefiningOp()->setAttr(kInRangeAttrName, builder->getUnitAttr());
  }
  return value;
}

/// Returns whether the sums of `op` with their bias must be exact: adding parts
/// of a bias rounds them to f32, as only the float formula does.
static bool needsExactBias(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *add) {
    return isa<BiasAddOp>(add) &&
           llvm::any_of(add->getUsers(), [](Operation *user) {
             auto requantize = dyn_cast<RequantizeOp>(user);
             return requantize && requantize.getRounding() == kTFLiteRounding;
           });
  });
}

LogicalResult LegalizeQuantizationPass::convertSums(Operation *op) {
  Value data = op->getOperand(0), weight = op->getOperand(1);
  bool isDot = dots.layers.contains(op);
  Type f32 = builder->getF32Type(), i32 = builder->getI32Type();
  Value dataSteps = steps.lookup(data), weightSteps = steps.lookup(weight);
  Type sumType = getStepType(op->getResult(0));
  if (inFloats && !isDot) {
    dataSteps = getSteps(data, f32);
    weightSteps = getSteps(weight, f32);
    std::optional<HostTensor> weights = getConstant(weightSteps);
    auto [bias, isBiasKnown] = getStoredBias(op);
    bool isFloat = weights && isBiasKnown;
    if (isFloat) {
      SumBounds bounds = getSumBounds(*weights, getOutAxis(op),
                                      getMostSteps(getElements(data)), bias);
      isFloat = bounds.fitsI32() && bounds.fitsF32();
      if (!isFloat && bias && !needsExactBias(op) &&
          bounds.fitsF32WithSplitBias()) {
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

void LegalizeQuantizationPass::convertAdd(QuantizedAddOp op) {
  Type f32 = builder->getF32Type();
  auto [left, right, constant] = op.getFactors();
  auto makeScalar = [&](double value, StringRef name) {
    HostTensor tensor(RankedTensorType::get({}, f32));
    tensor.setDouble(0, value);
    return createConstant(*builder, op, name, tensor);
  };
  auto add = [&](Value value, Value other) -> Value {
    return AddOp::create(*builder, getLoc(), value.getType(), value, other);
  };
  // Returns the stored integers times `factor`.
  auto scale = [&](Value operand, double factor, StringRef name) -> Value {
    Value value = getSteps(operand, f32);
    if (int64_t zero = Quantization::of(getElements(operand)).zeroPoints[0])
      value = add(value, makeScalar(double(zero), (name + "_zero").str()));
    return MultiplyOp::create(*builder, getLoc(), value.getType(), value,
                              makeScalar(factor, name));
  };
  // Both sums follow a product, so that the C has fused operations.
  Value sum = scale(op.getRhs(), right, "rhs");
  sum = add(sum, makeScalar(constant, "constant"));
  sum = add(scale(op.getLhs(), left, "lhs"), sum);
  Quantization type = Quantization::of(getElements(op.getResult()));
  // Bounds are integers: see roundSteps.
  sum = ClipOp::create(*builder, getLoc(), sum.getType(), sum,
                       APFloat(double(type.min)), APFloat(double(type.max)));
  sum = RoundOp::create(*builder, getLoc(), sum.getType(), sum);
  if (int64_t zero = type.zeroPoints.front())
    sum = add(sum, makeScalar(double(-zero), "zero_point"));
  Type step = getStepType(op.getResult());
  Value result = cast(sum, step);
  if (result != sum)
    result.getDefiningOp()->setAttr(kInRangeAttrName, builder->getUnitAttr());
  steps[op.getResult()] = result;
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
        roundSteps(quotient, quantize.getResult(), type.min, type.max,
                   quantize.getRounding());
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
    auto [low, high] = requantize.getBounds();
    if (requantize.getRounding() == kTFLiteRounding) {
      Value scaled = scaleFixedPoint(*builder, operation,
                                     steps[requantize.getData()], from, to);
      scaled = clampSteps(scaled, requantize.getResult(), low, high);
      steps[requantize.getResult()] =
          cast(scaled, getComputedStepType(requantize.getResult()));
      return success();
    }
    Value number = getSteps(requantize.getData(), f32);
    Value factor = createNumbers(
        f32, from, getTensorType(number).getRank(), "factor", [&](size_t i) {
          return float(from.scales[i]) / float(to.scales.front());
        });
    number = MultiplyOp::create(*builder, getLoc(), number.getType(), number,
                                factor);
    steps[requantize.getResult()] =
        roundSteps(number, requantize.getResult(), low, high, kFloatRounding);
    return success();
  }
  if (auto add = dyn_cast<QuantizedAddOp>(op)) {
    convertAdd(add);
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
    if (inFloats && !getElements(value).isInteger(32))
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
    Type moved = getElements(steps[op->getOperand(0)]);
    // Kernels move f32; a reshape is only a view. Sums stay integers.
    if (moved.isInteger(32))
      type = type.clone(moved);
    else if (inFloats && !isa<ReshapeOp, BatchFlattenOp>(op))
      type = type.clone(f32);
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, getSteps(operand, type.getElementType()));
    Operation *plain = builder->clone(*op, mapping);
    plain->getResult(0).setType(type);
    steps[result] = plain->getResult(0);
    if (Type word = dots.types.lookup(result))
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
  dots = DotPlan();
  if (arithmetic == "dot")
    dots = DotPlan::of(getOperation());
  numDots += dots.layers.size();
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

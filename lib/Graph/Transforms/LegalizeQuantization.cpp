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
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include <cmath>
#include <limits>

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

  /// Returns the type of the steps of a quantized element.
  Type getStepType(Type quantized) {
    if (inFloats)
      return builder->getF32Type();
    unsigned width = getStorageElementType(quantized).getIntOrFloatBitWidth();
    return builder->getIntegerType(width <= 8 ? 16 : 32);
  }
  /// Returns the type of steps that are computed when the model runs, but not
  /// proven to be exact in f32: integers if they have more than 16 bits.
  Type getComputedStepType(Type quantized) {
    bool isWide = getStorageElementType(quantized).getIntOrFloatBitWidth() > 16;
    return isWide ? Type(builder->getI32Type()) : getStepType(quantized);
  }
  Type getStepTensor(Value quantized) {
    return RankedTensorType::get(getTensorType(quantized).getShape(),
                                 getStepType(getElements(quantized)));
  }

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
  /// Rounds a quotient of f32 to steps, as `quantize` demands.
  Value roundQuotient(Value value, StringRef rounding);
  /// Limits steps to the stored integers [low, high], in any element type.
  Value clampSteps(Value value, Value quantized, int64_t low, int64_t high);
  /// Multiplies steps by the factors of `requantize` in fixed point. The result
  /// has elements of i64.
  Value scaleFixedPoint(Value number, const Quantization &from,
                        const Quantization &to);
  Value createInt64(int64_t value, StringRef suffix) {
    HostTensor tensor(RankedTensorType::get({}, builder->getI64Type()));
    tensor.setInt(0, value);
    return createConstant(*builder, operation, suffix, tensor);
  }
  /// Returns steps of the stored integers `stored`.
  Value removeZeroPoint(Value stored, Value quantized);

  bool inFloats = false;
  std::optional<OpBuilder> builder;
  Operation *operation = nullptr;
  Location getLoc() { return operation->getLoc(); }
  /// The steps of each quantized value. Only looked up, never iterated.
  DenseMap<Value, Value> steps;
  /// Exact sums whose biases may exceed what f32 holds; see splitBias.
  DenseSet<Value> largeBiases;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value LegalizeQuantizationPass::roundQuotient(Value value, StringRef rounding) {
  Type type = value.getType();
  if (rounding == kFloatRounding)
    return RoundOp::create(*builder, getLoc(), type, value);
  // Halves away from zero. The difference is exact, while adding 0.5 is not.
  Value magnitude = AbsOp::create(*builder, getLoc(), type, value);
  Value whole = FloorOp::create(*builder, getLoc(), type, magnitude);
  Value rest = SubtractOp::create(*builder, getLoc(), type, magnitude, whole);
  HostTensor half(RankedTensorType::get({}, builder->getF32Type()));
  half.setDouble(0, 0.5);
  Value isUp = GreaterEqualOp::create(
      *builder, getLoc(),
      RankedTensorType::get(getTensorType(value).getShape(),
                            builder->getI1Type()),
      rest, createConstant(*builder, operation, "half", half));
  Value up = cast(isUp, builder->getF32Type());
  Value rounded = AddOp::create(*builder, getLoc(), type, whole, up);
  Value sign = SignOp::create(*builder, getLoc(), type, value);
  return MultiplyOp::create(*builder, getLoc(), type, rounded, sign);
}

Value LegalizeQuantizationPass::scaleFixedPoint(Value number,
                                                const Quantization &from,
                                                const Quantization &to) {
  SmallVector<FixedPointFactor> factors;
  for (size_t i = 0, e = from.scales.size(); i != e; ++i)
    factors.push_back(FixedPointFactor::get(from, i, to));
  Type i64 = builder->getI64Type();
  int64_t rank = getTensorType(number).getRank();
  number = cast(number, i64);
  Type type = number.getType();
  auto numbers = [&](StringRef suffix, auto getNumber) {
    HostTensor tensor(RankedTensorType::get(from.getBroadcastShape(rank), i64));
    for (size_t i = 0, e = factors.size(); i != e; ++i)
      tensor.setInt(i, getNumber(factors[i]));
    return createConstant(*builder, operation, suffix, tensor);
  };
  auto shiftRight = [&](Value value, Value bits) {
    return RightShiftOp::create(*builder, getLoc(), type, value, bits);
  };
  Value factor = numbers("factor", [](const FixedPointFactor &factor) {
    return int64_t(factor.getLeftFactor());
  });
  number = MultiplyOp::create(*builder, getLoc(), type, number, factor);
  number = AddOp::create(*builder, getLoc(), type, number,
                         createInt64(int64_t(1) << 30, "half"));
  number = shiftRight(number, createInt64(31, "bits"));
  auto hasShift = [](const FixedPointFactor &factor) {
    return factor.getRightShift() != 0;
  };
  if (llvm::none_of(factors, hasShift))
    return number;
  // Halves are rounded away from zero: one less for negative numbers.
  Value sign = shiftRight(number, createInt64(63, "sign_bit"));
  if (!llvm::all_of(factors, hasShift))
    sign = BitwiseAndOp::create(
        *builder, getLoc(), type, sign,
        numbers("shifted", [&](const FixedPointFactor &factor) {
          return hasShift(factor) ? -1 : 0;
        }));
  Value half = numbers("rounding", [&](const FixedPointFactor &factor) {
    return hasShift(factor) ? int64_t(1) << (factor.getRightShift() - 1) : 0;
  });
  number = AddOp::create(*builder, getLoc(), type, number, half);
  number = AddOp::create(*builder, getLoc(), type, number, sign);
  return shiftRight(number, numbers("shift", [](const FixedPointFactor &f) {
                      return f.getRightShift();
                    }));
}

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
  return cast(value, getComputedStepType(getElements(quantized)));
}

Value LegalizeQuantizationPass::removeZeroPoint(Value stored, Value quantized) {
  Quantization type = Quantization::of(getElements(quantized));
  Type step = getStepType(getElements(quantized));
  int64_t rank = getTensorType(quantized).getRank();
  if (std::optional<HostTensor> constant = getConstant(stored)) {
    HostTensor result(mlir::cast<RankedTensorType>(getStepTensor(quantized)));
    int64_t inner = 1;
    if (type.axis)
      for (int64_t size : result.getShape().drop_front(*type.axis + 1))
        inner *= size;
    for (int64_t i = 0, e = result.getNumElements(); i != e; ++i)
      result.setDouble(
          i, double(constant->getInt(i)) -
                 double(type.zeroPoints[i / inner % type.scales.size()]));
    return createConstant(*builder, operation, "steps", result);
  }
  step = getComputedStepType(getElements(quantized));
  Value value = cast(stored, step);
  if (type.isSymmetric())
    return value;
  Value zero = createNumbers(step, type, rank, "zero_point", [&](size_t i) {
    return double(type.zeroPoints[i]);
  });
  return SubtractOp::create(*builder, getLoc(), value.getType(), value, zero);
}

/// Largest low part of a bias; see splitBias.
static constexpr int64_t kLowBias = 128;

/// Returns whether all sums of products of steps in [-limit, limit] and the
/// constant weights `weights`, with an optional bias, are exact in f32. If
/// `splitsBias`, the high part of the bias is added afterwards.
static bool isExact(const HostTensor &weights, int64_t outAxis, int64_t limit,
                    const std::optional<HostTensor> &bias,
                    bool splitsBias = false) {
  ArrayRef<int64_t> shape = weights.getShape();
  int64_t inner = 1;
  for (int64_t size : shape.drop_front(outAxis + 1))
    inner *= size;
  int64_t units = shape[outAxis];
  std::vector<double> sums(units);
  for (int64_t i = 0, e = weights.getNumElements(); i != e; ++i)
    sums[i / inner % units] += std::fabs(weights.getDouble(i));
  for (int64_t unit = 0; unit < units; ++unit) {
    double bound = sums[unit] * double(limit);
    double most = bias ? std::fabs(bias->getDouble(unit)) : 0;
    // Integers would wrap.
    if (bound + most > double(std::numeric_limits<int32_t>::max()))
      return false;
    bound += splitsBias ? double(kLowBias) : most;
    if (bound > double(int64_t(1) << 24))
      return false;
  }
  return true;
}

/// Splits biases of i32 into parts of type `type` that f32 holds: a low one of
/// at most kLowBias, which keeps sums exact, and multiples of 2 * kLowBias.
/// Adding the second part then rounds the sum once, as the conversion of an i32
/// to f32 does.
static std::pair<HostTensor, HostTensor> splitBias(const HostTensor &stored,
                                                   RankedTensorType type) {
  HostTensor low(type), high(type);
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    int64_t bias = stored.getInt(i);
    int64_t rest = bias % (2 * kLowBias);
    if (rest > kLowBias)
      rest -= 2 * kLowBias;
    else if (rest < -kLowBias)
      rest += 2 * kLowBias;
    low.setDouble(i, double(rest));
    high.setDouble(i, double(bias - rest));
  }
  return {low, high};
}

/// Returns the largest distance of a stored integer to the zero point.
static int64_t getMostSteps(Type quantized) {
  Quantization type = Quantization::of(quantized);
  int64_t most = 0;
  for (int64_t zeroPoint : type.zeroPoints)
    most = std::max({most, type.max - zeroPoint, zeroPoint - type.min});
  return most;
}

LogicalResult LegalizeQuantizationPass::convertSums(Operation *op) {
  Value data = op->getOperand(0), weight = op->getOperand(1);
  Value dataSteps = steps.lookup(data), weightSteps = steps.lookup(weight);
  Type sumType = getStepType(getElements(op->getResult(0)));
  bool isFloat = inFloats;
  if (inFloats) {
    std::optional<HostTensor> weights = getConstant(weightSteps);
    std::optional<HostTensor> bias;
    bool isBiasKnown = true;
    // Adding parts of a bias rounds the sum to f32, as only that formula does.
    bool needsExactBias = false;
    if (op->hasOneUse())
      if (auto add = dyn_cast<BiasAddOp>(*op->user_begin())) {
        auto stored = add.getBias().getDefiningOp<StorageCastOp>();
        bias = stored ? getConstant(stored.getData()) : std::nullopt;
        isBiasKnown = bias.has_value();
        needsExactBias = llvm::any_of(add->getUsers(), [](Operation *user) {
          auto requantize = dyn_cast<RequantizeOp>(user);
          return requantize && requantize.getRounding() == kTFLiteRounding;
        });
      }
    int64_t outAxis = 0;
    if (auto layout = op->getAttrOfType<StringAttr>("kernel_layout"))
      outAxis = KernelLayout::parse(layout.getValue())->o;
    int64_t limit = getMostSteps(getElements(data));
    isFloat = weights && isBiasKnown && isExact(*weights, outAxis, limit, bias);
    if (weights && bias && !isFloat && !needsExactBias) {
      isFloat = isExact(*weights, outAxis, limit, bias, /*splitsBias=*/true);
      if (isFloat)
        largeBiases.insert(op->getResult(0));
    }
    if (!isFloat) {
      dataSteps = cast(dataSteps, builder->getI32Type());
      weightSteps = cast(weightSteps, builder->getI32Type());
      sumType = builder->getI32Type();
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
        clampSteps(roundQuotient(quotient, quantize.getRounding()),
                   quantize.getResult(), type.min, type.max);
    return success();
  }
  if (auto dequantize = dyn_cast<DequantizeOp>(op)) {
    Quantization type = Quantization::of(getElements(dequantize.getData()));
    Value number = cast(steps[dequantize.getData()], f32);
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
      Value scaled = scaleFixedPoint(steps[requantize.getData()], from, to);
      steps[requantize.getResult()] =
          clampSteps(scaled, requantize.getResult(), low, high);
      return success();
    }
    Value number = cast(steps[requantize.getData()], f32);
    Value factor = createNumbers(
        f32, from, getTensorType(number).getRank(), "factor", [&](size_t i) {
          return float(from.scales[i]) / float(to.scales.front());
        });
    number = MultiplyOp::create(*builder, getLoc(), number.getType(), number,
                                factor);
    number = RoundOp::create(*builder, getLoc(), number.getType(), number);
    steps[requantize.getResult()] =
        clampSteps(number, requantize.getResult(), low, high);
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
  if (auto add = dyn_cast<BiasAddOp>(op)) {
    Value data = steps[add.getData()];
    // Sums of a layer that f32 does not hold are i32.
    Value bias = cast(steps[add.getBias()], getElements(data));
    if (largeBiases.contains(add.getData())) {
      auto stored = add.getBias().getDefiningOp<StorageCastOp>();
      auto [low, high] =
          splitBias(*getConstant(stored.getData()), getTensorType(bias));
      data = BiasAddOp::create(*builder, getLoc(), data.getType(), data,
                               createConstant(*builder, op, "low", low),
                               add.getAxis());
      bias = createConstant(*builder, op, "high", high);
    }
    steps[add.getResult()] = BiasAddOp::create(
        *builder, getLoc(), data.getType(), data, bias, add.getAxis());
    return success();
  }
  if (isa<ReshapeOp, BatchFlattenOp, TransposeOp, ConcatenateOp, StridedSliceOp,
          MaxPool2dOp, MaxPool3dOp>(op)) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, steps[operand]);
    Operation *plain = builder->clone(*op, mapping);
    plain->getResult(0).setType(
        RankedTensorType::get(getTensorType(op->getResult(0)).getShape(),
                              getElements(steps[op->getOperand(0)])));
    steps[op->getResult(0)] = plain->getResult(0);
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
  inFloats = arithmetic == "float";
  if (!inFloats && arithmetic != "integer") {
    getOperation().emitError()
        << "uma-graph-legalize-quantization: arithmetic "
           "is '"
        << arithmetic << "', expected 'float' or 'integer'";
    return signalPassFailure();
  }
  auto isAffected = [](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isQuantizedTensor) ||
           llvm::any_of(op->getResultTypes(), isQuantizedTensor);
  };
  SmallVector<Operation *> converted;
  WalkResult result = getOperation().walk([&](Operation *op) {
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

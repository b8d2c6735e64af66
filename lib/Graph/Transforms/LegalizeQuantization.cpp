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
// With bytes, tensors of 8 bits take a byte for each element wherever they are
// kept, which is what small memories need. Layers read them with operators that
// subtract the zero point.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "QuantizedMoves.h"
#include "QuantizedRounding.h"
#include "QuantizedSums.h"
#include "StepBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

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
  void convertQuantize(QuantizeOp op);
  void convertDequantize(DequantizeOp op);
  void convertRequantize(RequantizeOp op);
  void convertExactRequantize(RequantizeOp op);
  void convertStorageCast(StorageCastOp op);
  void convertSums(Operation *op);
  /// Converts a layer with constant weights whose data is kept as bytes.
  /// Returns false if its sums do not fit, or if it has other operands.
  bool convertByteSums(Operation *op);
  void convertBias(BiasAddOp add);
  void convertAdd(QuantizedAddOp op);
  void convertFixedPointAdd(QuantizedAddOp op);
  void convertMove(Operation *op);
  /// Moves bytes with a zero point.
  void convertByteMove(Operation *op, int64_t zeroPoint);

  Location getLoc() { return builder->getLoc(); }

  std::optional<StepBuilder> builder;
  /// Exact sums whose biases may exceed what f32 holds; see splitBias.
  DenseSet<Value> largeBiases;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

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

bool LegalizeQuantizationPass::convertByteSums(Operation *op) {
  if (!builder->getZeroPoint(op->getOperand(0)))
    return false;
  Value weight = op->getOperand(1);
  auto stored = weight.getDefiningOp<StorageCastOp>();
  std::optional<HostTensor> weights =
      stored ? getConstant(stored.getData()) : std::nullopt;
  auto [bias, isBiasKnown] = getStoredBias(op);
  if (!weights || !isBiasKnown)
    return false;
  HostTensor numbers =
      makeSteps(*weights, getElements(weight), builder->getI16Type());
  for (int64_t i = 0, e = numbers.getType().getNumElements(); i != e; ++i)
    if (std::abs(numbers.getDouble(i)) > 127)
      return false;
  // Kernels add products of bytes and correct their sum by the zero point.
  constexpr int64_t mostSteps = 2 * 255;
  if (!getSumBounds(numbers, getOutAxis(op), mostSteps, bias).fitsI32())
    return false;
  HostTensor bytes =
      makeSteps(*weights, getElements(weight), builder->getI8Type());
  Value data = builder->getSteps(op->getOperand(0), builder->getI16Type());
  IRMapping mapping;
  mapping.map(op->getOperands(),
              ValueRange{data, createConstant(*builder, op, "steps", bytes)});
  Operation *sums = builder->clone(*op, mapping);
  Type i32 = builder->getI32Type();
  sums->getResult(0).setType(getTensorType(op->getResult(0)).clone(i32));
  sums->setAttr("out_dtype", TypeAttr::get(i32));
  builder->set(op->getResult(0), sums->getResult(0));
  ++numDots;
  return true;
}

void LegalizeQuantizationPass::convertSums(Operation *op) {
  if (isa<Conv2dOp, DenseOp>(op) && convertByteSums(op))
    return;
  Value data = op->getOperand(0), weight = op->getOperand(1);
  bool isDot = builder->dots.layers.contains(op);
  Type f32 = builder->getF32Type(), i32 = builder->getI32Type();
  Value dataSteps = builder->lookup(data),
        weightSteps = builder->lookup(weight);
  Type sumType = builder->getStepType(op->getResult(0));
  if (builder->inFloats && !isDot) {
    dataSteps = builder->getSteps(data, f32);
    weightSteps = builder->getSteps(weight, f32);
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
      dataSteps = builder->cast(dataSteps, i32);
      weightSteps = builder->cast(weightSteps, i32);
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
  builder->set(op->getResult(0), sums->getResult(0));
}

void LegalizeQuantizationPass::convertBias(BiasAddOp add) {
  Value data = builder->lookup(add.getData());
  // Sums of a layer that f32 does not hold are i32.
  Value bias = builder->getSteps(add.getBias(), getElements(data));
  if (largeBiases.contains(add.getData())) {
    auto stored = add.getBias().getDefiningOp<StorageCastOp>();
    auto [low, high] =
        splitBias(*getConstant(stored.getData()), getTensorType(bias));
    data = BiasAddOp::create(*builder, getLoc(), data.getType(), data,
                             createConstant(*builder, add, "low", low),
                             add.getAxis());
    bias = createConstant(*builder, add, "high", high);
  }
  builder->set(add.getResult(),
               BiasAddOp::create(*builder, getLoc(), data.getType(), data, bias,
                                 add.getAxis()));
}

void LegalizeQuantizationPass::convertAdd(QuantizedAddOp op) {
  if (op.getRounding() == kTFLiteRounding)
    return convertFixedPointAdd(op);
  Type f32 = builder->getF32Type();
  auto [left, right, constant] = op.getFactors();
  HostTensor start(RankedTensorType::get({}, f32));
  start.setDouble(0, constant);
  Value sum = createConstant(*builder, op, "constant", start);
  // Fused operations where the processor has them. The results are the same
  // without, or products are exact.
  bool isExact = needsExactProducts(op);
  sum = createMultiplyAdd(*builder, op,
                          builder->getStored(op.getRhs(), f32, "rhs_zero"),
                          right, sum, "rhs", isExact);
  sum = createMultiplyAdd(*builder, op,
                          builder->getStored(op.getLhs(), f32, "lhs_zero"),
                          left, sum, "lhs", isExact);
  Quantization type = Quantization::of(getElements(op.getResult()));
  // Bounds are integers: see StepBuilder::roundSteps.
  sum = ClipOp::create(*builder, getLoc(), sum.getType(), sum,
                       APFloat(double(type.min)), APFloat(double(type.max)));
  sum = RoundOp::create(*builder, getLoc(), sum.getType(), sum);
  sum = builder->addNumber(sum, -type.zeroPoints.front(), "zero_point");
  builder->set(op.getResult(),
               builder->castInRange(sum, builder->getStepType(op.getResult())));
}

void LegalizeQuantizationPass::convertFixedPointAdd(QuantizedAddOp op) {
  Type i32 = builder->getI32Type();
  QuantizedAddOp::FixedPointScales scales = op.getFixedPointScales();
  HostTensor power(RankedTensorType::get({}, i32));
  power.setInt(0, int64_t(1) << QuantizedAddOp::kLeftShift);
  auto rescale = [&](Value operand, const Quantization &scale) {
    Value value = builder->getSteps(operand, i32);
    value = MultiplyOp::create(*builder, getLoc(), value.getType(), value,
                               createConstant(*builder, op, "power", power));
    return scaleFixedPoint(*builder, op, value, scale, scales.sum);
  };
  Value lhs = rescale(op.getLhs(), scales.lhs);
  Value rhs = rescale(op.getRhs(), scales.rhs);
  Value both = AddOp::create(*builder, getLoc(), lhs.getType(), lhs, rhs);
  Quantization type = Quantization::of(getElements(op.getResult()));
  Value result = scaleFixedPoint(*builder, op, both, scales.sum, type);
  result = builder->clampSteps(result, op.getResult(), type.min, type.max);
  builder->set(
      op.getResult(),
      builder->cast(result, builder->getComputedStepType(op.getResult())));
}

/// Returns the tensor whose stored integers `op` reads with another zero point,
/// or null if it does something else.
static Value getSameIntegers(StorageCastOp op) {
  auto inner = op.getData().getDefiningOp<StorageCastOp>();
  if (!inner || !isQuantizedTensor(op.getType()) ||
      Quantization::of(getElements(inner.getData())).axis ||
      Quantization::of(getElements(op.getResult())).axis)
    return {};
  return inner.getData();
}

/// Returns whether an operator keeps or selects numbers. `op` may be null.
static bool keepsNumbers(Operation *op) {
  if (auto requantize = dyn_cast_or_null<RequantizeOp>(op))
    return requantize.isExact();
  return isa_and_nonnull<ReshapeOp, BatchFlattenOp, TransposeOp, StridedSliceOp,
                         MaxPool2dOp, MaxPool3dOp>(op);
}

/// Returns whether a quantized tensor comes from integers, not from floats,
/// which may be NaN.
static bool isFromIntegers(Value quantized) {
  Operation *op = quantized.getDefiningOp();
  while (keepsNumbers(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<RequantizeOp, StorageCastOp>(op);
}

void LegalizeQuantizationPass::convertQuantize(QuantizeOp op) {
  Quantization type = Quantization::of(getElements(op.getResult()));
  Value scale = builder->createNumbers(
      builder->getF32Type(), type, getTensorType(op.getData()).getRank(),
      "scale", [&](size_t i) { return type.scales[i]; });
  Value quotient = DivideOp::create(*builder, getLoc(), op.getData().getType(),
                                    op.getData(), scale);
  builder->set(op.getResult(),
               builder->roundSteps(quotient, op.getResult(), type.min, type.max,
                                   op.getRounding()));
}

void LegalizeQuantizationPass::convertDequantize(DequantizeOp op) {
  Type f32 = builder->getF32Type();
  Quantization type = Quantization::of(getElements(op.getData()));
  Value number = builder->getSteps(op.getData(), f32);
  // A float that was rounded may be -0, which is no integer.
  if (number == builder->lookup(op.getData())) {
    Value zero = createConstant(*builder, op, "zero",
                                HostTensor(RankedTensorType::get({}, f32)));
    number = AddOp::create(*builder, getLoc(), number.getType(), number, zero);
  }
  Value scale =
      builder->createNumbers(f32, type, getTensorType(number).getRank(),
                             "scale", [&](size_t i) { return type.scales[i]; });
  op.getResult().replaceAllUsesWith(
      MultiplyOp::create(*builder, getLoc(), number.getType(), number, scale));
}

void LegalizeQuantizationPass::convertExactRequantize(RequantizeOp op) {
  Type step = builder->getComputedStepType(op.getResult());
  Type shift = builder->getShiftType();
  Value value = builder->lookup(op.getData());
  if (step == shift || getElements(value) != step)
    value = builder->getSteps(op.getData(), shift);
  builder->set(op.getResult(), isFromIntegers(op.getData())
                                   ? builder->castInRange(value, step)
                                   : builder->cast(value, step));
}

void LegalizeQuantizationPass::convertRequantize(RequantizeOp op) {
  if (op.isExact())
    return convertExactRequantize(op);
  Type f32 = builder->getF32Type();
  Quantization from = Quantization::of(getElements(op.getData()));
  Quantization to = Quantization::of(getElements(op.getResult()));
  auto [low, high] = op.getBounds();
  if (op.getRounding() == kTFLiteRounding) {
    Value number = builder->getZeroPoint(op.getData())
                       ? builder->getSteps(op.getData(), builder->getI32Type())
                       : builder->lookup(op.getData());
    Value scaled = scaleFixedPoint(*builder, op, number, from, to);
    scaled = builder->clampSteps(scaled, op.getResult(), low, high);
    Type step = builder->getComputedStepType(op.getResult());
    return builder->set(op.getResult(), builder->cast(scaled, step));
  }
  Value number = builder->getSteps(op.getData(), f32);
  Value factor = builder->createNumbers(
      f32, from, getTensorType(number).getRank(), "factor", [&](size_t i) {
        return float(from.scales[i]) / float(to.scales.front());
      });
  number =
      MultiplyOp::create(*builder, getLoc(), number.getType(), number, factor);
  builder->set(op.getResult(), builder->roundSteps(number, op.getResult(), low,
                                                   high, kFloatRounding));
}

void LegalizeQuantizationPass::convertStorageCast(StorageCastOp op) {
  if (Value source = getSameIntegers(op))
    return builder->shiftZeroPoint(source, op.getResult());
  // Only the operators above read the integers.
  if (!op.getResult().use_empty() &&
      llvm::all_of(op->getUsers(), [](Operation *user) {
        auto other = dyn_cast<StorageCastOp>(user);
        return other && getSameIntegers(other);
      }))
    return;
  if (builder->inBytes && holdsBytes(op.getResult()) &&
      !getConstant(op.getData()))
    return builder->setBytes(
        op.getResult(), op.getData(),
        Quantization::of(getElements(op.getResult())).zeroPoints.front());
  if (isQuantizedTensor(op.getType()))
    return builder->set(op.getResult(),
                        builder->removeZeroPoint(op.getData(), op.getResult()));
  if (auto inner = op.getData().getDefiningOp<StorageCastOp>();
      inner && inner.getData().getType() == op.getType()) {
    op.getResult().replaceAllUsesWith(inner.getData());
    return;
  }
  Quantization type = Quantization::of(getElements(op.getData()));
  Value value = builder->lookup(op.getData());
  if (std::optional<int64_t> zeroPoint = builder->getZeroPoint(op.getData());
      zeroPoint == type.zeroPoints.front() &&
      getElements(value) == getElements(op.getResult())) {
    op.getResult().replaceAllUsesWith(value);
    return;
  }
  if (builder->inFloats && !getElements(value).isInteger(32))
    value = builder->getSteps(op.getData(), builder->getShiftType());
  if (!type.isSymmetric()) {
    Value zero = builder->createNumbers(
        getElements(value), type, getTensorType(value).getRank(), "zero_point",
        [&](size_t i) { return double(type.zeroPoints[i]); });
    value = AddOp::create(*builder, getLoc(), value.getType(), value, zero);
  }
  Type elements = getElements(op.getResult());
  op.getResult().replaceAllUsesWith(isFromIntegers(op.getData())
                                        ? builder->castInRange(value, elements)
                                        : builder->cast(value, elements));
}

void LegalizeQuantizationPass::convertByteMove(Operation *op,
                                               int64_t zeroPoint) {
  Value first = builder->lookup(op->getOperand(0));
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, builder->getBytesLike(operand, first, zeroPoint));
  Value result = op->getResult(0);
  Operation *plain = builder->clone(*op, mapping);
  plain->getResult(0).setType(getTensorType(result).clone(getElements(first)));
  builder->setBytes(result, plain->getResult(0), zeroPoint);
}

void LegalizeQuantizationPass::convertMove(Operation *op) {
  Value result = op->getResult(0);
  // Whatever has the same type is kept as bytes, too.
  if (auto zeroPoint = builder->getZeroPoint(op->getOperand(0)))
    return convertByteMove(op, *zeroPoint);
  RankedTensorType type = builder->getStepTensor(result);
  Type moved = getElements(builder->lookup(op->getOperand(0)));
  Type word = builder->dots.types.lookup(result);
  // Kernels move f32, pools words, too; a reshape is only a view. Sums stay
  // integers.
  if (moved.isInteger(32) || (moved == word && isa<MaxPool2dOp>(op)))
    type = type.clone(moved);
  else if (builder->inFloats && !isa<ReshapeOp, BatchFlattenOp>(op))
    type = type.clone(builder->getF32Type());
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, builder->getSteps(operand, type.getElementType()));
  Operation *plain = builder->clone(*op, mapping);
  plain->getResult(0).setType(type);
  builder->set(result, plain->getResult(0));
  if (word)
    builder->set(result, builder->getSteps(result, word));
}

LogicalResult LegalizeQuantizationPass::convert(Operation *op) {
  builder->startAt(op);
  for (Value operand : op->getOperands())
    if (isQuantizedTensor(operand.getType()) && !builder->lookup(operand))
      return op->emitOpError("has an operand of type ")
             << operand.getType()
             << ", which is an argument of the function or the result of an "
                "operation that quantized tensors cannot be lowered through";
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](QuantizeOp op) { return convertQuantize(op), success(); })
      .Case([&](DequantizeOp op) { return convertDequantize(op), success(); })
      .Case([&](RequantizeOp op) { return convertRequantize(op), success(); })
      .Case([&](QuantizedAddOp op) { return convertAdd(op), success(); })
      .Case([&](StorageCastOp op) { return convertStorageCast(op), success(); })
      .Case([&](BiasAddOp op) { return convertBias(op), success(); })
      .Case<Conv2dOp, Conv3dOp, DenseOp>(
          [&](Operation *op) { return convertSums(op), success(); })
      .Case<ReshapeOp, BatchFlattenOp, TransposeOp, ConcatenateOp,
            StridedSliceOp, MaxPool2dOp, MaxPool3dOp>(
          [&](Operation *op) { return convertMove(op), success(); })
      .Default([](Operation *op) {
        return op->emitOpError("has no lowering for quantized tensors; "
                               "dequantize its operands");
      });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void LegalizeQuantizationPass::runOnOperation() {
  bool hasDots = arithmetic == "dot" || arithmetic == "pairs";
  bool inBytes = arithmetic == "bytes";
  if (!hasDots && !inBytes && arithmetic != "integer" &&
      arithmetic != "float") {
    getOperation().emitError()
        << "uma-graph-legalize-quantization: arithmetic is '" << arithmetic
        << "', expected 'integer', 'float', 'dot', 'pairs' or 'bytes'";
    return signalPassFailure();
  }
  moveStoredIntegers(getOperation());
  DotPlan dots;
  if (hasDots)
    dots = DotPlan::of(getOperation(), /*hasQuads=*/arithmetic == "dot");
  numDots += dots.layers.size();
  builder.emplace(&getContext(), /*inFloats=*/arithmetic != "integer", inBytes,
                  std::move(dots));
  largeBiases.clear();
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
        if (isa<func::FuncOp>(op))
          builder->startFunction(op);
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
  // Steps that no reader took, and sums whose parts readers took: a second user
  // would prevent fusion.
  for (auto function : getOperation().getOps<func::FuncOp>())
    for (Block &block : function.getBody())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op))
          op.erase();
  eraseUnusedConstants(getOperation());
}

//===- SignData.cpp - Quantized bytes with a sign -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A tensor of u8 and the tensor of i8 whose stored integers and zero point are
// lower by 128 hold the same real numbers. Most operators compute on the
// distances to the zero point, so they give the same results for both. The few
// that do not keep u8, between exact conversions.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "QuantizedFunctions.h"

#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_SIGNDATAPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Distance of the stored integers of u8 and i8 for the same number.
static constexpr int64_t kOffset = 128;

/// Returns the type that stores the same numbers in i8, or null unless
/// `elements` is quantized and stored in u8.
static Type getSignedType(Type elements) {
  auto type = dyn_cast<quant::QuantizedType>(elements);
  if (!type || type.isSigned() || type.getStorageTypeIntegralWidth() != 8)
    return {};
  unsigned flags = quant::QuantizationFlags::Signed;
  int64_t min = type.getStorageTypeMin() - kOffset;
  int64_t max = type.getStorageTypeMax() - kOffset;
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(elements))
    return quant::UniformQuantizedType::get(
        flags, type.getStorageType(), type.getExpressedType(),
        uniform.getScale(), uniform.getZeroPoint() - kOffset, min, max);
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(elements);
  if (!perAxis)
    return {};
  auto zeroPoints = llvm::map_to_vector(
      perAxis.getZeroPoints(), [](int64_t point) { return point - kOffset; });
  return quant::UniformQuantizedPerAxisType::get(
      flags, type.getStorageType(), type.getExpressedType(),
      perAxis.getScales(), zeroPoints, perAxis.getQuantizedDimension(), min,
      max);
}

/// Returns `elements` with the storage i8 if it is stored in u8.
static Type signType(Type elements) {
  Type other = getSignedType(elements);
  return other ? other : elements;
}

static RankedTensorType retype(Value shaped, Type elements) {
  return RankedTensorType::get(getTensorType(shaped).getShape(), elements);
}

//===----------------------------------------------------------------------===//
// Operators that give the same numbers for both types
//===----------------------------------------------------------------------===//

namespace {
/// A quantized_add with given element types.
class AddFormula {
public:
  AddFormula(Type lhs, Type rhs, Type result)
      : factors(QuantizedAddOp::getFactors(lhs, rhs, result)),
        lhsMin(Quantization::of(lhs).min), rhs(Quantization::of(rhs)),
        result(Quantization::of(result)) {}

  /// Computes the results for the operand `lhs` and all numbers of the other
  /// one, as distances to the least stored integer. `lhs` is such a distance,
  /// too.
  void compute(int64_t lhs, bool isFused,
               SmallVectorImpl<int64_t> &sums) const {
    auto left = float(lhs + lhsMin);
    sums.clear();
    for (int64_t right = rhs.min; right <= rhs.max; ++right) {
      float sum =
          multiplyAdd(float(right), factors.rhs, factors.constant, isFused);
      sum = multiplyAdd(left, factors.lhs, sum, isFused);
      double rounded = std::nearbyint(sum);
      sums.push_back(int64_t(std::min(std::max(rounded, double(result.min)),
                                      double(result.max))) -
                     result.min);
    }
  }

private:
  /// Processors without fused operations round the product, too.
  static float multiplyAdd(float a, float b, float c, bool isFused) {
    if (isFused)
      return std::fma(a, b, c);
    volatile float product = a * b;
    return product + c;
  }

  QuantizedAddOp::Factors factors;
  int64_t lhsMin;
  Quantization rhs, result;
};
} // namespace

/// Returns whether a sum is the same for all operands. In f32, other zero
/// points may round it to the other side.
static bool addsSameNumbers(QuantizedAddOp op) {
  if (op.getRounding() != kFloatRounding)
    return true;
  Type lhs = getElements(op.getLhs()), rhs = getElements(op.getRhs()),
       result = getElements(op.getResult());
  if (llvm::none_of(ArrayRef({lhs, rhs, result}), getSignedType))
    return true;
  AddFormula before(lhs, rhs, result);
  AddFormula after(signType(lhs), signType(rhs), signType(result));
  Quantization type = Quantization::of(lhs);
  SmallVector<int64_t> expected, found;
  for (int64_t i = 0; i <= type.max - type.min; ++i)
    for (bool isFused : {true, false}) {
      before.compute(i, isFused, expected);
      after.compute(i, isFused, found);
      if (expected != found)
        return false;
    }
  return true;
}

/// Returns whether an operator computes on distances to the zero point, or
/// moves or selects elements.
static bool computesOnNumbers(Operation *op) {
  return isa<QuantizeOp, DequantizeOp, RequantizeOp, QuantizedAddOp, Conv2dOp,
             Conv3dOp, DenseOp, ReshapeOp, BatchFlattenOp, TransposeOp,
             ConcatenateOp, StridedSliceOp, MaxPool2dOp, MaxPool3dOp>(op);
}

/// Returns the dequantize whose floats `op` reads, possibly with reshapes in
/// between, or null.
static DequantizeOp getDequantizeOf(Operation *op) {
  Operation *source = op->getOperand(0).getDefiningOp();
  while (auto reshape = dyn_cast_or_null<ReshapeOp>(source))
    source = reshape.getData().getDefiningOp();
  return dyn_cast_or_null<DequantizeOp>(source);
}

/// Adds the dequantize and the quantize around an average pool or softmax to
/// `kept` if uma-graph-fold-quantized-functions would compute other numbers
/// with other types.
static void keepFunction(QuantizeOp quantize, DenseSet<Operation *> &kept) {
  Operation *stays = nullptr;
  std::string reason;
  Operation *function = findQuantizedFunction(quantize, stays, reason);
  Operation *found = function ? function : stays;
  DequantizeOp dequantize = found ? getDequantizeOf(found) : DequantizeOp();
  if (!dequantize)
    return;
  Type from = getElements(dequantize.getData());
  Type to = getElements(quantize.getResult());
  // Different storage keeps a function in floats.
  bool becomesEqual =
      getStorageElementType(from) != getStorageElementType(to) &&
      getStorageElementType(signType(from)) ==
          getStorageElementType(signType(to));
  // Average pools add the zero point to fractions, softmax to whole numbers.
  if (becomesEqual || isa_and_nonnull<AvgPool2dOp, AvgPool3dOp>(function)) {
    kept.insert(quantize);
    kept.insert(dequantize);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct SignDataPass : uma::graph::impl::SignDataPassBase<SignDataPass> {
  void runOnOperation() override;

private:
  void runOnFunction(func::FuncOp function);
  /// Returns whether an operator only changes u8 to i8 or back, because the
  /// pass has run before, and notes its tensors.
  bool isConversion(Operation *op);
  /// Gives an operator operands and results of i8.
  void sign(Operation *op);
  /// Returns a tensor of u8 as i8, or the tensor itself if it is none or has
  /// several scales and is not constant.
  Value getSigned(Value value);
  /// Returns a tensor with the type that it had before the pass.
  Value getOriginal(Value value);
  Value createConversion(Value value, Type elements);
  Value signConstant(StorageCastOp stored, Type elements);
  /// Erases a constant of u8 that nothing uses any more.
  void eraseIfUnused(Value value);

  ConstantEraser *eraser = nullptr;
  /// Tensors of u8 as i8, results of i8 as u8, and stored integers of constants
  /// as i8. Only looked up.
  DenseMap<Value, Value> asSigned, asOriginal, storedAsSigned;
  /// Types of the results that are i8 now.
  DenseMap<Value, Type> originalTypes;
};
} // namespace

Value SignDataPass::createConversion(Value value, Type elements) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  ++numConversions;
  return RequantizeOp::create(builder, value.getLoc(), retype(value, elements),
                              value,
                              /*clamp=*/DenseI64ArrayAttr());
}

Value SignDataPass::signConstant(StorageCastOp stored, Type elements) {
  std::optional<HostTensor> integers = getConstant(stored.getData());
  if (!integers)
    return {};
  OpBuilder builder(stored);
  Value &constant = storedAsSigned[stored.getData()];
  if (!constant) {
    HostTensor lower(
        integers->getType().clone(getStorageElementType(elements)));
    for (int64_t i = 0, e = lower.getNumElements(); i != e; ++i)
      lower.setInt(i, integers->getInt(i) - kOffset);
    constant = createConstant(builder, stored, "signed", lower);
  }
  return StorageCastOp::create(builder, stored.getLoc(),
                               retype(stored, elements), constant);
}

Value SignDataPass::getSigned(Value value) {
  Type elements = getElements(value), other = getSignedType(elements);
  if (!other)
    return value;
  Value &result = asSigned[value];
  if (result)
    return result;
  if (auto stored = value.getDefiningOp<StorageCastOp>())
    result = signConstant(stored, other);
  if (!result)
    result = Quantization::of(elements).axis ? value
                                             : createConversion(value, other);
  return result;
}

Value SignDataPass::getOriginal(Value value) {
  Type elements = originalTypes.lookup(value);
  if (!elements)
    return value;
  Value &result = asOriginal[value];
  if (!result)
    result = createConversion(value, elements);
  return result;
}

void SignDataPass::eraseIfUnused(Value value) {
  auto stored = value.getDefiningOp<StorageCastOp>();
  if (!stored || !stored->use_empty() ||
      !stored.getData().getDefiningOp<ConstantOp>())
    return;
  Value constant = stored.getData();
  asSigned.erase(value);
  stored.erase();
  if (!constant.use_empty())
    return;
  storedAsSigned.erase(constant);
  eraser->eraseIfUnused(constant);
}

void SignDataPass::sign(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get(), other = getSigned(value);
    if (other == value)
      continue;
    operand.set(other);
    eraseIfUnused(value);
  }
  for (Value result : op->getResults()) {
    Type elements = getElements(result), other = getSignedType(elements);
    // No conversion takes several scales.
    if (!other || Quantization::of(elements).axis)
      continue;
    originalTypes[result] = elements;
    result.setType(retype(result, other));
    ++numTensors;
    auto requantize = dyn_cast<RequantizeOp>(op);
    if (!requantize || !requantize.getClamp())
      continue;
    ArrayRef<int64_t> clamp = *requantize.getClamp();
    requantize.setClamp(
        ArrayRef<int64_t>{clamp[0] - kOffset, clamp[1] - kOffset});
  }
}

bool SignDataPass::isConversion(Operation *op) {
  auto requantize = dyn_cast<RequantizeOp>(op);
  if (!requantize || !requantize.isExact())
    return false;
  Value data = requantize.getData(), result = requantize.getResult();
  if (getSignedType(getElements(result)) == getElements(data))
    return asSigned.try_emplace(result, data), true;
  if (getSignedType(getElements(data)) == getElements(result))
    return asSigned.try_emplace(data, result), true;
  return false;
}

void SignDataPass::runOnFunction(func::FuncOp function) {
  // Operators of these kinds that depend on the zero point.
  DenseSet<Operation *> kept;
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    if (auto quantize = dyn_cast<QuantizeOp>(op))
      keepFunction(quantize, kept);
    if (auto add = dyn_cast<QuantizedAddOp>(op); add && !addsSameNumbers(add))
      kept.insert(op);
    return isa<CompositeOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (Operation *op : ops) {
    if (isConversion(op))
      continue;
    if (computesOnNumbers(op) && !kept.contains(op)) {
      sign(op);
      continue;
    }
    for (OpOperand &operand : op->getOpOperands())
      operand.set(getOriginal(operand.get()));
  }
}

void SignDataPass::runOnOperation() {
  ConstantEraser constants(getOperation());
  eraser = &constants;
  asSigned.clear();
  asOriginal.clear();
  storedAsSigned.clear();
  originalTypes.clear();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function->hasAttr(kTargetAttrName))
      runOnFunction(function);
}

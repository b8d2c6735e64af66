//===- StepBuilder.cpp - Steps of quantized tensors -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "StepBuilder.h"

#include "QuantizedRounding.h"
#include "QuantizedSums.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

void StepBuilder::startFunction(Operation *function) {
  inFixedPoint = false;
  function->walk([&](Operation *op) {
    if (isa<RequantizeOp, QuantizedAddOp>(op))
      inFixedPoint |= op->getAttrOfType<StringAttr>("rounding").getValue() ==
                      kTFLiteRounding;
  });
}

Type StepBuilder::getStepType(Value quantized) {
  if (Type word = dots.types.lookup(quantized))
    return word;
  unsigned width =
      getStorageElementType(getElements(quantized)).getIntOrFloatBitWidth();
  // Sums of bytes are integers.
  if (inFloats && (!inBytes || width != 32))
    return getF32Type();
  return getIntegerType(width <= 8 ? 16 : 32);
}

Type StepBuilder::getComputedStepType(Value quantized) {
  unsigned width =
      getStorageElementType(getElements(quantized)).getIntOrFloatBitWidth();
  Type step = getStepType(quantized);
  return width > 16 || (inFixedPoint && step.isF32()) ? Type(getI32Type())
                                                      : step;
}

void StepBuilder::set(Value quantized, Value value) {
  if (!inBytes || !holdsBytes(quantized) || value.getDefiningOp<ConstantOp>()) {
    steps[quantized] = value;
    return;
  }
  // Steps that cannot be negative need no zero point.
  Quantization type = Quantization::of(getElements(quantized));
  int64_t zeroPoint = type.zeroPoints.front();
  Type element = getStorageElementType(getElements(quantized));
  if (zeroPoint == type.min) {
    zeroPoint = 0;
    element = getIntegerType(8, /*isSigned=*/false);
  }
  value = addNumber(value, zeroPoint, "zero_point");
  // The quotient of a float may be NaN, an integer is not.
  setBytes(quantized,
           isa<QuantizeOp>(operation) ? cast(value, element)
                                      : castInRange(value, element),
           zeroPoint);
}

Value StepBuilder::getBytesLike(Value quantized, Value bytes,
                                int64_t zeroPoint) {
  Value own = steps.lookup(quantized);
  if (getElements(own) == getElements(bytes) &&
      getZeroPoint(quantized) == zeroPoint)
    return own;
  Value value =
      addNumber(getSteps(quantized, getShiftType()), zeroPoint, "zero_point");
  return castInRange(value, getElements(bytes));
}

Value StepBuilder::castInRange(Value value, Type elementType) {
  Value result = cast(value, elementType);
  if (result != value)
    result.getDefiningOp()->setAttr(kInRangeAttrName, getUnitAttr());
  return result;
}

Value StepBuilder::addNumber(Value value, int64_t number, StringRef suffix) {
  if (auto [source, known] = added.lookup(value); source) {
    value = source;
    number += known;
  }
  if (number == 0)
    return value;
  HostTensor constant(RankedTensorType::get({}, getElements(value)));
  constant.setDouble(0, double(number));
  Value sum = AddOp::create(*this, getLoc(), value.getType(), value,
                            createConstant(*this, operation, suffix, constant));
  added[sum] = {value, number};
  return sum;
}

Value StepBuilder::clampSteps(Value value, Value quantized, int64_t low,
                              int64_t high) {
  Quantization type = Quantization::of(getElements(quantized));
  // With a zero point for each channel, steps have bounds for each.
  auto bound = [&](int64_t limit, StringRef suffix) {
    return createNumbers(
        getElements(value), type, getTensorType(quantized).getRank(), suffix,
        [&](size_t i) { return double(limit) - double(type.zeroPoints[i]); });
  };
  if (type.axis && !type.isSymmetric()) {
    value = MaximumOp::create(*this, getLoc(), value.getType(), value,
                              bound(low, "lowest"));
    value = MinimumOp::create(*this, getLoc(), value.getType(), value,
                              bound(high, "highest"));
  } else {
    double zeroPoint = double(type.zeroPoints.front());
    value = ClipOp::create(*this, getLoc(), value.getType(), value,
                           APFloat(double(low) - zeroPoint),
                           APFloat(double(high) - zeroPoint));
  }
  return value;
}

Value StepBuilder::roundSteps(Value value, Value quantized, int64_t low,
                              int64_t high, StringRef rounding) {
  // Bounds are integers, so that numbers may be limited before they are
  // rounded: the last two operations are then one instruction.
  value = clampSteps(value, quantized, low, high);
  value = roundQuotient(*this, operation, value, rounding);
  Type step = getComputedStepType(quantized);
  // The quotient of a float may be NaN, an integer is not.
  return isa<RequantizeOp>(operation) ? castInRange(value, step)
                                      : cast(value, step);
}

/// Returns by how much steps of `result` exceed those of the same integers in
/// `source`.
static int64_t getDistance(Value source, Value result) {
  return Quantization::of(getElements(source)).zeroPoints.front() -
         Quantization::of(getElements(result)).zeroPoints.front();
}

Value StepBuilder::getSteps(Value quantized, Type type) {
  Value other = shifted.lookup(quantized);
  Value value = steps.lookup(other ? other : quantized);
  // Each reader has operators of its own, which become parts of its layer.
  if (std::optional<int64_t> zeroPoint = getZeroPoint(quantized))
    return addNumber(cast(value, type), -*zeroPoint, "zero_point");
  if (getElements(value) == type)
    return value;
  Value &copy = copies[{quantized, type}];
  if (copy)
    return copy;
  InsertionGuard guard(*this);
  setInsertionPointAfterValue(value);
  copy = cast(value, type);
  if (other)
    copy = addNumber(copy, -getDistance(quantized, other), "distance");
  return copy;
}

Value StepBuilder::getStored(Value quantized, Type type, StringRef suffix) {
  Value other = shifted.lookup(quantized);
  Value from = other ? other : quantized;
  return addNumber(getSteps(from, type),
                   Quantization::of(getElements(from)).zeroPoints.front(),
                   suffix);
}

void StepBuilder::shiftZeroPoint(Value source, Value result) {
  if (std::optional<int64_t> zeroPoint = getZeroPoint(source))
    return setBytes(result, steps.lookup(source),
                    *zeroPoint - getDistance(source, result));
  Type step = getComputedStepType(result);
  // Integers from outside of the quantized tensors have one zero point only.
  if (auto stored = source.getDefiningOp<StorageCastOp>();
      stored && !isQuantized(getElements(stored.getData()))) {
    steps[result] = removeZeroPoint(stored.getData(), result);
  } else {
    Value value = getSteps(source, getShiftType());
    value = addNumber(value, getDistance(source, result), "distance");
    steps[result] = castInRange(value, step);
  }
  if (step.getIntOrFloatBitWidth() == 8 && !dots.types.contains(source))
    shifted[source] = result;
}

Value StepBuilder::removeZeroPoint(Value stored, Value quantized) {
  Quantization type = Quantization::of(getElements(quantized));
  Type step = getStepType(quantized);
  int64_t rank = getTensorType(quantized).getRank();
  if (std::optional<HostTensor> constant = getConstant(stored))
    return createConstant(*this, operation, "steps",
                          makeSteps(*constant, getElements(quantized), step));
  // Kernels compute in f32 and i32 and only convert narrow integers.
  step = getComputedStepType(quantized);
  if (type.isSymmetric() && getElements(stored) == step)
    return stored;
  Type computed = inFloats && !step.isInteger(32) ? getShiftType() : step;
  Value value = cast(stored, computed);
  if (!type.isSymmetric()) {
    Value zero =
        createNumbers(computed, type, rank, "zero_point",
                      [&](size_t i) { return double(type.zeroPoints[i]); });
    value = SubtractOp::create(*this, getLoc(), value.getType(), value, zero);
  }
  return inFloats ? castInRange(value, step) : cast(value, step);
}

//===- QuantizedFunctions.cpp - Operators between DQ and Q ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "QuantizedFunctions.h"

#include "Constants.h"

#include "uma/Support/QuantizedTypes.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Returns whether a clip to [from, to] changes no number that `type` can hold.
static bool isImplied(double from, double to, const Quantization &type) {
  auto getNumber = [&](int64_t stored) {
    return double(stored - type.zeroPoints.front()) * type.scales.front();
  };
  return from <= getNumber(type.min) && to >= getNumber(type.max);
}

Operation *graph::skipActivations(QuantizeOp quantize, bool &areImplied) {
  Quantization type = Quantization::of(getElements(quantize.getResult()));
  areImplied = !type.axis;
  Operation *op = quantize.getData().getDefiningOp();
  for (; isa_and_nonnull<ReluOp, ClipOp>(op) && op->hasOneUse();
       op = op->getOperand(0).getDefiningOp()) {
    double from = 0, to = INFINITY;
    if (auto clip = dyn_cast<ClipOp>(op)) {
      from = clip.getAMin().convertToDouble();
      to = clip.getAMax().convertToDouble();
    }
    areImplied = areImplied && isImplied(from, to, type);
  }
  return op;
}

/// Returns the quantized tensor that `value` is dequantized from, possibly with
/// reshapes behind it; null if it is a float.
static Value getDequantized(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getData();
  auto dequantize = value.getDefiningOp<DequantizeOp>();
  return dequantize ? dequantize.getData() : Value();
}

bool graph::isQuantizedFunction(Operation *op, bool areImplied,
                                QuantizeOp quantize, std::string &reason) {
  if (quantize.getRounding() != kFloatRounding)
    return false;
  SmallVector<Value> tensors{quantize.getResult()};
  for (Value operand : op->getOperands())
    tensors.push_back(getDequantized(operand));
  if (llvm::is_contained(tensors, Value()))
    return false;
  for (Value tensor : tensors) {
    if (!holdsBytes(tensor)) {
      reason = "one of its tensors has more than 8 bits or several scales";
      return false;
    }
    if (getStorageElementType(getElements(tensor)) !=
        getStorageElementType(getElements(quantize.getResult()))) {
      reason = "its tensors are stored in different types";
      return false;
    }
  }
  if (!op->hasOneUse()) {
    reason = "its result is also used as a float";
    return false;
  }
  if (!areImplied)
    reason = "its activation does not follow from the bounds of the integers";
  return areImplied;
}

/// Returns whether the windows of a pool have no gaps: ONNX Runtime's quantized
/// pool has none.
template <typename PoolOp>
static bool isDense(PoolOp pool) {
  return llvm::all_of(pool.getDilations(),
                      [](int64_t step) { return step == 1; });
}

/// Returns whether the inverse of the scale of a result is a whole number.
static bool hasWholeInverse(QuantizeOp quantize) {
  Quantization type = Quantization::of(getElements(quantize.getResult()));
  float inverse = 1.0f / float(type.scales.front());
  return inverse == std::floor(inverse);
}

Operation *graph::findQuantizedFunction(QuantizeOp quantize, Operation *&op,
                                        std::string &reason) {
  bool areImplied;
  Operation *found = skipActivations(quantize, areImplied);
  bool isShared = false;
  while (isa_and_nonnull<ReshapeOp>(found)) {
    isShared |= !found->hasOneUse();
    found = found->getOperand(0).getDefiningOp();
  }
  bool isKnown = isa_and_nonnull<AvgPool2dOp, AvgPool3dOp, SoftmaxOp>(found);
  if (auto pool = dyn_cast_or_null<AvgPool2dOp>(found))
    isKnown = isDense(pool);
  if (auto pool = dyn_cast_or_null<AvgPool3dOp>(found))
    isKnown = isDense(pool);
  if (!isKnown)
    return nullptr;
  op = found;
  if (!isQuantizedFunction(found, areImplied, quantize, reason))
    return nullptr;
  if (isShared)
    reason = "its result is also used as a float";
  // Other results would be wrong, not only rounded to another side.
  if (isa<SoftmaxOp>(found) && !hasWholeInverse(quantize))
    reason = "ONNX Runtime's quantized kernel rounds the inverse of the scale "
             "of its result down";
  return reason.empty() ? found : nullptr;
}

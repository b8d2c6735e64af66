//===- QuantOps.cpp - Evaluates quantization ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each step is rounded to f32, as the definitions of the operators say.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

/// Scale and zero point of each element of a tensor.
namespace {
class ElementScales {
public:
  explicit ElementScales(RankedTensorType type)
      : quantization(Quantization::of(type.getElementType())) {
    if (quantization.axis)
      for (int64_t size : type.getShape().drop_front(*quantization.axis + 1))
        inner *= size;
  }

  float getScale(int64_t element) const {
    return float(quantization.scales[getIndex(element)]);
  }
  int64_t getZeroPoint(int64_t element) const {
    return quantization.zeroPoints[getIndex(element)];
  }
  /// Returns the stored integer for a number of steps, a whole number or NaN.
  int64_t clamp(float steps, int64_t element) const {
    int64_t zeroPoint = getZeroPoint(element);
    if (std::isnan(steps))
      return zeroPoint;
    // Exact: storage has 32 bits at most.
    double shifted = double(steps) + double(zeroPoint);
    return int64_t(std::min(std::max(shifted, double(quantization.min)),
                            double(quantization.max)));
  }

  size_t getIndex(int64_t element) const {
    return size_t(element / inner) % quantization.scales.size();
  }

private:
  Quantization quantization;
  int64_t inner = 1;
};
} // namespace

HostTensor kernels::startQuantize(QuantizeOp op, const HostTensor &data) {
  ElementScales scales(getResultType(op));
  HostTensor result(data.getType());
  for (int64_t i = 0, e = result.getNumElements(); i != e; ++i)
    result.setDouble(i, float(data.getDouble(i)) / scales.getScale(i));
  return result;
}

HostTensor kernels::finishQuantize(QuantizeOp op, const HostTensor &rounded) {
  RankedTensorType type = getResultType(op);
  ElementScales scales(type);
  HostTensor result(type);
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i)
    result.setInt(i, scales.clamp(float(rounded.getDouble(i)), i));
  return result;
}

Result kernels::run(QuantizeOp op, Operands operands, EmitErrorFn emitError) {
  HostTensor quotients = startQuantize(op, operands[0]);
  bool isAway = op.getRounding() == kTFLiteRounding;
  for (int64_t i = 0, e = quotients.getNumElements(); i != e; ++i) {
    double quotient = quotients.getDouble(i);
    quotients.setDouble(i, isAway ? std::round(quotient)
                                  : std::nearbyint(quotient));
  }
  return finishQuantize(op, quotients);
}

Result kernels::run(DequantizeOp op, Operands operands, EmitErrorFn emitError) {
  ElementScales scales(operands[0].getType());
  HostTensor result(getResultType(op));
  for (int64_t i = 0, e = result.getNumElements(); i != e; ++i) {
    auto steps = float(operands[0].getInt(i) - scales.getZeroPoint(i));
    result.setDouble(i, steps * scales.getScale(i));
  }
  return result;
}

/// Computes a requantize in fixed point.
static HostTensor requantizeFixedPoint(RequantizeOp op,
                                       const HostTensor &data) {
  RankedTensorType type = getResultType(op);
  ElementScales scales(data.getType());
  Quantization from = Quantization::of(data.getElementType());
  Quantization to = Quantization::of(type.getElementType());
  SmallVector<FixedPointFactor> factors;
  for (size_t i = 0, e = from.scales.size(); i != e; ++i)
    factors.push_back(FixedPointFactor::get(from, i, to));
  auto [lowest, highest] = op.getBounds();
  HostTensor result(type);
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    int64_t steps = data.getInt(i) - scales.getZeroPoint(i);
    int64_t rounded = factors[scales.getIndex(i)].apply(steps);
    result.setInt(i,
                  std::clamp(rounded + to.zeroPoints.front(), lowest, highest));
  }
  return result;
}

Result kernels::run(RequantizeOp op, Operands operands, EmitErrorFn emitError) {
  if (op.getRounding() == kTFLiteRounding)
    return requantizeFixedPoint(op, operands[0]);
  RankedTensorType type = getResultType(op);
  ElementScales from(operands[0].getType()), to(type);
  auto [lowest, highest] = op.getBounds();
  HostTensor result(type);
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    auto steps = float(operands[0].getInt(i) - from.getZeroPoint(i));
    float factor = from.getScale(i) / to.getScale(i);
    int64_t rounded = to.clamp(std::nearbyint(steps * factor), i);
    result.setInt(i, std::min(std::max(rounded, lowest), highest));
  }
  return result;
}

Result kernels::run(QuantizedAddOp op, Operands operands,
                    EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  Quantization to = Quantization::of(type.getElementType());
  HostTensor result(type);
  if (op.getRounding() == kTFLiteRounding) {
    auto [left, right, sum] = op.getFixedPointScales();
    auto lhs = FixedPointFactor::get(left, 0, sum);
    auto rhs = FixedPointFactor::get(right, 0, sum);
    auto out = FixedPointFactor::get(sum, 0, to);
    auto getShifted = [&](unsigned operand, int64_t i) {
      auto zero =
          Quantization::of(operands[operand].getElementType()).zeroPoints[0];
      return (operands[operand].getInt(i) - zero) *
             (int64_t(1) << QuantizedAddOp::kLeftShift);
    };
    for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
      int64_t both = lhs.apply(getShifted(0, i)) + rhs.apply(getShifted(1, i));
      result.setInt(i, std::clamp(out.apply(both) + to.zeroPoints.front(),
                                  to.min, to.max));
    }
    return result;
  }
  auto [left, right, constant] = op.getFactors();
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    float sum = std::fma(float(operands[1].getInt(i)), right, constant);
    sum = std::fma(float(operands[0].getInt(i)), left, sum);
    double rounded = std::nearbyint(sum);
    result.setInt(i, int64_t(std::min(std::max(rounded, double(to.min)),
                                      double(to.max))));
  }
  return result;
}

Result kernels::run(StorageCastOp op, Operands operands,
                    EmitErrorFn emitError) {
  return operands[0].withElementType(getResultType(op).getElementType());
}

Result kernels::run(BitcastOp op, Operands operands, EmitErrorFn emitError) {
  return HostTensor(getResultType(op), operands[0].getBytes());
}

//===- QuantizedSums.cpp - Bounds of sums of quantized layers -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "QuantizedSums.h"

#include "uma/Graph/IR/GraphOps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

HostTensor graph::makeSteps(const HostTensor &stored, Type quantized,
                            Type element) {
  Quantization type = Quantization::of(quantized);
  HostTensor result(RankedTensorType::get(stored.getShape(), element));
  int64_t inner = 1;
  if (type.axis)
    for (int64_t size : result.getShape().drop_front(*type.axis + 1))
      inner *= size;
  for (int64_t i = 0, e = result.getNumElements(); i != e; ++i) {
    int64_t step = stored.getInt(i) -
                   int64_t(type.zeroPoints[i / inner % type.scales.size()]);
    if (isa<FloatType>(element))
      result.setDouble(i, double(step));
    else
      result.setInt(i, step);
  }
  return result;
}

int64_t graph::getMostSteps(Type quantized) {
  Quantization type = Quantization::of(quantized);
  int64_t most = 0;
  for (int64_t zeroPoint : type.zeroPoints)
    most = std::max({most, type.max - zeroPoint, zeroPoint - type.min});
  return most;
}

/// Largest low part of a bias; see splitBias.
static constexpr int64_t kLowBias = 128;

bool SumBounds::fitsI32() const {
  return biased <= double(std::numeric_limits<int32_t>::max());
}

bool SumBounds::fitsF32WithSplitBias() const {
  return fitsI32() && sum + double(kLowBias) <= double(int64_t(1) << 24);
}

/// Returns the sum of `getNumber(weight)` over each output channel.
template <typename Fn>
static std::vector<double> sumUnits(const HostTensor &weights, int64_t outAxis,
                                    Fn getNumber) {
  int64_t inner = 1;
  for (int64_t size : weights.getShape().drop_front(outAxis + 1))
    inner *= size;
  int64_t units = weights.getShape()[outAxis];
  std::vector<double> sums(units);
  for (int64_t i = 0, e = weights.getNumElements(); i != e; ++i)
    sums[i / inner % units] += getNumber(weights.getDouble(i));
  return sums;
}

std::vector<double> graph::getUnitSums(const HostTensor &weights,
                                       int64_t outAxis) {
  return sumUnits(weights, outAxis, [](double weight) { return weight; });
}

SumBounds graph::getSumBounds(const HostTensor &weights, int64_t outAxis,
                              int64_t limit,
                              const std::optional<HostTensor> &bias) {
  SumBounds bounds;
  for (auto [unit, magnitude] :
       llvm::enumerate(sumUnits(weights, outAxis, [](double weight) {
         return std::fabs(weight);
       }))) {
    double sum = magnitude * double(limit);
    bounds.sum = std::max(bounds.sum, sum);
    double most = bias ? std::fabs(bias->getDouble(int64_t(unit))) : 0;
    bounds.biased = std::max(bounds.biased, sum + most);
  }
  return bounds;
}

std::pair<HostTensor, HostTensor> graph::splitBias(const HostTensor &stored,
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

int64_t graph::getDotSize(Operation *op, const HostTensor &weights,
                          const SumBounds &bounds, Type data) {
  // Fewer channels of the result do not fill a vector.
  constexpr int64_t fewest = 8;
  int64_t channels, units;
  if (auto conv = dyn_cast<Conv2dOp>(op)) {
    ConvDims dims = conv.getDims();
    channels = dims.inChannels / dims.groups;
    units = dims.outChannels / dims.groups;
  } else if (isa<DenseOp>(op)) {
    channels = weights.getShape()[1];
    units = weights.getShape()[0];
  } else {
    return 0;
  }
  if (channels % 2 != 0 || units < fewest || !bounds.fitsI32())
    return 0;
  Quantization type = Quantization::of(data);
  bool isUnsigned = type.zeroPoints.front() == type.min;
  bool fitsI8 = true;
  for (int64_t i = 0, e = weights.getNumElements(); i != e && fitsI8; ++i)
    fitsI8 = std::fabs(weights.getDouble(i) + 0.5) < 128;
  return isUnsigned && fitsI8 && channels % 4 == 0 ? 4 : 2;
}

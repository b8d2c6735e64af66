//===- NormalizationOps.cpp - Evaluates normalisations --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

Result kernels::run(LogSoftmaxOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  AxisView view(type.getShape(), op.getAxis());
  std::vector<double> values = load<double>(operands[0]);
  for (int64_t block = 0; block < view.outer; ++block)
    for (int64_t lane = 0; lane < view.inner; ++lane) {
      auto at = [&](int64_t i) -> double & {
        return values[(block * view.size + i) * view.inner + lane];
      };
      double largest = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int64_t i = 0; i < view.size; ++i)
        largest = std::max(largest, at(i));
      for (int64_t i = 0; i < view.size; ++i)
        sum += std::exp(at(i) - largest);
      for (int64_t i = 0; i < view.size; ++i)
        at(i) = at(i) - largest - std::log(sum);
    }
  return store(type, values);
}

/// Normalises each group of `size` consecutive values: subtracts their mean if
/// `centered`, and divides by the root of their mean square plus `epsilon`.
static void normalize(std::vector<double> &values, int64_t size, double epsilon,
                      bool centered) {
  if (size == 0)
    return;
  for (auto group = values.begin(); group != values.end(); group += size) {
    auto end = group + size;
    double mean = 0, square = 0;
    if (centered)
      for (auto value = group; value != end; ++value)
        mean += *value / size;
    for (auto value = group; value != end; ++value) {
      *value -= mean;
      square += *value * *value / size;
    }
    for (auto value = group; value != end; ++value)
      *value /= std::sqrt(square + epsilon);
  }
}

Result kernels::run(LayerNormOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> gamma = load<double>(operands[1]);
  std::vector<double> beta = load<double>(operands[2]);
  normalize(values, gamma.size(), op.getEpsilon().convertToDouble(),
            /*centered=*/true);
  for (size_t i = 0, e = values.size(); i != e; ++i)
    values[i] = values[i] * gamma[i % gamma.size()] + beta[i % gamma.size()];
  return store(type, values);
}

Result kernels::run(RMSNormOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> gamma = load<double>(operands[1]);
  normalize(values, gamma.size(), op.getEpsilon().convertToDouble(),
            /*centered=*/false);
  for (size_t i = 0, e = values.size(); i != e; ++i)
    values[i] *= gamma[i % gamma.size()];
  return store(type, values);
}

Result kernels::run(GroupNormOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  if (type.getNumElements() == 0)
    return HostTensor(type);
  AxisView view(type.getShape(), 1);
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> gamma = load<double>(operands[1]);
  std::vector<double> beta = load<double>(operands[2]);
  normalize(values, view.size / int64_t(op.getNumGroups()) * view.inner,
            op.getEpsilon().convertToDouble(), /*centered=*/true);
  for (size_t i = 0, e = values.size(); i != e; ++i) {
    size_t c = i / view.inner % view.size;
    values[i] = values[i] * gamma[c] + beta[c];
  }
  return store(type, values);
}

Result kernels::run(LRNOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  AxisView view(type.getShape(), 1);
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> result(values.size());
  int64_t size = op.getSize();
  double bias = op.getBias().convertToDouble();
  double alpha = op.getAlpha().convertToDouble();
  double beta = op.getBeta().convertToDouble();
  for (size_t i = 0, e = values.size(); i != e; ++i) {
    int64_t c = i / view.inner % view.size;
    int64_t first = std::max<int64_t>(0, c - (size - 1) / 2);
    int64_t last = std::min(view.size - 1, c + size / 2);
    double sum = 0;
    for (int64_t other = first; other <= last; ++other) {
      double value = values[int64_t(i) + (other - c) * view.inner];
      sum += value * value;
    }
    result[i] = values[i] / std::pow(bias + alpha / size * sum, beta);
  }
  return store(type, result);
}

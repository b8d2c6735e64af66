//===- NNOps.cpp - Evaluates neural network operators ---------------------===//
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

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

Result kernels::run(DenseOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  int64_t units = operands[1].getShape()[0], in = operands[1].getShape()[1];
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data = loadFactors<T>(operands[0]);
    std::vector<T> weight = loadFactors<T>(operands[1]);
    std::vector<T> result(type.getNumElements());
    for (int64_t r = 0, e = result.size(); r != e; ++r) {
      int64_t row = r / units, unit = r % units;
      T sum = 0;
      for (int64_t i = 0; i < in; ++i)
        sum = add(sum, multiply(data[row * in + i], weight[unit * in + i]));
      result[r] = sum;
    }
    return store(type, result);
  });
}

//===----------------------------------------------------------------------===//
// Operators along one axis
//===----------------------------------------------------------------------===//

Result kernels::run(BiasAddOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  AxisView view(type.getShape(), op.getAxis());
  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = load<T>(operands[0]), bias = load<T>(operands[1]);
    for (size_t i = 0, e = values.size(); i != e; ++i)
      values[i] = add(values[i], bias[i / view.inner % view.size]);
    return store(type, values);
  });
}

/// Emits an error and fails unless the element type of `type` is a float.
static LogicalResult requireFloat(RankedTensorType type,
                                  EmitErrorFn emitError) {
  if (isa<FloatType>(type.getElementType()))
    return success();
  return emitError() << "is defined for floats, not for " << type;
}

Result kernels::run(BatchNormOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  if (failed(requireFloat(type, emitError)))
    return failure();
  AxisView view(type.getShape(), op.getAxis());
  double epsilon = op.getEpsilon().convertToDouble();
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> gamma = load<double>(operands[1]);
  std::vector<double> beta = load<double>(operands[2]);
  std::vector<double> mean = load<double>(operands[3]);
  std::vector<double> variance = load<double>(operands[4]);
  for (size_t i = 0, e = values.size(); i != e; ++i) {
    size_t c = i / view.inner % view.size;
    values[i] =
        (values[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * gamma[c] +
        beta[c];
  }
  return store(type, values);
}

Result kernels::run(SoftmaxOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  if (failed(requireFloat(type, emitError)))
    return failure();
  AxisView view(type.getShape(), op.getAxis());
  std::vector<double> values = load<double>(operands[0]);
  for (int64_t block = 0; block < view.outer; ++block)
    for (int64_t lane = 0; lane < view.inner; ++lane) {
      auto at = [&](int64_t i) -> double & {
        return values[(block * view.size + i) * view.inner + lane];
      };
      double largest = -std::numeric_limits<double>::infinity();
      for (int64_t i = 0; i < view.size; ++i)
        largest = std::max(largest, at(i));
      double sum = 0;
      for (int64_t i = 0; i < view.size; ++i)
        sum += at(i) = std::exp(at(i) - largest);
      for (int64_t i = 0; i < view.size; ++i)
        at(i) /= sum;
    }
  return store(type, values);
}

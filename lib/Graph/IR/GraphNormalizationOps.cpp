//===- GraphNormalizationOps.cpp - Normalisations -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Returns the type of the float operand 'data'.
static FailureOr<RankedTensorType> getFloatData(EmitErrorFn emitError,
                                                Value operand) {
  auto data = getTensor(emitError, operand, "data");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  return data;
}

/// Checks that `epsilon` is not negative, so that the square root is real.
static LogicalResult checkEpsilon(EmitErrorFn emitError, double epsilon) {
  if (epsilon >= 0)
    return success();
  return emitError() << "epsilon is " << formatNumber(epsilon)
                     << ", expected a number of at least 0";
}

FailureOr<RankedTensorType> LogSoftmaxOp::inferType(EmitErrorFn emitError,
                                                    Adaptor adaptor) {
  auto data = getFloatData(emitError, adaptor.getData());
  if (failed(data) ||
      failed(normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                           data->getRank())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

//===----------------------------------------------------------------------===//
// Normalisations over the last dimensions
//===----------------------------------------------------------------------===//

/// Checks that operand `name` has the element type of `data` and the shape of
/// its dimensions from `axis` on.
static LogicalResult checkSuffix(EmitErrorFn emitError, Value operand,
                                 StringRef name, RankedTensorType data,
                                 int64_t axis) {
  auto type = getTensor(emitError, operand, name);
  if (failed(type))
    return failure();
  ArrayRef<int64_t> expected = data.getShape().drop_front(axis);
  if (type->getShape() != expected)
    return emitError() << name << " has shape " << formatShape(type->getShape())
                       << ", expected " << formatShape(expected)
                       << ", the dimensions of data from axis " << axis
                       << " on";
  return checkElementType(emitError, name, *type, "data",
                          data.getElementType());
}

FailureOr<RankedTensorType> LayerNormOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  auto data = getFloatData(emitError, adaptor.getData());
  if (failed(data))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis) ||
      failed(
          checkSuffix(emitError, adaptor.getGamma(), "gamma", *data, *axis)) ||
      failed(checkSuffix(emitError, adaptor.getBeta(), "beta", *data, *axis)) ||
      failed(checkEpsilon(emitError, adaptor.getEpsilon().convertToDouble())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

FailureOr<RankedTensorType> RMSNormOp::inferType(EmitErrorFn emitError,
                                                 Adaptor adaptor) {
  auto data = getFloatData(emitError, adaptor.getData());
  if (failed(data))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis) ||
      failed(
          checkSuffix(emitError, adaptor.getGamma(), "gamma", *data, *axis)) ||
      failed(checkEpsilon(emitError, adaptor.getEpsilon().convertToDouble())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

//===----------------------------------------------------------------------===//
// Normalisations over channels
//===----------------------------------------------------------------------===//

/// Checks that `data` has channels (dimension 1).
static LogicalResult checkChannels(EmitErrorFn emitError,
                                   RankedTensorType data) {
  if (data.getRank() >= 2)
    return success();
  return emitError() << "data has shape " << formatShape(data.getShape())
                     << ", expected rank 2 or more: a batch and channels";
}

FailureOr<RankedTensorType> GroupNormOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  auto data = getFloatData(emitError, adaptor.getData());
  if (failed(data) || failed(checkChannels(emitError, *data)))
    return failure();
  auto groups = static_cast<int64_t>(adaptor.getNumGroups());
  int64_t channels = data->getDimSize(1);
  if (groups < 1)
    return emitError() << "num_groups is " << groups << ", expected at least 1";
  if (channels % groups != 0)
    return emitError() << "num_groups is " << groups
                       << ", expected a divisor of the " << channels
                       << " channels of data";
  if (failed(checkVectorAlongAxis(emitError, adaptor.getGamma(), "gamma", *data,
                                  1)) ||
      failed(checkVectorAlongAxis(emitError, adaptor.getBeta(), "beta", *data,
                                  1)) ||
      failed(checkEpsilon(emitError, adaptor.getEpsilon().convertToDouble())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

FailureOr<RankedTensorType> LRNOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  auto data = getFloatData(emitError, adaptor.getData());
  if (failed(data) || failed(checkChannels(emitError, *data)))
    return failure();
  auto size = static_cast<int64_t>(adaptor.getSize());
  // A larger window covers no more channels, but its arithmetic could overflow.
  constexpr int64_t kLargest = int64_t(1) << 31;
  if (size < 1 || size >= kLargest)
    return emitError() << "size is " << size << ", expected 1 to "
                       << kLargest - 1;
  return makeResult(emitError, data->getShape(), data->getElementType());
}

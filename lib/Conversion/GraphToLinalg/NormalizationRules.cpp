//===- NormalizationRules.cpp - Softmax and normalisations as linalg ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Uses reductions and elementwise operations. linalg.softmax would be more
// concise, but must be decomposed by a transform script before it bufferizes.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Operand = LinalgBuilder::Operand;

/// Returns the result of a reduction broadcast along the reduced dimensions.
static Operand atKept(LinalgBuilder &b, Value tensor, ArrayRef<bool> reduces) {
  Operand operand{tensor, {}};
  for (auto [i, isReduced] : llvm::enumerate(reduces))
    if (!isReduced)
      operand.at.push_back(b.dim(i));
  return operand;
}

/// Builds softmax along `axis`, or its logarithm.
static Value convertSoftmax(LinalgBuilder &b, Value data, int64_t axis,
                            bool isLog) {
  auto type = cast<RankedTensorType>(data.getType());
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<bool> reduces(shape.size(), false);
  reduces[getAxis(axis, shape.size())] = true;
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  Value largest = b.reduceDims(
      data, reduces, b.limit(sumType, /*isLowest=*/true),
      [](LayerBuilder &e, ValueRange x) -> Value {
        return arith::MaximumFOp::create(e.builder, e.loc, x[1], x[0]);
      });
  Value shifted =
      b.map(shape, sumType, {b.at(data, {}), atKept(b, largest, reduces)},
            [](LayerBuilder &e, ValueRange x) { return e.sub(x[0], x[1]); });
  Value powers = b.map(shape, sumType, {b.at(shifted, {})},
                       [](LayerBuilder &e, ValueRange x) -> Value {
                         return math::ExpOp::create(e.builder, e.loc, x[0]);
                       });
  Value sum = b.reduceDims(powers, reduces, b.scalar(sumType, 0), addElements);
  Operand divisor = atKept(b, sum, reduces);
  return b.map(shape, type.getElementType(),
               {b.at(isLog ? shifted : powers, {}), divisor},
               [&](LayerBuilder &e, ValueRange x) {
                 if (!isLog)
                   return e.div(x[0], x[1]);
                 Value log = math::LogOp::create(e.builder, e.loc, x[1]);
                 return e.sub(x[0], log);
               });
}

/// Builds the mean of the elements, or of their squares, along `reduces`. The
/// result has the other dimensions.
static Value getMean(LinalgBuilder &b, Value data, ArrayRef<bool> reduces,
                     bool ofSquares) {
  Type type = LinalgBuilder::getElement(data);
  Value sum = b.reduceDims(data, reduces, b.scalar(type, 0),
                           [&](LayerBuilder &e, ValueRange x) {
                             Value term = ofSquares ? e.mul(x[0], x[0]) : x[0];
                             return e.add(x[1], term);
                           });
  int64_t count = 1;
  for (auto [size, isReduced] :
       llvm::zip_equal(LinalgBuilder::getShape(data), reduces))
    count *= isReduced ? size : 1;
  return b.map(LinalgBuilder::getShape(sum), type, {b.at(sum, {})},
               [&](LayerBuilder &e, ValueRange x) {
                 return e.div(x[0], e.constant(type, double(count)));
               });
}

/// Builds data / sqrt(mean(data * data) + epsilon), with the mean along
/// `reduces`.
static Value normalize(LinalgBuilder &b, Value data, ArrayRef<bool> reduces,
                       double epsilon) {
  Value square = getMean(b, data, reduces, /*ofSquares=*/true);
  Type type = LinalgBuilder::getElement(data);
  return b.map(LinalgBuilder::getShape(data), type,
               {b.at(data, {}), atKept(b, square, reduces)},
               [&](LayerBuilder &e, ValueRange x) {
                 Value sum = e.add(x[1], e.constant(type, epsilon));
                 Value root = math::SqrtOp::create(e.builder, e.loc, sum);
                 return e.div(x[0], root);
               });
}

/// Builds data - mean(data), with the mean along `reduces`.
static Value center(LinalgBuilder &b, Value data, ArrayRef<bool> reduces) {
  Value mean = getMean(b, data, reduces, /*ofSquares=*/false);
  Operand repeated = atKept(b, mean, reduces);
  return b.map(LinalgBuilder::getShape(data), LinalgBuilder::getElement(data),
               {b.at(data, {}), repeated},
               [](LayerBuilder &e, ValueRange x) { return e.sub(x[0], x[1]); });
}

/// Builds data * gamma + beta; `beta` may be null.
static Value scaleAndShift(LinalgBuilder &b, Value data, const Operand &gamma,
                           const Operand *beta, Type element) {
  SmallVector<Operand> operands = {b.at(data, {}), gamma};
  if (beta)
    operands.push_back(*beta);
  return b.map(LinalgBuilder::getShape(data), element, operands,
               [&](LayerBuilder &e, ValueRange x) {
                 Value scaled = e.mul(x[0], x[1]);
                 return x.size() == 3 ? e.add(scaled, x[2]) : scaled;
               });
}

/// Marks the dimensions from `axis` to the last.
static SmallVector<bool> getTrailing(int64_t axis, int64_t rank) {
  SmallVector<bool> reduces(rank, false);
  std::fill(reduces.begin() + getAxis(axis, rank), reduces.end(), true);
  return reduces;
}

static Value convertLayerNorm(LinalgBuilder &b, graph::LayerNormOp op) {
  auto type = op.getType();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  SmallVector<bool> reduces = getTrailing(op.getAxis(), type.getRank());
  Value data = center(b, b.convert(op.getData(), sumType), reduces);
  data = normalize(b, data, reduces, op.getEpsilon().convertToDouble());
  Operand gamma = b.broadcast(op.getGamma(), type.getRank());
  Operand beta = b.broadcast(op.getBeta(), type.getRank());
  return scaleAndShift(b, data, gamma, &beta, type.getElementType());
}

static Value convertRMSNorm(LinalgBuilder &b, graph::RMSNormOp op) {
  auto type = op.getType();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  SmallVector<bool> reduces = getTrailing(op.getAxis(), type.getRank());
  Value data = normalize(b, b.convert(op.getData(), sumType), reduces,
                         op.getEpsilon().convertToDouble());
  Operand gamma = b.broadcast(op.getGamma(), type.getRank());
  return scaleAndShift(b, data, gamma, nullptr, type.getElementType());
}

static Value convertGroupNorm(LinalgBuilder &b, graph::GroupNormOp op) {
  auto type = op.getType();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  int64_t batch = type.getDimSize(0), groups = op.getNumGroups();
  SmallVector<int64_t> split = {batch, groups,
                                type.getNumElements() / (batch * groups)};
  SmallVector<bool> reduces = {false, false, true};
  Value data = b.reshape(b.convert(op.getData(), sumType), split);
  data = normalize(b, center(b, data, reduces), reduces,
                   op.getEpsilon().convertToDouble());
  data = b.reshape(data, type.getShape());
  Operand gamma = b.at(op.getGamma(), {1}), beta = b.at(op.getBeta(), {1});
  return scaleAndShift(b, data, gamma, &beta, type.getElementType());
}

static Value convertLRN(LinalgBuilder &b, graph::LRNOp op) {
  auto type = op.getType();
  int64_t rank = type.getRank(), size = op.getSize();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  Value data = b.convert(op.getData(), sumType);
  Value zero = b.scalar(sumType, 0);
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  before[1] = (size - 1) / 2;
  after[1] = size - 1 - before[1];
  // Loops: the dimensions of the result, then the neighbour.
  Operand neighbours = b.at(b.pad(data, before, after, zero), {});
  neighbours.at[1] = b.dim(1) + b.dim(rank);
  Operand window{b.empty({size}, sumType), {b.dim(rank)}};
  SmallVector<bool> reduces(rank, false);
  reduces.push_back(true);
  Value init = b.filled(type.getShape(), zero);
  Value sum = b.reduce(init, reduces, {neighbours, window},
                       [](LayerBuilder &e, ValueRange x) {
                         return e.add(x[2], e.mul(x[0], x[0]));
                       });
  double factor = op.getAlpha().convertToDouble() / double(size);
  return b.map(
      type.getShape(), type.getElementType(), {b.at(data, {}), b.at(sum, {})},
      [&](LayerBuilder &e, ValueRange x) {
        Value scaled = e.mul(x[1], e.constant(sumType, factor));
        Value bias = e.constant(sumType, op.getBias().convertToDouble());
        Value base = e.add(bias, scaled);
        Value beta = e.constant(sumType, op.getBeta().convertToDouble());
        Value power = math::PowFOp::create(e.builder, e.loc, base, beta);
        return e.div(x[0], power);
      });
}

void uma::populateLinalgNormalizationRules(LinalgRules &rules) {
  rules.add<graph::SoftmaxOp>([](LinalgBuilder &b, graph::SoftmaxOp op) {
    return convertSoftmax(b, op.getData(), op.getAxis(), /*isLog=*/false);
  });
  rules.add<graph::LogSoftmaxOp>([](LinalgBuilder &b, graph::LogSoftmaxOp op) {
    return convertSoftmax(b, op.getData(), op.getAxis(), /*isLog=*/true);
  });
  rules.add<graph::LayerNormOp>(convertLayerNorm);
  rules.add<graph::RMSNormOp>(convertRMSNorm);
  rules.add<graph::GroupNormOp>(convertGroupNorm);
  rules.add<graph::LRNOp>(convertLRN);
}

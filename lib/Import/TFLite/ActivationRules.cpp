//===- ActivationRules.cpp - Rules for activations ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOperator;

template <ActivationFunctionType function>
static LogicalResult importActivation(Node &node) {
  if (Value result = createFixedPointActivation(node, function))
    return node.yield(result);
  return node.yield(node.createActivation(node.getOperand(0), function));
}

static LogicalResult importRelu0To1(Node &node) {
  return node.yield(node.createClip(node.getOperand(0), 0, 1));
}

/// Imports ELU: exp(x) - 1 for negative data.
static LogicalResult importElu(Node &node) {
  if (Value result = createFixedPointElu(node))
    return node.yield(result);
  Value data = node.getOperand(0);
  Value zero = node.createScalar(getElementType(data), 0);
  Value one = node.createScalar(getElementType(data), 1);
  // Positive data are cut off before exp, which might overflow.
  Value negative = node.create<graph::MinimumOp>({data, zero});
  Value tail = node.create<graph::SubtractOp>(
      {node.create<graph::ExpOp>({negative}), one});
  Value isNegative = node.create<graph::LessOp>({data, zero});
  return node.yield(node.create<graph::WhereOp>({isNegative, tail, data}));
}

static LogicalResult importGelu(Node &node) {
  const auto *options = node.findOptions<schema::GeluOptions>();
  graph::GeluOp::Properties properties;
  if (options && options->approximate())
    properties.approximate = node.getBuilder().getUnitAttr();
  return node.yield(node.create<graph::GeluOp>(node.getOperands(), properties));
}

static LogicalResult importLeakyRelu(Node &node) {
  const auto *options = node.getOptions<schema::LeakyReluOptions>();
  if (!options)
    return failure();
  if (!std::isfinite(options->alpha()))
    return node.badInput("has the slope " + formatNumber(options->alpha()) +
                         "; expected a finite number");
  if (Value result = createFixedPointLeakyRelu(node, options->alpha()))
    return node.yield(result);
  graph::LeakyReluOp::Properties properties;
  properties.alpha = node.getBuilder().getF64FloatAttr(options->alpha());
  return node.yield(
      node.create<graph::LeakyReluOp>(node.getOperands(), properties));
}

/// Imports SOFTMAX along the last axis. `beta` is an inverse temperature.
static LogicalResult importSoftmax(Node &node) {
  const auto *options = node.getOptions<schema::SoftmaxOptions>();
  if (!options)
    return failure();
  Value data = node.getOperand(0);
  if (!std::isfinite(options->beta()))
    return node.badInput("has the factor " + formatNumber(options->beta()) +
                         "; expected a finite number");
  if (Value result = createFixedPointSoftmax(node, options->beta()))
    return node.yield(result);
  if (options->beta() != 1)
    data = node.create<graph::MultiplyOp>(
        {data, node.createScalar(getElementType(data), options->beta())});
  return node.yield(node.create<graph::SoftmaxOp>({data}));
}

static LogicalResult importLogSoftmax(Node &node) {
  return node.yield(node.create<graph::LogSoftmaxOp>(node.getOperands()));
}

static LogicalResult importPRelu(Node &node) {
  if (Value result = createFixedPointPRelu(node))
    return node.yield(result);
  return importDirectly<graph::PReluOp>(node);
}

ArrayRef<Rule> tflite::getActivationRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::ELU, "x!", importElu},
      {BuiltinOperator::GELU, "x!", importGelu},
      {BuiltinOperator::HARD_SWISH, "x!",
       importFunction<graph::HardSwishOp, createFixedPointHardSwish>},
      {BuiltinOperator::LEAKY_RELU, "x!", importLeakyRelu},
      {BuiltinOperator::LOGISTIC, "x!",
       importFunction<graph::SigmoidOp, createFixedPointLogistic>},
      {BuiltinOperator::LOG_SOFTMAX, "x!", importLogSoftmax},
      {BuiltinOperator::PRELU, "x! alpha!", importPRelu},
      {BuiltinOperator::RELU, "x!",
       importActivation<ActivationFunctionType::RELU>},
      {BuiltinOperator::RELU6, "x!",
       importActivation<ActivationFunctionType::RELU6>},
      {BuiltinOperator::RELU_0_TO_1, "x!", importRelu0To1},
      {BuiltinOperator::RELU_N1_TO_1, "x!",
       importActivation<ActivationFunctionType::RELU_N1_TO_1>},
      {BuiltinOperator::SOFTMAX, "x!", importSoftmax},
      {BuiltinOperator::TANH, "x!",
       importFunction<graph::TanhOp, createFixedPointTanh>},
  };
  return rules;
}

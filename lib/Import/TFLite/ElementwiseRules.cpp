//===- ElementwiseRules.cpp - Rules for elementwise operators -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Returns whether a sum of 16-bit integers shifts operands whose scales are
/// powers of two.
template <typename OptionsT>
static bool shiftsPowers(Node &node) {
  if constexpr (std::is_same_v<OptionsT, schema::AddOptions> ||
                std::is_same_v<OptionsT, schema::SubOptions>)
    if (const auto *options = node.findOptions<OptionsT>())
      return options->pot_scale_int16();
  return false;
}

/// Imports an operator with two operands that may have fused an activation.
template <typename OpT, typename OptionsT>
static LogicalResult importArithmetic(Node &node) {
  if (std::is_same_v<OpT, graph::AddOp> ||
      std::is_same_v<OpT, graph::SubtractOp>)
    if (Value result =
            createFixedPointSum(node, std::is_same_v<OpT, graph::SubtractOp>,
                                shiftsPowers<OptionsT>(node),
                                getActivation(node.findOptions<OptionsT>())))
      return node.yield(result);
  if (std::is_same_v<OpT, graph::MultiplyOp>)
    if (Value result = createFixedPointProduct(
            node, getActivation(node.findOptions<OptionsT>())))
      return node.yield(result);
  Value result = node.create<OpT>(node.getOperands());
  if (!result)
    return failure();
  return node.yield(node.createActivation(
      result, getActivation(node.findOptions<OptionsT>())));
}

static LogicalResult importAddN(Node &node) {
  Value sum = node.getOperand(0);
  for (unsigned i = 1, e = node.getNumOperands(); i < e; ++i)
    sum = node.create<graph::AddOp>({sum, node.getOperand(i)});
  return node.yield(sum);
}

/// Imports FLOOR_DIV, which rounds the quotient down.
static LogicalResult importFloorDiv(Node &node) {
  Value lhs = node.getOperand(0), rhs = node.getOperand(1);
  if (isa<FloatType>(getElementType(lhs)))
    return node.yield(node.create<graph::FloorOp>(
        {node.create<graph::DivideOp>({lhs, rhs})}));
  Value rest = node.create<graph::FloorModOp>({lhs, rhs});
  Value multiple = node.create<graph::SubtractOp>({lhs, rest});
  return node.yield(node.create<graph::DivideOp>({multiple, rhs}));
}

static LogicalResult importSquare(Node &node) {
  Value data = node.getOperand(0);
  return node.yield(node.create<graph::MultiplyOp>({data, data}));
}

static LogicalResult importSquaredDifference(Node &node) {
  if (Value result = createFixedPointSquaredDifference(node))
    return node.yield(result);
  Value difference = node.create<graph::SubtractOp>(node.getOperands());
  return node.yield(node.create<graph::MultiplyOp>({difference, difference}));
}

static LogicalResult importRsqrt(Node &node) {
  Value data = node.getOperand(0);
  Value one = node.createScalar(getElementType(data), 1);
  return node.yield(
      node.create<graph::DivideOp>({one, node.create<graph::SqrtOp>({data})}));
}

/// Imports SELECT. A condition of rank 1 selects slices of the data.
static LogicalResult importSelect(Node &node) {
  Value condition = node.getOperand(0), data = node.getOperand(1);
  SmallVector<int64_t> shape(getShape(condition));
  int64_t rank = getShape(data).size();
  if (shape.size() == 1 && rank > 1 && shape[0] == getShape(data)[0]) {
    shape.resize(rank, 1);
    condition = node.createReshape(condition, shape);
  }
  return node.yield(
      node.create<graph::WhereOp>({condition, data, node.getOperand(2)}));
}

static LogicalResult importCast(Node &node) {
  if (node.isQuantized(0))
    return node.notSupported("casts the integers of a quantized tensor, which "
                             "is not supported");
  return node.yield(node.castToResult(node.getOperand(0)));
}

/// Imports DEQUANTIZE. Halves are widened; quantized operands of every rule are
/// dequantized.
static LogicalResult importDequantize(Node &node) {
  return node.yield(node.castToResult(node.getOperand(0)));
}

/// Imports QUANTIZE, also between scales: results of every rule are quantized.
static LogicalResult importQuantize(Node &node) {
  if (Value result = createFixedPointRequantize(node))
    return node.yield(result);
  if (!node.isResultQuantized())
    return node.badInput(node.findQuantizedResult()
                             ? "the result has 32 bits, for which the data "
                               "must be quantized integers with one scale"
                             : "the result has no scale");
  return node.yield(node.getOperand(0));
}

/// Imports DENSIFY, whose operand is a sparse constant. The elements of any
/// constant are dense as soon as they are read.
static LogicalResult importDensify(Node &node) {
  return node.yield(node.getStored(0));
}

ArrayRef<Rule> tflite::getElementwiseRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::ABS, "x",
       importFunction<graph::AbsOp, createFixedPointAbs>},
      {BuiltinOperator::ADD, "a b",
       importArithmetic<graph::AddOp, schema::AddOptions>},
      {BuiltinOperator::ADD_N, "values*", importAddN},
      {BuiltinOperator::CAST, "x", importCast},
      {BuiltinOperator::CEIL, "x!", importDirectly<graph::CeilOp>},
      {BuiltinOperator::COS, "x!", importDirectly<graph::CosOp>},
      {BuiltinOperator::DENSIFY, "x=", importDensify},
      {BuiltinOperator::DEQUANTIZE, "x!", importDequantize},
      {BuiltinOperator::DIV, "a b",
       importArithmetic<graph::DivideOp, schema::DivOptions>},
      {BuiltinOperator::EQUAL, "a b", importDirectly<graph::EqualOp>},
      {BuiltinOperator::EXP, "x!", importDirectly<graph::ExpOp>},
      {BuiltinOperator::FLOOR, "x!", importDirectly<graph::FloorOp>},
      {BuiltinOperator::FLOOR_DIV, "a b", importFloorDiv},
      {BuiltinOperator::FLOOR_MOD, "a b", importDirectly<graph::FloorModOp>},
      {BuiltinOperator::GREATER, "a b", importDirectly<graph::GreaterOp>},
      {BuiltinOperator::GREATER_EQUAL, "a b",
       importDirectly<graph::GreaterEqualOp>},
      {BuiltinOperator::LESS, "a b", importDirectly<graph::LessOp>},
      {BuiltinOperator::LESS_EQUAL, "a b", importDirectly<graph::LessEqualOp>},
      {BuiltinOperator::LOG, "x!", importDirectly<graph::LogOp>},
      {BuiltinOperator::LOGICAL_AND, "a b",
       importDirectly<graph::LogicalAndOp>},
      {BuiltinOperator::LOGICAL_NOT, "x", importDirectly<graph::LogicalNotOp>},
      {BuiltinOperator::LOGICAL_OR, "a b", importDirectly<graph::LogicalOrOp>},
      {BuiltinOperator::MAXIMUM, "a b", importDirectly<graph::MaximumOp>},
      {BuiltinOperator::MINIMUM, "a b", importDirectly<graph::MinimumOp>},
      {BuiltinOperator::MUL, "a b",
       importArithmetic<graph::MultiplyOp, schema::MulOptions>},
      {BuiltinOperator::NEG, "x", importDirectly<graph::NegativeOp>},
      {BuiltinOperator::NOT_EQUAL, "a b", importDirectly<graph::NotEqualOp>},
      {BuiltinOperator::POW, "a b", importDirectly<graph::PowerOp>},
      {BuiltinOperator::QUANTIZE, "x!", importQuantize},
      {BuiltinOperator::ROUND, "x!", importDirectly<graph::RoundOp>},
      {BuiltinOperator::RSQRT, "x!", importRsqrt},
      {BuiltinOperator::SELECT, "condition x y", importSelect},
      {BuiltinOperator::SELECT_V2, "condition x y",
       importDirectly<graph::WhereOp>},
      {BuiltinOperator::SIGN, "x", importDirectly<graph::SignOp>},
      {BuiltinOperator::SIN, "x!", importDirectly<graph::SinOp>},
      {BuiltinOperator::SQRT, "x!", importDirectly<graph::SqrtOp>},
      {BuiltinOperator::SQUARE, "x", importSquare},
      {BuiltinOperator::SQUARED_DIFFERENCE, "a b", importSquaredDifference},
      {BuiltinOperator::SUB, "a b",
       importArithmetic<graph::SubtractOp, schema::SubOptions>},
  };
  return rules;
}

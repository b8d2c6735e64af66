//===- ReductionRules.cpp - Rules for reductions and scans ----------------===//
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

/// Imports a reduction. Axes may be given twice; no axes reduce nothing.
template <typename OpT>
static LogicalResult importReduction(Node &node) {
  const auto *options = node.findOptions<schema::ReducerOptions>();
  Value data = node.getOperand(0);
  SmallVector<int64_t> axes;
  for (int64_t axis : node.getInts(1)) {
    std::optional<int64_t> normal =
        node.normalizeAxis(axis, getShape(data).size());
    if (!normal)
      return failure();
    if (!llvm::is_contained(axes, *normal))
      axes.push_back(*normal);
  }
  if (axes.empty())
    return node.yield(data);
  llvm::sort(axes);
  constexpr bool isMean = std::is_same_v<OpT, graph::MeanOp>;
  if constexpr (isMean || std::is_same_v<OpT, graph::SumOp>)
    if (Value result = createFixedPointReduction(
            node, axes, options && options->keep_dims(), isMean))
      return node.yield(result);
  if constexpr (std::is_same_v<OpT, graph::ProdOp>)
    if (Value result =
            createFixedPointProd(node, axes, options && options->keep_dims()))
      return node.yield(result);
  return node.yield(
      node.createReduction<OpT>(data, axes, options && options->keep_dims()));
}

/// Imports ARG_MAX and ARG_MIN. The first of equal elements counts.
template <typename OpT>
static LogicalResult importArgReduction(Node &node) {
  std::optional<int64_t> axis = node.getInt(1);
  if (!axis)
    return failure();
  std::optional<int64_t> normal =
      node.normalizeAxis(*axis, getShape(node.getOperand(0)).size());
  if (!normal)
    return failure();
  typename OpT::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(*normal);
  Value indices = node.create<OpT>({node.getOperand(0)}, properties);
  return node.yield(node.castToResult(indices));
}

static LogicalResult importCumsum(Node &node) {
  const auto *options = node.findOptions<schema::CumsumOptions>();
  std::optional<int64_t> axis = node.getInt(1);
  if (!axis)
    return failure();
  OpBuilder &builder = node.getBuilder();
  graph::CumsumOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(*axis);
  properties.exclusive = builder.getBoolAttr(options && options->exclusive());
  properties.reverse = builder.getBoolAttr(options && options->reverse());
  return node.yield(
      node.create<graph::CumsumOp>({node.getOperand(0)}, properties));
}

/// Imports L2_NORMALIZATION, which divides by the norm along the last axis.
static LogicalResult importL2Normalization(Node &node) {
  constexpr double kSmallestNorm = 1e-6; // of TensorFlow Lite's kernel
  Value data = node.getOperand(0);
  Value squares = node.create<graph::MultiplyOp>({data, data});
  Value sum = node.createReduction<graph::SumOp>(squares, {-1}, true);
  Value norm = node.create<graph::MaximumOp>(
      {node.create<graph::SqrtOp>({sum}),
       node.createScalar(getElementType(data), kSmallestNorm)});
  Value result = node.create<graph::DivideOp>({data, norm});
  if (!result)
    return failure();
  return node.yield(node.createActivation(
      result, getActivation(node.findOptions<schema::L2NormOptions>())));
}

/// Imports TOPK_V2, whose results are the elements and their indices.
static LogicalResult importTopK(Node &node) {
  Value data = node.getOperand(0);
  std::optional<int64_t> k = node.getInt(1);
  if (!k)
    return failure();
  graph::TopKOp::Properties properties;
  properties.k = node.getBuilder().getI64IntegerAttr(*k);
  Value indices = node.create<graph::TopKOp>({data}, properties);
  graph::GatherOp::Properties gather;
  gather.axis = node.getBuilder().getI64IntegerAttr(-1);
  Value elements = node.create<graph::GatherOp>({data, indices}, gather);
  if (failed(node.yield(elements)))
    return failure();
  return node.getNumResults() < 2
             ? success()
             : node.yield(node.castToResult(indices, 1), 1);
}

ArrayRef<Rule> tflite::getReductionRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::ARG_MAX,
       "input axis=", importArgReduction<graph::ArgMaxOp>},
      {BuiltinOperator::ARG_MIN,
       "input axis=", importArgReduction<graph::ArgMinOp>},
      {BuiltinOperator::CUMSUM, "input axis=", importCumsum},
      {BuiltinOperator::L2_NORMALIZATION, "input!", importL2Normalization},
      {BuiltinOperator::MEAN, "input axis=", importReduction<graph::MeanOp>},
      {BuiltinOperator::REDUCE_ALL,
       "input axis=", importReduction<graph::MinOp>},
      {BuiltinOperator::REDUCE_ANY,
       "input axis=", importReduction<graph::MaxOp>},
      {BuiltinOperator::REDUCE_MAX,
       "input axis=", importReduction<graph::MaxOp>},
      {BuiltinOperator::REDUCE_MIN,
       "input axis=", importReduction<graph::MinOp>},
      {BuiltinOperator::REDUCE_PROD,
       "input axis=", importReduction<graph::ProdOp>},
      {BuiltinOperator::SUM, "input axis=", importReduction<graph::SumOp>},
      {BuiltinOperator::TOPK_V2, "input k=", importTopK},
  };
  return rules;
}

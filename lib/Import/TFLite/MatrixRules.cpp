//===- MatrixRules.cpp - Rules for matrix products ------------------------===//
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

static LogicalResult importFullyConnected(Node &node) {
  const auto *options = node.getOptions<schema::FullyConnectedOptions>();
  if (!options || failed(node.checkRank(1, 2)))
    return failure();
  if (options->weights_format() !=
      schema::FullyConnectedOptionsWeightsFormat::DEFAULT)
    return node.notSupported("has shuffled weights, which are not supported");
  Value data = node.getOperand(0), weights = node.getOperand(1);
  ArrayRef<int64_t> shape = getShape(data);
  int64_t size = getShape(weights)[1];
  int64_t count = cast<RankedTensorType>(data.getType()).getNumElements();
  // Unless the dimensions are kept, the data are a list of rows.
  SmallVector<int64_t> rows(shape);
  if (!options->keep_num_dims() || shape.empty() || shape.back() != size) {
    if (size < 1 || count % size != 0)
      return node.badInput("data of the shape " + formatShape(shape) +
                           " have no rows of " + Twine(size) +
                           " elements, the size that the weights need");
    rows = {count / size, size};
  }
  auto makeLayer = [&](Value data, Value weights, Type sums) {
    graph::DenseOp::Properties properties;
    if (sums)
      properties.out_dtype = TypeAttr::get(sums);
    return node.create<graph::DenseOp>(
        {node.createReshape(data, rows), weights}, properties);
  };
  if (Value result =
          createFixedPointLayer(node, /*outAxis=*/0, LayerKind::FullyConnected,
                                makeLayer, getActivation(options)))
    return node.yield(result);
  Value result = makeLayer(data, weights, {});
  if (Value bias = node.getOperand(2); bias && result) {
    graph::BiasAddOp::Properties properties;
    properties.axis = node.getBuilder().getI64IntegerAttr(
        int64_t(getShape(result).size()) - 1);
    result = node.create<graph::BiasAddOp>({result, bias}, properties);
  }
  if (!result)
    return failure();
  return node.yield(node.createActivation(result, getActivation(options)));
}

static LogicalResult importBatchMatMul(Node &node) {
  const auto *options = node.findOptions<schema::BatchMatMulOptions>();
  if (Value result = createFixedPointMatmul(node, options && options->adj_x(),
                                            options && options->adj_y()))
    return node.yield(result);
  graph::BatchMatmulOp::Properties properties;
  properties.transpose_a =
      node.getBuilder().getBoolAttr(options && options->adj_x());
  properties.transpose_b =
      node.getBuilder().getBoolAttr(options && options->adj_y());
  return node.yield(
      node.create<graph::BatchMatmulOp>(node.getOperands(), properties));
}

ArrayRef<Rule> tflite::getMatrixRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::BATCH_MATMUL, "x! y!", importBatchMatMul},
      {BuiltinOperator::FULLY_CONNECTED, "input! weights! bias!?",
       importFullyConnected},
  };
  return rules;
}

//===- PoolingRules.cpp - Rules for pools ---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FixedPoint.h"
#include "Rules.h"
#include "WindowRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Reads the window of a pool.
static FailureOr<graph::Window>
getWindow(Node &node, const schema::Pool2DOptions *options) {
  if (!options || failed(node.checkRank(0, 4)))
    return failure();
  ArrayRef<int64_t> shape = getShape(node.getOperand(0));
  graph::Window window;
  window.input = {shape[1], shape[2]};
  window.kernel = {options->filter_height(), options->filter_width()};
  window.strides = {options->stride_h(), options->stride_w()};
  window.dilations = {1, 1};
  if (failed(setPadding(node, options->padding(), window)))
    return failure();
  return window;
}

/// Imports a pool. `prepare` and `complete` compute on its data and its result.
template <typename PoolOp>
static LogicalResult importPool(Node &node,
                                function_ref<Value(Value)> prepare = {},
                                function_ref<Value(Value)> complete = {}) {
  const auto *options = node.getOptions<schema::Pool2DOptions>();
  FailureOr<graph::Window> window = getWindow(node, options);
  if (failed(window))
    return failure();
  Value data = node.getOperand(0);
  OpBuilder &builder = node.getBuilder();
  typename PoolOp::Properties properties;
  properties.pool_size = builder.getDenseI64ArrayAttr(window->kernel);
  properties.strides = builder.getDenseI64ArrayAttr(window->strides);
  properties.padding = builder.getDenseI64ArrayAttr(getPads(*window));
  properties.data_layout = builder.getStringAttr("NHWC");
  if (prepare)
    data = prepare(data);
  Value result = node.create<PoolOp>({data}, properties);
  if (complete)
    result = complete(result);
  if (!result)
    return failure();
  return node.yield(node.createActivation(result, getActivation(options)));
}

/// Imports L2_POOL_2D, the root of the mean square.
static LogicalResult importL2Pool(Node &node) {
  return importPool<graph::AvgPool2dOp>(
      node,
      [&](Value data) { return node.create<graph::MultiplyOp>({data, data}); },
      [&](Value mean) { return node.create<graph::SqrtOp>({mean}); });
}

static LogicalResult importAveragePool(Node &node) {
  const auto *options = node.getOptions<schema::Pool2DOptions>();
  FailureOr<graph::Window> window = getWindow(node, options);
  if (failed(window))
    return failure();
  if (Value result =
          createFixedPointPool(node, *window, getActivation(options)))
    return node.yield(result);
  return importPool<graph::AvgPool2dOp>(node);
}

static LogicalResult importMaxPool(Node &node) {
  return importPool<graph::MaxPool2dOp>(node);
}

ArrayRef<Rule> tflite::getPoolingRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::AVERAGE_POOL_2D, "input!", importAveragePool},
      {BuiltinOperator::L2_POOL_2D, "input!", importL2Pool},
      {BuiltinOperator::MAX_POOL_2D, "input!", importMaxPool},
  };
  return rules;
}

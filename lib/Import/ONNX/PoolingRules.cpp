//===- PoolingRules.cpp - MaxPool, AveragePool, GlobalAveragePool -*- C++
//-*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "WindowRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// The attributes that both pools have. False after an error.
template <typename Properties>
static bool readPool(Node &node, bool hasDilations, Properties &properties) {
  Value data = node.getOperand(0);
  if (failed(checkTwoSpatialDims(node, data)))
    return false;
  auto kernel = node.getIntsAttr("kernel_shape");
  if (!kernel || kernel->size() != 2 || (*kernel)[0] < 1 || (*kernel)[1] < 1) {
    (void)node.badInput(
        "needs the attribute 'kernel_shape' with 2 sizes of 1 or more");
    return false;
  }
  std::optional<graph::Window2D> window =
      readWindow(node, data, *kernel, hasDilations);
  if (!window)
    return false;
  properties.pool_size = node.getBuilder().getDenseI64ArrayAttr(*kernel);
  setWindow(node, *window, properties);
  if (node.getOpset() >= 10)
    properties.ceil_mode =
        node.getBuilder().getBoolAttr(node.getFlagAttr("ceil_mode"));
  return true;
}

static LogicalResult importMaxPool(Node &node) {
  graph::MaxPool2dOp::Properties properties;
  if (!readPool(node, /*hasDilations=*/node.getOpset() >= 10, properties))
    return failure();
  if (node.getOpset() >= 8 && node.getFlagAttr("storage_order"))
    return node.notSupported("attribute 'storage_order' is 1; only the "
                             "row-major order 0 is supported");
  if (node.getNumOutputs() > 1)
    return node.notSupported("the output 'Indices' is not supported");
  return node.yield(
      node.create<graph::MaxPool2dOp>({node.getOperand(0)}, properties));
}

static LogicalResult importAveragePool(Node &node) {
  graph::AvgPool2dOp::Properties properties;
  if (!readPool(node, /*hasDilations=*/node.getOpset() >= 19, properties))
    return failure();
  if (node.getOpset() >= 7)
    properties.count_include_pad =
        node.getBuilder().getBoolAttr(node.getFlagAttr("count_include_pad"));
  return node.yield(
      node.create<graph::AvgPool2dOp>({node.getOperand(0)}, properties));
}

static LogicalResult importGlobalAveragePool(Node &node) {
  if (failed(checkTwoSpatialDims(node, node.getOperand(0))))
    return failure();
  return node.yield(
      node.create<graph::GlobalAvgPool2dOp>({node.getOperand(0)}));
}

ArrayRef<Rule> importer::getPoolingRules() {
  static constexpr Rule rules[] = {
      {"AveragePool", 1, "X", importAveragePool},
      {"GlobalAveragePool", 1, "X", importGlobalAveragePool},
      {"MaxPool", 1, "X", importMaxPool},
  };
  return rules;
}
